"""What a long task says elsewhere than on a terminal."""

from __future__ import annotations

import io

import pytest

from metric_harness.system import progress
from metric_harness.system.terminal import Console


def test_a_long_task_says_now_and_then_what_it_is_doing(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([0.0, 10.0, 31.0, 31.0, 40.0, 62.0, 62.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(seconds))
    out = io.StringIO()
    with progress.Reporter(quiet=False, console=Console(file=out)).task("Auditing") as advance:
        for text in ("first", "second", "third", "fourth"):
            advance(0, text)
    assert out.getvalue().splitlines() == ["Auditing", "Auditing: second", "Auditing: fourth"]

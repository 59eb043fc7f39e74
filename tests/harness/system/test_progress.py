"""What a long task says elsewhere than on a terminal."""

from __future__ import annotations

import io
from functools import partial

import pytest

from metric_harness.system import progress
from metric_harness.system.terminal import Console


def test_a_long_task_says_now_and_then_what_it_is_doing(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([0.0, 10.0, 31.0, 31.0, 40.0, 62.0, 62.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(seconds))
    out, names = io.StringIO(), ["first", "second", "third", "fourth"]
    reporter = progress.Reporter(quiet=False, console=Console(file=out))
    with reporter.task("Auditing") as advance:
        for say in (partial(advance, 0), reporter.doing, partial(advance, 0), reporter.doing):
            say(names.pop(0))
    assert out.getvalue().splitlines() == ["Auditing", "Auditing: second", "Auditing: fourth"]

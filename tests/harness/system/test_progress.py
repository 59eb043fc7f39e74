"""What a long task says elsewhere than on a terminal."""

from __future__ import annotations

import io
import time

import pytest

from metric_harness.system import progress
from metric_harness.system.terminal import Console


def test_a_long_task_says_what_it_waits_for_while_one_step_of_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "STILL", 0.05)
    out = io.StringIO()
    reporter = progress.Reporter(quiet=False, console=Console(file=out))
    with reporter.task("Auditing") as advance:
        advance(0, "first")
        reporter.doing("second")
        while out.getvalue().count("second") < 2:
            time.sleep(0.01)
    said = out.getvalue()
    time.sleep(0.2)
    assert said.splitlines()[:3] == ["Auditing", "Auditing: second (0.05 s)", "Auditing: second (0.1 s)"]
    assert out.getvalue() == said


def test_a_quiet_task_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "STILL", 0.01)
    out = io.StringIO()
    with progress.Reporter(quiet=True, console=Console(file=out)).task("Auditing"):
        time.sleep(0.05)
    assert out.getvalue() == ""

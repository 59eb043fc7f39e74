"""The session of an audit: how long it waits for an answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metric_harness.naming.attempt import Attempt
from metric_harness.naming.options import Options
from metric_harness.naming.probes.probe import probe_named
from metric_harness.naming.question import Question
from metric_harness.naming.session import COMPILING, Session
from metric_harness.naming.target import read_target
from metric_harness.worker.reply import Reply
from tests.support.calls import offered


class Timed:
    """A worker that answers in no time and notes how long it would have been waited for."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.reply = Reply(value=0.5, seconds=0.1)

    def start(self) -> dict[str, Any]:
        return {"version": "", "subjects": {}, "compiles": True}

    def answer(self, asked: Any, timeout: float) -> Reply:
        self.waits.append(timeout)
        return self.reply


def test_a_function_that_has_given_numbers_is_not_waited_for_long_on_a_small_case(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("def recall(relevant, recommended, k): ...\n")
    worker: Any = Timed()
    session = Session(worker, read_target(f"{tmp_path}/own.py:recall"), tmp_path, Options(timeout=10.0))
    probe = probe_named("plain")
    assert probe is not None
    for seconds, asked in ((0.1, 10.0), (0.5, 2.0), (0.1, 5.0)):
        worker.reply = replace(worker.reply, seconds=seconds)
        session.ask(Attempt(call=offered("relevant,recommended")), Question(probe.case, probe.k))
        assert worker.waits[-1] == pytest.approx(asked)


def test_a_function_that_is_compiled_when_it_is_called_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("def recall(relevant, recommended, k): ...\n")
    worker: Any = Timed()
    session = Session(worker, read_target(f"{tmp_path}/own.py:recall"), tmp_path, Options(timeout=10.0))
    session.start()
    probe = probe_named("plain")
    assert probe is not None
    session.ask(Attempt(call=offered("relevant,recommended")), Question(probe.case, probe.k))
    assert worker.waits == [pytest.approx(COMPILING)]

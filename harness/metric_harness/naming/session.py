"""The session of an audit: the worker that answers, and the folder of the cases."""

from __future__ import annotations

import math
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from metric_adapters.case_files import save_case, save_small_case
from metric_harness.naming.attempt import Attempt, from_gain, from_one, without_hits_zero
from metric_harness.naming.options import Options
from metric_harness.naming.question import Question, Side
from metric_harness.naming.target import Target
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.worker.messages import Asked, OfferedCall, TakenOut
from metric_harness.worker.process import Worker
from metric_harness.worker.reply import Reply
from metric_reference.case import Case
from metric_reports.types.run import Source

if TYPE_CHECKING:
    from metric_harness.libraries.prepare import Ready


class OutOfTime(HarnessError):
    """An audit took longer than ``total_timeout``."""


MOST_NUMBERS_SMALL = 1000
"""A case with more scores of candidates is written as arrays, which is faster for large ones."""

PATIENCE, TIMES_SLOWEST, FEW_ITEMS = 2.0, 10.0, 200
"""A function that has given numbers has 2 seconds, or ten times those of its slowest answer, for a case of at most 200
listed and judged items: an item id taken for a grade, in ``2 ** grade``, is computed for ever. Not one that numba may
compile for a new type."""
COMPILING = 60.0
"""Seconds for a question to a function that numba may have to compile."""
SLOW = 1.0
"""Seconds of the last answer from which no question is asked ahead: one that nobody needs would cost as much."""


@dataclass
class Noticed:
    """What was noticed of an attempt beside its answers.

    It changed its input; it returned a number for each rank; it raised for a single user; removed names that were put
    back.
    """

    changed_input: bool = False
    by_rank: bool = False
    twice: bool = False
    put_back: set[str] = field(default_factory=set)


class Session:
    """Asks a target through its worker.

    sources, version, taken_out : as the worker gives them. ready : a library's release made ready, None for a user's
    function. reporter : shows the question that is being asked.
    """

    def __init__(
        self,
        worker: Worker,
        target: Target,
        folder: Path,
        options: Options,
        ready: Ready | None = None,
        reporter: Reporter | None = None,
    ) -> None:
        self.worker, self.target, self.options, self.ready = worker, target, options, ready
        self._reporter = reporter or Reporter()
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.sources: dict[str, Source] = {}
        self.version = ""
        self.taken_out: TakenOut | None = None
        self._compiles = False
        self._written: set[str] = set()
        self._latest: tuple[Case | None, np.ndarray | None] = (None, None)
        self._unnamed = 0
        self._noticed: defaultdict[Attempt, Noticed] = defaultdict(Noticed)
        self._seconds = 0.0
        self._slowest: float | None = None
        self._begun = time.monotonic()
        self._deadline = self._begun + options.total_timeout if options.total_timeout else math.inf

    def seconds(self) -> float:
        """Since the session began."""
        return time.monotonic() - self._begun

    def start(self) -> list[str]:
        """Start the worker; returns the names of the functions that it offers. StartFailure if it does not start."""
        started = self.worker.start()
        self.version, self.sources = started["version"], started["subjects"]
        self.taken_out = started.get("taken_out")
        self._compiles = started["compiles"]
        return list(self.sources)

    def attempt(self, function: str) -> Attempt:
        """The one way of asking a function of a library or a program."""
        needs = None if self.target.library is None else self.target.library.subjects[function].needs
        return Attempt(call=OfferedCall(name=function), needs=needs)

    def ask(self, attempt: Attempt, asked: Question) -> Reply:
        """The reply to a question; OutOfTime after the time that all questions have together."""
        longest = max(self.options.timeout, COMPILING if self._compiles else 0.0)
        timeout = min(longest, self._deadline - time.monotonic())
        if timeout <= 0:
            raise OutOfTime(f"not finished after {self.options.total_timeout:g} s")
        few_items = asked.case.recommended.size + len(asked.case.judged_items) <= FEW_ITEMS
        if self._slowest is not None and few_items and not self._compiles:
            timeout = min(timeout, max(PATIENCE, TIMES_SLOWEST * self._slowest))
        waits = ", which numba compiles" if self._compiles and self._slowest is None else ""
        self._reporter.doing(f"{attempt.name}{waits}, {asked.name.partition('-')[0] or 'a small case'}")
        question = self._shown(attempt, asked)
        if asked.then is not None and self._seconds < SLOW:
            self.worker.post(question, timeout)
            self.worker.post(self._shown(attempt, asked.then), timeout)
        reply = self.worker.answer(question, timeout)
        self._seconds = reply.seconds or 0.0
        if reply.value is not None:
            self._slowest = max(self._slowest or 0.0, self._seconds)
        noticed = self._noticed[attempt]
        noticed.changed_input = noticed.changed_input or reply.changed_input
        noticed.by_rank = noticed.by_rank or reply.by_rank
        noticed.twice = noticed.twice or reply.twice
        noticed.put_back.update(reply.put_back)
        if not attempt.nan_as_zero:
            return reply
        return without_hits_zero(reply, asked, self.side(replace(attempt, nan_as_zero=False)))

    def _shown(self, attempt: Attempt, asked: Question) -> Asked:
        """A question for the worker, its case written."""
        if attempt.threshold is not None:
            asked = from_gain(asked, attempt.threshold, attempt.whole_gains)
        if attempt.from_one:
            asked = from_one(asked)
        folder = self._written_case(asked)
        ids = folder / "ids.npy" if asked.ids is not None and self.target.library is None else None
        # the source's own cut-off must cut a list of every item, and a number for each rank is one of longer lists
        whole = asked.whole or attempt.only_cut or attempt.by_rank
        shown = {"whole": whole, "everything": attempt.threshold is not None}
        shown.update(beside=asked.beside, uneven=asked.uneven)
        more = [name for name, is_shown in shown.items() if is_shown]
        out = folder / f"answer-{asked.k}"  # the answer to the next question may come before this one is read
        return Asked(attempt.call.name, folder, asked.k, out, ids, attempt.element or None, tuple(more))

    def _written_case(self, asked: Question) -> Path:
        """The folder of a question's case, written once; of cases without a name, the latest."""
        if not asked.name and (asked.case is not self._latest[0] or asked.ids is not self._latest[1]):
            self._latest = (asked.case, asked.ids)
            self._unnamed += 1
        name = asked.name or f"question-{self._unnamed}"
        folder = self.folder / name
        if name not in self._written:
            write = save_small_case if asked.case.users * asked.case.n_items <= MOST_NUMBERS_SMALL else save_case
            write(asked.case, folder)
            if asked.ids is not None and self.target.library is None:  # an adapter numbers the items itself
                np.save(folder / "ids.npy", asked.ids)
            self._written.add(name)
        return folder

    def side(self, attempt: Attempt) -> Side:
        """What answers questions in the way of an attempt."""
        return partial(self.ask, attempt)

    def noticed(self, attempt: Attempt) -> Noticed:
        """What was noticed of an attempt so far."""
        return self._noticed[attempt]

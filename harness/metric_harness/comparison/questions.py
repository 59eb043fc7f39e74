"""The questions to the functions of one release: each is asked once, and its answer kept.

Answers about the split are kept in the folder of the run. Answers to probes and verification cases, which do not depend
on the data, are kept in the cache for all runs, by a digest of the installed files, the adapter's folder, the kit, the
question and the case; those from a user's own environment, whose files may change, in the folder of the run too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from metric_harness.comparison.asked_cases import AskedCase
from metric_harness.comparison.recorded_evidence import applies_here
from metric_harness.comparison.shared import Shared
from metric_harness.libraries.describe import Library, SubjectInfo, folder_digest
from metric_harness.libraries.prepare import Ready
from metric_harness.libraries.staging import kit_digest
from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.naming.library_evidence import Verified, from_recording, verify_function
from metric_harness.naming.probes.ask import ask_probes
from metric_harness.naming.probes.probe import Probe
from metric_harness.recordings.read import Recording
from metric_harness.system import store
from metric_harness.system.caches import cache_dir
from metric_harness.worker.answer_store import LASTING, AnswerStore
from metric_harness.worker.launch import PROBE_TIMEOUT
from metric_harness.worker.messages import Started
from metric_harness.worker.process import Reply, Worker
from metric_harness.worker.program import read_started
from metric_reference.case import Case


@dataclass(frozen=True, kw_only=True)
class Questions:
    """The questions to one release.

    started : the first message of its worker, in this run or an earlier one. base : what determines the answers of all
    its functions. lasting : the answers that do not depend on the data. step : called before each question.
    lost : the functions that lost an answer to a crash or a time-out, which another run asks again.
    """

    shared: Shared
    worker: Worker
    started: Started
    base: tuple[Any, ...]
    lasting: AnswerStore
    step: Callable[[str], None]
    lost: list[str] = field(default_factory=list)

    def probes(self, info: SubjectInfo) -> dict[str, ProbeAnswer]:
        """The answers of a function to the probes."""

        def ask(probe: Probe) -> Reply:
            return self._of_case(info, probe.case, probe.k)

        return ask_probes(self.shared.probes, info.metric, ask, lambda: self.step(info.function), info.needs)

    def verified(self, info: SubjectInfo, answers: Mapping[str, ProbeAnswer], recording: Recording | None) -> Verified:
        """Verification at size: from the recording if it has the same release, adapter and cases, else asked."""
        suggestion = identify(info.metric, answers)
        if recording is not None and applies_here(recording, info.function, self.base, answers):
            return from_recording(suggestion, recording.evidence[info.function], recording.date, info)
        return verify_function(lambda case, k: self._of_case(info, case, k), suggestion, answers, info)

    def on_bundle(self, info: SubjectInfo, asked_case: AskedCase, k: int) -> Reply:
        """The answer of a function on the split."""
        self.step(f"{info.function}@{k} on the split")
        key = self._key(info, asked_case.digest, k)
        reply = self.shared.store.get(key)
        if reply is None:
            prefix, limit = self.shared.store.prefix(key), self.shared.settings.timeout
            reply = self.worker.ask(info.function, asked_case.folder, k, prefix, limit)
            self._keep(info, self.shared.store, key, reply)
        return reply

    def _of_case(self, info: SubjectInfo, case: Case, k: int) -> Reply:
        key = self._key(info, "case", self.shared.cases.digest(case), k)
        reply = self.lasting.get(key)
        if reply is None:
            folder, limit = self.shared.cases.folder(case), min(PROBE_TIMEOUT, self.shared.settings.timeout)
            reply = self.worker.ask(info.function, folder, k, self.lasting.prefix(key), limit)
            self._keep(info, self.lasting, key, reply)
        return reply

    def _keep(self, info: SubjectInfo, store: AnswerStore, key: str, reply: Reply) -> None:
        if reply.kind in LASTING:
            store.put(key, reply)
        else:
            self.lost.append(info.function)

    def _key(self, info: SubjectInfo, *question: Any) -> str:
        return store.digest(*self.base, info.function, self.started["subjects"][info.function], *question)


def questions(
    shared: Shared, worker: Worker, library: Library, prepared: Ready, step: Callable[[str], None]
) -> Questions:
    """The questions to a release. Its worker starts now if no earlier start is kept, else with the first new question.

    Raises StartFailure.
    """
    settings, say = shared.settings, shared.reporter.say
    surroundings = (kit_digest(), settings.memory, prepared.arguments)
    lasting, started = shared.store, None
    if prepared.content is not None:
        mark = store.digest(library.key, prepared.content, folder_digest(library.folder), surroundings)
        lasting = AnswerStore(cache_dir("answers") / f"{library.key}-{mark}", say, settings.fresh)
        file = lasting.folder / "started.json"
        page = None if settings.fresh else store.kept(file, say=say)
        started = None if page is None else read_started(page)
    if started is None:
        started = worker.start()
        if prepared.content is not None:
            store.keep(file, started)
    release = (library.key, started["version"], started["packages"], folder_digest(library.folder))
    base = (*release, started["python"], surroundings)
    return Questions(shared=shared, worker=worker, started=started, base=base, lasting=lasting, step=step)

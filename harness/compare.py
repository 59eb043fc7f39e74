"""One comparison: ask every subject of every library, identify it, predict its cells, and make the record."""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

import harness
from adapters.case_files import save_case
from harness.answers import AnswerStore, digest
from harness.ask import Reply, Worker
from harness.asking import PROBE_TIMEOUT, ask_probes, probe_digest
from harness.bundle import Bundle
from harness.environments import EnvironmentFailure, resolve_python
from harness.errors import HarnessError
from harness.findings import Finding, cell_findings, subject_findings
from harness.identification import Identification, ProbeAnswer, agreement, agrees, edges_for, identify
from harness.libraries import Library, Release, SubjectInfo
from harness.probes import Probe, all_probes, describe
from harness.progress import Reporter
from harness.record import SCHEMA_VERSION, Record, to_json_number
from harness.staging import stage
from reference.averaging import user_values
from reference.edges import Edges
from reference.matching import Matches
from reference.variant import Variant, prepare


@dataclass(frozen=True)
class Settings:
    """How a comparison is run.

    environment : ``isolated``, ``current``, or the path of a Python or of an environment.
    timeout : seconds a subject may take for the bundle; memory : bytes a worker may hold.
    fresh : forget the answers of an earlier run in the same folder.
    """

    ks: tuple[int, ...] = (20,)
    environment: str = "isolated"
    timeout: float = 600.0
    memory: int = 8 << 30
    fresh: bool = False


class Comparison:
    """A comparison under way: the bundle, what was answered so far, and the record as it grows."""

    def __init__(self, bundle: Bundle, settings: Settings, out: Path, reporter: Reporter) -> None:
        self.bundle, self.settings, self.out, self.reporter = bundle, settings, out, reporter
        if settings.fresh:
            (out / "answers" / "answers.jsonl").unlink(missing_ok=True)
        self.store = AnswerStore(out / "answers")
        self.probes = all_probes()
        self.probe_folders = {probe.name: self._save_probe(probe) for probe in self.probes}
        self.bundle_digest = digest(bundle.manifest["arrays"])
        self.matched: dict[Edges, Matches] = {}
        self.libraries: list[Record] = []
        self.subjects: list[Record] = []
        self.cells: list[Record] = []
        self.findings: list[Finding] = []

    def _save_probe(self, probe: Probe) -> Path:
        folder = self.out / "probes" / probe.name
        save_case(probe.case, folder)
        return folder

    def run(self, libraries: Sequence[Library]) -> None:
        """Ask every library in turn; one that cannot run costs its own cells alone."""
        staged = stage(libraries)
        for library in libraries:
            release = library.newest()
            row = describe_library(library, release)
            self.libraries.append(row)
            try:
                python = resolve_python(self.settings.environment, library, release, self.reporter)
            except EnvironmentFailure as failure:
                self._not_available(library, row, str(failure))
                continue
            log = self.out / "logs" / f"{library.key}.txt"
            with Worker(python, staged, library.key, log, memory=self.settings.memory) as worker:
                try:
                    started = worker.start()
                except HarnessError as failure:
                    self._not_available(library, row, str(failure), worker.tail())
                    continue
                row.update(release=started["version"], python=started["python"], packages=started["packages"])
                self._ask_library(worker, library, row, started["subjects"])
                row["stderr"] = worker.tail()

    def _not_available(self, library: Library, row: Record, reason: str, stderr: str = "") -> None:
        row.update(status="not_available", reason=reason, stderr=stderr)
        self.reporter.say(f"{library.name}: not available: {reason}")
        for info in library.subjects.values():
            unknown = Identification(None, [], Edges(), [])
            who = identity(library, row, info)
            self.subjects.append(subject_row(who, info, unknown, {}, {}, asked=False))
            self.cells += [empty_cell(who, k, "not_available", reason) for k in self.settings.ks]

    def _ask_library(self, worker: Worker, library: Library, row: Record, offered: Mapping[str, Any]) -> None:
        steps = len(library.subjects) * (len(self.probes) + len(self.settings.ks))
        code = folder_digest(library.folder)
        with self.reporter.task(f"Asking {library.name} {row['release']}", steps) as advance:
            for info in library.subjects.values():
                who = identity(library, row, info)
                if info.function not in offered:
                    missing = f"adapters/{library.key}/adapter.py offers no subject {info.function!r}"
                    self.cells += [empty_cell(who, k, "error", missing) for k in self.settings.ks]
                    continue
                base = (library.key, row["release"], row["packages"], code, info.function, offered[info.function])
                answers = self._ask_probes(worker, info, base, advance)
                found = identify(info.metric, answers)
                found_here = subject_findings(who, info.metric, found, answers)
                cells = [self._cell(worker, who, info, base, found, k, advance) for k in self.settings.ks]
                codes = [finding["code"] for finding in found_here]
                for cell in cells:
                    on_bundle = cell_findings(who, cell)
                    cell["findings"] = list(dict.fromkeys([*codes, *(finding["code"] for finding in on_bundle)]))
                    found_here = merge(found_here, on_bundle)
                self.subjects.append(subject_row(who, info, found, answers, offered[info.function], asked=True))
                self.cells += cells
                self.findings += found_here

    def _ask_probes(
        self, worker: Worker, info: SubjectInfo, base: tuple[Any, ...], advance: Any
    ) -> dict[str, ProbeAnswer]:
        limit = min(PROBE_TIMEOUT, self.settings.timeout)

        def ask(probe: Probe) -> Reply:
            key = digest(*base, probe.name, probe_digest(probe), probe.k)
            return self._ask(worker, key, info.function, self.probe_folders[probe.name], probe.k, limit)

        return ask_probes(self.probes, info.metric, ask, lambda: advance(1, info.function))

    def _ask(self, worker: Worker, key: str, function: str, case: Path, k: int, timeout: float) -> Reply:
        reply = self.store.get(key)
        if reply is None:
            reply = worker.ask(function, case, k, self.store.prefix(key), timeout)
            self.store.put(key, reply)
        return reply

    def _cell(
        self, worker: Worker, who: Record, info: SubjectInfo, base: tuple[Any, ...], found: Identification, k: int,
        advance: Any,
    ) -> Record:  # fmt: skip
        advance(1, f"{info.function}@{k} on the bundle")
        if "candidate_scores" in info.needs and self.bundle.case.candidate_scores is None:
            reason = "needs scores of all candidates, which this bundle does not have"
            return {**empty_cell(who, k, "not_available", reason), "variant": printed(found)}
        key = digest(*base, self.bundle_digest, k)
        reply = self._ask(worker, key, info.function, self.bundle.folder, k, self.settings.timeout)
        if reply.value is None:
            return {**empty_cell(who, k, "error", reply.error), "variant": printed(found)}
        cell = {**empty_cell(who, k, "unexplained", None), "value": to_json_number(reply.value)}
        cell.update(seconds=reply.seconds, warnings=list(reply.warnings), variant=printed(found))
        if found.variant is not None:
            self._predict(cell, found.variant, edges_for(found.edges), k, reply)
        return cell

    def _predict(self, cell: Record, variant: Variant, edges: Edges, k: int, reply: Reply) -> None:
        """Close the loop: what the identified variant gives on the bundle, beside what was measured."""
        if edges not in self.matched:
            self.matched[edges] = prepare(self.bundle.case, edges)
        matches, value = self.matched[edges], float(cell["value"])
        predicted = variant.of_matches(matches, edges, k)
        how = agreement(value, predicted)
        cell.update(
            predicted=to_json_number(predicted), difference=to_json_number(value - predicted), agreement=how,
            status="unexplained" if how == "different" else "explained",
        )  # fmt: skip
        if reply.users is not None and reply.values is not None and not variant.metric.whole():
            ours = user_values(variant.metric, matches, k, edges)[0][reply.users]
            gaps = np.abs(reply.values - ours)
            equal = [agrees(float(a), float(b)) for a, b in zip(reply.values, ours, strict=True)]
            largest = float(np.nanmax(gaps)) if np.isfinite(gaps).any() else None
            cell["users"] = {"answered": len(gaps), "equal": sum(equal), "largest_difference": to_json_number(largest)}


def merge(findings: list[Finding], more: list[Finding]) -> list[Finding]:
    """One finding a code; what the split itself shows stands before what only a probe shows."""
    codes = {finding["code"]: finding for finding in findings}
    for finding in more:
        shown = codes.get(finding["code"])
        codes[finding["code"]] = {**finding, "case": finding["case"] or (shown or finding)["case"]}
    return list(codes.values())


def identity(library: Library, row: Record, info: SubjectInfo) -> Record:
    """What every row about a subject begins with."""
    return {"library": library.key, "release": row["release"], "function": info.function, "metric": info.metric}


def printed(found: Identification) -> str | None:
    """The variant's printed form, or None."""
    return None if found.variant is None else str(found.variant)


def empty_cell(who: Record, k: int, status: str, error: str | None) -> Record:
    """A cell without a value."""
    return {
        **who, "k": k, "value": None, "variant": None, "predicted": None, "difference": None, "agreement": None,
        "status": status, "seconds": None, "findings": [], "error": error, "warnings": [], "users": None,
    }  # fmt: skip


def describe_library(library: Library, release: Release) -> Record:
    """A library's row of the record, before it was asked."""
    return {
        "name": library.key, "title": library.name, "release": release.version, "homepage": library.homepage,
        "licence": library.licence, "status": "ran", "reason": None, "note": release.note or None,
    }  # fmt: skip


def subject_row(
    who: Record, info: SubjectInfo, found: Identification, answers: Mapping[str, ProbeAnswer],
    source: Mapping[str, Any], *, asked: bool,
) -> Record:  # fmt: skip
    """A subject's row of the record."""
    variant = found.variant
    edges = found.edges.made() if asked and variant is not None else {}
    return {
        **who, "claim": info.claim or None, "address": info.address or None, "source": dict(source),
        "identified": variant is not None, "variant": printed(found),
        "formula": None if variant is None else variant.metric.formula(),
        "choices": {} if variant is None else {**variant.choices(), "users": found.edges.users},
        "edges": {name: value for name, value in edges.items() if value != "unclear"},
        "alternatives": [str(other) for other in found.alternatives[:20]],
        "nearest": [{"variant": str(near), "fails": failed} for near, failed in found.nearest],
        "answers": [
            {
                "probe": name, "value": to_json_number(answer.value), "error": answer.error,
                "expected": to_json_number(found.expected.get(name)),
            }
            for name, answer in answers.items()
        ],
    }  # fmt: skip


def folder_digest(folder: Path) -> str:
    """A digest of an adapter's code: a changed adapter is asked again."""
    return hashlib.sha256(b"|".join(path.read_bytes() for path in sorted(folder.glob("*.py")))).hexdigest()


def compare(
    bundle: Bundle, libraries: Sequence[Library], settings: Settings, out: Path, *,
    command: str = "", reporter: Reporter | None = None,
) -> Record:  # fmt: skip
    """Compare libraries on a bundle and return the record (see harness/schema/run.schema.json).

    Answers are kept in ``out/answers``: a run that was cut off goes on where it stopped.
    """
    begun = time.perf_counter()
    comparison = Comparison(bundle, settings, out, reporter or Reporter())
    comparison.run(libraries)
    return {
        "schema_version": SCHEMA_VERSION,
        "harness": {
            "version": harness.__version__, "python": platform.python_version(), "numpy": np.__version__,
            "platform": platform.platform(terse=True),
        },
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - begun, 3),
        "command": command,
        "settings": {
            "ks": list(settings.ks), "libraries": [library.key for library in libraries],
            "environment": settings.environment, "timeout": settings.timeout, "memory": settings.memory,
        },
        "bundle": bundle.manifest,
        "libraries": comparison.libraries,
        "subjects": comparison.subjects,
        "cells": comparison.cells,
        "findings": comparison.findings,
        "probes": [describe(probe) for probe in comparison.probes],
    }  # fmt: skip

"""Recordings: the answers of a release to all probes, kept beside its adapter for machines where it cannot run."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from metric_harness.libraries.describe import Library, Release, SubjectInfo, folder_digest
from metric_harness.naming.identify import ProbeAnswer
from metric_harness.naming.library_evidence import cases_mark
from metric_harness.naming.probes.ask import probe_digest
from metric_harness.naming.probes.probe import Probe, library_probes
from metric_harness.system.errors import HarnessError
from metric_harness.worker.messages import Started
from metric_reference.variant import BEYOND
from metric_reports.files import write_atomically
from metric_reports.record import from_json_number, to_json_number
from metric_reports.types.common import Evidence
from metric_reports.types.run import Source
from metric_reports.versions import SCHEMA_VERSION, up_to_date


@dataclass(frozen=True)
class Recording:
    """The answers of a release when it was recorded.

    date : of the recording; python, packages : of its environment; answers : by function, then by probe; sources :
    where each function is defined; missing : why a function was not asked; stale : the probes that have been changed,
    added or removed since. evidence : of verification at size, by function; code, cases : digests of the adapter and of
    the verification cases of this evidence.
    """

    date: str
    python: str
    packages: dict[str, str]
    answers: dict[str, dict[str, ProbeAnswer]]
    sources: dict[str, Source]
    missing: dict[str, str]
    stale: tuple[str, ...]
    evidence: dict[str, Evidence]
    code: str
    cases: str


def path_of(library: Library, release: Release) -> Path:
    """The path of a release's recording, whether or not the file exists."""
    return library.folder / "recordings" / f"{re.sub(r'[^A-Za-z0-9._+-]+', '-', release.version)}.json"


def mark(probe: Probe) -> str:
    """A short digest of a probe."""
    return probe_digest(probe)[:16]


def read_recording(library: Library, release: Release) -> Recording | None:
    """The recording of a release, or None; HarnessError names a file that cannot be read as a recording."""
    path = path_of(library, release)
    try:
        page = up_to_date(json.loads(path.read_text(encoding="utf-8")), "recording")
        subjects = page["subjects"]
        return Recording(
            page["date"],
            page["python"],
            page["packages"],
            {name: {row["probe"]: read_answer(row) for row in entry["answers"]} for name, entry in subjects.items()},
            {name: entry["source"] for name, entry in subjects.items()},
            page["missing"],
            _stale_probes({row["probe"]: row["mark"] for row in page["probes"]}, _described(library, subjects)),
            {name: entry["evidence"] for name, entry in subjects.items()},
            page["code"],
            page["cases"],
        )
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise HarnessError(f"{path}: no recording ({error!r}); `metric-harness library record` makes it") from None


def _stale_probes(marks: Mapping[str, str], functions: Collection[SubjectInfo]) -> tuple[str, ...]:
    """The probes that were changed, added or removed since a recording of these functions."""
    current = {
        probe.name: mark(probe) for probe in library_probes() if probe.name in marks or _asked_of_any(probe, functions)
    }
    return tuple(name for name in {**current, **marks} if current.get(name) != marks.get(name))


def _described(library: Library, functions: Iterable[str]) -> list[SubjectInfo]:
    """What library.toml says of some functions."""
    return [library.subjects[name] for name in functions if name in library.subjects]


def _asked_of_any(probe: Probe, functions: Collection[SubjectInfo]) -> bool:
    return any(probe.asked_of(info.metric, info.needs) for info in functions)


def write_recording(
    library: Library,
    release: Release,
    started: Started,
    answers: Mapping[str, Mapping[str, ProbeAnswer]],
    evidence: Mapping[str, Evidence],
    missing: Mapping[str, str],
    probes: Sequence[Probe],
    path: Path | None = None,
) -> Path:
    """Write a release's recording, one answer in each line, so that changes are easy to read; returns the file.

    path : where to, if not beside the adapter.
    """
    subjects = {
        name: {
            "source": started["subjects"][name],
            "evidence": evidence[name],
            "answers": [written_answer(probe, answer) for probe, answer in by_probe.items()],
        }
        for name, by_probe in answers.items()
    }
    described = _described(library, answers)
    page: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "library": library.key,
        "release": release.version,
        "commit": release.commit,
        "date": datetime.now(UTC).date().isoformat(),
        "python": started["python"],
        "platform": f"{platform.system()} {platform.machine()}",
        "packages": started["packages"],
        "code": folder_digest(library.folder),
        "cases": cases_mark(any(info.metric in BEYOND for info in described)),
        "missing": dict(missing),
        "probes": [{"probe": probe.name, "mark": mark(probe)} for probe in probes if _asked_of_any(probe, described)],
        "subjects": subjects,
    }
    path = path or path_of(library, release)
    write_atomically(path, _printed(page) + "\n")
    return path


def _printed(page: dict[str, Any]) -> str:
    """JSON with the small dictionaries on one line each."""
    text = json.dumps(page, indent=1, ensure_ascii=False)
    small = r"\{\s*(\"(?:probe|file|answered)\"[^{}]*?)\s*\}"
    return re.sub(small, lambda match: "{" + re.sub(r"\s*\n\s*", " ", match[1]) + "}", text)


def written_answer(probe: str, answer: ProbeAnswer) -> dict[str, Any]:
    """An answer as a recording holds it."""
    row: dict[str, Any] = {"probe": probe, "value": to_json_number(answer.value)}
    if answer.error is not None:
        row["error"] = answer.error
    if not answer.shown:
        row["shown"] = False
    if answer.unsettled:
        row["unsettled"] = True
    if answer.users is not None and answer.values is not None:
        row["users"] = answer.users.tolist()
        row["values"] = [to_json_number(value) for value in answer.values]
    return row


def read_answer(row: Mapping[str, Any]) -> ProbeAnswer:
    """An answer from a row of a recording."""
    users = values = None
    if "users" in row:
        users = np.array(row["users"], dtype=np.int64)
        values = np.array([float(value) for value in row["values"]], dtype=np.float64)
    shown, unsettled = bool(row.get("shown", True)), bool(row.get("unsettled", False))
    return ProbeAnswer(from_json_number(row["value"]), row.get("error"), users, values, shown, unsettled)

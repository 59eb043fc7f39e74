"""What changed since the recordings: the releases that the index has had since, asked and compared."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from packaging.version import Version

from metric_harness.history.ask import Asking
from metric_harness.history.bisection import ask_releases
from metric_harness.history.changes import history_of
from metric_harness.history.recipes import ways
from metric_harness.history.releases import date_of, releases_of
from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import find_python
from metric_harness.naming.api import audit_once
from metric_harness.naming.options import Options
from metric_harness.naming.target import Target
from metric_harness.recordings.record import record_release
from metric_harness.system.errors import HarnessError
from metric_harness.system.scratch import scratch
from metric_reports.audit.issue import gravest, issue
from metric_reports.types.audit import Audit
from metric_reports.types.history import Watched, WatchLog
from metric_reports.versions import SCHEMA_VERSION

Result = TypeVar("Result")

FILE, FEED = "watch.json", "feed.atom"


def known_release(library: Library, entries: list[Watched]) -> str:
    """The newest release that was looked at, in an earlier run or for the recordings; empty for commits alone."""
    looked_at = [entry["newest"] for entry in entries if entry["library"] == library.key and finished(entry)]
    recorded = [release.version for release in library.releases if not release.commit]
    return max([*looked_at, *recorded], key=Version, default="") if library.distribution else ""


def finished(entry: Watched) -> bool:
    """Whether the newest release answered, so that the next run begins there."""
    return not entry["error"] and entry["newest"] not in entry["refused"]


def watched(asking: Asking, since: str, jobs: int, minutes: float) -> Watched:
    """What the releases of a library since a known one changed; what goes wrong is the entry's ``error``."""
    library = asking.library
    entry: Watched = {
        "day": datetime.now(UTC).date().isoformat(),
        "library": library.key,
        "name": library.name,
        "distribution": library.distribution,
        "since": since,
        "newest": since,
        "changes": [],
        "refused": {},
        "error": "",
        "files": [],
    }
    try:
        versions = releases_of(library.distribution, find_python(library, library.newest())[1], since)
        if versions == [since]:
            return entry
        history = history_of(library, versions, ask_releases(asking, versions, jobs, minutes=minutes))
    except HarnessError as error:
        return {**entry, "error": " ".join(str(error).split())}
    answered = sorted(history["asked"], key=Version)
    if len(answered) < 2:
        reasons = "; ".join(f"{version}: {reason}" for version, reason in history["refused"].items())
        why = f"nothing to compare: {reasons or 'the time is up'}"
        return {**entry, "newest": versions[-1], "refused": history["refused"], "error": why}
    newest = versions[-1] if versions[-1] in history["refused"] else answered[-1]
    return {**entry, "newest": newest, "changes": history["changes"], "refused": history["refused"]}


def in_first_way(asking: Asking, version: str, use: Callable[[Release], Result]) -> Result:
    """What comes of a release in the first of the ways to install it in which it can be used. HarnessError if none."""
    library, failures = asking.library, list[HarnessError]()
    day = date_of(library.distribution, version, find_python(library, library.newest())[1])
    for release in ways(library, version, day, asking.others):
        try:
            return use(release)
        except HarnessError as error:
            failures.append(error)
    raise failures[0]


def recording_of(asking: Asking, version: str) -> str:
    """A recording of a release. HarnessError if it cannot be asked."""

    def recorded(release: Release) -> str:
        with scratch("watch-") as folder:
            path = Path(folder, "recording.json")
            record_release(asking.library, release, "isolated", {}, asking.memory, asking.reporter, path)
            return path.read_text(encoding="utf-8")

    return in_first_way(asking, version, recorded)


def new_issues(asking: Asking, entry: Watched, options: Options) -> dict[str, str]:
    """An issue for each function that has an error or a warning which it had not in the known release, by file name."""

    def audited(release: Release) -> Audit:
        target = Target(f"{entry['library']}=={release.version}", asking.library, release)
        return audit_once(target, options, asking.reporter).to_json()

    known, new = (in_first_way(asking, version, audited) for version in (entry["since"], entry["newest"]))
    had = {(function_of(subject), row["code"]) for subject in known["subjects"] for row in subject["findings"]}
    texts = {}
    for subject in new["subjects"]:
        name = function_of(subject)
        findings = [row for row in subject["findings"] if (name, row["code"]) not in had]
        if worst := gravest({**subject, "findings": findings}):
            file = re.sub(r"[^\w.-]+", "-", f"{entry['library']}-{entry['newest']}-{name}").strip("-")
            texts[f"{file}.md"] = issue(subject, worst, new["harness"]["version"])
    return texts


def function_of(subject: Mapping[str, Any]) -> str:
    """The function of an audited target, without the release before it."""
    return str(subject["target"]).partition(":")[2]


def read_log(folder: Path) -> list[Watched]:
    """The entries of earlier runs, the newest first. HarnessError for a file that cannot be read."""
    path = folder / FILE
    if not path.exists():
        return []
    try:
        log: WatchLog = json.loads(path.read_text(encoding="utf-8"))
        return list(log["entries"])
    except (OSError, ValueError, KeyError, TypeError):
        raise HarnessError(f"{path}: this is not what `metric-harness library watch` writes; move it away") from None


def log_of(entries: list[Watched]) -> WatchLog:
    """What ``watch.json`` holds."""
    return {"schema_version": SCHEMA_VERSION, "entries": entries}

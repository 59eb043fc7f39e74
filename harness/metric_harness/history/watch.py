"""What changed since the recordings: the releases that the index has had since, asked and compared."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from packaging.version import Version

from metric_harness.history.ask import Asking
from metric_harness.history.bisection import ask_releases
from metric_harness.history.changes import history_of
from metric_harness.history.releases import releases_of
from metric_harness.libraries.describe import Library
from metric_harness.libraries.environments import find_python
from metric_harness.system.errors import HarnessError
from metric_reports.types.history import Watched, WatchLog
from metric_reports.versions import SCHEMA_VERSION

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

"""The history of a library as data: what changed between which releases, and what could not be asked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from metric_harness.history.ask import Asked, plain
from metric_harness.history.bisection import seen_of
from metric_harness.history.search import changes_of, differing, functions_of, places_of
from metric_harness.libraries.describe import Library
from metric_harness.naming.identify import Identification, ProbeAnswer, identify
from metric_harness.naming.probes.probe import library_probes
from metric_harness.system.errors import HarnessError
from metric_reports.files import write_atomically
from metric_reports.record import to_json_number
from metric_reports.types.history import Change, History
from metric_reports.versions import SCHEMA_VERSION, up_to_date

FILE = "history.json"
UNKNOWN = "no known definition"


def history_of(
    library: Library, versions: Sequence[str], asked: Mapping[int, Asked], functions: Sequence[str] = ()
) -> History:
    """The history of a library.

    versions : all releases of the index, oldest first. asked : their answers, by index. functions : shown, or all.
    """
    seen = seen_of(asked, functions)
    shown = functions_of(seen)
    changes = [
        change(library, name, versions[before : after + 1], asked[before], asked[after])
        for name in shown
        for before, after in changes_of(name, seen)
    ]
    oldest, newest = (asked.get(index, Asked(versions[index], "")) for index in (0, len(versions) - 1))
    return {
        "schema_version": SCHEMA_VERSION,
        "library": library.key,
        "distribution": library.distribution,
        "day": datetime.now(UTC).date().isoformat(),
        "oldest": [oldest.version, oldest.day],
        "newest": [newest.version, newest.day],
        "releases": len(versions),
        "asked": {asked[index].version: asked[index].day for index in sorted(asked) if not asked[index].error},
        "functions": {name: versions[indices[0]] for name in shown if (indices := places_of(name, seen))},
        "changes": sorted(changes, key=lambda row: versions.index(row["after"])),
        "refused": {asked[index].version: asked[index].error for index in sorted(asked) if asked[index].error},
    }


def change(library: Library, function: str, versions: Sequence[str], before: Asked, after: Asked) -> Change:
    """What changed in a function between two releases; versions : theirs and all between them."""
    metric = library.subjects[function].metric
    answers = before.answers[function], after.answers[function]
    identified = [identify(metric, by_probe) for by_probe in answers]
    names = [str(each.variant) if each.variant else UNKNOWN for each in identified]
    probe, k = smallest(*answers)
    return {
        "function": function,
        "metric": metric,
        "before": before.version,
        "before_day": before.day,
        "after": after.version,
        "after_day": after.day,
        "untried": list(versions[1:-1]),
        "variants": names if names[0] != names[1] else [],
        "edges": changed_edges(*identified),
        "probe": probe,
        "k": k,
        "values": [to_json_number(by_probe[probe].value) for by_probe in answers],
        "errors": [plain(error) for by_probe in answers if (error := by_probe[probe].error)],
        "packages": {
            name: [version, after.packages[name]]
            for name, version in sorted(before.packages.items())
            if name != library.distribution and after.packages.get(name, version) != version
        },
    }


def changed_edges(before: Identification, after: Identification) -> dict[str, list[str]]:
    """The edges at which two definitions behave differently; empty if one of them is unknown."""
    if before.variant is None or after.variant is None:
        return {}
    old, new = before.edges.made(), after.edges.made()
    return {edge: [old[edge], new[edge]] for edge in old if old[edge] != new[edge]}


def smallest(before: Mapping[str, ProbeAnswer], after: Mapping[str, ProbeAnswer]) -> tuple[str, int]:
    """The smallest probe whose answers differ, and its cut-off. Probes with two numbers come before those with an
    error, then ordinary probes before those of an edge."""
    names = set(differing(before, after))

    def size(probe: Any) -> tuple[bool, bool, int, int, int]:
        error = before[probe.name].value is None or after[probe.name].value is None
        return error, probe.edge is not None, probe.case.users, probe.k, probe.case.width

    probe = min((probe for probe in library_probes() if probe.name in names), key=size)
    return probe.name, probe.k


def read_history(folder: Path) -> History | None:
    """The history beside a library's adapter, or None. HarnessError where it cannot be read as one."""
    path = folder / FILE
    try:
        page: History = up_to_date(json.loads(path.read_text(encoding="utf-8")), "history")
        return page
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise HarnessError(
            f"{path}: no history ({error!r}); `metric-harness library history --write` makes it"
        ) from None


def write_history(folder: Path, history: History) -> Path:
    """Write a library's history beside its adapter, each innermost list on one line; returns the file."""
    text = json.dumps(history, indent=1, ensure_ascii=False)
    text = re.sub(r"\[\s*([^\[\]{}]*?)\s*\]", lambda match: "[" + re.sub(r"\s*\n\s*", " ", match[1]) + "]", text)
    path = folder / FILE
    write_atomically(path, text + "\n")
    return path

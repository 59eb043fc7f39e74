"""The history of a library as data: what changed between which releases, and what could not be asked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from metric_harness.history.ask import Asked, plain
from metric_harness.history.run import seen_of
from metric_harness.history.search import changes_of, differing, functions_of, places_of
from metric_harness.identification.identify import Identification, ProbeAnswer, identify
from metric_harness.identification.probes import library_probes
from metric_harness.libraries.describe import Library
from metric_harness.system.errors import HarnessError
from metric_reports.record import to_json_number, write_atomically
from metric_reports.types.history import Change, History

FILE = "history.json"
SCHEMA_VERSION = 2
UNKNOWN = "no known definition"


def history_of(
    library: Library, versions: Sequence[str], asked: Mapping[int, Asked], functions: Sequence[str] = ()
) -> History:
    """The history that releases tell; versions : all of the index, oldest first; functions : those shown, or all."""
    seen = seen_of(asked, functions)
    shown = functions_of(seen)
    changes = [
        change(library, name, [versions[at] for at in range(before, after + 1)], asked[before], asked[after])
        for name in shown
        for before, after in changes_of(name, seen)
    ]
    ends = [asked.get(place, Asked(versions[place], "")) for place in (0, -1 % len(versions))]
    return {
        "schema_version": SCHEMA_VERSION,
        "library": library.key,
        "distribution": library.distribution,
        "day": datetime.now(UTC).date().isoformat(),
        "oldest": [ends[0].version, ends[0].day],
        "newest": [ends[1].version, ends[1].day],
        "releases": len(versions),
        "asked": {asked[place].version: asked[place].day for place in sorted(asked) if not asked[place].error},
        "functions": {name: versions[places[0]] for name in shown if (places := places_of(name, seen))},
        "changes": sorted(changes, key=lambda one: versions.index(one["after"])),
        "refused": {asked[place].version: asked[place].error for place in sorted(asked) if asked[place].error},
    }


def change(library: Library, function: str, between: Sequence[str], one: Asked, two: Asked) -> Change:
    """What changed in a function between two releases; between : they and all that lie between them."""
    metric = library.subjects[function].metric
    before, after = one.answers[function], two.answers[function]
    found = [identify(metric, answers) for answers in (before, after)]
    names = [str(each.variant) if each.variant else UNKNOWN for each in found]
    probe, k = smallest(before, after)
    return {
        "function": function,
        "metric": metric,
        "before": one.version,
        "before_day": one.day,
        "after": two.version,
        "after_day": two.day,
        "untried": list(between[1:-1]),
        "variants": names if names[0] != names[1] else [],
        "edges": changed_edges(*found),
        "probe": probe,
        "k": k,
        "values": [to_json_number(answers[probe].value) for answers in (before, after)],
        "errors": [plain(error) for answers in (before, after) if (error := answers[probe].error)],
        "packages": {
            name: [version, two.packages[name]]
            for name, version in sorted(one.packages.items())
            if name != library.distribution and two.packages.get(name, version) != version
        },
    }


def changed_edges(before: Identification, after: Identification) -> dict[str, list[str]]:
    """The edges at which two definitions behave otherwise; where one is unknown there are none."""
    if before.variant is None or after.variant is None:
        return {}
    one, two = before.edges.made(), after.edges.made()
    return {edge: [one[edge], two[edge]] for edge in one if one[edge] != two[edge]}


def smallest(before: Mapping[str, ProbeAnswer], after: Mapping[str, ProbeAnswer]) -> tuple[str, int]:
    """The smallest probe on which answers differ, and its cut-off: two numbers rather than an error, and a plain list
    rather than an edge."""
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
        page: History = json.loads(path.read_text(encoding="utf-8"))
        if page["schema_version"] != SCHEMA_VERSION:
            raise ValueError(f"schema_version {page['schema_version']}, expected {SCHEMA_VERSION}")
        return page
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise HarnessError(f"{path}: no history ({error!r}); make it with `metric-harness history --write`") from None


def write_history(folder: Path, history: History) -> Path:
    """Write a library's history beside its adapter, one line a short list; returns the file."""
    text = json.dumps(history, indent=1, ensure_ascii=False)
    short = re.sub(r"\[\s*([^\[\]{}]*?)\s*\]", lambda found: "[" + re.sub(r"\s*\n\s*", " ", found[1]) + "]", text)
    path = folder / FILE
    write_atomically(path, short + "\n")
    return path

"""Two records compared: what changed from the old one to the new one."""

from __future__ import annotations

import math
from collections.abc import Iterable

from metric_reports.record import from_json_number, to_json_number
from metric_reports.tolerances import FLOAT32
from metric_reports.types.common import Who
from metric_reports.types.diff import (
    BriefFinding,
    BundleChange,
    CellState,
    Changes,
    CutoffChange,
    Diff,
    EdgeChange,
    FindingChange,
    LibraryChange,
    Origin,
    ValueChange,
    VariantChange,
)
from metric_reports.types.manifest import Manifest
from metric_reports.types.run import Cell, LibraryFinding, Record, Subject
from metric_reports.view.diff_beside import order_changes, signature_changes, verdict_changes
from metric_reports.view.table import Key, cutoffs, key_of

Pair = tuple[Key, Key]


def diff_records(old: Record, new: Record) -> Diff:
    """What changed, as a mapping that JSON can hold; ``changed`` says whether anything did.

    Functions are paired by library, release, function and metric. If each record has exactly one release of a library
    that the other lacks, the functions of these two releases are paired. Values are compared on the same bundle alone:
    else ``values`` is null. Who made the records, when and how long it took is no change.
    """
    pairs, removed, added = paired(map(key_of, old["subjects"]), map(key_of, new["subjects"]))
    bundle = bundle_change(old["bundle"], new["bundle"])
    changes: Changes = {
        "bundle": bundle,
        "cutoffs": cutoff_change(cutoffs(old), cutoffs(new)),
        "libraries": library_changes(old, new),
        "subjects": {"added": [named(key) for key in added], "removed": [named(key) for key in removed]},
        "variants": variant_changes(old, new, pairs),
        "edges": edge_changes(old, new, pairs),
        "values": value_changes(old, new, pairs) if bundle["same"] else None,
        "findings": finding_changes(old, new, pairs),
        "signatures": signature_changes(old, new, pairs),
        "models": order_changes(old, new),
        "paper": verdict_changes(old, new),
    }
    return {"old": origin(old), "new": origin(new), **changes, "changed": not bundle["same"] or any_row(changes)}


def any_row(changes: Changes) -> bool:
    """Whether any kind of change but the bundle's has a row."""
    lists = (part.values() if isinstance(part, dict) else [part] for name, part in changes.items() if name != "bundle")
    return any(rows for group in lists for rows in group)


def origin(record: Record) -> Origin:
    """Who made a record and when, for the reader."""
    return {"harness": record["harness"]["version"], "created": record.get("created")}


def named(key: Key) -> Who:
    """A key as the fields of a record."""
    library, release, function, metric = key
    return {"library": library, "release": release, "function": function, "metric": metric}


def paired(old: Iterable[Key], new: Iterable[Key]) -> tuple[list[Pair], list[Key], list[Key]]:
    """The functions in both records as (old key, new key), then those of the old and those of the new alone."""
    before, after = dict.fromkeys(old), dict.fromkeys(new)
    renamed = {}
    for library in {key[0] for key in before}:
        removed, added = own_releases(library, before, after), own_releases(library, after, before)
        if len(removed) == len(added) == 1:
            renamed[library, removed[0]] = added[0]
    partners = {key: (key[0], renamed.get((key[0], key[1]), key[1]), key[2], key[3]) for key in before}
    pairs = [(key, partner) for key, partner in partners.items() if partner in after]
    matched = {partner for _, partner in pairs}
    return pairs, [key for key in before if partners[key] not in after], [key for key in after if key not in matched]


def own_releases(library: str, keys: Iterable[Key], others: Iterable[Key]) -> list[str]:
    """The releases of a library that occur in ``keys`` and not in ``others``."""
    shared = {key[1] for key in others if key[0] == library}
    return list(dict.fromkeys(key[1] for key in keys if key[0] == library and key[1] not in shared))


def bundle_change(old: Manifest, new: Manifest) -> BundleChange:
    """Whether two bundles hold the same arrays, by their hashes, and which parts of their manifests differ."""
    names = [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]
    before, after = ({name: row["sha256"] for name, row in bundle["arrays"].items()} for bundle in (old, new))
    return {"same": before == after, "parts": names}


def cutoff_change(old: list[int], new: list[int]) -> CutoffChange:
    """The cut-offs of the new record alone and of the old record alone."""
    return {"added": [k for k in new if k not in old], "removed": [k for k in old if k not in new]}


def library_changes(old: Record, new: Record) -> list[LibraryChange]:
    """Libraries whose releases, or whether those could run, differ: the old value and the new one."""
    before, after = releases(old), releases(new)
    return [
        {"library": name, "old": before.get(name), "new": after.get(name)}
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    ]


def releases(record: Record) -> dict[str, dict[str, str]]:
    """By library: its releases and whether each ran."""
    status: dict[str, dict[str, str]] = {}
    for library in record["libraries"]:
        status.setdefault(library["name"], {})[library["release"]] = library["status"]
    return status


def variant_changes(old: Record, new: Record, pairs: list[Pair]) -> list[VariantChange]:
    """The functions that compute another variant, with both."""
    before, after = by_key(old), by_key(new)
    rows = ((right, before[left]["variant"], after[right]["variant"]) for left, right in pairs)
    return [{**named(key), "old": variant, "new": other} for key, variant, other in rows if variant != other]


def edge_changes(old: Record, new: Record, pairs: list[Pair]) -> list[EdgeChange]:
    """One row for each edge at which a function behaves otherwise; not those identified in one record alone."""
    before, after = by_key(old), by_key(new)
    rows = [
        (right, before[left]["edges"], after[right]["edges"])
        for left, right in pairs
        if before[left]["identified"] == after[right]["identified"]
    ]
    return [
        {**named(key), "edge": edge, "old": old_edges.get(edge), "new": new_edges.get(edge)}
        for key, old_edges, new_edges in rows
        for edge in dict.fromkeys([*old_edges, *new_edges])
        if old_edges.get(edge) != new_edges.get(edge)
    ]


def by_key(record: Record) -> dict[Key, Subject]:
    """The subjects of a record."""
    return {key_of(subject): subject for subject in record["subjects"]}


def value_changes(old: Record, new: Record, pairs: list[Pair]) -> list[ValueChange]:
    """The cells of both records whose value or status differs, with the old and the new state and the difference."""
    partners = dict(pairs)
    after = {(key_of(cell), cell["k"]): cell for cell in new["cells"]}
    rows: list[ValueChange] = []
    for old_cell in old["cells"]:
        key, k = partners.get(key_of(old_cell), key_of(old_cell)), old_cell["k"]
        new_cell = after.get((key, k))
        if new_cell is None:
            continue
        before, now = shown(old_cell), shown(new_cell)
        if old_cell["status"] != new_cell["status"] or moved(before, now):
            gap = None if before is None or now is None else to_json_number(now - before)
            rows.append({**named(key), "k": k, "old": state(old_cell), "new": state(new_cell), "difference": gap})
    return rows


def shown(cell: Cell) -> float | None:
    """A cell's measured value, else the predicted one."""
    return from_json_number(cell["predicted"] if cell["value"] is None else cell["value"])


def state(cell: Cell) -> CellState:
    """A cell's value and status."""
    return {"value": to_json_number(shown(cell)), "status": cell["status"]}


def moved(old: float | None, new: float | None) -> bool:
    """Whether two values differ by more than the tolerance; NaN equals NaN, an infinity equals itself."""
    if old is None or new is None:
        return old is not new
    if math.isfinite(old) and math.isfinite(new):
        return abs(new - old) > FLOAT32
    return not (old == new or (math.isnan(old) and math.isnan(new)))


def finding_changes(old: Record, new: Record, pairs: list[Pair]) -> FindingChange:
    """Findings that are new and that are gone; one whose severity changed is both."""
    partners = dict(pairs)
    before = {(f["code"], f["severity"], partners.get(key_of(f), key_of(f))): f for f in old["findings"]}
    after = {(f["code"], f["severity"], key_of(f)): f for f in new["findings"]}
    return {
        "new": [brief_finding(finding) for identity, finding in after.items() if identity not in before],
        "gone": [brief_finding(finding) for identity, finding in before.items() if identity not in after],
    }


def brief_finding(finding: LibraryFinding) -> BriefFinding:
    """A finding without its case."""
    return {
        **named(key_of(finding)),
        "code": finding["code"],
        "severity": finding["severity"],
        "title": finding["title"],
    }

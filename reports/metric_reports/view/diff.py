"""Two records held against each other: what changed from the old one to the new one."""

from __future__ import annotations

import math
from collections.abc import Iterable

from metric_reports.record import from_json_number, to_json_number
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
from metric_reports.types.run import Cell, Finding, Record, Subject
from metric_reports.view.diff_beside import order_changes, signature_changes, verdict_changes
from metric_reports.view.table import Key, cutoffs, key_of

TOLERANCE = 1e-6
"""Values this close are one: what float32 can tell apart."""
PROSE = ("versions", "notes")
"""Parts of a manifest that say how a bundle came about and not what is in it."""

Pair = tuple[Key, Key]


def diff_records(old: Record, new: Record) -> Diff:
    """What changed, as a mapping that JSON can hold; ``changed`` says whether anything did.

    A function is the same in both if library, release, function and metric are; where a release is in one record alone,
    it is compared with the other record's only release of that library that is not in both. Values are compared only
    on one bundle: else ``values`` is null. Who made the records, when and how long it took is no change.
    """
    pairs, removed, added = paired(map(key_of, old["subjects"]), map(key_of, new["subjects"]))
    bundle = bundle_change(old["bundle"], new["bundle"])
    found: Changes = {
        "bundle": bundle,
        "cutoffs": apart(cutoffs(old), cutoffs(new)),
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
    return {"old": origin(old), "new": origin(new), **found, "changed": not bundle["same"] or filled(found)}


def filled(found: Changes) -> bool:
    """Whether there is a row in any part."""
    lists = (part.values() if isinstance(part, dict) else [part] for name, part in found.items() if name != "bundle")
    return any(rows for group in lists for rows in group)


def origin(record: Record) -> Origin:
    """Who made a record and when, for the reader."""
    return {"harness": record["harness"]["version"], "created": record.get("created")}


def named(key: Key) -> Who:
    """A function by the words of the record."""
    library, release, function, metric = key
    return {"library": library, "release": release, "function": function, "metric": metric}


def paired(old: Iterable[Key], new: Iterable[Key]) -> tuple[list[Pair], list[Key], list[Key]]:
    """Which function of the new record is which of the old one; those of the old, of the new that have no partner.

    First the same release; then, among releases that one record alone has, the only one on each side of a library.
    """
    before, after = list(dict.fromkeys(old)), list(dict.fromkeys(new))
    renamed = {}
    for library in {key[0] for key in before}:
        one, another = only(library, before, after), only(library, after, before)
        if len(one) == len(another) == 1:
            renamed[library, one[0]] = another[0]
    partner = {key: (key[0], renamed.get((key[0], key[1]), key[1]), key[2], key[3]) for key in before}
    there = set(after)
    pairs = [(key, partner[key]) for key in before if partner[key] in there]
    met, taken = {left for left, _ in pairs}, {right for _, right in pairs}
    return pairs, [key for key in before if key not in met], [key for key in after if key not in taken]


def only(library: str, those: list[Key], others: list[Key]) -> list[str]:
    """The releases of a library that occur in ``those`` and not in ``others``."""
    there = {key[1] for key in others if key[0] == library}
    return list(dict.fromkeys(key[1] for key in those if key[0] == library and key[1] not in there))


def bundle_change(old: Manifest, new: Manifest) -> BundleChange:
    """Whether two bundles hold the same arrays, by their hashes, and which parts of their manifests differ.

    Manifests that name no hashes are the same if all else in them is but their prose.
    """
    names = [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]
    before, after = hashes(old), hashes(new)
    same = before == after if before and after else not set(names) - set(PROSE)
    return {"same": same, "parts": names}


def hashes(bundle: Manifest) -> dict[str, str]:
    """SHA-256 of each array of a bundle; empty where one of them has none."""
    arrays = bundle.get("arrays")
    if not isinstance(arrays, dict) or not all(isinstance(one, dict) and one.get("sha256") for one in arrays.values()):
        return {}
    return {name: one["sha256"] for name, one in arrays.items()}


def apart(old: list[int], new: list[int]) -> CutoffChange:
    """What only the new one has and what only the old one has."""
    return {"added": [one for one in new if one not in old], "removed": [one for one in old if one not in new]}


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
    out: dict[str, dict[str, str]] = {}
    for library in record["libraries"]:
        out.setdefault(library["name"], {})[library["release"]] = library["status"]
    return out


def variant_changes(old: Record, new: Record, pairs: list[Pair]) -> list[VariantChange]:
    """The functions that compute another variant, with both."""
    before, after = by_key(old), by_key(new)
    rows = ((right, before[left]["variant"], after[right]["variant"]) for left, right in pairs)
    return [{**named(key), "old": variant, "new": other} for key, variant, other in rows if variant != other]


def edge_changes(old: Record, new: Record, pairs: list[Pair]) -> list[EdgeChange]:
    """One row for each edge at which a function behaves otherwise; not those identified in one record alone."""
    before, after = by_key(old), by_key(new)
    rows = [(right, before[left], after[right]) for left, right in pairs]
    both = [(key, one["edges"], two["edges"]) for key, one, two in rows if one["identified"] == two["identified"]]
    return [
        {**named(key), "edge": edge, "old": edges.get(edge), "new": others.get(edge)}
        for key, edges, others in both
        for edge in dict.fromkeys([*edges, *others])
        if edges.get(edge) != others.get(edge)
    ]


def by_key(record: Record) -> dict[Key, Subject]:
    """The subjects of a record."""
    return {key_of(subject): subject for subject in record["subjects"]}


def value_changes(old: Record, new: Record, pairs: list[Pair]) -> list[ValueChange]:
    """The cells, at cut-offs that both records have, whose value or status differs, with both and the difference."""
    partner = dict(pairs)
    after = {(key_of(cell), cell["k"]): cell for cell in new["cells"]}
    rows: list[ValueChange] = []
    for cell in old["cells"]:
        key = partner.get(key_of(cell), key_of(cell))
        other = after.get((key, cell["k"]))
        if other is None:
            continue
        one, another = shown(cell), shown(other)
        if cell["status"] != other["status"] or moved(one, another):
            gap = None if one is None or another is None else to_json_number(another - one)
            rows.append({**named(key), "k": cell["k"], "old": state(cell), "new": state(other), "difference": gap})
    return rows


def shown(cell: Cell) -> float | None:
    """What a cell measured or, where it did not run, what was predicted."""
    return from_json_number(cell["predicted"] if cell["value"] is None else cell["value"])


def state(cell: Cell) -> CellState:
    """A cell's value and status."""
    return {"value": to_json_number(shown(cell)), "status": cell["status"]}


def moved(old: float | None, new: float | None) -> bool:
    """Whether two values differ by more than the tolerance; NaN is NaN, an infinity itself."""
    if old is None or new is None:
        return old is not new
    if math.isfinite(old) and math.isfinite(new):
        return abs(new - old) > TOLERANCE
    return not (old == new or (math.isnan(old) and math.isnan(new)))


def finding_changes(old: Record, new: Record, pairs: list[Pair]) -> FindingChange:
    """Findings that are new and that are gone; one whose severity changed is both."""
    partner = dict(pairs)
    before = {(f["code"], f["severity"], partner.get(key_of(f), key_of(f))): f for f in old["findings"]}
    after = {(f["code"], f["severity"], key_of(f)): f for f in new["findings"]}
    return {
        "new": [told(finding) for identity, finding in after.items() if identity not in before],
        "gone": [told(finding) for identity, finding in before.items() if identity not in after],
    }


def told(finding: Finding) -> BriefFinding:
    """A finding without its case."""
    return {
        **named(key_of(finding)),
        "code": finding["code"],
        "severity": finding["severity"],
        "title": finding["title"],
    }

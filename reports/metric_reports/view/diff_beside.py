"""Changes between two records beside the table: signatures, what the models say, the paper's verdicts."""

from __future__ import annotations

from metric_reports.types.diff import OrderChange, SignatureChange, VerdictChange
from metric_reports.types.run import Record
from metric_reports.view.table import Key, key_of


def signature_changes(old: Record, new: Record, pairs: list[tuple[Key, Key]]) -> list[SignatureChange]:
    """The numbers of both records whose signature is another one; a record without signatures changes none."""
    before, after = signatures(old), signatures(new)
    rows: list[SignatureChange] = []
    for left, right in pairs:
        library, release, function, metric = right
        for k in sorted({cut for key, cut in before if key == left} & {cut for key, cut in after if key == right}):
            one, other = before[left, k], after[right, k]
            if one != other:
                who = {"library": library, "release": release, "function": function, "metric": metric}
                rows.append(SignatureChange(**who, k=k, old=one, new=other))  # type: ignore[typeddict-item]
    return rows


def signatures(record: Record) -> dict[tuple[Key, int], str]:
    """The signature of every number that has one."""
    return {(key_of(cell), cell["k"]): text for cell in record["cells"] if (text := cell.get("signature_short"))}


def order_changes(old: Record, new: Record) -> list[OrderChange]:
    """Definitions under which the models stand in another order; nothing where one record compared none."""
    before, after = orders(old), orders(new)
    if not before or not after:
        return []
    return [
        {"metric": key[0], "k": key[1], "variant": key[2], "old": before.get(key), "new": after.get(key)}
        for key in dict.fromkeys([*before, *after])
        if before.get(key) != after.get(key)
    ]


def orders(record: Record) -> dict[tuple[str, int, str], str]:
    """The order of the models by metric, cut-off and variant."""
    return {
        (one["metric"], one["k"], row["variant"]): " > ".join(" = ".join(group) for group in row["order"])
        for one in record.get("models", {}).get("metrics", [])
        for row in one["variants"]
    }


def verdict_changes(old: Record, new: Record) -> list[VerdictChange]:
    """Cells of the paper's tables with another verdict; nothing where one record has no such tables."""
    before, after = verdicts(old), verdicts(new)
    if not before or not after:
        return []
    return [
        {"table": key[0], "library": key[1], "column": key[2], "old": before.get(key), "new": after.get(key)}
        for key in dict.fromkeys([*before, *after])
        if before.get(key) != after.get(key)
    ]


def verdicts(record: Record) -> dict[tuple[str, str, str], str]:
    """The verdict of every cell of the paper's tables."""
    paper = record.get("paper")
    return {
        (table["name"], row["library"], column): cell["verdict"]
        for table in (paper["tables"] if paper else [])
        for row in table["rows"]
        for column, cell in row["cells"].items()
    }

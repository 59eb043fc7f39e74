"""Changes between two records beside the table: signatures, what the models say, the paper's verdicts."""

from __future__ import annotations

from metric_reports.types.diff import OrderChange, SignatureChange, VerdictChange
from metric_reports.types.run import Record
from metric_reports.view.table import Key, key_of


def signature_changes(old: Record, new: Record, pairs: list[tuple[Key, Key]]) -> list[SignatureChange]:
    """The numbers in both records whose signature differs; a number without a signature is left out."""
    before, after = signatures(old), signatures(new)
    rows: list[SignatureChange] = []
    for left, right in pairs:
        library, release, function, metric = right
        for k in sorted({k for key, k in before if key == left} & {k for key, k in after if key == right}):
            old_text, new_text = before[left, k], after[right, k]
            if old_text != new_text:
                subject = {"library": library, "release": release, "function": function, "metric": metric}
                rows.append(SignatureChange(**subject, k=k, old=old_text, new=new_text))  # type: ignore[typeddict-item]
    return rows


def signatures(record: Record) -> dict[tuple[Key, int], str]:
    """The signature of every number that has one."""
    return {(key_of(cell), cell["k"]): text for cell in record["cells"] if (text := cell.get("signature_short"))}


def order_changes(old: Record, new: Record) -> list[OrderChange]:
    """Definitions that order the models otherwise; none where either record compared no models."""
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
        (metric["metric"], metric["k"], row["variant"]): " > ".join(" = ".join(group) for group in row["order"])
        for metric in record.get("models", {}).get("metrics", [])
        for row in metric["variants"]
    }


def verdict_changes(old: Record, new: Record) -> list[VerdictChange]:
    """Cells of the paper's tables with another verdict; none where either record lacks these tables."""
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

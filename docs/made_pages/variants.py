"""The page of the variants of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator

from made_pages.page import MADE, sentence
from metric_reference.catalogue import CATALOGUE, Entry
from metric_reference.registry import METRICS
from metric_reference.sources import Source


def variants_page() -> str:
    """Every variant of the catalogue, by metric: name, formula, who uses it."""
    by_metric: dict[str, list[Entry]] = {}
    for entry in CATALOGUE:
        by_metric.setdefault(entry.variant.metric.name, []).append(entry)
    lines = [
        "# Variants",
        "",
        MADE,
        "",
        f"The catalogue holds {len(CATALOGUE)} variants of {len(by_metric)} metrics that a library, a paper or a text "
        "is known to use. `metric-harness explain variants NAME` prints one of them with a worked example; "
        "`metric-harness explain variants --all` also lists combinations of choices that nobody is known to use.",
        "",
        "A metric of lists may read a part of them alone: `only=judged`, `only=first_k_relevant`, `only=listed`, "
        "`only=with_hit`, `only=with_hit_or_nan` and `only=predicted`, which [Signatures](signatures.md) explains.\n\n"
        "A formula gives the value of one user: *k* is the cut-off, *L* the list, *r* the number of the user's "
        "relevant items, and *rel* at *j* is 1 where the item at rank *j* is relevant. The value of a variant is the "
        "mean over users unless `weight` says otherwise.",
        "",
    ]
    for name, found in by_metric.items():
        lines += [f"## {name}", "", f"{sentence(METRICS[name].about)}", ""]
        for entry in found:
            lines += _variant(entry)
    return "\n".join(lines)


def _variant(entry: Entry) -> Iterator[str]:
    yield from (f"### `{entry.variant}`", "", f"{sentence(entry.title)}", "")
    yield from ("```math", entry.variant.metric.formula(), "```", "")
    yield from (f"Used by: {', '.join(map(_source, entry.sources))}.", "")
    if entry.remark:
        yield from (entry.remark, "")


def _source(source: Source) -> str:
    """A link, or the path of a file of the repository."""
    if source.address.startswith("http"):
        return f"[{source.title}]({source.address})"
    return f"{source.title} (`{source.address}`)"

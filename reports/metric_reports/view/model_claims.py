"""Conclusions about models that depend on the definition of a metric, each told once."""

from __future__ import annotations

from typing import Any, NamedTuple

from metric_reports.record import from_json_number
from metric_reports.types.models import Difference, RankedModels, RankedVariant
from metric_reports.view.table import Variant
from metric_reports.view.words import label, short

Known = dict[str, dict[str, Variant]]


class Mark(NamedTuple):
    """A variant where it is spoken of; ``variant`` is None for the usual definition where no function computes it."""

    printed: str
    variant: Variant | None
    note: str = ""


class Claim(NamedTuple):
    """A conclusion that holds under some variants of a metric and not under others; share : of resamples, in words."""

    kind: str
    label: str
    text: str
    under: list[Mark]
    against: list[Mark]
    share: str


def mark_of(metric: str, printed: str, known: Known, note: str = "") -> Mark:
    """A variant by its printed form."""
    return Mark(printed, known.get(metric, {}).get(printed), note)


def heading(one: RankedModels) -> str:
    """A metric with its cut-off; an AUC has one as well, as some of its variants cut."""
    name = label(one["metric"], one["k"])
    return name if name.endswith(f"@{one['k']}") else f"{name} (k = {one['k']})"


def name_of(mark: Mark) -> str:
    """A variant in a sentence: its letter, or the usual definition."""
    return mark.variant.letter if mark.variant else "the usual definition"


def percent(share: float | None) -> str:
    """A share of the resamples; what is neither none nor all is never rounded to it."""
    if share is None:
        return "–"
    return "<1 %" if 0 < share < 0.01 else ">99 %" if 0.99 < share < 1 else f"{share * 100:.0f} %"


def claims_of(one: RankedModels, titles: dict[str, str], known: Known) -> list[Claim]:
    """The conclusions that depend on the variant, each once, however many pairs of variants it separates."""
    rows = {row["variant"]: row for row in one["variants"]}
    found: dict[tuple[str, tuple[str, ...]], dict[str, Any]] = {}
    for flip in (flip for pair in one["pairs"] for flip in pair["flips"]):
        blank: dict[str, Any] = {"under": {}, "against": {}, "shares": []}
        entry = found.setdefault((flip["kind"], tuple(flip["models"])), blank)
        entry["under"][flip["under"]], entry["against"][flip["not_under"]] = flip["shares"]
        entry["shares"] += [flip["share"]] if flip["share"] is not None and flip["kind"] != "clearly beats" else []
    order = list(rows)

    def marks(kind: str, models: tuple[str, ...], entry: dict[str, Any], side: str) -> list[Mark]:
        printed = sorted(entry[side], key=lambda text: order.index(text) if text in order else len(order))
        note = {p: ahead(entry[side][p]) if kind == "is best" else told(rows.get(p), models) for p in printed}
        return [mark_of(one["metric"], p, known, note[p]) for p in printed]

    return [
        Claim(
            kind,
            heading(one),
            sentence(kind, [titles.get(name, name) for name in models]),
            marks(kind, models, entry, "under"),
            marks(kind, models, entry, "against"),
            reach(entry["shares"]),
        )
        for (kind, models), entry in found.items()
    ]


def difference(row: RankedVariant | None, models: tuple[str, ...]) -> tuple[Difference, int] | None:
    """The difference of two models under a variant, and -1 if it was taken the other way round; None if unknown."""
    for found in row["differences"] if row else []:
        if tuple(found["models"]) in (models, models[::-1]):
            return found, 1 if tuple(found["models"]) == models else -1
    return None


def told(row: RankedVariant | None, models: tuple[str, ...]) -> str:
    """The difference of two models under a variant, in words."""
    known = difference(row, models)
    if known is None:
        return ""
    found, way = known
    low, high = from_json_number(found["low"]), from_json_number(found["high"])
    text = signed(way * float(found["value"]))
    if low is None or high is None:
        return text
    ends = sorted((way * low, way * high))
    return f"{text} [{', '.join(map(signed, ends))}], {ahead(found['ahead' if way > 0 else 'behind'])}"


def ahead(share: float | None) -> str:
    """In which share of the resamples the model is ahead."""
    return "" if share is None else f"ahead in {percent(share)}"


def signed(value: float) -> str:
    """A difference with its sign."""
    return "0" if value == 0 else f"{'+' if value > 0 else '−'}{short(abs(value), 3)}"


def sentence(kind: str, names: list[str]) -> str:
    """A conclusion in words."""
    if kind == "is best":
        return f"{names[0]} is the best of the models"
    return f"{names[0]} {kind} {names[-1]}"


def reach(shares: list[float]) -> str:
    """The smallest and the largest share."""
    return " to ".join(dict.fromkeys(percent(end) for end in (min(shares), max(shares)))) if shares else ""

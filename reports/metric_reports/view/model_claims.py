"""Conclusions about models that depend on the definition of a metric."""

from __future__ import annotations

from typing import Any, NamedTuple

from metric_reports.record import from_json_number
from metric_reports.types.models import Difference, RankedModels, RankedVariant
from metric_reports.view.table import Variant
from metric_reports.view.words import label, listing, short

SETTLED = 0.95
"""A conclusion that flips in this share of the resamples is more than the luck of these users."""
Known = dict[str, dict[str, Variant]]
"""The variants of each metric by printed form."""


class Mark(NamedTuple):
    """A mention of a variant; ``variant`` is None for the usual definition where no function computes it."""

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


def heading(metric: RankedModels) -> str:
    """A metric with its cut-off, an AUC's included, as some of its variants cut."""
    name = label(metric["metric"], metric["k"])
    return name if name.endswith(f"@{metric['k']}") else f"{name} (k = {metric['k']})"


def name_of(mark: Mark) -> str:
    """A variant in a sentence: its letter, or the usual definition."""
    return mark.variant.letter if mark.variant else "the usual definition"


def line_of(claim: Claim) -> str:
    """``MAP@20: EASE beats Popularity under A and B, not under C``."""
    under, against = (listing(map(name_of, marks)) for marks in (claim.under, claim.against))
    return f"{claim.label}: {claim.text} under {under}, not under {against}"


def percent(share: float | None) -> str:
    """A share of the resamples; only exactly 0 and 1 are printed as 0 % and 100 %."""
    if share is None:
        return "–"
    return "<1 %" if 0 < share < 0.01 else ">99 %" if 0.99 < share < 1 else f"{share * 100:.0f} %"


def claims_of(metric: RankedModels, titles: dict[str, str], known: Known) -> list[Claim]:
    """The conclusions that depend on the variant, each once, however many pairs of variants it separates."""
    rows = {row["variant"]: row for row in metric["variants"]}
    conclusions: dict[tuple[str, tuple[str, ...]], dict[str, Any]] = {}
    for flip in (flip for pair in metric["pairs"] for flip in pair["flips"]):
        blank: dict[str, Any] = {"under": {}, "against": {}, "shares": []}
        conclusion = conclusions.setdefault((flip["kind"], tuple(flip["models"])), blank)
        conclusion["under"][flip["under"]], conclusion["against"][flip["not_under"]] = flip["shares"]
        if flip["share"] is not None and flip["kind"] != "clearly beats":
            conclusion["shares"].append(flip["share"])
    order = list(rows)

    def marks(kind: str, models: tuple[str, ...], shares: dict[str, float | None]) -> list[Mark]:
        return [
            mark_of(
                metric["metric"],
                printed,
                known,
                ahead(shares[printed]) if kind == "is best" else difference_note(rows.get(printed), models),
            )
            for printed in sorted(shares, key=lambda text: order.index(text) if text in order else len(order))
        ]

    return [
        Claim(
            kind,
            heading(metric),
            sentence(kind, [titles.get(name, name) for name in models]),
            marks(kind, models, conclusion["under"]),
            marks(kind, models, conclusion["against"]),
            reach(conclusion["shares"]),
        )
        for (kind, models), conclusion in conclusions.items()
    ]


def difference(row: RankedVariant | None, models: tuple[str, ...]) -> tuple[Difference, int] | None:
    """The difference of two models under a variant, with -1 if it is that of the reversed pair; None if unknown."""
    for entry in row["differences"] if row else []:
        if tuple(entry["models"]) in (models, models[::-1]):
            return entry, 1 if tuple(entry["models"]) == models else -1
    return None


def difference_note(row: RankedVariant | None, models: tuple[str, ...]) -> str:
    """The difference of two models under a variant: value, interval, and how often the first is ahead."""
    oriented = difference(row, models)
    if oriented is None:
        return ""
    entry, sign = oriented
    low, high = from_json_number(entry["low"]), from_json_number(entry["high"])
    text = signed(sign * float(entry["value"]))
    if low is None or high is None:
        return text
    ends = sorted((sign * low, sign * high))
    return f"{text} [{', '.join(map(signed, ends))}], {ahead(entry['ahead' if sign > 0 else 'behind'])}"


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

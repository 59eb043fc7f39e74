"""Whether a table of drawn negatives says the same as one of all items: sentences, rows and the curves of a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from metric_reports.types.run import Record
from metric_reports.types.sampled import Sampled, SampledMetric, SampledPoint
from metric_reports.view.words import count, label, listing

USUAL = 99
"""The number of negatives that the sentences speak of, where it was computed."""
NEVER = 0.0005
HOW = {"uniform": "uniformly", "popularity": "by popularity"}


class Row(NamedTuple):
    """A metric: the order among all items, that among the usual negatives, from where on it is the same, the pair that
    one draw is likeliest to order otherwise."""

    label: str
    weights: str
    all_order: str
    order: str
    same: bool
    same_from: str
    wrong: str


class Curve(NamedTuple):
    """A metric's values by number of negatives. points : number and values by model; all_items : values by model."""

    label: str
    weights: str
    points: list[tuple[int, list[float], list[float]]]
    all_items: list[float]


class SampledView(NamedTuple):
    """The section: the answer in full and in one line, its basis, models by title, a row and a curve by metric."""

    answer: str
    short: str
    basis: str
    models: list[str]
    rows: list[Row]
    curves: list[Curve]


def sampled_view(record: Record) -> SampledView | None:
    """The section of a record that compared models among drawn negatives, else None."""
    section = record.get("sampled")
    if section is None or not (shown := [one for one in section["metrics"] if one["points"]]):
        return None
    titles = {model["key"]: model["name"] for model in record["models"]["models"]} if "models" in record else {}
    rows = [row_of(metric, section, titles) for metric in shown]
    curves = [
        Curve(
            label(metric["metric"], metric["k"]),
            HOW[metric["weights"]],
            [(point["negatives"], point["values"], point["deviations"]) for point in metric["points"]],
            metric["all_items"],
        )
        for metric in shown
    ]
    models = [titles.get(name, name) for name in section["models"]]
    return SampledView(
        answer(shown, section, titles), short_answer(record, named), basis(section), models, rows, curves
    )


def usual(metric: SampledMetric) -> SampledPoint:
    """The point of the usual number of negatives; the largest below it where that was not computed."""
    below = [point for point in metric["points"] if point["negatives"] <= USUAL]
    return (below or metric["points"])[-1] if below else metric["points"][0]


def row_of(metric: SampledMetric, section: Sampled, titles: Mapping[str, str]) -> Row:
    """The row of a metric."""
    point, same_from = usual(metric), metric["same_from"]
    wrong = [(share, pair) for share, pair in zip(point["wrong"], section["pairs"], strict=True) if share is not None]
    share, pair = max(wrong, default=(0.0, []))
    return Row(
        label(metric["metric"], metric["k"]),
        HOW[metric["weights"]],
        order_text(metric["all_order"], titles),
        order_text(point["order"], titles),
        point["order"] == metric["all_order"],
        "no number computed" if same_from is None else f"{same_from:,} on",
        f"{listing(titles.get(name, name) for name in pair)}: {percent(share)}" if pair else "–",
    )


def order_text(order: Sequence[Sequence[str]], titles: Mapping[str, str]) -> str:
    """``EASE > ItemKNN = Popularity``."""
    return " > ".join(" = ".join(titles.get(name, name) for name in group) for group in order)


def percent(share: float) -> str:
    """A share in per cent, with no more digits than it bears."""
    if share < NEVER:
        return "below 0.1 %"
    if share > 1 - NEVER:
        return "over 99.9 %"
    return f"{100 * share:.1f} %"


def answer(metrics: Sequence[SampledMetric], section: Sampled, titles: Mapping[str, str]) -> str:
    """Whether the usual sampled table says the same as the full one, from where on it does, and what one draw risks."""
    models, number = listing(titles.get(name, name) for name in section["models"]), usual(metrics[0])["negatives"]
    changed = [metric for metric in metrics if usual(metric)["order"] != metric["all_order"]]
    same = [metric for metric in metrics if metric not in changed]
    if not changed:
        text = f"Yes: among {number} drawn negatives, {models} rank as among all items, by every metric."
    else:
        text = f"No: among {number} drawn negatives, {models} rank otherwise than among all items by {named(changed)}."
        later = [metric for metric in changed if metric["same_from"] is not None]
        never = [metric for metric in changed if metric["same_from"] is None]
        if later:
            firsts = sorted({metric["same_from"] or 0 for metric in later})
            at = f"{firsts[0]:,}" if len(firsts) == 1 else f"{firsts[0]:,} to {firsts[-1]:,}, by metric,"
            text += f" By {named(later)} the order is the same from {at} negatives on."
        if never:
            text += f" By {named(never)} no number of negatives that was computed gives it."
    risk = max((share for metric in same for share in usual(metric)["wrong"] if share is not None), default=None)
    if risk is not None:
        text += f" Where it is the same, one draw still puts two models in the wrong order {chance(risk)}."
    return text


def counted(metrics: Sequence[SampledMetric]) -> str:
    """How many metrics they are: in a terminal, where their names do not fit on the line."""
    return f"{len(metrics)} of the metrics (see the report)"


def short_answer(record: Record, say: Callable[[Sequence[SampledMetric]], str] = counted) -> str:
    """The answer in one short line; empty for a record without the section. say : which metrics differ, in words."""
    section = record.get("sampled")
    if section is None or not (shown := [one for one in section["metrics"] if one["points"]]):
        return ""
    changed = [metric for metric in shown if usual(metric)["order"] != metric["all_order"]]
    said = f"otherwise by {say(changed)}" if changed else "the same"
    return f"Among {usual(shown[0])['negatives']} drawn negatives models rank {said}."


def named(metrics: Sequence[SampledMetric]) -> str:
    """Metrics by the way of drawing: ``MRR@10 (uniformly); HitRate@10 and MRR@10 (by popularity)``."""
    groups = {how: [label(one["metric"], one["k"]) for one in metrics if one["weights"] == how] for how in HOW}
    return "; ".join(f"{listing(labels)} ({HOW[how]})" for how, labels in groups.items() if labels)


def chance(share: float) -> str:
    """``in up to 3.2 % of draws``, or ``in fewer than 0.1 % of draws``."""
    if share < NEVER:
        return "in fewer than 0.1 % of draws"
    return f"in up to {100 * share:.1f} % of draws"


def basis(section: Sampled) -> str:
    """What the numbers rest on."""
    return (
        f"Exact expectations over the draws, not a simulation: {count(section['relevant'], 'relevant item')} of "
        f"{count(section['users'], 'user')}, each ranked alone among negatives drawn for it, uniformly without "
        "replacement or by training interactions with it; the user's other relevant items and those of training are "
        f"not drawn. Users have {section['smallest_pool']:,} items to draw from or more, and no more are drawn "
        "uniformly. A value is the mean over users. "
        "The chance of a wrong order takes each model's negatives to be drawn anew and the mean over users to be "
        "normal. Recall is the hit rate here and average precision the reciprocal rank; the expectation of AUC is the "
        "same for any number of negatives."
    )

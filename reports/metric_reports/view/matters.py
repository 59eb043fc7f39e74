"""Does the choice of a definition matter here? By metric: how far it moves values, and which conclusions flip."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from metric_reports.record import from_json_number
from metric_reports.types.models import Flip, Models, RankedModels, RankedVariant
from metric_reports.types.run import Record
from metric_reports.view.model_claims import SETTLED, heading
from metric_reports.view.table import apart_of, key_of, span
from metric_reports.view.words import USUAL, count, listing


class Bar(NamedTuple):
    """A bar's left end and width, in per cent of the axis from 0 to the largest value."""

    left: float
    width: float


class Line(NamedTuple):
    """A metric: one model's values under its definitions, the interval of the usual definition, what changes.

    bars : the span of the values and that interval; None where an axis from 0 cannot show them.
    """

    label: str
    definitions: str
    interval: str
    changes: str
    grave: bool
    bars: tuple[Bar, Bar] | None


class Matters(NamedTuple):
    """The answer in a sentence, and a line for each metric with several definitions."""

    answer: str
    model: str
    lines: list[Line]


def matters(record: Record) -> Matters | None:
    """Whether a conclusion depends on the definition; None for a record that compared no models."""
    section = record.get("models")
    if section is None:
        return None
    apart = {key[:3] for key in apart_of(record)}
    apart |= {key_of(subject)[:3] for subject in record["subjects"] if subject.get("diagnostic")}
    smallest_k = min((metric["k"] for metric in section["metrics"]), default=0)
    usual = [metric for metric in section["metrics"] if metric["k"] == smallest_k and metric["metric"] in USUAL]
    usual.sort(key=lambda metric: USUAL.index(metric["metric"]))
    titles = {model["key"]: model["name"] for model in section["models"]}
    model = section["models"][0]
    lines = [line_of(metric, rows, model["key"], titles) for metric in usual if len(rows := claimed(metric, apart)) > 1]
    return Matters(answer(lines, section), section["asked_on"] or model["name"], lines)


def claimed(metric: RankedModels, apart: set[tuple[str, str, str]]) -> list[RankedVariant]:
    """The definitions computed by at least one function that claims the metric."""
    return [
        row
        for row in metric["variants"]
        if any((user["library"], user["release"], user["function"]) not in apart for user in row["subjects"])
    ]


def line_of(metric: RankedModels, rows: list[RankedVariant], model: str, titles: Mapping[str, str]) -> Line:
    """A metric's line. rows : its claimed definitions; model : the key of the model whose values are shown."""
    values = [number for row in rows if (number := value_of(row, model)[0]) is not None]
    usual = next((row for row in metric["variants"] if row["standard"]), rows[0])
    _, low, high = value_of(usual, model)
    names = {row["variant"] for row in rows}
    flips = [
        flip
        for pair in metric["pairs"]
        if set(pair["variants"]) <= names
        for flip in pair["flips"]
        if flip["kind"] == "beats"
    ]
    bars = None
    if values and low is not None and high is not None and (top := max(*values, high)) > 0 and min(values) >= 0:
        bars = (bar(min(values), max(values), top), bar(low, high, top))
    return Line(
        heading(metric),
        f"{span(min(values), max(values), 3)} ({len(rows)})" if values else "–",
        span(low, high, 3) or "–",
        changes(flips, titles),
        bool(flips),
        bars,
    )


def bar(low: float, high: float, top: float) -> Bar:
    """A span on the axis, wide enough to be seen."""
    return Bar(round(100 * low / top, 1), round(max(100 * (high - low) / top, 0.8), 1))


def value_of(row: RankedVariant, model: str) -> tuple[float | None, float | None, float | None]:
    """A model's value under a definition and its interval; None for a number that is missing or not finite."""
    entry = next((value for value in row["values"] if value["model"] == model), None)
    if entry is None:
        return None, None, None
    numbers = (from_json_number(entry["value"]), from_json_number(entry["low"]), from_json_number(entry["high"]))
    value, low, high = (number if number is not None and math.isfinite(number) else None for number in numbers)
    return value, low, high


def changes(flips: Iterable[Flip], titles: Mapping[str, str]) -> str:
    """Which pairs of models swap places, and whether the largest share of resamples settles it."""
    shares: dict[tuple[str, ...], list[float]] = {}
    for flip in flips:
        pair = tuple(sorted(flip["models"]))
        shares.setdefault(pair, []).append(flip["share"] or 0.0)
    if not shares:
        return "no conclusion changes"
    texts = []
    for pair, pair_shares in shares.items():
        luck = "beyond" if max(pair_shares) >= SETTLED else "within"
        texts.append(f"{listing(titles.get(name, name) for name in pair)} swap places, {luck} the luck of these users")
    return "; ".join(texts)


def answer(lines: list[Line], section: Models) -> str:
    """The answer to the question, in one or two sentences."""
    models = listing(model["name"] for model in section["models"])
    changed = [line.label for line in lines if line.grave]
    if not lines:
        return "No metric has several definitions here, so there is nothing to choose."
    if not changed:
        return f"No conclusion changes: {models} rank alike under every definition of each metric."
    rest = len(lines) - len(changed)
    text = f"Yes: which of {models} is ahead depends on the definition of {listing(changed)}."
    return text + (f" For the other {count(rest, 'metric')} no conclusion changes." if rest else "")

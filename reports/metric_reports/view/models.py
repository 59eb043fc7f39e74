"""Whether the definitions matter: several models under every definition, as tables and sentences."""

from __future__ import annotations

from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from metric_reports.record import from_json_number
from metric_reports.types.models import Interval, Models, RankedModels, RankedVariant, VariantPair
from metric_reports.types.run import Record
from metric_reports.view.model_claims import (
    SETTLED,
    Claim,
    Known,
    Mark,
    claims_of,
    heading,
    line_of,
    mark_of,
    name_of,
    percent,
)
from metric_reports.view.table import functions, short_names, variants
from metric_reports.view.words import clean, count, in_order, listing, plain, short

PRINTED_CLAIMS = 8
"""Conclusions that a terminal prints; the page has them all."""


class Line(NamedTuple):
    """A variant's row: its functions, each model's value and interval, the order of the models, the first's lead."""

    mark: Mark
    standard: bool
    users: str
    values: list[tuple[str, str]]
    order: str
    lead: str


class Pairing(NamedTuple):
    """How two variants agree: Kendall's tau and its interval, the verdict, the share of resamples in another order."""

    one: Mark
    other: Mark
    tau: str
    interval: str
    verdict: str
    share: str


class Block(NamedTuple):
    """A metric at a cut-off; left_out : printed form and reason."""

    label: str
    lines: list[Line]
    pairs: list[Pairing]
    left_out: list[tuple[str, str]]


class View(NamedTuple):
    """The section: models (name, parameters, address), what the numbers rest on, sentences, conclusions, tables."""

    models: list[tuple[str, str, str]]
    basis: str
    summary: list[str]
    claims: list[Claim]
    blocks: list[Block]


def models_view(record: Record, known: Known) -> View | None:
    """The section of a record that compared models, else None. ``known``: what ``variants`` gives."""
    section = record.get("models")
    if section is None:
        return None
    titles = {model["key"]: model["name"] for model in section["models"]}
    order = in_order(metric["metric"] for metric in section["metrics"])
    metrics = sorted(section["metrics"], key=lambda metric: (metric["k"], order.index(metric["metric"])))
    claims = [claim for metric in metrics for claim in claims_of(metric, titles, known)]
    models = [
        (
            model["name"],
            ", ".join(
                f"{name.replace('_', ' ')} {plain(value)}"
                for name, value in model["parameters"].items()
                if name != "score_decimals"  # how scores are rounded is of no interest to a reader
            ),
            model.get("address", ""),
        )
        for model in section["models"]
    ]
    blocks = [block_of(metric, titles, known, short_names(record)) for metric in metrics]
    return View(models, basis(section), summary(metrics, claims, titles, known), claims, blocks)


def basis(section: Models) -> str:
    """What the numbers rest on."""
    asked = f" on the lists of {section['asked_on']}" if section["asked_on"] else ""
    return (
        f"The libraries were asked{asked} alone; here the reference computes the definitions that were identified from "
        f"them, for the lists of every model, with its own rules for users without relevant items or without a list. "
        f"Intervals hold {section['level'] * 100:g} % of {count(section['resamples'], 'resample')} of the "
        f"{count(section['users'], 'user')} (percentile bootstrap, seed {section['seed']}); all models and definitions "
        "share the same resamples. They speak of these users, this split and these parameters, and are not corrected "
        "for the number of comparisons."
    )


def block_of(ranked: RankedModels, titles: dict[str, str], known: Known, names: dict[tuple[str, str], str]) -> Block:
    """The tables of a metric at a cut-off."""
    metric = ranked["metric"]
    lines = [
        Line(
            mark=mark_of(metric, row["variant"], known),
            standard=row["standard"],
            users=users(row, metric, names),
            values=[(short(value["value"]), span_of(value)) for value in row["values"]],
            order=" > ".join(" = ".join(titles.get(name, name) for name in group) for group in row["order"]),
            lead=lead(row, titles),
        )
        for row in ranked["variants"]
    ]
    pairs = [
        Pairing(
            one=mark_of(metric, pair["variants"][0], known),
            other=mark_of(metric, pair["variants"][1], known),
            tau="–" if pair["tau"] is None else f"{pair['tau']:.2f}",
            interval=span_of(pair, 2),
            verdict="the same values"
            if pair["same_values"]
            else ("the same order" if pair["same_order"] else "another order"),
            share=percent(pair["share_of_other_order"]),
        )
        for pair in ranked["pairs"]
    ]
    return Block(heading(ranked), lines, pairs, [(row["variant"], row["reason"]) for row in ranked["left_out"]])


def users(row: RankedVariant, metric: str, names: dict[tuple[str, str], str]) -> str:
    """The functions that compute a variant."""
    keys = [(function["library"], function["release"], function["function"], metric) for function in row["subjects"]]
    names = {**{key[:2]: key[0] for key in keys}, **names}
    return functions(keys, names) or "no function of this run"


def span_of(value: Interval | VariantPair, decimals: int | None = None) -> str:
    """``[0.04, 0.05]``, or nothing where there is no interval."""
    ends = [from_json_number(value["low"]), from_json_number(value["high"])]
    if None in ends:
        return ""
    return f"[{', '.join(short(end, 3) if decimals is None else f'{end:.{decimals}f}' for end in ends)}]"


def lead(row: RankedVariant, titles: dict[str, str]) -> str:
    """By how much the first model exceeds the second; nothing where they tie or the second has 0."""
    share = lead_of(row)
    return "" if share is None else f"{share * 100:+.0f} % on {' = '.join(titles.get(m, m) for m in row['order'][1])}"


def lead_of(row: RankedVariant) -> float | None:
    """The lead as a share of the second model's value; None where there is none."""
    values = {value["model"]: from_json_number(value["value"]) for value in row["values"]}
    if len(row["order"]) < 2 or len(row["order"][0]) > 1:
        return None
    first, second = values.get(row["order"][0][0]), values.get(row["order"][1][0])
    return None if first is None or not second else first / second - 1


def summary(metrics: list[RankedModels], claims: list[Claim], titles: dict[str, str], known: Known) -> list[str]:
    """The result in a few sentences."""
    pairs = [pair for metric in metrics for pair in metric["pairs"]]
    if not pairs:
        return ["Of no metric was more than one definition found, so there is nothing to compare."]
    return [*orders(pairs), *filter(None, [unclear(claims), size(metrics, titles, known)])]


def orders(pairs: list[VariantPair]) -> list[str]:
    """Whether pairs of variants order the models differently, and how settled that is."""
    differing = [pair for pair in pairs if not pair["same_order"]]
    if not differing:
        return [f"No: {count(len(pairs), 'pair')} of definitions, and each orders the models alike."]
    taus = [pair["tau"] for pair in differing if pair["tau"] is not None]
    flips = [flip for pair in differing for flip in pair["flips"] if flip["kind"] == "beats"]
    settled = sum(flip["share"] is not None and flip["share"] >= SETTLED for flip in flips)
    lowest = f" (Kendall's tau down to {min(taus):.2f})" if taus else ""
    return [
        f"Yes: {len(differing)} of {count(len(pairs), 'pair')} of definitions "
        f"{'orders' if len(differing) == 1 else 'order'} the models differently{lowest}.",
        f"There one model beats another under one definition and not under the other, {count(len(flips), 'time')} in "
        f"all; {settled} of these hold in at least {SETTLED * 100:g} % of the resamples, the rest may be the luck of "
        "these users.",
    ]


def unclear(claims: list[Claim]) -> str:
    """How many differences between models are clear under one variant and not under another."""
    number = sum(claim.kind == "clearly beats" for claim in claims)
    if not number:
        return ""
    return (
        f"{count(number, 'difference')} between two models {'is' if number == 1 else 'are'} clear under one definition "
        "(the interval lies above 0) and not under another, though the same model is ahead."
    )


def size(metrics: list[RankedModels], titles: dict[str, str], known: Known) -> str:
    """The lead of one model over the next that depends most on the definition, as a sentence."""
    widest, sentence = 0.005, ""
    for metric in metrics:
        groups: dict[tuple[str, str], list[tuple[float, str]]] = {}
        for row in metric["variants"]:
            share = lead_of(row)
            if share is not None:
                groups.setdefault((row["order"][0][0], row["order"][1][0]), []).append((share, row["variant"]))
        for (first, second), leads in groups.items():
            (low, least), (high, most) = min(leads), max(leads)
            if high - low > widest:
                widest = high - low
                names = [name_of(mark_of(metric["metric"], printed, known)) for printed in (least, most)]
                sentence = (
                    f"The size of a lead depends on the definition as well: by {heading(metric)}, "
                    f"{titles.get(first, first)} exceeds {titles.get(second, second)} by {low * 100:.0f} % under "
                    f"{names[0]} and by {high * 100:.0f} % under {names[1]}."
                )
    return sentence


def print_models(record: Record, console: Console) -> None:
    """Print the result of a comparison of models, if the record has one; no text is read as markup."""
    view = models_view(record, variants(record))
    if view is None:
        return
    say(console, f"\nDoes it matter? {listing(title for title, _, _ in view.models)} on the same split", "bold")
    for text in view.summary:
        say(console, text)
    for claim in view.claims[:PRINTED_CLAIMS]:
        share = f" ({claim.share} of the resamples)" if claim.share else ""
        say(console, f"  {line_of(claim)}{share}")
    if len(view.claims) > PRINTED_CLAIMS:
        say(console, f"  and {count(len(view.claims) - PRINTED_CLAIMS, 'conclusion')} more in the report", "dim")


def say(console: Console, text: str, style: str = "") -> None:
    """Print a text of a record."""
    console.print(Text(clean(text), style=style), soft_wrap=True)

"""Does it matter? Whether the variants that libraries compute rank models alike, and what depends on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from metric_harness.bundles.build import Bundle
from metric_harness.comparison.bootstrap import TIE, interval, kendall, pairs_of, signs
from metric_harness.comparison.model_scores import SEED, Scores, score
from metric_reference.case import Case
from metric_reference.variant import RANKING, Variant, standard
from metric_reports.record import to_json_number
from metric_reports.types.common import Number
from metric_reports.types.models import (
    Difference,
    Flip,
    FlipKind,
    Function,
    Models,
    ModelValue,
    RankedModels,
    VariantPair,
)
from metric_reports.types.run import Record, Subject

RESAMPLES = 1000
LEVEL = 0.95

Wanted = Mapping[str, Mapping[str, list[Function]]]
"""By metric and printed form of a variant: the subjects that compute it."""


def models_section(record: Record, bundles: Mapping[str, Bundle], resamples: int = RESAMPLES) -> Models:
    """What ``--models`` adds to a record: its ``models`` (see reports/metric_reports/schema/run.schema.json).

    record : of a finished comparison, whose identified variants are compared. bundles : by model, of one split.

    Raises ValueError if the bundles are not of the same users and items.
    """
    first = next(iter(bundles.values()))
    for bundle in bundles.values():
        same = np.array_equal(bundle.user_ids, first.user_ids) and np.array_equal(bundle.item_ids, first.item_ids)
        if not same:
            raise ValueError(f"{bundle.folder} is not of the same split as {first.folder}")
    asked = record["bundle"]["model"]
    wanted = wanted_variants(record["subjects"])
    cases = {name: bundle.case for name, bundle in bundles.items()}
    return {
        "models": [
            {"key": name, **model}
            for name, bundle in bundles.items()
            if (model := bundle.manifest["model"]) is not None
        ],
        "asked_on": asked["name"] if asked else None,
        "users": first.case.users,
        "resamples": resamples,
        "seed": SEED,
        "level": LEVEL,
        "metrics": [block for k in record["settings"]["ks"] for block in compare_models(wanted, cases, k, resamples)],
    }


def wanted_variants(subjects: Sequence[Subject]) -> dict[str, dict[str, list[Function]]]:
    """The variants to compare: for each metric that an identified subject claims, the standard one and theirs.

    Only metrics of rankings, of which more is better: there a model beats another. A function that documents something
    beside its metric, or is asked only to show something about another, brings no definition.
    """
    wanted: dict[str, dict[str, list[Function]]] = {}
    for subject in subjects:
        name, variant = subject["metric"], subject["variant"]
        if subject.get("diagnostic") or subject.get("apart"):
            continue
        if variant is None or Variant.parse(variant).metric.name not in RANKING:
            continue
        usual: dict[str, list[Function]] = {str(standard(name)): []} if name in RANKING else {}
        who: Function = {
            "library": subject["library"],
            "release": subject["release"],
            "function": subject["function"],
        }
        wanted.setdefault(name, usual).setdefault(variant, []).append(who)
    return wanted


def compare_models(wanted: Wanted, cases: Mapping[str, Case], k: int, resamples: int = RESAMPLES) -> list[RankedModels]:
    """The comparison at one cut-off: an entry of the section's ``metrics`` for each metric.

    cases : by model, with the same users in the same order.
    """
    names = list(cases)
    scores, reasons = score(dict.fromkeys(text for found in wanted.values() for text in found), cases, k, resamples)
    out: list[RankedModels] = []
    for metric, found in wanted.items():
        known = [scores[printed] for printed in found if printed in scores]
        usual = str(standard(metric)) if metric in RANKING else None
        out.append(
            {
                "metric": metric,
                "k": k,
                "variants": [
                    {
                        "variant": one.printed,
                        "standard": one.printed == usual,
                        "subjects": found[one.printed],
                        "values": values_of(one, names),
                        "order": order_of(one.values, names),
                        "differences": [difference(one, i, j, names) for i, j in pairs_of(len(names))],
                    }
                    for one in known
                ],
                "pairs": [pair_of(known[i], known[j], known[0], names) for i, j in pairs_of(len(known))],
                "left_out": [
                    {"variant": printed, "reason": reasons[printed]} for printed in found if printed in reasons
                ],
            }
        )
    return out


def values_of(scores: Scores, names: Sequence[str]) -> list[ModelValue]:
    """The value of each model with its interval."""
    out: list[ModelValue] = []
    for model, name in enumerate(names):
        low, high = bounds(None if scores.samples is None else scores.samples[:, model])
        out.append({"model": name, "value": to_json_number(scores.values[model]), "low": low, "high": high})
    return out


def bounds(samples: np.ndarray | None) -> tuple[Number | None, Number | None]:
    """The interval as the record holds it; None where there is nothing to resample."""
    low, high = (None, None) if samples is None else interval(samples, LEVEL)
    return to_json_number(low), to_json_number(high)


def ranking(values: np.ndarray) -> list[list[int]]:
    """The places of the models from best to worst, those that tie in one group."""
    order = sorted(range(len(values)), key=lambda model: -values[model])
    groups = [order[:1]]
    for model in order[1:]:
        if signs(values[[groups[-1][0], model]])[0] == 0:
            groups[-1].append(model)
        else:
            groups.append([model])
    return [sorted(group) for group in groups]


def order_of(values: np.ndarray, names: Sequence[str]) -> list[list[str]]:
    """The names of :func:`ranking`."""
    return [[names[model] for model in group] for group in ranking(values)]


def pair_of(one: Scores, other: Scores, usual: Scores, names: Sequence[str]) -> VariantPair:
    """How two variants agree about the models: tau, and what is true under one of them alone.

    usual : of opposite conclusions ("A beats B", "B beats A") the one that holds under this variant is given.
    """
    low = high = share = None
    tau = float(kendall(one.signs, other.signs))
    first, second = one.sample_signs, other.sample_signs
    if first is not None and second is not None:
        low, high = bounds(kendall(first, second))
        share = float((first != second).any(axis=1).mean())
    return {
        "variants": [one.printed, other.printed],
        "same_values": bool(np.allclose(one.values, other.values, rtol=0, atol=1e-12)),
        "same_order": bool(np.array_equal(one.signs, other.signs)),
        "tau": None if np.isnan(tau) else tau,
        "low": low,
        "high": high,
        "share_of_other_order": share,
        "flips": [*order_flips(one, other, usual, names), *best_flips(one, other, names)],
    }


def order_flips(one: Scores, other: Scores, usual: Scores, names: Sequence[str]) -> Iterator[Flip]:
    """Where "A beats B" holds under one variant and not under the other, or is clear under one of them alone.

    Clear: the interval of the difference lies above 0.
    """
    for place, pair in enumerate(pairs_of(len(names))):
        ways = one.signs[place], other.signs[place]
        told = usual.signs[place] if usual.signs[place] in ways else 0
        way = told or ways[0] or ways[1]
        if not way:
            continue
        a, b = pair if way > 0 else pair[::-1]
        kind: FlipKind = "beats"
        under, against = (one, other) if ways[0] == way else (other, one)
        if ways[0] == ways[1]:
            clear = [is_clear(scores, a, b) for scores in (one, other)]
            if None in clear or clear[0] == clear[1]:
                continue
            kind = "clearly beats"
            under, against = (one, other) if clear[0] else (other, one)
        held = [None if scores.samples is None else ahead(scores.samples, a, b) for scores in (under, against)]
        yield flip(kind, [names[a], names[b]], under, against, held)


def best_flips(one: Scores, other: Scores, names: Sequence[str]) -> Iterator[Flip]:
    """Where "A is the best of the models" holds under one variant and not under the other."""
    for under, against in ((one, other), (other, one)):
        best, instead = ranking(under.values)[0], ranking(against.values)[0]
        if len(best) == 1 and instead != best:
            held = [None if scores.samples is None else leads(scores.samples, best[0]) for scores in (under, against)]
            yield flip("is best", [names[best[0]]], under, against, held)


def flip(kind: FlipKind, models: list[str], under: Scores, against: Scores, held: Sequence[np.ndarray | None]) -> Flip:
    """A conclusion that depends on the variant; ``held``: whether the model is ahead in each resample, under either."""
    yes, no = held
    return {
        "kind": kind,
        "models": models,
        "under": under.printed,
        "not_under": against.printed,
        "shares": [None if part is None else float(part.mean()) for part in held],
        "share": None if yes is None or no is None else float((yes & ~no).mean()),
    }


def difference(one: Scores, a: int, b: int, names: Sequence[str]) -> Difference:
    """By how much a model is ahead of another, with its interval, and in which share of the resamples either is."""
    low = high = ahead_share = behind_share = None
    if one.samples is not None:
        low, high = bounds(one.samples[:, a] - one.samples[:, b])
        ahead_share, behind_share = (float(ahead(one.samples, *pair).mean()) for pair in ((a, b), (b, a)))
    return {
        "models": [names[a], names[b]],
        "value": to_json_number(one.values[a] - one.values[b]),
        "low": low,
        "high": high,
        "ahead": ahead_share,
        "behind": behind_share,
    }


def is_clear(scores: Scores, a: int, b: int) -> bool | None:
    """Whether the interval of the difference lies above 0; None where there is nothing to resample."""
    if scores.samples is None:
        return None
    return interval(scores.samples[:, a] - scores.samples[:, b], LEVEL)[0] > TIE


def ahead(samples: np.ndarray, a: int, b: int) -> np.ndarray:
    """bool array, shape (resamples,): model a beats model b."""
    return signs(samples[:, [a, b]])[:, 0] > 0


def leads(samples: np.ndarray, a: int) -> np.ndarray:
    """bool array, shape (resamples,): model a beats every other."""
    return np.all([ahead(samples, a, b) for b in range(samples.shape[1]) if b != a], axis=0)

"""Whether the variants that libraries compute rank models alike, and which conclusions depend on the variant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from metric_harness.bundles.build import Bundle
from metric_harness.comparison.bootstrap import interval, kendall, pairs_of, signs
from metric_harness.comparison.model_scores import SEED, Scores, score
from metric_reference.case import Case
from metric_reference.variant import RANKING, Variant, standard
from metric_reports.record import to_json_number
from metric_reports.tolerances import EXACT
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
"""By metric, then by the printed form of a variant: the subjects that compute it."""


def models_section(record: Record, bundles: Mapping[str, Bundle], resamples: int = RESAMPLES) -> Models:
    """The ``models`` of a record, which ``--models`` adds.

    record : of a finished comparison, whose identified variants are compared. bundles : by model, of one split.

    Raises ValueError if the bundles do not have the same users and items.
    """
    first = next(iter(bundles.values()))
    for bundle in bundles.values():
        if not (np.array_equal(bundle.user_ids, first.user_ids) and np.array_equal(bundle.item_ids, first.item_ids)):
            raise ValueError(f"{bundle.folder} is not of the same split as {first.folder}")
    asked_on = record["bundle"]["model"]
    wanted = wanted_variants(record["subjects"])
    cases = {name: bundle.case for name, bundle in bundles.items()}
    return {
        "models": [
            {"key": name, **model}
            for name, bundle in bundles.items()
            if (model := bundle.manifest["model"]) is not None
        ],
        "asked_on": asked_on["name"] if asked_on else None,
        "users": first.case.users,
        "resamples": resamples,
        "seed": SEED,
        "level": LEVEL,
        "metrics": [block for k in record["settings"]["ks"] for block in compare_models(wanted, cases, k, resamples)],
    }


def wanted_variants(subjects: Sequence[Subject]) -> dict[str, dict[str, list[Function]]]:
    """The variants to compare: for each metric that a subject claims, the standard one and those of the subjects.

    Only ranking metrics, where a larger value is better, can say that a model beats another. Functions marked
    ``diagnostic`` or ``apart`` in library.toml are left out: they are not meant as the metric itself.
    """
    wanted: dict[str, dict[str, list[Function]]] = {}
    for subject in subjects:
        name, variant = subject["metric"], subject["variant"]
        if subject.get("diagnostic") or subject.get("apart"):
            continue
        if variant is None or Variant.parse(variant).metric.name not in RANKING:
            continue
        with_standard: dict[str, list[Function]] = {str(standard(name)): []} if name in RANKING else {}
        function: Function = {
            "library": subject["library"],
            "release": subject["release"],
            "function": subject["function"],
        }
        wanted.setdefault(name, with_standard).setdefault(variant, []).append(function)
    return wanted


def compare_models(wanted: Wanted, cases: Mapping[str, Case], k: int, resamples: int = RESAMPLES) -> list[RankedModels]:
    """The entries of the section's ``metrics`` at one cut-off, one for each metric.

    cases : by model, with the same users in the same order.
    """
    names = list(cases)
    printed_forms = dict.fromkeys(printed for functions in wanted.values() for printed in functions)
    scores, reasons = score(printed_forms, cases, k, resamples)
    entries: list[RankedModels] = []
    for metric, functions in wanted.items():
        known = [scores[printed] for printed in functions if printed in scores]
        standard_form = str(standard(metric)) if metric in RANKING else None
        entries.append(
            {
                "metric": metric,
                "k": k,
                "variants": [
                    {
                        "variant": variant.printed,
                        "standard": variant.printed == standard_form,
                        "subjects": functions[variant.printed],
                        "values": _values_of(variant, names),
                        "order": [[names[model] for model in group] for group in ranking(variant.values)],
                        "differences": [_difference(variant, i, j, names) for i, j in pairs_of(len(names))],
                    }
                    for variant in known
                ],
                "pairs": [_pair_of(known[i], known[j], known[0], names) for i, j in pairs_of(len(known))],
                "left_out": [
                    {"variant": printed, "reason": reasons[printed]} for printed in functions if printed in reasons
                ],
            }
        )
    return entries


def _values_of(scores: Scores, names: Sequence[str]) -> list[ModelValue]:
    """The value of each model with its interval."""
    rows: list[ModelValue] = []
    for model, name in enumerate(names):
        low, high = _bounds(None if scores.samples is None else scores.samples[:, model])
        rows.append({"model": name, "value": to_json_number(scores.values[model]), "low": low, "high": high})
    return rows


def _bounds(samples: np.ndarray | None) -> tuple[Number | None, Number | None]:
    """The interval as the record holds it; None without samples."""
    low, high = (None, None) if samples is None else interval(samples, LEVEL)
    return to_json_number(low), to_json_number(high)


def ranking(values: np.ndarray) -> list[list[int]]:
    """The numbers of the models from best to worst; models that tie are one group."""
    order = sorted(range(len(values)), key=lambda model: -values[model])
    groups = [order[:1]]
    for model in order[1:]:
        if signs(values[[groups[-1][0], model]])[0] == 0:
            groups[-1].append(model)
        else:
            groups.append([model])
    return [sorted(group) for group in groups]


def _pair_of(first: Scores, second: Scores, reference: Scores, names: Sequence[str]) -> VariantPair:
    """How two variants agree about the models: tau, and the conclusions that hold under one of them alone.

    reference : of opposite conclusions ("A beats B", "B beats A"), the one that holds under this variant is given.
    """
    low = high = share = None
    tau = float(kendall(first.signs, second.signs))
    if first.sample_signs is not None and second.sample_signs is not None:
        low, high = _bounds(kendall(first.sample_signs, second.sample_signs))
        share = float((first.sample_signs != second.sample_signs).any(axis=1).mean())
    return {
        "variants": [first.printed, second.printed],
        "same_values": bool(np.allclose(first.values, second.values, rtol=0, atol=EXACT)),
        "same_order": bool(np.array_equal(first.signs, second.signs)),
        "tau": None if np.isnan(tau) else tau,
        "low": low,
        "high": high,
        "share_of_other_order": share,
        "flips": [*_order_flips(first, second, reference, names), *_best_flips(first, second, names)],
    }


def _order_flips(first: Scores, second: Scores, reference: Scores, names: Sequence[str]) -> Iterator[Flip]:
    """The pairs of models where "A beats B" holds under one variant alone, or is clear under one of them alone.

    Clear: the interval of the difference lies above 0.
    """
    for i, pair in enumerate(pairs_of(len(names))):
        sign_of_first, sign_of_second, preferred = (scores.signs[i] for scores in (first, second, reference))
        sign = (preferred if preferred in (sign_of_first, sign_of_second) else 0) or sign_of_first or sign_of_second
        if not sign:
            continue
        a, b = pair if sign > 0 else pair[::-1]
        kind: FlipKind = "beats"
        under, not_under = (first, second) if sign_of_first == sign else (second, first)
        if sign_of_first == sign_of_second:
            clear = [_is_clear(scores, a, b) for scores in (first, second)]
            if None in clear or clear[0] == clear[1]:
                continue
            kind = "clearly beats"
            under, not_under = (first, second) if clear[0] else (second, first)
        holds = [None if scores.samples is None else _ahead(scores.samples, a, b) for scores in (under, not_under)]
        yield _flip(kind, [names[a], names[b]], under, not_under, holds)


def _best_flips(first: Scores, second: Scores, names: Sequence[str]) -> Iterator[Flip]:
    """The models of which "A is the best" holds under one variant and not under the other."""
    for under, not_under in ((first, second), (second, first)):
        best = ranking(under.values)[0]
        if len(best) == 1 and ranking(not_under.values)[0] != best:
            samples = (under.samples, not_under.samples)
            holds = [None if sample is None else _leads(sample, best[0]) for sample in samples]
            yield _flip("is best", [names[best[0]]], under, not_under, holds)


def _flip(
    kind: FlipKind, models: list[str], under: Scores, not_under: Scores, holds: Sequence[np.ndarray | None]
) -> Flip:
    """A conclusion that depends on the variant; ``holds``: in which resamples it holds, under each of the two."""
    first, second = holds
    return {
        "kind": kind,
        "models": models,
        "under": under.printed,
        "not_under": not_under.printed,
        "shares": [None if resamples is None else float(resamples.mean()) for resamples in holds],
        "share": None if first is None or second is None else float((first & ~second).mean()),
    }


def _difference(scores: Scores, a: int, b: int, names: Sequence[str]) -> Difference:
    """By how much a model is ahead of another, with its interval, and the shares of resamples in which each leads."""
    low = high = ahead_share = behind_share = None
    if scores.samples is not None:
        low, high = _bounds(scores.samples[:, a] - scores.samples[:, b])
        ahead_share, behind_share = (float(_ahead(scores.samples, *pair).mean()) for pair in ((a, b), (b, a)))
    return {
        "models": [names[a], names[b]],
        "value": to_json_number(scores.values[a] - scores.values[b]),
        "low": low,
        "high": high,
        "ahead": ahead_share,
        "behind": behind_share,
    }


def _is_clear(scores: Scores, a: int, b: int) -> bool | None:
    """Whether the interval of the difference lies above 0; None without samples."""
    if scores.samples is None:
        return None
    return interval(scores.samples[:, a] - scores.samples[:, b], LEVEL)[0] > EXACT


def _ahead(samples: np.ndarray, a: int, b: int) -> np.ndarray:
    """bool array, shape (resamples,): model a beats model b."""
    return signs(samples[:, [a, b]])[:, 0] > 0


def _leads(samples: np.ndarray, a: int) -> np.ndarray:
    """bool array, shape (resamples,): model a beats every other."""
    return np.all([_ahead(samples, a, b) for b in range(samples.shape[1]) if b != a], axis=0)

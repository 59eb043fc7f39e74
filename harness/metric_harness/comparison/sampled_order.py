"""Whether drawn negatives order the models as all items do: exact expectations and variances over the draws."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from metric_harness.bundles.build import Bundle
from metric_harness.comparison.bootstrap import pairs_of, signs
from metric_harness.comparison.models import ranking
from metric_reference.candidates.moments import moments
from metric_reference.candidates.over_users import of_mean, of_users
from metric_reference.candidates.places import Places
from metric_reference.candidates.scheme import WEIGHTS, Scheme
from metric_reference.candidates.together import among_all
from metric_reference.case import Case
from metric_reports.types.sampled import Sampled, SampledMetric, SampledPoint, Weights

NEGATIVES = (5, 10, 20, 50, 99, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""How many are drawn; none without replacement that a user has not."""
METRICS = ("hit_rate", "ndcg", "reciprocal_rank")
"""Of an item that is ranked alone. Recall is the hit rate then, average precision the reciprocal rank; precision is a
k-th of the hit rate, and drawing does not change AUC."""


def sampled_section(bundles: Mapping[str, Bundle], ks: Sequence[int]) -> Sampled | None:
    """The ``sampled`` of a record; None where the scores of all items are not kept, or no user has a relevant item.

    bundles : by model, of one split. Each relevant item is ranked alone among negatives drawn for it, without the
    user's other relevant items and those of training; a value is the mean over users of the mean over their items.
    """
    cases = {name: bundle.case if bundle.sample is None else bundle.sample.case for name, bundle in bundles.items()}
    if any(case.candidate_scores is None for case in cases.values()):
        return None
    placed = [places_of(case) for case in cases.values()]
    _, users = placed[0]["uniform"]
    if not len(users):
        return None
    names, smallest = list(cases), int(placed[0]["uniform"][0].pool.min())
    kinds: tuple[Weights, ...] = ("uniform", "popularity")
    assert set(kinds) == set(WEIGHTS)
    texts = {f"{metric}@{k}": (metric, k) for k in ks for metric in METRICS}
    found: list[SampledMetric] = []
    for weights in kinds:
        of_models = [model[weights] for model in placed]
        if any((places.pool <= 0).any() for places, _ in of_models):  # no item that may be drawn is in the training
            continue
        whole = np.array([whole_values(*model["uniform"], list(texts)) for model in placed])
        counts = [m for m in NEGATIVES if m <= smallest or weights == "popularity"]
        rows = {m: moments_of(weights, m, of_models, list(texts)) for m in counts}
        for column, (metric, k) in enumerate(texts.values()):
            points = [point(m, rows[m][0][:, column], rows[m][1][:, column], whole[:, column], names) for m in counts]
            order = named(ranking(whole[:, column]), names)
            found.append(
                {
                    "metric": metric,
                    "k": k,
                    "weights": weights,
                    "all_items": whole[:, column].tolist(),
                    "all_order": order,
                    "points": points,
                    "same_from": same_from(points, order),
                }
            )
    return {
        "models": names,
        "pairs": [[names[i], names[j]] for i, j in pairs_of(len(names))],
        "users": len(np.unique(users)),
        "relevant": len(users),
        "smallest_pool": smallest,
        "metrics": found,
    }


def places_of(case: Case) -> dict[str, tuple[Places, np.ndarray]]:
    """By weights: where each relevant item stands, and whose it is. Equal scores stand by item number, as in lists."""
    assert case.candidate_scores is not None
    parts: dict[str, list[np.ndarray]] = {name: [] for name in ("user", "above", "pool", "weight_above", "weight")}
    popular = np.zeros(case.n_items) if case.item_counts is None else case.item_counts.astype(np.float64)
    for user in range(case.users):
        rows = slice(case.judged_indptr[user], case.judged_indptr[user + 1])
        gains = case.judged_gains[rows]
        scores = case.candidate_scores[user]
        kept = case.judged_items[rows][(gains > 0) & (gains >= case.threshold)]
        kept = kept[(kept >= 0) & (scores[kept] > -np.inf)]
        order = np.argsort(-scores, kind="stable")
        order = order[scores[order] > -np.inf]
        drawable = ~np.isin(order, kept)
        at = np.flatnonzero(~drawable)
        weight = np.where(drawable, popular[order], 0.0)
        if not len(kept) or not drawable.any():
            continue
        parts["user"].append(np.full(len(at), user))
        parts["above"].append(np.cumsum(drawable)[at])
        parts["pool"].append(np.full(len(at), drawable.sum()))
        parts["weight_above"].append(np.cumsum(weight)[at])
        parts["weight"].append(np.full(len(at), weight.sum()))
    whole = {name: np.concatenate(part) if part else np.zeros(0, np.int64) for name, part in parts.items()}
    pool = np.maximum(whole["pool"], 1)
    return {
        "uniform": (Places(whole["above"], pool), whole["user"]),
        "popularity": (_weighted(whole["weight_above"], whole["weight"]), whole["user"]),
    }


def whole_values(places: Places, users: np.ndarray, texts: Sequence[str]) -> list[float]:
    """The mean over users of each measure where every item is ranked."""
    _, values = among_all(places, np.arange(len(users)), texts)
    _, owner, counts = np.unique(users, return_inverse=True, return_counts=True)
    return [float((np.bincount(owner, values[text]) / counts).mean()) for text in texts]


def moments_of(
    weights: str, negatives: int, of_models: Sequence[tuple[Places, np.ndarray]], texts: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Expectation and standard deviation of one draw: float64, shape (models, measures)."""
    scheme = Scheme(negatives, weights, replacement=weights == "popularity")
    found = [moments(scheme, places, texts) for places, _ in of_models]
    means = [
        [of_mean(of_users(each[text], users)) for text in texts]
        for each, (_, users) in zip(found, of_models, strict=True)
    ]
    return (
        np.array([[one.mean for one in row] for row in means]),
        np.array([[math.sqrt(one.variance) for one in row] for row in means]),
    )


def point(
    negatives: int, values: np.ndarray, deviations: np.ndarray, whole: np.ndarray, names: Sequence[str]
) -> SampledPoint:
    """A number of negatives. Each model's negatives are drawn anew; the mean over users is taken to be normal."""
    return {
        "negatives": negatives,
        "values": values.tolist(),
        "deviations": deviations.tolist(),
        "order": named(ranking(values), names),
        "wrong": [
            None if not sign else wrong_share(sign * (values[i] - values[j]), math.hypot(deviations[i], deviations[j]))
            for (i, j), sign in zip(pairs_of(len(names)), signs(whole).tolist(), strict=True)
        ],
    }


def wrong_share(lead: float, deviation: float) -> float:
    """The chance that a normal number with this mean and standard deviation is not above 0."""
    if deviation == 0:
        return 0.0 if lead > 0 else 1.0
    return 0.5 * math.erfc(lead / deviation / math.sqrt(2))


def same_from(points: Sequence[SampledPoint], order: list[list[str]]) -> int | None:
    """The first number of negatives from which on each gives an order; None if the last does not."""
    first = None
    for one in reversed(points):
        if one["order"] != order:
            break
        first = one["negatives"]
    return first


def named(groups: Sequence[Sequence[int]], names: Sequence[str]) -> list[list[str]]:
    """Groups of models by name."""
    return [[names[model] for model in group] for group in groups]


def _weighted(above: np.ndarray, weight: np.ndarray) -> Places:
    """Places by weight; where a user's pool has none, an empty one, which no draw accepts."""
    if len(weight) and weight.min() <= 0:
        return Places(np.zeros(0), np.zeros(0))
    return Places(np.minimum(above, weight), weight)

"""Every metric a second time, slowly: plain lists and loops, written from the printed formulas alone.

Of the reference nothing but the case enters here: the choices and the edge behaviours arrive as words. A name or a word
that is not known here is an error, so that a metric which the reference gains without its twin cannot pass unseen.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping
from typing import Any

from tests.support.literal import beyond
from tests.support.literal.candidates import (
    auc,
    confusion,
    correlation,
    fall_out,
    filtered_rank,
    inverted_auc,
    labelled,
    lagged_area,
    mcc,
    partial_auc,
    partial_auc_of,
    pr_auc,
    pr_auc_of,
    truncated_auc,
    won,
)
from tests.support.literal.lists import (
    average_precision,
    average_recall,
    constant,
    cumulative_hit_rate,
    expected_reciprocal_rank,
    f1,
    hit_rate,
    hits,
    ndcg,
    precision,
    r_precision,
    rank,
    rank_biased_precision,
    rating_hit_rate,
    recall,
    reciprocal_rank,
)
from tests.support.literal.user import Share, User

WORTH = {"zero": 0.0, "half": 0.5, "one": 1.0, "poisons_mean": math.nan}
LEAVE = ("skipped", "nan")


NO_LISTS = ("filtered_rank", "pr_auc", "partial_auc")
"""They read the scores of all candidates alone."""

OF_LISTS = ("top_k", "limited", "spread")
NO_RELEVANCE = (*beyond.NO_RELEVANCE, "constant")


PER_USER: dict[str, Callable[..., Share | None]] = {
    "hit_rate": hit_rate,
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "reciprocal_rank": reciprocal_rank,
    "rank": rank,
    "average_precision": average_precision,
    "average_recall": average_recall,
    "r_precision": r_precision,
    "cumulative_hit_rate": cumulative_hit_rate,
    "rating_hit_rate": rating_hit_rate,
    "ndcg": ndcg,
    "auc": auc,
    "rank_biased_precision": rank_biased_precision,
    "fall_out": fall_out,
    "mcc": mcc,
    "pr_auc": pr_auc,
    "partial_auc": partial_auc,
    "filtered_rank": filtered_rank,
    "inverted_auc": inverted_auc,
    "constant": constant,
    **beyond.PER_USER,
}
TOGETHER: dict[str, Callable[..., list[Share]]] = {
    "truncated_auc": truncated_auc,
    "expected_reciprocal_rank": expected_reciprocal_rank,
}
"""Metrics with a value for each user that depends on the other users."""
KNOWN = {*PER_USER, *TOGETHER, *beyond.WHOLE}


def whole(name: str, choices: Mapping[str, Any], users: list[User], k: int) -> float | None:
    """The value of a metric that has none for single users, or None if it has."""
    if name in beyond.WHOLE:
        return beyond.WHOLE[name](users, k, **choices).value
    if name == "f1" and choices["over"] == "means":
        fixed = {"no_relevant": "skipped", "no_list": "zero"}
        mean_precision = value("precision", {"divide_by": choices["divide_by"]}, "user", users, k, fixed)
        mean_recall = value("recall", {"divide_by": "relevant"}, "user", users, k, fixed)
        total = mean_precision + mean_recall
        return 2 * mean_precision * mean_recall / total if total else {"zero": 0.0, "nan": math.nan}[choices["no_hits"]]
    if name == "auc" and choices["scope"] == "stacked":
        rows = [(s, (n, item), item in u.relevant) for n, u in enumerate(users) for item, s in u.candidates.items()]
        positive, negative = [row for row in rows if row[2]], [row for row in rows if not row[2]]
        if choices["negatives"] == "lagged" and positive and negative:
            return lagged_area(rows, choices["ties"])
        total = math.fsum(won(p, n, at, other, choices["ties"]) for p, at, _ in positive for n, other, _ in negative)
        return Share(total, len(positive) * len(negative)).value
    if choices.get("scope") == "stacked":
        if name == "mcc":
            counts = [confusion(user, k, choices["over"]) for user in users if user.relevant]
            return correlation(*map(sum, zip(*counts, strict=True))).value if counts else math.nan
        rows = labelled(users)
        return (
            pr_auc_of(rows, choices["area"]) if name == "pr_auc" else partial_auc_of(rows, choices["max_fpr"])
        ).value
    if choices.get("over") in ("median", "median_floor"):
        shares = [PER_USER[name](user, k, **choices) for user in users if user.relevant]
        found = [share.value for share in shares if share is not None]
        rounds = {"median": float, "median_floor": math.floor}[choices["over"]]
        return rounds(statistics.median(found)) if found else math.nan
    if choices.get("over") == "rows":
        together = users[0]._replace(
            relevant={(n, i): g for n, user in enumerate(users) for i, g in user.relevant.items()},  # type: ignore[misc]
            candidates={(n, i): s for n, user in enumerate(users) for i, s in user.candidates.items()},  # type: ignore[misc]
        )
        return (PER_USER[name](together, k, **choices) or Share(0, 0)).value
    if choices.get("over") == "ratings":
        together = users[0]._replace(ratings=[pair for user in users for pair in user.ratings])
        return (PER_USER[name](together, k, **choices) or Share(0, 0)).value
    return None


def shares_of(name: str, choices: Mapping[str, Any], users: list[User], k: int) -> list[Share | None]:
    """What a metric that has a value for each user gives them; None for one who does not count."""
    if name in TOGETHER:
        return TOGETHER[name](users, k, **choices)
    return [PER_USER[name](user, k, **choices) for user in users]


def value(
    name: str, choices: Mapping[str, Any], weight: str, users: list[User], k: int, edges: Mapping[str, str]
) -> float:
    """The number of a metric for a case's users: over the whole, or averaged over those who count."""
    found = whole(name, choices, users, k)
    if found is not None:
        return found
    shares, values = [], []
    for user, share in zip(users, shares_of(name, choices, users, k), strict=True):
        behaviour = edge_of(name, choices, user, edges)
        if share is not None and behaviour not in LEAVE:
            shares.append(share)
            values.append(share.value if behaviour is None else WORTH[behaviour])
    if not values and choices.get("who") == "with_hit" and any(user.relevant for user in users):
        # Where nobody hits up to k at all, there is nothing right to average: 0. NaN only if hits lie past rank r.
        return 0.0 if not any(hits(user, k) for user in users) else math.nan
    if not values:
        return math.nan
    pooled = choices.get("scope") in ("per_positive", "per_row", "per_pair")
    if weight in ("user", "sum") and not pooled:
        return math.fsum(values) / {"user": len(values), "sum": 1}[weight]
    if "poisons_mean" in (edges["no_relevant"], edges["no_list"]) and any(map(math.isnan, values)):
        return math.nan
    total = math.fsum(share.top for share in shares), math.fsum(share.bottom for share in shares)
    return Share(*total, shares[0].empty).value


def edge_of(name: str, choices: Mapping[str, Any], user: User, edges: Mapping[str, str]) -> str | None:
    """What happens with a user who has nothing relevant or no list, None for any other."""
    if name in NO_RELEVANCE:
        return None
    if not user.relevant:
        return edges["no_relevant"]
    if not user.listed and name not in NO_LISTS and (name == "mcc" or choices.get("scope", "top_k") in OF_LISTS):
        return edges["no_list"]
    return None

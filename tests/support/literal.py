"""Every metric a second time, slowly: plain lists and loops, written from the printed formulas alone.

Of the reference nothing but the case enters here: the choices and the edge behaviours arrive as words. A name or a word
that is not known here is an error, so that a metric which the reference gains without its twin cannot pass unseen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from tests.support import literal_beyond
from tests.support.literal_user import Share, User

WORTH = {"zero": 0.0, "one": 1.0, "poisons_mean": math.nan}
LEAVE = ("skipped", "nan")
TIES = {"half": 0.5, "win": 1.0, "lose": 0.0}
NO_LISTS = ("filtered_rank", "pr_auc", "partial_auc")
"""They read the scores of all candidates alone."""

OF_LISTS = ("top_k", "limited", "spread")
NO_RELEVANCE = (*literal_beyond.NO_RELEVANCE, "constant")


def hits(user: User, depth: int) -> int:
    return sum(gain > 0 for gain in user.gains[:depth])


def hit_rate(user: User, k: int, value: str) -> Share:
    count = hits(user, k)
    return Share({"any": float(count > 0), "hits": float(count)}[value], 1)


def precision(user: User, k: int, divide_by: str, cut: str = "k") -> Share:
    end = {"k": k, "none": len(user.listed)}[cut]
    listed, relevant = min(end, len(user.listed)), len(user.relevant)
    ranks = [rank for rank, gain in enumerate(user.gains[:end], 1) if gain > 0]
    return {
        "k": Share(len(ranks), k),
        "list": Share(len(ranks), listed),
        "min_k_relevant": Share(len(ranks), min(k, relevant)),
        "min_list_relevant": Share(len(ranks), min(listed, relevant)),
        "last_hit_rank": Share(len(ranks), max(ranks, default=0), 0.0),
    }[divide_by]


def recall(user: User, k: int, divide_by: str, cut: str = "k") -> Share:
    relevant, found = len(user.relevant), hits(user, {"k": k, "none": len(user.listed)}[cut])
    return Share(found, {"relevant": relevant, "min_k_relevant": min(k, relevant)}[divide_by])


def f1(user: User, k: int, over: str, divide_by: str, no_hits: str) -> Share:
    """One user's; the F1 of means is under :data:`WHOLE`."""
    assert over == "users"
    length = {"k": k, "list": min(k, len(user.listed)), "min_k_relevant": min(k, len(user.relevant))}[divide_by]
    nothing = not user.relevant or (no_hits == "nan" and not hits(user, k))
    return Share(0, 0) if nothing else Share(2 * hits(user, k), length + len(user.relevant))


def reciprocal_rank(user: User, k: int, over: str, cut: str) -> Share:
    depth = {"k": k, "none": len(user.listed)}[cut]
    ranks = [rank for rank, gain in enumerate(user.gains, 1) if gain > 0 and rank <= depth]
    total = math.fsum(1 / rank for rank in ranks)
    return {
        "first": Share(1 / ranks[0] if ranks else 0.0, 1),
        "sum": Share(total, 1),
        "mean_hits": Share(total, len(ranks), 0.0),
        "mean_relevant": Share(total, len(user.relevant)),
    }[over]


def average_precision(user: User, k: int, divide_by: str, sum_over: str, cut: str) -> Share:
    end = {"k": k, "none": len(user.listed)}[cut]
    total = 0.0
    for rank in range(1, end + 1):
        hit = rank <= len(user.gains) and user.gains[rank - 1] > 0
        if {"hits": hit, "all_ranks": True, "listed_ranks": rank <= len(user.listed), "trapezoid": hit}[sum_over]:
            precision = hits(user, rank) / rank
            before = hits(user, rank - 1) / (rank - 1) if rank > 1 else 1.0
            total += (precision + before) / 2 if sum_over == "trapezoid" else precision
    relevant = len(user.relevant)
    return {
        "min_k_relevant": Share(total, min(k, relevant)),
        "relevant": Share(total, relevant),
        "k": Share(total, k),
        "hits": Share(total, hits(user, end), 0.0),
        "min_list_relevant": Share(total, min(len(user.listed[:end]), relevant)),
        "cumulative_min": Share(total, sum(min(rank, relevant) for rank in range(1, k + 1))),
        "list": Share(total, len(user.listed[:end])),
        "min_k_list_hits": Share(total, min(k, hits(user, len(user.listed))), 0.0),
        "one": Share(total, 1),
    }[divide_by]


def average_recall(user: User, k: int, sum_over: str, divide_by: str) -> Share:
    total = 0
    for rank in range(1, k + 1):
        hit = rank <= len(user.gains) and user.gains[rank - 1] > 0
        if {"hits": hit, "all_ranks": True}[sum_over]:
            total += hits(user, rank)
    relevant = len(user.relevant)
    divisor = {"k": k, "hits": hits(user, k), "min_k_relevant": min(k, relevant), "relevant": relevant}[divide_by]
    return Share(total, divisor * relevant, 0.0 if divide_by == "hits" else math.nan)


def r_precision(user: User, k: int, divide_by: str, cut: str, who: str) -> Share | None:
    relevant = len(user.relevant)
    count = hits(user, {"k": min(k, relevant), "none": relevant}[cut])
    if {"all": False, "with_hit": count == 0}[who]:
        return None
    return Share(count, {"relevant": relevant, "min_k_relevant": min(k, relevant)}[divide_by])


def cumulative_hit_rate(user: User, k: int, value: str, threshold: float) -> Share:
    pairs = zip(user.gains[:k], user.scores[:k], strict=True)
    kept = sum(gain > 0 and score >= threshold for gain, score in pairs)
    return Share({"any": float(kept > 0), "hits": float(kept)}[value], 1)


def rating_hit_rate(user: User, k: int, divide_by: str, rating: float) -> Share | None:
    if {"users": False, "users_with_rating": rating not in user.relevant.values()}[divide_by]:
        return None
    return Share(float(any(gain > 0 and gain == rating for gain in user.gains[:k])), 1)


def ndcg(
    user: User, k: int, gain: str, discount: str, ideal: str, cut: str, base: float = 2.0, depth: float = 10.0
) -> Share:
    worth: dict[str, Callable[[float], float]] = {
        "binary": lambda g: 1.0,
        "linear": lambda g: g,
        "exponential": lambda g: 2**g - 1,
        "exponential_over_threshold": lambda g: 2 ** (g - user.threshold + 1) - 1,
    }
    divided: dict[str, Callable[[int], float]] = {
        "log2": lambda rank: math.log2(rank + 1),
        "ln": lambda rank: math.log(rank + 1),
        "log10": lambda rank: math.log10(rank + 1),
        "max_log2": lambda rank: max(math.log2(rank), 1.0),
        "max_log": lambda rank: max(math.log(rank, base), 1.0),
        "ln_rank": lambda rank: math.log(rank) if rank > 1 else 1.0,
        "shifted_log2": lambda rank: math.log2(rank + 2),
        "none": lambda rank: 1.0,
    }

    def discounted(gains: list[float]) -> float:
        return math.fsum(g / divided[discount](rank) for rank, g in enumerate(gains, 1))

    end = {"k": k, "none": len(user.listed)}[cut]
    own = [worth[gain](g) if g > 0 else 0.0 for g in user.gains[:end]]
    whole_list = [worth[gain](g) if g > 0 else 0.0 for g in user.gains]
    best = sorted((worth[gain](g) for g in user.relevant.values()), reverse=True)
    return {
        "min_k_relevant": Share(discounted(own), discounted(best[:k])),
        "list": Share(discounted(own), discounted(best[: len(own)])),
        "list_ranks": Share(discounted(own), discounted(best[:1] * len(own))),
        "list_hits": Share(discounted(own), discounted(sorted(whole_list, reverse=True)[:k]), 0.0),
        "fixed": Share(discounted(own), discounted(best[: int(depth)])),
        "k": Share(discounted(own), discounted(best[:1] * k)),
        "relevant": Share(discounted(own), discounted(best)),
        "hits": Share(discounted(own), discounted(sorted(own, reverse=True)), 0.0),
        "none": Share(discounted(own), 1),
    }[ideal]


def auc(user: User, k: int, scope: str, ties: str, negatives: str, one_sided: str) -> Share:
    """One user's; the stacked one is under :data:`WHOLE`."""
    if not user.relevant:
        return Share(0, 0)
    if scope == "top_k":
        first = user.gains[:k]
        pairs = [(a, b) for a, above in enumerate(first) if above > 0 for b, other in enumerate(first) if other == 0]
        if pairs:
            return Share(sum(a < b for a, b in pairs), len(pairs))
        all_hit = float(len(first) > 0 and hits(user, k) == len(first))
        return {"zero_one": Share(all_hit, 1), "zero": Share(0, 1), "nan": Share(0, 0)}[one_sided]
    if scope == "spread":
        return spread_auc(user, k)
    others = [score for item, score in user.candidates.items() if item not in user.relevant]
    count = len(others) + {"exact": 0, "plus_one": 1}["exact" if scope == "per_row" else negatives]
    if count == 0:
        return Share(0, 0)
    shares = {}
    for item in user.relevant:
        own = user.candidates.get(item, -math.inf)
        lost = math.fsum(1.0 if score > own else 1 - TIES[ties] if score == own else 0.0 for score in others)
        shares[item] = (count - lost) / count
    inside = [item for item in user.relevant if item in user.listed[:k]]
    return {
        "per_user": Share(math.fsum(shares.values()), len(shares)),
        "per_positive": Share(math.fsum(shares.values()), len(shares)),
        "per_row": Share(
            math.fsum(shares.values()) / len(shares) * (len(others) + len(shares)), len(others) + len(shares)
        ),
        "limited": Share(math.fsum(shares[item] for item in inside), min(k, len(shares))),
    }[scope]


def spread_auc(user: User, k: int) -> Share:
    """A relevant item that is not in the list beats half of the others that are not either."""
    first, relevant = user.gains[:k], len(user.relevant)
    misses, found = sum(gain == 0 for gain in first), sum(gain > 0 for gain in first)
    others = len(user.counts) - relevant
    won = sum(a < b for a, above in enumerate(first) if above > 0 for b, other in enumerate(first) if other == 0)
    return Share(won + (others - misses) * (found + (relevant - found) / 2), relevant * others)


def rank_biased_precision(user: User, k: int, cut: str, persistence: float) -> Share:
    end = {"k": k, "none": len(user.listed)}[cut]
    looked_at = [persistence**rank for rank, gain in enumerate(user.gains[:end]) if gain > 0]
    return Share((1 - persistence) * math.fsum(looked_at), 1)


def expected_reciprocal_rank(users: list[User], k: int, largest: str, cut: str, grade: float) -> list[Share]:
    """Of every user, since one may have the largest gain of all."""
    of_case = max((gain for user in users for gain in user.relevant.values()), default=0.0)
    found = []
    for user in users:
        top = {"user": max(user.relevant.values(), default=0.0), "case": of_case, "fixed": grade}[largest]
        reader, total = 1.0, 0.0
        for rank, gain in enumerate(user.gains[: {"k": k, "none": len(user.listed)}[cut]], 1):
            stops = (2 ** min(gain, top) - 1) / 2**top
            total += reader * stops / rank
            reader *= 1 - stops
        found.append(Share(total, 1))
    return found


def candidates_of(user: User) -> int:
    return len({*user.candidates, *user.listed, *user.relevant})


def fall_out(user: User, k: int, over: str) -> Share:
    others = {
        "catalogue": len(user.counts) - len(user.relevant),
        "candidates": candidates_of(user) - len(user.relevant),
        "list": len(user.listed) - hits(user, len(user.listed)),
    }
    return Share(len(user.listed[:k]) - hits(user, k), others[over])


def confusion(user: User, k: int, over: str) -> tuple[int, int, int, int]:
    """True positives, false positives, false negatives, true negatives."""
    items = {"candidates": candidates_of(user), "catalogue": len(user.counts)}[over]
    found, listed, relevant = hits(user, k), len(user.listed[:k]), len(user.relevant)
    return found, listed - found, relevant - found, items - listed - relevant + found


def mcc(user: User, k: int, over: str, scope: str) -> Share:
    """One user's; the stacked one is under :data:`WHOLE`."""
    assert scope == "per_user"
    return correlation(*confusion(user, k, over)) if user.relevant else Share(0, 0)


def correlation(tp: int, fp: int, fn: int, tn: int) -> Share:
    spread = (tp + fp) * (tn + fn) * ((tp + fn) * (tn + fp))
    return Share(tp * tn - fp * fn, math.sqrt(spread) if spread > 0 else 1.0)


def labelled(users: list[User]) -> list[tuple[float, bool]]:
    """Score and label of each candidate, relevant items that are none among them."""
    return [
        (user.candidates.get(item, -math.inf), item in user.relevant)
        for user in users
        for item in sorted({*user.candidates, *user.relevant})
    ]


def curve(rows: list[tuple[float, bool]]) -> list[tuple[int, int]]:
    """How many relevant and how many other rows score at least so high, for each score from the highest down."""
    return [
        (sum(s >= score and r for s, r in rows), sum(s >= score and not r for s, r in rows))
        for score in sorted({score for score, _ in rows}, reverse=True)
    ]


def pr_auc_of(rows: list[tuple[float, bool]], area: str) -> Share:
    relevant = sum(label for _, label in rows)
    if not relevant:
        return Share(0, 0)
    total, recall_before, precision_before = 0.0, 0.0, 1.0
    for found, others in curve(rows):
        here = found / (found + others)
        height = {"step": here, "trapezoid": (here + precision_before) / 2}[area]
        total += (found / relevant - recall_before) * height
        recall_before, precision_before = found / relevant, here
    return Share(total, 1)


def pr_auc(user: User, k: int, area: str, scope: str) -> Share:
    assert scope == "per_user"
    return pr_auc_of(labelled([user]), area) if user.relevant else Share(0, 0)


def partial_auc_of(rows: list[tuple[float, bool]], most: float) -> Share:
    relevant = sum(label for _, label in rows)
    others = len(rows) - relevant
    if not relevant or not others:
        return Share(0, 0)
    area, x, y = 0.0, 0.0, 0.0
    for found, false in curve(rows):
        next_x, next_y = false / others, found / relevant
        if next_x > most:
            cut_y = y + (next_y - y) * (most - x) / (next_x - x)
            area += (most - x) * (y + cut_y) / 2
            break
        area += (next_x - x) * (y + next_y) / 2
        x, y = next_x, next_y
    chance = most * most / 2
    return Share(0.5 * (1 + (area - chance) / (most - chance)), 1)


def partial_auc(user: User, k: int, scope: str, max_fpr: float) -> Share:
    assert scope == "per_user"
    return partial_auc_of(labelled([user]), max_fpr) if user.relevant else Share(0, 0)


def filtered_rank(user: User, k: int, value: str, within: str) -> Share:
    others = [score for item, score in user.candidates.items() if item not in user.relevant]
    ranks = [1 + sum(other > user.candidates.get(item, -math.inf) for other in others) for item in user.relevant]
    inside = [rank for rank in ranks if rank <= {"k": k, "k_plus_one": k + 1}[within]]
    gain = math.fsum(1 / math.log2(rank + 1) for rank in inside)
    ideal = math.fsum(1 / math.log2(rank + 1) for rank in range(1, len(ranks) + 1))
    return {
        "recall": Share(len(inside), len(ranks)),
        "precision": Share(len(inside), k if ranks else 0),
        "ndcg": Share(gain, ideal),
    }[value]


def inverted_auc(user: User, k: int, scope: str, one_sided: str, misses: str) -> Share:
    right = auc(user, k, scope, "half", "exact", "nan")
    if scope == "per_user" or not user.relevant:
        return Share(right.bottom - right.top, right.bottom)
    count = hits(user, k)
    pairs = count * ({"list": min(k, len(user.listed)), "k": k}[misses] - count)
    return Share(right.bottom - right.top, pairs) if pairs else {"zero": Share(0, 1), "nan": Share(0, 0)}[one_sided]


def constant(user: User, k: int, value: str) -> Share:
    return Share({"zero": 0.0, "one": 1.0}[value], 1)


def truncated_auc(users: list[User], k: int, scope: str) -> list[Share]:
    """Of every user, since they cut each other's rankings."""
    rankings = []
    for user in users:
        scores = dict.fromkeys(user.relevant, -math.inf) | user.candidates
        rankings.append(sorted(scores, key=lambda item: (-scores[item], item not in user.relevant)))
    shortest = min(map(len, rankings), default=0)
    found = []
    for user, ranking in zip(users, rankings, strict=True):
        ranks = [rank for rank, item in enumerate(ranking[:shortest], 1) if item in user.relevant]
        relevant, others = len(user.relevant), len(ranking) - len(user.relevant)
        pairs = (len(ranking) + 1) * relevant - relevant * (relevant + 1) / 2 - sum(ranks)
        found.append(Share(pairs / others, relevant) if others and relevant else Share(0, 0))
    return found


PER_USER: dict[str, Callable[..., Share | None]] = {
    "hit_rate": hit_rate,
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "reciprocal_rank": reciprocal_rank,
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
    **literal_beyond.PER_USER,
}
TOGETHER: dict[str, Callable[..., list[Share]]] = {
    "truncated_auc": truncated_auc,
    "expected_reciprocal_rank": expected_reciprocal_rank,
}
"""Metrics with a value for each user that depends on the other users."""
KNOWN = {*PER_USER, *TOGETHER, *literal_beyond.WHOLE}


def whole(name: str, choices: Mapping[str, Any], users: list[User], k: int) -> float | None:
    """The value of a metric that has none for single users, or None if it has."""
    if name in literal_beyond.WHOLE:
        return literal_beyond.WHOLE[name](users, k, **choices).value
    if name == "f1" and choices["over"] == "means":
        fixed = {"no_relevant": "skipped", "no_list": "zero"}
        mean_precision = value("precision", {"divide_by": choices["divide_by"]}, "user", users, k, fixed)
        mean_recall = value("recall", {"divide_by": "relevant"}, "user", users, k, fixed)
        total = mean_precision + mean_recall
        return 2 * mean_precision * mean_recall / total if total else 0.0
    if name == "auc" and choices["scope"] == "stacked":
        positive = [score for user in users for item, score in user.candidates.items() if item in user.relevant]
        negative = [score for user in users for item, score in user.candidates.items() if item not in user.relevant]
        won = math.fsum((p > n) + TIES[choices["ties"]] * (p == n) for p in positive for n in negative)
        return Share(won, len(positive) * len(negative)).value
    if choices.get("scope") == "stacked":
        if name == "mcc":
            counts = [confusion(user, k, choices["over"]) for user in users if user.relevant]
            return correlation(*map(sum, zip(*counts, strict=True))).value if counts else math.nan
        rows = labelled(users)
        return (
            pr_auc_of(rows, choices["area"]) if name == "pr_auc" else partial_auc_of(rows, choices["max_fpr"])
        ).value
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
    pooled = choices.get("scope") in ("per_positive", "per_row")
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

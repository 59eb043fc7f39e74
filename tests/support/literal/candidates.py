"""The literal twin of the metrics that hold listed items against the others: AUC, fall-out, correlation, ranks."""

from __future__ import annotations

import math

from tests.support.literal.lists import hits
from tests.support.literal.user import Share, User

TIES = {"half": 0.5, "win": 1.0, "lose": 0.0}


def won(own: float, other: float, own_row: object, other_row: object, ties: str) -> float:
    """What a relevant candidate wins against another; rows compare as they are given."""
    if own != other:
        return float(own > other)
    if ties in TIES:
        return TIES[ties]
    return float({"id_ascending": own_row < other_row, "id_descending": own_row > other_row}[ties])  # type: ignore[operator]


def lagged_area(rows: list[tuple[float, object, bool]], ties: str) -> float:
    """The area below a curve whose trapezoids keep their left height until the next row that is not relevant.

    rows : score, row and whether it is relevant.
    """
    if ties == "half":
        return (lagged_area(rows, "win") + lagged_area(rows, "lose")) / 2
    if ties in TIES:
        ordered = sorted(rows, key=lambda row: (-row[0], row[2] == (ties == "lose")))
    else:
        by_row = sorted(rows, key=lambda row: row[1], reverse=ties == "id_descending")  # type: ignore[arg-type, return-value]
        ordered = sorted(by_row, key=lambda row: -row[0])
    positives = sum(row[2] for row in rows)
    area = height = found = 0.0
    for _, _, relevant in ordered:
        if relevant:
            found += 1
        else:
            area += (found + height) / 2
            height = found
    return area / (positives * (len(rows) - positives))


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
    others = {item: score for item, score in user.candidates.items() if item not in user.relevant}
    lagged = negatives == "lagged" and scope != "limited"
    by_size = scope in ("per_row", "per_pair")
    count = len(others) + {"exact": 0, "plus_one": 1, "lagged": 0}["exact" if by_size else negatives]
    if count == 0:
        return Share(0, 0)
    if lagged:
        candidates = {**dict.fromkeys(user.relevant, -math.inf), **user.candidates}
        rows = [(score, item, item in user.relevant) for item, score in candidates.items()]
        found = len(user.relevant)
        weight = {"per_user": 1, "per_positive": found, "per_row": len(rows), "per_pair": found * len(others)}[scope]
        return Share(lagged_area(rows, ties) * weight, weight)  # type: ignore[arg-type]
    shares = {}
    for item in user.relevant:
        own = user.candidates.get(item, -math.inf)
        lost = math.fsum(1 - won(own, score, item, other, ties) for other, score in others.items())
        shares[item] = (count - lost) / count
    inside = [item for item in user.relevant if item in user.listed[:k]]
    return {
        "per_user": Share(math.fsum(shares.values()), len(shares)),
        "per_positive": Share(math.fsum(shares.values()), len(shares)),
        "per_row": Share(
            math.fsum(shares.values()) / len(shares) * (len(others) + len(shares)), len(others) + len(shares)
        ),
        "per_pair": Share(math.fsum(shares[item] * count for item in shares), count * len(shares)),
        "limited": Share(math.fsum(shares[item] for item in inside), min(k, len(shares))),
    }[scope]


def spread_auc(user: User, k: int) -> Share:
    """A relevant item that is not in the list beats half of the others that are not either."""
    first, relevant = user.gains[:k], len(user.relevant)
    misses, found = sum(gain == 0 for gain in first), sum(gain > 0 for gain in first)
    others = len(user.counts) - relevant
    won = sum(a < b for a, above in enumerate(first) if above > 0 for b, other in enumerate(first) if other == 0)
    return Share(won + (others - misses) * (found + (relevant - found) / 2), relevant * others)


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


def inverted_auc(user: User, k: int, scope: str, one_sided: str, misses: str, ties: str) -> Share:
    right = auc(user, k, scope, ties, "exact", "nan")
    if scope == "per_user" or not user.relevant:
        return Share(right.bottom - right.top, right.bottom)
    count = hits(user, k)
    pairs = count * ({"list": min(k, len(user.listed)), "k": k}[misses] - count)
    return Share(right.bottom - right.top, pairs) if pairs else {"zero": Share(0, 1), "nan": Share(0, 0)}[one_sided]


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

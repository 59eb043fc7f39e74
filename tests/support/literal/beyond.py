"""The literal twin of the metrics that are not about relevance in a list: rating error and beyond accuracy.

``WHOLE`` holds those that have one value for a case and none for a user: called with all users.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from tests.support.literal.user import Share, User


def mae(user: User, k: int, over: str, of: str) -> Share | None:
    """One user's mean; None without a predicted rating. Over ratings: all users' ratings as if of one."""
    return mean([abs(predicted - truth) for predicted, truth in rated(user, of)])


def rated(user: User, of: str) -> list[tuple[float, float]]:
    return [pair for pair in user.ratings if of == "all" or (pair[1] > 0 and pair[1] >= user.threshold)]


def mse(user: User, k: int, over: str, of: str) -> Share | None:
    return mean([(predicted - truth) ** 2 for predicted, truth in rated(user, of)])


def rmse(user: User, k: int, over: str, of: str) -> Share | None:
    squares = mse(user, k, over, of)
    return squares and Share(math.sqrt(squares.value), 1)


def r_squared(users: list[User], k: int, errors: str) -> Share:
    pairs = [pair for user in users for pair in user.ratings]
    if not pairs:
        return Share(0, 0)
    gaps = [truth - predicted for predicted, truth in pairs]
    centre = {"as_they_are": 0.0, "centred": math.fsum(gaps) / len(gaps)}[errors]
    usual = math.fsum(truth for _, truth in pairs) / len(pairs)
    spread = math.fsum((truth - usual) ** 2 for _, truth in pairs)
    return Share(spread - math.fsum((gap - centre) ** 2 for gap in gaps), spread)


def hit_popularity(user: User, k: int, divide_by: str) -> Share | None:
    hits = [item for rank, item in enumerate(user.listed[:k]) if user.gains[rank] > 0]
    divisor = {"relevant": len(user.relevant), "k": k, "hits": len(hits)}[divide_by]
    return Share(sum(user.counts[item] for item in hits), divisor, 0.0 if divide_by == "hits" else math.nan)


def category_diversity(user: User, k: int, divide_by: str, of: str) -> Share | None:
    listed = user.listed[:k]
    shown = [item for rank, item in enumerate(listed) if of == "listed" or user.gains[rank] > 0]
    covered = {place for item in shown for place, entry in enumerate(user.vectors[item]) if entry}
    known = {place for vector in user.vectors for place, entry in enumerate(vector) if entry}
    divisor = {"k": k, "list": len(listed), "categories": len(known)}[divide_by]
    return Share(len(covered), divisor) if listed and divisor else None


def accuracy(user: User, k: int, over: str, match: str) -> Share | None:
    nearest: dict[str, Callable[[float], float]] = {
        "exact": lambda x: x,
        "nearest_half": lambda x: round(x * 2) / 2,
        "nearest": round,
    }
    return mean([float(nearest[match](predicted) == truth) for predicted, truth in user.ratings])


def mean(losses: list[float]) -> Share | None:
    return Share(math.fsum(losses) / len(losses), 1) if losses else None


def popularity(user: User, k: int, value: str, length: str) -> Share | None:
    trained = sorted((count, item) for item, count in enumerate(user.counts) if count)
    rarest = [item for _, item in trained[: max(1, int(len(trained) * 0.1))]]

    def quantile(item: int) -> float:
        below = sum(count < user.counts[item] for count, _ in trained)
        equal = sum(count == user.counts[item] for count, _ in trained)
        return (below + (equal + 1) / 2) / len(trained) if user.counts[item] else 0.0

    of_item: dict[str, Callable[[int], float]] = {
        "count": lambda item: user.counts[item],
        "share": lambda item: user.counts[item] / user.train_users,
        "interaction_share": lambda item: user.counts[item] / sum(user.counts),
        "relative": lambda item: user.counts[item] / max(user.counts),
        "quantile": quantile,
        "tail": lambda item: float(item in rarest),
    }
    return over_list(user, k, of_item[value], length)


def over_list(user: User, k: int, of_item: Callable[[int], float], length: str) -> Share | None:
    listed = user.listed[:k]
    if length == "trained":
        listed = [item for item in listed if user.counts[item]]
    divisor = {"list": len(listed), "k": k, "trained": len(listed), "catalogue": len(user.counts)}[length]
    return Share(math.fsum(of_item(item) for item in listed), divisor) if listed else None


def novelty(user: User, k: int, probability: str, log: str, unseen: str, length: str) -> Share | None:
    if probability == "own_history":
        return over_list(user, k, lambda item: float(item not in user.train), length)
    whole = {"users": user.train_users, "interactions": sum(user.counts)}[probability]
    if log == "largest" and whole == 1:
        return None

    def information(item: int) -> float:
        count = {"one": max(1, user.counts[item]), "skipped": user.counts[item]}[unseen]
        if not count:
            return 0.0
        return {"log2": math.log2(whole / count), "ln": math.log(whole / count)}.get(
            log, math.log(whole / count) / math.log(max(2, whole))
        )

    return over_list(user, k, information, length)


def diversity(user: User, k: int, pair: str, divide_by: str, last: str) -> Share | None:
    listed = user.listed[:k]
    of_pair: dict[str, Callable[[list[float], list[float]], float]] = {
        "cosine_distance": lambda v, w: 1 - cosine(v, w),
        "euclidean_distance": math.dist,
        "hamming_distance": lambda v, w: sum(a != b for a, b in zip(v, w, strict=True)),
        "cosine_similarity": cosine,
        "jaccard_distance": lambda v, w: (
            sum(a != b for a, b in zip(v, w, strict=True)) / (sum(bool(a or b) for a, b in zip(v, w, strict=True)) or 1)
        ),
    }
    pairs = list(itertools.combinations([user.vectors[item] for item in listed], 2))
    divisor = {"pairs": len(pairs), "pairs_or_one": max(1, len(pairs)), "list": len(listed)}[divide_by]
    places = itertools.combinations(range(len(listed)), 2)
    weights = [0.5 if last == "half" and second == len(listed) - 1 else 1.0 for _, second in places]
    total = math.fsum(weight * of_pair[pair](v, w) for weight, (v, w) in zip(weights, pairs, strict=True))
    return Share(total, divisor) if listed and divisor else None


def cosine(v: list[float], w: list[float]) -> float:
    """0 to a zero vector."""
    lengths = math.hypot(*v) * math.hypot(*w)
    return math.fsum(a * b for a, b in zip(v, w, strict=True)) / lengths if lengths else 0.0


def favourites(user: User, k: int) -> list[int]:
    return sorted(range(len(user.counts)), key=lambda item: (-user.counts[item], item))[:k]


def likeness(user: User, item: int) -> float:
    return math.fsum(cosine(user.vectors[item], user.vectors[seen]) for seen in user.train) / len(user.train)


def unexpectedness(user: User, k: int, against: str, length: str) -> Share | None:
    if against == "history" and not user.train:
        return None
    expected: dict[str, Callable[[int], float]] = {
        "popular": lambda item: float(item in favourites(user, k)),
        "history": lambda item: likeness(user, item),
    }
    share = over_list(user, k, expected[against], length)
    return share and Share(share.bottom - share.top, share.bottom)


def serendipity(user: User, k: int, unexpected: str, divide_by: str, discount: str) -> Share | None:
    counts, n = user.counts, len(user.counts)
    if unexpected == "unlike_history" and not user.train:
        return None

    def above_popularity(item: int, rank: int) -> float:
        more_popular = {count for count in counts if count > counts[item]}
        expected = (n + 1 - (len(more_popular) + 1)) / n if counts[item] else 0.0
        return max((n + 1 - rank) / n - expected, 0.0)

    surprise: dict[str, Callable[[int, int], float]] = {
        "not_popular": lambda item, rank: float(item not in favourites(user, k)),
        "complement": lambda item, rank: 1 - counts[item] / user.train_users,
        "information": lambda item, rank: -math.log2((counts[item] or min(filter(None, counts))) / sum(counts)),
        "above_popularity": above_popularity,
        "unlike_history": lambda item, rank: 1 - likeness(user, item),
    }
    weight: Callable[[int], float] = {"none": lambda rank: 1.0, "log2": lambda rank: 1 / math.log2(rank + 1)}[discount]
    hits = [(item, rank) for rank, item in enumerate(user.listed[:k], 1) if user.gains[rank - 1] > 0]
    total = math.fsum(weight(rank) * surprise[unexpected](item, rank) for item, rank in hits)
    counted = {"k": range(1, k + 1), "list": range(1, len(user.listed[:k]) + 1), "hits": [rank for _, rank in hits]}
    return Share(total, math.fsum(map(weight, counted[divide_by])), 0.0 if divide_by == "hits" else math.nan)


def log_loss(user: User, k: int, over: str, eps: float) -> Share | None:
    """One user's mean; None without a candidate. Over rows: all users' candidates as if of one."""
    lost = []
    for item, score in user.candidates.items():
        p = score if item in user.relevant else 1 - score
        lost.append(-math.log(min(max(p, eps), 1 - eps)))
    return mean(lost)


def herfindahl(users: list[User], k: int, value: str) -> Share:
    times = shown(users, k)
    pairs = sum(count * count for count in times)
    return Share({"concentration": pairs, "diversity": sum(times) ** 2 - pairs}[value], sum(times) ** 2)


def shown(users: list[User], k: int) -> list[int]:
    """How often each item of the catalogue is recommended."""
    together = [item for user in users for item in user.listed[:k]]
    return [together.count(item) for item in range(len(users[0].counts))]


def coverage(users: list[User], k: int, of: str, divide_by: str) -> Share:
    times = shown(users, k)
    trained = [item for item, count in enumerate(users[0].counts) if count]
    served = {
        "items": sum(count > 0 for count in times),
        "trained_items": sum(times[item] > 0 for item in trained),
        "users": sum(len(user.listed) > 0 for user in users),
    }[of]
    everyone = {"all": len(times), "trained": len(trained), "none": 1, "padded": len(times) + 1}
    if of == "users":
        everyone = {"all": len(users), "trained": len(users), "none": 1, "padded": len(users)}
    return Share(served, everyone[divide_by])


def entropy(users: list[User], k: int, log: str, normalise: str, over: str) -> Share:
    times = shown(users, k)
    if not any(times):
        return Share(0, 0)
    logarithm = {"ln": math.log, "log2": math.log2}[log]
    lists = [user.listed[:k] for user in users if user.listed]
    lists = {"recommendations": [[item for row in lists for item in row]], "users": lists}[over]
    means = [-math.fsum(logarithm(times[item] / sum(times)) for item in row) / len(row) for row in lists]
    some = sum(count > 0 for count in times)
    divisor = {"none": 1, "catalogue": logarithm(len(times)), "recommended_items": some}[normalise]
    return Share(math.fsum(means) / len(means), divisor)


def gini(users: list[User], k: int, items: str, divide_by: str, attention: str, value: str) -> Share:
    exposed = [0.0] * len(users[0].counts)
    for user in users:
        for rank, item in enumerate(user.listed[:k]):
            exposed[item] += {"equal": 1.0, "geometric": 0.85**rank}[attention]
    shown_alone = [count for count in exposed if count]
    exposed = {"catalogue": exposed, "recommended": shown_alone, "padded": [*exposed, 0.0]}[items]
    n = len(exposed)
    gaps = math.fsum(abs(a - b) for a, b in itertools.combinations(exposed, 2))
    divisor = {"n": n, "n_minus_one": n - 1, "n_plus_one": n + 1}[divide_by] * math.fsum(exposed)
    return Share({"inequality": gaps, "equality": divisor - gaps}[value], divisor)


def personalization(users: list[User], k: int, similarity: str) -> Share:
    lists = [set(user.listed[:k]) for user in users if user.listed]
    alike: dict[str, Callable[[set[int], set[int]], float]] = {
        "cosine": lambda a, b: len(a & b) / math.sqrt(len(a) * len(b)),
        "overlap": lambda a, b: len(a & b) / k,
        "jaccard": lambda a, b: len(a & b) / len(a | b),
    }
    pairs = list(itertools.combinations(lists, 2))
    return Share(math.fsum(1 - alike[similarity](a, b) for a, b in pairs), len(pairs))


PER_USER: dict[str, Callable[..., Share | None]] = {
    "mae": mae, "rmse": rmse, "mse": mse, "accuracy": accuracy,
    "hit_popularity": hit_popularity, "category_diversity": category_diversity,
    "popularity": popularity, "novelty": novelty, "diversity": diversity,
    "unexpectedness": unexpectedness, "serendipity": serendipity, "log_loss": log_loss,
}  # fmt: skip
WHOLE: dict[str, Callable[..., Share]] = {
    "coverage": coverage, "entropy": entropy, "gini": gini, "personalization": personalization,
    "herfindahl": herfindahl, "r_squared": r_squared,
}  # fmt: skip
NO_RELEVANCE = (
    *("mae", "rmse", "mse", "accuracy", "popularity", "novelty", "diversity", "unexpectedness", "log_loss"),
    *("category_diversity", *WHOLE),
)
"""Neither relevant items nor an empty list have a rule of their own here: who is undefined leaves the mean."""

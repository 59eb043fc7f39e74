"""The exact value of a definition that reads the scores of all candidates, or predicted ratings."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Callable, Dict, List, Mapping, Sequence, Tuple

from metric_reference.vectors.exact import Candidate, Share, UserData

TIES = {"half": Fraction(1, 2), "win": Fraction(1), "lose": Fraction(0)}


def won(own: Candidate, others: Sequence[Candidate], ties: str) -> Fraction:
    """How many others an item outscores; an item without a score outscores none."""
    wins = Fraction(0)
    for other in others:
        assert other.score is not None
        if own.score == other.score:
            wins += TIES.get(ties, Fraction((own.place < other.place) == (ties == "id_ascending")))
        elif own.score is not None:
            wins += own.score > other.score
    return wins


def last_of(others: Sequence[Candidate], ties: str) -> Candidate:
    """The one with the lowest score; of several, the last one in the order of ties."""
    ordered = sorted(others, key=lambda other: other.place, reverse=ties != "id_descending")
    return min(ordered, key=lambda other: other.score or Fraction(0))


def apart(candidates: Sequence[Candidate]) -> Tuple[List[Candidate], List[Candidate]]:
    """The relevant candidates, and the others."""
    return [item for item in candidates if item.relevant], [item for item in candidates if not item.relevant]


def _auc(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    scope = choices["scope"]
    if scope == "top_k":
        return _inside(user, k, choices["one_sided"])
    if scope == "spread":
        return _spread(user, k, user.catalogue - len(user.relevant))
    relevant, others = apart(user.candidates)
    lagged = choices["negatives"] == "lagged" and scope != "limited"
    extra = int(choices["negatives"] == "plus_one" and scope not in ("per_row", "per_pair"))
    shares = [won(item, others, choices["ties"]) + extra for item in relevant]
    if lagged and others:
        last = [last_of(others, choices["ties"])]
        shares = [share - won(item, last, choices["ties"]) / 2 for item, share in zip(relevant, shares)]
    total, rows = sum(shares, Fraction(0)), len(relevant) + len(others)
    count = len(others) + extra
    if scope == "limited":
        inside = sum((share for item, share in zip(relevant, shares) if item.hit), Fraction(0))
        return Share(inside / count, min(k, len(relevant)))
    return {
        "per_user": Share(total / count, len(relevant)),
        "per_positive": Share(total / count, len(relevant)),
        "per_row": Share(total / count / len(relevant) * rows, rows),
        "per_pair": Share(total, count * len(relevant)),
    }[scope]


def _inside(user: UserData, k: int, one_sided: str) -> Share:
    """Pairs inside the first k ranks."""
    hits = _hits(user, k)
    pairs = sum(hits) * (len(hits) - sum(hits))
    if pairs or one_sided == "nan":
        return Share(_ordered_pairs(hits), pairs)
    return Share(int(one_sided == "zero_one" and any(hits)), 1)


def _hits(user: UserData, k: int) -> List[bool]:
    """Which of the first k ranks hit."""
    return [gain > 0 for gain in user.gains[:k]]


def _ordered_pairs(hits: Sequence[bool]) -> int:
    """The number of pairs of a hit and a later miss."""
    return sum(not later for rank, hit in enumerate(hits) if hit for later in hits[rank:])


def _spread(user: UserData, k: int, others: int) -> Share:
    """Listed items rank above the rest of the catalogue; a relevant item in the rest beats half of the others there."""
    hits, relevant = _hits(user, k), len(user.relevant)
    rest = others - (len(hits) - sum(hits))
    return Share(_ordered_pairs(hits) + rest * (sum(hits) + Fraction(relevant - sum(hits), 2)), relevant * others)


def _inverted_auc(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    hits, won_pairs = _hits(user, k), _inside(user, k, "nan")
    misses = {"list": len(hits), "k": k}[choices["misses"]] - sum(hits)
    pairs = sum(hits) * misses
    return Share(won_pairs.bottom - won_pairs.top, pairs) if pairs else Share(0, int(choices["one_sided"] == "zero"))


def steps(candidates: Sequence[Candidate]) -> List[Tuple[int, int]]:
    """How many relevant and other items reach each score, from the highest down; then all, if some have no score."""
    scores = sorted({item.score for item in candidates if item.score is not None}, reverse=True)
    counts = []
    for score in scores:
        reaching = [item.relevant for item in candidates if item.score is not None and item.score >= score]
        counts.append((sum(reaching), len(reaching) - sum(reaching)))
    if any(item.score is None for item in candidates):
        relevant, others = apart(candidates)
        counts.append((len(relevant), len(others)))
    return counts


def _pr_auc(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    relevant = len(apart(user.candidates)[0])
    area, last_recall, last_precision = Fraction(0), Fraction(0), Fraction(1)
    for hits, others in steps(user.candidates):
        recall, precision = Fraction(hits, relevant), Fraction(hits, hits + others)
        height = {"step": precision, "trapezoid": (precision + last_precision) / 2}[choices["area"]]
        area += (recall - last_recall) * height
        last_recall, last_precision = recall, precision
    return Share(area, 1)


def _partial_auc(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    relevant, others = map(len, apart(user.candidates))
    max_fpr = Fraction(choices["max_fpr"])
    area, x, y = Fraction(0), Fraction(0), Fraction(0)
    for hits, misses in steps(user.candidates):
        fpr, tpr = Fraction(misses, others), Fraction(hits, relevant)
        end = min(fpr, max_fpr)
        tpr_at_end = y + (tpr - y) * (end - x) / (fpr - x) if fpr > x else tpr
        area += (end - x) * (y + tpr_at_end) / 2
        x, y = fpr, tpr
        if fpr >= max_fpr:
            break
    chance = max_fpr * max_fpr / 2
    return Share(1 + (area - chance) / (max_fpr - chance), 2)


def _filtered_ranks(user: UserData) -> List[int]:
    """The rank of each relevant item among the items that are not relevant."""
    relevant, others = apart(user.candidates)
    scores = [other.score for other in others if other.score is not None]
    return [1 + sum(item.score is None or score > item.score for score in scores) for item in relevant]


def _filtered_rank(user: UserData, k: int, choices: Mapping[str, str]) -> "Share | str":
    ranks = _filtered_ranks(user)
    inside = sorted(rank for rank in ranks if rank <= {"k": k, "k_plus_one": k + 1}[choices["within"]])
    if choices["value"] != "ndcg":
        return Share(len(inside), {"recall": len(ranks), "precision": k}[choices["value"]])
    top = "+".join(f"log2({rank})" for rank in inside)
    return f"({top})/(log2({','.join(map(str, range(1, len(ranks) + 1)))}))" if top else "0"


def _confusion(user: UserData, k: int) -> Tuple[int, int, int, int]:
    """True positives, false positives, false negatives, true negatives."""
    hits, listed = user.hits(k), len(user.gains[:k])
    relevant, others = map(len, apart(user.candidates))
    return hits, listed - hits, relevant - hits, others - listed + hits


def _fall_out(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    _, fp, _, tn = _confusion(user, k)
    return Share(fp, fp + tn)


def _mcc(user: UserData, k: int, choices: Mapping[str, str]) -> str:
    tp, fp, fn, tn = _confusion(user, k)
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return f"({tp * tn - fp * fn})/sqrt({product})" if product else "0"


def _cumulative_hit_rate(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    threshold = Fraction(choices["threshold"])
    hits = sum(gain > 0 and score >= threshold for gain, score in zip(user.gains[:k], user.scores))
    return Share({"any": int(hits > 0), "hits": hits}[choices["value"]], 1)


def _rating_hit_rate(user: UserData, k: int, choices: Mapping[str, str]) -> Share:
    rating = Fraction(choices["rating"])
    return Share(int(rating in user.gains[:k]), int(choices["divide_by"] == "users" or rating in user.relevant))


SCORED: Dict[str, Callable[[UserData, int, Mapping[str, str]], "Share | str"]] = {
    "auc": _auc,
    "inverted_auc": _inverted_auc,
    "pr_auc": _pr_auc,
    "partial_auc": _partial_auc,
    "filtered_rank": _filtered_rank,
    "fall_out": _fall_out,
    "mcc": _mcc,
    "cumulative_hit_rate": _cumulative_hit_rate,
    "rating_hit_rate": _rating_hit_rate,
}
"""One user's value from the scores of all candidates: a share, or a closed form."""


def stacked(users: Sequence[UserData], name: str, choices: Mapping[str, str]) -> Share:
    """One curve over the candidates of all users."""
    together = tuple(chain.from_iterable(user.candidates for user in users))
    if name == "auc":
        relevant, others = apart([item for item in together if item.score is not None])
        total = sum((won(item, others, choices["ties"]) for item in relevant), Fraction(0))
        if choices["negatives"] == "lagged" and others:
            last = [last_of(others, choices["ties"])]
            total -= sum((won(item, last, choices["ties"]) for item in relevant), Fraction(0)) / 2
        return Share(total, len(relevant) * len(others))
    share = SCORED[name](replace(users[0], candidates=together), 0, choices)
    assert isinstance(share, Share)
    return share


def truncated_auc(users: Sequence[UserData]) -> Share:
    """From the rankings of all candidates, cut at the shortest one; relevant items come first among equal scores."""
    rankings = []
    for user in users:
        # an item without a score is last
        keys = sorted((item.score is None, -(item.score or 0), not item.relevant) for item in user.candidates)
        rankings.append([not irrelevant for _, _, irrelevant in keys])
    shortest, total, positives = min(map(len, rankings)), Fraction(0), 0
    for ranking in rankings:
        relevant, length = sum(ranking), len(ranking)
        ranks = sum(rank for rank, hit in enumerate(ranking[:shortest], 1) if hit)
        pairs = (length + 1) * relevant - Fraction(relevant * (relevant + 1), 2) - ranks
        total, positives = total + pairs / (length - relevant), positives + relevant
    return Share(total, positives)


def log_loss(users: Sequence[UserData]) -> str:
    """Over the candidates of all users; their scores are probabilities."""
    rows = [item for user in users for item in user.candidates if item.score is not None]
    terms = "+".join(f"ln({item.score if item.relevant else 1 - (item.score or 0)})" for item in rows)
    return f"-({terms})/{len(rows)}"


def _errors(rated: Sequence[Tuple[Fraction, Fraction, bool]], name: str, choices: Mapping[str, str]) -> str:
    """An error of predicted ratings: (predicted, true, relevant) of each judgement."""
    kept = [(predicted, true) for predicted, true, relevant in rated if relevant or choices.get("of") != "relevant"]
    if name == "accuracy":
        step = {"exact": None, "nearest_half": Fraction(1, 2), "nearest": Fraction(1)}[choices["match"]]
        equal = [(round(predicted / step) * step if step else predicted) == true for predicted, true in kept]
        return str(Fraction(sum(equal), len(kept)))
    power = {"mae": 1, "mse": 2, "rmse": 2}[name]
    mean = sum(abs(predicted - true) ** power for predicted, true in kept) / Fraction(len(kept))
    return f"sqrt({mean})" if name == "rmse" else str(mean)


def rating_error(name: str, users: Sequence[UserData], choices: Mapping[str, str]) -> str:
    """An error of predicted ratings over all judgements, or the mean over users of their errors."""
    ratings = list(chain.from_iterable(user.ratings for user in users))
    if name == "r_squared":
        return str(_r_squared(ratings, choices["errors"]))
    if choices["over"] == "ratings":
        return _errors(ratings, name, choices)
    return f"({'+'.join(_errors(user.ratings, name, choices) for user in users)})/{len(users)}"


def _r_squared(rated: Sequence[Tuple[Fraction, Fraction, bool]], errors: str) -> Fraction:
    residuals = [true - predicted for predicted, true, _ in rated]
    shift = {"as_they_are": Fraction(0), "centred": sum(residuals) / Fraction(len(residuals))}[errors]
    mean = sum(true for _, true, _ in rated) / Fraction(len(rated))
    spread = sum(((true - mean) ** 2 for _, true, _ in rated), Fraction(0))
    return 1 - sum(((residual - shift) ** 2 for residual in residuals), Fraction(0)) / spread


RATED = ("mae", "mse", "rmse", "r_squared", "accuracy")
"""The metrics of predicted ratings."""

"""The exact value of a definition that reads the scores of all candidates, or predicted ratings."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Callable, Dict, List, Mapping, Sequence, Tuple

from metric_reference.vectors.exact import Candidate, Seen, Share

TIES = {"half": Fraction(1, 2), "win": Fraction(1), "lose": Fraction(0)}


def won(own: Candidate, others: Sequence[Candidate], tie: Fraction) -> Fraction:
    """How many others an item outscores; an item without a score loses to all."""
    found = Fraction(0)
    for other in others:
        assert other.score is not None
        if own.score is not None:
            found += 1 if own.score > other.score else tie if own.score == other.score else 0
    return found


def apart(candidates: Sequence[Candidate]) -> Tuple[List[Candidate], List[Candidate]]:
    """The relevant ones, and the others."""
    return [one for one in candidates if one.relevant], [one for one in candidates if not one.relevant]


def _auc(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    scope = choices["scope"]
    if scope == "top_k":
        return _inside(seen, k, choices["one_sided"])
    if scope == "spread":
        return _spread(seen, k, seen.catalogue - len(seen.relevant))
    relevant, others = apart(seen.candidates)
    extra = int(choices["negatives"] == "plus_one" and scope != "per_row")
    shares = [won(one, others, TIES[choices["ties"]]) + extra for one in relevant]
    total, rows = sum(shares, Fraction(0)), len(relevant) + len(others)
    count = len(others) + extra
    if scope == "limited":
        inside = sum((share for one, share in zip(relevant, shares) if one.hit), Fraction(0))
        return Share(inside / count, min(k, len(relevant)))
    return {
        "per_user": Share(total / count, len(relevant)),
        "per_positive": Share(total / count, len(relevant)),
        "per_row": Share(total / count / len(relevant) * rows, rows),
    }[scope]


def _inside(seen: Seen, k: int, one_sided: str) -> Share:
    """Pairs inside the first k ranks."""
    first = [gain > 0 for gain in seen.gains[:k]]
    pairs = sum(first) * (len(first) - sum(first))
    right = sum(not other for rank, hit in enumerate(first) if hit for other in first[rank:])
    if pairs or one_sided == "nan":
        return Share(right, pairs)
    return Share(int(one_sided == "zero_one" and any(first)), 1)


def _spread(seen: Seen, k: int, others: int) -> Share:
    """Pairs of the list, then the rest of the catalogue: a relevant item there beats half of the others there."""
    first, relevant = [gain > 0 for gain in seen.gains[:k]], len(seen.relevant)
    inside = sum(not other for rank, hit in enumerate(first) if hit for other in first[rank:])
    rest = others - (len(first) - sum(first))
    return Share(inside + rest * (sum(first) + Fraction(relevant - sum(first), 2)), relevant * others)


def _inverted_auc(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    first = [gain > 0 for gain in seen.gains[:k]]
    right = _inside(seen, k, "nan")
    misses = {"list": len(first), "k": k}[choices["misses"]] - sum(first)
    pairs = sum(first) * misses
    return Share(right.bottom - right.top, pairs) if pairs else Share(0, int(choices["one_sided"] == "zero"))


def steps(candidates: Sequence[Candidate]) -> List[Tuple[int, int]]:
    """Relevant and other items with at least a score, for each score from the highest down; those without come last."""
    scores = sorted({one.score for one in candidates if one.score is not None}, reverse=True)
    found = []
    for score in scores:
        above = [one.relevant for one in candidates if one.score is not None and one.score >= score]
        found.append((sum(above), len(above) - sum(above)))
    if any(one.score is None for one in candidates):
        relevant, others = apart(candidates)
        found.append((len(relevant), len(others)))
    return found


def _pr_auc(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    relevant = len(apart(seen.candidates)[0])
    area, before, height = Fraction(0), Fraction(0), Fraction(1)
    for found, others in steps(seen.candidates):
        recall, precision = Fraction(found, relevant), Fraction(found, found + others)
        area += (recall - before) * {"step": precision, "trapezoid": (precision + height) / 2}[choices["area"]]
        before, height = recall, precision
    return Share(area, 1)


def _partial_auc(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    relevant, others = map(len, apart(seen.candidates))
    most = Fraction(choices["max_fpr"])
    area, x, y = Fraction(0), Fraction(0), Fraction(0)
    for found, wrong in steps(seen.candidates):
        right, up = Fraction(wrong, others), Fraction(found, relevant)
        end = min(right, most)
        top = y + (up - y) * (end - x) / (right - x) if right > x else up
        area += (end - x) * (y + top) / 2
        x, y = right, up
        if right >= most:
            break
    chance = most * most / 2
    return Share(1 + (area - chance) / (most - chance), 2)


def _filtered_ranks(seen: Seen) -> List[int]:
    """The rank of each relevant item among the others, as if it were the only relevant one."""
    relevant, others = apart(seen.candidates)
    scores = [other.score for other in others if other.score is not None]
    return [1 + sum(one.score is None or score > one.score for score in scores) for one in relevant]


def _filtered_rank(seen: Seen, k: int, choices: Mapping[str, str]) -> "Share | str":
    ranks = _filtered_ranks(seen)
    inside = sorted(rank for rank in ranks if rank <= {"k": k, "k_plus_one": k + 1}[choices["within"]])
    if choices["value"] != "ndcg":
        return Share(len(inside), {"recall": len(ranks), "precision": k}[choices["value"]])
    top = "+".join(f"log2({rank})" for rank in inside)
    return f"({top})/(log2({','.join(map(str, range(1, len(ranks) + 1)))}))" if top else "0"


def _confusion(seen: Seen, k: int) -> Tuple[int, int, int, int]:
    """True positives, false positives, false negatives, true negatives."""
    hits, listed = seen.hits(k), len(seen.gains[:k])
    relevant, others = map(len, apart(seen.candidates))
    return hits, listed - hits, relevant - hits, others - listed + hits


def _fall_out(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    _, wrong, _, right = _confusion(seen, k)
    return Share(wrong, wrong + right)


def _mcc(seen: Seen, k: int, choices: Mapping[str, str]) -> str:
    tp, fp, fn, tn = _confusion(seen, k)
    spread = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return f"({tp * tn - fp * fn})/sqrt({spread})" if spread else "0"


def _cumulative_hit_rate(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    enough = Fraction(choices["threshold"])
    kept = sum(gain > 0 and score >= enough for gain, score in zip(seen.gains[:k], seen.scores))
    return Share({"any": int(kept > 0), "hits": kept}[choices["value"]], 1)


def _rating_hit_rate(seen: Seen, k: int, choices: Mapping[str, str]) -> Share:
    wanted = Fraction(choices["rating"])
    return Share(int(wanted in seen.gains[:k]), int(choices["divide_by"] == "users" or wanted in seen.relevant))


SCORED: Dict[str, Callable[[Seen, int, Mapping[str, str]], "Share | str"]] = {
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


def stacked(users: Sequence[Seen], name: str, choices: Mapping[str, str]) -> Share:
    """One curve over the candidates of all users."""
    together = tuple(one for user in users for one in user.candidates)
    if name == "auc":
        relevant, others = apart([one for one in together if one.score is not None])
        total = sum((won(one, others, TIES[choices["ties"]]) for one in relevant), Fraction(0))
        return Share(total, len(relevant) * len(others))
    found = SCORED[name](replace(users[0], candidates=together), 0, choices)
    assert isinstance(found, Share)
    return found


def truncated_auc(users: Sequence[Seen]) -> Share:
    """Rankings of all candidates, cut at the shortest of them, relevant items first among equal scores."""
    rankings = []
    for user in users:
        # an item without a score is last
        keys = sorted((one.score is None, -(one.score or 0), not one.relevant) for one in user.candidates)
        rankings.append([not other for _, _, other in keys])
    shortest, total, positives = min(map(len, rankings)), Fraction(0), 0
    for ranking in rankings:
        relevant, length = sum(ranking), len(ranking)
        ranks = sum(rank for rank, hit in enumerate(ranking[:shortest], 1) if hit)
        pairs = (length + 1) * relevant - Fraction(relevant * (relevant + 1), 2) - ranks
        total, positives = total + pairs / (length - relevant), positives + relevant
    return Share(total, positives)


def log_loss(users: Sequence[Seen]) -> str:
    """Over the candidates of all users; their scores are probabilities."""
    rows = [one for user in users for one in user.candidates if one.score is not None]
    terms = "+".join(f"ln({one.score if one.relevant else 1 - (one.score or 0)})" for one in rows)
    return f"-({terms})/{len(rows)}"


def _errors(rated: Sequence[Tuple[Fraction, Fraction, bool]], name: str, choices: Mapping[str, str]) -> str:
    """An error of predicted ratings: (predicted, true, relevant) of each judgement."""
    kept = [(predicted, true) for predicted, true, relevant in rated if relevant or choices.get("of") != "relevant"]
    if name == "accuracy":
        step = {"exact": None, "nearest_half": Fraction(1, 2), "nearest": Fraction(1)}[choices["match"]]
        same = [(round(one / step) * step if step else one) == true for one, true in kept]
        return str(Fraction(sum(same), len(kept)))
    power = {"mae": 1, "mse": 2, "rmse": 2}[name]
    mean = sum(abs(predicted - true) ** power for predicted, true in kept) / Fraction(len(kept))
    return f"sqrt({mean})" if name == "rmse" else str(mean)


def rating_error(name: str, users: Sequence[Seen], choices: Mapping[str, str]) -> str:
    """An error of predicted ratings over all judgements, or the mean of users'."""
    every = [rated for user in users for rated in user.ratings]
    if name == "r_squared":
        return str(_r_squared(every, choices["errors"]))
    if choices["over"] == "ratings":
        return _errors(every, name, choices)
    return f"({'+'.join(_errors(user.ratings, name, choices) for user in users)})/{len(users)}"


def _r_squared(rated: Sequence[Tuple[Fraction, Fraction, bool]], errors: str) -> Fraction:
    missed = [true - predicted for predicted, true, _ in rated]
    shift = {"as_they_are": Fraction(0), "centred": sum(missed) / Fraction(len(missed))}[errors]
    middle = sum(true for _, true, _ in rated) / Fraction(len(rated))
    spread = sum(((true - middle) ** 2 for _, true, _ in rated), Fraction(0))
    return 1 - sum(((one - shift) ** 2 for one in missed), Fraction(0)) / spread


RATED = ("mae", "mse", "rmse", "r_squared", "accuracy")
"""The metrics of predicted ratings."""

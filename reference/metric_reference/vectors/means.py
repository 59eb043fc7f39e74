"""The exact value of a definition for a case: from the data of each user to one number, as text."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import median
from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np

from metric_reference.case import Case
from metric_reference.edges import Edges
from metric_reference.ties import break_ties
from metric_reference.variant import Variant
from metric_reference.vectors.beyond import OF_RELEVANT, PER_LIST, Quotient, base_of
from metric_reference.vectors.closed_forms import CLOSED
from metric_reference.vectors.exact import OF_LISTS, Candidate, Share, Training, UserData, depth_of
from metric_reference.vectors.exposed import OF_ALL, reads_catalogue
from metric_reference.vectors.scored import RATED, SCORED, log_loss, rating_error, stacked, truncated_auc
from metric_reference.vectors.sums import divided, number, plus, times

FORMS = {**OF_LISTS, **SCORED, **CLOSED}
BEYOND_ACCURACY = (*OF_ALL, *PER_LIST)
METRICS = (*FORMS, *RATED, "truncated_auc", "log_loss", *BEYOND_ACCURACY)
"""The metrics that have an exact form here."""
OVER_SCORES = ("auc", "pr_auc", "partial_auc", "filtered_rank")
"""Those whose value does not depend on the list, except for some scopes of AUC."""
POOLED = ("per_positive", "per_row", "per_pair")
"""The scopes of AUC that weight users."""
EDGE_VALUES = {"zero": Share(0, 1), "one": Share(1, 1)}


def has_all(case: Case, variant: Variant) -> bool:
    """Whether a case has all that a definition reads; only candidates or training data tell the catalogue."""
    if any(getattr(case, name) is None for name in variant.metric.needs):
        return False
    known = case.candidate_scores is not None or case.item_counts is not None
    if not known and reads_catalogue(variant.metric.name, variant.metric.made()):
        return False
    if variant.metric.name != "log_loss":
        return True
    assert case.candidate_scores is not None
    scores = case.candidate_scores[case.candidate_scores > -np.inf]
    return bool(((scores > 0) & (scores < 1)).all())  # probabilities


def exact_mean(variant: Variant, users: Sequence[UserData], edges: Edges, k: int) -> str:
    """The exact value of a definition for the users of a case, as text: a fraction if every user's value is one.

    Raises KeyError for a metric or a choice that has no exact form here.
    """
    name = variant.metric.name
    choices = variant.metric.made()
    if name in OF_ALL:
        return OF_ALL[name](users, k, choices)
    if name in PER_LIST:
        return _beyond(variant, users, edges, k)
    if name in RATED:
        return rating_error(name, users, choices)
    if name == "log_loss":
        return log_loss(users)
    if name == "truncated_auc":
        return str(truncated_auc([user for user in users if user.relevant]).value)
    if choices.get("scope") == "stacked":
        return str(stacked(users, name, choices).value)
    if name == "f1" and choices["over"] == "means":
        return _f1_of_means([user for user in users if user.relevant], k, choices)
    if name == "rank" and choices["missing"] == "left_out":
        users = [user for user in users if user.hits(depth_of(user, k, choices))]
    if name == "rank" and choices["over"] != "mean":
        middle = median(_share(name, user, k, choices).value for user in users if user.relevant)
        return str(middle if choices["over"] == "median" else math.floor(middle))
    if choices.get("who") == "with_hit":
        users = [user for user in users if _share(name, user, k, choices).top]
    behaviours = [(user, _edge(name, user, edges, choices)) for user in users]
    counted = [(user, edge) for user, edge in behaviours if edge != "skipped"]
    if variant.weight == "micro" or choices.get("scope") in POOLED:
        shares = [_share(name, user, k, choices) for user, _ in counted]
        return str(Share(sum(share.top for share in shares), sum(share.bottom for share in shares)).value)
    values = [FORMS[name](user, k, choices) if edge is None else EDGE_VALUES[edge] for user, edge in counted]
    return _total(values, 1 if variant.weight == "sum" else len(values))


def _beyond(variant: Variant, users: Sequence[UserData], edges: Edges, k: int) -> str:
    """A metric beyond accuracy that has a value for each user; a user for whom it is undefined is not in the mean."""
    name, choices, quotients = variant.metric.name, variant.metric.made(), []
    for user in users:
        quotient = PER_LIST[name](user, k, choices)
        edge = _edge(name, user, edges, choices) if name in OF_RELEVANT else None
        if quotient is not None and edge != "skipped":
            quotients.append(quotient if edge is None else Quotient(number(EDGE_VALUES[edge].top), 1))
    if variant.weight == "micro" and choices.get("discount", "none") != "none":
        raise KeyError(str(variant))  # the divisor is a closed form
    if variant.weight == "micro":
        total = times(plus(term.top for term in quotients), 1 / Fraction(sum(term.bottom for term in quotients)))
    else:
        divisor = {"user": len(quotients), "sum": 1}[variant.weight]
        total = plus(times(term.top, 1 / Fraction(term.bottom * divisor)) for term in quotients)
    return divided(total, base_of(name, users[0], choices))


def _edge(name: str, user: UserData, edges: Edges, choices: Dict[str, str]) -> Optional[str]:
    """The behaviour for a user without relevant items or without a list; None for any other user."""
    if not user.relevant:
        return edges.no_relevant
    reads_list = name not in OVER_SCORES or choices.get("scope") in ("top_k", "limited", "spread")
    return edges.no_list if not user.gains and reads_list else None


def _share(name: str, user: UserData, k: int, choices: Dict[str, str]) -> Share:
    share = FORMS[name](user, k, choices)
    assert isinstance(share, Share)
    return share


def _total(values: "Sequence[Share | str]", divisor: int) -> str:
    """The sum of values over a number."""
    forms = [value for value in values if isinstance(value, str) and not _is_fraction(value)]
    fractions = [value.value if isinstance(value, Share) else Fraction(value) for value in values if value not in forms]
    fraction = sum(fractions, Fraction(0))
    if not forms:
        return str(fraction / divisor) if divisor else "0"
    total = "+".join([*([str(fraction)] if fraction else []), *forms])
    return total if divisor == 1 else f"({total})/{divisor}"


def _is_fraction(text: str) -> bool:
    """Whether a text is a fraction."""
    return text.replace("/", "", 1).isdigit()


def _f1_of_means(users: Sequence[UserData], k: int, choices: Dict[str, str]) -> str:
    """The F1 of mean precision and mean recall."""
    means: List[Fraction] = []
    for name, divide_by in (("precision", choices["divide_by"]), ("recall", "relevant")):
        values = [OF_LISTS[name](user, k, {"divide_by": divide_by, "cut": "k"}).value for user in users]
        means.append(sum(values, Fraction(0)) / len(values))
    return str(Share(2 * means[0] * means[1], means[0] + means[1]).value)


def user_data(case: Case, edges: Edges, k: int) -> List[UserData]:
    """The data of each user, after breaking ties and treating repeated items."""
    if edges.ties != "input_order":
        case = break_ties(case, edges.ties)
    training = _training(case)
    return [_user_data(case, edges, k, user, training) for user in range(case.users)]


def _training(case: Case) -> Training:
    counts = () if case.item_counts is None else tuple(case.item_counts.tolist())
    vectors = (
        () if case.item_vectors is None else tuple(tuple(map(Fraction, row)) for row in case.item_vectors.tolist())
    )
    return Training(counts, case.n_train_users or 0, vectors)


def _user_data(case: Case, edges: Edges, k: int, user: int, training: Training) -> UserData:
    own = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
    judged = list(zip(case.judged_items[own].tolist(), case.judged_gains[own].tolist(), case.relevant[own].tolist()))
    relevant = {item: Fraction(gain) for item, gain, is_relevant in judged if is_relevant}
    listed = case.list_of(user).tolist()
    gains = [relevant.get(item, Fraction(0)) for item in listed]
    if edges.duplicates == "once":
        gains = [Fraction(0) if item in listed[:rank] else gains[rank] for rank, item in enumerate(listed)]
    scores = () if case.scores is None else tuple(map(Fraction, case.scores[user][: len(listed)].tolist()))
    ratings: Tuple[Tuple[Fraction, Fraction, bool], ...] = ()
    if case.predicted_ratings is not None:
        ratings = tuple(
            (Fraction(predicted), Fraction(gain), is_relevant)
            for predicted, (_, gain, is_relevant) in zip(case.predicted_ratings[own].tolist(), judged)
            if not math.isnan(predicted)
        )
    return UserData(
        tuple(gains),
        tuple(relevant.values()),
        Fraction(case.threshold),
        scores,
        _candidates(case.candidate_scores, user, relevant, listed[:k]),
        case.n_items,
        ratings,
        tuple(listed),
        _history(case, user),
        training,
    )


def _history(case: Case, user: int) -> Tuple[int, ...]:
    if case.train_indptr is None or case.train_items is None:
        return ()
    return tuple(case.train_items[int(case.train_indptr[user]) : int(case.train_indptr[user + 1])].tolist())


def _candidates(
    scores: Optional[np.ndarray], user: int, relevant: Dict[int, Fraction], first: Sequence[int]
) -> Tuple[Candidate, ...]:
    if scores is None:
        return ()
    return tuple(
        Candidate(None if score == -math.inf else Fraction(score), item in relevant, item in first, (user, item))
        for item, score in enumerate(scores[user].tolist())
        if score > -math.inf or item in relevant
    )

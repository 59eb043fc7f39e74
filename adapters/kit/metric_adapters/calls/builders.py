"""The data of one user by role: relevant items, the list, its relevance in rank order, labels, ...

Every builder returns new objects, so that a function that changes its input affects no later call.
"""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from metric_adapters.calls.view import View, judged, listed, listed_once, unlisted, wanted, wanted_one
from metric_adapters.shapes import rank_scores
from metric_adapters.subject import CannotShow

RANK_OF_UNLISTED = 1_000_000_000
"""Ranks from here on are those of unlisted items: beyond every cut-off, and 1 / rank is 0 within rounding."""


def relevant(view: View, user: int) -> np.ndarray:
    """int64: ids of the relevant items."""
    return view.present(wanted(view, user))


def gains_of_relevant(view: View, user: int) -> np.ndarray:
    """float64: the gains of the relevant items, in their order."""
    gains = judged(view, user)
    return np.array([gains[item] for item in wanted(view, user).tolist()], dtype=np.float64)


def recommended(view: View, user: int) -> np.ndarray:
    """int64: ids of the listed items, best first."""
    return view.present(listed(view, user))


def item(view: View, user: int) -> int:
    """The id of the one relevant item."""
    return int(view.present(np.array([wanted_one(view, user)]))[0])


def grades(view: View, user: int) -> Dict[int, float]:
    """The gain of each relevant item, by id."""
    gains = judged(view, user)
    return dict(zip(view.present(np.fromiter(gains, dtype=np.int64)).tolist(), gains.values()))


def grade_of_each(view: View, user: int) -> Dict[int, float]:
    """The gain of each item of the catalogue, by id, 0 for what is not relevant."""
    items = view.present(np.arange(view.case.n_items)).tolist()
    return {**dict.fromkeys(items, 0.0), **grades(view, user)}


def _listed(view: View, user: int) -> np.ndarray:
    """:func:`listed`, in no order where the view is unsorted and has a score beside each."""
    items = listed(view, user)
    return items[view.in_any_order(_scores(view, user), user)] if view.unsorted else items


def _scores(view: View, user: int) -> np.ndarray:
    """float64: the score of each listed item, best first."""
    return np.array(rank_scores(view.case)[user][: len(listed(view, user))], dtype=np.float64)


def relevance(view: View, user: int) -> np.ndarray:
    """int64, 0 or 1 for each rank of the list."""
    return np.isin(_listed(view, user), wanted(view, user)).astype(np.int64)


def relevance_of_one(view: View, user: int) -> np.ndarray:
    """:func:`relevance` of a user with one relevant item."""
    wanted_one(view, user)
    return relevance(view, user)


def relevance_graded(view: View, user: int) -> np.ndarray:
    """float64: the gain at each rank of the list, 0 for an item that is not relevant."""
    gains = judged(view, user)
    return np.array([gains.get(item, 0.0) for item in _listed(view, user).tolist()], dtype=np.float64)


def n_hits(view: View, user: int) -> int:
    """Number of relevant items up to k."""
    return int(relevance(view, user)[: view.k].sum())


def n_relevant(view: View, user: int) -> int:
    """Number of relevant items."""
    return len(wanted(view, user))


def any_gains(view: View, user: int) -> np.ndarray:
    """float64: :func:`gains` in no order, whatever the view is."""
    own = gains(view, user)
    return own[view._replace(unsorted=True).in_any_order(-own, user)]


def catalogue_items(view: View, user: int) -> np.ndarray:
    """int64: the id of each item of the catalogue."""
    return view.present(np.arange(view.case.n_items))


def gains(view: View, user: int) -> np.ndarray:
    """float64: the gains of :func:`judged` items, largest first: the ideal list."""
    return -np.sort(-np.array(list(judged(view, user).values()), dtype=np.float64))


def sorted_gains(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): the gain of each item, largest first."""
    return -np.sort(-y_true_graded(view, user))


def ideal_relevance(view: View, user: int) -> np.ndarray:
    """int64: 1 for each relevant item: the relevance of the ideal list."""
    return np.ones(len(wanted(view, user)), dtype=np.int64)


def list_scores(view: View, user: int) -> np.ndarray:
    """float64: the score of each listed item, best first if the view is sorted."""
    scores = _scores(view, user)
    return scores[view.in_any_order(scores, user)]


def y_true(view: View, user: int) -> np.ndarray:
    """int64, shape (n_items,): 1 for a relevant item."""
    labels = np.zeros(view.case.n_items, dtype=np.int64)
    labels[wanted(view, user)] = 1
    return labels


def one_true(view: View, user: int) -> np.ndarray:
    """int64, shape (n_items,): 1 for the one relevant item."""
    wanted_one(view, user)
    return y_true(view, user)


def y_true_graded(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): gains."""
    labels = np.zeros(view.case.n_items)
    for item, gain in judged(view, user).items():
        labels[item] = gain
    return labels


def y_score(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): scores that rank the list first.

    Listed items have the case's scores. All others have lower ones, the relevant items the lowest, so that an item that
    is not listed is no hit. CannotShow for an item that is listed twice.
    """
    case = view.case
    items, scores = listed_once(view._replace(cut=None), user, "a vector of scores"), np.empty(case.n_items)
    own = rank_scores(case)[user][: len(items)]
    rest = unlisted(view, user, items)
    scores[items] = own
    scores[rest] = (own.min() if len(own) else 0.0) - np.arange(1, len(rest) + 1)
    return scores


def positive_score(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): :func:`y_score` with the least one at 1."""
    scores = y_score(view, user)
    return scores - scores.min(initial=0.0) + 1.0


def small_score(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): :func:`y_score` in the same order between -4 and 4."""
    return made_small(y_score(view, user))


def made_small(scores: np.ndarray) -> np.ndarray:
    """Scores in the same order between -4 and 4, equal ones equal."""
    values, places = np.unique(scores, return_inverse=True)
    return np.asarray(np.linspace(-4.0, 4.0, len(values))[places])


def y_listed(view: View, user: int) -> np.ndarray:
    """int64, shape (n_items,): 1 for a listed item."""
    labels = np.zeros(view.case.n_items, dtype=np.int64)
    labels[listed_once(view, user, "a vector of labels")] = 1
    return labels


def places(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): the ranks 1, 2, 3, ... of a list of the whole catalogue."""
    return np.arange(1.0, view.case.n_items + 1)


def list_length(view: View, user: int) -> int:
    """Number of listed items."""
    return len(listed(view, user))


def item_ranks(view: View, user: int) -> np.ndarray:
    """int64, shape (n_items,): the rank of each hit, from 1; 0 for every other item."""
    ranks, of_hits = np.zeros(view.case.n_items, dtype=np.int64), hit_ranks(view, user)
    ranks[listed_once(view, user, "a vector of ranks")[of_hits - 1]] = of_hits
    return ranks


def padded_score(view: View, user: int) -> np.ndarray:
    """float64, shape (1 + n_items,): :func:`y_score` after a lower score, that of item 0, which is padding."""
    scores = y_score(view, user)
    return np.concatenate([[scores.min(initial=0.0) - 1.0], scores])


def padded_item(view: View, user: int) -> int:
    """The place of the one relevant item in :func:`padded_score`."""
    return 1 + wanted_one(view, user)


def catalogue_ranks(view: View, user: int) -> np.ndarray:
    """int64, shape (n_items,): the rank of each item by :func:`y_score`, from 1; the list on top."""
    ranks = np.empty(view.case.n_items, dtype=np.int64)
    ranks[np.argsort(-y_score(view, user), kind="stable")] = np.arange(1, len(ranks) + 1)
    return ranks


def candidates(view: View, user: int) -> np.ndarray:
    """The model's scores of the whole catalogue; CannotShow if the case has none."""
    if view.case.candidate_scores is None:
        raise CannotShow("this convention takes the scores of the whole catalogue, which this case does not have")
    return np.asarray(view.case.candidate_scores[user])


def labels(view: View, user: int) -> np.ndarray:
    """int64: 1 for a relevant item, for each candidate (items of the training data are no candidates)."""
    return y_true(view, user)[candidates(view, user) > -np.inf]


def scores(view: View, user: int) -> np.ndarray:
    """float64: the model's score of each candidate."""
    own = candidates(view, user)
    return np.array(own[own > -np.inf], dtype=np.float64)


def small_scores(view: View, user: int) -> np.ndarray:
    """float64: :func:`scores` in the same order between -4 and 4."""
    return made_small(scores(view, user))


def scores_by_item(view: View, user: int) -> Dict[int, float]:
    """The model's score of each candidate, by id."""
    items = np.flatnonzero(candidates(view, user) > -np.inf)
    return dict(zip(view.present(items).tolist(), scores(view, user).tolist()))


def unit_weights(view: View, user: int) -> np.ndarray:
    """float64: 1 for each candidate."""
    return np.ones(len(scores(view, user)))


def positive_scores(view: View, user: int) -> np.ndarray:
    """float64: the model's score of each relevant candidate."""
    return scores(view, user)[labels(view, user) == 1]


def negative_scores(view: View, user: int) -> np.ndarray:
    """float64: the model's score of each candidate that is not relevant."""
    return scores(view, user)[labels(view, user) == 0]


def positive_counts(view: View, user: int) -> np.ndarray:
    """int64: how many relevant candidates have each score, the lowest score first."""
    return _counts(view, user, 1)


def negative_counts(view: View, user: int) -> np.ndarray:
    """int64: the same of the candidates that are not relevant."""
    return _counts(view, user, 0)


def _counts(view: View, user: int, label: int) -> np.ndarray:
    buckets = np.unique(scores(view, user), return_inverse=True)[1]
    return np.bincount(buckets[labels(view, user) == label], minlength=1 + buckets.max(initial=-1))


def positive_first(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): the score of the one relevant item, then the scores of all other items."""
    item, scores = wanted_one(view, user), y_score(view, user)
    return np.concatenate([scores[item : item + 1], np.delete(scores, item)])


def positive_last(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): the scores of all other items, then that of the one relevant item."""
    return np.roll(positive_first(view, user), -1)


def nearest_first(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): :func:`positive_first` with the other sign, the smallest best."""
    return -positive_first(view, user)


def positive_is_zero(view: View, user: int) -> np.ndarray:
    """int64, shape (n_items,): the places in :func:`positive_first`, best first; the relevant item's is 0."""
    return np.argsort(-positive_first(view, user), kind="stable")


def first_score(view: View, user: int) -> float:
    """The score of the one relevant item by :func:`y_score`."""
    return float(positive_first(view, user)[0])


def other_scores(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items - 1,): the scores of all other items by :func:`y_score`."""
    return positive_first(view, user)[1:]


def first_label(view: View, user: int) -> np.ndarray:
    """int64, shape (n_items,): 1 for the one relevant item, which comes first, and 0 for all others."""
    wanted_one(view, user)
    return np.eye(1, view.case.n_items, dtype=np.int64)[0]


def ranks(view: View, user: int) -> np.ndarray:
    """int64: the rank of each relevant item, from 1; ascending if the view is sorted.

    CannotShow for a repeated item.
    """
    by_item = {item: rank for rank, item in enumerate(listed_once(view, user, "a list of ranks").tolist(), start=1)}
    # ranks of items that are not listed differ: a function that takes them for numbers must not see all as one
    own = sorted(by_item.get(item, RANK_OF_UNLISTED * (1 + (item + user) % 3)) for item in wanted(view, user).tolist())
    found = np.array(own, dtype=np.int64)
    return found[view.in_any_order(found, user)]


def positions(view: View, user: int) -> np.ndarray:
    """int64: the rank of each relevant item, from 0; ascending if the view is sorted."""
    own = ranks(view, user)
    return np.where(own >= RANK_OF_UNLISTED, own, own - 1)


def list_ranks(view: View, user: int) -> np.ndarray:
    """int64: the rank of each listed item, from 1, in the order of :func:`relevance`."""
    scores = _scores(view, user)
    return view.in_any_order(scores, user) + 1


def hit_ranks(view: View, user: int) -> np.ndarray:
    """int64: the ranks that hold a relevant item, from 1."""
    return np.flatnonzero(relevance(view, user)) + 1


def hit_positions(view: View, user: int) -> np.ndarray:
    """int64: the ranks that hold a relevant item, from 0."""
    return np.flatnonzero(relevance(view, user))


def rank(view: View, user: int) -> int:
    """The rank of the one relevant item, from 1."""
    wanted_one(view, user)
    return int(ranks(view, user)[0])


def position(view: View, user: int) -> int:
    """The rank of the one relevant item, from 0."""
    wanted_one(view, user)
    return int(positions(view, user)[0])


def item_scores(view: View, user: int) -> Dict[int, float]:
    """The score of each listed item, by id."""
    items = listed_once(view, user, "a dict of scores")
    return dict(zip(view.present(items).tolist(), list_scores(view, user).tolist()))


def scored(view: View, user: int) -> List[Tuple[int, float]]:
    """The id and the score of each listed item, best first."""
    return list(zip(recommended(view, user).tolist(), _scores(view, user).tolist()))


def score_item(view: View, user: int) -> List[Tuple[float, int]]:
    """The score and the id of each listed item, best first."""
    return [(score, item) for item, score in scored(view, user)]


def score_item_rank(view: View, user: int) -> List[Tuple[float, int, int]]:
    """The score, the id and the rank (from 1) of each listed item, best first."""
    return [(score, item, rank) for rank, (item, score) in enumerate(scored(view, user), start=1)]


def item_rank_score(view: View, user: int) -> List[Tuple[int, int, float]]:
    """The id, the rank (from 1) and the score of each listed item, best first."""
    return [(item, rank, score) for score, item, rank in score_item_rank(view, user)]


def counted_labels(view: View, user: int) -> List[Tuple[int, int, float]]:
    """For each item of the catalogue 1 where it is not relevant, 1 where it is, and its score."""
    labels, scores = y_true(view, user).tolist(), y_score(view, user).tolist()
    return [(1 - int(label), int(label), score) for label, score in zip(labels, scores)]


def graded_items(view: View, user: int) -> List[Tuple[int, float]]:
    """The id and the gain of each relevant item; the largest gain first if the view is sorted."""
    pairs = sorted(grades(view, user).items(), key=lambda pair: -pair[1])
    places = view.in_any_order(np.array([gain for _, gain in pairs]), user)
    return [pairs[place] for place in places.tolist()]


def distances(view: View, user: int) -> np.ndarray:
    """float64, shape (n_items,): the largest :func:`y_score` (or 0) minus each item's; smaller is better."""
    scores = y_score(view, user)
    return scores.max(initial=0.0) - scores


def similarity(view: View, user: int) -> np.ndarray:
    """float64, shape (max(n_items, users),): scores, with that of the one relevant item swapped to the user's index."""
    item, scores = wanted_one(view, user), y_score(view, user)
    missing = max(view.case.users - len(scores), 0)
    row = np.concatenate([scores, scores.min() - np.arange(1.0, missing + 1)])
    row[user], row[item] = row[item], row[user]
    return row


def own_places(view: View, user: int) -> np.ndarray:
    """int64: the numbers of the listed items, where the one relevant item and that of the user's number are swapped."""
    item, items = wanted_one(view, user), listed(view, user)
    return np.where(items == item, user, np.where(items == user, item, items))


def list_classes(view: View, user: int) -> np.ndarray:
    """int64: the class of each listed item: the query's for a relevant item, else one that no query has."""
    return np.where(relevance(view, user) == 1, query_class(view, user), view.case.users + 1)


def query_class(view: View, user: int) -> int:
    """The class of the query, which its relevant items share."""
    return user + 1


def score_series(view: View, user: int) -> Any:
    """The scores of the listed items as a pandas Series by item id."""
    items = listed_once(view, user, "a series by item")
    return view.kit.series(list_scores(view, user).tolist(), view.present(items))


def user_key(view: View, user: int) -> int:
    """The key of the user in dicts by user."""
    return user

"""A part of a case: some users, the list without items that nobody judged, or some of the relevant items alone.

A definition may read a part of a user's data with the formula of any metric, so this is no choice of one metric.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, Dict

import numpy as np

from metric_reference.case import NOTHING, Case
from metric_reference.matching import Matches, match

EVERYTHING = "everything"
"""The usual word: the whole case is read."""


def narrowed(matches: Matches, only: str, k: int) -> Matches:
    """The matches of the part of a case that a definition reads; computed once for a word and a cut-off.

    only : ``everything``; ``judged``: items of the list whose relevance nobody judged are taken out before ranks are
        counted and the list is cut ("condensed lists": Sakai, "Alternatives to Bpref", SIGIR 2007, doi
        10.1145/1277741.1277756; trec_eval's -J); ``first_k_relevant``: of the relevant items the first k alone, in the
        order of the judgements, so that every r is min(k, r); ``listed``: of the relevant items those alone that the
        whole, uncut list holds, so that r is its number of hits, and a user without any is one without relevant items;
        ``with_hit``: users without a hit up to k are read as users without relevant items, and where no user has one
        the value is 0;
        ``with_hit_or_nan``: the same, NaN there; ``predicted``: items of the list whose predicted rating is below the
        threshold of relevance, or that have none, are taken out (the precision and recall of Surprise's FAQ, Hug 2020,
        doi 10.21105/joss.02174); a case without predicted ratings is read as it is.
    """
    if only == EVERYTHING:
        return matches
    return matches.once(("only", only, k), lambda: match(PARTS[only](matches.case, k), matches.duplicates))


def nobody_has_a_hit(matches: Matches, part: Matches, only: str) -> bool:
    """Whether no user is left in a part of users with a hit, which is 0 there."""
    return only == "with_hit" and bool(matches.n_relevant.any()) and not part.n_relevant.any()


def of_users(case: Case, users: np.ndarray) -> Case:
    """The case of these users, in this order; a user may occur twice. users : int64, shape (any,)."""
    indptr, entries = _rows(case.judged_indptr, users)
    train_indptr, train_entries = (None, None) if case.train_indptr is None else _rows(case.train_indptr, users)
    return replace(
        case,
        recommended=case.recommended[users],
        judged_indptr=indptr,
        judged_items=case.judged_items[entries],
        judged_gains=case.judged_gains[entries],
        scores=None if case.scores is None else case.scores[users],
        candidate_scores=None if case.candidate_scores is None else case.candidate_scores[users],
        train_indptr=train_indptr,
        train_items=None if case.train_items is None else case.train_items[train_entries],
        predicted_ratings=None if case.predicted_ratings is None else case.predicted_ratings[entries],
    )


def _rows(indptr: np.ndarray, users: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
    """The indptr of some rows of a CSR, and the places of their entries: both int64."""
    sizes = np.diff(indptr)[users]
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return ends, np.arange(ends[-1]) + np.repeat(np.asarray(indptr)[users] - ends[:-1], sizes)


def _judged(case: Case, k: int) -> Case:
    """The case without the items of lists that the user did not judge."""
    return _listed_alone(case, np.ones(len(case.judged_items), dtype=bool))


def _predicted(case: Case, k: int) -> Case:
    """The case without the items of lists whose predicted rating is not relevant; NaN is not."""
    return case if case.predicted_ratings is None else _listed_alone(case, case.predicted_ratings >= case.threshold)


def _listed_alone(case: Case, judgements: np.ndarray) -> Case:
    """The case with the items of some judgements alone in its lists; those below move up."""
    chosen = np.zeros((case.users, case.n_items + 1), dtype=bool)  # the padding -1 is the last column
    chosen[case.judged_users[judgements], case.judged_items[judgements]] = True
    kept = np.take_along_axis(chosen, case.recommended, axis=1)
    order = np.argsort(~kept, axis=1, kind="stable")
    recommended = np.take_along_axis(np.where(kept, case.recommended, NOTHING), order, axis=1)
    if case.scores is None:
        return replace(case, recommended=recommended)
    scores = np.take_along_axis(np.where(kept, case.scores, np.nan), order, axis=1)
    return replace(case, recommended=recommended, scores=scores)


def _first_k_relevant(case: Case, k: int) -> Case:
    """The case without judgements of relevant items after each user's k-th."""
    number = np.cumsum(case.relevant)
    before_user = np.concatenate([[0], number])[case.judged_indptr[:-1]]
    return _with_relevant(case, number - before_user[case.judged_users] <= k)


def _listed(case: Case, k: int) -> Case:
    """The case without relevant items that are not listed."""
    listed = np.zeros((case.users, case.n_items + 1), dtype=bool)  # the padding -1 is the last column
    listed[np.arange(case.users)[:, None], case.recommended] = True
    hits = case.relevant & listed[case.judged_users, case.judged_items]
    return _with_relevant(case, hits)


def _with_hit(case: Case, k: int) -> Case:
    """The case without the relevant items of users that have no hit up to k."""
    return _with_relevant(case, (match(case).hit_count(k) > 0)[case.judged_users])


def _with_relevant(case: Case, chosen: np.ndarray) -> Case:
    """The case with those of the relevant items alone that are chosen: bool, an entry for each judgement."""
    kept = ~case.relevant | chosen
    return replace(
        case,
        judged_indptr=np.concatenate([[0], np.cumsum(kept)])[case.judged_indptr],
        judged_items=case.judged_items[kept],
        judged_gains=case.judged_gains[kept],
        predicted_ratings=None if case.predicted_ratings is None else case.predicted_ratings[kept],
    )


PARTS: Dict[str, Callable[[Case, int], Case]] = {
    "judged": _judged,
    "first_k_relevant": _first_k_relevant,
    "listed": _listed,
    "with_hit": _with_hit,
    "with_hit_or_nan": _with_hit,
    "predicted": _predicted,
}
ONLY = (EVERYTHING, *PARTS)
"""The words, the usual one first."""

"""The two tables of retrieval evaluation, judgements (qrels) and a run, by query id and document id.

Ids are text, as in TREC's files. A query's id is its number; document ids sort as the item numbers do: a library
that breaks ties by id breaks them by item number. As in a file, a query without a relevant document has no judgements,
and one without a list has no rows in the run. Imports numpy only.
"""

from __future__ import annotations

from typing import Dict, List, Mapping, Optional

import numpy as np

from metric_adapters.shapes import dense_ranks, relevant_pairs
from metric_adapters.subject import Answer, CannotShow
from metric_reference.case import Case


def documents(case: Case, items: np.ndarray) -> List[str]:
    """The ids of items: a letter and a number of fixed length, which sort as the item numbers do and are text."""
    digits = len(str(max(case.n_items - 1, 0)))
    return [f"d{item:0{digits}d}" for item in items.tolist()]


def qrels(case: Case, *, graded: bool = False) -> Dict[str, Dict[str, int]]:
    """Relevance of each relevant document by query: 1, or its gain for a measure of ``graded`` relevance.

    Raises CannotShow for a gain that is no whole number, as TREC's files hold whole numbers only.
    """
    users, items, gains = relevant_pairs(case)
    if not graded:
        gains = np.ones_like(gains)
    if np.any(gains != np.floor(gains)):
        raise CannotShow(f"relevance is a whole number in judgements, not {gains[gains != np.floor(gains)][0]}")
    rows: Dict[str, Dict[str, int]] = {}
    for user, document, gain in zip(users.tolist(), documents(case, items), gains.astype(int).tolist()):
        rows.setdefault(str(user), {})[document] = gain
    return rows


def run(case: Case, k: Optional[int] = None) -> Dict[str, Dict[str, float]]:
    """Score of each document of each list by query, cut at ``k`` if given; scores are dense ranks from below.

    trec_eval reads scores in single precision, which makes close scores equal; dense ranks keep their order in any
    precision. Raises CannotShow for an item that is listed twice: a run holds one score for each; and where the cut
    would divide equal scores, of which the order is ours then and not that of the library.
    """
    users, items, scores = dense_ranks(case)
    if k is not None and (divided := divided_ties(case, k)).any():
        raise CannotShow(
            f"user {int(np.argmax(divided))} has equal scores on both sides of rank {k}, where the run is cut"
        )
    rows: Dict[str, Dict[str, float]] = {}
    for user, document, score in zip(users.tolist(), documents(case, items), scores.tolist()):
        listed = rows.setdefault(str(user), {})
        if k is None or len(listed) < k:
            listed[document] = score
    return rows


def divided_ties(case: Case, k: int) -> np.ndarray:
    """bool array, shape (users,): whether the items at ranks k and k + 1 of a list have the same score."""
    if case.scores is None or case.width <= k:
        return np.zeros(case.users, dtype=bool)
    return (case.list_lengths > k) & (case.scores[:, k - 1] == case.scores[:, k])


def by_query(value: float, values: Mapping[str, float]) -> Answer:
    """An answer with the values of the queries, in the order of their numbers."""
    users = sorted(int(query) for query in values)
    return Answer(
        value, np.array(users, dtype=np.int64), np.array([values[str(user)] for user in users], dtype=np.float64)
    )

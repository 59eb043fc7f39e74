"""Makes a case smaller, one dimension at a time, as long as a function still departs from its variant on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from metric_harness.naming.cases.random_cases import users_of, with_judgements
from metric_reference.case import NOTHING, Case


@dataclass(frozen=True, eq=False)
class Question:
    """A case, a cut-off, and the item ids that a function sees (None: the item numbers)."""

    case: Case
    k: int
    ids: np.ndarray | None = None


Departs = Callable[[Question], bool]
"""Whether a function departs from its variant on a question."""


class Exhausted(Exception):
    """Raised by a :data:`Departs` whose search has reached its limit of questions or time."""


def smallest_that_departs(low: int, high: int, departs: Callable[[int], bool]) -> int:
    """The smallest number in (low, high] that departs, by bisection; ``high`` must depart and ``low`` must not."""
    while high - low > 1:
        middle = (low + high) // 2
        if departs(middle):
            high = middle
        else:
            low = middle
    return high


def one_user(question: Question, likely: Sequence[int], departs: Departs, tries: int = 24) -> Question | None:
    """The question about a single user that departs, the likely users first; None if none of ``tries`` users does."""
    case = question.case
    order = [*likely, *(user for user in range(case.users) if user not in set(likely))]
    for user in order[:tries]:
        alone = replace(question, case=users_of(case, np.array([user])))
        if departs(alone):
            return alone
    return None


def fewest_users(question: Question, departs: Departs) -> Question:
    """The question about as few of the first users as depart."""

    def first(count: int) -> Question:
        return replace(question, case=users_of(question.case, np.arange(count)))

    return first(smallest_that_departs(0, question.case.users, lambda count: departs(first(count))))


def smallest_k(question: Question, departs: Departs) -> Question:
    """The question at the smallest cut-off from which on it departs."""
    return replace(question, k=smallest_that_departs(0, question.k, lambda k: departs(replace(question, k=k))))


def shortest_list(question: Question, departs: Departs) -> Question:
    """The question with the lists cut to the shortest length that departs."""
    case = question.case

    def cut(length: int) -> Question:
        scores = None if case.scores is None else case.scores[:, :length]
        return replace(question, case=replace(case, recommended=case.recommended[:, :length], scores=scores))

    longest = int(case.list_lengths.max(initial=1))
    if longest < 2:
        return question
    return cut(smallest_that_departs(0, longest, lambda length: departs(cut(length))))


def earliest_hit(question: Question, departs: Departs) -> Question:
    """The question of one user with the last hit swapped to the highest rank at which it still departs."""
    case = question.case
    listed = case.recommended[0]
    hits = np.flatnonzero(np.isin(listed, case.relevant_of(0)))
    if case.users != 1 or not len(hits):
        return question
    last = int(hits[-1])
    misses = [rank for rank in range(last) if rank not in set(hits.tolist())]

    def swapped(rank: int) -> Question:
        row = listed.copy()
        row[[rank, last]] = row[[last, rank]]
        scores = case.candidate_scores
        if scores is not None:
            scores = scores.copy()
            scores[0, listed[[rank, last]]] = scores[0, listed[[last, rank]]]
        return replace(question, case=replace(case, recommended=row[None], candidate_scores=scores))

    first = smallest_that_departs(-1, len(misses), lambda i: i >= len(misses) or departs(swapped(misses[i])))
    return question if first >= len(misses) else swapped(misses[first])


def fewest_relevant(question: Question, departs: Departs, tries: int = 60) -> Question:
    """The question with as few relevant items as still depart: first halves of them are removed, then single ones."""
    size = len(question.case.judged_items) // 2
    while size >= 1 and tries > 0:
        begin = 0
        while begin < len(question.case.judged_items) and tries > 0:
            kept = np.ones(len(question.case.judged_items), dtype=bool)
            kept[begin : begin + size] = False
            tries -= 1
            fewer = replace(question, case=with_judgements(question.case, kept))
            if np.diff(fewer.case.judged_indptr).all() and departs(fewer):
                question = fewer
            else:
                begin += size
        size //= 2
    return question


def gains_of_one(question: Question) -> Question:
    """The question with every gain at 1."""
    case = question.case
    return replace(question, case=replace(case, judged_gains=np.ones(len(case.judged_gains)), threshold=1.0))


def compact(question: Question) -> Question:
    """The question without unused items, the others numbered from 0 in the order of the lists, without ids."""
    case = question.case
    listed = case.recommended[case.recommended != NOTHING]
    used = list(dict.fromkeys([*listed.tolist(), *case.judged_items.tolist()]))
    numbers = np.full(case.n_items, -1, dtype=np.int64)
    numbers[used] = np.arange(len(used))
    n_items = len(used) + 2
    scores = None
    if case.candidate_scores is not None:
        unused = np.setdiff1d(np.arange(case.n_items), used)[: n_items - len(used)]
        scores = np.full((case.users, n_items), -1.0)
        scores[:, : len(used)] = case.candidate_scores[:, used]
        scores[:, len(used) : len(used) + len(unused)] = case.candidate_scores[:, unused]
    return Question(
        replace(
            case,
            recommended=np.where(case.recommended == NOTHING, NOTHING, numbers[case.recommended]),
            judged_items=numbers[case.judged_items],
            candidate_scores=scores,
            n_items=n_items,
            train_indptr=None,
            train_items=None,
        ),
        question.k,
    )

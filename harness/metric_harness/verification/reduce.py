"""A case that departs made smaller, one dimension at a time, while it goes on departing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from metric_harness.verification.random_cases import users_of
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
    """Raised by a :data:`Departs` that may ask no more."""


def smallest_that_departs(low: int, high: int, departs: Callable[[int], bool]) -> int:
    """The smallest number in (low, high] that departs, by bisection; ``high`` departs and ``low`` is taken not to."""
    while high - low > 1:
        middle = (low + high) // 2
        if departs(middle):
            high = middle
        else:
            low = middle
    return high


def one_user(question: Question, likely: Sequence[int], departs: Departs, tries: int = 24) -> Question | None:
    """The question about a single user that departs, one of the likely users first; None if none is found."""
    case = question.case
    order = [*likely, *(user for user in range(case.users) if user not in set(likely))]
    for user in order[:tries]:
        alone = replace(question, case=users_of(case, np.array([user])))
        if departs(alone):
            return alone
    return None


def fewest_users(question: Question, departs: Departs) -> Question:
    """The question about the fewest first users that departs."""

    def first(count: int) -> Question:
        return replace(question, case=users_of(question.case, np.arange(count)))

    return first(smallest_that_departs(0, question.case.users, lambda count: departs(first(count))))


def smallest_k(question: Question, departs: Departs) -> Question:
    """The question at the smallest cut-off from which on it departs."""
    return replace(question, k=smallest_that_departs(0, question.k, lambda k: departs(replace(question, k=k))))


def shortest_list(question: Question, departs: Departs) -> Question:
    """The question with the lists cut where they still depart."""
    case = question.case

    def cut(length: int) -> Question:
        scores = None if case.scores is None else case.scores[:, :length]
        return replace(question, case=replace(case, recommended=case.recommended[:, :length], scores=scores))

    longest = int(case.list_lengths.max(initial=1))
    if longest < 2:
        return question
    return cut(smallest_that_departs(0, longest, lambda length: departs(cut(length))))


def earliest_hit(question: Question, departs: Departs) -> Question:
    """The question of one user with his last hit as far up the list as it still departs, in place of an item there."""
    case = question.case
    listed = case.recommended[0]
    hits = np.flatnonzero(np.isin(listed, case.relevant_of(0)))
    if case.users != 1 or not len(hits):
        return question
    last = int(hits[-1])
    free = [rank for rank in range(last) if rank not in set(hits.tolist())]

    def moved(to: int) -> Question:
        row = listed.copy()
        row[[to, last]] = row[[last, to]]
        candidate = case.candidate_scores
        if candidate is not None:
            candidate = candidate.copy()
            candidate[0, listed[[to, last]]] = candidate[0, listed[[last, to]]]
        return replace(question, case=replace(case, recommended=row[None], candidate_scores=candidate))

    if not free:
        return question
    at = smallest_that_departs(-1, len(free), lambda place: place >= len(free) or departs(moved(free[place])))
    return question if at >= len(free) else moved(free[at])


def keep_relevant(case: Case, kept: np.ndarray) -> Case:
    """The case with some of its judgements alone; ``kept`` is a bool array, an entry for each judgement."""
    counts = np.bincount(case.judged_users[kept], minlength=case.users)
    return replace(
        case,
        judged_indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        judged_items=case.judged_items[kept],
        judged_gains=case.judged_gains[kept],
    )


def fewest_relevant(question: Question, departs: Departs, tries: int = 60) -> Question:
    """The question with as few relevant items as still depart: halves of them go first, then one at a time."""
    size = len(question.case.judged_items) // 2
    while size >= 1 and tries > 0:
        begin = 0
        while begin < len(question.case.judged_items) and tries > 0:
            kept = np.ones(len(question.case.judged_items), dtype=bool)
            kept[begin : begin + size] = False
            tries -= 1
            fewer = replace(question, case=keep_relevant(question.case, kept))
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
    """The question over the items that occur alone, numbered from 0 in the order of the list; ids are dropped."""
    case = question.case
    listed = case.recommended[case.recommended != NOTHING]
    used = list(dict.fromkeys([*listed.tolist(), *case.judged_items.tolist()]))
    numbers = np.full(case.n_items, -1, dtype=np.int64)
    numbers[used] = np.arange(len(used))
    n_items = len(used) + 2
    candidate = None
    if case.candidate_scores is not None:
        rest = np.setdiff1d(np.arange(case.n_items), used)[: n_items - len(used)]
        candidate = np.full((case.users, n_items), -1.0)
        candidate[:, : len(used)] = case.candidate_scores[:, used]
        candidate[:, len(used) : len(used) + len(rest)] = case.candidate_scores[:, rest]
    return Question(
        replace(
            case,
            recommended=np.where(case.recommended == NOTHING, NOTHING, numbers[case.recommended]),
            judged_items=numbers[case.judged_items],
            candidate_scores=candidate,
            n_items=n_items,
            train_indptr=None,
            train_items=None,
        ),
        question.k,
    )

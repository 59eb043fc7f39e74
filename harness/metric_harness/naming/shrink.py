"""The condition under which a function departs from its variant, and the smallest case that shows it.

A case on which it departs is made smaller, one dimension at a time, as long as it still departs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from metric_harness.naming.cases.random_cases import cut_lists, first_hits, with_judgements
from metric_harness.naming.evidence import Departure
from metric_harness.naming.question import Difference, Question, Side, differ
from metric_reference.case import NOTHING
from metric_reference.matching import match
from metric_reference.narrowed import of_users

QUESTIONS, SECONDS = 400, 8.0
"""A search for the condition ends after this many questions or seconds, with the smallest case so far."""
SEEN_BY_PROBES = {"k": 5, "list": 8, "relevant": 6, "users": 4, "gain": 5.0}
"""The largest values in the core probes, which cannot show a departure beyond them."""
LARGEST_SHIFT = 1 << 40
"""Item ids are raised by up to this number to find the smallest ids that depart."""


@dataclass(frozen=True)
class Condition:
    """When a function departs, in words, and the smallest case that shows it (None where no case alone shows it)."""

    text: str
    smallest: Difference | None


class _Search:
    """A search for the condition of one departure, which asks the function a limited number of questions.

    phrases : the conditions found, except for sizes. large_ids : the function departs on large item ids alone.
    """

    def __init__(self, answer: Side, expected: Side) -> None:
        self.answer, self.expected = answer, expected
        self.questions_left = QUESTIONS
        self.deadline = time.monotonic() + SECONDS
        self.phrases: list[str] = []
        self.large_ids = False

    def departs(self, question: Question) -> bool:
        """Whether the function departs on a question; raises Exhausted at the limit of questions or time."""
        if self.questions_left <= 0 or time.monotonic() > self.deadline:
            raise Exhausted
        self.questions_left -= 1
        replies = (self.answer(question), self.expected(question))
        if any(reply.kind == "cannot_show" for reply in replies):
            return False
        return differ(replies[0].value, replies[1].value)


def condition_of(departure: Departure, answer: Side, expected: Side) -> Condition:
    """The condition of a departure, found by making its case smaller in each dimension.

    Both functions are called hundreds of times.
    """
    search, ended = _Search(answer, expected), False
    question = Question(departure.asked.case, departure.k, departure.asked.ids)
    try:
        if not search.departs(question):
            return Condition("depending on what was asked before: asked alone, the same case agrees", None)
        question = _reduced(search, question, departure)
    except Exhausted:
        ended = True
        search.phrases.append(f"for {departure.asked.about} (the search for the smallest case ended early)")
    if search.large_ids and question.ids is not None:
        used = np.concatenate([question.case.recommended.ravel(), question.case.judged_items])
        search.phrases.append(f"for item ids from {int(question.ids[used[used >= 0]].min()):,} on")
    reply, wanted = answer(question), expected(question).value  # asked once more
    smallest = None
    if differ(reply.value, wanted):
        smallest = Difference(question.case, question.k, reply.value, wanted, reply.error)
    if not question.case.judged_gains.all():
        search.phrases.append("with an item that is judged not relevant")
    phrases = [*search.phrases, *([] if ended else _sizes(question))]
    if reply.value is None and _only_without_hit(question, answer):
        phrases.insert(0, "for a user without a hit up to k")
    return Condition("; ".join(dict.fromkeys(phrases)) or f"on ordinary data ({departure.asked.about})", smallest)


def _only_without_hit(question: Question, answer: Side) -> bool:
    """Whether a function that raises for a user without a hit up to k gives a number once the first item is a hit."""
    case = question.case
    if case.users != 1 or not case.list_lengths[0] or match(case).hit_count(question.k)[0]:
        return False
    return answer(replace(question, case=first_hits(case))).value is not None


def _reduced(search: _Search, question: Question, departure: Departure) -> Question:
    """The question made as small as possible; adds the conditions that are not sizes to ``search.phrases``."""
    alone = one_user(question, departure.users, search.departs)
    question = _reduce_users(search, question) if alone is None else alone
    question = _reduce_ids(search, question)
    question = _reduce_gains(search, question)
    for _ in range(2):
        question = smallest_k(question, search.departs)
        question = shortest_list(question, search.departs)
        question = fewest_relevant(question, search.departs)
        question = earliest_hit(question, search.departs)
    if question.ids is None and question.case.users <= 2 * SEEN_BY_PROBES["users"]:
        small = compact(question)
        if search.departs(small):
            return small
        case = question.case
        largest = int(max(case.recommended.max(), case.judged_items.max(initial=0)))
        words = f"for some item ids (here up to {largest}); with items numbered from 0 it agrees"
        if np.bincount(case.judged_users[case.relevant], minlength=1).max() == case.n_items:
            words = "for a user to whom every item is relevant"
        search.phrases.append(words)
    return question


def _reduce_users(search: _Search, question: Question) -> Question:
    """The fewest users that depart, where none departs alone: their number or their order is the condition."""
    fewest = fewest_users(question, search.departs)
    count = fewest.case.users
    last = replace(fewest, case=of_users(fewest.case, np.array([count - 1])))
    if search.departs(last):  # without this user the others agree
        return last
    order = np.argsort(fewest.case.list_lengths, kind="stable")
    rising = replace(fewest, case=of_users(fewest.case, order))
    falling = replace(fewest, case=of_users(fewest.case, order[::-1]))
    values = [search.answer(ordered).value for ordered in (fewest, rising, falling)]
    if any(differ(values[0], value) for value in values[1:]) and count > 1:
        search.phrases.append("it depends on the order of users")
    if count > SEEN_BY_PROBES["users"]:
        search.phrases.append(f"with {count} or more users")
    return fewest


def _reduce_ids(search: _Search, question: Question) -> Question:
    """The question without item ids if it departs so, else with the smallest consecutive ids that depart, if any do."""
    if question.ids is None:
        return question
    without_ids = replace(question, ids=None)
    if search.departs(without_ids):
        return without_ids
    count = question.case.n_items

    def shifted(by: int) -> Question:
        return replace(question, ids=np.arange(count, dtype=np.int64) + by)

    if search.departs(shifted(LARGEST_SHIFT)):
        search.large_ids = True
        return shifted(smallest_that_departs(0, LARGEST_SHIFT, lambda by: search.departs(shifted(by))))
    search.phrases.append("with item ids as in real data (0 to 2^40): different items are taken for the same one")
    return question


def _reduce_gains(search: _Search, question: Question) -> Question:
    """The question with gains of 1 if it departs so, else with the smallest integers that depart, if any do."""
    if np.all(question.case.judged_gains == 1.0):
        return question
    ones = gains_of_one(question)
    if search.departs(ones):
        return ones
    gains = question.case.judged_gains

    def with_gains(changed: np.ndarray) -> Question:
        return replace(question, case=replace(question.case, judged_gains=changed))

    integers = np.where(gains > 0, np.maximum(1.0, np.round(gains)), gains)
    if not search.departs(with_gains(integers)):
        search.phrases.append("with gains that are not whole numbers")
        return question

    def capped(most: int) -> Question:
        return with_gains(np.minimum(integers, most))

    most = smallest_that_departs(1, int(integers.max()), lambda most: search.departs(capped(most)))
    search.phrases.append(f"with gains of {most} or more" if most > SEEN_BY_PROBES["gain"] else "with graded gains")
    return capped(most)


def _sizes(question: Question) -> list[str]:
    """The sizes of the smallest question that exceed those of the probes."""
    case = question.case
    phrases: list[str] = []
    if case.users > SEEN_BY_PROBES["users"]:
        return phrases  # the number of users explains the departure
    longest = int(case.list_lengths.max(initial=0))
    relevant = int(np.diff(case.judged_indptr).max(initial=0))
    if question.k > SEEN_BY_PROBES["k"]:
        phrases.append(f"from k = {question.k} on")
    elif longest > SEEN_BY_PROBES["list"]:
        phrases.append(f"for lists of {longest} or more items")
    if relevant > SEEN_BY_PROBES["relevant"]:
        phrases.append(f"with {relevant} or more relevant items")
    return phrases


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
        alone = replace(question, case=of_users(case, np.array([user])))
        if departs(alone):
            return alone
    return None


def fewest_users(question: Question, departs: Departs) -> Question:
    """The question about as few of the first users as depart."""

    def first(count: int) -> Question:
        return replace(question, case=of_users(question.case, np.arange(count)))

    return first(smallest_that_departs(0, question.case.users, lambda count: departs(first(count))))


def smallest_k(question: Question, departs: Departs) -> Question:
    """The question at the smallest cut-off from which on it departs."""
    return replace(question, k=smallest_that_departs(0, question.k, lambda k: departs(replace(question, k=k))))


def shortest_list(question: Question, departs: Departs) -> Question:
    """The question with the lists cut to the shortest length that departs."""
    case = question.case

    def cut(length: int) -> Question:
        return replace(question, case=cut_lists(case, length))

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
    """The question with every gain above 0 at 1."""
    case = question.case
    ones = np.minimum(1.0, np.ceil(case.judged_gains))
    return replace(question, case=replace(case, judged_gains=ones, threshold=1.0))


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

"""The condition under which a function departs from its variant, and the smallest case found that shows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from metric_harness.identification.small_cases import Difference, differ
from metric_harness.verification.random_cases import users_of
from metric_harness.verification.reduce import (
    Departs,
    Exhausted,
    Question,
    compact,
    earliest_hit,
    fewest_relevant,
    fewest_users,
    gains_of_one,
    one_user,
    shortest_list,
    smallest_k,
    smallest_that_departs,
)
from metric_harness.verification.verify import Departure

QUESTIONS, SECONDS = 400, 8.0
"""A search for the condition ends after this many questions or seconds, with what it has by then."""
SEEN_BY_PROBES = {"k": 5, "list": 8, "relevant": 6, "users": 4, "gain": 5.0}
"""The largest values in the core probes: a departure beyond them is what probes cannot show."""
LARGEST_SHIFT = 1 << 40

Answer = Callable[[Question], float | None]
"""What a function returns for a question, None for an error."""
Expected = Callable[[Question], float | None]
"""What its variant gives, or what another function returns (None for an error)."""


@dataclass(frozen=True)
class Condition:
    """When a function departs, in words, and the smallest case that shows it (None if the search ended before)."""

    text: str
    smallest: Difference | None


class Search:
    """A search for the condition of one departure: asks the function, within bounds.

    text : what was found to matter besides sizes. shifts : item ids matter, and larger ones depart.
    """

    def __init__(self, answer: Answer, expected: Expected) -> None:
        self.answer, self.expected = answer, expected
        self.left = QUESTIONS
        self.end = time.monotonic() + SECONDS
        self.text: list[str] = []
        self.shifts = False

    def departs(self, question: Question) -> bool:
        """Whether the function departs on a question; Exhausted when no more may be asked."""
        if self.left <= 0 or time.monotonic() > self.end:
            raise Exhausted
        self.left -= 1
        return differ(self.answer(question), self.expected(question))


def condition_of(departure: Departure, answer: Answer, expected: Expected) -> Condition:
    """The condition of a departure, found by making its case smaller in each dimension.

    answer : asks the function; expected : its variant's value. Both are called hundreds of times.
    """
    search = Search(answer, expected)
    question = Question(departure.asked.case, departure.k, departure.asked.ids)
    try:
        if not search.departs(question):
            return Condition("depending on what was asked before: asked alone, the same case agrees", None)
        question = reduced(search, question, departure)
    except Exhausted:
        search.text.append("the search for the smallest case ended early")
    if search.shifts and question.ids is not None:
        used = np.concatenate([question.case.recommended.ravel(), question.case.judged_items])
        search.text.append(f"for item ids from {int(question.ids[used[used >= 0]].min()):,} on")
    smallest = difference(search, question)
    texts = [*search.text, *sizes(question, search)]
    return Condition("; ".join(dict.fromkeys(texts)) or f"on ordinary data ({departure.asked.about})", smallest)


def difference(search: Search, question: Question) -> Difference | None:
    """The question as a difference, asked once more."""
    value, expected = search.answer(question), search.expected(question)
    return Difference(question.case, question.k, value, expected) if differ(value, expected) else None


def reduced(search: Search, question: Question, departure: Departure) -> Question:
    """The question made as small as it goes; what matters besides sizes is put into ``search.text``."""
    alone = one_user(question, departure.users, search.departs)
    question = users_matter(search, question) if alone is None else alone
    question = ids_matter(search, question)
    question = gains_matter(search, question)
    for _ in range(2):
        question = smallest_k(question, search.departs)
        question = shortest_list(question, search.departs)
        question = fewest_relevant(question, search.departs)
        question = earliest_hit(question, search.departs)
    if question.ids is None and question.case.users <= 2 * SEEN_BY_PROBES["users"]:
        small = compact(question)
        if search.departs(small):
            return small
        search.text.append(items_matter(search, question))
    return question


def users_matter(search: Search, question: Question) -> Question:
    """No user departs alone: the number of users, or their order, is what matters."""
    fewest = fewest_users(question, search.departs)
    count = fewest.case.users
    order = np.argsort(fewest.case.list_lengths, kind="stable")
    again = replace(fewest, case=users_of(fewest.case, order))
    back = replace(fewest, case=users_of(fewest.case, order[::-1]))
    values = [search.answer(one) for one in (fewest, again, back)]
    if any(differ(values[0], value) for value in values[1:]) and count > 1:
        search.text.append("it depends on the order of users")
    if count > SEEN_BY_PROBES["users"]:
        search.text.append(f"with {count} or more users")
    return fewest


def ids_matter(search: Search, question: Question) -> Question:
    """Whether the departure needs the item ids that the function was given, and from which id on."""
    if question.ids is None:
        return question
    plain = replace(question, ids=None)
    if search.departs(plain):
        return plain
    count = question.case.n_items

    def shifted(by: int) -> Question:
        return replace(question, ids=np.arange(count, dtype=np.int64) + by)

    if search.departs(shifted(LARGEST_SHIFT)):
        search.shifts = True
        return shifted(smallest_that_departs(0, LARGEST_SHIFT, lambda by: search.departs(shifted(by))))
    search.text.append("with item ids as in real data (0 to 2^40): different items are taken for the same one")
    return question


def gains_matter(search: Search, question: Question) -> Question:
    """Whether the departure needs gains other than 1, and which."""
    if np.all(question.case.judged_gains == 1.0):
        return question
    ones = gains_of_one(question)
    if search.departs(ones):
        return ones
    gains = question.case.judged_gains

    def with_gains(changed: np.ndarray) -> Question:
        return replace(question, case=replace(question.case, judged_gains=changed))

    whole = with_gains(np.maximum(1.0, np.round(gains)))
    if not search.departs(whole):
        search.text.append("with gains that are not whole numbers")
        return question
    largest = int(whole.case.judged_gains.max())

    def capped(most: int) -> Question:
        return with_gains(np.minimum(whole.case.judged_gains, most))

    most = smallest_that_departs(1, largest, lambda most: search.departs(capped(most)))
    search.text.append(f"with gains of {most} or more" if most > SEEN_BY_PROBES["gain"] else "with graded gains")
    return capped(most)


def items_matter(search: Search, question: Question) -> str:
    """Renumbering the items from 0 makes the function agree: item numbers, or the size of the catalogue, matter."""
    case = question.case
    largest = int(max(case.recommended.max(), case.judged_items.max(initial=0)))
    return f"for some item ids (here up to {largest}); with items numbered from 0 it agrees"


def sizes(question: Question, search: Search) -> list[str]:
    """What of the smallest question is larger than anything in the probes."""
    case = question.case
    out: list[str] = []
    if case.users > SEEN_BY_PROBES["users"]:
        return out  # the number of users says it
    longest = int(case.list_lengths.max(initial=0))
    relevant = int(np.diff(case.judged_indptr).max(initial=0))
    if question.k > SEEN_BY_PROBES["k"]:
        out.append(f"from k = {question.k} on")
    elif longest > SEEN_BY_PROBES["list"]:
        out.append(f"for lists of {longest} or more items")
    if relevant > SEEN_BY_PROBES["relevant"]:
        out.append(f"with {relevant} or more relevant items")
    return out


__all__ = ["Answer", "Condition", "Departs", "Expected", "condition_of"]

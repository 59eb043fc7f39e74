"""Cases around the constants that a function's source compares: one below, at, and one above each.

A constant may be a number of items, of relevant items or of users, a cut-off, a rank, an id or a gain. Each is asked
with hits anywhere, and with the first item of the list as the only hit: an edit then shows in every metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from metric_harness.naming.cases.random_cases import random_case, with_judgements, with_repeats, with_ties
from metric_harness.naming.cases.verification_case import VerificationCase
from metric_harness.naming.cases.verification_cases import SEED, Limits
from metric_reference.case import NOTHING, Case

MOST_CONSTANTS = 12
LONGEST, MOST_USERS = 1100, 2500
"""The longest list and the most users that are made for a constant."""
ROOM = 40
"""Items beside those that a size needs."""
EACH = 4
"""Users of each size."""


def constant_cases(constants: Iterable[int | float | str], limits: Limits, all_users: bool) -> list[VerificationCase]:
    """The cases for some constants.

    all_users : the function takes all users in a call, so that their number may matter.
    """
    numbers = [number for number in constants if isinstance(number, (int, float)) and not isinstance(number, bool)]
    cases: list[VerificationCase] = []
    for number in list(dict.fromkeys(numbers))[:MOST_CONSTANTS]:
        cases += _Around(number, limits, all_users).cases()
    return [case for case in cases if case.ks]


@dataclass
class _Around:
    """Makes the cases for one constant."""

    number: int | float
    limits: Limits
    all_users: bool

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(SEED)

    def cases(self) -> Iterator[VerificationCase]:
        whole = int(self.number)
        near = [size for size in (whole - 1, whole, whole + 1) if size >= 1]
        if 1 <= whole <= LONGEST:
            top, few = near[-1], [min(5, whole)] * len(near)
            yield from self.asked("lists", near, few, top, (1, 2, min(5, top), top))
            yield from self.asked("relevant items", [30] * len(near), near, 30 + top, (1, 2, 5, 10, 30))
            yield from self.asked("cut-offs", [top + 5] * len(near), few, top + 5, near)
        if self.all_users and 1 <= whole <= MOST_USERS:
            for users in near:
                case = self.case([12] * users, [3] * users, ROOM)
                yield self.of(f"{users} users", case, (1, 10))
        if whole >= 0:
            first = max(0, whole - ROOM // 2)
            ids, case = np.arange(ROOM, dtype=np.int64) + first, self.case([12] * 20, [8] * 20, ROOM)
            yield self.of("ids", case, (1, 3, 10), ids)
            if not self.limits.all_items:
                yield self.of("ids, the first item hit,", first_hits(case, whole - first), (1, 3, 10), ids)
        if self.number > 0:
            steps = [abs(self.number - 1) or 0.5, float(self.number), self.number + 1]
            graded = self.case([12] * 12, [6] * 12, ROOM, graded=True)
            gains = np.resize(np.array([*steps, self.number * 0.99, self.number * 1.01]), len(graded.judged_gains))
            graded = replace(graded, judged_gains=gains, threshold=float(gains.min()))
            yield self.of("gains", graded, (1, 5, 10))

    def asked(
        self, about: str, lengths: list[int], relevant: list[int], items: int, ks: Iterable[int]
    ) -> Iterator[VerificationCase]:
        """Users of each length and number of relevant items, with hits anywhere and with the first item alone."""
        case = self.case(np.repeat(lengths, EACH).tolist(), np.repeat(relevant, EACH).tolist(), items + ROOM)
        yield self.of(about, case, ks)
        if not self.limits.all_items:
            yield self.of(f"{about}, the first item hit,", first_hits(case), ks)

    def case(self, lengths: list[int], relevant: list[int], items: int, graded: bool = False) -> Case:
        items = self.limits.candidates or items
        if self.limits.all_items:
            lengths = [items] * len(lengths)
        counts = [1 if self.limits.one_relevant else min(count, items) for count in relevant]
        return random_case(self.rng, np.array(lengths), np.array(counts), items, graded)

    def of(self, about: str, case: Case, ks: Iterable[int], ids: np.ndarray | None = None) -> VerificationCase:
        if self.limits.all_items:
            ks = (self.limits.most_k or case.n_items,)
        longest = LONGEST if self.limits.short_lists else int(case.list_lengths.min())
        allowed = [k for k in dict.fromkeys(ks) if 1 <= k <= min(longest, self.limits.most_k or LONGEST)]
        text = f"{about} around {self.number:g}"
        return VerificationCase(name=text, about=text, case=case, ks=tuple(allowed), ids=ids)


def first_hits(case: Case, rather: int = 0) -> Case:
    """The case with as many relevant items for each user, of which only the first of the list is listed.

    rather : an item that is relevant to each user who has another relevant item, unless it is listed.
    """
    items = case.judged_items.copy()
    for user in range(case.users):
        own = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        unlisted = np.setdiff1d(np.arange(case.n_items), case.recommended[user])
        unlisted = unlisted[np.argsort(unlisted != rather, kind="stable")]
        count = min(own.stop - own.start, len(unlisted) + 1)
        items[own.start : own.start + count] = [case.recommended[user, 0], *unlisted[: count - 1]]
    return replace(case, judged_items=items)


def edge_cases(limits: Limits) -> Iterator[VerificationCase]:
    """Small cases at every edge, for code that only they enter; a departure there is one of the edge."""
    rng = np.random.default_rng(SEED)
    items = limits.candidates or ROOM
    lengths = np.array([items if limits.all_items else 12] * 6)
    base = random_case(rng, lengths, np.array([1 if limits.one_relevant else 4] * 6), items)
    ks = (limits.most_k or items if limits.all_items else 5,)
    some = np.isin(base.judged_users, (0, 3))

    def at(edge: str, case: Case) -> VerificationCase:
        return VerificationCase(name=f"small {edge}", about=edge, case=case, ks=ks, edges=(edge,))

    for kept in (~some, np.zeros(len(some), dtype=bool)):
        yield at("no_relevant", with_judgements(base, kept))
    if not limits.all_items:
        assert base.scores is not None
        recommended, scores = base.recommended.copy(), base.scores.copy()
        recommended[:3], scores[:3] = NOTHING, np.nan
        yield at("no_list", replace(base, recommended=recommended, scores=scores))
        yield at("duplicates", with_repeats(rng, base))
    yield at("ties", with_ties(base))

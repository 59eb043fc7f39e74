"""Cases around the constants that a function's source compares: one below, at, and one above each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

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


def constant_cases(constants: Iterable[int | float | str], limits: Limits, all_users: bool) -> list[VerificationCase]:
    """The cases for some constants.

    all_users : the function takes all users in a call, so that their number may matter.
    """
    numbers = [number for number in constants if isinstance(number, (int, float)) and not isinstance(number, bool)]
    cases: list[VerificationCase] = []
    for number in list(dict.fromkeys(numbers))[:MOST_CONSTANTS]:
        cases += around(number, limits, all_users)
    return cases


def around(number: int | float, limits: Limits, all_users: bool) -> Iterator[VerificationCase]:
    """The cases for one constant: as a size, as a cut-off, as a rank, as an id, and as a gain."""
    rng = np.random.default_rng(SEED)

    def case(lengths: list[int], relevant: list[int], items: int, graded: bool = False) -> Case:
        if limits.all_items:
            lengths = [limits.candidates or items] * len(lengths)
        counts = [1] * len(relevant) if limits.one_relevant else relevant
        return random_case(rng, np.array(lengths), np.array(counts), limits.candidates or items, graded)

    def asked(about: str, case: Case, ks: Iterable[int], ids: np.ndarray | None = None) -> VerificationCase:
        if limits.all_items:
            ks = (limits.most_k or case.n_items,)
        longest = int(case.list_lengths.min()) if not limits.short_lists else LONGEST
        allowed = [k for k in ks if 1 <= k <= min(longest, limits.most_k or LONGEST)]
        return VerificationCase(
            name=f"{about} {number:g}", about=f"{about} around {number:g}", case=case, ks=tuple(allowed), ids=ids
        )

    whole = int(number)
    near = [size for size in (whole - 1, whole, whole + 1) if size >= 1]
    if 1 <= whole <= LONGEST:
        top, items = near[-1], near[-1] + ROOM
        yield asked("lists", case(near, [min(5, items // 2)] * len(near), items), (min(5, top), top))
        yield asked("relevant items", case([items // 2] * len(near), near, items), (min(5, top), top))
        yield asked("cut-offs", case([items] * 6, [5] * 6, items), near)
        yield asked("ranks", at_ranks(case([top + 5] * len(near), [1] * len(near), items), near), (top + 5,))
    if all_users and 1 <= whole <= MOST_USERS:
        for users in near:
            yield asked(f"{users} users", case([12] * users, [3] * users, ROOM), (10,))
    if whole >= 0:
        first = max(0, whole - ROOM // 2)
        yield asked("ids", case([12] * 20, [4] * 20, ROOM), (10,), np.arange(ROOM, dtype=np.int64) + first)
    if number > 0:
        steps = sorted({abs(number - 1) or 0.5, float(number), number + 1, number * 0.99, number * 1.01})
        graded = case([12] * 12, [6] * 12, ROOM, graded=True)
        gains = np.resize(np.array(steps), len(graded.judged_gains))
        yield asked("gains", replace(graded, judged_gains=gains, threshold=float(gains.min())), (5, 10))


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


def at_ranks(case: Case, ranks: list[int]) -> Case:
    """The case with the one relevant item of each user at a rank of its own."""
    items = np.array([case.recommended[user, rank - 1] for user, rank in enumerate(ranks)])
    return replace(case, judged_items=items, judged_indptr=np.arange(len(ranks) + 1), judged_gains=np.ones(len(ranks)))

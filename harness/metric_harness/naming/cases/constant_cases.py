"""Cases around the constants that a function's source compares: one below, at, and one above each.

A constant may be a number of items, of relevant items or of users, a cut-off, a rank, an id or a gain. Each is asked
with hits anywhere, and with the first item of the list as the only hit: an edit then shows in every metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from metric_harness.naming.cases.random_cases import (
    at_edge,
    first_hits,
    random_case,
    with_judged_misses,
    with_judgements,
    with_score,
)
from metric_harness.naming.cases.verification_case import VerificationCase
from metric_harness.naming.cases.verification_cases import SEED, Limits
from metric_reference.case import Case

CONSTANTS_TRIED = 12
LONGEST_LIST, USERS_TRIED, LARGEST_ID, LARGEST_GAIN = 1400, 2500, 1 << 53, 100
"""A constant is tried as a size, a number of users, an id or a gain if it is at most this."""
MANY_USERS = 1 << 16
"""Up to it, an eighth more users than a constant are tried: in 16 bits, users that differ by it are one."""
SPARE_ITEMS, FEW_ITEMS = 40, 8
"""Items beside those that a size needs; of a case with many users."""
USERS_PER_SIZE = 4


def constant_cases(constants: Iterable[int | float], limits: Limits, all_users: bool) -> list[VerificationCase]:
    """The cases for some constants.

    all_users : the function takes all users in a call, so that their number may matter.
    """
    cases = (case for number in list(constants)[:CONSTANTS_TRIED] for case in around(number, limits, all_users))
    return [case for case in cases if case.ks]


def around(number: int | float, limits: Limits, all_users: bool) -> Iterator[VerificationCase]:
    """The cases for one constant: as a size, a cut-off, a number of users, an id and a gain."""
    rng, whole = np.random.default_rng(SEED), int(number)
    fewest = 0 if "no_relevant" in limits.edges else 1

    def made(lengths: list[int], relevant: list[int], items: int, graded: bool = False) -> Case:
        items = limits.candidates or items
        listed = [items] * len(lengths) if limits.all_items else lengths
        counts = [1 if limits.one_relevant else min(max(count, fewest), items) for count in relevant]
        return random_case(rng, np.array(listed), np.array(counts), items, graded)

    def asked(what: str, case: Case, ks: Iterable[int], ids: np.ndarray | None = None) -> VerificationCase:
        if limits.all_items:
            ks = (limits.most_k or case.n_items,)
        longest = LONGEST_LIST if limits.short_lists else int(case.list_lengths.min())
        allowed = tuple(k for k in dict.fromkeys(ks) if 1 <= k <= min(longest, limits.most_k or LONGEST_LIST))
        text = f"{what} around {number:g}"
        return VerificationCase(name=text, about=text, case=case, ks=allowed, ids=ids)

    def both(
        what: str, case: Case, ks: Iterable[int], ids: np.ndarray | None = None, item: int = 0
    ) -> Iterator[VerificationCase]:
        yield asked(what, case, ks, ids)
        if not limits.all_items:
            yield asked(f"{what}, the first item hit,", first_hits(case, item), ks, ids)

    def of_sizes(lengths: list[int], relevant: list[int], items: int) -> Case:
        return made(lengths * USERS_PER_SIZE, relevant * USERS_PER_SIZE, items + SPARE_ITEMS)

    near = [size for size in (whole - 1, whole, whole + 1) if size >= 1]
    if 1 <= whole <= LONGEST_LIST:
        top, few = near[-1], [min(5, whole)] * len(near)
        yield from both("lists", of_sizes(near, few, top), (1, 2, min(5, top), top))
        yield from both("relevant items", of_sizes([30] * len(near), near, 30 + top), (1, 2, 5, 10, 30))
        if limits.size.vectors:
            for items in near[-2:]:
                yield asked(f"{items} items", made([items] * 4, [1, 2, items // 2, items - 1], items), (items,))
        else:  # past the end of a list a vector has irrelevant items: none are left here
            yield asked("hits", made(near, near, top), (5, *near))
        cut = of_sizes([top + 5] * len(near), few, top + 5)
        yield from both("cut-offs", cut, near)
        if not limits.all_items:
            yield asked("cut-offs, the only hit past them,", first_hits(cut, rank=whole), (top + 5, *near))
    if all_users and 1 <= whole <= USERS_TRIED:
        for users in near:
            yield asked(f"{users} users", made([12] * users, [3] * users, SPARE_ITEMS), (1, 10))
    if all_users and USERS_TRIED < whole <= MANY_USERS:
        users = whole + whole // 8
        yield asked(f"{users} users", made([3] * users, [2] * users, FEW_ITEMS), (1, 2))
    if 0 <= whole <= LARGEST_ID:
        first = max(0, whole - SPARE_ITEMS // 2)
        ids = np.arange(SPARE_ITEMS, dtype=np.int64) + first
        yield from both("ids", made([12] * 20, [8] * 20, SPARE_ITEMS), (1, 3, 10), ids, whole - first)
    if SPARE_ITEMS <= whole <= LARGEST_ID:  # that differ by it: it may be a modulus
        half = np.arange(SPARE_ITEMS // 2, dtype=np.int64) + SPARE_ITEMS
        yield asked("ids", made([12] * 20, [8] * 20, SPARE_ITEMS), (3, 10), np.concatenate([half, half + whole]))
    if abs(number) <= LARGEST_GAIN:
        yield asked("scores", with_score(rng, made([12] * 20, [6] * 20, 12), float(number)), (5, 12))
    if 0 < number <= LARGEST_GAIN:
        graded = made([12] * 12, [6] * 12, SPARE_ITEMS, graded=True)
        steps = [abs(number - 1) or 0.5, number, number + 1, number * 0.99, number * 1.01]
        gains = np.resize(np.array(steps, dtype=np.float64), len(graded.judged_gains))
        yield asked("gains", replace(graded, judged_gains=gains, threshold=float(gains.min())), (1, 5, 10))


def long_cases(narrow: Iterable[int], limits: Limits) -> Iterator[tuple[int, list[VerificationCase]]]:
    """For each largest number of a narrow type, cases of a user with a longer list: first its last item is relevant.

    Then most items are. Only lists that end nowhere else and may have any length grow so long.
    """
    rng = np.random.default_rng(SEED)
    for bound in () if limits.candidates or limits.most_k else narrow:
        if not LONGEST_LIST < bound <= MANY_USERS:
            continue
        items = bound + bound // 8
        case = random_case(rng, np.array([items]), np.array([1 if limits.one_relevant else items - items // 32]), items)
        last = replace(case, judged_indptr=np.array([0, 1]), judged_items=case.recommended[0, -1:])
        last = replace(last, judged_gains=np.ones(1))
        about = f"lists of {items:,} items"
        made = (last,) if limits.one_relevant else (last, case)
        yield bound, [VerificationCase(name=about, about=about, case=each, ks=(items,)) for each in made]


def edge_cases(limits: Limits) -> Iterator[VerificationCase]:
    """Small cases at every edge, known or not, for code that only they enter."""
    rng = np.random.default_rng(SEED)
    items, users = limits.candidates or SPARE_ITEMS, np.arange(6)
    lengths, relevant = (items if limits.all_items else 12), (1 if limits.one_relevant else 4)
    base = random_case(rng, np.full(6, lengths), np.full(6, relevant), items)
    k = (limits.most_k or items) if limits.all_items else min(5, limits.most_k or 5)
    of_lists = [] if limits.all_items else [("no_list", users[:3]), ("duplicates", users)]
    for edge, there in (("no_relevant", users[:2]), ("no_relevant", users), *of_lists, ("ties", users)):
        case = at_edge(rng, base, edge, there)
        yield VerificationCase(name=f"small {edge}", about=edge, case=case, ks=(k,), edges=(edge,))
    if not limits.all_items:
        judged = with_judged_misses(base)
        of_misses = with_judgements(judged, (judged.judged_gains == 0) | (judged.judged_users > 1))
        about = "users for whom every judged item is irrelevant"
        yield VerificationCase(name="small misses", about=about, case=of_misses, ks=(k,), edges=("no_relevant",))
    if not limits.one_relevant:
        every = random_case(rng, np.full(6, lengths), np.array([items] * 3 + [relevant] * 3), items)
        about = "users for whom every item is relevant"
        yield VerificationCase(name="small all relevant", about=about, case=every, ks=(k,))

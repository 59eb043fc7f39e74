"""Verification cases: seeded random cases, as large as real data where it matters, each with a purpose.

Probes are tiny so that a person can check them. They cannot show that a function follows a definition at k = 50, for
a user with 30 relevant items or for item 2^31. These cases can. They are built for a subject: inputs that it refuses on
the probes (short lists, k beyond the catalogue) are left out, because a refusal is an edge behaviour, not a departure.
"""

from __future__ import annotations

import hashlib
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from metric_harness.naming.cases.beyond_cases import beyond_cases
from metric_harness.naming.cases.random_cases import (
    at_edge,
    labelled_case,
    random_case,
    renumbered,
    spread,
    spread_ids,
    with_ties,
)
from metric_harness.naming.cases.verification_case import Size, VerificationCase
from metric_reference.case import Case
from metric_reference.narrowed import of_users

SEED = 20211
DEPTH = 100
"""Length of the longest lists, except in the case ``long``."""
MOST_RELEVANT = 60


FUNCTION = Size(
    full=60,
    ragged=200,
    graded=60,
    long=3,
    many=1100,
    first=40,
    edge=60,
    items=1500,
    cutoffs=(1, 2, 5, 10, 11, 20, 50, DEPTH, 150),
    ragged_cutoffs=(10, 50),
    graded_cutoffs=(3, 10, 20, 100),
)
"""For a user's function, which answers in microseconds."""
VECTORS = replace(FUNCTION, full=20, ragged=40, graded=20, long=4, many=200, first=12, edge=24, items=400, vectors=True)
"""For a function that takes a score for every item of the catalogue."""
FEW_USERS = replace(VECTORS, full=5, ragged=12, graded=6, long=2, many=36, first=5, edge=9)
"""For one whose time may grow with the square of the users."""
LIBRARY = Size(
    full=5,
    ragged=12,
    graded=6,
    long=2,
    many=36,
    first=5,
    edge=9,
    items=300,
    cutoffs=(1, 5, 50, DEPTH, 150),
    ragged_cutoffs=(10,),
    graded_cutoffs=(20,),
)
"""For a library's function, whose loops and frames take milliseconds for each user: about 150 users in all, so that the
cases take at most three times as long as the probes (tests/benchmarks/audit.py). Other cases ask the cut-offs 10, 20,
25 and 200. Item numbers pass 255, users 32."""


@dataclass(frozen=True)
class Limits:
    """The cases that a subject can be asked.

    short_lists : lists may be shorter than k; else the subject refuses them, as the probes showed. one_relevant : each
    user has exactly one relevant item. most_k : the fixed cut-off of a function that takes no k.
    all_items : lists hold every item, for a function that scores all of them and takes no k. edges : the known edge
    behaviours, which can be verified. candidates : of each user, where their number is fixed. beyond : the cases have
    training data, item vectors and ratings; one_category : each item is of one category. whole_gains : gains are whole.
    one_k : the function sees the same whatever k is. labels : the kind of labelled cases
    (:func:`random_cases.labelled_case`) that the function is asked, and no others.
    """

    size: Size = FUNCTION
    short_lists: bool = True
    one_relevant: bool = False
    most_k: int | None = None
    all_items: bool = False
    edges: tuple[str, ...] = ()
    candidates: int | None = field(default=None, repr=False)
    beyond: bool = field(default=False, repr=False)
    one_category: bool = field(default=False, repr=False)
    whole_gains: bool = field(default=False, repr=False)
    one_k: bool = field(default=False, repr=False)
    labels: str = field(default="", repr=False)


@cache
def verification_cases(limits: Limits) -> tuple[VerificationCase, ...]:
    """The cases for a subject with these limits; those of edge behaviours come last."""
    if limits.beyond:
        return beyond_cases(SEED, limits.size, limits.short_lists, limits.one_category)
    if limits.labels:
        return labelled_cases(SEED, limits, "")
    if limits.all_items:
        return _whole_catalogue_cases(np.random.default_rng(SEED), limits)
    usual, rng = usual_cases(limits.size, limits.short_lists, limits.one_relevant)
    cases = [*usual, *_edge_cases(deepcopy(rng), limits)]
    if (most := limits.most_k) is not None:
        cases = [replace(asked, ks=tuple(sorted({*(k for k in asked.ks if k < most), most}))) for asked in cases]
    suffix = hashlib.sha256(repr(limits).encode()).hexdigest()[:8]
    return tuple(replace(asked, key=f"{asked.name}-{suffix}") for asked in cases)


@cache
def usual_cases(
    size: Size = FUNCTION, short_lists: bool = True, one_relevant: bool = False
) -> tuple[list[VerificationCase], np.random.Generator]:
    """The cases of the definition alone, and the generator that drew them, which draws those of edges next."""
    rng, n_items = np.random.default_rng(SEED), size.items
    ids = spread_ids(rng, n_items)

    def relevant(users: int, fewest: int = 1, most: int = MOST_RELEVANT) -> np.ndarray:
        return _relevant(rng, one_relevant, users, fewest, most)

    def lengths(users: int, shortest: int = 1, longest: int = DEPTH) -> np.ndarray:
        return _lengths(rng, short_lists, users, shortest, longest)

    def case(lengths: np.ndarray, relevant: np.ndarray, items: int = n_items, graded: bool = False) -> Case:
        return random_case(rng, lengths, relevant, items, graded)

    cutoffs = size.cutoffs if short_lists else size.cutoffs[:-1]
    ragged = case(lengths(size.ragged), relevant(size.ragged))
    first, shuffled = of_users(ragged, np.arange(size.first)), rng.permutation(size.first)
    cases = [
        VerificationCase(
            name="full",
            about=f"{size.full} users, lists of 100, item ids spread past 2^31",
            case=case(np.full(size.full, DEPTH), relevant(size.full)),
            ks=cutoffs,
            ids=ids,
        ),
        VerificationCase(
            name="ragged", about=f"{size.ragged} users, lists of 1 to 100", case=ragged, ks=size.ragged_cutoffs, ids=ids
        ),
        VerificationCase(
            name="graded",
            about=f"{size.graded} users, gains from 0.5 to 10",
            case=case(lengths(size.graded), relevant(size.graded), graded=True),
            ks=size.graded_cutoffs,
        ),
        VerificationCase(
            name="long",
            about=f"{size.long} users, lists of {size.longest:,}, 100 to 150 relevant items",
            case=case(np.full(size.long, size.longest), relevant(size.long, 100, 150)),
            ks=(25, size.longest),
        ),
        VerificationCase(
            name="many",
            about=f"{size.many:,} users with short lists",
            case=case(lengths(size.many, 3, 12), relevant(size.many, 1, 9), items=100),
            ks=(10,) if short_lists else (8,),
        ),
        VerificationCase(name="first_users", about="some of these users, item numbers as ids", case=first, ks=(20,)),
        VerificationCase(
            name="users_permuted", about="the same users in another order", case=of_users(first, shuffled), ks=(20,)
        ),
        VerificationCase(
            name="items_renumbered",
            about="the same lists with items renumbered at random",
            case=renumbered(first, rng.permutation(n_items)),
            ks=(20,),
        ),
        VerificationCase(
            name="users_twice", about="each of the users twice", case=of_users(first, np.repeat(shuffled, 2)), ks=(20,)
        ),
        VerificationCase(
            name="asked_again", about="the lists of 1 to 100 again, after the others", case=ragged, ks=(10,), ids=ids
        ),
    ]
    return cases, rng


def _whole_catalogue_cases(rng: np.random.Generator, limits: Limits) -> tuple[VerificationCase, ...]:
    """Cases whose lists hold every item, asked at their length or at the function's fixed cut-off."""
    fixed_k, candidates = limits.most_k, limits.candidates

    def case(users: int, most_items: int, graded: bool = False) -> Case:
        items = candidates or most_items
        most = 1 if limits.one_relevant else min(MOST_RELEVANT, items // 2)
        return random_case(rng, np.full(users, items), spread(rng, users, 1, most), items, graded)

    def asked(name: str, about: str, case: Case) -> VerificationCase:
        return VerificationCase(
            name=name,
            key=f"{name}-all-items{'-one' if limits.one_relevant else ''}-{fixed_k or 'uncut'}-{candidates or 'any'}",
            about=about,
            case=case,
            ks=(fixed_k or case.n_items,),
        )

    large, shuffled = case(60, 250), rng.permutation(60)
    tied = replace(asked("ties", "groups of equal scores", with_ties(large)), edges=("ties",))
    return (
        asked("large", f"60 users, all of {large.n_items} items ranked", large),
        asked("small", f"100 users, all of {candidates or 30} items ranked", case(100, 30)),
        asked("long", f"8 users, all of {candidates or 1200:,} items ranked", case(8, 1200)),
        asked("graded", f"40 users, all of {candidates or 80} items, gains from 0.5 to 10", case(40, 80, graded=True)),
        asked("users_permuted", "the first users in another order", of_users(large, shuffled)),
        asked("items_renumbered", "items renumbered at random", renumbered(large, rng.permutation(large.n_items))),
        asked("asked_again", "the first users again", large),
        *([tied] if "ties" in limits.edges else []),
    )


def labelled_cases(seed: int, limits: Limits, drawn: str) -> tuple[VerificationCase, ...]:
    """Cases of users and items that share labels: few large classes, many small ones, classes of all sizes.

    Each label has two members at least; where the edge can be verified, one case has members without others. drawn :
    begins the names of cases whose sizes and seed are the function's own.
    """
    rng = np.random.default_rng(seed)
    sizes = rng.integers(20, 110, 4) if drawn else np.array([60, 90, 36, 130])
    cases = []
    for number, (size, count) in enumerate(zip(sizes, (3, sizes[1] // 3, 8, 10), strict=True), start=1):
        lonely = 4 if number == 3 and limits.labels == "set" and "no_relevant" in limits.edges else 0
        twice, more = np.repeat(np.arange(count), 2), rng.integers(0, count, max(0, size - 2 * count))
        labels = rng.permutation(np.concatenate([twice, more, count + np.arange(lonely)]))
        case = labelled_case(rng, labels, limits.labels)
        most = limits.most_k or case.width
        ks = (most,) if limits.all_items else (*(k for k in limits.size.cutoffs if k < most), most)
        name = f"{drawn}labels_{number}"
        cases.append(
            VerificationCase(
                name=name,
                key=f"{name}-{limits.labels}-{seed}-{limits.most_k}-{lonely}",
                about=f"{case.users} items of {count + lonely} labels",
                case=case,
                ks=ks,
                edges=("no_relevant",) if lonely else (),
            )
        )
    return tuple(cases)


def _relevant(rng: np.random.Generator, one: bool, users: int, fewest: int, most: int) -> np.ndarray:
    """int64, shape (users,): how many relevant items each user has."""
    return np.ones(users, dtype=np.int64) if one else spread(rng, users, fewest, most)


def _lengths(rng: np.random.Generator, short: bool, users: int, shortest: int, longest: int) -> np.ndarray:
    """int64, shape (users,): the lengths of lists, all the longest if none may be short."""
    return spread(rng, users, shortest, longest) if short else np.full(users, longest)


def _edge_cases(rng: np.random.Generator, limits: Limits) -> list[VerificationCase]:
    """A case for each known edge behaviour: some users at the edge among ordinary ones."""
    users = limits.size.edge
    there = rng.permutation(users)[: users // 6]
    lengths = _lengths(rng, limits.short_lists, users, 20, DEPTH)
    relevant = _relevant(rng, limits.one_relevant, users, 1, 20)
    base = random_case(rng, lengths, relevant, limits.size.items)
    some_users = f"{len(there)} of {users} users"
    about = {
        "no_relevant": f"{some_users} have no relevant item",
        "no_list": f"{some_users} have an empty list",
        "duplicates": "lists in which items occur again",
        "ties": "groups of equal scores",
        "unjudged": "half of the items that are not relevant were judged so, nobody judged the others",
        "predicted": "lists of judged items, of which few are predicted at the threshold or above",
    }
    refused = {"no_relevant": limits.one_relevant, "no_list": not limits.short_lists}
    return [
        VerificationCase(name=edge, about=text, case=at_edge(rng, base, edge, there), ks=(10,), edges=(edge,))
        for edge, text in about.items()
        if edge in limits.edges and not refused.get(edge)
    ]

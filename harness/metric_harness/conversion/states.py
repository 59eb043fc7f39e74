"""Every list that a user can have, as far as two definitions can tell: which ranks are hits, how much is relevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from metric_harness.system.errors import HarnessError
from metric_reference.case import Case
from metric_reference.signatures.signature import Signature
from metric_reference.variant import prepare

METRICS = (
    "hit_rate",
    "precision",
    "recall",
    "f1",
    "r_precision",
    "reciprocal_rank",
    "average_precision",
    "average_recall",
    "ndcg",
    "rank_biased_precision",
)
"""The metrics whose value follows from the ranks of the hits and the number of relevant items."""
MOST_STATES = 3_000_000
"""Lists that are enumerated at most: about a gigabyte."""


@dataclass(frozen=True, eq=False)
class States:
    """Lists and what two definitions make of them.

    patterns : bool, shape (states, depth): the ranks that are hits. relevant : int64, shape (states,). start, goal :
    float64, shape (states,): the values of the two definitions.
    """

    patterns: np.ndarray
    relevant: np.ndarray
    start: np.ndarray
    goal: np.ndarray

    def words(self, state: int) -> str:
        """A list in words."""
        ranks = (np.flatnonzero(self.patterns[state]) + 1).tolist()
        hits = f"hits at rank{'s' if len(ranks) > 1 else ''} {', '.join(map(str, ranks))}" if ranks else "no hit"
        return f"{hits} of {self.relevant[state]} relevant"


def refusal(signature: Signature) -> str | None:
    """Why a definition cannot be converted without the lists; None if it can."""
    variant = signature.variant
    made = variant.metric.made()
    if variant.metric.name not in METRICS:
        return f"{variant.metric.name} depends on more than the ranks of the hits"
    if made.get("gain", "binary") != "binary":
        return f"gain:{made['gain']} depends on the ratings of the relevant items"
    if variant.weight != "user" or variant.metric.whole() or made.get("who", "all") != "all":
        return f"{variant} is no mean of users' values"
    return None


def depth_of(start: Signature, goal: Signature) -> int:
    """How many ranks two definitions look at.

    Raises HarnessError for a definition that cannot be converted and a signature without cut-off.
    """
    for signature in (start, goal):
        if (why := refusal(signature)) is not None:
            raise HarnessError(f"{why}: give --recommendations and --truth, from which it is computed")
    cuts = [signature.variant.k for signature in (start, goal)]
    if None in cuts:
        raise HarnessError("a signature says @k: give its cut-off, as in ndcg@20")
    return max(cut for cut in cuts if cut is not None)


def states(start: Signature, goal: Signature, relevant: Sequence[int]) -> States:
    """Every full list of users with these numbers of relevant items, and its values under both definitions.

    Raises HarnessError as :func:`depth_of`, and for too many lists.
    """
    depth = depth_of(start, goal)
    if depth > 40 or (count := _count(depth, relevant)) > MOST_STATES:
        shown = "" if depth > 40 else f" ({count:,} lists)"
        raise HarnessError(
            f"k = {depth} with {len(relevant)} numbers of relevant items is too much{shown}: bounds are found by going "
            f"through every list, {MOST_STATES:,} at most; give one number, --relevant-per-user 10, or the files"
        )
    patterns, counts = _enumerated(depth, relevant)
    case = _case(patterns, counts)
    found = [_values(case, signature) for signature in (start, goal)]
    return States(patterns, counts, *found)


def _count(depth: int, relevant: Sequence[int]) -> int:
    from math import comb

    return sum(comb(depth, hits) for number in relevant for hits in range(min(depth, number) + 1))


def _enumerated(depth: int, relevant: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    codes = np.arange(2**depth, dtype=np.int64) if depth <= 22 else _sparse_codes(depth, max(relevant))
    patterns = (codes[:, None] >> np.arange(depth)) & 1 == 1
    hits = patterns.sum(axis=1)
    kept = [(patterns[hits <= number], np.full(int((hits <= number).sum()), number)) for number in relevant]
    return np.concatenate([one for one, _ in kept]), np.concatenate([one for _, one in kept])


def _sparse_codes(depth: int, most: int) -> np.ndarray:
    """Patterns of few hits among many ranks."""
    from itertools import combinations

    bits = (sum(1 << at for at in places) for hits in range(most + 1) for places in combinations(range(depth), hits))
    return np.fromiter(bits, dtype=np.int64)


def _case(patterns: np.ndarray, relevant: np.ndarray) -> Case:
    """A user for each state: item j at rank j if it is a hit, else an item that nobody wants."""
    depth = patterns.shape[1]
    ranks = np.arange(depth)
    hits = patterns.sum(axis=1)
    indptr = np.concatenate(([0], np.cumsum(relevant)))
    judged = np.empty(int(indptr[-1]), dtype=np.int64)
    place = np.arange(len(judged)) - np.repeat(indptr[:-1], relevant)
    listed = place < np.repeat(hits, relevant)
    judged[listed] = np.nonzero(patterns)[1]
    judged[~listed] = 2 * depth + place[~listed]
    recommended = np.where(patterns, ranks, depth + ranks)
    return Case(recommended, indptr, judged, np.ones(len(judged)), 2 * depth + int(relevant.max(initial=0)))


def values_of(patterns: np.ndarray, relevant: np.ndarray, signature: Signature) -> np.ndarray:
    """The values of lists under a definition: float64, shape (lists,). Arguments as in :class:`States`."""
    return _values(_case(patterns, relevant), signature)


def _values(case: Case, signature: Signature) -> np.ndarray:
    variant = signature.variant
    matches = prepare(case, replace(signature.edges, duplicates="counted", ties="input_order"))
    found = variant.metric.per_user(matches, variant.k or 1) * variant.times
    return np.where(np.isnan(found), 0.0, found)

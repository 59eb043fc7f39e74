"""Lists, reduced to what binary definitions depend on: the ranks of the hits and the number of relevant items."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from metric_harness.system.errors import HarnessError
from metric_reference.case import Case
from metric_reference.metric import ratio
from metric_reference.narrowed import EVERYTHING
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


@dataclass(frozen=True, eq=False)
class States:
    """Lists and their values under two definitions.

    patterns : bool, shape (states, depth): the ranks that are hits. relevant : int64, shape (states,). start, goal :
    float64, shape (states,): the values of the two definitions.
    """

    patterns: np.ndarray
    relevant: np.ndarray
    start: np.ndarray
    goal: np.ndarray

    def words(self, state: int) -> str:
        """Describes a list in words."""
        ranks = (np.flatnonzero(self.patterns[state]) + 1).tolist()
        hits = f"hits at rank{'s' if len(ranks) > 1 else ''} {', '.join(map(str, ranks))}" if ranks else "no hit"
        return f"{hits} of {self.relevant[state]} relevant"


def refusal(signature: Signature) -> str | None:
    """Why a definition cannot be converted without the lists; None if it can."""
    variant = signature.variant
    made = variant.metric.made()
    if variant.metric.name not in METRICS:
        return f"{variant.metric.name} depends on more than the ranks of the hits"
    if variant.only != EVERYTHING:
        return f"only:{variant.only} depends on more than the ranks of the hits"
    if made.get("gain", "binary") != "binary":
        return f"gain:{made['gain']} depends on the ratings of the relevant items"
    if variant.weight != "user" or variant.metric.of_whole_case() or made.get("who", "all") != "all":
        return f"{variant} is no mean of users' values"
    return None


def depth_of(start: Signature, goal: Signature) -> int:
    """The larger cut-off of two definitions.

    Raises HarnessError for a definition that cannot be converted and a signature without cut-off.
    """
    for signature in (start, goal):
        if (reason := refusal(signature)) is not None:
            raise HarnessError(f"{reason}: give --recommendations and --truth, from which it is computed")
    cuts = [signature.variant.k for signature in (start, goal)]
    if None in cuts:
        raise HarnessError("a signature says @k: give its cut-off, as in ndcg@20")
    return max(cut for cut in cuts if cut is not None)


def _case(patterns: np.ndarray, relevant: np.ndarray) -> Case:
    """A user for each state: item j at rank j if it is a hit, else an item that is not relevant."""
    depth = patterns.shape[1]
    ranks = np.arange(depth)
    hits = patterns.sum(axis=1)
    indptr = np.concatenate(([0], np.cumsum(relevant)))
    judged = np.empty(int(indptr[-1]), dtype=np.int64)
    index = np.arange(len(judged)) - np.repeat(indptr[:-1], relevant)
    listed = index < np.repeat(hits, relevant)
    judged[listed] = np.nonzero(patterns)[1]
    judged[~listed] = 2 * depth + index[~listed]
    recommended = np.where(patterns, ranks, depth + ranks)
    return Case(recommended, indptr, judged, np.ones(len(judged)), 2 * depth + int(relevant.max(initial=0)))


def parts_of(patterns: np.ndarray, relevant: np.ndarray, signature: Signature) -> tuple[np.ndarray, np.ndarray]:
    """Numerators and denominators of lists under a definition: float64, shape (lists,). Arguments as in
    :class:`States`; what is undefined has the denominator 0."""
    variant = signature.variant
    matches = prepare(_case(patterns, relevant), replace(signature.edges, duplicates="counted", ties="input_order"))
    numerators, denominators = variant.metric.parts(matches, variant.k or 1)
    return numerators * variant.times, denominators


def values_of(patterns: np.ndarray, relevant: np.ndarray, signature: Signature) -> np.ndarray:
    """The values of lists under a definition, 0 where it is undefined: float64, shape (lists,)."""
    return np.nan_to_num(ratio(*parts_of(patterns, relevant, signature)))

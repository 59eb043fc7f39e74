"""A definition as a sum over the hits of a list, over a divisor.

The i-th hit at rank j adds a number that depends on i and j (for R-precision on the number of relevant items too). The
divisor depends on the number of relevant items and on the number of hits or the rank of the last one. The reference
computes all these numbers; random lists check that they give its values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from metric_harness.conversion.states import parts_of
from metric_harness.system.errors import HarnessError
from metric_reference.signatures.signature import Signature
from metric_reports.tolerances import EXACT

CHECKED_LISTS = 300
"""Random lists on which the sum over the divisor must equal the reference's value."""
MOST_ITEMS = 100_000_000
"""Most listed and relevant items in the cases that the reference computes."""


@dataclass(frozen=True, eq=False)
class Sums:
    """A definition as tables of numbers.

    relevant : int64, shape (numbers,): the numbers of relevant items that users may have. adds : float64, shape (1 or
    numbers, depth, most): what the i-th hit at rank j adds, [., j - 1, i - 1]; one table where the number of relevant
    items does not matter. divisors : float64, shape (numbers, depth + 1): the divisor for each key; NaN for keys of no
    list. cut, last : a list's key is its number of hits up to rank ``cut``, or with ``last`` the rank of the last.
    """

    relevant: np.ndarray
    adds: np.ndarray
    divisors: np.ndarray
    cut: int
    last: bool

    def keys(self, patterns: np.ndarray) -> np.ndarray:
        """The keys of lists, on which their divisors depend: int64, shape (lists,)."""
        ranks = np.arange(1, self.cut + 1)
        within = patterns[:, : self.cut]
        return (within * ranks).max(axis=1) if self.last else within.sum(axis=1)

    def sums(self, patterns: np.ndarray, relevant_index: np.ndarray) -> np.ndarray:
        """The sums of lists. relevant_index : the indices of their numbers of relevant items in ``relevant``."""
        hit = np.clip(np.cumsum(patterns, axis=1) - 1, 0, self.adds.shape[2] - 1)
        tables = np.minimum(relevant_index, len(self.adds) - 1)[:, None]
        added: np.ndarray = np.where(patterns, self.adds[tables, np.arange(patterns.shape[1]), hit], 0.0)
        return added.sum(axis=1)

    def of(self, patterns: np.ndarray, relevant_index: np.ndarray) -> np.ndarray:
        """The values of lists: float64, shape (lists,)."""
        return self.sums(patterns, relevant_index) * self.scale(relevant_index, self.keys(patterns))

    def scale(self, relevant_index: np.ndarray | int, keys: np.ndarray) -> np.ndarray:
        """1 over the divisor; 0 where the divisor is 0, so the definition undefined."""
        divisors = self.divisors[relevant_index, keys]
        return np.divide(1.0, divisors, out=np.zeros(divisors.shape), where=divisors != 0)

    def divides(self) -> bool:
        """Whether lists with the same number of relevant items have different divisors."""
        least = np.nanmin(self.divisors, axis=1)
        return bool((np.nanmax(self.divisors, axis=1) > least).any())


def sums_of(signature: Signature, relevant: Sequence[int], depth: int) -> Sums:
    """A definition as tables of numbers, for lists of ``depth`` items.

    Raises HarnessError for too many numbers of relevant items and for a definition that is no such sum.
    """
    numbers = np.array(relevant)
    if (depth + 1) * (numbers.sum() + depth * len(numbers)) > MOST_ITEMS:
        raise HarnessError(
            f"{len(numbers)} numbers of relevant items at k = {depth} are too many to ask for: give fewer, as in "
            "--relevant-per-user 1-50"
        )
    rng = np.random.default_rng(len(numbers))
    relevant_index = rng.integers(0, len(numbers), CHECKED_LISTS)
    patterns = rng.random((CHECKED_LISTS, depth)) < rng.random((CHECKED_LISTS, 1)) ** 3
    patterns &= np.cumsum(patterns, axis=1) <= numbers[relevant_index][:, None]
    numerators, denominators = parts_of(patterns, numbers[relevant_index], signature)
    most = min(depth, int(numbers.max()))
    adds = _adds(signature, most, depth, most)[None]
    cut = signature.variant.k or depth
    for key_cut, last in ((cut, False), (depth, False), (cut, True), (depth, True)):
        sums = Sums(numbers, adds, _divisors(signature, numbers, depth, last), key_cut, last)
        if np.allclose(sums.divisors[relevant_index, sums.keys(patterns)], denominators, rtol=EXACT, atol=0):
            break
    else:
        raise HarnessError(f"{signature}: its divisor is not known; give --recommendations and --truth")
    if not np.allclose(sums.sums(patterns, relevant_index), numerators, rtol=0, atol=1e-10):
        sums = replace(sums, adds=np.stack([_adds(signature, number, depth, most) for number in relevant]))
        if not np.allclose(sums.sums(patterns, relevant_index), numerators, rtol=0, atol=1e-10):
            raise HarnessError(f"{signature}: it is no sum over the hits; give --recommendations and --truth")
    return sums


def _adds(signature: Signature, number: int, depth: int, most: int) -> np.ndarray:
    """What hits add where ``number`` items are relevant: shape (depth, most); 0 for impossible hits."""
    hits, ranks = np.tril_indices(depth)[::-1]  # i-th hit (from 0) at rank j (from 0), i <= j
    kept = hits < min(number, most)
    hits, ranks = hits[kept], ranks[kept]
    before = np.arange(depth) < hits[:, None]
    after = before.copy()
    after[np.arange(len(hits)), ranks] = True
    relevant = np.full(len(hits), number)
    adds = np.zeros((depth, most))
    adds[ranks, hits] = parts_of(after, relevant, signature)[0] - parts_of(before, relevant, signature)[0]
    return adds


def _divisors(signature: Signature, numbers: np.ndarray, depth: int, last: bool) -> np.ndarray:
    """The divisors of lists whose only hits are at the first ranks, or, with ``last``, at a single rank: by number of
    relevant items, then by number of hits or by rank."""
    relevant_index, keys = np.nonzero((np.arange(depth + 1) <= numbers[:, None]) | last)
    ranks = np.arange(1, depth + 1)
    patterns = ranks == keys[:, None] if last else ranks <= keys[:, None]
    divisors = np.full((len(numbers), depth + 1), np.nan)
    divisors[relevant_index, keys] = parts_of(patterns, numbers[relevant_index], signature)[1]
    return divisors

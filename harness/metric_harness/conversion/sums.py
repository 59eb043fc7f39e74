"""A definition as a sum over the hits that is divided by what the number of hits says.

The i-th hit at rank j adds a number that depends on i and j (for R-precision on the number of relevant items too). The
divisor depends on the number of relevant items and the number of hits, or the rank of the last hit. All numbers are
asked of the reference, and random lists check that they are all that there is to the definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metric_harness.conversion.states import parts_of
from metric_harness.system.errors import HarnessError
from metric_reference.signatures.signature import Signature

CHECKED = 300
"""Random lists on which the numbers must give the definition's."""
MOST_ASKED = 100_000_000
"""Items of the lists and of what is relevant of which the reference is asked at most."""


@dataclass(frozen=True, eq=False)
class Sums:
    """A definition as numbers.

    numbers : int64, shape (numbers,): how many relevant items users have. adds : float64, shape (1 or numbers, depth,
    most): what the i-th hit at rank j adds, [., j - 1, i - 1]; one table where the number of relevant items does not
    matter. divisors : float64, shape (numbers, depth + 1): by what is divided, for each key; NaN for keys that no list
    has. cut, last : a list's key is the number of hits up to rank ``cut``, or with ``last`` the rank of the last.
    """

    numbers: np.ndarray
    adds: np.ndarray
    divisors: np.ndarray
    cut: int
    last: bool

    def keys(self, patterns: np.ndarray) -> np.ndarray:
        """What the divisors of lists depend on: int64, shape (lists,)."""
        ranks = np.arange(1, self.cut + 1)
        within = patterns[:, : self.cut]
        return (within * ranks).max(axis=1) if self.last else within.sum(axis=1)

    def sums(self, patterns: np.ndarray, places: np.ndarray) -> np.ndarray:
        """The sums of lists. places : where the numbers of relevant items stand in ``numbers``."""
        count = np.clip(np.cumsum(patterns, axis=1) - 1, 0, self.adds.shape[2] - 1)
        tables = np.minimum(places, len(self.adds) - 1)[:, None]
        added: np.ndarray = np.where(patterns, self.adds[tables, np.arange(patterns.shape[1]), count], 0.0)
        return added.sum(axis=1)

    def of(self, patterns: np.ndarray, places: np.ndarray) -> np.ndarray:
        """The values of lists: float64, shape (lists,)."""
        return self.sums(patterns, places) * self.scale(places, self.keys(patterns))

    def scale(self, places: np.ndarray | int, keys: np.ndarray) -> np.ndarray:
        """1 over the divisor; 0 where that is 0 and the definition undefined."""
        divisors = self.divisors[places, keys]
        return np.divide(1.0, divisors, out=np.zeros(divisors.shape), where=divisors != 0)

    def divides(self) -> bool:
        """Whether lists with the same number of relevant items have different divisors."""
        least = np.nanmin(self.divisors, axis=1)
        return bool((np.nanmax(self.divisors, axis=1) > least).any())


def sums_of(signature: Signature, relevant: Sequence[int], depth: int) -> Sums:
    """A definition as numbers, for lists of ``depth`` items.

    Raises HarnessError for too many numbers of relevant items and for a definition that is no such sum.
    """
    numbers = np.array(relevant)
    if (depth + 1) * (numbers.sum() + depth * len(numbers)) > MOST_ASKED:
        raise HarnessError(
            f"{len(numbers)} numbers of relevant items at k = {depth} are too many to ask for: give fewer, as in "
            "--relevant-per-user 1-50"
        )
    rng = np.random.default_rng(len(numbers))
    places = rng.integers(0, len(numbers), CHECKED)
    patterns = rng.random((CHECKED, depth)) < rng.random((CHECKED, 1)) ** 3
    patterns &= np.cumsum(patterns, axis=1) <= numbers[places][:, None]
    numerators, denominators = parts_of(patterns, numbers[places], signature)
    most = min(depth, int(numbers.max()))
    adds = _adds(signature, most, depth, most)[None]
    cut = signature.variant.k or depth
    for kind in ((cut, False), (depth, False), (cut, True), (depth, True)):
        found = Sums(numbers, adds, _divisors(signature, numbers, depth, kind[1]), *kind)
        if np.allclose(found.divisors[places, found.keys(patterns)], denominators, rtol=1e-12, atol=0):
            break
    else:
        raise HarnessError(f"{signature}: its divisor is not known; give --recommendations and --truth")
    if not np.allclose(found.sums(patterns, places), numerators, rtol=0, atol=1e-10):
        found = Sums(
            numbers, np.stack([_adds(signature, number, depth, most) for number in relevant]), found.divisors, *kind
        )
        if not np.allclose(found.sums(patterns, places), numerators, rtol=0, atol=1e-10):
            raise HarnessError(f"{signature}: it is no sum over the hits; give --recommendations and --truth")
    return found


def _adds(signature: Signature, number: int, depth: int, most: int) -> np.ndarray:
    """What hits add where ``number`` items are relevant: shape (depth, most); 0 for hits that there cannot be."""
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
    """What is divided by for each number of relevant items and of hits (from rank 1 on), or rank of the only hit."""
    places, keys = np.nonzero((np.arange(depth + 1) <= numbers[:, None]) | last)
    ranks = np.arange(1, depth + 1)
    patterns = ranks == keys[:, None] if last else ranks <= keys[:, None]
    divisors = np.full((len(numbers), depth + 1), np.nan)
    divisors[places, keys] = parts_of(patterns, numbers[places], signature)[1]
    return divisors

"""A verification case, and how large the cases for a kind of function are."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from metric_reference.case import Case


@dataclass(frozen=True, kw_only=True)
class VerificationCase:
    """A random case and the cut-offs at which it is asked.

    key : its name and a digest of the limits that it was made for. about : what it shows, for readers. ids : the item
    ids for a function that takes ids, int64, shape (n_items,), ascending; None for the item numbers. edges : the edge
    behaviours that it shows; a departure on such a case is of the edge, not of the definition.
    """

    name: str
    key: str = ""
    about: str
    case: Case
    ks: tuple[int, ...]
    ids: np.ndarray | None = None
    edges: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Size:
    """How large the cases are: users of each case, items of the catalogue, cut-offs of three cases.

    The last cut-off of ``full`` is past the end of its lists. vectors : the function takes a score for every item.
    """

    full: int
    ragged: int
    graded: int
    long: int
    many: int
    first: int
    edge: int
    items: int
    cutoffs: tuple[int, ...]
    ragged_cutoffs: tuple[int, ...]
    graded_cutoffs: tuple[int, ...]
    vectors: bool = field(default=False, repr=False)

    @property
    def longest(self) -> int:
        """Length of the lists of the case ``long``: past 1,000, where many functions cut, if the catalogue allows."""
        return min(1100, self.items - 100)

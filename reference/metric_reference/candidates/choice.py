"""Which candidates a relevant item is ranked among, as a choice of a signature."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Optional

from metric_reference.candidates.scheme import PER, WEIGHTS, Scheme

KINDS = ("all", *WEIGHTS, "given")
WORD = re.compile(r"(?P<kind>[a-z]+)(?P<negatives>[1-9][0-9]{0,8})?")


@dataclass(frozen=True)
class Candidates:
    """The items that a relevant item is ranked among.

    kind : ``all`` items that may be recommended; negatives drawn ``uniform`` or by ``popularity``; ``given``: those
        that the caller hands over, such as a file of negatives.
    negatives : how many are drawn; None unless they are.
    replacement : whether an item may be drawn twice. per : ``item``: drawn for each relevant item alone; ``user``: once
        for all relevant items of a user, which are ranked together. Both have a meaning only for drawn negatives.

    ``str(candidates)`` is the word of a signature: ``all``, ``uniform99``, ``popularity100``, ``given``. Raises
    ValueError for any other value.
    """

    kind: str = "all"
    negatives: Optional[int] = None
    replacement: bool = False
    per: str = "item"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"candidates must be one of {', '.join(KINDS)}, not {self.kind!r}")
        if self.per not in PER:
            raise ValueError(f"per must be one of {', '.join(PER)}, not {self.per!r}")
        if self.drawn and (self.negatives is None or self.negatives < 1):
            raise ValueError(f"{self.kind} candidates need a number of negatives from 1 on, as in {self.kind}99")
        if not self.drawn and (self.negatives is not None or self.replacement or self.per != "item"):
            raise ValueError(f"{self.kind} candidates are not drawn: leave negatives, replacement and per out")

    @property
    def drawn(self) -> bool:
        """Whether the negatives are drawn, so that the number depends on chance."""
        return self.kind in WEIGHTS

    def scheme(self, ties: str = "optimistic") -> Scheme:
        """The scheme whose expectation and variance are known; ValueError where there is none."""
        if self.negatives is None:
            raise ValueError(f"{self} candidates are not drawn, so there is no chance in the number")
        return Scheme(self.negatives, self.kind, self.replacement, self.per, ties)

    def __str__(self) -> str:
        return self.kind if self.negatives is None else f"{self.kind}{self.negatives}"


ALL = Candidates()
"""No candidate is left out: what a signature means that says nothing about them."""

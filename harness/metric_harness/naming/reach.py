"""The reach of a name: which cases were asked and answered."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from metric_adapters.calls.domain import Domain
from metric_reference.case import Case
from metric_reports.types.common import Reach as ReachRow

Span = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Reach:
    """The smallest and the largest number of each of these that was asked and answered.

    users : in a question. lists : items of a list. relevant : relevant items of a user. k : the cut-off. graded :
    whether gains other than 1 were asked (1 or 0, as a span).
    """

    users: Span
    lists: Span
    relevant: Span
    k: Span
    graded: Span

    def joined(self, other: Reach) -> Reach:
        """The reach of both."""
        pairs = {field.name: (getattr(self, field.name), getattr(other, field.name)) for field in fields(self)}
        return Reach(**{name: (min(a[0], b[0]), max(a[1], b[1])) for name, (a, b) in pairs.items()})

    def to_json(self, domain: Domain) -> ReachRow:
        """The spans as the record holds them; gains and ids as far as the way of calling shows them."""
        return {
            "users": list(self.users),
            "lists": list(self.lists),
            "relevant": list(self.relevant),
            "k": list(self.k),
            "gains": "binary" if domain.gains == "graded" and not self.graded[1] else domain.gains,
            "ids": domain.ids,
        }


def reach_of(case: Case, k: int) -> Reach:
    """The reach of one question."""
    lengths = case.list_lengths
    relevant = np.bincount(case.judged_users[case.relevant], minlength=case.users)
    graded = int(bool((case.judged_gains != 1.0).any()))
    return Reach(
        users=(case.users, case.users),
        lists=(int(lengths.min()), int(lengths.max())),
        relevant=(int(relevant.min()), int(relevant.max())),
        k=(k, k),
        graded=(graded, graded),
    )

"""The reach of a name: which cases were asked and answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metric_adapters.calls.domain import Domain
from metric_reference.case import Case
from metric_reports.types.common import Reach as ReachRow

Span = tuple[int, int]
"""The smallest and the largest number."""


@dataclass(frozen=True, kw_only=True)
class Reach:
    """Users in a question, items of a list, relevant items of a user, cut-offs; whether gains other than 1 occurred.

    seed : of the drawn cases among them, None without any.
    """

    users: Span
    lists: Span
    relevant: Span
    k: Span
    graded: bool
    seed: int | None = None

    def to_json(self, domain: Domain) -> ReachRow:
        """As the record holds it; gains and ids as far as the way of calling shows them."""
        gains = "graded" if domain.gains == "whole" else domain.gains
        return {
            "users": list(self.users),
            "lists": list(self.lists),
            "relevant": list(self.relevant),
            "k": list(self.k),
            "gains": gains if gains != "graded" or self.graded else "binary",
            "ids": domain.ids,
            "seed": self.seed,
        }


def reach_of(asked: Sequence[tuple[Case, int]]) -> Reach | None:
    """The reach of some questions, each a case and a cut-off; None without any."""
    if not asked:
        return None
    cases = list({id(case): case for case, _ in asked}.values())
    relevant = [np.bincount(case.judged_users[case.relevant], minlength=case.users) for case in cases]
    return Reach(
        users=span(np.array([case.users for case in cases])),
        lists=span(np.concatenate([case.list_lengths for case in cases])),
        relevant=span(np.concatenate(relevant)),
        k=span(np.array([k for _, k in asked])),
        graded=any((case.judged_gains != 1.0).any() for case in cases),
    )


def joined(reaches: Sequence[Reach | None], seed: int) -> Reach | None:
    """The reach of all questions together; ``seed`` is that of the drawn ones among them. None without any."""
    known = [reach for reach in reaches if reach is not None]
    if not known:
        return None

    def over(name: str) -> Span:
        return span(np.array([getattr(reach, name) for reach in known]))

    graded = any(reach.graded for reach in known)
    return Reach(
        users=over("users"),
        lists=over("lists"),
        relevant=over("relevant"),
        k=over("k"),
        graded=graded,
        seed=seed,
    )


def span(numbers: np.ndarray) -> Span:
    """The smallest and the largest of some numbers."""
    return int(numbers.min()), int(numbers.max())

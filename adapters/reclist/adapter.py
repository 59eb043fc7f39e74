"""RecList takes two frames with a row for each user: recommended items in order, and relevant items.

It returns one number.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, List

import pandas as pd
from reclist.metrics import standard_metrics

from metric_adapters.shapes import lists_by_user, relevant_by_user
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("reclist")


def table(rows: List[List[int]]) -> Any:
    """A row for each list, NaN past its end; at least one column, for the frame of no items at all."""
    width = max([1, *map(len, rows)])
    return pd.DataFrame([row + [None] * (width - len(row)) for row in rows], dtype="float64")


def asking(function: Callable[..., float]) -> Callable[[Case, int], Answer]:
    def ask(case: Case, k: int) -> Answer:
        lists, relevant = list(lists_by_user(case).values()), list(relevant_by_user(case).values())
        return Answer(function(table(lists), table(relevant), k=k))

    return ask


NAMES = ("hit_rate_at_k", "mrr_at_k", "precision_at_k", "recall_at_k")
SUBJECTS = {name: Subject(asking(getattr(standard_metrics, name)), getattr(standard_metrics, name)) for name in NAMES}

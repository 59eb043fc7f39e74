"""rs_metrics 0.5.0 takes two dicts, user -> relevant items and user -> ranked items, and cuts the lists itself.

Each call forks as many processes as there are processors; which one takes which user does not matter to the values.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import rs_metrics
from rs_metrics import metrics

from metric_adapters import checkout
from metric_adapters.shapes import lists_by_user, relevant_by_user
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return checkout.version("rs_metrics")


def asking(function: Callable[..., Any], by_user: Callable[..., Any]) -> Callable[[Case, int], Answer]:
    """Ask a function for its mean, and the function behind it for the values of users.

    This release gives no values of users; the function that it maps over them (relevant items, list cut at k, k) does.
    A user without relevant items may divide by nothing there; the mean warns of it as well.
    """

    def ask(case: Case, k: int) -> Answer:
        true, pred = relevant_by_user(case), lists_by_user(case)
        values = [by_user(true[user], pred[user][:k], k) for user in true]
        return Answer(
            value=function(true, pred, k=k),
            users=np.array(list(true), dtype=np.int64),
            values=np.array(values, dtype=np.float64),
        )

    return ask


def written(function: Any) -> Any:
    """The function as the library wrote it: its decorator returns a wrapper that hides it."""
    return function.__closure__[0].cell_contents


FUNCTIONS = {
    "hitrate": (rs_metrics.hitrate, metrics._hitrate),
    "precision": (rs_metrics.precision, metrics._precision),
    "recall": (rs_metrics.recall, metrics._recall),
    "mrr": (rs_metrics.mrr, metrics._mrr),
    "mapr": (rs_metrics.mapr, metrics._map),
    "ndcg": (rs_metrics.ndcg, metrics._ndcg_score),
}
SUBJECTS = {name: Subject(asking(*pair), written(pair[0])) for name, pair in FUNCTIONS.items()}

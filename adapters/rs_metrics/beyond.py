"""rs_metrics's functions of the lists beside the training data, a frame of users and items."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import rs_metrics

from metric_adapters.shapes import frame, lists_by_user
from metric_adapters.subject import Answer, Subject
from metric_adapters.training import train_pairs
from metric_reference.case import Case

LOG = ("user_id", "item_id")


def ask_coverage(case: Case, k: int) -> Answer:
    """The share of the whole catalogue: the function is given the item ids that count."""
    return Answer(float(rs_metrics.coverage(np.arange(case.n_items), lists_by_user(case), k=k)))


def beside_training(function: Callable[..., Any]) -> Callable[[Case, int], Answer]:
    """Ask a function of the training data and the lists."""

    def ask(case: Case, k: int) -> Answer:
        return Answer(float(function(frame(LOG, *train_pairs(case)), lists_by_user(case), k=k)))

    return ask


SUBJECTS = {
    "coverage": Subject(ask_coverage, rs_metrics.coverage),
    "popularity": Subject(beside_training(rs_metrics.popularity), rs_metrics.popularity),
    "surprisal": Subject(beside_training(rs_metrics.surprisal), rs_metrics.surprisal),
}

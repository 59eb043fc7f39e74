"""Odd inputs of MLflow: documents that come as a set, ids that are numbers on one side, a query without anything."""

from __future__ import annotations

from typing import Any, Sequence

import pandas as pd
from mlflow.metrics import ndcg_at_k, precision_at_k, recall_at_k

from metric_adapters.odd_inputs import LISTS, TRUTH, each

METRICS = {"ndcg_at_k": ndcg_at_k, "precision_at_k": precision_at_k, "recall_at_k": recall_at_k}


def ask(name: str, convert: Any = list, truth: Any = list) -> float:
    return mean(name, [convert(items) for items in LISTS.values()], [truth(items) for items in TRUTH.values()])


def ask_with_nothing_relevant(name: str, last: Sequence[int]) -> float:
    """The mean with one more query, for which nothing is expected, and ``last`` retrieved."""
    return mean(name, [*LISTS.values(), last], [*TRUTH.values(), []])


def mean(name: str, lists: Sequence[Any], truth: Sequence[Any]) -> float:
    retrieved, expected = pd.Series(list(lists)), pd.Series(list(truth))
    result = METRICS[name](2)(predictions=retrieved, targets=expected)
    if result.aggregate_results is None or "mean" not in result.aggregate_results:
        raise ValueError("no result, only a warning in the log")
    return float(result.aggregate_results["mean"])


ODD_INPUTS = [
    *each("mixed_ids", list(METRICS), ask, lambda name: ask(name, truth=lambda items: list(map(str, items)))),
    *each("set_for_list", list(METRICS), ask, lambda name: ask(name, convert=set)),
    *each(
        "nothing_at_all",
        list(METRICS),
        lambda name: ask_with_nothing_relevant(name, [60, 70]),
        lambda name: ask_with_nothing_relevant(name, []),
    ),
]

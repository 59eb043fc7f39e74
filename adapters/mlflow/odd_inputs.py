"""Odd inputs of MLflow: retrieved documents that come as a set, and ids that are numbers on one side."""

from __future__ import annotations

from typing import Any

import pandas as pd
from mlflow.metrics import ndcg_at_k, precision_at_k, recall_at_k

from metric_adapters.odd_inputs import LISTS, TRUTH, each

METRICS = {"ndcg_at_k": ndcg_at_k, "precision_at_k": precision_at_k, "recall_at_k": recall_at_k}


def ask(name: str, convert: Any = list, truth: Any = list) -> float:
    retrieved = pd.Series([convert(items) for items in LISTS.values()])
    expected = pd.Series([truth(items) for items in TRUTH.values()])
    result = METRICS[name](2)(predictions=retrieved, targets=expected)
    if result.aggregate_results is None or "mean" not in result.aggregate_results:
        raise ValueError("no result, only a warning in the log")
    return float(result.aggregate_results["mean"])


ODD_INPUTS = [
    *each("mixed_ids", list(METRICS), ask, lambda name: ask(name, truth=lambda items: list(map(str, items)))),
    *each("set_for_list", list(METRICS), ask, lambda name: ask(name, convert=set)),
]

"""Odd inputs of LlamaIndex: retrieved ids that come as a set or as numbers beside text, and a metric asked twice."""

from __future__ import annotations

from typing import Any

import numpy as np
from llama_index.core.evaluation.retrieval import metrics

from metric_adapters.odd_inputs import LISTS, TRUTH, each

METRICS = ("HitRate", "MRR", "Precision", "Recall", "AveragePrecision", "NDCG")


def ask(name: str, convert: Any = list, truth: Any = list, times: int = 1) -> float:
    metric = getattr(metrics, name)()
    for _ in range(times):
        scores = [
            metric.compute(expected_ids=truth(TRUTH[user]), retrieved_ids=convert(LISTS[user])).score for user in LISTS
        ]
    return float(np.mean(scores))


ODD_INPUTS = [
    *each("mixed_ids", METRICS, ask, lambda name: ask(name, truth=lambda items: list(map(str, items)))),
    *each("set_for_list", METRICS, ask, lambda name: ask(name, convert=set)),
    *each("second_call", METRICS, ask, lambda name: ask(name, times=2)),
]

"""Odd inputs of RePlay: item ids that are text in one frame, several cut-offs, and one metric asked twice."""

from __future__ import annotations

from typing import Sequence

from replay import metrics

from metric_adapters.odd_inputs import LISTS, TRUTH, each, rows
from metric_adapters.shapes import frame

METRICS = ("HitRate", "Precision", "Recall", "MRR", "MAP", "NDCG")


def ask(name: str, text: bool = False, ks: Sequence[int] = (2,), times: int = 1) -> float:
    users, items, ranks = rows(LISTS)
    listed = frame(("query_id", "item_id", "rating"), users, items, -1.0 * ranks)
    relevant = frame(("query_id", "item_id"), *rows(TRUTH, text)[:2])
    asked = getattr(metrics, name)(list(ks))
    for _ in range(times):
        means = asked(listed, relevant)
    return float(means[f"{name}@2"])


ODD_INPUTS = [
    *each("mixed_ids", METRICS, ask, lambda name: ask(name, text=True)),
    *each("second_call", METRICS, ask, lambda name: ask(name, times=2)),
    *each("several_k", METRICS, ask, lambda name: ask(name, ks=(1, 2, 4))),
]

"""Odd inputs of RecTools: item ids that are numbers in one frame and text in the other, and several metrics at once."""

from __future__ import annotations

from rectools import Columns, metrics

from metric_adapters.odd_inputs import LISTS, TRUTH, each, rows
from metric_adapters.shapes import frame

METRICS = ("HitRate", "Precision", "Recall", "MRR", "MAP", "NDCG")


def ask(name: str, text: bool = False) -> float:
    listed = frame((Columns.User, Columns.Item, Columns.Rank), *rows(LISTS))
    return float(getattr(metrics, name)(k=2).calc(listed, frame((Columns.User, Columns.Item), *rows(TRUTH, text)[:2])))


def several(name: str) -> float:
    asked = {f"{k}": getattr(metrics, name)(k=k) for k in (1, 2, 4)}
    listed = frame((Columns.User, Columns.Item, Columns.Rank), *rows(LISTS))
    return float(metrics.calc_metrics(asked, listed, frame((Columns.User, Columns.Item), *rows(TRUTH)[:2]))["2"])


ODD_INPUTS = [
    *each("mixed_ids", METRICS, ask, lambda name: ask(name, text=True)),
    *each("several_k", METRICS, ask, several),
]

"""Odd inputs of Recommenders: item ids that are numbers in one frame and text in the other."""

from __future__ import annotations

from typing import Any

from recommenders.evaluation import python_evaluation as evaluation

from metric_adapters.odd_inputs import LISTS, TRUTH, each, rows
from metric_adapters.shapes import frame

FUNCTIONS = ("precision_at_k", "recall_at_k", "r_precision_at_k", "map", "map_at_k", "ndcg_at_k")


def ask(name: str, text: bool = False) -> float:
    users, items, ranks = rows(LISTS)
    predicted = frame(("userID", "itemID", "prediction"), users, items, -ranks)
    users, items, ranks = rows(TRUTH, text)
    true: Any = frame(("userID", "itemID", "rating"), users, items, ranks * 0 + 1)
    return float(getattr(evaluation, name)(true, predicted, k=2))


ODD_INPUTS = each("mixed_ids", FUNCTIONS, ask, lambda name: ask(name, text=True))

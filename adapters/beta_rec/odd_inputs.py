"""Odd inputs of Beta-RecSys: item ids that are numbers in one frame and text in the other."""

from __future__ import annotations

from beta_rec.utils import evaluation

from metric_adapters.odd_inputs import LISTS, TRUTH, each, rows
from metric_adapters.shapes import frame

from .adapter import PREDICTED, TRUE

FUNCTIONS = ("precision_at_k", "recall_at_k", "map_at_k", "ndcg_at_k")


def ask(name: str, text: bool = False) -> float:
    users, items, ranks = rows(LISTS)
    predicted = frame(PREDICTED, users, items, -ranks)
    users, items, ranks = rows(TRUTH, text)
    return float(getattr(evaluation, name)(frame(TRUE, users, items, ranks * 0 + 1), predicted, k=2))


ODD_INPUTS = each("mixed_ids", FUNCTIONS, ask, lambda name: ask(name, text=True))

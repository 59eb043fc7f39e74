"""Odd inputs of XGBoost: a group without rows between two others."""

from __future__ import annotations

import numpy as np

from metric_adapters.odd_inputs import each

from .adapter import evaluate

LABELS = np.array([0.0, 1.0, 1.0, 1.0, 0.0, 0.0])
SCORES = np.array([3.0, 2.0, 1.0, 2.0, 3.0, 1.0])
OBJECTIVES = {"ndcg": "rank:ndcg", "map": "rank:map", "pre": "rank:map"}


def ask(name: str, groups: "list[int]") -> float:
    return evaluate(f"{name}@2", OBJECTIVES[name], LABELS, SCORES, np.array(groups))


ODD_INPUTS = each("empty_group", list(OBJECTIVES), lambda name: ask(name, [3, 3]), lambda name: ask(name, [3, 0, 3]))

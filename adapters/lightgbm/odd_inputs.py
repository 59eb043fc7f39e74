"""Odd inputs of LightGBM: a group without rows between two others."""

from __future__ import annotations

import numpy as np

from metric_adapters.odd_inputs import each

from .adapter import evaluate

LABELS = np.array([0.0, 1.0, 1.0, 1.0, 0.0, 0.0])
SCORES = np.array([3.0, 2.0, 1.0, 2.0, 3.0, 1.0])


def ask(name: str, groups: "list[int]") -> float:
    return evaluate(name, "lambdarank", LABELS, SCORES, np.array(groups), eval_at=[2])


ODD_INPUTS = each("empty_group", ["ndcg", "map"], lambda name: ask(name, [3, 3]), lambda name: ask(name, [3, 0, 3]))

"""Odd inputs of allRank: a slate whose items are all padding, and several cut-offs."""

from __future__ import annotations

from typing import Sequence

import torch

from metric_adapters.odd_inputs import each

from .adapter import metrics

LABELS = [[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]]
SCORES = [[3.0, 2.0, 1.0], [2.0, 3.0, 1.0]]
PADDING = -1.0
"""The label by which allRank marks padding."""


def ask(name: str, ats: Sequence[int] = (2,), empty: bool = False) -> float:
    labels, scores = (torch.tensor(rows) for rows in (LABELS, SCORES))
    if empty:
        labels = torch.cat((labels, torch.full((1, 3), PADDING)))
        scores = torch.cat((scores, torch.zeros(1, 3)))
    return float(getattr(metrics, name)(scores, labels, ats=list(ats))[:, list(ats).index(2)].mean())


ODD_INPUTS = [
    *each("empty_group", ["ndcg", "mrr"], ask, lambda name: ask(name, empty=True)),
    *each("several_k", ["ndcg", "mrr"], ask, lambda name: ask(name, ats=(1, 2, 3))),
]

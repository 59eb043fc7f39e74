"""Odd inputs of PyTorch-Ignite: several cut-offs, and an accumulator that gets the same rows again without a reset."""

from __future__ import annotations

from typing import Any, Sequence

import torch
from ignite.metrics.rec_sys import NDCG, HitRate

from metric_adapters.odd_inputs import each

METRICS = {"HitRate": HitRate, "NDCG": NDCG}
SCORES = torch.tensor([[0.9, 0.7, 0.5, 0.1], [0.8, 0.6, 0.4, 0.2]])
RELEVANT = torch.tensor([[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0]])


def fed(name: str, ks: Sequence[int], times: int = 1) -> Any:
    metric = METRICS[name](top_k=list(ks))
    for _ in range(times):
        metric.update((SCORES, RELEVANT))
    return metric.compute()


ODD_INPUTS = [
    *each("second_call", list(METRICS), lambda name: fed(name, [2])[0], lambda name: fed(name, [2], times=2)[0]),
    *each("several_k", list(METRICS), lambda name: fed(name, [2])[0], lambda name: fed(name, [1, 2, 4])[1]),
]

"""Odd inputs of TorchEval: an accumulator that gets the same rows again without a reset."""

from __future__ import annotations

import torch
from torcheval import metrics

from metric_adapters.odd_inputs import each

METRICS = {"HitRate": metrics.HitRate, "ReciprocalRank": metrics.ReciprocalRank}
SCORES = torch.tensor([[0.9, 0.7, 0.5, 0.1], [0.8, 0.6, 0.4, 0.2]])
CLASSES = torch.tensor([1, 2])


def fed(name: str, times: int) -> float:
    metric = METRICS[name](k=2)
    for _ in range(times):
        metric.update(SCORES, CLASSES)
    return float(metric.compute().mean())


ODD_INPUTS = each("second_call", list(METRICS), lambda name: fed(name, 1), lambda name: fed(name, 2))

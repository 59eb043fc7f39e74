"""Odd inputs of TorchMetrics: an accumulator that is asked again, with and without its rows once more."""

from __future__ import annotations

import torch
from torchmetrics import retrieval

from metric_adapters.odd_inputs import each

METRICS = {
    "RetrievalHitRate": retrieval.RetrievalHitRate,
    "RetrievalPrecision": retrieval.RetrievalPrecision,
    "RetrievalRecall": retrieval.RetrievalRecall,
    "RetrievalMRR": retrieval.RetrievalMRR,
    "RetrievalMAP": retrieval.RetrievalMAP,
    "RetrievalNormalizedDCG": retrieval.RetrievalNormalizedDCG,
}
SCORES = torch.tensor([0.9, 0.7, 0.5, 0.8, 0.6, 0.4])
RELEVANT = torch.tensor([False, True, True, True, False, False])
QUERIES = torch.tensor([0, 0, 0, 1, 1, 1])


def once(name: str) -> float:
    return float(METRICS[name](top_k=2)(SCORES, RELEVANT, indexes=QUERIES))


def again(name: str) -> float:
    """The same rows a second time without reset: an accumulator takes them for more rows of the same queries."""
    metric = METRICS[name](top_k=2)
    metric(SCORES, RELEVANT, indexes=QUERIES)
    metric(SCORES, RELEVANT, indexes=QUERIES)
    return float(metric.compute())


ODD_INPUTS = each("second_call", list(METRICS), once, again)

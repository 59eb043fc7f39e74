"""PyTorch-Ignite takes two tensors for each batch, users x items: scores and relevance. It ranks and cuts itself.

It returns a list with a number for each cut-off; the users that it is a mean over are not named.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Dict

import torch
from ignite.metrics.rec_sys import NDCG, HitRate

from metric_adapters.matrices import list_matrices
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("pytorch-ignite")


def asking(metric: Any, options: Callable[[Case], Dict[str, Any]]) -> Callable[[Case, int], Answer]:
    """Ask a metric that has seen all users in one batch; ``options`` are those besides the cut-off."""

    def ask(case: Case, k: int) -> Answer:
        truth, scores = (torch.from_numpy(matrix).float() for matrix in list_matrices(case, k))
        asked = metric(top_k=[k], **options(case))
        asked.update((scores, truth))
        return Answer(asked.compute()[0])

    return ask


def threshold(case: Case, **options: Any) -> Dict[str, Any]:
    """The threshold as an option; without it NDCG counts labels from 1 up as relevant."""
    return {"relevance_threshold": case.threshold, **options}


SUBJECTS = {
    "HitRate": Subject(asking(HitRate, lambda case: {}), HitRate),
    "NDCG": Subject(asking(NDCG, threshold), NDCG),
    "NDCG[linear_rank]": Subject(asking(NDCG, lambda case: threshold(case, gain_function="linear_rank")), NDCG),
}

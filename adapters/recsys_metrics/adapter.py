"""recsys_metrics takes two tensors, users x items: scores and relevance as 0 or 1. It ranks and cuts itself."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
import recsys_metrics
import torch

from metric_adapters.matrices import list_matrices
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("recsys-metrics")


def asking(function: Callable[..., Any]) -> Callable[[Case, int], Answer]:
    """Ask a function for its mean and, without reduction, for the values that it is the mean of."""

    def ask(case: Case, k: int) -> Answer:
        truth, scores = list_matrices(case, k)
        tensors = torch.from_numpy(scores).float(), torch.from_numpy((truth > 0).astype(np.int64))
        value, values = (function(*tensors, k=k, reduction=reduction) for reduction in ("mean", "none"))
        return Answer(value.item(), np.arange(case.users), values.numpy().astype(np.float64))

    return ask


FUNCTIONS = (
    recsys_metrics.hit_rate,
    recsys_metrics.precision,
    recsys_metrics.recall,
    recsys_metrics.mean_reciprocal_rank,
    recsys_metrics.mean_average_precision,
    recsys_metrics.normalized_dcg,
)
SUBJECTS = {function.__name__: Subject(asking(function), function) for function in FUNCTIONS}

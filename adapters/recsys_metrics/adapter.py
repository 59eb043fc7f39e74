"""recsys_metrics takes two tensors, users x items: scores and relevance as 0 or 1. It ranks and cuts itself."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
import recsys_metrics
import torch

from metric_adapters.groups import COUNTED, IGNORED, binary, list_groups
from metric_adapters.matrices import Matrices, list_matrices
from metric_adapters.subject import Answer, CannotShow, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("recsys-metrics")


def matrices(case: Case, k: int, unlisted: str) -> Matrices:
    """Gains and scores, users x items: all items where every list has k of them, else those of the lists, if these have
    one length; ``unlisted`` as of :func:`list_groups`."""
    if (case.list_lengths >= min(k, case.n_items)).all():
        return list_matrices(case, k)
    groups = list_groups(case, k, unlisted)
    if len(set(groups.sizes.tolist())) > 1:
        raise CannotShow("the rows of a matrix have one length, and here some lists are shorter than k")
    return groups.padded(0)


def asking(function: Callable[..., Any], unlisted: str = COUNTED) -> Callable[[Case, int], Answer]:
    """Ask a function for its mean and, without reduction, for the values that it is the mean of.

    unlisted : as of :func:`list_groups`.
    """

    def ask(case: Case, k: int) -> Answer:
        labels, scores = matrices(case, k, unlisted)
        tensors = torch.from_numpy(scores).float(), torch.from_numpy(binary(labels).astype(np.int64))
        value, values = (function(*tensors, k=k, reduction=reduction) for reduction in ("mean", "none"))
        return Answer(value.item(), np.arange(case.users), values.numpy().astype(np.float64))

    return ask


FUNCTIONS = {
    recsys_metrics.hit_rate: IGNORED,
    recsys_metrics.precision: IGNORED,
    recsys_metrics.recall: COUNTED,
    recsys_metrics.mean_reciprocal_rank: IGNORED,
    recsys_metrics.mean_average_precision: COUNTED,
    recsys_metrics.normalized_dcg: COUNTED,
}
SUBJECTS = {
    function.__name__: Subject(asking(function, unlisted), function) for function, unlisted in FUNCTIONS.items()
}

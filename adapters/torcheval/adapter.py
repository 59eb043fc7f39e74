"""TorchEval takes tensors: scores of users x classes and a class for each row, or flat ones and the numbers of queries.

Its ranking classes keep what they have seen; a value is computed from all of it.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
import torch
from torcheval import metrics

from metric_adapters.matrices import list_matrices, only_relevant
from metric_adapters.shapes import candidate_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("torcheval")


def of_classes(metric: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric of one class a row. It returns a number for each row and no mean."""

    def ask(case: Case, k: int) -> Answer:
        classes = torch.from_numpy(only_relevant(case))
        scores = torch.from_numpy(list_matrices(case, k)[1]).float()
        values = metric(k=k).update(scores, classes).compute().numpy().astype(np.float64)
        return Answer(values.mean(), np.arange(case.users), values)

    return ask


def ask_precision(case: Case, k: int) -> Answer:
    """Each user is a query, each item a row; ``avg='macro'`` is the mean, without it the values come by query."""
    truth, scores = list_matrices(case, k)
    rows = torch.from_numpy(scores.ravel()).float(), torch.from_numpy((truth > 0).ravel().astype(np.int64))
    queries = torch.arange(case.users).repeat_interleave(truth.shape[1])
    value, values = (
        metrics.RetrievalPrecision(k=k, num_queries=case.users, avg=avg).update(*rows, indexes=queries).compute()
        for avg in ("macro", None)
    )
    return Answer(value.item(), np.arange(case.users), values.numpy().astype(np.float64))


def flat(metric: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric for one curve over every candidate of every user."""

    def ask(case: Case, k: int) -> Answer:
        _, _, scores, labels = candidate_pairs(case)
        return Answer(metric().update(torch.from_numpy(scores).float(), torch.from_numpy(labels)).compute().item())

    return ask


SUBJECTS = {
    "HitRate": Subject(of_classes(metrics.HitRate), metrics.HitRate),
    "ReciprocalRank": Subject(of_classes(metrics.ReciprocalRank), metrics.ReciprocalRank),
    "RetrievalPrecision": Subject(ask_precision, metrics.RetrievalPrecision),
    "BinaryAUROC": Subject(flat(metrics.BinaryAUROC), metrics.BinaryAUROC),
    "BinaryAUPRC": Subject(flat(metrics.BinaryAUPRC), metrics.BinaryAUPRC),
}

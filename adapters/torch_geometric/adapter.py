"""PyTorch Geometric's link prediction metrics take a matrix of the top k predictions and the ground truth as edges."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
import torch
from torch_geometric import metrics

from metric_adapters.shapes import relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def version() -> str:
    return version_of("torch-geometric")


def asking(metric: Callable[[int], Any], *, weighted: bool = False) -> Callable[[Case, int], Answer]:
    """Ask a metric, updated once with all users; it gives no values of users.

    The matrix has k columns; where a list is shorter a number past the last item fills it, which is never relevant.
    """

    def ask(case: Case, k: int) -> Answer:
        width = min(k, case.width)
        predicted = np.full((case.users, k), case.n_items)
        predicted[:, :width] = np.where(case.recommended[:, :width] < 0, case.n_items, case.recommended[:, :width])
        users, items, gains = (torch.from_numpy(array.copy()) for array in relevant_pairs(case))
        asked = metric(k)
        asked.update(torch.from_numpy(predicted), torch.stack([users, items]), gains.float() if weighted else None)
        return Answer(float(asked.compute()))

    return ask


SUBJECTS = {
    "LinkPredHitRatio": Subject(asking(metrics.LinkPredHitRatio), metrics.LinkPredHitRatio),
    "LinkPredPrecision": Subject(asking(metrics.LinkPredPrecision), metrics.LinkPredPrecision),
    "LinkPredRecall": Subject(asking(metrics.LinkPredRecall), metrics.LinkPredRecall),
    "LinkPredF1": Subject(asking(metrics.LinkPredF1), metrics.LinkPredF1),
    "LinkPredMRR": Subject(asking(metrics.LinkPredMRR), metrics.LinkPredMRR),
    "LinkPredMAP": Subject(asking(metrics.LinkPredMAP), metrics.LinkPredMAP),
    "LinkPredNDCG": Subject(asking(metrics.LinkPredNDCG), metrics.LinkPredNDCG),
    "LinkPredNDCG[weighted]": Subject(
        asking(lambda k: metrics.LinkPredNDCG(k, weighted=True), weighted=True), metrics.LinkPredNDCG
    ),
}

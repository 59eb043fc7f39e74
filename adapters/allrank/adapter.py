"""allRank takes two tensors, slates x documents: predictions and labels. It returns a number for each slate."""

from __future__ import annotations

import sys
import types
from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
import torch

for name in ("torchvision", "torchvision.transforms", "gcsfs"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["torchvision"].transforms = sys.modules["torchvision.transforms"]  # type: ignore[attr-defined]
sys.modules["torchvision.transforms"].Compose = object  # type: ignore[attr-defined]

from allrank.models import metrics  # noqa: E402

from metric_adapters.matrices import list_matrices  # noqa: E402
from metric_adapters.subject import Answer, Subject  # noqa: E402
from metric_reference.case import Case  # noqa: E402


def version() -> str:
    return version_of("allRank")


def asking(function: Callable[..., Any], graded: bool) -> Callable[[Case, int], Answer]:
    """Ask a function for the values of all slates; ``graded``: whether the label is the gain, else 1 and 0."""

    def ask(case: Case, k: int) -> Answer:
        truth, scores = list_matrices(case, k)
        labels = truth if graded else (truth > 0).astype(np.float64)
        values = function(torch.from_numpy(scores).float(), torch.from_numpy(labels).float(), ats=[k])[:, 0]
        return Answer(values.mean().item(), np.arange(case.users), values.numpy().astype(np.float64))

    return ask


SUBJECTS = {
    "ndcg": Subject(asking(metrics.ndcg, graded=True), metrics.ndcg),
    "mrr": Subject(asking(metrics.mrr, graded=False), metrics.mrr),
}

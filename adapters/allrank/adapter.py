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

from allrank.data.dataset_loading import PADDED_Y_VALUE  # noqa: E402
from allrank.models import metrics  # noqa: E402

from metric_adapters.groups import COUNTED, KNOWN, binary, list_groups  # noqa: E402
from metric_adapters.subject import Answer, Subject  # noqa: E402
from metric_reference.case import Case  # noqa: E402


def version() -> str:
    return version_of("allRank")


def asking(
    function: Callable[..., Any],
    unlisted: str = COUNTED,
    labels: Callable[[np.ndarray], np.ndarray] = np.asarray,
) -> Callable[[Case, int], Answer]:
    """Ask for the values of all slates. unlisted : as of :func:`list_groups`; labels : the gains that it takes."""

    def ask(case: Case, k: int) -> Answer:
        groups = list_groups(case, k, unlisted)
        labels(groups.gains)
        truth, scores = groups.padded(PADDED_Y_VALUE)
        values = function(torch.from_numpy(scores).float(), torch.from_numpy(truth).float(), ats=[k])[:, 0]
        return Answer(values.mean().item(), np.arange(case.users), values.numpy().astype(np.float64))

    return ask


SUBJECTS = {
    "ndcg": Subject(asking(metrics.ndcg), metrics.ndcg),
    "mrr": Subject(asking(metrics.mrr, KNOWN), metrics.mrr),
    "mrr[labels 0 and 1]": Subject(asking(metrics.mrr, KNOWN, binary), metrics.mrr),
}

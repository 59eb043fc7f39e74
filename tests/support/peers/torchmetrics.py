"""TorchMetrics: its functions take one user's scores and labels. They turn whatever they get into float32."""

import numpy as np
import torch
from torchmetrics.functional import retrieval


def convert(case, measures):
    scores = case["candidate_scores"]
    gains = np.zeros(scores.shape, dtype=np.int64)
    users = np.repeat(np.arange(len(scores)), np.diff(case["judged_indptr"]))
    gains[users, case["judged_items"]] = case["judged_gains"]
    return torch.from_numpy(gains), torch.from_numpy(scores)


def evaluate(converted, measures):
    gains, scores = converted
    found = {}
    for measure in measures:
        name, _, k = measure.partition("@")
        function, cut = getattr(retrieval, name), {"top_k": int(k)} if k else {}
        targets = gains if name == "retrieval_normalized_dcg" else gains.clamp(max=1)
        found[measure] = [float(function(row, target, **cut)) for row, target in zip(scores, targets, strict=True)]
    return found


def per_user(answer, measures, users):
    return {name: np.array(answer[name]) for name in measures}

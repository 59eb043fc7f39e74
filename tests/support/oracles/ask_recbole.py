"""RecBole's metrics beyond accuracy and of rating error. Its lists are a matrix: all of k items."""

import numpy as np
import torch
from recbole.evaluator import metrics
from recbole.evaluator.collector import DataStruct

from frames import Full, rated  # isort:skip


def answers(case: Full, k: int) -> dict[str, float]:
    _, _, truth, predicted = rated(case)
    data = DataStruct()
    data.set("rec.items", torch.as_tensor(np.array(case.recommended[:, :k])))
    data.set("data.num_items", case.n_items)
    data.set("data.count_items", {i: int(c) for i, c in enumerate(case.item_counts) if c})
    data.set("rec.score", torch.as_tensor(predicted))
    data.set("data.label", torch.as_tensor(truth))
    config = {"topk": [k], "metric_decimal_place": 15, "tail_ratio": None}
    asked = ("ItemCoverage", "AveragePopularity", "ShannonEntropy", "GiniIndex", "TailPercentage", "MAE", "RMSE")
    return {name: next(iter(getattr(metrics, name)(config).calculate_metric(data).values())) for name in asked}

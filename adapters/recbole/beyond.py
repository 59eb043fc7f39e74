"""RecBole's metrics of what is recommended, of ratings and of probabilities, from the DataStruct that they read.

The Collector fills ``rec.items`` with topk, so every row has k items. It counts the padding item 0 into
``data.num_items``, as the dataset does; items of a case are numbered from 1 here.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Callable, Dict

import numpy as np
import torch
from recbole.evaluator import DataStruct, metrics

from metric_adapters.shapes import candidate_pairs
from metric_adapters.subject import Answer, Subject
from metric_adapters.training import full_lists, rated_pairs, train_pairs
from metric_reference.case import Case

Config = Callable[[int], Any]


def of_lists(metric: Any, config: Config, counts: bool = False) -> Callable[[Case, int], Answer]:
    """Ask a metric of the lists; ``counts``: it reads how often each item occurs in the training data."""

    def ask(case: Case, k: int) -> Answer:
        collected = DataStruct()
        collected.set("rec.items", torch.from_numpy(full_lists(case, k) + 1))
        collected.set("data.num_items", case.n_items + 1)
        if counts:
            collected.set("data.count_items", Counter((train_pairs(case)[1] + 1).tolist()))
        (value,) = metric(config(k)).calculate_metric(collected).values()
        return Answer(float(value))

    return ask


def of_scores(metric: Any, config: Config, rated: bool) -> Callable[[Case, int], Answer]:
    """Ask a metric of scores and labels: predicted and true ratings, or every candidate's score and 1 or 0."""

    def ask(case: Case, k: int) -> Answer:
        if rated:
            _, _, labels, scores = rated_pairs(case)
        else:
            _, _, scores, labels = candidate_pairs(case)
        collected = DataStruct()
        collected.set("rec.score", torch.from_numpy(np.asarray(scores, dtype=np.float64)))
        collected.set("data.label", torch.from_numpy(np.asarray(labels, dtype=np.float64)))
        (value,) = metric(config(k)).calculate_metric(collected).values()
        return Answer(float(value))

    return ask


COUNTED = ("AveragePopularity", "TailPercentage")
LISTS = ("ItemCoverage", "ShannonEntropy", "GiniIndex", *COUNTED)
RATED = ("MAE", "RMSE")


def subjects(config: Config) -> Dict[str, Subject]:
    """The subjects, each metric made with ``config(k)``."""
    asked: Dict[str, Callable[[Case, int], Answer]] = {}
    for name in LISTS:
        asked[name] = of_lists(getattr(metrics, name), config, counts=name in COUNTED)
    for name in (*RATED, "LogLoss"):
        asked[name] = of_scores(getattr(metrics, name), config, rated=name in RATED)
    return {name: Subject(ask, getattr(metrics, name)) for name, ask in asked.items()}

"""Which metrics there are: a new metric is a file of its own and one line here."""

from __future__ import annotations

from importlib import import_module
from typing import Dict, Type

from metric_reference.metric import Metric

MODULES = (
    "hit_rate",
    "precision",
    "recall",
    "f1",
    "reciprocal_rank",
    "average_precision",
    "average_recall",
    "r_precision",
    "ndcg",
    "rank_biased_precision",
    "expected_reciprocal_rank",
    "fall_out",
    "mcc",
    "auc",
    "partial_auc",
    "pr_auc",
    "rated_hit_rate",
    "rating_error",
    "log_loss",
    "coverage",
    "popularity",
    "novelty",
    "diversity",
    "personalization",
    "unexpectedness",
    "serendipity",
    "entropy",
    "gini",
    "herfindahl",
    "filtered_rank",
    "inverted_auc",
    "truncated_auc",
    "constant",
)
"""The files that hold metrics, in the order in which metrics are listed and searched."""


def _metrics() -> Dict[str, Type[Metric]]:
    found: Dict[str, Type[Metric]] = {}
    for name in MODULES:
        module = import_module(f"{__package__}.{name}")
        own = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Metric)]
        found.update({kind.name: kind for kind in own if kind.__module__ == module.__name__ and kind.name})
    return found


METRICS: Dict[str, Type[Metric]] = _metrics()
"""Every metric by its name."""

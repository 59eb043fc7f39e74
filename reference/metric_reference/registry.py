"""The registry of metrics: a new metric is one file and one line here."""

from __future__ import annotations

from importlib import import_module
from typing import Dict, Type

from metric_reference.metric import Metric

MODULES = (
    "ranking.hit_rate",
    "ranking.precision",
    "ranking.recall",
    "ranking.f1",
    "ranking.reciprocal_rank",
    "ranking.average_precision",
    "ranking.average_recall",
    "ranking.r_precision",
    "ranking.ndcg",
    "ranking.rank_biased_precision",
    "ranking.expected_reciprocal_rank",
    "ranking.fall_out",
    "areas.mcc",
    "areas.auc",
    "areas.partial_auc",
    "areas.pr_auc",
    "ranking.rank",
    "ranking.rated_hit_rate",
    "areas.rating_error",
    "areas.log_loss",
    "beyond_accuracy.coverage",
    "beyond_accuracy.popularity",
    "beyond_accuracy.hit_popularity",
    "beyond_accuracy.novelty",
    "beyond_accuracy.diversity",
    "beyond_accuracy.category_diversity",
    "beyond_accuracy.personalization",
    "beyond_accuracy.unexpectedness",
    "beyond_accuracy.serendipity",
    "beyond_accuracy.entropy",
    "beyond_accuracy.gini",
    "beyond_accuracy.herfindahl",
    "areas.filtered_rank",
    "areas.inverted_auc",
    "areas.truncated_auc",
    "constant",
)
"""The files that hold metrics, in the order in which metrics are listed and searched."""


def _metrics() -> Dict[str, Type[Metric]]:
    metrics: Dict[str, Type[Metric]] = {}
    for name in MODULES:
        module = import_module(f"{__package__}.metrics.{name}")
        kinds = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Metric)]
        metrics.update({kind.name: kind for kind in kinds if kind.__module__ == module.__name__ and kind.name})
    return metrics


METRICS: Dict[str, Type[Metric]] = _metrics()
"""Every metric by its name."""

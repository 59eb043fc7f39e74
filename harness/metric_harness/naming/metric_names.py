"""The metrics that the name of a function claims."""

from __future__ import annotations

import re

from metric_adapters.calls.parameter_names import snake

METRIC_NAMES = (
    ("ndcg", r"n?dcg|cumulative_?gain"),
    ("average_precision", r"(^|_)m?ap(k|r|_?at|$|_|\W|\d)|(average|avg)_?prec|(^|_)m?apk"),
    ("reciprocal_rank", r"mrr|recip|(^|_)rr(_|$)|arhr"),
    ("pr_auc", r"pr_?auc|auc_?pr|auprc?(_|$)|aucpr"),
    ("auc", r"auc|(^|_)roc(_|$)"),
    ("f1", r"(^|_)f1(_|$|\W|score)|f_?score|f_?measure"),
    ("r_precision", r"r_?prec"),
    ("average_recall", r"(^|_)mar(k|_|$)|average_?recall"),
    ("recall", r"recall|(^|_)r@?(\d+|k|\{k\})$"),
    ("precision", r"prec"),
    ("hit_rate", r"hit|(^|_)hr(_|$)|success"),
)

BEYOND_NAMES = re.compile(
    r"coverage|novelty|diversity|popularity|serendipity|unexpectedness|personali[sz]ation|gini|entropy|(?<![a-z])(ild|arp|rmse|mae)(?![a-z])"
)
"""Words in names of metrics of lists, popularity or ratings alone, which no audit of a user's function looks for."""


def metrics_in_name(function: str) -> list[str]:
    """Every metric that a function's name mentions, in the order of the name: ``precision_recall_at_k`` has two."""
    unmatched = snake(function.rpartition(".")[2])
    positions: list[tuple[int, str]] = []
    for metric, pattern in METRIC_NAMES:
        match = re.search(pattern, unmatched)
        if match:
            positions.append((match.start(), metric))
            unmatched = unmatched[: match.start()] + "?" * (match.end() - match.start()) + unmatched[match.end() :]
    return [metric for _, metric in sorted(positions)]


def metric_of_name(function: str) -> str | None:
    """The metric that a function's name claims, or that of its class if the name of a method tells none; else None."""
    names = map(snake, reversed(function.split(".")))
    claimed = (metric for name in names for metric, pattern in METRIC_NAMES if re.search(pattern, name))
    return next(claimed, None)


def beyond_in_name(function: str) -> str | None:
    """The metric of :data:`BEYOND_NAMES` that a name claims, if it claims none of relevant items."""
    found = None if metric_of_name(function) else BEYOND_NAMES.search(snake(function))
    return found[0] if found else None

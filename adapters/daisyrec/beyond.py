"""DaisyRec's functions of what is recommended. They take rows of items cut at k, as its ranking functions do."""

from __future__ import annotations

from typing import Any, Callable, Dict

from daisy.utils import metrics

from metric_adapters.shapes import relevant_by_user
from metric_adapters.subject import Answer, Subject
from metric_adapters.training import full_lists, vectors
from metric_reference.case import Case


def ask_coverage(case: Case, k: int) -> Answer:
    return Answer(float(metrics.Coverage(full_lists(case, k), case.n_items)))


def ask_popularity(case: Case, k: int) -> Answer:
    """The popularity of an item is the number of its training interactions, as ``run_examples/test.py`` counts them."""
    if case.item_counts is None:
        raise ValueError("needs the training interactions, which this case does not have")
    truth = {user: set(items) for user, items in relevant_by_user(case).items()}
    users = list(range(case.users))
    return Answer(float(metrics.Popularity(truth, full_lists(case, k), users, case.item_counts)))


def ask_diversity(case: Case, k: int) -> Answer:
    return Answer(float(metrics.Diversity(full_lists(case, k), vectors(case))))


ASKED: Dict[str, Callable[[Case, int], Answer]] = {
    "Coverage": ask_coverage,
    "Popularity": ask_popularity,
    "Diversity": ask_diversity,
}
SUBJECTS: Dict[str, Any] = {name: Subject(ask, getattr(metrics, name)) for name, ask in ASKED.items()}

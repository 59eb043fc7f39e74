"""Subjects with definitions that the tests know, built on the reference inside the worker."""

import os

from metric_adapters.subject import Answer, Subject
from metric_reference.variant import Variant


def planted(text):
    variant = Variant.parse(text)
    return Subject(lambda case, k: Answer(variant.value(case, k=k)), Variant.parse)


def unknown(case, k):
    return Answer(Variant.parse("precision").value(case, k=k) ** 2)


def changes_with_size(case, k):
    """Precision on the few users of a probe, something else on many."""
    value = Variant.parse("precision").value(case, k=k)
    return Answer(value + 0.001 if case.users > 10 else value)


def refuses_short_lists(case, k):
    if (case.list_lengths < k).any():
        raise ValueError("a list is shorter than k")
    return Answer(Variant.parse("precision").value(case, k=k))


def crashes(case, k):
    os.abort()


SUBJECTS = {
    "usual_map": planted("average_precision"),
    "dcg_called_ndcg": planted("ndcg(ideal=none)"),
    "precision_called_hit_rate": planted("precision"),
    "unknown": Subject(unknown, unknown),
    "changes_with_size": Subject(changes_with_size, changes_with_size),
    "refuses_short_lists": Subject(refuses_short_lists, refuses_short_lists),
    "needs_scores": planted("auc(scope=stacked)"),
    "crashes": Subject(crashes, crashes),
}


def version():
    return "1.0"

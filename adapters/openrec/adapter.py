"""OpenRec has two sets of metrics: tf2, functions of dense tensors, and tf1, evaluators of ranks behind an EvalManager.

A tf2 function takes users x items: which are relevant, their scores, which are excluded. Recall and NDCG see the list
alone, so that nothing past its end counts; AUC and the tf1 EvalManager see every candidate.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from importlib.metadata import version as version_of
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # before the import: no notices about the processor

import tensorflow as tf
from openrec.tf1.utils import evaluators
from openrec.tf2.metrics import DictMean, ranking_metrics

from metric_adapters.shapes import (
    candidate_scores,
    dense_rank,
    dense_ranks,
    hit_matrix,
    relevant_by_user,
    relevant_pairs,
)
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

BATCH = 256
"""Users a batch."""

Levels = Callable[[int], np.ndarray]
"""From the first user of a batch to the levels of all its items: all users together would be users x items numbers."""

SPREAD = 160.0
"""Width of the scores that tf2 gets. It takes exp of them in float32, which overflows past 88 and is 0 below -103."""


def version() -> str:
    return version_of("openrec")


def spread(levels: np.ndarray) -> np.ndarray:
    """Levels 0, 1, 2, ... laid evenly over -80 to 80, float32: exp of them keeps their order and their ties there."""
    return (levels * (SPREAD / max(1.0, float(levels.max(initial=1)))) - SPREAD / 2).astype(np.float32)


def listed_levels(case: Case, k: int) -> Levels:
    """Levels by the list, shape (users of a batch, items and fillers): an item outside the list stands lowest.

    Fillers are items past the catalogue, relevant to nobody, that stand right below the list: as many as the shortest
    list lacks to k. Without them whatever is outside a short list would rank inside k.
    """
    fillers = max(0, k - int(case.list_lengths.min()))
    users, items, ranks = dense_ranks(case)

    def levels_from(low: int) -> np.ndarray:
        levels = np.zeros((min(BATCH, case.users - low), case.n_items + fillers))
        levels[:, case.n_items :] = 1
        batch = slice(*np.searchsorted(users, (low, low + BATCH)))
        levels[users[batch] - low, items[batch]] = ranks[batch] + 1
        return levels

    return levels_from


def candidate_levels(case: Case, k: int) -> Levels:
    """Levels of every candidate of a batch of users by its score, -inf for an item that is none; k plays no part."""

    def levels_from(low: int) -> np.ndarray:
        scores = candidate_scores(case)[low : low + BATCH]
        levels = np.full(scores.shape, -np.inf)
        rows, columns = np.nonzero(scores > -np.inf)
        levels[rows, columns] = dense_rank(rows, scores[rows, columns])
        return levels

    return levels_from


def asking_tf2(
    function: Any, levels_of: Callable[[Case, int], Levels], cut: bool = True
) -> Callable[[Case, int], Answer]:
    """Ask a tf2 function for the values of users, batch by batch, and OpenRec's DictMean for their mean, float32.

    The function runs as a graph, as in OpenRec's own examples, whose evaluation steps are ``tf.function``.

    cut : whether the function takes cut-offs; it has one value for each of them then.
    """
    function = tf.function(function, reduce_retracing=True)

    def ask(case: Case, k: int) -> Answer:
        users, items, _ = relevant_pairs(case)
        levels_from = levels_of(case, k)
        mean, values = DictMean({"metric": [1] if cut else []}), []
        for low in range(0, case.users, BATCH):
            levels = levels_from(low)
            excluded = levels == -np.inf
            scores = spread(np.where(excluded, 0.0, levels))
            relevant = np.zeros(levels.shape, dtype=bool)
            mine = slice(*np.searchsorted(users, (low, low + BATCH)))
            relevant[users[mine] - low, items[mine]] = True
            tensors = (tf.constant(array) for array in (relevant, scores, excluded))
            batch = function(*tensors, at=[k]) if cut else function(*tensors)
            mean.update_state({"metric": batch})
            values.append(np.asarray(batch).reshape(-1))
        value = np.asarray(mean.result()["metric"]).reshape(())
        return Answer(float(value), np.arange(case.users), np.concatenate(values).astype(np.float64))

    return ask


def mean_over_users(values: List[Any]) -> Answer:
    """The mean as OpenRec's tf1 trainer takes it: numpy.mean over the users, one value a cut-off."""
    by_user = np.array([np.asarray(value).reshape(()) for value in values], dtype=np.float64)
    return Answer(float(np.mean(by_user)), np.arange(len(values)), by_user)


EVALUATORS: Dict[str, Callable[[int], Any]] = {
    "Precision": lambda k: evaluators.Precision([k]),
    "Recall": lambda k: evaluators.Recall([k]),
    "NDCG": lambda k: evaluators.NDCG([k]),
    "AUC": lambda k: evaluators.AUC(),
}
"""The tf1 evaluators that rank by EvalManager, each for one cut-off."""

KEPT = 8
"""Questions whose remaining answers are kept."""

kept: "OrderedDict[Tuple[bytes, int], Dict[str, List[Any]]]" = OrderedDict()
"""By case and cut-off, the values by user of each evaluator that has not been asked yet."""


def ask_all_tf1(case: Case, k: int) -> Dict[str, List[Any]]:
    """The values by user of all tf1 evaluators, by name, from one EvalManager, as OpenRec's trainer asks them.

    EvalManager ranks by a loop over all items, which takes nearly all the time; the evaluators share its ranks.
    """
    asked = {name: make(k) for name, make in EVALUATORS.items()}
    manager, scores = evaluators.EvalManager(list(asked.values())), candidate_scores(case)
    values: Dict[str, List[Any]] = {name: [] for name in asked}
    for user, relevant in relevant_by_user(case).items():
        seen = np.flatnonzero(scores[user] == -np.inf).tolist()
        results = manager.full_eval(relevant, seen, np.asarray(scores[user]))
        for name, evaluator in asked.items():
            values[name].append(results[evaluator.name])
    return values


def asking_tf1(name: str) -> Callable[[Case, int], Answer]:
    """Ask a tf1 evaluator. All four are asked at once, and each answer is handed out once.

    A function that is asked the same again is therefore really asked again.
    """

    def ask(case: Case, k: int) -> Answer:
        arrays = (case.judged_indptr, case.judged_items, case.judged_gains, candidate_scores(case))
        content = hashlib.blake2b(repr((case.threshold, [array.shape for array in arrays])).encode())
        for array in arrays:
            content.update(np.ascontiguousarray(array))
        question = (content.digest(), k)
        if name not in kept.get(question, {}):
            kept[question] = ask_all_tf1(case, k)
        kept.move_to_end(question)
        values = kept[question].pop(name)
        while len(kept) > KEPT:
            kept.popitem(last=False)
        return mean_over_users(values)

    return ask


def ask_precision_of_paper(case: Case, k: int) -> Answer:
    """The tf1 evaluator alone, without EvalManager, as the paper's authors asked it.

    It gets the ranks of the user's relevant items in the list, counted from 1 and among all items.
    """
    asked = evaluators.Precision([k])
    return mean_over_users([asked.compute(np.flatnonzero(hits) + 1, None) for hits in hit_matrix(case, case.width)])


SUBJECTS = {
    "tf2:Recall": Subject(asking_tf2(ranking_metrics.Recall, listed_levels), ranking_metrics.Recall),
    "tf2:NDCG": Subject(asking_tf2(ranking_metrics.NDCG, listed_levels), ranking_metrics.NDCG),
    "tf2:AUC": Subject(asking_tf2(ranking_metrics.AUC, candidate_levels, cut=False), ranking_metrics.AUC),
    "tf1:Precision": Subject(asking_tf1("Precision"), evaluators.Precision),
    "tf1:Recall": Subject(asking_tf1("Recall"), evaluators.Recall),
    "tf1:NDCG": Subject(asking_tf1("NDCG"), evaluators.NDCG),
    "tf1:AUC": Subject(asking_tf1("AUC"), evaluators.AUC),
    "tf1:Precision[paper]": Subject(ask_precision_of_paper, evaluators.Precision),
}

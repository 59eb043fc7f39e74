"""NeuRec has two backends of one evaluator: Python functions of a ranked list, and C++ that ranks scores itself.

A Python function takes one user's ranked items and relevant items and returns its value at every cut-off up to the
length of the list; ``python:`` subjects call it. ``cpp:`` subjects hand scores to the compiled ``UniEvaluator``. Either
backend ranks the whole catalogue, so its lists are never shorter than k; here a short list goes on with items that are
relevant to nobody.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Callable, List, Optional, Tuple

import numpy as np

from metric_adapters import checkout
from metric_adapters.shapes import dense_ranks, relevant_by_user
from metric_adapters.subject import Answer, Subject
from metric_reference.case import NOTHING, Case

# The file's own folder: NeuRec's packages can be imported only once their compiled part is built.
checkout.on_path("evaluator", "backend", "python")

import metric  # noqa: E402

BATCH = 1024
"""Users a batch: the evaluator's own default."""


def version() -> str:
    return checkout.version()


def compiled() -> Any:
    """The class of the compiled evaluator, or None where it is not at hand.

    ``util/tool.py`` imports TensorFlow 1 for functions that no metric calls: an empty module takes its place.
    """
    if checkout.COMPILED is None:
        return None
    sys.modules.setdefault("tensorflow", ModuleType("tensorflow"))
    sys.path.insert(1, str(checkout.compiled()))
    from evaluator.backend.cpp.uni_evaluator import UniEvaluator

    return UniEvaluator


EVALUATOR = compiled()


def asking(function: Callable[..., Any], one_item: bool = False) -> Callable[[Case, int], Answer]:
    """Ask a function of the Python backend for each user, with the set of relevant items that its evaluator hands over.

    one_item : it is written for one relevant item, which is handed over instead of a set of one.
    The mean is ``numpy.mean`` over the users' values at k, as the evaluator and the paper's authors take it.
    """

    def ask(case: Case, k: int) -> Answer:
        length = min(k, case.n_items)
        values = []
        for user, relevant in relevant_by_user(case).items():
            listed = case.list_of(user, k).tolist()
            truth = next(iter(relevant)) if one_item else set(relevant)
            at_every_cut = function(listed + [NOTHING] * (length - len(listed)), truth)
            values.append(at_every_cut[k - 1])
        return Answer(np.mean(values), np.arange(case.users), np.array(values, dtype=np.float64))

    return ask


class Scores:
    """What the evaluator takes for a model: ``predict`` gives the scores of a batch of users, float32.

    Dense ranks stand for scores, which float32 could make equal. An item outside a user's list scores -inf. Between
    those and the list stand fillers, items past the catalogue, as many as the shortest list lacks to k.
    """

    def __init__(self, case: Case, k: int) -> None:
        self.users, self.items, self.ranks = dense_ranks(case)
        self.n_items = case.n_items
        self.fillers = max(0, k - int(case.list_lengths.min()))

    def predict(self, users: List[int], items: Optional[Any]) -> np.ndarray:
        first = users[0]  # the evaluator goes through the users in order
        scores = np.full((len(users), self.n_items + self.fillers), -np.inf, dtype=np.float32)
        scores[:, self.n_items :] = 0
        part = (self.users >= first) & (self.users < first + len(users))
        scores[self.users[part] - first, self.items[part]] = self.ranks[part]
        return scores


def asking_compiled(name: str) -> Callable[[Case, int], Answer]:
    """Ask the compiled evaluator: ``evaluate`` for its mean, a text with 8 decimals, and ``eval_score_matrix`` for the
    values that it is the mean of."""

    def ask(case: Case, k: int) -> Answer:
        if k > case.n_items:
            raise ValueError(
                f"k is {k} and the catalogue has {case.n_items} items: the C++ code would read past the end of its "
                "ranking, so it is not asked"
            )
        truth = relevant_by_user(case)
        model, evaluator = Scores(case, k), EVALUATOR({}, truth, metric=[name], top_k=[k], batch_size=BATCH)
        value = float(evaluator.evaluate(model))
        values = []
        for low in range(0, case.users, BATCH):
            users = list(range(low, min(low + BATCH, case.users)))
            relevant = [truth[user] for user in users]
            at_every_cut = evaluator.eval_score_matrix(
                model.predict(users, None), relevant, evaluator.metrics, top_k=k, thread_num=evaluator.num_thread
            )
            values.append(at_every_cut[:, k - 1])
        return Answer(value, np.arange(case.users), np.concatenate(values).astype(np.float64))

    return ask


FUNCTIONS = (metric.hit, metric.precision, metric.recall, metric.map, metric.ndcg, metric.mrr)
COMPILED: Tuple[Tuple[str, str], ...] = (
    ("precision", "Precision"),
    ("recall", "Recall"),
    ("map", "MAP"),
    ("ndcg", "NDCG"),
    ("mrr", "MRR"),
)
SUBJECTS = {
    f"python:{function.__name__}": Subject(asking(function, function is metric.hit), function) for function in FUNCTIONS
}
if EVALUATOR is not None:
    SUBJECTS.update((f"cpp:{name}", Subject(asking_compiled(known_as), EVALUATOR)) for name, known_as in COMPILED)

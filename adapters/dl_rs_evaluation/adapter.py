"""DL RS Evaluation takes a sparse matrix of test ratings and a recommender that its Evaluator asks for lists."""

from __future__ import annotations

from typing import Any, Callable, List, Tuple

import numpy as np
import scipy.sparse as sps

from metric_adapters import checkout

# Evaluator and metrics still write np.float, np.int and np.bool, which numpy took out in 1.24. Before they are called.
for name, kind in (("float", float), ("int", int), ("bool", bool)):
    if name not in np.__dict__:
        setattr(np, name, kind)

checkout.on_path()

from Base.Evaluation import metrics  # noqa: E402
from Base.Evaluation.Evaluator import EvaluatorHoldout, EvaluatorMetrics  # noqa: E402

from metric_adapters.shapes import relevant_pairs  # noqa: E402
from metric_adapters.subject import Answer, Subject  # noqa: E402
from metric_reference.case import Case  # noqa: E402

from . import beyond  # noqa: E402


def version() -> str:
    return checkout.version()


class Lists:
    """A recommender that recommends the lists of a case; the two methods are all that EvaluatorHoldout calls.

    The library's own recommenders sort with argpartition, whose order of equal scores is unspecified and which fails
    where k is as large as the catalogue; with the lists given, neither happens.
    """

    def __init__(self, case: Case) -> None:
        self.case = case

    def get_URM_train(self) -> Any:
        """The training data, which novelty and popularity read; one interaction where the case has none, since they
        divide by the number of them. No accuracy metric reads it."""
        case = self.case
        shape = (case.users, case.n_items)
        if case.train_indptr is None or case.train_items is None or not len(case.train_items):
            return sps.csr_matrix(([1.0], ([0], [0])), shape=shape)
        return sps.csr_matrix((np.ones(len(case.train_items)), case.train_items, case.train_indptr), shape=shape)

    def recommend(self, users: np.ndarray, cutoff: int, **rest: Any) -> Tuple[List[np.ndarray], np.ndarray]:
        """Lists and scores of a batch; of the scores the Evaluator looks at the shape alone."""
        lists = [self.case.list_of(user, cutoff) for user in users.tolist()]
        return lists, np.broadcast_to(0.0, (len(users), self.case.n_items))


def asking(name: str) -> Callable[[Case, int], Answer]:
    """Ask the Evaluator, which computes all its metrics at once, for one of them. It returns means alone.

    The test matrix holds the ratings, which are the gains of its NDCG.
    """

    def ask(case: Case, k: int) -> Answer:
        users, items, gains = relevant_pairs(case)
        test = sps.csr_matrix((gains, (users, items)), shape=(case.users, case.n_items))
        results, _ = EvaluatorHoldout(test, [k], verbose=False).evaluateRecommender(Lists(case))
        return Answer(results[k][name])

    return ask


def ask_dcg(case: Case, k: int) -> Answer:
    """The function inside NDCG, called with the ratings of the list in rank order, 0 for a miss, as NDCG calls it."""
    values = np.empty(case.users)
    for user in range(case.users):
        part = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        kept = case.relevant[part]
        gains = dict(zip(case.judged_items[part][kept].tolist(), case.judged_gains[part][kept].tolist()))
        listed = [gains.get(item, 0.0) for item in case.list_of(user, k).tolist()]
        values[user] = metrics.dcg(np.asarray(listed, dtype=np.float32))
    return Answer(float(np.mean(values)), np.arange(case.users, dtype=np.int64), values)


SOURCES = {
    "HIT_RATE": EvaluatorHoldout._compute_metrics_on_recommendation_list,
    "PRECISION": metrics.precision,
    "PRECISION_RECALL_MIN_DEN": metrics.precision_recall_min_denominator,
    "RECALL": metrics.recall,
    "F1": EvaluatorHoldout.evaluateRecommender,
    "MRR": metrics.MRR,
    "ARHR": metrics.arhr,
    "MAP": metrics.MAP,
    "NDCG": metrics.ndcg,
    "ROC_AUC": metrics.roc_auc,
}
"""By the name in the Evaluator's results, where each is written."""
SUBJECTS = {name: Subject(asking(EvaluatorMetrics[name].value), source) for name, source in SOURCES.items()}
SUBJECTS["dcg"] = Subject(ask_dcg, metrics.dcg)
SUBJECTS.update(beyond.subjects(Lists))

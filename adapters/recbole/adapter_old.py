"""RecBole 0.2.1 has one function a metric, between an evaluator that collects scores and one that takes the mean.

For the top-k metrics the function takes a matrix of hits in rank order and each user's number of relevant items.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import torch
from recbole.evaluator import LossEvaluator, RankEvaluator, TopKEvaluator, metrics

from metric_adapters import checkout
from metric_adapters.shapes import candidate_pairs, hit_matrix, relevant_counts
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

BATCH = 512
"""Users a batch: the evaluator is made to be fed in batches."""


def version() -> str:
    return checkout.version("recbole")


def config(k: int) -> Dict[str, Any]:
    """The entries of a RecBole Config that evaluators read. Results are rounded to ``metric_decimal_place``; at 16 a
    value in [0, 1] moves by 1e-16 at most. The setting says that each user has candidates of their own."""
    return {"topk": [k], "metric_decimal_place": 16, "eval_setting": "RO_RS,uni100", "LABEL_FIELD": "label"}


def asking(name: str) -> Callable[[Case, int], Answer]:
    """Ask a top-k metric: the evaluator for its rounded mean, the function itself for the values of users.

    The evaluator takes, for each rank, a column of a score matrix whose last columns are the relevant items. Its own
    ``collect`` finds them with torch.topk, whose order of equal scores is unspecified; here they are filled from the
    lists. Ranks past the end of a short list are misses.
    """
    function = metrics.metrics_dict[name]

    def ask(case: Case, k: int) -> Answer:
        hits, counts = hit_matrix(case, k), relevant_counts(case)
        columns = np.where(hits, case.n_items - 1, -1)
        rows = np.column_stack((columns, np.full(case.users, case.n_items)))
        test_set = SimpleNamespace(get_pos_len_list=lambda: counts)
        (value,) = TopKEvaluator(config(k), [name]).evaluate([torch.from_numpy(rows)], test_set).values()
        return Answer(value, np.arange(case.users), function(hits, counts)[:, k - 1].astype(np.float64))

    return ask


def rankings(case: Case) -> List[Tuple[np.ndarray, np.ndarray]]:
    """Each user's candidates: their scores and whether they are relevant (0 or 1), the relevant ones first."""
    users, _, scores, labels = candidate_pairs(case)
    order = np.lexsort((-labels, users))
    ends = np.cumsum(np.bincount(users, minlength=case.users))[:-1]
    return list(zip(np.split(scores[order], ends), np.split(labels[order], ends)))


def ask_gauc(case: Case, k: int) -> Answer:
    """GAUC as the trainer asks for it where users have candidates of their own; k plays no part.

    (Where it ranks the whole catalogue the trainer of this release counts what it takes out, the padding item and
    the items of the training set, as negatives at the very end.)
    """
    rows = rankings(case)
    relevant = np.array([labels.sum() for _, labels in rows])
    lengths = np.array([len(labels) for _, labels in rows])
    evaluator = RankEvaluator(config(k), ["gauc"])
    ranked = []
    for low in range(0, case.users, BATCH):
        batch = slice(low, low + BATCH)
        sizes = SimpleNamespace(pos_len_list=relevant[batch].tolist(), user_len_list=lengths[batch].tolist())
        scores = np.concatenate([scores for scores, _ in rows[batch]]).astype(np.float64)
        ranked.append(evaluator.collect(sizes, torch.from_numpy(scores)))
    test_set = SimpleNamespace(get_pos_len_list=lambda: relevant, get_user_len_list=lambda: lengths)
    return Answer(evaluator.evaluate(ranked, test_set)["gauc"])


def ask_gauc_of_paper(case: Case, k: int) -> Answer:
    """GAUC as the authors of the paper asked for it; k plays no part.

    They cut each user's ranking at the length of the shortest one before they summed the ranks of relevant items, and
    gave the number of relevant items and the length of the ranking uncut: what stands past the cut has rank 0.
    """
    rows = [labels[np.argsort(-scores, kind="stable")] for scores, labels in rankings(case)]
    shortest = min(map(len, rows))
    return Answer(
        metrics.gauc_(
            user_len_list=np.array([len(row) for row in rows]),
            pos_len_list=np.array([row.sum() for row in rows]),
            pos_rank_sum=np.array([np.sum(np.flatnonzero(row[:shortest]) + 1) for row in rows]),
        )
    )


def ask_auc(case: Case, k: int) -> Answer:
    """AUC over one vector of scores and one of labels, of all users' candidates; k plays no part."""
    _, _, scores, labels = candidate_pairs(case)
    pairs = torch.from_numpy(np.column_stack((labels, np.asarray(scores, dtype=np.float64))))
    return Answer(LossEvaluator(config(k), ["auc"]).evaluate([pairs])["auc"])


TOP_K = ("hit", "precision", "recall", "mrr", "map", "ndcg")
SUBJECTS = {f"{name}_": Subject(asking(name), metrics.metrics_dict[name]) for name in TOP_K}
SUBJECTS["gauc_"] = Subject(ask_gauc, metrics.gauc_)
SUBJECTS["gauc_[paper]"] = Subject(ask_gauc_of_paper, metrics.gauc_)
SUBJECTS["auc_"] = Subject(ask_auc, metrics.auc_)

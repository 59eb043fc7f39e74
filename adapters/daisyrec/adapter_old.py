"""DaisyRec 1.1.2 takes, user by user, the relevance of the ranked items (0 or 1) in the order of the ranking."""

from __future__ import annotations

from typing import Any, Callable, Dict, List

import numpy as np

from metric_adapters import checkout

checkout.on_path()

from daisy.utils import metrics  # noqa: E402

from metric_adapters.shapes import lists_by_user, relevant_by_user  # noqa: E402
from metric_adapters.subject import Answer, Subject  # noqa: E402
from metric_reference.case import Case  # noqa: E402

Relevance = Dict[int, List[float]]
Truth = Dict[int, List[int]]


def version() -> str:
    return checkout.version()


def top(case: Case, k: int) -> Relevance:
    """0 or 1 for the first k ranks of each user, as the library's main.py makes them.

    There a row always holds k ranks, and the functions count on it: precision_at_k and recall_at_k refuse a shorter
    one, and map_at_k divides by its length. Ranks past the end of a short list are misses here.
    """
    truth = relevant_by_user(case)
    hits: Relevance = {user: [int(item in truth[user]) for item in row] for user, row in lists_by_user(case, k).items()}
    return {user: row + [0] * (k - len(row)) for user, row in hits.items()}


def whole(case: Case, k: int) -> Relevance:
    """The gains of every item of the catalogue in the order of a user's whole ranking, 0 where it is not relevant.

    After the list, filled up to k, come the relevant items that it does not hold: at which rank beyond k they stand
    does not matter to a metric that sorts the row or cuts it at k, nor do the zeros between and after them.
    """
    rows = {}
    for user, row in lists_by_user(case).items():
        part = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        chosen = case.relevant[part]
        gains = dict(zip(case.judged_items[part][chosen].tolist(), case.judged_gains[part][chosen].tolist()))
        rest = [gain for item, gain in gains.items() if item not in row]
        rows[user] = [gains.get(item, 0.0) for item in row] + [0.0] * (k - len(row)) + rest
    return rows


def asking(
    call: Callable[[Relevance, Truth, int], Any], shape: Callable[[Case, int], Relevance] = top
) -> Callable[[Case, int], Answer]:
    """Ask for the mean over all users, then for each user alone: a mean over one user is that user's value."""

    def ask(case: Case, k: int) -> Answer:
        rows, truth = shape(case, k), relevant_by_user(case)
        value = call(rows, truth, k)
        values = [call({user: rows[user]}, {user: truth[user]}, k) for user in rows]
        return Answer(value, np.array(list(rows), dtype=np.int64), np.array(values, dtype=np.float64))

    return ask


def mean(function: Callable[[List[float], int], Any]) -> Callable[[Relevance, Truth, int], Any]:
    """precision_at_k and ndcg_at_k take one user; main.py takes the mean with numpy."""
    return lambda rows, truth, k: np.mean([function(row, k) for row in rows.values()])


def mended_auc(rows: Relevance, truth: Truth, k: int) -> float:
    """auc_at_k with the name that it lacks put into its module: a row, of which it takes the length alone.

    It divides by hits times misses; a user who has only the one or the other counts 0, one of the two ways in which the
    paper's authors went on from there.
    """
    values = []
    for user, row in rows.items():
        metrics.pred_all = row
        try:
            values.append(metrics.auc_at_k({user: row}))
        except ZeroDivisionError:
            values.append(0.0)
        finally:
            del metrics.pred_all
    return float(np.mean(values))


SUBJECTS = {
    "hr_at_k": Subject(asking(lambda rows, truth, k: metrics.hr_at_k(rows, truth)), metrics.hr_at_k),
    "precision_at_k": Subject(asking(mean(metrics.precision_at_k)), metrics.precision_at_k),
    "recall_at_k": Subject(asking(metrics.recall_at_k), metrics.recall_at_k),
    "mrr_at_k": Subject(asking(lambda rows, truth, k: metrics.mrr_at_k(rows, k)), metrics.mrr_at_k),
    # The docstring asks for the dict, which raises IndexError; main.py gives its values.
    "map_at_k": Subject(asking(lambda rows, truth, k: metrics.map_at_k(rows.values())), metrics.map_at_k),
    "ndcg_at_k": Subject(asking(mean(metrics.ndcg_at_k)), metrics.ndcg_at_k),
    "ndcg_at_k[paper]": Subject(asking(mean(metrics.ndcg_at_k), whole), metrics.ndcg_at_k),
    "auc_at_k": Subject(asking(lambda rows, truth, k: metrics.auc_at_k(rows)), metrics.auc_at_k),
    "auc_at_k[mended]": Subject(asking(mended_auc), metrics.auc_at_k),
}

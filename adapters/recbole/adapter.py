"""RecBole takes a DataStruct, as its Collector fills it from a model's scores, and a Config.

For the top-k metrics that is a 0/1 matrix of hits in rank order with the number of relevant items in a last column.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Dict

import numpy as np

# RecBole 1.2.1 still writes np.float and np.bool, which numpy took out in 1.24. Its own Config puts the names back in
# the same way (Config.compatibility_settings); the metric classes alone do not. Before any metric is called.
for name, kind in (("float", float), ("bool", bool)):
    if name not in np.__dict__:
        setattr(np, name, kind)

import torch  # noqa: E402
from recbole.evaluator import Collector, DataStruct, metrics  # noqa: E402

from metric_adapters.shapes import candidate_pairs, candidate_scores, hit_matrix, relevant_counts, relevant_pairs  # noqa: E402
from metric_adapters.subject import Answer, Subject  # noqa: E402
from metric_reference.case import Case  # noqa: E402

from . import beyond  # noqa: E402

BATCH = 512
"""Users a batch: the Collector is made to be fed in batches."""


def version() -> str:
    return version_of("recbole")


def config(k: int, metric: str = "") -> Dict[str, Any]:
    """The entries of a RecBole Config that metrics and Collector read. Results are rounded to ``metric_decimal_place``
    (4 by default); at 16 a value in [0, 1] moves by 1e-16 at most."""
    return {
        "topk": [k],
        "metric_decimal_place": 16,
        "metrics": [metric],
        "device": "cpu",
        "eval_args": {"mode": "full"},
        "tail_ratio": None,
    }


def asking(metric: Any, needs_counts: bool) -> Callable[[Case, int], Answer]:
    """Ask a top-k metric: ``calculate_metric`` for its rounded mean, ``metric_info`` for the values of users.

    The Collector fills ``rec.topk`` with torch.topk, whose order of equal scores is unspecified and which always finds
    k items, be they excluded ones; here it is filled from the lists, so neither happens. Ranks past the end of a short
    list are misses.
    """

    def ask(case: Case, k: int) -> Answer:
        hits, counts = hit_matrix(case, k), relevant_counts(case)
        collected = DataStruct()
        collected.set("rec.topk", torch.from_numpy(np.column_stack((hits, counts)).astype(np.int32)))
        asked = metric(config(k))
        (value,) = asked.calculate_metric(collected).values()
        by_cut = asked.metric_info(hits, counts) if needs_counts else asked.metric_info(hits)
        return Answer(value, np.arange(case.users), by_cut[:, k - 1].astype(np.float64))

    return ask


def ask_gauc(case: Case, k: int) -> Answer:
    """GAUC as RecBole's trainer gets it: scores through the Collector, k plays no part.

    Item 0 is RecBole's padding item and stands at -inf; the Collector finds the length of a user's ranking by the first
    -inf, so without that column a user whose items are all candidates would be miscounted. Scores keep the precision
    of the case; the library returns no values by user.
    """
    scores = candidate_scores(case)
    users, items, _ = relevant_pairs(case)
    collector = Collector(config(k, "GAUC"))
    for low in range(0, case.users, BATCH):
        batch = np.asarray(scores[low : low + BATCH], dtype=np.float64)
        padded = np.column_stack((np.full(len(batch), -np.inf), batch))
        inside = (users >= low) & (users < low + BATCH)
        collector.eval_batch_collect(
            torch.from_numpy(padded), None, torch.from_numpy(users[inside] - low), torch.from_numpy(items[inside] + 1)
        )
    return Answer(metrics.GAUC(config(k)).calculate_metric(collector.get_data_struct())["gauc"])


def ask_auc(case: Case, k: int) -> Answer:
    """AUC as in RecBole's labelled evaluation: one vector of scores and one of labels over all users' candidates."""
    _, _, scores, labels = candidate_pairs(case)
    collected = DataStruct()
    collected.set("rec.score", torch.from_numpy(np.asarray(scores, dtype=np.float64)))
    collected.set("data.label", torch.from_numpy(labels))
    return Answer(metrics.AUC(config(k)).calculate_metric(collected)["auc"])


SUBJECTS = {
    "Hit": Subject(asking(metrics.Hit, needs_counts=False), metrics.Hit),
    "Precision": Subject(asking(metrics.Precision, needs_counts=False), metrics.Precision),
    "Recall": Subject(asking(metrics.Recall, needs_counts=True), metrics.Recall),
    "MRR": Subject(asking(metrics.MRR, needs_counts=False), metrics.MRR),
    "MAP": Subject(asking(metrics.MAP, needs_counts=True), metrics.MAP),
    "NDCG": Subject(asking(metrics.NDCG, needs_counts=True), metrics.NDCG),
    "GAUC": Subject(ask_gauc, metrics.GAUC),
    "AUC": Subject(ask_auc, metrics.AUC),
    **beyond.subjects(config),
}

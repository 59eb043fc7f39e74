"""LensKit before 2025 takes two frames, recommendations (user, item, rank) and test items (user, item, rating).

The analysis gives a row for each user with recommendations; as its documentation shows, the column is averaged. Where
the recommendations have no ranks, it goes through the lists by another function than where they have.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable

import numpy as np
from lenskit import topn

from metric_adapters.shapes import frame, recommended_pairs, relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import NOTHING, Case

USER, ITEM = "user", "item"


def version() -> str:
    return version_of("lenskit")


def asking(metric: Any, graded: bool = False, ranked: bool = True) -> Callable[[Case, int], Answer]:
    """Ask a metric through RecListAnalysis.

    graded : whether the test items have their ratings; ranked : whether the recommendations have a column of ranks, not
    only their order.
    """

    def ask(case: Case, k: int) -> Answer:
        users, items, _ = recommended_pairs(case)
        ranks = np.nonzero(case.recommended != NOTHING)[1] + 1
        relevant = relevant_pairs(case)
        truth = frame((USER, ITEM, "rating"), *relevant) if graded else frame((USER, ITEM), *relevant[:2])
        analysis = topn.RecListAnalysis()
        analysis.add_metric(metric, k=k)
        listed = frame((USER, ITEM, "rank"), users, items, ranks) if ranked else frame((USER, ITEM), users, items)
        values = analysis.compute(listed, truth)[metric.__name__]
        return Answer(values.mean(), values.index.to_numpy(np.int64), values.to_numpy(np.float64))

    return ask


SUBJECTS = {
    **({"hit": Subject(asking(topn.hit), topn.hit)} if hasattr(topn, "hit") else {}),  # since 0.14
    "precision": Subject(asking(topn.precision), topn.precision),
    "recall": Subject(asking(topn.recall), topn.recall),
    "recip_rank": Subject(asking(topn.recip_rank), topn.recip_rank),
    "ndcg": Subject(asking(topn.ndcg), topn.ndcg),
    "ndcg[rating]": Subject(asking(topn.ndcg, graded=True), topn.ndcg),
    "ndcg[no rank]": Subject(asking(topn.ndcg, ranked=False), topn.ndcg),
}

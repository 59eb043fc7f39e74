"""RecTools takes two frames, recommendations with ranks and interactions, and compares them by user and item."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Any, Callable, Dict, Tuple

import numpy as np
from rectools import Columns, metrics

from metric_adapters.shapes import frame, recommended_pairs, relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import NOTHING, Case

RECOMMENDATIONS = (Columns.User, Columns.Item, Columns.Rank)
INTERACTIONS = (Columns.User, Columns.Item)


def version() -> str:
    return version_of("rectools")


def frames(case: Case) -> Tuple[Any, Any]:
    """Recommendations with ranks from 1, and relevant items."""
    users, items, _ = recommended_pairs(case)
    ranks = np.nonzero(case.recommended != NOTHING)[1] + 1
    return frame(RECOMMENDATIONS, users, items, ranks), frame(INTERACTIONS, *relevant_pairs(case)[:2])


def asking(metric: Any, catalogue: bool = False, **options: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric for its mean and for the values by user; ``catalogue``: whether it gets all items."""

    def ask(case: Case, k: int) -> Answer:
        asked = metric(k=k, **options)
        more: Dict[str, Any] = {"catalog": np.arange(case.n_items)} if catalogue else {}
        values = asked.calc_per_user(*frames(case), **more)
        return Answer(asked.calc(*frames(case), **more), values.index.to_numpy(np.int64), values.to_numpy(np.float64))

    return ask


ASKED: Dict[str, Dict[str, Any]] = {
    "HitRate": {},
    "Precision": {},
    "Precision[r_precision]": {"r_precision": True},
    "Recall": {},
    "F1Beta": {},
    "MCC": {"catalogue": True},
    "MRR": {},
    "MAP": {},
    "MAP[divide_by_k]": {"divide_by_k": True},
    "NDCG": {},
    "NDCG[divide_by_achievable]": {"divide_by_achievable": True},
}
"""How each metric is asked; older releases have not all of them."""

SUBJECTS = {
    name: Subject(asking(metric, **how), metric)
    for name, how in ASKED.items()
    for metric in [getattr(metrics, name.partition("[")[0], None)]
    if metric is not None
}

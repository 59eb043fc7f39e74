"""RecSys_PyTorch takes rows of ranked items and a dict user -> relevant items, in the same order of users."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Callable, Dict, List

import numpy as np

from adapters import checkout

# Its class Statistics still writes np.int and np.float, which numpy took out in 1.24. Before any metric is called.
for name, kind in (("float", float), ("int", int)):
    if name not in np.__dict__:
        setattr(np, name, kind)

checkout.on_path()

# The package's own __init__ imports the Evaluator class and with it torch and the models' data handling. The metrics
# lie below it and need neither, so an empty package of that name stands in its place.
package = ModuleType("evaluation")
package.__path__ = [str(checkout.source() / "evaluation")]
sys.modules["evaluation"] = package

from evaluation.backend.python.holdout import compute_holdout_metrics_py  # noqa: E402
from evaluation.backend.python.loo import compute_loo_metrics_py  # noqa: E402

from adapters.subject import Answer, Subject  # noqa: E402
from reference.case import Case  # noqa: E402


def version() -> str:
    return checkout.version()


def asking(function: Callable[..., Any], metric: str) -> Callable[[Case, int], Answer]:
    """Ask a protocol's function, which computes all its metrics at once, for one of them.

    Its own Statistics holds the values of users and takes their mean, in float32. The Evaluator hands over arrays, cut
    at the largest k; it ranks all items, so its rows are full. A user without relevant items has an empty array there,
    as here.
    """

    def ask(case: Case, k: int) -> Answer:
        lists: List[np.ndarray] = [case.list_of(user, k) for user in range(case.users)]
        target: Dict[int, np.ndarray] = {user: case.relevant_of(user) for user in range(case.users)}
        statistics = function(lists, target, [k])[metric][k]
        return Answer(
            statistics.mean, np.arange(case.users, dtype=np.int64), np.array(statistics.history, dtype=np.float64)
        )

    return ask


SUBJECTS = {
    **{
        metric: Subject(asking(compute_holdout_metrics_py, metric), compute_holdout_metrics_py)
        for metric in ("Prec", "Recall", "NDCG")
    },
    **{
        f"{metric}[leave_one_out]": Subject(asking(compute_loo_metrics_py, metric), compute_loo_metrics_py)
        for metric in ("HR", "NDCG")
    },
}

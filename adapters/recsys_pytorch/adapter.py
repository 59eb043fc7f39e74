"""RecSys_PyTorch takes rows of ranked items and a dict user -> relevant items, in the same order of users.

It has two backends with the same functions: ``cython:`` subjects call the compiled ones, the others the Python ones.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Callable, Dict, List

import numpy as np

from metric_adapters import checkout

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

from metric_adapters.subject import Answer, Subject  # noqa: E402
from metric_reference.case import NOTHING, Case  # noqa: E402


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
        return answer(function(lists, targets(case), [k])[metric][k], case)

    return ask


def asking_compiled(
    function: Callable[..., Any], metric: str, first_only: bool = False
) -> Callable[[Case, int], Answer]:
    """Ask a function of the compiled backend, which reads k items of every row: a shorter list goes on with -1.

    first_only : it reads the first relevant item of every user, whether there is one or not.
    """

    def ask(case: Case, k: int) -> Answer:
        target = targets(case)
        if first_only:
            refuse_nothing_relevant(target)
        rows = np.full((case.users, k), NOTHING, dtype=np.int32)
        for user in range(case.users):
            listed = case.list_of(user, k)
            rows[user, : len(listed)] = listed
        return answer(function(rows, target, [k])[metric][k], case)

    return ask


def targets(case: Case) -> Dict[int, np.ndarray]:
    """The relevant items of every user."""
    return {user: case.relevant_of(user) for user in range(case.users)}


def answer(statistics: Any, case: Case) -> Answer:
    """What the library's Statistics holds: its mean and the values in the order of the users."""
    return Answer(
        statistics.mean, np.arange(case.users, dtype=np.int64), np.array(statistics.history, dtype=np.float64)
    )


def refuse_nothing_relevant(target: Dict[int, np.ndarray]) -> None:
    """Raise ValueError, naming the user, where the compiled leave_one_out would read what is not there."""
    for user, relevant in target.items():
        if len(relevant) == 0:
            raise ValueError(
                f"user {user} has nothing relevant: the compiled code would read past the end of an empty array, so it "
                "is not asked"
            )


def compiled() -> Dict[str, Subject]:
    """The subjects of the compiled backend; none where it is not at hand.

    Its Python files come from the commit like all others, what they import from the folder of the compiled part.
    """
    if checkout.COMPILED is None:
        return {}
    from evaluation.backend import cython

    cython.__path__.append(str(checkout.compiled().joinpath("evaluation", "backend", "cython")))
    from evaluation.backend.cython.holdout import compute_holdout_metrics_cy as holdout
    from evaluation.backend.cython.loo import compute_loo_metrics_cy as loo

    subjects = {f"cython:{metric}": Subject(asking_compiled(holdout, metric), holdout) for metric in HOLDOUT}
    for metric in LEAVE_ONE_OUT:
        subjects[f"cython:{metric}[leave_one_out]"] = Subject(asking_compiled(loo, metric, first_only=True), loo)
    return subjects


HOLDOUT = ("Prec", "Recall", "NDCG")
LEAVE_ONE_OUT = ("HR", "NDCG")
SUBJECTS = {
    **{metric: Subject(asking(compute_holdout_metrics_py, metric), compute_holdout_metrics_py) for metric in HOLDOUT},
    **{
        f"{metric}[leave_one_out]": Subject(asking(compute_loo_metrics_py, metric), compute_loo_metrics_py)
        for metric in LEAVE_ONE_OUT
    },
    **compiled(),
}

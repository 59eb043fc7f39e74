"""Calling conventions: the ways in which people's own metric functions want a case, each with a short name.

A name is the roles in the order of the parameters, and after a colon the container where it is not a list:
``relevant,recommended``, ``relevant,recommended:sets``, ``relevance:matrix``, ``y_true,y_score:tensors``. Where k
stands, and whether there is one, is read from the function's parameters.
"""

from __future__ import annotations

import warnings
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np

from adapters.conventions_frames import COMMON, Columns, column_arguments, frames, parse_columns
from adapters.conventions_result import single, unchanged, whole
from adapters.conventions_roles import ROLES, WORDS, View
from adapters.conventions_shapes import PER_USER, WHOLE, names_of, qrels, run
from adapters.conventions_signature import Call, Parameters, invoke
from adapters.subject import Answer
from reference.case import Case

RANKS_ALONE = (
    "The function sees the relevance of the listed items alone: it cannot know how many relevant items the list "
    "misses, so it can neither divide by their number nor build an ideal list of them."
)
CONTAINERS: Dict[str, str] = {
    "lists": "lists", "lists-cut": "lists that end at k although the function takes k",
    "sets": "the relevant items as a set", "arrays": "numpy arrays", "tensors": "torch tensors",
    "all": "a list of lists over all users", "all-sets": "a list over all users, the relevant items as sets",
    "dicts": "a dict by user of lists", "dict-sets": "a dict by user, the relevant items as sets",
    "matrix": "numpy arrays with a row for each user", "tensor-matrix": "torch tensors with a row for each user",
    "flat": "one numpy array over all users", "flat-tensors": "one torch tensor over all users",
}  # fmt: skip
PAIRS = ("relevant", "recommended")


class Convention(NamedTuple):
    """One way of calling.

    roles : what each data parameter takes, in order. container : in what; ``text`` and ``frames`` besides
    :data:`CONTAINERS`. columns : for frames.
    """

    roles: Tuple[str, ...]
    container: str = "lists"
    columns: Optional[Columns] = None
    columns_found: bool = False

    @property
    def name(self) -> str:
        roles = ",".join(self.roles)
        if self.columns is not None:
            return roles if self.columns_found else f"{roles}:{self.columns.printed()}"
        return roles if self.container in ("lists", "text") else f"{roles}:{self.container}"

    @property
    def per_user(self) -> bool:
        """Whether the function is called for one user at a time."""
        return self.container in PER_USER

    @property
    def needs(self) -> Optional[str]:
        """The package without which there is no such input."""
        if self.columns is not None:
            return "pandas"
        return "torch" if "tensor" in self.container else None

    @property
    def about(self) -> str:
        said = ", ".join(WORDS[role] for role in self.roles)
        if self.columns is not None:
            return f"all users in two data frames: {said}; columns {self.columns.printed()}."
        if self.container == "text":
            return f"all users at once: {said}."
        how = "called for one user at a time, the mean is ours" if self.per_user else "called once for all users"
        text = f"{said}; {CONTAINERS[self.container]}; {how}."
        return f"{text} {RANKS_ALONE}" if self.roles in (("relevance",), ("relevance_graded",)) else text

    def arguments(self, view: View, user: int) -> Tuple[Any, ...]:
        """New arguments; ``user`` matters where the function is called by user."""
        if self.columns is not None:
            truth, predicted = frames(view, self.columns)
            return (truth, predicted) if self.roles[0] == "truth_frame" else (predicted, truth)
        if self.container == "text":
            return tuple((qrels if role == "qrels" else run)(view) for role in self.roles)
        if self.per_user:
            return tuple(PER_USER[self.container](role, ROLES[role](view, user)) for role in self.roles)
        return tuple(WHOLE[self.container](role, view) for role in self.roles)


def _both(*roles: str) -> Tuple[Tuple[str, ...], Tuple[str, ...]]:
    return roles, roles[::-1]


def _every() -> Iterator[Convention]:
    for container in ("lists", "sets", "arrays", "tensors", "all", "all-sets", "dicts", "dict-sets"):
        for roles in _both(*PAIRS):
            yield Convention(roles, container)
    for roles in _both("grades", "recommended"):
        yield Convention(roles)
    for container in ("lists", "arrays", "tensors"):
        for roles in _both("recommended", "item"):
            yield Convention(roles, container)
    for container in ("lists", "arrays", "tensors", "matrix", "tensor-matrix"):
        yield Convention(("relevance",), container)
        yield Convention(("relevance_graded",), container)
        for pair in (("relevance", "n_relevant"), ("relevance_graded", "gains")):
            for roles in _both(*pair):
                yield Convention(roles, container)
    for role in ("relevance", "relevance_graded"):
        yield Convention((role,), "all")
        yield Convention((role,), "lists-cut")
    for container in ("lists", "arrays", "matrix"):
        for roles in _both("relevance", "relevant"):
            yield Convention(roles, container)
    for container in ("lists", "arrays", "tensors", "matrix", "tensor-matrix"):
        for truth in ("y_true", "y_true_graded"):
            for roles in _both(truth, "y_score"):
                yield Convention(roles, container)
    for container in ("lists", "arrays", "tensors", "flat", "flat-tensors"):
        for roles in _both("labels", "scores"):
            yield Convention(roles, container)
    for container in ("matrix", "tensor-matrix"):
        for roles in _both("recommended", "y_true"):
            yield Convention(roles, container)
    for roles in _both("qrels", "run"):
        yield Convention(roles, "text")


CONVENTIONS: Tuple[Convention, ...] = tuple(_every())
FRAMES = _both("truth_frame", "prediction_frame")


def frame_conventions(found: Optional[Columns]) -> List[Convention]:
    """Both orders of two frames, with the columns that the function names, else with each common set."""
    if found is not None:
        return [Convention(roles, "frames", found, True) for roles in FRAMES]
    return [Convention(roles, "frames", columns) for columns in COMMON for roles in FRAMES]


def by_name(name: str, found: Optional[Columns] = None) -> Convention:
    """The convention of a name.

    found : the columns that the function names, which stand for those not given.

    Raises ValueError for an unknown name, and for frames without columns where the function names none.
    """
    roles, _, columns = name.partition(":")
    if tuple(roles.split(",")) in FRAMES:
        if columns:
            return Convention(tuple(roles.split(",")), "frames", parse_columns(columns))
        if found is None:
            raise ValueError(f"{name}: the function does not tell its columns; say {name}:user,item,rating,score")
        return Convention(tuple(roles.split(",")), "frames", found, True)
    known = {one.name: one for one in CONVENTIONS}
    if name not in known:
        names = ", ".join([*known, *(f"{','.join(roles)}:COLUMNS" for roles in FRAMES)])
        raise ValueError(f"{name!r} is no convention. There are: {names}")
    return known[name]


def call(convention: Convention, make: Callable[[int], Any], parameters: Parameters, how: Call, case: Case, k: int,
         takes_k: bool) -> Answer:  # fmt: skip
    """Ask a function for a case.

    make : called with k, gives the function. takes_k : it learns k, so lists reach it whole.

    Warns if the function changes what it is given. Raises what the function raises, TypeError if it returns no number,
    CannotShow if the convention cannot express the case.
    """
    view = View(case, k, None if takes_k and convention.container != "lists-cut" else k, how.takes_threshold)
    columns = None if convention.columns is None else column_arguments(parameters.columns, convention.columns)
    function = make(k)

    def once(user: int) -> Any:
        given = convention.arguments(view, user)
        result = invoke(function, parameters, how, given, case, k, columns)
        if not unchanged(given, convention.arguments(view, user)):
            warnings.warn("the function mutates its input", stacklevel=2)
        return result

    if convention.per_user:
        values = np.array([single(once(user)) for user in range(case.users)], dtype=np.float64)
        return Answer(float(values.mean()), np.arange(case.users), values)
    users: List[Any] = names_of(case.users) if convention.container == "text" else list(range(case.users))
    return whole(once(0), users, k if how.k_list else None)

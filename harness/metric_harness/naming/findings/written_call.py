"""The call of a user's function for a case, as Python that runs without this tool."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Sequence
from pathlib import Path

from metric_adapters.calls.packages import EXAMPLE, show
from metric_adapters.calls.table import by_name
from metric_adapters.calls.view import View
from metric_adapters.subject import CannotShow
from metric_harness.naming.target import module_of
from metric_reference.case import Case, case_from_lists
from metric_reports.types import audit
from metric_reports.types.common import ShownCase, ShownUser

SLOT = re.compile(r"\{(\w+)\}")
"""A role in a written call."""


def with_call(case: ShownCase | None, written: str | None, name: str | None) -> ShownCase | None:
    """A case with the lines that call the function for it.

    written : the call with a role for each argument. name : of the way of calling.
    """
    return case if case is None or not (written and name) else {**case, "call": call_lines(written, name, case)}


def imports(target: str) -> list[str]:
    """The lines that import the function of a target."""
    location, _, name = target.rpartition(":")
    module = module_of(location)
    line = f"from {module} import {name.partition('.')[0]}"
    if not location.endswith(".py"):
        return [line]
    root = Path(location).resolve().parents[module.count(".")]
    if not Path(location).is_absolute():  # as it was given, from the working folder, which may be in the package
        root = Path(os.path.relpath(root))
    return ["import sys", "", f"sys.path.insert(0, {root.as_posix()!r})", line]


def written_call(target: str, calling: audit.Calling | None) -> str | None:
    """The call of a function that a script can import; None for any other, as for a program."""
    importable = re.fullmatch(r"[\w./-]+", target.rpartition(":")[0])
    return calling["call"] if calling and importable else None


def call_lines(written: str, name: str, case: ShownCase) -> list[str]:
    """Lines that call a function for a case and assign ``returned``; none where the arguments cannot be written."""
    try:
        call = by_name(name)
        view = View(case_of(case["users"]), case["k"], kit=EXAMPLE)
        if "{k}" not in written or call.ends == "k":
            view = view._replace(cut=case["k"])

        def call_for(user: int) -> str:
            values = {"k": str(case["k"])}
            values.update(zip(call.names, map(literal, call.arguments(view, user)), strict=True))
            return SLOT.sub(lambda slot: values[slot[1]], written)

        written_calls = [call_for(user) for user in range(len(case["users"]) if call.per_user else 1)]
    except (CannotShow, SyntaxError, ValueError, KeyError):  # KeyError: a setting of the case, such as the threshold
        return []
    if len(written_calls) == 1:
        return [f"returned = {written_calls[0]}"]
    return ["values = [", *(f"    {each}," for each in written_calls), "]", "returned = sum(values) / len(values)"]


def literal(argument: object) -> str:
    """An argument in Python; SyntaxError or ValueError where it holds other objects than arrays and tensors."""
    text = show(argument)
    names = {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
    if not names <= {"array", "tensor", "set"}:
        raise ValueError(f"no literal: {text}")
    return re.sub(r"\btensor\(", "torch.tensor(", re.sub(r"\barray\(", "np.array(", text))


def case_of(users: Sequence[ShownUser]) -> Case:
    """The users of a record as a case, with whole scores and one item more than they have."""
    n_items = max([0, *(item for user in users for item in (*user["list"], *user["relevant"]))]) + 2
    return case_from_lists(
        [user["list"] for user in users],
        [user["relevant"] for user in users],
        n_items,
        gains=[user["gains"] for user in users],
        scores=[[float(n_items - rank) for rank in range(len(user["list"]))] for user in users],
        threshold=0.0,
    )

"""Classes that are updated with users or batches and then give their result."""

from __future__ import annotations

import inspect
from typing import Any, Optional, Tuple

ADD = (
    *("update", "add", "add_batch", "update_batch", "accumulate", "observe", "add_user", "append", "record", "collect"),
    *("add_result", "add_results", "push", "step", "process", "feed", "__call__"),
)
RESULT = (
    *("compute", "result", "results", "get", "get_result", "get_results", "average", "avg", "value", "values"),
    *("evaluate", "mean", "summary", "summarize", "finalize", "report", "get_value", "get_metric", "metric", "score"),
    *("get_metrics", "aggregate", "final", "total"),
)
RESET = ("reset", "reset_states", "reset_state", "clear", "start", "begin")


def accumulator(kind: Any, method: Optional[str] = None) -> Optional[Tuple[str, str]]:
    """The methods by which a class is updated and gives its result; None for a class that is no accumulator.

    method : the method that was asked for, if one was: the one that updates, or the one that gives the result.
    """
    adding = [name for name in ADD if _defined(kind, name) and (name == method or method not in ADD)]
    giving = [name for name in RESULT if _gives(kind, name) and (name == method or method not in RESULT)]
    if method is not None and method not in (*adding, *giving):
        return None
    return (adding[0], giving[0]) if adding and giving and adding[0] != giving[0] else None


def _defined(kind: Any, name: str) -> bool:
    """Whether a class has a method of its own that takes something."""
    function = next((vars(base)[name] for base in kind.__mro__[:-1] if name in vars(base)), None)
    return inspect.isfunction(function) and len(_required(function)) > 1


def _gives(kind: Any, name: str) -> bool:
    """Whether a class has a method or property that takes nothing, not even a parameter of its own choosing."""
    found = inspect.getattr_static(kind, name, None)
    return isinstance(found, property) or (inspect.isfunction(found) and len(_required(found)) == 1)


def _required(function: Any) -> Tuple[str, ...]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = inspect.signature(function).parameters.values()
    return tuple(one.name for one in found if one.default is inspect.Parameter.empty and one.kind in kinds)


def reset(instance: Any) -> None:
    """Make an accumulator ready for the first update, where it has a method for that."""
    for name in RESET:
        kind = type(instance)
        if inspect.isfunction(getattr(kind, name, None)) and len(_required(getattr(kind, name))) == 1:
            getattr(instance, name)()
            return


def result_of(instance: Any, name: str) -> Any:
    """What an instance gives: its method called, or its attribute."""
    found = getattr(instance, name)
    return found() if callable(found) else found

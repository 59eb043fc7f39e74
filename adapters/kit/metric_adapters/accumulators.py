"""Classes that are updated with users or batches and then give their result."""

from __future__ import annotations

import ast
import functools
import inspect
from typing import Any, Callable, Dict, List, Optional, Tuple

from metric_adapters.conventions.reading.source import parsed

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


def keeps(kind: Any, method: Optional[str] = None) -> Optional[Tuple[str, List[str]]]:
    """The method by which a class without a result is updated, and the attributes in which it adds up its results.

    None for a class that does not, or whose update returns something. A count of the updates is no result.
    """
    for name in ADD if method is None else (method,):
        tree = parsed(inspect.getattr_static(kind, name)) if name in ADD and _defined(kind, name) else None
        if tree is None or any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(tree)):
            continue
        body = getattr(tree, "body", [])[0].body
        counts = {id(one) for one in body if isinstance(getattr(one, "value", None), ast.Constant)}
        kept = [_added_to(node) for node in ast.walk(tree) if id(node) not in counts]
        if any(kept):
            return name, [one for one in dict.fromkeys(kept) if one]
    return None


def _added_to(node: ast.AST) -> Optional[str]:
    """The attribute of ``self`` that a statement adds to: ``self.x += y``, ``self.x[i] += y``, ``self.x.append(y)``."""
    target: Any = None
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        target = node.target.value if isinstance(node.target, ast.Subscript) else node.target
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "append":
        target = getattr(node.func, "value", None)
    return target.attr if isinstance(target, ast.Attribute) and getattr(target.value, "id", "") == "self" else None


def chosen_key(instance: Any, function: Any) -> Dict[str, str]:
    """The parameters of an update that choose one of several sums, each with the first one: keys of a dict by name."""
    out: Dict[str, str] = {}
    for node in ast.walk(parsed(function) or ast.Module(body=[], type_ignores=[])):
        if isinstance(node, ast.Subscript) and getattr(getattr(node.value, "value", None), "id", "") == "self":
            held, name = getattr(instance, getattr(node.value, "attr", ""), None), getattr(node.slice, "id", None)
            keys = list(held) if isinstance(held, dict) and name in _required(function) else []
            if keys and all(isinstance(key, str) for key in keys):
                out.setdefault(str(name), keys[0])
    return out


def kept_by(instance: Any, function: Any, names: List[str]) -> Tuple[Callable[..., Any], Callable[[], Any]]:
    """The update with its choice made, and what gives the attributes that it adds to, by name."""
    made = chosen_key(instance, function)

    def result() -> Any:
        held = {name: getattr(instance, name) for name in names}
        for key in made.values():
            chosen = {name: value[key] for name, value in held.items() if isinstance(value, dict) and key in value}
            held.update(chosen)
        return held if len(held) > 1 else next(iter(held.values()))

    return functools.partial(function, **made) if made else function, result


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

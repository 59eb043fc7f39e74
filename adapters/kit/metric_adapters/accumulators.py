"""Classes that are updated with users or batches and then give their result."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from metric_adapters.calls.parameter_names import named_like_k, snake
from metric_adapters.calls.trees import parsed
from metric_adapters.subject import CannotShow

ADD = (
    *("update", "add", "add_batch", "update_batch", "accumulate", "observe", "add_user", "append", "record", "collect"),
    *("add_result", "add_results", "push", "step", "process", "feed", "__call__"),
)
RESULT = (
    *("compute", "result", "results", "get", "get_result", "get_results", "average", "avg", "value", "values"),
    *("evaluate", "mean", "summary", "summarize", "finalize", "report", "get_value", "get_metric", "metric", "score"),
    *("get_metrics", "aggregate", "final", "total", "reduce"),
)
MORE_ADD = re.compile(r"(add|update|accumulate|record|collect|append|push)_\w+")
MORE_RESULT = re.compile(r"(get|compute|calculate|calc)_(\w+_)?(values?|results?|metrics?|scores?|average|avg|mean)")
"""Other names of such methods: ``add_recommendations``, ``get_metric_value``."""
USERS = re.compile(r"n|total|count|(n|num|nb|total)_(users?|quer(y|ies)|samples?|examples?|questions?)|num|size")
"""The parameter of a method that divides its sums."""
RESET = ("reset", "reset_states", "reset_state", "clear", "start", "begin")


def accumulator(kind: Any, method: Optional[str] = None) -> Optional[Tuple[str, str]]:
    """The method that updates an instance and the one that gives its result; None for a class that is no accumulator.

    method : the method in the target, if it names one: either of the two; of the second, any name will do.
    """
    updates = [name for name in _named(kind, ADD, MORE_ADD) if _defined(kind, name)]
    updates = updates or [name for name in vars(kind) if _defined(kind, name) and _adds_up(kind, name)]
    results = [name for name in _named(kind, RESULT, MORE_RESULT) if _gives(kind, name) and name not in updates]
    if method is not None and method not in (*updates, *results) and _gives(kind, method) and _takes_k_alone(kind):
        results = [method]
    updates, results = ([method] if method in names else names for names in (updates, results))
    if method is not None and method not in (*updates, *results):
        return None
    return (updates[0], results[0]) if updates and results and updates[0] != results[0] else None


def keeps(kind: Any, method: Optional[str] = None) -> Optional[Tuple[str, List[str]]]:
    """The update method of a class without a result method, and its properties, or attributes in which it adds up.

    None for a class without such attributes, whose update returns something, or whose methods return what they make of
    them. A count of the updates is no result.
    """
    shown = [name for name, value in vars(kind).items() if isinstance(value, property) and not name.startswith("_")]
    for name in ADD if method is None else (method,):
        attributes = _adds_up(kind, name) if name in ADD and _defined(kind, name) else []
        if attributes and not _gives_from(kind, attributes):
            return name, shown or attributes
    return None


def _gives_from(kind: Any, attributes: Sequence[str]) -> bool:
    """Whether a method that requires no more than a number of users returns something made of these attributes."""
    trees = [parsed(value) for name, value in vars(kind).items() if inspect.isfunction(value) and _gives(kind, name)]
    return any(
        isinstance(node, ast.Attribute) and node.attr in attributes
        for tree in trees
        for node in (ast.walk(tree) if tree is not None and _returns(tree) else ())
    )


def _returns(tree: ast.AST) -> bool:
    """Whether a method returns something else than a constant."""
    returned = (node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None)
    return not all(isinstance(value, ast.Constant) for value in returned)


def _adds_up(kind: Any, name: str) -> List[str]:
    """The attributes to which a method without a result adds something, other than a constant."""
    tree = parsed(inspect.getattr_static(kind, name))
    if tree is None or _returns(tree):
        return []
    body = getattr(tree, "body", [])[0].body
    counts = {id(statement) for statement in body if isinstance(getattr(statement, "value", None), ast.Constant)}
    attributes = [_added_to(node) for node in ast.walk(tree) if id(node) not in counts]
    return [attribute for attribute in dict.fromkeys(attributes) if attribute]


def stateless(kind: Any, method: str) -> bool:
    """Whether a method, and those that it calls, read no attribute that only an instance has."""
    waiting, known = [method], set()
    while waiting:
        name = waiting.pop()
        if name in known:
            continue
        known.add(name)
        value = inspect.getattr_static(kind, name, None)
        if value is None or isinstance(value, property):
            return False
        tree = parsed(value) if inspect.isroutine(value) else ast.Module(body=[], type_ignores=[])
        if tree is None:
            return False
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self":
                waiting.append(node.attr)
    return True


def helpers(kind: Any, method: str) -> List[Any]:
    """The methods of a class that a method calls on ``self``, and those that these call."""
    waiting, known = [method], [method]
    while waiting:
        tree = parsed(inspect.getattr_static(kind, waiting.pop(), None)) or ast.Module(body=[], type_ignores=[])
        for node in ast.walk(tree):
            called = node.func if isinstance(node, ast.Call) else None
            name = called.attr if isinstance(called, ast.Attribute) else ""
            on_self = name and getattr(getattr(called, "value", None), "id", "") == "self"
            if on_self and name not in known and inspect.isfunction(inspect.getattr_static(kind, name, None)):
                waiting.append(name)
                known.append(name)
    return [inspect.getattr_static(kind, name) for name in known[1:]]


def _added_to(node: ast.AST) -> Optional[str]:
    """The attribute of ``self`` that a statement adds to, or to an entry: ``self.x += y``, ``self.x[i].append(y)``."""
    target: Any = None
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        target = node.target
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "append":
        target = getattr(node.func, "value", None)
    target = target.value if isinstance(target, ast.Subscript) else target
    return target.attr if isinstance(target, ast.Attribute) and getattr(target.value, "id", "") == "self" else None


def chosen_key(instance: Any, function: Any) -> Dict[str, str]:
    """The parameters of an update that choose a key of a dict of sums, each with the first key."""
    keys_by_name: Dict[str, str] = {}
    for node in ast.walk(parsed(function) or ast.Module(body=[], type_ignores=[])):
        if isinstance(node, ast.Subscript) and getattr(getattr(node.value, "value", None), "id", "") == "self":
            sums, name = getattr(instance, getattr(node.value, "attr", ""), None), getattr(node.slice, "id", None)
            keys = list(sums) if isinstance(sums, dict) and name in _required(function) else []
            if keys and all(isinstance(key, str) for key in keys):
                keys_by_name.setdefault(str(name), keys[0])
    return keys_by_name


def kept_by(
    instance: Any, function: Any, names: List[str]
) -> Tuple[Callable[..., Any], Callable[[Optional[int]], Any]]:
    """The update with its keys chosen, and a function that returns the attributes that it adds to, by name."""
    keys = chosen_key(instance, function)

    def result(users: Optional[int]) -> Any:
        sums = {name: getattr(instance, name) for name in names}
        for key in keys.values():
            sums.update({name: value[key] for name, value in sums.items() if isinstance(value, dict) and key in value})
        return sums if len(sums) > 1 else next(iter(sums.values()))

    return functools.partial(function, **keys) if keys else function, result


def _named(kind: Any, usual: Sequence[str], more: "re.Pattern[str]") -> List[str]:
    """The usual names, then those of a class's own methods that are such a name in other letters or match the rest."""
    own = (name for name in vars(kind) if name not in usual and (snake(name) in usual or more.fullmatch(snake(name))))
    return [*usual, *own]


def _defined(kind: Any, name: str) -> bool:
    """Whether a class defines a method with a required parameter besides self."""
    function = next((vars(base)[name] for base in kind.__mro__[:-1] if name in vars(base)), None)
    return inspect.isfunction(function) and len(_required(function)) > 1


def _gives(kind: Any, name: str) -> bool:
    """Whether a class has a property of that name, or a method that requires nothing but the number of users."""
    attribute = inspect.getattr_static(kind, name, None)
    required = _required(attribute)[1:] if inspect.isfunction(attribute) else ("not a method",)
    return isinstance(attribute, property) or (len(required) <= 1 and all(map(USERS.fullmatch, required)))


def _takes_k_alone(kind: Any) -> bool:
    """Whether a class can be made from nothing, or from a cut-off."""
    return all(map(named_like_k, _required(kind)))


def _required(function: Any) -> Tuple[str, ...]:
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(function).parameters.items()
    return tuple(name for name, each in parameters if each.default is each.empty and each.kind not in several)


def reset(instance: Any) -> None:
    """Call an accumulator's first method of :data:`RESET`, if it has one."""
    for name in RESET:
        method = getattr(type(instance), name, None)
        if inspect.isfunction(method) and len(_required(method)) == 1:
            getattr(instance, name)()
            return


def result_of(instance: Any, name: str, users: Optional[int]) -> Any:
    """The result of an instance: what its method returns, or its attribute.

    CannotShow if the method takes a number of users that is not known.
    """
    attribute = getattr(instance, name)
    if not callable(attribute):
        return attribute
    counted = _required(attribute) if inspect.ismethod(attribute) else ()
    if counted and users is None:
        raise CannotShow("how many users a batch has is not known")
    return attribute(users) if counted else attribute()

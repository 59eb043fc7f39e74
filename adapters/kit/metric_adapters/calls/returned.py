"""The names in the parts of a return statement: ``return hits / n, dcg / n`` returns hits, then dcg."""

from __future__ import annotations

import ast
from typing import Any, Iterator, List, Optional

from metric_adapters.calls.trees import called, parsed

HOLDERS = {"array", "asarray", "tensor", "tuple", "list", "stack", "dict", "mean", "item"}
"""Functions around a returned tuple or list that keep its parts."""

EXITS = {"exit", "_exit", "abort"}
"""Functions that end the process."""


def names_returned(function: Any) -> List[List[str]]:
    """The names in each part of the last return that has several parts; empty where there is none.

    A parameter names an input, not a result.
    """
    tree = parsed(function)
    body = getattr(tree, "body", None)
    if not body or not isinstance(body[0], (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    several = [parts for each in returns(body[0]) if len(parts := _parts(each.value)) > 1]
    inputs = {node.arg for node in ast.walk(body[0].args) if isinstance(node, ast.arg)}
    return [
        [name for name in dict.fromkeys(_names(each)) if name not in inputs]
        for each in (several[-1] if several else ())
    ]


def gives_nothing(function: Any) -> bool:
    """Whether a function comes to its end and returns no value, nor yields one; False without a source or a body."""
    node = next(iter(getattr(parsed(function), "body", ())), None)
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    if all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in node.body):
        return False  # a stub
    if never_ends(node.body[-1]):
        return False  # what it raises is what is said of it
    yields = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node))
    values = [getattr(each.value, "value", each.value) for each in returns(node)]
    return not yields and all(value is None for value in values)


def gives_function(function: Any) -> bool:
    """Whether a function returns a function it defines; its other returns may name a function defined elsewhere."""
    node = next(iter(getattr(parsed(function), "body", ())), None)
    defined = {getattr(each, "name", "") for each in getattr(node, "body", ())} - {""}
    values = [each.value for each in returns(node)] if isinstance(node, ast.FunctionDef) else []
    own = [isinstance(value, ast.Lambda) or getattr(value, "id", None) in defined for value in values]
    return any(own) and all(isinstance(value, (ast.Lambda, ast.Name)) for value in values)


def never_ends(last: ast.stmt) -> bool:
    """Whether what follows a statement is never reached: it raises, loops for ever or ends the process."""
    if isinstance(last, ast.While):
        breaks = any(isinstance(each, ast.Break) for each in ast.walk(last))
        return isinstance(last.test, ast.Constant) and bool(last.test.value) and not breaks
    exits = isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and called(last.value) in EXITS
    return isinstance(last, ast.Raise) or exits


def returns(function: ast.AST) -> Iterator[ast.Return]:
    """The return statements of a function in the order of the source, without those of nested functions."""
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.Return):
            yield node
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield from returns(node)


def _parts(value: Optional[ast.AST]) -> List[ast.expr]:
    """The parts of a tuple or list, also of one inside a call of :data:`HOLDERS`; empty for anything else."""
    if isinstance(value, (ast.Tuple, ast.List)):
        return list(value.elts)
    if isinstance(value, ast.Call) and called(value) in HOLDERS and value.args:
        return _parts(value.args[0])
    return []


def _names(part: ast.AST) -> Iterator[str]:
    for node in ast.walk(part):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value

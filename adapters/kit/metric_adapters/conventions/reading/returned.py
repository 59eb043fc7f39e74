"""What the parts of a return are called in the source: ``return hits / n, dcg / n`` returns hits, then dcg."""

from __future__ import annotations

import ast
from typing import Any, Iterator, List, Optional

from metric_adapters.conventions.reading.source import parsed

HOLDERS = {"array", "asarray", "tensor", "tuple", "list", "stack", "dict", "mean", "item"}
"""What a return may be wrapped in."""


def names_returned(function: Any) -> List[List[str]]:
    """The names that make up each part of the last return of several parts, in order; empty where there is none."""
    tree = parsed(function)
    body = getattr(tree, "body", None)
    if not body or not isinstance(body[0], (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    found = [parts for each in returns(body[0]) if (parts := _parts(each.value)) is not None and len(parts) > 1]
    return [] if not found else [list(dict.fromkeys(_names(part))) for part in found[-1]]


def returns(function: ast.AST) -> Iterator[ast.Return]:
    """The returns of a function in the order of its text, without those of functions inside it."""
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.Return):
            yield node
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield from returns(node)


def _parts(value: Optional[ast.AST]) -> Optional[List[ast.expr]]:
    """The parts of a tuple or a list, be it handed to a function that keeps them."""
    if isinstance(value, (ast.Tuple, ast.List)):
        return list(value.elts)
    if isinstance(value, ast.Call):
        name = getattr(value.func, "attr", getattr(value.func, "id", ""))
        if name in HOLDERS and len(value.args) >= 1:
            return _parts(value.args[0])
    return None


def _names(part: ast.AST) -> Iterator[str]:
    for node in ast.walk(part):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value

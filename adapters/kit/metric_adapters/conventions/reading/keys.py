"""The keys that a function reads of each parameter: columns of a frame, names in a dict."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, List, Optional, Set, Tuple

BY = {"by", "on", "left_on", "right_on", "subset", "key"}
"""Keyword arguments that name columns."""
GROUPING = {"groupby", "group_by", "sort_values", "sort", "set_index", "drop_duplicates", "nlargest", "get"}
"""Methods whose first argument names columns."""
OF_ANY = {"shape", "size", "dtype", "dtypes", "device", "values", "index", "columns", "loc", "iloc", "at", "iat", "T"}
OF_ANY |= {"str", "dt", "data", "indices", "indptr", "ndim", "empty", "nnz", "real", "is_cuda"}
"""Attributes of frames, arrays and tensors, which are no columns."""
ENTRY = re.compile(r"(\w*_)?(id|item|doc|iid|docid|movie|product|timestamp)")
"""What is read of an entry that is an object."""


def read_keys(tree: ast.AST) -> Dict[str, Tuple[str, ...]]:
    """The keys that are read of each parameter, and of what is made of it, in order; not those that are written.

    A key is a text between brackets, an argument that names columns, or an attribute that is no method. What a local
    variable is made of is followed to the parameter: ``rows = data[data.user == u]`` is ``data``.
    """
    last = {
        id(target): _place(node) for node in ast.walk(tree) if isinstance(node, ast.Assign) for target in node.targets
    }
    nodes = sorted(
        (node for node in ast.walk(tree) if hasattr(node, "lineno")), key=lambda node: last.get(id(node), _place(node))
    )
    whose = {node.arg: node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for name, source in _made(tree):
        of = _root(source, whose)
        if of is not None and (name not in whose or of != name):
            whose[name] = of
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    found: Dict[str, Dict[str, None]] = {}
    written: Set[Tuple[str, str]] = set()
    for holder, key, store in (row for node in nodes for row in _keys(node, id(node) in called)):
        of = _root(holder, whose)
        if of is not None and store:
            written.add((of, key))
        elif of is not None and (of, key) not in written:
            found.setdefault(of, {})[key] = None
    return {name: tuple(keys) for name, keys in found.items()}


def _place(node: ast.AST) -> Tuple[int, int]:
    """Where a node ends; a column is written where its statement ends."""
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def _made(tree: ast.AST) -> Iterator[Tuple[str, ast.AST]]:
    """Names and what each is made of: by assignment, as the entries of a loop, as the row of a lambda."""
    pairs: List[Tuple[ast.AST, ast.AST]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            pairs += [(target, node.value) for target in node.targets]
        elif isinstance(node, (ast.For, ast.comprehension)):
            pairs.append((node.target, node.iter))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            rows = [argument.args.args[:1] for argument in node.args if isinstance(argument, ast.Lambda)]
            pairs += [
                (ast.Name(row.arg, end_lineno=row.lineno, end_col_offset=0), node.func)
                for first in rows
                for row in first
            ]
    for target, source in sorted(pairs, key=lambda pair: _place(pair[0])):
        for part in getattr(target, "elts", [target]):
            if isinstance(part, ast.Name):
                yield part.id, source


def _keys(node: ast.AST, called: bool) -> Iterator[Tuple[ast.AST, str, bool]]:
    """What a node takes a key of, the key, and whether it writes there."""
    if isinstance(node, ast.Subscript):
        index = getattr(node.slice, "value", None) if type(node.slice).__name__ == "Index" else node.slice  # Python 3.8
        for key in _texts(index):
            yield node.value, key, isinstance(node.ctx, ast.Store)
    elif isinstance(node, ast.Attribute) and not called and node.attr not in OF_ANY:
        yield node.value, node.attr, isinstance(node.ctx, ast.Store)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        named = [word.value for word in node.keywords if word.arg in BY]
        first = node.args[:1] if node.func.attr in GROUPING else []
        for key in (key for argument in (*first, *named) for key in _texts(argument)):
            yield node.func.value, key, False


def _texts(node: Optional[ast.AST]) -> List[str]:
    """The texts that a node is or lists."""
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    return [value for value in values if isinstance(value, str)]


def _root(node: ast.AST, whose: Dict[str, str]) -> Optional[str]:
    """The parameter that an expression takes a part of; None where it is no part of one."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Call):
            node = node.func if isinstance(node.func, ast.Attribute) else node.args[0] if node.args else node.func
        inner = getattr(node, "value", None)
        if not isinstance(inner, ast.AST):
            return whose.get(getattr(node, "id", ""))
        node = inner
    return whose.get(node.id)


def reads_entries(tree: ast.AST) -> bool:
    """Whether entries of lists are read as objects, or as dicts with an id."""
    for node in ast.walk(tree):
        holder = getattr(node, "value", None)
        if isinstance(holder, (ast.Name, ast.Subscript)):
            index = getattr(node, "slice", None) if isinstance(node, ast.Subscript) else None
            key = node.attr if isinstance(node, ast.Attribute) else getattr(index, "value", None)
            if isinstance(key, str) and ENTRY.fullmatch(key.lower()) and getattr(holder, "id", "") != "self":
                return True
    return False

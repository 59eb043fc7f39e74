"""The syntax tree of a function, where its source can be read."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from typing import Any, Optional, Tuple


def parsed(function: Any) -> Optional[ast.AST]:
    """The source of a function, method or callable object; None where there is none."""
    return parse(inner(function))


def inner(function: Any) -> Any:
    """The plain function behind a bound method, a partial, a decorated function or a callable object."""
    function = getattr(function, "func", function)
    if not inspect.isroutine(function) and not inspect.isclass(function):
        function = getattr(type(function), "__call__", function)  # noqa: B004
    function = getattr(function, "__func__", function)
    try:
        return inspect.unwrap(function)
    except ValueError:  # it wraps itself
        return function


def parse(thing: Any) -> Optional[ast.AST]:
    """The source of a function, class or module; None where there is none."""
    if thing is None:
        return None
    try:
        return Plainer().visit(ast.parse(textwrap.dedent(inspect.getsource(thing))))
    except (OSError, TypeError, SyntaxError, ValueError):  # no source; a lambda in the middle of an expression
        return None


class Plainer(ast.NodeTransformer):
    """Writes ``getattr(row, "item", None)`` as ``row.item``, ``x: int = 1`` in a function as ``x = 1``, and
    ``x.shape[:2]``, which cuts no list, as ``x.shape``.
    """

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [each if isinstance(each, ast.AnnAssign) else self.visit(each) for each in node.body]  # its fields
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is None or not isinstance(node.target, ast.Name):
            return node
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        constant = node.args[1] if called(node) == "getattr" and len(node.args) > 1 else None
        if not isinstance(constant, ast.Constant) or not isinstance(constant.value, str):
            return node
        return ast.copy_location(ast.Attribute(node.args[0], constant.value, ast.Load()), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        return node.value if is_slice(node) and getattr(node.value, "attr", "") == "shape" else node


def index_of(node: ast.Subscript) -> Any:
    """The expression in the brackets; Python 3.8 wraps it in an ``Index``."""
    return getattr(node.slice, "value", None) if type(node.slice).__name__ == "Index" else node.slice


def last_index(node: ast.Subscript) -> Any:
    """The last of several expressions in the brackets, or the only one; None for ``x[()]``."""
    index = index_of(node)
    return next(reversed(index.elts), None) if isinstance(index, ast.Tuple) else index


def is_slice(node: Optional[ast.AST]) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)


def called(node: Optional[ast.AST]) -> str:
    """The name of the function or method that a node calls; empty for another node."""
    function = getattr(node, "func", None)
    return str(getattr(function, "attr", getattr(function, "id", "")))


def sides(node: ast.AST, *operators: type) -> Tuple[Optional[ast.expr], Optional[ast.expr]]:
    """The two sides of a comparison with one of these operators; None twice for another node."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], operators):
        return node.left, node.comparators[0]
    return None, None


def described(function: Any, name: str) -> str:
    """A parameter's description in the docstring of a function; empty if it has none."""
    text = str(getattr(function, "__doc__", None) or "")
    start = rf"^([ \t]*)[^\w\n]*(?:param\s+)?{re.escape(name)}\s*(?:\([^)]*\))?\s*[:\-]"
    match = re.search(rf"{start}\s*(.*(?:\n\1[ \t]+\S.*)*)$", text, re.MULTILINE)  # with its indented lines
    return match[2] if match else ""


def untransposed(node: ast.AST) -> ast.AST:
    """The matrix in ``matrix.T``, ``matrix.t()`` or ``matrix.transpose(0, 1)``; any other node as it is."""
    function = node.func if isinstance(node, ast.Call) else node
    return function.value if getattr(function, "attr", "") in ("T", "t", "transpose") else node  # type: ignore[attr-defined]

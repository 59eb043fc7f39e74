"""What loops say of what they walk through: entries of three, sessions of a fixed size."""

from __future__ import annotations

import ast
from typing import Any, Dict, Iterator, Optional, Tuple

SMALLEST, LARGEST = 3, 200
"""Numbers of candidates that a session of a fixed size may have."""


def triples(node: ast.AST) -> Optional[ast.AST]:
    """What a loop takes apart into entries of three, as it is or numbered by ``enumerate``; None for other loops."""
    if not isinstance(node, (ast.For, ast.comprehension)):
        return None
    target, walked = node.target, node.iter
    numbered = isinstance(walked, ast.Call) and getattr(walked.func, "id", "") == "enumerate" and walked.args
    if numbered and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target, walked = target.elts[1], walked.args[0]  # type: ignore[attr-defined]
    return walked if isinstance(target, ast.Tuple) and len(target.elts) == 3 else None


def session_sizes(tree: ast.AST, module: Optional[ast.AST], name: str) -> Tuple[int, ...]:
    """The numbers of candidates into which a function, or its class, cuts its input: ``i % 10``, ``len(one) == 10``.

    tree : the function. module : its file. name : its qualified name, in which its class stands.
    """
    classes = [node for node in ast.walk(module) if isinstance(node, ast.ClassDef)] if module is not None else []
    holder = next((node for node in classes if node.name == name.partition(".")[0]), tree)
    known: Dict[str, Any] = {}
    for node in ast.walk(holder):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            known.update({_name(target): node.value.value for target in node.targets})
    found = (known.get(_name(one), getattr(one, "value", None)) for one in _sizes(holder))
    return tuple(dict.fromkeys(one for one in found if type(one) is int and SMALLEST <= one <= LARGEST))


def _sizes(holder: ast.AST) -> Iterator[ast.AST]:
    """What something is divided by, or what a length is compared with."""
    for node in ast.walk(holder):
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mod, ast.FloorDiv)):
            yield node.right
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq) and _is_length(node.left):
            yield node.comparators[0]


def _is_length(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len"


def _name(node: ast.AST) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))

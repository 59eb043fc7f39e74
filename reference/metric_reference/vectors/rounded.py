"""The float64 nearest to an exact value, computed with 40 digits from its text."""

from __future__ import annotations

import ast
import operator
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Callable, Dict

DIGITS = 40
_OPERATIONS: Dict[type, Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS: Dict[str, Callable[[Decimal], Decimal]] = {"sqrt": Decimal.sqrt, "ln": Decimal.ln}


@lru_cache(maxsize=None)
def _log(number: int, base: int) -> Decimal:
    return Decimal(number).ln() / Decimal(base).ln()


_WEIGHTS: Dict[str, Callable[[int], Decimal]] = {
    "log2": lambda rank: 1 / _log(rank + 1, 2),
    "max_log2": lambda rank: 1 / max(_log(rank, 2), Decimal(1)),
    "max_log10": lambda rank: 1 / max(_log(rank, 10), Decimal(1)),
    "shifted_log2": lambda rank: 1 / _log(rank + 2, 2),
}
"""The weight of a rank, by the words of :data:`metric_reference.vectors.closed_forms.DISCOUNTS`."""


@lru_cache(maxsize=None)
def nearest(text: str) -> float:
    """The float64 nearest to an exact value such as ``1/3`` or ``(log2(1,3-5))/(log2(1-5))``.

    Raises KeyError for an unknown word.
    """
    with localcontext() as context:
        context.prec = DIGITS
        return float(_value(ast.parse(text.replace("^", "**"), mode="eval").body))


def _value(node: ast.expr) -> Decimal:
    if isinstance(node, ast.Constant):
        return Decimal(repr(node.value))
    if isinstance(node, ast.UnaryOp):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp):
        return _OPERATIONS[type(node.op)](_value(node.left), _value(node.right))
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    word = node.func.id
    if word in _FUNCTIONS:
        return _FUNCTIONS[word](_value(node.args[0]))
    return sum((_WEIGHTS[word](rank) for argument in node.args for rank in _ranks(argument)), Decimal(0))


def _ranks(argument: ast.expr) -> range:
    """The ranks of ``3`` or of ``3-5``."""
    ends = (argument.left, argument.right) if isinstance(argument, ast.BinOp) else (argument, argument)
    first, last = (int(_value(end)) for end in ends)
    return range(first, last + 1)

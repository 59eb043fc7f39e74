"""The numbers in a source: cut-offs, thresholds, and those that names are compared with."""

from __future__ import annotations

import ast
import inspect
import re
from types import ModuleType
from typing import Any, Dict, FrozenSet, Iterator, List, Mapping, Optional, Set, Tuple

from metric_adapters.calls.trees import called, index_of, sides

OTHER_THAN_ZERO = {"count_nonzero", "nonzero", "flatnonzero"}
"""Functions that compare what they are given with 0."""
LARGEST_GAIN = 10
"""A larger number is no threshold of gains."""
LARGEST_CUT = 1000
"""A larger number is no cut-off of lists."""
MINUS_ONE = ast.dump(ast.parse("-1", mode="eval").body)


class WithConstants(ast.NodeTransformer):
    """Writes whole numbers and texts in place of their names: those that a module names in capitals,
    ``ranked[:MAX_RANK]``, those of a class or of another module, ``rows[columns.USER]``, and numbers that a function
    sets once, ``k = 10``.

    attributes : texts in attributes of ``self``, by name.
    """

    def __init__(self, names: Mapping[str, Any], attributes: Mapping[str, str], tree: ast.AST) -> None:
        self.names = {name: value for name, value in names.items() if not name.islower()}
        self.names.update(set_once(tree))
        self.holders = {name: value for name, value in names.items() if isinstance(value, (ModuleType, type))}
        self.attributes = attributes

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.names.get(node.id)
        constant = type(value) in (int, str) and isinstance(node.ctx, ast.Load)
        return ast.copy_location(ast.Constant(value), node) if constant else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        holder = getattr(node.value, "id", "")
        value: Any = self.attributes.get(node.attr) if holder == "self" else None
        if holder in self.holders and not node.attr.islower() and isinstance(node.ctx, ast.Load):
            value = inspect.getattr_static(self.holders[holder], node.attr, None)  # runs no code of a module
        return ast.copy_location(ast.Constant(value), node) if type(value) in (int, str) else node


def set_once(tree: ast.AST) -> Dict[str, int]:
    """The names that a function sets once, each with the whole number that it is."""
    stored = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    stored += [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)]
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and len(node.targets) == 1]
    numbers = {getattr(node.targets[0], "id", ""): getattr(node.value, "value", None) for node in assigned}
    return {name: value for name, value in numbers.items() if type(value) is int and stored.count(name) == 1}


def defaults(code: Any) -> Dict[str, Any]:
    """The numbers that are defaults of parameters, by name."""
    try:
        parameters = inspect.signature(code).parameters
    except (TypeError, ValueError):
        return {}
    return {name: each.default for name, each in parameters.items() if type(each.default) in (int, float)}


def threshold(node: ast.AST, defaults: Mapping[str, Any], above: bool = False) -> Optional[float]:
    """The number in ``gain >= 4``, or in ``gain < 4``, if gains may be as large; None for another node.

    defaults : by parameter, the number that it is unless it is given; ``self.`` before those of the constructor.
    above : that in ``gain > 3``, or in ``gain <= 3``, instead.
    """
    kinds = (ast.Gt, ast.LtE) if above else (ast.GtE, ast.Lt)
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], kinds):
        return None
    bound = node.comparators[0]
    of_self = isinstance(bound, ast.Attribute) and getattr(bound.value, "id", "") == "self"
    name = f"self.{bound.attr.lstrip('_')}" if of_self else getattr(bound, "id", "")  # type: ignore[attr-defined]
    value: Any = defaults.get(name, getattr(bound, "value", None))
    return float(value) if type(value) in (int, float) and 0 < value <= LARGEST_GAIN else None


def note_constants(node: ast.AST, known: Mapping[str, Any], compared: Dict[str, List[Any]], cuts: Set[int]) -> None:
    """Add the constants that a name is compared with to ``compared``, and the end of a slice to ``cuts``.

    So are the keys of a dict of the module, among ``known``, that the name is looked up in.
    """
    if isinstance(node, ast.Subscript):
        table = known.get(getattr(node.value, "id", ""))
        keys = list(table) if isinstance(table, dict) and all(isinstance(key, str) for key in table) else []
        compared.setdefault(getattr(index_of(node), "id", ""), []).extend(keys)
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
        for other in node.comparators:
            values = other.elts if isinstance(other, (ast.List, ast.Tuple, ast.Set)) else [other]
            constants = [value.value for value in values if isinstance(value, ast.Constant)]
            constants += [-1] if isinstance(other, ast.UnaryOp) and ast.dump(other) == MINUS_ONE else []
            compared.setdefault(node.left.id, []).extend(constants)
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In) and isinstance(node.left, ast.Constant):
        compared.setdefault(getattr(node.comparators[0], "id", ""), []).append(node.left.value)  # "mrr" in metrics
    elif isinstance(node, ast.Slice) and getattr(node.lower, "value", 0) == 0:
        end = getattr(node.upper, "value", None)
        if isinstance(end, int) and end > 1:
            cuts.add(end)


def counted_nonzero(node: ast.AST) -> str:
    """The name whose entries other than 0 a call counts or finds: ``np.count_nonzero(scores[items])``."""
    if not isinstance(node, ast.Call) or called(node) not in OTHER_THAN_ZERO:
        return ""
    counted = node.args[0] if node.args else getattr(node.func, "value", None)
    return str(getattr(counted.value if isinstance(counted, ast.Subscript) else counted, "id", ""))


def ends(node: ast.AST) -> Iterator[Tuple[int, int]]:
    """The cut-offs that a comparison (``rank < 5``), a loop (``range(5)``, ``for k in [5, 10]``), a list of them
    (``ks = [5, 10]``) or an argument (``k=5``) may mean.

    As pairs (0, cut-off); (1, cut-off) for a comparison of ranks that are counted from 1 instead of 0, or reversely.
    """
    ends: List[Tuple[int, Any]] = []
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and not isinstance(node.left, ast.Call):  # len(x) < 5
        end = getattr(node.comparators[0], "value", None)
        if type(end) is int and isinstance(node.ops[0], (ast.Lt, ast.GtE)):
            ends = [(0, end), (1, end - 1)]
        elif type(end) is int and isinstance(node.ops[0], (ast.LtE, ast.Gt)):
            ends = [(0, end), (1, end + 1)]
        elif end == 0 and isinstance(node.ops[0], ast.Eq):
            ends = [(1, 1)]  # places == 0
    elif isinstance(node, ast.If) and any(isinstance(each, (ast.Break, ast.Return)) for each in node.body):
        ends = [
            (0, getattr(sides(each, ast.Eq)[1], "value", None)) for each in ast.walk(node.test)
        ]  # rank == 10: break
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("range", "min"):
        ends = [(0, getattr(argument, "value", None)) for argument in node.args[:2]]
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("head", "nlargest"):
        ends = [(0, getattr(argument, "value", None)) for argument in node.args[:1]]
    elif isinstance(node, (ast.For, ast.comprehension)):
        ends = [(0, number) for number in rising(node.iter)]
    elif isinstance(node, ast.Assign):
        ends = [(0, number) for number in rising(node.value)]
    elif isinstance(node, ast.keyword) and node.arg in ("k", "top_k", "at"):
        ends = [(0, getattr(node.value, "value", None))]
    elif isinstance(node, ast.arguments):  # ranks=(1, 5, 10)
        lists = [each.elts for each in node.defaults if isinstance(each, (ast.Tuple, ast.List))]
        ends = [(0, getattr(each, "value", None)) for elements in lists for each in elements]
    yield from (pair for pair in ends if type(pair[1]) is int and 1 <= pair[1] <= LARGEST_CUT)


def rising(node: ast.AST) -> List[Any]:
    """The whole numbers of a list or tuple that holds nothing else, each larger than the one before; else none."""
    numbers: List[Any] = [getattr(each, "value", None) for each in getattr(node, "elts", ())]
    whole = bool(numbers) and all(type(number) is int for number in numbers)
    return numbers if whole and numbers == sorted({*numbers}) else []


def default_cuts(tree: ast.AST, names: FrozenSet[str]) -> Iterator[int]:
    """The whole numbers that are defaults of parameters at which something ends."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            for parameter, default in zip(reversed([*node.posonlyargs, *node.args]), reversed(node.defaults)):
                if parameter.arg in names and type(getattr(default, "value", None)) is int:
                    yield getattr(default, "value", 0)


def cuts_in_keys(tree: ast.AST) -> Iterator[int]:
    """The cut-offs in the names of results: ``{"recall@10": ...}``."""
    for node in ast.walk(tree):
        for key in node.keys if isinstance(node, ast.Dict) else ():
            match = re.search(r"@(\d+)$", str(getattr(key, "value", "")))
            if match:
                yield int(match[1])

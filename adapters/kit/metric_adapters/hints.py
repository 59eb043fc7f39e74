"""What a source shows that few cases would: narrow types, what changes from process to process, padding, tables.

A narrow type is wrong past its largest number; a hash of text, an address or the order of a set of text may be the same
in two processes by chance; a table of words has none of the items that are asked. Code beside the functions that ran
counts too: a hint only adds questions.
"""

from __future__ import annotations

import ast
import linecache
import re
from functools import lru_cache
from typing import Any, FrozenSet, Iterator, List, Mapping, NamedTuple, Set, Tuple

BYTE, SHORT, HALF = (127, 256), (32767, 1 << 16), (2048, 1 << 16)
NARROW = {
    **dict.fromkeys(("int8", "byte", "char", "i1", "b"), BYTE),
    **dict.fromkeys(("uint8", "ubyte", "u1", "B"), (255, 256)),
    **dict.fromkeys(("int16", "short", "i2", "h"), SHORT),
    **dict.fromkeys(("uint16", "ushort", "u2", "H"), (1 << 16,)),
    **dict.fromkeys(("float16", "half", "f2", "e"), HALF),
    "bfloat16": (256,),
}
"""By the names of narrow types: the largest whole numbers that they hold exactly, and the period of their overflow."""
OF_DATA = {"min_scalar_type": (*BYTE, *SHORT), "downcast": (*BYTE, *SHORT)}
"""Names by which numpy and pandas choose the narrowest type for the numbers at hand."""
AROUND = re.compile(r"^[<>=|!]?(?:c_)?|tensor$")
"""Parts around the name of a type: the order of bytes, ctypes, a type of tensors."""
TYPECODED = {"array", "asarray", "zeros", "ones", "empty", "full", "astype", "dtype", "fromiter", "frombuffer", "cast"}
STRUCTS = {"pack", "unpack", "pack_into", "unpack_from", "iter_unpack", "Struct"}
"""The callees whose arguments name types: by letters of arrays, by formats of structs."""
OF_A_PROCESS = {"hash", "__hash__", "getpid", "urandom", "uuid1", "uuid4", "random"}
"""Names of what may be another number in another process."""
SETS = {"set", "frozenset", "intersection", "union", "difference", "symmetric_difference"}
ORDERLESS = {"set", "frozenset", "sum", "fsum", "any", "all", "len", "sorted", "min", "max", "Counter", *SETS}
"""Callees that make a set, and those to which the order of what they are given is no matter."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.DictComp, ast.GeneratorExp)


class Hints(NamedTuple):
    """narrow : the bounds of the narrow types that a file names. compares : the comparisons in it.

    by_process : it holds what may change with the process. lookups : ``TABLE.get(item)``, which finds it or does not.
    """

    narrow: List[int]
    by_process: bool
    compares: List[ast.Compare]
    lookups: List[ast.Call]


@lru_cache(maxsize=None)
def hints_of(file: str, ran: FrozenSet[int]) -> Hints:
    """The hints in a file; none without source. ran : first lines of the functions that ran; others are left out."""
    try:
        nodes = list(without_idle(ast.parse("".join(linecache.getlines(file))), ran))
    except (SyntaxError, ValueError):
        return Hints([], False, [], [])
    narrow = [bound for node in nodes for name in names_in(node) for bound in bounds_of_type(name)]
    by_process = any(is_of_a_process(node) for node in nodes) or orders_a_set(nodes)
    compares = [node for node in nodes if isinstance(node, ast.Compare)]
    calls = [node for node in nodes if isinstance(node, ast.Call) and node.args]
    return Hints(narrow, by_process, compares, [call for call in calls if name_of(call.func) == "get"])


def without_idle(node: ast.AST, ran: FrozenSet[int]) -> Iterator[ast.AST]:
    """A node and all inside it, but for functions that neither ran nor hold one that did; constructors stay."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, FUNCTIONS) or child.name.startswith("__") or any(map(ran.__contains__, begins(child))):
            yield from without_idle(child, ran)


def begins(function: ast.AST) -> Iterator[int]:
    """The lines at which a function and those inside it begin, with and without their decorators."""
    for node in ast.walk(function):
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            yield from (each.lineno for each in (node, *getattr(node, "decorator_list", ())))


def bounds_of_type(name: str) -> Tuple[int, ...]:
    """The bounds of a narrow type by its name, ``int16``, ``<i2``, ``c_short``, ``ShortTensor`` or ``H``; else none."""
    plain = name if len(name) == 1 else AROUND.sub("", name.lower())
    return NARROW.get(plain, OF_DATA.get(name, ()))


def names_in(node: ast.AST) -> Iterator[str]:
    """The names in a node that may be those of types."""
    if isinstance(node, (ast.Attribute, ast.keyword, ast.alias, ast.Name)):
        name = str(getattr(node, "attr", getattr(node, "arg", getattr(node, "name", getattr(node, "id", "")))))
        if len(name) > 1 and (isinstance(node, ast.Attribute) or name in OF_DATA or name[-1:].isdigit()):
            yield name
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value[-1:].isdigit():
        yield node.value
    elif isinstance(node, ast.Call):
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        texts = [each.value for each in values if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if name_of(node.func) in TYPECODED:
            yield from texts
        if name_of(node.func) in STRUCTS:
            yield from "".join(texts)


def held(value: Any) -> Tuple[int, ...]:
    """The bounds of the narrow type that a variable of a module holds, as text or as a type; else none."""
    if isinstance(value, (str, type)):
        return bounds_of_type(value if isinstance(value, str) else value.__name__)
    return bounds_of_type(str(value).rpartition(".")[2]) if "dtype" in type(value).__name__.lower() else ()


def words_in(lookup: ast.Call, scope: Mapping[str, Any]) -> str:
    """The name of a module's table of numbers by words in which something is looked up; else empty text."""
    name = name_of(getattr(lookup.func, "value", lookup))
    table = scope.get(name)
    if not isinstance(table, dict) or not all(isinstance(key, str) and not key.isdigit() for key in table):
        return ""
    return name if table and all(type(value) in (int, float) for value in table.values()) else ""


def is_of_a_process(node: ast.AST) -> bool:
    """Whether a node names what may be another number in another process; a name ``id`` only if it is called."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "id"
    imported = [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else ()
    return not OF_A_PROCESS.isdisjoint((name_of(node), *imported))


def orders_a_set(nodes: List[ast.AST]) -> bool:
    """Whether the order of some set matters: it is iterated, listed or popped."""
    names: Set[str] = set()
    for _ in range(2):
        for node in nodes:
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names.update(name_of(each) for each in targets if is_set(node.value, names))
    names.discard("")
    orderless: Set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, ast.Call) and name_of(node.func) in ORDERLESS and not node.keywords:
            orderless.update(node.args)
    return any(orders(node, names) for node in nodes if node not in orderless)


def orders(node: ast.AST, names: Set[str]) -> bool:
    """Whether a node depends on the order of a set. names : of the variables that hold sets."""
    if isinstance(node, COMPREHENSIONS):
        return any(is_set(each.iter, names) for each in node.generators)
    if isinstance(node, ast.For):
        return is_set(node.iter, names)
    if isinstance(node, ast.Starred):
        return is_set(node.value, names)
    if not isinstance(node, ast.Call):
        return False
    if name_of(node.func) == "pop" and isinstance(node.func, ast.Attribute) and not node.args:
        return is_set(node.func.value, names)
    return (name_of(node.func) not in ORDERLESS or bool(node.keywords)) and any(is_set(a, names) for a in node.args)


def is_set(node: ast.AST, names: Set[str]) -> bool:
    """Whether an expression is a set, as far as the source shows."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.Sub, ast.BitXor)):
        return is_set(node.left, names) or is_set(node.right, names)
    if isinstance(node, ast.Call):
        return name_of(node.func) in SETS
    return isinstance(node, (ast.Set, ast.SetComp)) or name_of(node) in names


def pads(compare: ast.Compare, values: Mapping[str, Any]) -> bool:
    """Whether a comparison is with -1, or tells numbers below 0 from others; the lengths of something have no such.

    values : those of names.
    """
    sides = [compare.left, *compare.comparators]
    if len(sides) != 2 or any(isinstance(side, ast.Call) and name_of(side.func) == "len" for side in sides):
        return False
    left, right = (number_of(side, values) for side in sides)
    below = (ast.Lt, ast.GtE) if right == 0 else (ast.Gt, ast.LtE)
    return -1 in (left, right) or (0 in (left, right) and isinstance(compare.ops[0], below))


def number_of(node: ast.AST, values: Mapping[str, Any]) -> Any:
    """The number of a constant, of its negative or of a name; None for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = number_of(node.operand, values)
        return None if number is None else -number
    value = values.get(node.id) if isinstance(node, ast.Name) else getattr(node, "value", None)
    return value if type(value) in (int, float) else None


def name_of(node: ast.AST) -> str:
    """The last name of an expression: ``isinstance``, ``torch.is_tensor``."""
    return str(getattr(node, "attr", getattr(node, "id", "")))

"""What a function's source gives away of how it is called: what it does with each parameter, what it imports."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from types import ModuleType
from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Set

DICT_METHODS = {"items", "keys", "values", "get"}
FRAME_METHODS = {"merge", "groupby", "sort_values", "itertuples", "iterrows", "loc", "iloc", "join", "assign", "query"}
SET_METHODS = {"intersection", "issubset", "isdisjoint", "union", "difference"}
SORTING = {"argsort", "topk", "argpartition", "roc_auc_score", "roc_curve", "lexsort", "sort"}
ROWS = {"axis", "dim"}


class Source(NamedTuple):
    """Hints from the source; everything is empty where there is none (C code, a console).

    of : what is done with each parameter, by name: sliced, zipped, member, mapping, frame, set, rows, indexed.
    words : what the function does as a whole: sorts, gains, torch, pandas.
    texts : its string constants and attribute names, in order; module_texts : those of its whole file.
    """

    of: Dict[str, FrozenSet[str]]
    words: FrozenSet[str]
    texts: List[str]
    module_texts: List[str]

    def does(self, name: str, what: str) -> bool:
        return what in self.of.get(name, ())

    def anywhere(self, what: str) -> bool:
        return any(what in done for done in self.of.values())


def read_source(function: Any) -> Source:
    """The hints of a function, method or callable object."""
    code = _inner(function)
    tree, module = _parse(code), _parse(inspect.getmodule(code))
    words: Set[str] = set()
    used = getattr(code, "__globals__", {})
    for package in ("torch", "pandas"):
        if any(_is_of(value, package) for value in list(used.values())):
            words.add(package)
    if tree is None:
        return Source({}, frozenset(words), [], [])
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    of: Dict[str, Set[str]] = {name: set() for name in parameters}
    for node in ast.walk(tree):
        _look_at(node, of, words)
    if re.search(r"dcg|gain", getattr(code, "__qualname__", ""), re.IGNORECASE):
        words.add("gains")
    done = {name: frozenset(what) for name, what in of.items()}
    return Source(done, frozenset(words), _texts(tree), [] if module is None else _texts(module))


def _inner(function: Any) -> Any:
    """The plain function behind a bound method, a partial, a decorated function or a callable object."""
    function = getattr(function, "func", function)
    if not inspect.isroutine(function) and not inspect.isclass(function):
        function = getattr(type(function), "__call__", function)  # noqa: B004
    function = getattr(function, "__func__", function)
    try:
        return inspect.unwrap(function)
    except ValueError:  # it wraps itself
        return function


def _parse(thing: Any) -> Optional[ast.AST]:
    if thing is None:
        return None
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(thing)))
    except (OSError, TypeError, SyntaxError, ValueError):  # no source; a lambda in the middle of an expression
        return None


def _is_of(value: Any, package: str) -> bool:
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return isinstance(name, str) and name.split(".")[0] == package


def _look_at(node: ast.AST, of: Dict[str, Set[str]], words: Set[str]) -> None:
    def note(target: ast.AST, what: str) -> None:
        if isinstance(target, ast.Name) and target.id in of:
            of[target.id].add(what)

    if isinstance(node, ast.Subscript):
        index = getattr(node.slice, "value", None) if type(node.slice).__name__ == "Index" else node.slice  # Python 3.8
        if isinstance(node.slice, ast.Slice):
            note(node.value, "sliced")
        elif isinstance(index, ast.Constant) and isinstance(index.value, str):
            note(node.value, "frame")
        elif isinstance(index, ast.Tuple) or type(node.slice).__name__ == "ExtSlice":
            note(node.value, "rows")
        else:
            note(node.value, "indexed")
    elif isinstance(node, ast.Attribute):
        for methods, what in ((DICT_METHODS, "mapping"), (FRAME_METHODS, "frame"), (SET_METHODS, "set")):
            if node.attr in methods:
                note(node.value, what)
        if node.attr in SORTING:
            words.add("sorts")
        if node.attr in ("log2", "log", "log1p", "exp2"):
            words.add("gains")
    elif isinstance(node, ast.Compare) and any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
        note(node.comparators[0], "member")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        note(node.left, "set")
        note(node.right, "set")
    elif isinstance(node, ast.keyword) and node.arg in ROWS:
        words.add("rows")
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "zip":
            for argument in node.args:
                note(argument, "zipped")
        elif node.func.id == "sorted":
            words.add("sorts")
        elif node.func.id == "set" and node.args:
            note(node.args[0], "made_set")


def _texts(tree: ast.AST) -> List[str]:
    """String constants and attribute names that could be columns, in the order of the source."""
    found = []
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append((node.lineno, node.col_offset, node.value))
        elif isinstance(node, ast.Attribute) and id(node) not in called:  # .items() is no column
            found.append((node.lineno, node.col_offset, node.attr))
    short = (text for _, _, text in sorted(found) if re.fullmatch(r"[A-Za-z_][\w ]{0,39}", text))
    return list(dict.fromkeys(short))

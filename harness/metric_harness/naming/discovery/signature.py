"""Parameters, body and decorators of a function, read from its source without running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from metric_adapters.calls.fills import CHOICES, COLUMN, CONSTANTS, MASK, N_ITEMS, N_USERS, THRESHOLD
from metric_adapters.calls.gallery import CAMERAS
from metric_adapters.calls.loops import entries_of
from metric_adapters.calls.parameter_names import K_NAME, families, snake
from metric_adapters.calls.uses import key_of
from metric_harness.naming.discovery.other_words import NEEDS

TRUTH = {"truth", "label", "item", "qrels", "count", "ideal"}
LISTED = {"list", "score", "run", "relevance", "scored"}
NEARNESS = {"distance", "similarity", "feature"}
FILLABLE = {"truth", "qrels", "feature"}
"""Families of names that take data, whatever else they mean."""
SETTINGS = (MASK, CAMERAS, N_USERS, *(pattern for pattern, _ in (*CONSTANTS, *CHOICES)))
"""Names of required parameters that take no data and have a usual value."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Signature:
    """The parameters of a function.

    data : those that an audit has to fill, in order. required : those without a default. k : the name of the cut-off.
    annotations : in lower case, by parameter. open : whether there is ``*args``. rows : those whose entries are read
    by keys that are texts, as dicts.
    """

    data: tuple[str, ...]
    required: tuple[str, ...]
    k: str | None
    annotations: dict[str, str] = field(default_factory=dict)
    open: bool = False
    rows: frozenset[str] = frozenset()

    @property
    def pair(self) -> tuple[str, str] | None:
        """A parameter for the relevant items and one for the recommended ones."""
        for first in self.data:
            for second in self.data:
                if first != second and families(first) & TRUTH and families(second) & (LISTED | NEARNESS):
                    return first, second
        return None

    @property
    def lists(self) -> bool:
        """Whether a parameter is named after a list of items, and not after what a classifier predicts as well."""
        return any(families(name) == {"list"} and not name.startswith("pred") for name in self.data)

    @property
    def gallery(self) -> tuple[str, ...] | None:
        """A parameter for how near queries and items are, or their features, and two for the identities of both."""
        near = [name for name in self.data if families(name) & NEARNESS]
        identities = [name for name in self.data if "class" in families(name)]
        return (near[0], *identities[:2]) if near and len(identities) > 1 else None

    @property
    def of_texts(self) -> bool:
        """Whether the truth and what is compared with it are a text each, or it takes an answer and texts."""
        texts = any(re.search(r"(^|_)(con)?texts$", snake(name)) for name in self.required)
        if texts and self.annotations.get("answer") == "str":
            return True
        return self.pair is not None and all(self.annotations[name] == "str" for name in self.pair)

    @property
    def relevance(self) -> str | None:
        """The only parameter, if it holds the relevance of a list or the ranks of the hits."""
        names = self.required or self.data
        return names[0] if len(names) == 1 and families(names[0]) & {"relevance", "ranks"} else None

    @property
    def unfillable(self) -> str | None:
        """A required parameter that no audit can fill."""
        for name in self.required:
            if NEEDS.search(snake(name)) and name not in self.rows and not families(name) & FILLABLE:
                return name
            if re.search(r"callable|module|path|dataset|model|spark", self.annotations.get(name, "")):
                return name
        return None


def constructor_needs(init: Function | None) -> list[str]:
    """The arguments without which an object of a class cannot be made, except the cut-off."""
    if init is None:
        return []
    required = [argument for argument, default in with_defaults(init, bound=True) if default is None]
    return [argument.arg for argument in required if not K_NAME.fullmatch(snake(argument.arg))]


def with_defaults(node: Function, bound: bool) -> list[tuple[ast.arg, ast.expr | None]]:
    """The parameters of a function with their defaults, None for a required one; bound: without its first."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [*[None] * (len(positional) - len(arguments.defaults)), *arguments.defaults]
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [*list(zip(positional, defaults, strict=True))[1 if bound else 0 :], *keywords]


@lru_cache(maxsize=256)  # a function is gone through for every question about it
def walked(node: ast.AST) -> tuple[ast.AST, ...]:
    """A node and all that are inside it, in the order of :func:`ast.walk`."""
    return tuple(ast.walk(node))


@lru_cache(maxsize=256)  # a file asks for those of its functions again and again
def signature_of(node: Function, bound: bool) -> Signature:
    """The parameters of a function; bound: without its first, which is the object or class."""
    pairs = with_defaults(node, bound)
    k = next((argument.arg for argument, _ in pairs if K_NAME.fullmatch(snake(argument.arg))), None)
    data, required, annotations = [], [], {}
    for argument, default in pairs:
        name = snake(argument.arg)
        if argument.arg == k or THRESHOLD.fullmatch(name) or N_ITEMS.fullmatch(name):
            continue
        if isinstance(default, ast.Constant) and isinstance(default.value, str) and COLUMN.fullmatch(name):
            continue
        if default is None and any(pattern.fullmatch(name) for pattern in SETTINGS):
            continue
        if default is None:
            required.append(argument.arg)
        if default is None or families(argument.arg):
            data.append(argument.arg)
        annotations[argument.arg] = ast.unparse(argument.annotation).lower() if argument.annotation else ""
    opened = node.args.vararg is not None
    return Signature(tuple(data), tuple(required), k, annotations, opened, frozenset(read_by_keys(node)))


def read_by_keys(node: Function) -> Iterator[str]:
    """The names that a function goes through, of whose entries it reads something by a text: ``row["items"]``."""
    read = {getattr(getattr(each, "value", None), "id", "") for each in walked(node) if isinstance(key_of(each), str)}
    return (whole for each in walked(node) for entry, whole in entries_of(each) if entry in read)


def returns(node: Function) -> bool:
    """Whether a function returns or yields something."""
    inner: list[ast.AST] = list(node.body)
    while inner:
        child = inner.pop()
        if (isinstance(child, ast.Return) and child.value is not None) or isinstance(child, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            inner.extend(ast.iter_child_nodes(child))
    return False


def returns_text(node: Function) -> bool:
    """Whether a function is annotated to return text, a path or a list of texts."""
    told = ast.unparse(node.returns).lower() if node.returns else ""
    return bool(re.fullmatch(r"[\w.]*(str|bytes|path)|[\w.]*(list|tuple|set)\[str(, \.\.\.)?\]", told))


def stub(node: Function) -> bool:
    """Whether the body of a function has only docstrings, ``pass``, ``...`` and ``raise``."""
    return all(
        isinstance(statement, (ast.Pass, ast.Raise))
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for statement in node.body
    )


def decorators(node: Function) -> list[str]:
    """The last words of a function's decorators: ``staticmethod``, ``fixture``."""
    called = (decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in node.decorator_list)
    return [name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "") for name in called]


def line_of(node: Function | ast.ClassDef) -> int:
    """The line of the first decorator or of the definition itself, as Python counts it."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])

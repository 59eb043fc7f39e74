"""Cut-offs that the source shows, whatever their names are: where slices and loops end, and what helpers get for it."""

from __future__ import annotations

import ast
import inspect
import re
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Dict, FrozenSet, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from metric_adapters.calls.trees import called, index_of, inner, is_slice, parse, sides, untransposed

HELPERS_DEEP = 3
"""A cut-off is followed through this many helpers."""
COUNTING = {"range", "arange", "islice"}
DEEPEST = {"topk", "nlargest", "head"}
MODULES = {"torch", "jnp", "lax", "math"}
"""Modules whose functions take the values before the number of the best of them."""
LENGTHS = {"len", "shape", "size"}
AT_ONE = re.compile(r"(?<!\d)(?<!f)(?<!f[_-])(1|_one)$|(^|_)(top|rank|hits?|at)_?(1|one)_", re.IGNORECASE)
"""In the name of a function or a result at rank 1, which F1 is not."""


class CutOffs(NamedTuple):
    """parameters : those at which something ends. literals : whole numbers handed to such a parameter of a helper.

    numbered : names whose entries are numbered, as in ``enumerate(topk)``. gathered : those of which a set is made, or
    in which something is looked for. holders : names of what has entries.
    places : names of which entries are read by constant places, and how many that takes: 3 for ``hits[2]``.
    named : the texts that are compared, where names are taken apart at ``@``. lists : names that are gone through with
    a cut-off, as in ``for k in cuts: ranked[:k]``.
    """

    parameters: FrozenSet[str]
    literals: Tuple[int, ...]
    numbered: FrozenSet[str] = frozenset()
    gathered: FrozenSet[str] = frozenset()
    holders: FrozenSet[str] = frozenset()
    places: Mapping[str, int] = MappingProxyType({})
    named: Tuple[str, ...] = ()
    lists: FrozenSet[str] = frozenset()


def cut_offs(function: Any) -> CutOffs:
    """The cut-offs of a function, method, class (by its attributes) or callable object; none without a source."""
    return _cut_offs(inner(function), HELPERS_DEEP)


@lru_cache(maxsize=None)
def _cut_offs(code: Any, deep: int) -> CutOffs:
    tree = parse(code)
    if tree is None:
        return CutOffs(frozenset(), ())
    names = {name for node in ast.walk(tree) for end in _ends(node) for name in _names(end)}
    literals: List[int] = []
    for node in ast.walk(tree) if deep else ():
        for end in _handed_on(node, code, deep):
            names.update(_names(end))
            if isinstance(end, ast.Constant) and type(end.value) is int:
                literals.append(end.value)
        literals += _left_out(node, code, deep)
    for _, helper in helpers(code) if deep else ():
        ends = [end for node in ast.walk(helper) for end in _ends(node) if isinstance(end, ast.Constant)]
        literals += [end.value for end in ends if type(end.value) is int]
    numbered = [each for node in ast.walk(tree) for each in _given_to(node, ("enumerate",))]
    holders = [each for node in ast.walk(tree) for each in _holders(node)]
    return CutOffs(
        frozenset(names),
        tuple(dict.fromkeys(literals)),
        frozenset(getattr(each, "id", "") for each in numbered),
        frozenset(getattr(each, "id", "") for node in ast.walk(tree) for each in _gathered(node)),
        frozenset(getattr(each, "id", "") for each in (*numbered, *holders)),
        _places(tree),
        _named(tree),
        frozenset(_gone_through(tree, names)),
    )


def _gone_through(tree: ast.AST, names: Set[str]) -> Iterator[str]:
    """The names that loops go through with one of these names."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.For, ast.comprehension)) and getattr(node.target, "id", "") in names:
            yield str(getattr(node.iter, "id", ""))


def _named(tree: ast.AST) -> Tuple[str, ...]:
    """The texts that something is compared with or begins with, in a function that takes texts apart at ``@``."""
    if not any(getattr(node, "value", None) == "@" for node in ast.walk(tree)):
        return ()
    compared = [node.comparators for node in ast.walk(tree) if isinstance(node, ast.Compare)]
    compared += [node.args for node in ast.walk(tree) if isinstance(node, ast.Call) and called(node) == "startswith"]
    texts = [getattr(each, "value", None) for row in compared for each in row]
    return tuple(dict.fromkeys(text for text in texts if isinstance(text, str) and text.isidentifier()))


def _places(tree: ast.AST) -> Dict[str, int]:
    """By name, how many entries a function needs that reads some by constant places."""
    places: Dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            place = getattr(index_of(node), "value", None)
            if type(place) is int and place >= 0:
                places[node.value.id] = max(places.get(node.value.id, 0), place + 1)
    return places


def _given_to(node: ast.AST, functions: Sequence[str]) -> List[ast.expr]:
    """The arguments of a call of one of these functions; none for anything else."""
    return node.args if isinstance(node, ast.Call) and getattr(node.func, "id", "") in functions else []


def _gathered(node: ast.AST) -> Iterator[ast.AST]:
    """What a node makes a set of, or looks for something in."""
    yield from _given_to(node, ("set",))
    yield from filter(None, sides(node, ast.In, ast.NotIn)[1:])


def _holders(node: ast.AST) -> Iterator[ast.AST]:
    """The expressions that a node shows to have entries: it takes some, counts them, goes through them."""
    yield from _given_to(node, ("len", "set", "list", "sorted", "sum", "zip"))
    if isinstance(node, (ast.Subscript, ast.Attribute)):
        yield node.value
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield node.iter
    yield from filter(None, sides(node, ast.In, ast.NotIn)[1:])


def _ends(node: ast.AST) -> Iterator[ast.AST]:
    """The expressions that say where a slice, a loop, the best of something or a shorter length ends."""
    if isinstance(node, ast.Slice) and node.upper is not None:
        yield node.upper
    elif isinstance(node, ast.Call):
        name = called(node)
        if name in COUNTING:
            yield from node.args[:2][-1:]
        elif name in DEEPEST:
            of_module = getattr(getattr(node.func, "value", None), "id", "") in MODULES  # torch.topk(scores, k)
            yield from node.args[1:2] if of_module else node.args[:1]
            yield from (keyword.value for keyword in node.keywords if keyword.arg in ("k", "n"))
        elif name == "min" and any(_is_length(argument) for argument in node.args):
            yield from node.args


def _is_length(node: ast.AST) -> bool:
    """Whether an expression contains ``len(x)``, ``x.shape`` or ``x.size``."""
    return any(getattr(each, "attr", getattr(each, "id", "")) in LENGTHS for each in ast.walk(node))


def _names(node: ast.AST) -> Iterator[str]:
    """The names in an expression that is a number made from them: ``k``, ``k + 1``, ``min(k, 3)``, ``k or len(x)``."""
    parts: List[ast.AST] = []
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self":
        yield node.attr.lstrip("_")
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
        parts = parts if any(isinstance(side, ast.Constant) for side in parts) else []
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("int", "min", "max"):
        parts = list(node.args)
    elif isinstance(node, ast.BoolOp):
        parts = list(node.values)
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    for part in parts:
        yield from _names(part)


def _handed_on(node: ast.AST, code: Any, deep: int) -> Iterator[ast.AST]:
    """The arguments of a call that a helper takes for such an end."""
    for argument, helper, name in _arguments(node, code):
        if name in _cut_offs(helper, deep - 1).parameters:
            yield argument


def _left_out(node: ast.AST, code: Any, deep: int) -> Iterator[int]:
    """The whole numbers that a helper has for such an end where a call gives none."""
    helper = _helper(node.func, code) if isinstance(node, ast.Call) else None
    if helper is None or helper is code or any(keyword.arg is None for keyword in getattr(node, "keywords", ())):
        return
    given = {name for _, _, name in _arguments(node, code)}
    for name, parameter in inspect.signature(helper).parameters.items():
        if type(parameter.default) is int and name not in given and name in _cut_offs(helper, deep - 1).parameters:
            yield parameter.default


def handed(node: ast.AST, code: Any) -> Iterator[Tuple[str, Any, str]]:
    """The names that a call hands to a helper whole or cut, each with the helper and its parameter."""
    for argument, helper, name in _arguments(node, code):
        whole = getattr(argument, "value", None) if is_slice(argument) else argument
        whole = whole.values[0] if isinstance(whole, ast.BoolOp) else whole  # text or ""
        named = untransposed(whole) if whole is not None else None
        if isinstance(named, ast.Name):
            yield named.id, helper, name


def texts_handed(node: ast.AST, code: Any) -> Iterator[Tuple[str, str]]:
    """The texts that a call hands to a helper, each after the name of the parameter."""
    for argument, _, name in _arguments(node, code):
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield name, argument.value


def _arguments(node: ast.AST, code: Any) -> Iterator[Tuple[ast.AST, Any, str]]:
    """The arguments of a call of a helper, each with the helper and its parameter."""
    helper = _helper(node.func, code) if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or helper is None or helper is code:
        return
    names = list(_parameters(helper))
    if isinstance(node.func, ast.Attribute) and names[:1] in (["self"], ["cls"]):
        names = names[1:]
    given: Dict[str, ast.AST] = dict(zip(names, node.args))
    given.update({keyword.arg: keyword.value for keyword in node.keywords if keyword.arg})
    yield from ((argument, helper, name) for name, argument in given.items())


def helpers(code: Any) -> Iterator[Tuple[Any, ast.AST]]:
    """The helpers that a function calls, each with its syntax tree."""
    tree = parse(code)
    for node in ast.walk(tree) if tree is not None else ():
        helper = _helper(node.func, code) if isinstance(node, ast.Call) else None
        found = None if helper is None or helper is code else parse(helper)
        if found is not None:
            yield helper, found


def _parameters(code: Any) -> Tuple[str, ...]:
    compiled = code.__code__
    return tuple(compiled.co_varnames[: compiled.co_argcount + compiled.co_kwonlyargcount])


def _helper(function: ast.AST, code: Any) -> Optional[Any]:
    """The plain function that a call means: one of the module, or a method of the same class or another one's.

    A method of an object of unknown class is that of the one class of the module that has it. ``delayed(f)(x)`` of
    joblib calls ``f``.
    """
    if isinstance(function, ast.Call) and called(function) == "delayed" and function.args:
        function = function.args[0]
    known: Mapping[str, Any] = getattr(code, "__globals__", {})
    found: Any = None
    if isinstance(function, ast.Name):
        found = known.get(function.id)
    elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        name, own = function.value.id, str(getattr(code, "__qualname__", "")).partition(".")[0]
        kind = known.get(own if name in ("self", "cls") else name)
        if kind is None:
            kinds = [each for each in known.values() if inspect.isclass(each) and each.__module__ == code.__module__]
            having = [each for each in kinds if inspect.isfunction(vars(each).get(function.attr))]
            kind = having[0] if len(having) == 1 else None
        found = getattr(kind, function.attr, None) if inspect.isclass(kind) else None
    found = inner(found) if callable(found) else None
    return found if hasattr(found, "__code__") else None

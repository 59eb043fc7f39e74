"""What loops tell about their input: entries of three values, sessions of a fixed size."""

from __future__ import annotations

import ast
import re
from typing import Any, Dict, Iterable, Iterator, Optional, Sequence, Set, Tuple

from metric_adapters.calls.trees import called, index_of, is_slice, sides

WHOLE = re.compile(
    r"list|tuple|(as)?array|asfarray|(as_)?tensor|(from_)?numpy|cpu|detach|tolist|copy|\w*normali[sz]e\w*"
)
"""Functions and methods that put a whole collection into another container, or make the lengths of features 1."""
SCORE = re.compile(
    r"_*(s|sc|scores?|sims?|similarity|dist|distance|prob|probability|conf|confidence|value|val|weight|w)"
)
"""Names of the score in a pair of score and item."""
SMALLEST, LARGEST = 3, 200
"""How many candidates a session of a fixed size may have."""


def triples(node: ast.AST) -> Optional[ast.AST]:
    """The iterable of a loop that unpacks entries of three values, also inside ``enumerate``; None for other loops."""
    if not isinstance(node, (ast.For, ast.comprehension)):
        return None
    target, iterable = node.target, node.iter
    numbered = isinstance(iterable, ast.Call) and called(iterable) == "enumerate" and iterable.args
    if numbered and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target, iterable = target.elts[1], iterable.args[0]  # type: ignore[attr-defined]
    return iterable if isinstance(target, ast.Tuple) and len(target.elts) == 3 else None


def returns_at_first(node: ast.AST) -> bool:
    """Whether a node is a loop that ends with a computed result at the first entry that passes a test."""
    tests = [each for each in node.body if isinstance(each, ast.If)] if isinstance(node, ast.For) else []
    ends = [each.body[-1] for each in tests]
    return any(isinstance(end, ast.Return) and isinstance(end.value, (ast.BinOp, ast.Call)) for end in ends)


def reads_second_items(tree: ast.AST) -> bool:
    """Whether a loop through pairs takes items from the second place: ``for score, item in pairs``, ``pair[1]``.

    Of a pair that is read by place, its first entry is not, but for putting pairs in order.
    """
    places: Dict[str, Set[Any]] = {}
    keys = [node.value for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "key"]
    of_keys = {id(each) for key in keys for each in ast.walk(key)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and id(node) not in of_keys:
            places.setdefault(node.value.id, set()).add(getattr(index_of(node), "value", None))
    for node in ast.walk(tree):
        target = node.target if isinstance(node, (ast.For, ast.comprehension)) else None
        if called(getattr(node, "iter", None)) == "enumerate" and len(getattr(target, "elts", ())) == 2:
            target = target.elts[1]  # type: ignore[union-attr]
        first, *rest = map(_name, getattr(target, "elts", [target]))
        if len(rest) == 1 and (first == "_" or SCORE.fullmatch(first)):
            return True
        if not rest and places.get(first) == {1}:
            return True
    return False


def unpacked_by(node: ast.AST) -> Tuple[str, ...]:
    """The names of the three values that a loop unpacks from each entry of a name; empty for other nodes."""
    if not isinstance(triples(node), ast.Name):
        return ()
    names = (target for target in ast.walk(getattr(node, "target", node)) if isinstance(target, ast.Tuple))
    return next(tuple(_name(each) for each in target.elts) for target in names if len(target.elts) == 3)


def zipped(node: ast.AST) -> Iterator[Tuple[str, str]]:
    """The names of a loop over several inputs at once, each with its input's: ``for row, i in zip(rows, ids)``."""
    if isinstance(node, (ast.For, ast.comprehension)) and called(node.iter) == "zip":
        yield from _named(getattr(node.target, "elts", []), getattr(node.iter, "args", []))


def entries_of(node: ast.AST) -> Iterator[Tuple[str, str]]:
    """The names that stand for an entry, each with the name of what it is an entry of.

    Of ``for x in xs``, ``for x, y in zip(xs, ys)``, ``for i, x in enumerate(xs)``, ``for key, x in xs.items()`` and
    ``map(lambda x: ..., xs)``.
    """
    yield from zipped(node)
    if isinstance(node, (ast.For, ast.comprehension)):
        if called(node.iter) == "enumerate":
            yield from _named(getattr(node.target, "elts", [])[1:], getattr(node.iter, "args", []))
        elif called(node.iter) == "items" and isinstance(node.iter.func, ast.Attribute):  # type: ignore[attr-defined]
            yield from _named(getattr(node.target, "elts", [])[1:], [node.iter.func.value])  # type: ignore[attr-defined]
        else:
            yield from _named([node.target], [node.iter])
    elif called(node) == "map" and isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Lambda):
        yield from _named([ast.Name(each.arg) for each in node.args[0].args.args], node.args[1:])


class WithoutNamesakes(ast.NodeTransformer):
    """Renames what a loop binds to the name of a parameter, in the loop, unless it is an entry of that parameter."""

    def __init__(self, parameters: Iterable[str]) -> None:
        self.parameters = frozenset(parameters)

    def visit_For(self, node: ast.For) -> ast.AST:
        bound = {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)} & self.parameters
        others = bound - {name for name, whole in entries_of(node) if name == whole}
        for each in (node.target, *node.body):
            for name in ast.walk(each):
                if isinstance(name, ast.Name) and name.id in others:
                    name.id = f"{name.id} in the loop"
        return self.generic_visit(node)


def tell_apart(tree: ast.AST) -> None:
    """Rename the entries of a comprehension whose name is that of the entries of another list."""
    through: Dict[str, Set[str]] = {}
    for node in sorted(ast.walk(tree), key=lambda node: not isinstance(node, ast.For)):
        for loop in [node] if isinstance(node, ast.For) else getattr(node, "generators", ()):
            bound = {each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
            listed = ast.dump(loop.iter)
            others = {name for name in bound if through.get(name, {listed}) != {listed}}
            for name in bound:
                through.setdefault(name, set()).add(listed)
            outside = set(ast.walk(loop.iter))
            for each in () if isinstance(node, ast.For) else ast.walk(node):
                if isinstance(each, ast.Name) and each.id in others and each not in outside:
                    each.id = f"{each.id} in the comprehension"


def without_aliases(tree: ast.AST, parameters: Iterable[str]) -> None:
    """Give what is made of a whole parameter its name: ``items = list(ranked)``, ``y = np.asarray(y_true)``.

    Only a name that is bound once, and to nothing else.
    """
    bound = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    made = {
        target.id: of_whole
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and (of_whole := _whole(node.value)) in parameters
        for target in node.targets
        if isinstance(target, ast.Name) and target.id not in parameters and bound.count(target.id) == 1
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = made.get(node.id, node.id)


def _whole(node: ast.AST) -> str:
    """The name of what an expression holds in another container, whole; empty for other expressions."""
    while isinstance(node, ast.Call):
        method = isinstance(node.func, ast.Attribute) and not node.args
        inner = node.func.value if method else node.args[0] if node.args else None  # type: ignore[attr-defined]
        node = inner if inner is not None and WHOLE.fullmatch(called(node)) else ast.Pass()
    return str(getattr(node, "id", ""))


def counts_in_fives(node: ast.AST) -> bool:
    """Whether a node counts in fives: ``5 * image``, ``caption // 5``."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Mult, ast.FloorDiv)):
        return False
    numbers = (node.left, node.right) if isinstance(node.op, ast.Mult) else (node.right,)
    return any(isinstance(each, ast.Constant) and type(each.value) is int and each.value == 5 for each in numbers)


def finds_own_row(tree: ast.AST, parameters: Iterable[str]) -> bool:
    """Whether the number of a row is looked for in something: ``i in np.argsort(scores[i])``, ``order == i``.

    All at once, they are an ``arange``: ``order == np.arange(n)[:, None]``. Or another function is given both, the
    numbers made before: ``average_precision(order[i], own[i])``.
    """
    nodes = list(ast.walk(tree))
    made = (node for node in nodes if isinstance(node, ast.Assign) and _counts(node))
    counted = {_name(target) for node in made for target in node.targets} - {""}
    indexed = (node for node in nodes if isinstance(node, ast.Subscript) and _name(node.value) in parameters)
    rows = {_name(index_of(node)) for node in indexed}
    for node in nodes:
        if isinstance(node, (ast.For, ast.comprehension)) and called(node.iter) == "enumerate":
            number, of = (next(iter(each), node) for each in (_elements(node.target), _elements(node.iter)))
            rows.add(_name(number) if _name(of) in parameters else "")
    compared = [[side for side in sides(node, ast.In, ast.Eq) if side is not None] for node in nodes]
    handed = [node.args for node in nodes if isinstance(node, ast.Call) and len(node.args) > 1]
    compared += [[each for each in args if isinstance(each, ast.Subscript) and not _counts(each)] for args in handed]
    return any(
        (
            not any(isinstance(side, ast.Constant) for side in both)
            and not rows.isdisjoint(filter(None, map(_name, both)))
        )
        or any(_counts(side) or not counted.isdisjoint(map(_name, ast.walk(side))) for side in both)
        for both in compared
    )


def _counts(node: ast.AST) -> bool:
    """Whether an expression has an ``arange``."""
    return any(called(each) == "arange" for each in ast.walk(node))


def _elements(node: ast.AST) -> Sequence[ast.AST]:
    """The elements of a tuple, or the arguments of a call."""
    return getattr(node, "elts", getattr(node, "args", ()))


def tested_before(tree: ast.AST) -> Iterator[str]:
    """The names in which a key is looked for that they are then indexed by: ``user in truth and truth[user]``."""
    nodes = list(ast.walk(tree))
    indexed = {(_name(node.value), _name(index_of(node))) for node in nodes if isinstance(node, ast.Subscript)}
    for node in nodes:
        left, right = sides(node, ast.In, ast.NotIn)
        pair = (_name(right), _name(left))
        if all(pair) and pair in indexed:
            yield pair[0]


def _named(targets: Sequence[ast.AST], inputs: Sequence[ast.AST]) -> Iterator[Tuple[str, str]]:
    """The pairs in which both are names, the input's also of a slice: ``for i, x in enumerate(xs[:k])``."""
    for target, each in zip(targets, inputs):
        whole = getattr(each, "value", each) if is_slice(each) else each
        if isinstance(target, ast.Name) and isinstance(whole, ast.Name):
            yield target.id, whole.id


def session_sizes(holder: ast.AST) -> Tuple[int, ...]:
    """The sizes of the sessions into which a function or its class cuts its input: ``i % 10``, ``len(rows) == 10``."""
    constants: Dict[str, Any] = {}
    for node in ast.walk(holder):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            constants.update({_name(target): node.value.value for target in node.targets})
    sizes = (constants.get(_name(node), getattr(node, "value", None)) for node in _sizes(holder))
    return tuple(dict.fromkeys(size for size in sizes if type(size) is int and SMALLEST <= size <= LARGEST))


def _sizes(holder: ast.AST) -> Iterator[ast.AST]:
    """The divisors, and what lengths are compared with."""
    for node in ast.walk(holder):
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mod, ast.FloorDiv)):
            yield node.right
        left, right = sides(node, ast.Eq)
        if right is not None and called(left) == "len":
            yield right


def _name(node: Optional[ast.AST]) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))

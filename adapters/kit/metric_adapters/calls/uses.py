"""What one node of a source shows of a name: that it is cut, searched, indexed, put in order and the like."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import Any, Collection, Container, Dict, Iterator, List, Mapping, Optional, Set, Tuple

from metric_adapters.calls.trees import called, index_of, is_slice, last_index, sides, untransposed

DICT_METHODS = {"items", "keys", "values", "get"}
FRAME_METHODS = {"merge", "groupby", "sort_values", "itertuples", "iterrows", "loc", "iloc", "join", "assign", "query"}
SET_METHODS = {"intersection", "issubset", "isdisjoint", "union", "difference"}
ON_TENSORS = {"to", "cpu", "cuda", "detach", "device"}
OF_METHODS = ((DICT_METHODS, "mapping"), (FRAME_METHODS, "frame"), (SET_METHODS, "set"), (ON_TENSORS, "tensor"))
SORTING = {"argsort", "topk", "argpartition", "roc_auc_score", "roc_curve", "lexsort", "sort"}
ROWS = {"axis", "dim"}
REDUCTIONS = {"any", "all", "sum", "mean", "max", "min", "argmax", "argsort", "cumsum"}
"""Methods whose only argument is an axis: ``hits.any(1)``."""
WIDENING = {"unsqueeze", "view", "reshape", "expand_as"}
SPARSE_METHODS = {"toarray", "todense", "indptr", "nnz", "tocsr", "getrow", "tocoo", "multiply", "csr_matrix", "sparse"}
ORDERING = ("argsort", "topk", "argpartition", "top_k", "nlargest")
"""Functions and methods that put the values of their input in order, and give places."""
ENCODERS = ("LabelBinarizer", "OneHotEncoder")
SEARCHES = re.compile(
    r"_?a?(search|retrieve|query|invoke|recommend)(_\w+)?|similarity_search(_\w+)?|similar_by_\w+|most_similar|get_(relevant|recommend|top|candidate)\w*"
)
"""The names of methods that search."""
CURVES = ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve", "ndcg_score", "dcg_score")
"""Functions of scikit-learn that take labels, then scores."""
JOINS = ("concatenate", "concat", "cat", "hstack", "append")
"""Functions that join arrays."""
PRODUCTS = ("matmul", "mm", "dot", "inner", "cdist", "pairwise_distances", "cosine_similarity", "euclidean_distances")
"""Functions and methods that compare each row of one matrix with each of another."""
OF_A_NUMBER = ((ast.Mult, ast.List), (ast.Div, ast.Constant))
"""The operation and the first operand where the second is a number: ``[1] * n``, ``1 / n``."""
LOGARITHMS = ("log2", "log", "log1p", "log10")
CONVERSIONS = ("float", "array", "asarray", "asfarray", "tensor")
PACKAGES_OF_ARRAYS = ("np", "numpy", "torch", "tf", "jnp", "heapq", "bn", "math")


def tested_for_none(node: ast.AST) -> str:
    """The name that a node asks whether it is None."""
    left, right = sides(node, ast.Is, ast.IsNot)
    return getattr(left, "id", "") if getattr(right, "value", 0) is None else ""


DISTANCES = ("cdist", "pdist", "pairwise_distances")
"""Functions that take the name of a distance."""


def note_use(node: ast.AST, of: Dict[str, Set[str]], words: Set[str]) -> None:
    """Add the uses that one node shows to those of its parameter (``of``) and of the function (``words``)."""

    def note(target: Optional[ast.AST], use: str) -> None:
        target = target.values[0] if isinstance(target, ast.BoolOp) else target  # text or ""
        if isinstance(target, ast.Call) and called(target) in CONVERSIONS and len(target.args) == 1:
            target = target.args[0]  # np.array(rows)[:, :k]
        of_self = isinstance(target, ast.Attribute) and getattr(target.value, "id", "") == "self"
        name = getattr(target, "attr", "").lstrip("_") if of_self else getattr(target, "id", "")
        if name in of:
            of[name].add(use)

    if sorts_down(node):
        words.add("sorts_down")
    if isinstance(node, ast.Subscript):
        index = index_of(node)
        if isinstance(node.slice, ast.Slice):
            note(node.value, "sliced")
        elif all(isinstance(getattr(each, "value", None), str) for each in getattr(index, "elts", None) or [index]):
            note(node.value, "frame")  # frame["item"], frame[["item", "gain"]]
        elif isinstance(index, ast.Tuple) or type(node.slice).__name__ == "ExtSlice":
            note(node.value, "widened" if adds_axis(index) else "rows")
            if getattr(last_index(node), "value", None) == 1:
                note(node.value, "second_column")
        else:
            note(node.value, "indexed")
            if getattr(node.value, "attr", "") == "shape" and getattr(index, "value", None) == 1:
                note(node.value.value, "rows")  # type: ignore[attr-defined]
            if isinstance(index, ast.Constant) and index.value == 1 and isinstance(index.value, int):
                note(node.value, "second")
    elif isinstance(node, ast.Attribute):
        for methods, use in OF_METHODS:
            if node.attr in methods:
                note(node.value, use)
        if node.attr in WIDENING:
            note(node.value, "widened")
        if node.attr in SPARSE_METHODS or node.attr == "power":
            note(node.value, "sparse")
        if node.attr in ("diag", "diagonal"):
            words.add("diagonal")
        if node.attr in SORTING:
            words.add("sorts")
        if node.attr in ("log2", "log", "log1p", "exp2"):
            words.add("gains")
        if node.attr in ("sign", "sgn"):
            words.add("signs")
    elif isinstance(node, ast.Call) and called(node) == "permute" and len(node.args) == 3:
        words.add("cube")
    elif isinstance(node, ast.Compare):
        if all(isinstance(key_of(side), str) for side in (node.left, node.comparators[0])):
            words.add("columns")
        inside = any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops)
        note(node.comparators[0] if inside else node.left, "member" if inside else "compared")
        note(node.left if inside else None, "contained")
        both = sides(node, ast.Eq)
        if all(isinstance(side, ast.Name) for side in both):
            for side in both:
                note(side, "alike")
    elif isinstance(node, (ast.For, ast.comprehension)):
        names = len(node.target.elts) if isinstance(node.target, ast.Tuple) else 0
        note(node.iter, {0: "looped", 5: "unpacked_five"}.get(names, "unpacked"))
        if re.fullmatch(r"r|ranks?|pos|position|place|idx", getattr(node.target, "id", "")):
            note(node.iter, "of_ranks")
    elif isinstance(node, ast.Starred):
        note(node.value, "couple")
    elif isinstance(node, ast.Assign):
        note(node.value, {2: "couple"}.get(len(getattr(node.targets[0], "elts", ())), "assigned"))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        note(node.left, "set")
        note(node.right, "set")
    elif isinstance(node, ast.keyword) and node.arg in ROWS:
        words.add("rows")
    elif isinstance(node, ast.Call) and called(node) == "all" and last_axis(node):
        words.add("whole_rows")
    elif isinstance(node, ast.Call) and called(node) in REDUCTIONS and goes_down(node):
        for part in node.args[:1] or [getattr(node.func, "value", node)]:
            note(part, "summed_down")
    elif isinstance(node, ast.Call) and called(node) in DISTANCES:
        for argument in (*node.args[1:], *(word.value for word in node.keywords if word.arg == "metric")):
            note(argument, "distance")
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        note(node.func.value if SEARCHES.fullmatch(node.func.attr) and (node.args or node.keywords) else None, "called")
        axis = getattr(getattr(node.args[0], "operand", node.args[0]), "value", None) if len(node.args) == 1 else None
        if node.func.attr == "index" and len(node.args) == 1:
            note(node.func.value, "member")
            note(node.args[0], "contained")
        if node.func.attr in ("findall", "finditer") and node.args:
            note(node.args[-1], "taken_apart")
        if node.func.attr == "split" and not node.args and called(node.func.value) in ("lower", "casefold"):
            note(getattr(getattr(node.func.value, "func", None), "value", None), "taken_apart")  # into words
        if node.func.attr == "astype" and node.args and getattr(node.args[0], "id", "") == "str":
            words.add("text")
        if node.func.attr in REDUCTIONS and type(axis) is int and axis <= 1:
            words.add("rows")
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        note(node.func, "called")
        if node.func.id == "zip":
            for argument in node.args:
                note(argument, "zipped")
        elif node.func.id == "sorted":
            words.add("sorts")
            note(node.args[0] if node.args and _sorts_by(node, 2) else None, "sorted_by_third")
        elif node.func.id == "str" and node.args and isinstance(node.args[0], ast.Subscript):
            words.add("text")
        elif node.func.id == "set" and node.args:
            note(node.args[0], "made_set")


def goes_down(node: ast.Call) -> bool:
    """Whether a reduction has the axis of the columns: ``y.sum(axis=0)``."""
    return any(word.arg in ROWS and getattr(word.value, "value", None) == 0 for word in node.keywords)


def sorts_down(node: ast.AST) -> bool:
    """Whether a call puts the entries of each column in order: ``y.argsort(0)``, ``np.sort(y, axis=0)``."""
    if not isinstance(node, ast.Call) or called(node) not in SORTING:
        return False
    last = [each for each in node.args[-1:] if isinstance(each, ast.Constant) and type(each.value) is int]
    return goes_down(node) or any(each.value == 0 for each in last)


def last_axis(node: ast.Call) -> bool:
    """Whether a reduction is along the last of three axes: ``same.all(dim=-1)``, ``same.all(2)``."""
    axes = [*node.args[-1:], *(word.value for word in node.keywords if word.arg in ROWS)]
    return bool({"-1", "2"} & set(map(ast.unparse, axes)))


def _sorts_by(node: ast.Call, place: int) -> bool:
    """Whether a call sorts by the value at a place of each entry: ``key=lambda row: row[2]``."""
    keys = [getattr(word.value, "body", None) for word in node.keywords if word.arg == "key"]
    return any(isinstance(key, ast.Subscript) and getattr(index_of(key), "value", None) == place for key in keys)


def looked_for_whole(tree: Optional[ast.AST]) -> Set[str]:
    """The names that are looked for: ``ranked.index(x)``, ``x in ranked``, ``x == each``."""
    found: Set[str] = set()
    for node in ast.walk(tree) if tree is not None else ():
        parts = [sides(node, ast.In, ast.NotIn)[0], *sides(node, ast.Eq)]
        parts += node.args if isinstance(node, ast.Call) and called(node) == "index" else []
        found.update(str(getattr(part, "id", "")) for part in parts)
    return found


def made_whole(node: ast.AST) -> Iterator[str]:
    """The column or name whose entries are made whole numbers: ``int(row["grade"])``, ``rows["grade"].astype(int)``.

    So are those that pytrec_eval gets.
    """
    if not isinstance(node, ast.Call) or not node.args:
        return
    if called(node) == "RelevanceEvaluator":
        yield str(getattr(node.args[0], "id", ""))
    entry: Optional[ast.AST] = node.args[0] if called(node) == "int" else None
    if called(node) == "astype" and getattr(node.args[0], "id", "") == "int":
        entry = getattr(node.func, "value", None)
    if isinstance(entry, ast.Subscript):
        key = key_of(entry)
        yield key if isinstance(key, str) else str(getattr(entry.value, "id", ""))


def products(tree: Optional[ast.AST], names: Collection[str]) -> Set[str]:
    """Those of these names of matrices whose rows are multiplied or compared with those of another of them."""
    return {each for pair in _compared(tree) for each in pair if len({*pair} & {*names}) > 1} & {*names}


def read_unasked(tree: Optional[ast.AST]) -> Set[str]:
    """The names for which None is an error: they are indexed, counted, gone through or looked in, and never set, nor
    part of a test, or demanded.

    What ``if x is None: raise`` demands may be part of a test.
    """
    nodes = list(ast.walk(tree)) if tree is not None else []
    names = [node for node in nodes if isinstance(node, ast.Name)]
    read = {getattr(part, "id", "") for node in nodes for part in needing_a_value(node)}
    tests = [node.test for node in nodes if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert))]
    tests += [node for node in nodes if isinstance(node, ast.BoolOp)]
    demanded = {of_a_kind(node.test) for node in nodes if isinstance(node, ast.Assert)}
    demanded.update(name for node in nodes for name in refused_as_none(node))
    tested = {node.id for test in tests for node in ast.walk(test) if isinstance(node, ast.Name)}
    return (read - tested | demanded) - {node.id for node in names if isinstance(node.ctx, ast.Store)}


def needing_a_value(node: ast.AST) -> Iterator[ast.AST]:
    """What fails for None in a node: ``x[i]``, ``len(x)``, ``for each in x``, ``each in x``."""
    if isinstance(node, ast.Subscript):
        yield node.value
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield node.iter
    elif isinstance(node, ast.Call) and called(node) in ("len", "set", "zip", "enumerate", "sorted"):
        yield from node.args
    elif (looked_in := sides(node, ast.In, ast.NotIn)[1]) is not None:
        yield looked_in


def refused_as_none(node: ast.AST) -> Iterator[str]:
    """The names in ``if x is None or y is None: raise``; of those in ``if x is None and y is None`` the first."""
    if not isinstance(node, ast.If) or not isinstance(node.body[0], ast.Raise):
        return
    tests = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
    alone = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And)
    names = [tested_for_none(test) if sides(test, ast.Is) != (None, None) else "" for test in tests]
    yield from names[:1] if alone else names


def of_a_kind(test: ast.AST) -> str:
    """The name in ``isinstance(x, np.ndarray)`` and ``x is not None``; empty for another test."""
    if isinstance(test, ast.Call) and called(test) == "isinstance":
        return str(getattr(test.args[0], "id", ""))
    return tested_for_none(test) if sides(test, ast.IsNot) != (None, None) else ""


def own_products(tree: ast.AST, names: Collection[str]) -> Set[str]:
    """Those of these names of matrices whose rows are multiplied or compared with each other: ``x @ x.T``."""
    return {pair[0] for pair in _compared(tree) if len(pair) > 1 and pair[0] == pair[1]} & {*names}


def _compared(tree: Optional[ast.AST]) -> Iterator[List[str]]:
    """The names of the matrices of which each product, or each comparison of rows with rows, is made."""
    for node in ast.walk(tree) if tree is not None else ():
        operands: List[ast.AST] = []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            operands = [node.left, node.right]
        elif isinstance(node, ast.Call) and called(node) in PRODUCTS:
            operands = [*node.args, getattr(node.func, "value", node)]
        whole = (each.value if isinstance(each, ast.Subscript) else each for each in map(untransposed, operands))
        yield [str(getattr(each, "id", "")) for each in whole]  # rows[batch] @ items.T


def class_numbers(tree: ast.AST) -> Iterator[str]:
    """The names of class numbers, of which rows with a single 1 are made: ``eye(n)[y]``, ``encoder.transform(y)``."""
    makers = {
        getattr(target, "id", "")
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and called(node.value) in ENCODERS
        for target in node.targets
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and called(node.value) in ("eye", "identity"):
            yield getattr(index_of(node), "id", "")
        if not isinstance(node, ast.Call) or not node.args:
            continue
        maker = getattr(node.func, "value", node)
        encoded = called(node) in ("transform", "fit_transform") and (
            getattr(maker, "id", "") in makers or called(maker) in ENCODERS
        )
        if encoded or called(node) in ("label_binarize", "one_hot", "to_categorical"):
            yield getattr(node.args[0], "id", "")


def unpacked_by_place(tree: ast.AST) -> Set[str]:
    """The names of whose entries the first and the second value are read, and no other: ``xs[i][0]``, ``xs[i][1]``."""
    places: Dict[str, Set[Any]] = {}
    for node in ast.walk(tree):
        entry = node.value if isinstance(node, ast.Subscript) else None
        if isinstance(entry, ast.Subscript) and isinstance(index_of(entry), ast.Name):
            places.setdefault(str(getattr(entry.value, "id", "")), set()).add(key_of(node))
    return {name for name, read in places.items() if read == {0, 1}}


def key_of(node: Optional[ast.AST]) -> Any:
    """The constant in ``rows["item"]``; None for another node."""
    return getattr(index_of(node), "value", None) if isinstance(node, ast.Subscript) else None


def wanted_value(node: ast.AST) -> Tuple[str, Any]:
    """The key and the constant that a comparison asks for: ``row["status"] == "ok"``, ``row.get("label") == 1``.

    Or that it asks not to be missed: ``if row["status"] != "ok": continue``.
    """
    skips = isinstance(node, ast.If) and isinstance(node.body[0], (ast.Continue, ast.Return, ast.Raise))
    node = node.test if skips else node  # type: ignore[attr-defined]
    left, right = sides(node, ast.NotEq if skips else ast.Eq)
    got = isinstance(left, ast.Call) and called(left) == "get" and left.args
    key = getattr(left.args[0], "value", None) if got else key_of(left)  # type: ignore[union-attr]
    value = getattr(right, "value", None)
    return (key, value) if isinstance(key, str) and value is not None else ("", None)


def looked_in(node: ast.AST) -> str:
    """The name in which another name is looked for: ``item in relevant``."""
    left, right = sides(node, ast.In, ast.NotIn)
    return getattr(right, "id", "") if isinstance(left, ast.Name) else ""


def looked_for(node: ast.AST, names: Set[str]) -> str:
    """The one of these names that is looked for in another of them or its first entries: ``label in ranked[:k]``.

    Or that of which an entry is looked for in an entry of another: ``truth[user] in lists[user][:k]``. Empty for
    another node.
    """
    left, right = sides(node, ast.In, ast.NotIn)
    right = getattr(right, "value", right) if is_slice(right) else right
    if isinstance(left, ast.Subscript) and not is_slice(left) and isinstance(right, ast.Subscript):
        return str(getattr(left.value, "id", ""))
    names_of_both = [str(getattr(each, "id", "")) for each in (left, right)]
    return names_of_both[0] if names.issuperset(names_of_both) else ""


def equalled(node: ast.AST, names: Set[str]) -> str:
    """The one of these names that stands in a comparison with another expression: ``top == label``.

    Empty if both sides are such names, or if the other side is a constant.
    """
    both = sides(node, ast.Eq)
    named = [name for name in (getattr(side, "id", "") for side in both) if name in names]
    constant = any(isinstance(side, ast.Constant) for side in both)
    return named[0] if len(named) == 1 and not constant else ""


def is_last(node: ast.AST) -> bool:
    """Whether a node is the last entry or its place: ``x[-1]``, ``x[:, -1]``, ``x.shape[1] - 1``, ``len(x) - 1``."""
    if isinstance(node, ast.Subscript):
        last = last_index(node)
        return isinstance(last, ast.UnaryOp) and getattr(last.operand, "value", None) == 1
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub) or getattr(node.right, "value", None) != 1:
        return False
    return called(node.left) in ("len", "size") or getattr(getattr(node.left, "value", None), "attr", "") == "shape"


def is_difference(node: ast.AST) -> bool:
    """Whether a node is an entry at a place less another number: ``curve[place - hits]``."""
    index = index_of(node) if isinstance(node, ast.Subscript) else None
    names = isinstance(getattr(index, "left", None), ast.Name) and isinstance(getattr(index, "right", None), ast.Name)
    return names and isinstance(getattr(index, "op", None), ast.Sub)


def equalled_entry(node: ast.AST, rows: Mapping[str, str]) -> str:
    """The name of which an entry is compared with each of a row of another: ``item == truth[user]``.

    rows : by name of a loop through the row, the index of the row: ``for item in lists[user][:k]``.
    """
    left, right = sides(node, ast.Eq)
    for item, entry in ((left, right), (right, left)):
        row = rows.get(getattr(item, "id", ""))
        if row is not None and isinstance(entry, ast.Subscript) and getattr(index_of(entry), "id", "") == row:
            return str(getattr(entry.value, "id", ""))
    return ""


def rows_gone_through(node: ast.AST) -> Iterator[Tuple[str, str]]:
    """The name of a loop through a row, and the index of the row: ``for i, item in enumerate(lists[user][:k])``."""
    if not isinstance(node, (ast.For, ast.comprehension)):
        return
    numbered = called(node.iter) == "enumerate"
    row = next(iter(node.iter.args), None) if numbered else node.iter  # type: ignore[attr-defined]
    item = next(reversed(getattr(node.target, "elts", [node.target])), None)
    row = row.value if isinstance(row, ast.Subscript) and is_slice(row) else row
    if isinstance(row, ast.Subscript) and isinstance(item, ast.Name):
        yield item.id, str(getattr(index_of(row), "id", None))


def firsts_apart(tree: ast.AST) -> Set[str]:
    """The names of which ``xs[0]`` and ``xs[1:]`` are read and nothing else."""
    reads: Dict[str, Set[str]] = {}
    whole = {node.id: 0 for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            whole[node.id] += 1
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            reads.setdefault(node.value.id, set()).add(ast.dump(node.slice))
            whole[node.value.id] -= 1
    both = {ast.dump(ast.parse(f"x{part}", mode="eval").body.slice) for part in ("[0]", "[1:]")}  # type: ignore[attr-defined]
    return {name for name, parts in reads.items() if parts == both and not whole[name]}


def equal_entries(node: ast.AST, names: Container[str]) -> List[str]:
    """The two of these names that stand in one comparison, as a row and what is looked for in it: ``row == label``."""
    both = [side for side in sides(node, ast.Eq) if side is not None]
    plain = (side.args[0] if called(side) in CONVERSIONS and side.args else side for side in both)  # type: ignore[attr-defined]
    found = [str(getattr(side, "id", "")) for side in plain]
    return found if all(name in names for name in found) else []


def searched(node: ast.AST) -> str:
    """The name whose entry is looked for: ``ranked[i] in answers``; that of the entry in ``item in answers``."""
    left, _ = sides(node, ast.In, ast.NotIn)
    return str(getattr(left.value if isinstance(left, ast.Subscript) and not is_slice(left) else left, "id", ""))


def bounds(node: ast.AST) -> Iterator[str]:
    """The names of numbers: a sum is compared with them, ``i + 1 <= n``; ``range(n)``, ``min(n, k)``, ``[1] * n``.

    Or a constant is divided by them, ``1 / n``, or a branch asks how large they are: ``if n > 0``.
    """
    left, right = sides(node, ast.Lt, ast.LtE)
    if isinstance(left, ast.BinOp):
        yield getattr(right, "id", "")
    elif isinstance(node, ast.BinOp) and (type(node.op), type(node.left)) in OF_A_NUMBER:
        yield getattr(node.right, "id", "")
    elif isinstance(node, ast.Call) and (called(node) == "range" or (called(node) == "min" and len(node.args) > 1)):
        yield from (getattr(each, "id", "") for each in node.args)
    elif isinstance(node, (ast.If, ast.IfExp)):
        left, right = sides(node.test, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
        if isinstance(right, ast.Constant):
            yield getattr(left, "id", "")


def taken(node: ast.AST, slices: bool = False) -> Iterator[Tuple[str, str]]:
    """A local name and the name of what it is an entry or a slice of: ``listed = lists[user]``, ``top = listed[:k]``.

    slices : those of slices alone; else those of entries.
    """
    value = getattr(node, "value", None)
    if isinstance(node, ast.Assign) and isinstance(value, ast.Subscript) and is_slice(value) == slices:
        for target in node.targets:
            yield getattr(target, "id", ""), getattr(value.value, "id", "")


def note_flags(node: ast.AST, of: Dict[str, Set[str]]) -> None:
    """Add "flags" for ``x[:k].count(True)`` and ``True in x[:k]``, "summed" for ``sum(x[:k])`` and ``x[:k].mean()``."""
    left, right = sides(node, ast.In)
    flags: Optional[ast.AST] = right if getattr(left, "value", None) is True else None
    summed: Optional[ast.AST] = None
    if isinstance(node, ast.Call):
        name = called(node)
        first = node.args[0] if node.args else None
        if name == "count" and getattr(first, "value", None) is True:
            flags = getattr(node.func, "value", None)
        elif name in ("sum", "mean"):
            summed = first if is_slice(first) else getattr(node.func, "value", None)
    for part, use in ((flags, "flags"), (summed, "summed")):
        whole = getattr(part, "value", None) if is_slice(part) else part if use == "flags" else None
        of.get(getattr(whole, "id", ""), set()).add(use)


def of_curve(node: ast.AST) -> Iterator[Tuple[str, str]]:
    """What is handed to a function of scikit-learn: ``roc_auc_score(y, pred.flatten())``."""
    if not isinstance(node, ast.Call) or called(node) not in CURVES:
        return
    handed = [*zip(("curve_true", "curve_score"), node.args)]
    handed += [(f"curve_{word.arg[2:]}", word.value) for word in node.keywords if word.arg in ("y_true", "y_score")]
    for use, value in handed:
        names = [part.id for part in ast.walk(value) if isinstance(part, ast.Name)]
        if len(names) == 1 or isinstance(value, ast.Name):
            yield names[0], use


def handed_to_curves(tree: Optional[ast.AST]) -> Set[str]:
    """The names of what a function hands to scikit-learn as labels or scores."""
    return {name for node in (ast.walk(tree) if tree is not None else ()) for name, _ in of_curve(node)}


def compared_places(node: ast.AST) -> Iterator[str]:
    """The names of what is compared place by place, and the places counted: ``(codes != code).sum(axis=1)``."""
    if isinstance(node, ast.Call) and called(node) in ("sum", "count_nonzero", "mean"):
        for left, right in (sides(each, ast.Eq, ast.NotEq) for each in ast.walk(node)):
            if isinstance(left, ast.Name) and isinstance(right, ast.Name):
                yield from (left.id, right.id)


def paired(node: ast.AST) -> Iterator[str]:
    """The two names whose entries are compared with one thing, each with that of the other at its place.

    So they are in ``(true == label) & (pred != label)``, and with ``logical_and``.
    """
    sides: List[ast.AST] = []
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.Mult)):
        sides = [node.left, node.right]
    elif isinstance(node, ast.Call) and called(node) == "logical_and":
        sides = list(node.args)
    compares = [
        side for side in sides if isinstance(side, ast.Compare) and isinstance(side.ops[0], (ast.Eq, ast.NotEq))
    ]
    if len(compares) == 2 and len({ast.dump(side.comparators[0]) for side in compares}) == 1:
        yield from (str(getattr(side.left, "id", "")) for side in compares)


def labelled(node: ast.AST) -> Iterator[Tuple[str, str]]:
    """The names whose lengths make the labels of what is joined, "ones" or "zeros": ``[0] * len(a) + [1] * len(b)``.

    So do ``concatenate`` and ``cat`` of ``zeros(len(a))`` and ``ones_like(b)``.
    """
    parts: List[ast.AST] = []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [node.left, node.right]
    elif isinstance(node, ast.Call) and called(node) in JOINS and node.args:
        parts = list(getattr(node.args[0], "elts", node.args))
    found = [repeated(part) for part in parts]
    if len(found) == 2 and found[0][0] and found[1][0] and {use for _, use in found} == {"ones", "zeros"}:
        yield from found


def repeated(node: ast.AST) -> Tuple[str, str]:
    """The one name by whose length 0 or 1 is repeated, and "zeros" or "ones"; empty texts for anything else."""
    number: Any = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        filled = next((side for side in (node.left, node.right) if isinstance(side, ast.List)), None)
        number = getattr(filled.elts[0], "value", None) if filled is not None and len(filled.elts) == 1 else None
    elif isinstance(node, ast.Call):
        number = {"zeros": 0, "zeros_like": 0, "ones": 1, "ones_like": 1}.get(called(node))
    inside = node.args[:1] if isinstance(node, ast.Call) else [node]
    names = {part.id for each in inside for part in ast.walk(each) if isinstance(part, ast.Name)} - {"len"}
    return (names.pop(), "ones" if number else "zeros") if number in (0, 1) and len(names) == 1 else ("", "")


def greatest(node: ast.AST) -> str:
    """The name of which a call finds the place of the greatest entry: ``y.argmax(1)``, ``argmax(y)``, ``y.topk(1)``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ""
    of_module = getattr(node.func.value, "id", "") in PACKAGES_OF_ARRAYS
    values = [*node.args] if of_module else [node.func.value, *node.args]
    first = called(node) == "topk" and len(values) > 1 and getattr(values[1], "value", None) == 1
    return str(getattr(values[0], "id", "")) if values and (first or called(node) == "argmax") else ""


def discounted(node: ast.AST) -> Iterator[str]:
    """The names in the argument of a logarithm: ``log2(rank + 1)``."""
    if isinstance(node, ast.Call) and called(node) in LOGARITHMS:
        yield from added(node.args[0]) if node.args else ()


def gained(node: ast.AST, logarithms: Set[str]) -> str:
    """The name of which an entry is divided by a logarithm: ``grades[i] / log2(i + 2)``.

    logarithms : the names that are one.
    """
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return ""
    divisors = ast.walk(node.right)
    if not any(called(each) in LOGARITHMS or getattr(each, "id", "") in logarithms for each in divisors):
        return ""
    entry = node.left.value if isinstance(node.left, ast.Subscript) and not is_slice(node.left) else node.left
    return str(getattr(entry, "id", ""))


def added(node: ast.AST) -> Iterator[str]:
    """The names in a sum, also inside ``float`` or ``asarray``; not those of lengths, as in ``arange(len(x)) + 2``."""
    parts: List[ast.AST] = []
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
        parts = [node.value]
    elif isinstance(node, ast.Call) and called(node) in CONVERSIONS:
        parts = list(node.args[:1])
    for part in parts:
        yield from added(part)


def orders(node: ast.AST) -> bool:
    return called(node) in ORDERING


def looked_up(node: ast.AST) -> str:
    """The name under which something is taken: ``truth.get(user)``, ``self.truth[user]``, ``self.truth.get(user)``."""
    asked = isinstance(node, ast.Call) and called(node) == "get" and node.args
    key = node.args[0] if asked and isinstance(node, ast.Call) else getattr(node, "slice", None)
    holder = getattr(getattr(node, "func", node), "value", None)
    of_object = isinstance(holder, ast.Attribute) and getattr(holder.value, "id", "") == "self"
    return getattr(key, "id", "") if of_object or (asked and isinstance(holder, ast.Name)) else ""


def key_named(node: ast.AST) -> str:
    """The name of the key in ``truth[user]`` or ``truth.get(user)``; empty for another node."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        return str(getattr(node.slice, "id", ""))
    return looked_up(node)


def note_order(node: ast.AST, of: Dict[str, Set[str]], entries: Mapping[str, str], masks: Set[str]) -> None:
    """Add "ordered" to the uses of what a call puts in order by its values, and "index" to those of what is an index.

    And "entry_index" where an entry is one: ``scores[row][items[row]]``.

    entries : by name of a loop, the input whose entry it is. masks : see :func:`masks`.
    """
    if isinstance(node, ast.Call) and called(node) in ORDERING:
        method = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") not in PACKAGES_OF_ARRAYS
        ordered = (
            node.func.value if method and isinstance(node.func, ast.Attribute) else node.args[0] if node.args else node
        )
        for name in {each.id for each in ast.walk(ordered) if isinstance(each, ast.Name)}:
            of.get(entries.get(name, name), set()).add("ordered")
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name) and isinstance(node.value, ast.Name):
        index = node.slice.id
        of.get("" if index in masks else entries.get(index, index), set()).add("index")
    elif (key := looked_up(node)) in of:
        of[key].add("index")
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Subscript) and not is_slice(node.slice):
        index = str(getattr(node.slice.value, "id", ""))
        of.get("" if index in masks else index, set()).add("entry_index")


def masks(tree: ast.AST) -> Set[str]:
    """The names that hold the result of a comparison: ``labels = labels > 0``; what they index they select from."""
    made = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and isinstance(node.value, ast.Compare)]
    return {target.id for node in made for target in node.targets if isinstance(target, ast.Name)}


def hiding_alone(tree: ast.AST) -> Set[str]:
    """The names that are read only where their entries other than 0 hide those of another."""
    read = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return {name for name, times in Counter(map(_hiding, ast.walk(tree))).items() if read[name] == times}


def _hiding(node: ast.AST) -> str:
    """The name in ``scores[seen.nonzero()] = -np.inf`` or ``scores[seen > 0] = -1e9``; empty for another node."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.UnaryOp):
        return ""
    index = index_of(node.targets[0]) if isinstance(node.targets[0], ast.Subscript) else None
    if isinstance(index, ast.Call) and called(index) == "nonzero":
        holder = getattr(index.func, "value", None)
        of_package = holder is None or getattr(holder, "id", "") in PACKAGES_OF_ARRAYS
        return str(getattr(next(iter(index.args), None) if of_package else holder, "id", ""))
    if isinstance(index, ast.Compare) and getattr(index.comparators[0], "value", None) in (0, 1):
        return str(getattr(index.left, "id", ""))
    return ""


def outdone(node: ast.AST, each: Mapping[str, str]) -> Tuple[str, str]:
    """The names of which every entry is compared with every one of the other, that with the greater entries first.

    So they are in ``x[:, None] > y[None, :]``, and in a loop through one inside a loop through the other. each : by
    name of a loop, the input whose entry it is.
    """
    left, right = sides(node, ast.Gt, ast.GtE, ast.Lt, ast.LtE)
    if left is None or right is None:
        return "", ""
    both = [made_column(left) or made_row(left), made_column(right) or made_row(right)]
    if bool(made_column(left)) == bool(made_column(right)):
        both = [each.get(getattr(side, "id", ""), "") for side in (left, right)]
    if not all(both) or both[0] == both[1]:
        return "", ""
    greater, smaller = both if sides(node, ast.Gt, ast.GtE)[0] is not None else both[::-1]
    return greater, smaller


def made_row(node: ast.AST) -> str:
    """The name in ``x[None, :]``, ``x[None]``, ``x.unsqueeze(0)``, ``x.reshape(1, -1)``; empty for another node."""
    if isinstance(node, ast.Subscript):
        index = index_of(node)
        first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
        return str(getattr(node.value, "id", "")) if is_new_axis(first) else ""
    first = node.args[0] if isinstance(node, ast.Call) and node.args else None
    row = {"unsqueeze": 0, "view": 1, "reshape": 1}.get(called(node))
    holder = getattr(getattr(node, "func", None), "value", None)
    return str(getattr(holder, "id", "")) if row is not None and getattr(first, "value", None) == row else ""


def made_column(node: ast.AST) -> str:
    """The name in ``x[:, None]``, ``x.unsqueeze(1)``, ``x.reshape(-1, 1)``; empty for another node."""
    if isinstance(node, ast.Subscript):
        index = index_of(node)
        return str(getattr(node.value, "id", "")) if isinstance(index, ast.Tuple) and adds_axis(index) else ""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return ""
    last, name = node.args[-1], node.func.attr
    operand = getattr(last, "operand", last) if name in ("unsqueeze", "expand_dims") else last  # also the axis -1
    if name not in ("unsqueeze", "expand_dims", "view", "reshape") or getattr(operand, "value", None) != 1:
        return ""
    return str(getattr(node.args[0] if name == "expand_dims" else node.func.value, "id", ""))


def adds_axis(index: Any) -> bool:
    """Whether an index is like ``[:, None]``."""
    return isinstance(index, ast.Tuple) and bool(index.elts) and is_new_axis(index.elts[-1])


def is_new_axis(index: Any) -> bool:
    return (isinstance(index, ast.Constant) and index.value is None) or getattr(index, "attr", "") == "newaxis"

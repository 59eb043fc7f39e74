"""Hints from a function's source on how to call it: what it does with each parameter, what it imports."""

from __future__ import annotations

import ast
import inspect
import re
from types import MappingProxyType, ModuleType
from typing import Any, Dict, FrozenSet, Iterator, List, Mapping, NamedTuple, Optional, Set, Tuple, Union

from metric_adapters.calls.cut_offs import cut_offs, handed, helpers, texts_handed
from metric_adapters.calls.keys import boxes, columns_of_methods, origins_of, read_keys, reads_entries
from metric_adapters.calls.loops import entries_of, session_sizes, triples, unpacked_by, zipped
from metric_adapters.calls.trees import called, described, index_of, inner, parse

DICT_METHODS = {"items", "keys", "values", "get"}
FRAME_METHODS = {"merge", "groupby", "sort_values", "itertuples", "iterrows", "loc", "iloc", "join", "assign", "query"}
SET_METHODS = {"intersection", "issubset", "isdisjoint", "union", "difference"}
SORTING = {"argsort", "topk", "argpartition", "roc_auc_score", "roc_curve", "lexsort", "sort"}
ROWS = {"axis", "dim"}
REDUCTIONS = {"any", "all", "sum", "mean", "max", "min", "argmax", "argsort", "cumsum"}
"""Methods whose only argument is an axis: ``hits.any(1)``."""
WIDENING = {"unsqueeze", "view", "reshape", "expand_as"}
TORCH_METHODS = {
    "topk",
    "unsqueeze",
    "detach",
    "cpu",
    "view",
    "expand_as",
    "gather",
    "scatter_",
    "masked_fill",
    "numel",
    "numpy",
}
TENSOR_METHODS = {*TORCH_METHODS, "float", "long", "double", "numpy", "size", "item", "eq", "dim", "device"}
SPARSE_METHODS = {"toarray", "todense", "indptr", "nnz", "tocsr", "getrow", "tocoo", "multiply", "csr_matrix", "sparse"}
POLARS_METHODS = {"group_by", "with_columns", "partition_by", "iter_rows", "to_dicts", "get_column"}


ONE_RELEVANT = re.compile(
    r"leave[- ]one[- ]out|(?<!at least )\b(one|single|only)\s+(single\s+)?"
    r"(relevant|positive|correct|true|target|held[- ]out|test|ground[- ]truth|gold)"
    r"|\bthe (positive|target|held[- ]out|ground[- ]truth|gold|correct|true|relevant|test) "
    r"(item|document|doc|answer|id)\b",
    re.IGNORECASE,
)
"""In the docstring of a function for one relevant item a user."""
LABELS = re.compile(r"\b(rankings?|lists?|order(ed)?)\b.*\b(labels|relevances?|gains|grades)\b", re.IGNORECASE)
"""In the description of a parameter that takes the labels of a ranking."""
LARGEST_GAIN = 10
"""A larger number is no threshold of gains."""
LARGEST_CUT = 1000
"""A larger number is no cut-off of lists."""


ORDERING = ("argsort", "topk", "argpartition", "top_k", "nlargest")
"""Functions and methods that put the values of their input in order, and give places."""
CURVES = ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve", "ndcg_score", "dcg_score")
"""Functions of scikit-learn that take labels, then scores."""
PLACES = ("nonzero", "argwhere", "where")
HELPERS_DEEP = 2
"""What is done with a parameter is followed through this many helpers."""
MINUS_ONE = ast.dump(ast.parse("-1", mode="eval").body)
LOGARITHMS = ("log2", "log", "log1p", "log10")
CONVERSIONS = ("float", "array", "asarray", "asfarray", "tensor")
PACKAGES_OF_ARRAYS = ("np", "numpy", "torch", "tf", "jnp", "heapq", "bn", "math")


class Source(NamedTuple):
    """Hints from the source; all empty if it cannot be read (C code, a console).

    of : by parameter, its uses: contained (in another), sliced, zipped, member, mapping, frame, set, rows, indexed,
    looped, unpacked, compared, sparse, widened, of_ranks, couple, second, triples; ``option``: it is only tested;
    ``flags``: its entries are True and False; ``summed``: a slice of it is summed; ``entry_sliced``: its entries are
    sliced; ``entry_index``: its entries are indices; ``entry_contained``: each of its entries is looked for in one of
    another parameter's; ``entry_member``: something is looked for in each of its entries; ``column``: it is made one;
    ``one_a_row``: its docstring says that it has one entry for each row of another one; ``none``: its entries may be
    None; ``couples``: the first and the second of each entry are read; ``labels``: its docstring says that it holds
    labels; ``curve_true``, ``curve_score``: scikit-learn gets it; ``discounted``: the logarithm of its entries is
    taken; ``gained``: its entries are divided by one; ``number``: it is a bound, or the end of a range; ``searched``:
    its entries are looked for in another parameter; ``counted``: nothing but its length, or that of its entries, is
    read. What a helper does with a parameter that it is handed counts too.
    words : the uses of the whole function: sorts, ascending, diagonal, gains, signs, torch, pandas, polars, scipy;
    ``columns`` where two columns are compared;
    ``torch_elsewhere`` where only other functions of the file use torch;
    ``one_relevant`` where its docstring says that a user has one relevant item.
    texts : its string constants and attribute names, in order; module_texts : those of its file; strings : its string
    constants alone. compared : by name, the constants it is compared with. cuts : constants at which slices end.
    limits : the cut-offs that comparisons and loops may mean (1 for results named so). unread : parameters that are
    never read. keys : by parameter, the keys read from it: columns, names in a dict. sizes : the sizes of sessions
    of fixed size. made : columns that it writes and does not read in what it writes. boxes : by parameter, the one key
    or index under which it is read, so that its data is in a dict or list of one entry. triple : the names of the three
    values that a loop unpacks. told : the texts that helpers are handed, by the names of their parameters.
    grouped, sorted : the columns that frames are grouped and sorted by. thresholds : numbers at or above which
    something is tested to be.
    """

    of: Dict[str, FrozenSet[str]]
    words: FrozenSet[str]
    texts: List[str]
    module_texts: List[str]
    compared: Mapping[str, List[Any]] = MappingProxyType({})
    cuts: Tuple[int, ...] = ()
    strings: FrozenSet[str] = frozenset()
    limits: Tuple[int, ...] = ()
    unread: FrozenSet[str] = frozenset()
    keys: Mapping[str, Tuple[str, ...]] = MappingProxyType({})
    sizes: Tuple[int, ...] = ()
    boxes: Mapping[str, Union[str, int]] = MappingProxyType({})
    made: FrozenSet[str] = frozenset()
    triple: Tuple[str, ...] = ()
    told: Mapping[str, str] = MappingProxyType({})
    grouped: Tuple[str, ...] = ()
    sorted: Tuple[str, ...] = ()
    thresholds: Tuple[float, ...] = ()

    @property
    def readable(self) -> bool:
        return bool(self.texts or self.of or self.cuts)

    def alone_does(self, name: str, what: str) -> bool:
        """Whether one parameter, and no other, is used in a way."""
        return self.does(name, what) and sum(what in done for done in self.of.values()) == 1

    def does(self, name: str, what: str) -> bool:
        return what in self.of.get(name, ())

    def anywhere(self, what: str) -> bool:
        return any(what in done for done in self.of.values())


def read_source(function: Any, deep: int = HELPERS_DEEP) -> Source:
    """The hints of a function, method or callable object. deep : its uses are followed through this many helpers."""
    code = inner(function)
    tree, module = parse(code), parse(inspect.getmodule(code))
    words: Set[str] = set()
    used = getattr(code, "__globals__", {})
    for package in ("torch", "pandas", "polars", "scipy"):
        if any(_is_of(value, package) for value in list(used.values())):
            words.add(package)
    if tree is None:
        return Source({}, frozenset(words), [], [])
    if "torch" in words and not _shows_torch(tree, used):
        words.add("torch_elsewhere")
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    tree = ast.fix_missing_locations(WithNumbers(used, tree).visit(tree))
    of: Dict[str, Set[str]] = {name: set() for name in parameters}
    compared: Dict[str, List[Any]] = {}
    cuts: Set[int] = set()
    loops: Dict[str, str] = {}
    of_helpers: List[int] = []
    entries = dict(pair for node in ast.walk(tree) for pair in zipped(node))
    each = dict(pair for node in ast.walk(tree) for pair in entries_of(node))
    parts = dict(pair for node in ast.walk(tree) for pair in _taken(node))
    wholes = dict(pair for node in ast.walk(tree) for pair in _taken(node, slices=True))
    held = {**parts, **entries}
    held.update((name, held[whole]) for name, whole in wholes.items() if whole in held and name != whole)

    def uses_of(name: str) -> Set[str]:
        """Those of the parameter of which a name is an entry, or an entry of its first ones."""
        whole = each.get(name, name)
        return of.get(whole if whole in of else wholes.get(whole, whole), set())

    masks, keys, texts, origins = _masks(tree), read_keys(tree), _texts(tree), origins_of(tree)
    logarithms = {
        str(getattr(target, "id", ""))
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and called(node.value) in LOGARITHMS
        for target in node.targets
    }
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    strings = {value for value in constants if isinstance(value, str)}
    grouped = columns_of_methods(tree, "groupby", "group_by")
    defaults = _defaults(code) if deep < HELPERS_DEEP else {}  # those of the function itself are given
    thresholds = [found for node in ast.walk(tree) if (found := _threshold(node, defaults)) is not None]
    for node in ast.walk(tree):
        _note_use(node, of, words)
        _note_order(node, of, entries, masks)
        _note_flags(node, of)
        for name, use in _of_curve(node):
            of.get(name, set()).add(use)
        for name in _discounted(node):
            uses_of(name).add("discounted")
        uses_of(_gained(node, logarithms)).add("gained")
        uses_of(_searched(node)).add("searched")
        for name in _bounds(node):
            of.get(name, set()).add("number")
        for name, helper, parameter in handed(node, code) if deep else ():
            origin = origins.get(name, "")
            if origin in of and not _is_of(helper, "sklearn"):  # what it takes is known
                inside = read_source(helper, deep - 1)
                of[origin].update(inside.of.get(parameter, ()) if name == origin else ())
                words |= {"entries", "diagonal", "signs", "rows"} & inside.words
                of_helpers += inside.limits
                thresholds += inside.thresholds
                keys[origin] = tuple(dict.fromkeys((*keys.get(origin, ()), *inside.keys.get(parameter, ()))))
                if "frame" in inside.of.get(parameter, ()):  # the helper names the columns
                    texts += inside.texts
                    strings |= inside.strings
                    grouped += inside.grouped
        of.get(each.get(_tested_for_none(node), ""), set()).add("none")
        of.get(held.get(_looked_in(node), ""), set()).add("entry_member")
        looked_for = _looked_for(node, set(held)) or _equalled(node, set(entries))
        of.get(held.get(looked_for, looked_for), set()).add("entry_contained")
        of.get(_made_column(node), set()).add("column")
        sliced = getattr(getattr(node, "value", None), "id", "") if _is_slice(node) else ""
        of.get(parts.get(sliced, ""), set()).add("entry_sliced")
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Name) and isinstance(node.target, ast.Name):
            loops[node.iter.id] = node.target.id
        _constants(node, compared, cuts)
    for iterable, entry in loops.items():  # a list is compared with what its entries are compared with
        if entry in compared:
            compared.setdefault(iterable, []).extend(compared[entry])
    for name in parameters & _tested_alone(tree):
        of[name].add("option")
    for name in parameters & _counted(tree, each):
        of[name].add("counted")
    for node in ast.walk(tree):  # for user in hits: total += hits[user]
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
            name = str(getattr(node.value, "id", ""))
            of.get(name if each.get(node.slice.id) == name else "", set()).add("mapping")
    _note_packages(tree, words)
    if _takes_columns_of_places(tree):
        words.add("rows")
    if any(map(_sorts_upwards, (tree, *helpers(code)))):
        words.add("ascending")
    if reads_entries(tree):
        words.add("entries")
    if _counts_places_from_one(tree):
        words.add("from_one")
    docstring = str(getattr(function, "__doc__", None) or "")
    if ONE_RELEVANT.search(docstring):
        words.add("one_relevant")
    for name in parameters:
        if LABELS.search(described(function, name)):
            of[name].add("labels")
    for name in one_a_row(f"{docstring}\n{_class_docstring(code)}", parameters):
        of[name].add("one_a_row")
    if re.search(r"dcg|gain", getattr(code, "__qualname__", ""), re.IGNORECASE):
        words.add("gains")
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    known = cut_offs(code)
    for name in (each.get(entry, "") for entry, places in known.places.items() if places == 2):
        of.get(name, set()).add("couples")
    literals = (*known.literals, *_cuts_in_keys(tree), *_default_cuts(tree, known.parameters), *of_helpers)
    ends = {pair for node in ast.walk(tree) for pair in _ends(node)} | {
        (0, end) for end in literals if 1 < end <= LARGEST_CUT
    }
    return Source(
        of={name: frozenset(uses) for name, uses in of.items()},
        words=frozenset(words),
        texts=list(dict.fromkeys(texts)),
        module_texts=[] if module is None else _texts(module),
        compared=compared,
        cuts=tuple(sorted(cuts)),
        strings=frozenset(strings),
        limits=tuple(dict.fromkeys(end for _, end in sorted(ends, key=lambda pair: (pair[0], -pair[1])))),
        unread=frozenset(parameters - read if parameters & read and "locals" not in read else ()),
        keys=keys,
        sizes=session_sizes(tree, module, getattr(code, "__qualname__", "")),
        boxes=boxes(tree),
        made=frozenset(filter(None, map(_made_key, ast.walk(tree)))),
        told={name: text for node in ast.walk(tree) for name, text in texts_handed(node, code)},
        grouped=tuple(dict.fromkeys(grouped)),
        sorted=tuple(dict.fromkeys(columns_of_methods(tree, "sort_values"))),
        thresholds=tuple(dict.fromkeys(thresholds)),
        triple=next((names for node in ast.walk(tree) if (names := unpacked_by(node))), ()),
    )


class WithNumbers(ast.NodeTransformer):
    """Writes whole numbers in place of their names: those that a module names in capitals, ``ranked[:MAX_RANK]``, and
    those that a function sets once, ``k = 10``.
    """

    def __init__(self, names: Mapping[str, Any], tree: ast.AST) -> None:
        self.names = {name: value for name, value in names.items() if not name.islower()}
        self.names.update(_set_once(tree))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.names.get(node.id)
        constant = type(value) is int and isinstance(node.ctx, ast.Load)
        return ast.copy_location(ast.Constant(value), node) if constant else node


def _set_once(tree: ast.AST) -> Dict[str, int]:
    """The names that a function sets once, each with the whole number that it is."""
    stored = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    stored += [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)]
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and len(node.targets) == 1]
    numbers = {getattr(node.targets[0], "id", ""): getattr(node.value, "value", None) for node in assigned}
    return {name: value for name, value in numbers.items() if type(value) is int and stored.count(name) == 1}


def _tested_for_none(node: ast.AST) -> str:
    """The name that a node asks whether it is None."""
    is_test = isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot))
    none = is_test and getattr(node.comparators[0], "value", 0) is None  # type: ignore[attr-defined]
    return getattr(node.left, "id", "") if none else ""  # type: ignore[attr-defined]


def _shows_torch(tree: ast.AST, used: Mapping[str, Any]) -> bool:
    """Whether a function itself, and not only its file, uses torch or something of a tensor."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and _is_of(used.get(node.id), "torch"):
            return True
        if isinstance(node, ast.Attribute) and node.attr in TENSOR_METHODS:
            return True
    return False


def _is_of(value: Any, package: str) -> bool:
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return isinstance(name, str) and name.split(".")[0] == package


def _note_use(node: ast.AST, of: Dict[str, Set[str]], words: Set[str]) -> None:
    """Add the uses that one node shows to those of its parameter (``of``) and of the function (``words``)."""

    def note(target: Optional[ast.AST], use: str) -> None:
        of_self = isinstance(target, ast.Attribute) and getattr(target.value, "id", "") == "self"
        name = getattr(target, "attr", "").lstrip("_") if of_self else getattr(target, "id", "")
        if name in of:
            of[name].add(use)

    if isinstance(node, ast.Subscript):
        index = index_of(node)
        if isinstance(node.slice, ast.Slice):
            note(node.value, "sliced")
        elif isinstance(index, ast.Constant) and isinstance(index.value, str):
            note(node.value, "frame")
        elif isinstance(index, ast.Tuple) or type(node.slice).__name__ == "ExtSlice":
            note(node.value, "widened" if _adds_axis(index) else "rows")
        else:
            note(node.value, "indexed")
            if isinstance(index, ast.Constant) and index.value == 1 and isinstance(index.value, int):
                note(node.value, "second")
    elif isinstance(node, ast.Attribute):
        for methods, use in ((DICT_METHODS, "mapping"), (FRAME_METHODS, "frame"), (SET_METHODS, "set")):
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
    elif isinstance(node, ast.Compare):
        if all(isinstance(_key_of(side), str) for side in (node.left, node.comparators[0])):
            words.add("columns")
        inside = any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops)
        note(node.comparators[0] if inside else node.left, "member" if inside else "compared")
        note(node.left if inside else None, "contained")
    elif isinstance(node, (ast.For, ast.comprehension)):
        names = len(node.target.elts) if isinstance(node.target, ast.Tuple) else 0
        note(node.iter, {0: "looped", 5: "unpacked_five"}.get(names, "unpacked"))
        if re.fullmatch(r"r|ranks?|pos|position|place|idx", getattr(node.target, "id", "")):
            note(node.iter, "of_ranks")
        note(triples(node), "triples")
    elif isinstance(node, ast.Starred):
        note(node.value, "couple")
    elif isinstance(node, ast.Assign):
        note(node.value, {2: "couple"}.get(len(getattr(node.targets[0], "elts", ())), "assigned"))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        note(node.left, "set")
        note(node.right, "set")
    elif isinstance(node, ast.keyword) and node.arg in ROWS:
        words.add("rows")
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        axis = getattr(getattr(node.args[0], "operand", node.args[0]), "value", None) if len(node.args) == 1 else None
        if node.func.attr in REDUCTIONS and type(axis) is int and axis <= 1:
            words.add("rows")
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "zip":
            for argument in node.args:
                note(argument, "zipped")
        elif node.func.id == "sorted":
            words.add("sorts")
        elif node.func.id == "set" and node.args:
            note(node.args[0], "made_set")


def _key_of(node: ast.AST) -> Any:
    """The constant in ``rows["item"]``; None for another node."""
    return getattr(index_of(node), "value", None) if isinstance(node, ast.Subscript) else None


def _looked_in(node: ast.AST) -> str:
    """The name in which another name is looked for: ``item in relevant``."""
    looks = isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn))
    named = looks and isinstance(node.left, ast.Name)  # type: ignore[attr-defined]
    return getattr(node.comparators[0], "id", "") if named else ""  # type: ignore[attr-defined]


def _looked_for(node: ast.AST, names: Set[str]) -> str:
    """The one of these names that is looked for in another of them or its first entries: ``label in ranked[:k]``.

    Or that of which an entry is looked for in an entry of another: ``truth[user] in lists[user][:k]``. Empty for
    another node.
    """
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return ""
    right = node.comparators[0]
    right = getattr(right, "value", right) if _is_slice(right) else right
    if isinstance(node.left, ast.Subscript) and not _is_slice(node.left) and isinstance(right, ast.Subscript):
        return str(getattr(node.left.value, "id", ""))
    names_of_both = [str(getattr(each, "id", "")) for each in (node.left, right)]
    return names_of_both[0] if names.issuperset(names_of_both) else ""


def _equalled(node: ast.AST, names: Set[str]) -> str:
    """The one of these names that is compared with something that is none of them and no constant: ``top == label``."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq):
        return ""
    sides = [node.left, node.comparators[0]]
    named = [name for name in (getattr(side, "id", "") for side in sides) if name in names]
    constant = any(isinstance(side, ast.Constant) for side in sides)
    return named[0] if len(named) == 1 and not constant else ""


def _defaults(code: Any) -> Dict[str, Any]:
    """The numbers that are defaults of parameters, by name."""
    try:
        parameters = inspect.signature(code).parameters
    except (TypeError, ValueError):
        return {}
    return {name: each.default for name, each in parameters.items() if type(each.default) in (int, float)}


def _threshold(node: ast.AST, defaults: Mapping[str, Any]) -> Optional[float]:
    """The number in ``gain >= 4``, or in ``gain < 4``, if gains may be as large; None for another node.

    defaults : by parameter, the number that it is unless it is given.
    """
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], (ast.GtE, ast.Lt)):
        return None
    bound = node.comparators[0]
    value: Any = defaults.get(getattr(bound, "id", ""), getattr(bound, "value", None))
    return float(value) if type(value) in (int, float) and 0 < value <= LARGEST_GAIN else None


def _counted(tree: ast.AST, each: Mapping[str, str]) -> Set[str]:
    """The names of which only the length is read, or that of their entries: ``len(items) for items in truths``.

    each : by name of a loop, the name of what it is an entry of.
    """
    counted: Set[int] = set()
    passed: Set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) == "len":
            counted.update(map(id, node.args))
        elif isinstance(node, ast.Attribute) and node.attr == "shape":
            counted.add(id(node.value))
        elif isinstance(node, ast.Call) and called(node) in ("enumerate", "zip"):
            passed.update(map(id, node.args))
        elif isinstance(node, (ast.For, ast.comprehension)):
            passed.add(id(node.iter))
    loads = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    others = {name for node in loads if id(node) not in counted | passed for name in (node.id, each.get(node.id, ""))}
    read = {name for node in loads if id(node) in counted for name in (node.id, each.get(node.id, ""))}
    return read - others


def _searched(node: ast.AST) -> str:
    """The name whose entry is looked for: ``ranked[i] in answers``; that of the entry in ``item in answers``."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return ""
    entry = isinstance(node.left, ast.Subscript) and not _is_slice(node.left)
    return str(getattr(node.left.value if entry else node.left, "id", ""))  # type: ignore[attr-defined]


def _bounds(node: ast.AST) -> Iterator[str]:
    """The names that a sum is compared with, ``i + 1 <= n``, and those in ``range(n)`` and ``min(n, k)``."""
    if (
        isinstance(node, ast.Compare)
        and isinstance(node.ops[0], (ast.Lt, ast.LtE))
        and isinstance(node.left, ast.BinOp)
    ):
        yield getattr(node.comparators[0], "id", "")
    elif isinstance(node, ast.Call) and (called(node) == "range" or (called(node) == "min" and len(node.args) > 1)):
        yield from (getattr(each, "id", "") for each in node.args)


def _is_slice(node: Optional[ast.AST]) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)


def _taken(node: ast.AST, slices: bool = False) -> Iterator[Tuple[str, str]]:
    """A local name and the name of what it is an entry or a slice of: ``listed = lists[user]``, ``top = listed[:k]``.

    slices : those of slices alone; else those of entries.
    """
    value = getattr(node, "value", None)
    if isinstance(node, ast.Assign) and isinstance(value, ast.Subscript) and _is_slice(value) == slices:
        for target in node.targets:
            yield getattr(target, "id", ""), getattr(value.value, "id", "")


def _note_flags(node: ast.AST, of: Dict[str, Set[str]]) -> None:
    """Add "flags" for ``x[:k].count(True)`` and ``True in x[:k]``, "summed" for ``sum(x[:k])`` and ``x[:k].mean()``."""
    flags: Optional[ast.AST] = None
    summed: Optional[ast.AST] = None
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
        flags = node.comparators[0] if getattr(node.left, "value", None) is True else None
    elif isinstance(node, ast.Call):
        name = called(node)
        first = node.args[0] if node.args else None
        if name == "count" and getattr(first, "value", None) is True:
            flags = getattr(node.func, "value", None)
        elif name in ("sum", "mean"):
            summed = first if _is_slice(first) else getattr(node.func, "value", None)
    for part, use in ((flags, "flags"), (summed, "summed")):
        whole = getattr(part, "value", None) if _is_slice(part) else part if use == "flags" else None
        of.get(getattr(whole, "id", ""), set()).add(use)


def _of_curve(node: ast.AST) -> Iterator[Tuple[str, str]]:
    """What is handed to a function of scikit-learn: ``roc_auc_score(y, pred.flatten())``."""
    if not isinstance(node, ast.Call) or called(node) not in CURVES:
        return
    handed = [*zip(("curve_true", "curve_score"), node.args)]
    handed += [(f"curve_{word.arg[2:]}", word.value) for word in node.keywords if word.arg in ("y_true", "y_score")]
    for use, value in handed:
        names = [part.id for part in ast.walk(value) if isinstance(part, ast.Name)]
        if len(names) == 1 or isinstance(value, ast.Name):
            yield names[0], use


def _discounted(node: ast.AST) -> Iterator[str]:
    """The names in the argument of a logarithm: ``log2(rank + 1)``."""
    if isinstance(node, ast.Call) and called(node) in LOGARITHMS:
        yield from _added(node.args[0]) if node.args else ()


def _gained(node: ast.AST, logarithms: Set[str]) -> str:
    """The name of which an entry is divided by a logarithm: ``grades[i] / log2(i + 2)``.

    logarithms : the names that are one.
    """
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return ""
    divisors = ast.walk(node.right)
    if not any(called(each) in LOGARITHMS or getattr(each, "id", "") in logarithms for each in divisors):
        return ""
    entry = node.left.value if isinstance(node.left, ast.Subscript) and not _is_slice(node.left) else node.left
    return str(getattr(entry, "id", ""))


def _added(node: ast.AST) -> Iterator[str]:
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
        yield from _added(part)


def _tested_alone(tree: ast.AST) -> Set[str]:
    """The names that are only tested, as in ``if ignore_ties:`` and ``x if not exact else y``, or handed on by name."""
    tested: Dict[str, bool] = {}
    alone: Set[int] = set()
    for node in ast.walk(tree):
        tests = [node.test] if isinstance(node, (ast.If, ast.IfExp)) else []
        tests += [node.value] if isinstance(node, ast.keyword) else []
        for test in tests:
            inside = getattr(test, "operand", test)
            alone.add(id(inside))
            if isinstance(inside, ast.Name):
                tested[inside.id] = tested.get(inside.id, False) or not isinstance(node, ast.keyword)
    loads = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return {name for name, test in tested.items() if test and all(id(n) in alone for n in loads if n.id == name)}


def _takes_columns_of_places(tree: ast.AST) -> bool:
    """Whether the column of each true entry is taken: ``nonzero(hits)[:, 1]``, also by a name in between.

    Or in a loop: ``for row, column in argwhere(hits)``, ``for place in nonzero(hits): place[1]``.
    """
    places: Set[str] = set()
    each: Set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _gives_places(node.value):
            places |= {str(getattr(target, "id", "")) for target in node.targets}
    for node in ast.walk(tree):
        if isinstance(node, (ast.For, ast.comprehension)) and getattr(node.iter, "id", "") in places:
            if len(getattr(node.target, "elts", ())) == 2:
                return True
            each.add(str(getattr(node.target, "id", "")))
    for node in ast.walk(tree):
        index = index_of(node) if isinstance(node, ast.Subscript) else None
        if getattr(index, "value", None) == 1 and getattr(getattr(node, "value", None), "id", "") in each - {""}:
            return True
        if isinstance(index, ast.Tuple) and getattr(index.elts[-1], "value", None) == 1:
            holder = getattr(node, "value", None)
            if getattr(holder, "id", "") in places or (holder is not None and _gives_places(holder)):
                return True
    return False


def _gives_places(node: ast.AST) -> bool:
    return called(node) in PLACES


def _counts_places_from_one(tree: ast.AST) -> bool:
    """Whether 1 is added to places that an order gives: ``argsort(-scores) + 1``, or ``+= 1`` on those of ``topk``."""
    places: Set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _orders(node.value):
            places |= {each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)}

    def are_places(part: ast.AST) -> bool:
        return any(_orders(each) or getattr(each, "id", "") in places for each in ast.walk(part))

    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and are_places(node.target):
            added: ast.AST = node.value
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and are_places(node.left):
            added = node.right
        else:
            continue
        if getattr(added, "value", None) == 1:
            return True
    return False


def _orders(node: ast.AST) -> bool:
    return called(node) in ORDERING


def _class_docstring(code: Any) -> str:
    """The docstring of the class at the top of a module that a method is of; empty for a function."""
    name, _, method = str(getattr(code, "__qualname__", "")).partition(".")
    kind = getattr(code, "__globals__", {}).get(name) if method else None
    return str(getattr(kind, "__doc__", None) or "")


def one_a_row(docstring: str, parameters: Set[str]) -> List[str]:
    """The parameters that a docstring gives the shape ``(n,)``, beside another of the shape ``(n, k)``."""
    rows = {match[1] for match in re.finditer(r"[(\[]\s*([A-Za-z][\w ]*?)\s*,\s*[\w ]+[)\]]", docstring)}
    typed, shape = r"(?:\s*\([^)\n]*\)\s*:)?", r"[^\n(\[]*[(\[]\s*([A-Za-z][\w ]*?)\s*,?\s*[)\]]"
    found = []
    for name in parameters:
        line = re.search(rf"(?<!\w){re.escape(name)}(?!\w){typed}{shape}", docstring)
        if line and line[1] in rows:
            found.append(name)
    return found


def _note_order(node: ast.AST, of: Dict[str, Set[str]], entries: Mapping[str, str], masks: Set[str]) -> None:
    """Add "ordered" to the uses of what a call puts in order by its values, and "index" to those of what is an index.

    And "entry_index" where an entry is one: ``scores[row][items[row]]``.

    entries : by name of a loop, the input whose entry it is. masks : see :func:`_masks`.
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
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Subscript) and not _is_slice(node.slice):
        index = str(getattr(node.slice.value, "id", ""))
        of.get("" if index in masks else index, set()).add("entry_index")


def _masks(tree: ast.AST) -> Set[str]:
    """The names that hold the result of a comparison: ``labels = labels > 0``; what they index they select from."""
    made = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and isinstance(node.value, ast.Compare)]
    return {target.id for node in made for target in node.targets if isinstance(target, ast.Name)}


def _made_column(node: ast.AST) -> str:
    """The name in ``x[:, None]``, ``x.unsqueeze(1)``, ``x.reshape(-1, 1)``; empty for another node."""
    if isinstance(node, ast.Subscript):
        index = index_of(node)
        return str(getattr(node.value, "id", "")) if isinstance(index, ast.Tuple) and _adds_axis(index) else ""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return ""
    last, name = node.args[-1], node.func.attr
    operand = getattr(last, "operand", last) if name in ("unsqueeze", "expand_dims") else last  # also the axis -1
    if name not in ("unsqueeze", "expand_dims", "view", "reshape") or getattr(operand, "value", None) != 1:
        return ""
    return str(getattr(node.args[0] if name == "expand_dims" else node.func.value, "id", ""))


def _adds_axis(index: Any) -> bool:
    """Whether an index is like ``[:, None]``."""
    last = index.elts[-1] if isinstance(index, ast.Tuple) and index.elts else None
    return (isinstance(last, ast.Constant) and last.value is None) or getattr(last, "attr", "") == "newaxis"


def _constants(node: ast.AST, compared: Dict[str, List[Any]], cuts: Set[int]) -> None:
    """Add the constants that a name is compared with to ``compared``, and the end of a slice to ``cuts``."""
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
        for other in node.comparators:
            values = other.elts if isinstance(other, (ast.List, ast.Tuple, ast.Set)) else [other]
            constants = [value.value for value in values if isinstance(value, ast.Constant)]
            constants += [-1] if isinstance(other, ast.UnaryOp) and ast.dump(other) == MINUS_ONE else []
            compared.setdefault(node.left.id, []).extend(constants)
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In) and isinstance(node.left, ast.Constant):
        compared.setdefault(getattr(node.comparators[0], "id", ""), []).append(node.left.value)  # "mrr" in metrics
    elif isinstance(node, ast.Slice) and node.lower is None:
        end = getattr(node.upper, "value", None)
        if isinstance(end, int) and end > 1:
            cuts.add(end)


def _ends(node: ast.AST) -> Iterator[Tuple[int, int]]:
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
        tests = (
            each for each in ast.walk(node.test) if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Eq)
        )
        ends = [(0, getattr(each.comparators[0], "value", None)) for each in tests]  # rank == 10: break
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("range", "min"):
        ends = [(0, getattr(argument, "value", None)) for argument in node.args[:2]]
    elif isinstance(node, (ast.For, ast.comprehension)):
        ends = [(0, number) for number in _rising(node.iter)]
    elif isinstance(node, ast.Assign):
        ends = [(0, number) for number in _rising(node.value)]
    elif isinstance(node, ast.keyword) and node.arg in ("k", "top_k", "at"):
        ends = [(0, getattr(node.value, "value", None))]
    elif isinstance(node, ast.arguments):  # ranks=(1, 5, 10)
        lists = [each.elts for each in node.defaults if isinstance(each, (ast.Tuple, ast.List))]
        ends = [(0, getattr(each, "value", None)) for elements in lists for each in elements]
    yield from (pair for pair in ends if type(pair[1]) is int and 1 <= pair[1] <= LARGEST_CUT)


def _rising(node: ast.AST) -> List[Any]:
    """The whole numbers of a list or tuple that holds nothing else, each larger than the one before; else none."""
    numbers: List[Any] = [getattr(each, "value", None) for each in getattr(node, "elts", ())]
    whole = bool(numbers) and all(type(number) is int for number in numbers)
    return numbers if whole and numbers == sorted({*numbers}) else []


def _default_cuts(tree: ast.AST, names: FrozenSet[str]) -> Iterator[int]:
    """The whole numbers that are defaults of parameters at which something ends."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            for parameter, default in zip(reversed([*node.posonlyargs, *node.args]), reversed(node.defaults)):
                if parameter.arg in names and type(getattr(default, "value", None)) is int:
                    yield getattr(default, "value", 0)


def _cuts_in_keys(tree: ast.AST) -> Iterator[int]:
    """The cut-offs in the names of results: ``{"recall@10": ...}``."""
    for node in ast.walk(tree):
        for key in node.keys if isinstance(node, ast.Dict) else ():
            match = re.search(r"@(\d+)$", str(getattr(key, "value", "")))
            if match:
                yield int(match[1])


def _note_packages(tree: ast.AST, words: Set[str]) -> None:
    """Add the packages whose methods are used, for a function that gets their objects without importing them."""
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for package, methods in (("torch", TORCH_METHODS), ("scipy", SPARSE_METHODS), ("polars", POLARS_METHODS)):
        if used & methods:
            words.add(package)
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    if any(isinstance(n, ast.Attribute) and n.attr == "index" and id(n) not in functions for n in ast.walk(tree)):
        words.add("pandas")  # a list has a method index, a series an attribute


def _sorts_upwards(tree: ast.AST) -> bool:
    """Whether something is sorted with the smallest first, and nothing is negated or reversed.

    A reversal that the caller may ask for, as in ``if reverse:``, is none.
    """
    ascending = False
    asked_for = {id(each) for node in ast.walk(tree) if _is_option(node) for each in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in asked_for:
            continue
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.op, ast.USub)
            and not isinstance(node.operand, ast.Constant)
        ):
            return False  # -scores
        if isinstance(node, ast.Slice) and getattr(getattr(node.step, "operand", None), "value", None) == 1:
            return False  # [::-1]
        if isinstance(node, ast.Call):
            name = called(node)
            options = {keyword.arg: getattr(keyword.value, "value", True) for keyword in node.keywords}
            if name in ("flip", "flipud", "fliplr", "reversed") or options.get("descending") or options.get("reverse"):
                return False
            ascending |= name in ("argsort", "sort", "sorted", "rankdata") or options.get("largest") is False
    return ascending


def _is_option(node: ast.AST) -> bool:
    """Whether a node is a branch that a bare name turns on, without another branch beside it."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and not node.orelse


def _made_key(node: ast.AST) -> str:
    """The key in ``frame["weight"] = ...`` unless the value holds it too; empty otherwise."""
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Subscript):
        return ""
    key = getattr(node.targets[0].slice, "value", None)
    own = isinstance(key, str) and key not in _texts(node.value)
    return str(key) if own else ""


def _texts(tree: ast.AST) -> List[str]:
    """String constants and attribute names that could be columns, in the order of the source."""
    texts = []
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append((node.lineno, node.col_offset, node.value))
        elif isinstance(node, ast.Attribute) and id(node) not in functions:  # .items() is no column
            texts.append((node.lineno, node.col_offset, node.attr))
    names = (text for _, _, text in sorted(texts) if re.fullmatch(r"[A-Za-z_][\w ]{0,39}", text))
    return list(dict.fromkeys(names))

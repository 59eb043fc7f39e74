"""Hints from a function's source on how to call it: what it does with each parameter, what it imports."""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType, ModuleType
from typing import Any, Dict, FrozenSet, Iterable, Iterator, List, Mapping, NamedTuple, Sequence, Set, Tuple

from metric_adapters.calls.cut_offs import cut_offs, handed, helpers, texts_handed
from metric_adapters.calls.keys import (
    KeyPath,
    boxes,
    columns_of_methods,
    columns_tested,
    only_told,
    origins_of,
    read_keys,
    reads_entries,
    set_at_first,
)
from metric_adapters.calls.loops import (
    WithoutNamesakes,
    counts_in_fives,
    entries_of,
    finds_own_row,
    reads_second_items,
    returns_at_first,
    session_sizes,
    tell_apart,
    tested_before,
    triples,
    unpacked_by,
    without_aliases,
    zipped,
)
from metric_adapters.calls.numbers import (
    LARGEST_CUT,
    WithConstants,
    counted_nonzero,
    cuts_in_keys,
    default_cuts,
    defaults,
    ends,
    note_constants,
    threshold,
)
from metric_adapters.calls.parameter_names import families, named_like_dict
from metric_adapters.calls.trees import called, described, index_of, inner, is_slice, last_index, parse
from metric_adapters.calls.uses import (
    LOGARITHMS,
    SPARSE_METHODS,
    bounds,
    class_numbers,
    compared_places,
    discounted,
    equal_entries,
    equalled,
    equalled_entry,
    firsts_apart,
    gained,
    greatest,
    hiding_alone,
    is_difference,
    is_last,
    key_named,
    labelled,
    looked_for,
    looked_in,
    made_column,
    made_whole,
    masks,
    note_flags,
    note_order,
    note_use,
    of_curve,
    orders,
    outdone,
    own_products,
    paired,
    products,
    rows_gone_through,
    searched,
    taken,
    tested_for_none,
    unpacked_by_place,
    wanted_value,
)

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
OF_TORCH = ("dim", "descending")
"""Names of arguments that torch alone has."""
PANDAS_METHODS = {"groupby", "sort_values", "iterrows", "itertuples"}
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


AREA = re.compile(r"(?<![a-z])(roc|auc|gauc|auroc)(?![a-z])", re.IGNORECASE)
"""In the name of a function that claims an area under a curve, of the scores of candidates."""
GAINS = re.compile(r"dcg|gain", re.IGNORECASE)
"""In the name of a function that may take gains."""
OF_A_SIZE = ("len", "zeros_like", "ones_like", "empty_like", "full_like")
"""Functions that read nothing of their first argument but its size."""
SATURATING = ("sigmoid", "expit", "Sigmoid", "softmax", "exp")
"""Functions of which large scores have one value."""
MEAN_OF = re.compile(
    r"(?<![a-z])(mean_(?!average|reciprocal|rank)|(avg|average)_(?!percision|precision|recall|reciprocal|rank))"
)
"""In the name of a function that takes the mean of values which it may get ready: ``mean_recall_at_k``."""
PLACES = ("nonzero", "argwhere", "where")
OF_ENTRIES = {
    "ordered": "ordered",
    "contained": "entry_contained",
    "alike": "entry_contained",
    "sliced": "entry_sliced",
    "member": "entry_member",
    "made_set": "entry_member",
    "triples": "triples",
}
"""What a helper does with the entries that it is handed one by one, as a use of what they are entries of."""
HELPERS_DEEP = 2
"""What is done with a parameter is followed through this many helpers."""


class Source(NamedTuple):
    """Hints from the source; all empty if it cannot be read (C code, a console).

    of : by parameter, its uses: contained (in another), sliced, zipped, member, mapping, frame, set, rows, indexed,
    looped, unpacked, compared, sparse, widened, of_ranks, couple, second, triples, tensor;
    ``alike``: it is compared with another one; ``option``: it is only tested;
    ``flags``: its entries are True and False; ``summed``: a slice of it is summed; ``entry_sliced``: its entries are
    sliced; ``entry_index``: its entries are indices; ``entry_contained``: each of its entries is looked for in one of
    another parameter's; ``entry_alike``: it is compared with that of another; ``entry_member``: something is looked for
    in each of its entries; ``column``: it is made one;
    ``one_a_row``: its docstring says that it has one entry for each row of another one; ``none``: its entries may be
    None; ``couples``: the first and the second of each entry are read; ``labels``: its docstring says that it holds
    labels; ``curve_true``, ``curve_score``: scikit-learn gets it; ``discounted``: the logarithm of its entries is
    taken; ``sorted_by_third``: it is sorted by the third value of its entries; ``product``: its rows are compared with
    those of another matrix;
    ``own_product``: its rows are compared with each other;
    ``greatest``: the place of its greatest entry is found; ``greater``, ``smaller``: each of its entries is tested to
    be so beside each of another's; ``nonzero``: its entries other than 0 are counted or found;
    ``summed_down``: its columns are summed;
    ``second_column``: that is read of it; ``called``: it is called;
    ``class_number``: rows with a single 1 are made of its entries;
    ``first_apart``: its first entry and all others are read apart; ``gained``: its entries are divided by one;
    ``hides``: all that is done with it is that its entries other than 0 hide those of another;
    ``unread_entries``: a loop goes through it beside others and reads none of its entries;
    ``number``: it is a bound, or the end of a range; ``searched``:
    its entries are looked for in another parameter; ``entry_key``: something is read under each of its entries;
    ``counted``: nothing but its length, or that of its entries, is
    read. What a helper does with a parameter that it is handed counts too.
    words : the uses of the whole function: sorts, ascending, diagonal, gains, signs, torch, pandas, polars, scipy;
    ``sorts_down`` where the entries of each column are put in order;
    ``last`` where the last entry is read, or its place;
    ``difference`` where an entry is read at a place less another number;
    ``first_alone`` where the place of a greatest or least entry is found;
    ``second_items`` where a loop takes items from the second place of pairs;
    ``first_hit`` where a loop ends with a result at the first entry that passes a test;
    ``cube`` where three dimensions are permuted; ``area`` where its name is that of an area under a curve, ``averages``
    where it is that of a mean of values;
    ``columns`` where two columns are compared; ``text`` where entries are made text; ``torch_elsewhere``,
    ``pandas_elsewhere`` where only other functions of the file use it;
    ``one_relevant`` where its docstring says that a user has one relevant item.
    texts : its string constants and attribute names, in order; module_texts : those of its file; strings : its string
    constants alone. compared : by name, the constants it is compared with. cuts : constants at which slices end.
    limits : the cut-offs that comparisons and loops may mean (1 for results named so). unread : parameters that are
    never read, or shown. shown : those whose entries only stand beside a result. keys : by parameter, the keys read
    from it: columns, names in a dict. sizes : the sizes of sessions of fixed size. made : columns that it writes
    and does not read in what it writes. tested : columns that it reads where a frame has them. boxes : by
    parameter, the keys and indexes under which alone it is read, so that its data is in dicts or lists of one
    entry. triple : the names of the three values that a loop unpacks. told : the texts that helpers are handed, by
    the names of their parameters. grouped, sorted, joined : the columns that frames are grouped, sorted and joined
    by. thresholds : numbers at or above which something is tested to be; above : those above which. whole : the
    columns and parameters whose entries are made whole numbers. wanted : the text that is asked for under a key.
    ones : the keys under which 1 is asked for.
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
    shown: FrozenSet[str] = frozenset()
    keys: Mapping[str, Tuple[str, ...]] = MappingProxyType({})
    sizes: Tuple[int, ...] = ()
    boxes: Mapping[str, KeyPath] = MappingProxyType({})
    made: FrozenSet[str] = frozenset()
    tested: FrozenSet[str] = frozenset()
    triple: Tuple[str, ...] = ()
    told: Mapping[str, str] = MappingProxyType({})
    grouped: Tuple[str, ...] = ()
    sorted: Tuple[str, ...] = ()
    joined: Tuple[str, ...] = ()
    whole: FrozenSet[str] = frozenset()
    wanted: Mapping[str, str] = MappingProxyType({})
    ones: FrozenSet[str] = frozenset()
    thresholds: Tuple[float, ...] = ()
    above: Tuple[float, ...] = ()

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


@dataclass
class Names:
    """What the names of a tree stand for.

    entries : of a loop over several inputs at once, by name the input whose entry it is. each : the same of any loop.
    parts, wholes : local names of an entry and of a slice of an input. rows : see :func:`rows_gone_through`. held : the
    input of which a name is an entry, also in a slice. masked : see :func:`masks`. origins : the parameter of which a
    name is a part. logarithms : the names that are one. defined : functions inside the function.
    """

    entries: Dict[str, str]
    each: Dict[str, str]
    parts: Dict[str, str]
    wholes: Dict[str, str]
    rows: Dict[str, str]
    held: Dict[str, str]
    masked: Set[str]
    origins: Dict[str, str]
    logarithms: Set[str]
    defined: Set[str]


@dataclass
class Notes:
    """What is found so far, as in :class:`Source`; ``limits`` are those of helpers."""

    of: Dict[str, Set[str]]
    words: Set[str]
    texts: List[str]
    strings: Set[str]
    keys: Dict[str, Tuple[str, ...]]
    whole: Set[str]
    made: Set[str]
    tested: Set[str]
    grouped: List[str]
    joined: List[str]
    thresholds: List[float]
    above: List[float]
    compared: Dict[str, List[Any]] = field(default_factory=dict)
    cuts: Set[int] = field(default_factory=set)
    limits: List[int] = field(default_factory=list)

    def add(self, name: str, use: str) -> None:
        """Add a use of a parameter; other names are ignored."""
        self.of.get(name, set()).add(use)


def read_source(function: Any, deep: int = HELPERS_DEEP) -> Source:
    """The hints of a function, method or callable object. deep : its uses are followed through this many helpers."""
    code = inner(function)
    tree = parse(code)
    used = getattr(code, "__globals__", {})
    packages = ("torch", "pandas", "polars", "scipy")
    words = {package for package in packages if any(_is_of(value, package) for value in list(used.values()))}
    if tree is None:
        return Source({}, frozenset(words), [], [])
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    if "torch" in words and (not _shows_torch(tree, used) or _reads_sizes(tree, parameters)):
        words.add("torch_elsewhere")
    constants = WithConstants(used, texts_of(class_of(code)), tree)
    tree = ast.fix_missing_locations(WithoutNamesakes(parameters).visit(constants.visit(tree)))
    tell_apart(tree)
    without_aliases(tree, parameters)
    names = names_in(tree)
    values = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    notes = Notes(
        of={name: set() for name in parameters},
        words=words,
        texts=_texts(tree),
        strings={value for value in values if isinstance(value, str)},
        keys=read_keys(tree),
        whole={name for node in ast.walk(tree) for name in made_whole(node)},
        made={key for node in ast.walk(tree) for key in _made_keys(node)},
        tested=columns_tested(tree),
        grouped=columns_of_methods(tree, "groupby", "group_by"),
        joined=columns_of_methods(tree, "merge", "join", "set_index"),
        thresholds=_thresholds(tree, code, deep),
        above=_thresholds(tree, code, deep, above=True),
    )
    for node in ast.walk(tree):
        _note_node(node, notes, names, used)
        for name, helper, parameter in handed(node, code) if deep else ():
            if names.origins.get(name, "") in notes.of and not _is_of(helper, "sklearn"):  # what it takes is known
                _note_helper(notes, names, name, read_source(helper, deep - 1), parameter)
    loops = (node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.comprehension)))
    listed = {loop.iter.id: getattr(loop.target, "id", "") for loop in loops if isinstance(loop.iter, ast.Name)}
    for whole, entry in listed.items():  # a list is compared with what its entries are compared with
        if entry and entry in notes.compared:
            notes.compared.setdefault(whole, []).extend(notes.compared[entry])
    loads = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    _note_parameters(tree, notes, names, loads)
    _note_words(tree, code, notes, used)
    _note_docstring(function, code, notes)
    read, known = parameters.intersection(loads), cut_offs(code)
    for name in (names.each.get(entry, "") for entry, places in known.places.items() if places == 2):
        notes.add(name, "couples")
    literals = (*known.literals, *cuts_in_keys(tree), *default_cuts(tree, known.parameters), *notes.limits)
    shown = only_told(tree) & parameters
    pairs = {pair for node in ast.walk(tree) for pair in ends(node)} | {
        (0, end) for end in literals if 1 < end <= LARGEST_CUT
    }
    asked = [wanted_value(node) for node in ast.walk(tree)]
    return Source(
        of={name: frozenset(uses) for name, uses in notes.of.items() if names.origins.get(name) == name},
        words=frozenset(words),
        texts=list(dict.fromkeys(notes.texts)),
        module_texts=_texts_of_file(inspect.getmodule(code)),
        compared=notes.compared,
        cuts=tuple(sorted(notes.cuts)),
        strings=frozenset(notes.strings),
        limits=tuple(dict.fromkeys(end for _, end in sorted(pairs, key=lambda pair: (pair[0], -pair[1])))),
        unread=frozenset(parameters - ({*loads} - shown) if read and "locals" not in loads else ()),
        shown=frozenset(shown),
        keys=notes.keys,
        sizes=session_sizes(parse(class_of(code)) or tree),
        boxes=boxes(tree),
        made=frozenset(notes.made),
        tested=frozenset(notes.tested),
        told={name: text for node in ast.walk(tree) for name, text in texts_handed(node, code)},
        grouped=tuple(dict.fromkeys(notes.grouped)),
        sorted=tuple(dict.fromkeys(columns_of_methods(tree, "sort_values"))),
        joined=tuple(dict.fromkeys(notes.joined)),
        whole=frozenset(notes.whole),
        wanted={key: value for key, value in asked if isinstance(value, str)},
        ones=frozenset(key for key, value in asked if value == 1),
        thresholds=tuple(dict.fromkeys(notes.thresholds)),
        above=tuple(dict.fromkeys(notes.above)),
        triple=next((found for node in ast.walk(tree) if (found := unpacked_by(node))), ()),
    )


def names_in(tree: ast.AST) -> Names:
    """What the names of a tree stand for."""
    nodes = list(ast.walk(tree))
    entries = dict(pair for node in nodes for pair in zipped(node))
    parts = dict(pair for node in nodes for pair in taken(node))
    wholes = dict(pair for node in nodes for pair in taken(node, slices=True))
    held = {**parts, **entries}
    held.update((name, held[whole]) for name, whole in wholes.items() if whole in held and name != whole)
    logarithms = (node for node in nodes if isinstance(node, ast.Assign) and called(node.value) in LOGARITHMS)
    return Names(
        entries=entries,
        each=dict(pair for node in nodes for pair in entries_of(node)),
        parts=parts,
        wholes=wholes,
        rows=dict(pair for node in nodes for pair in rows_gone_through(node)),
        held=held,
        masked=masks(tree),
        origins=origins_of(tree),
        logarithms={str(getattr(target, "id", "")) for node in logarithms for target in node.targets},
        defined={node.name for node in nodes if isinstance(node, ast.FunctionDef)},
    )


def _thresholds(tree: ast.AST, code: Any, deep: int, above: bool = False) -> List[float]:
    """The numbers that something is tested to reach, also those of a constructor in helpers of the function itself.

    above : those that it is tested to be above, instead.
    """
    given = defaults(code) if deep < HELPERS_DEEP else {}  # those of the function itself are given
    kind = class_of(code)
    of_self = {f"self.{name}": number for name, number in (defaults(kind) if kind else {}).items()}
    found = [threshold(node, {**given, **of_self}, above) for node in ast.walk(tree)]
    for helper, helper_tree in helpers(code) if deep == HELPERS_DEEP else ():
        found += (threshold(node, {**defaults(helper), **of_self}, above) for node in ast.walk(helper_tree))
    return [number for number in found if number is not None]


def _note_node(node: ast.AST, notes: Notes, names: Names, used: Mapping[str, Any]) -> None:
    """Add what one node shows; ``used``: the names of its module."""

    def uses_of(name: str) -> Set[str]:
        """Those of the parameter of which a name is an entry, or an entry of its first ones."""
        whole = names.each.get(name, name)
        return notes.of.get(whole if whole in notes.of else names.wholes.get(whole, whole), set())

    note_use(node, notes.of, notes.words)
    note_order(node, notes.of, names.entries, names.masked)
    note_flags(node, notes.of)
    function = str(getattr(getattr(node, "func", None), "id", ""))
    own = function in names.defined or _is_namesake(used.get(function))
    for name, use in (*(() if own else of_curve(node)), *labelled(node)):
        notes.add(name, use)
    for name in discounted(node):
        uses_of(name).add("discounted")
    for name in paired(node):
        uses_of(name).add("paired")
    for name, use in zip(outdone(node, {**names.each, **dict.fromkeys(names.entries, "")}), ("greater", "smaller")):
        notes.add(name, use)
    uses_of(gained(node, names.logarithms)).add("gained")
    uses_of(searched(node)).add("searched")
    notes.add(names.each.get(key_named(node), ""), "entry_key")
    for name in bounds(node):
        notes.add(name, "number")
    notes.add(names.each.get(tested_for_none(node), ""), "none")
    notes.add(names.held.get(looked_in(node), ""), "entry_member")
    one = looked_for(node, set(names.held)) or equalled(node, set(names.entries)) or equalled_entry(node, names.rows)
    notes.add(names.held.get(one, one), "entry_contained")
    for name in equal_entries(node, names.entries):
        notes.add(names.held[name], "entry_alike")
    uses_of(str(getattr(triples(node), "id", ""))).add("triples")
    notes.add(made_column(node), "column")
    notes.add(greatest(node), "greatest")
    notes.add(names.origins.get(counted_nonzero(node), ""), "nonzero")
    sliced = getattr(getattr(node, "value", None), "id", "") if is_slice(node) else ""
    notes.add(names.parts.get(sliced, ""), "entry_sliced")
    note_constants(node, used, notes.compared, notes.cuts)


def _is_namesake(own: Any) -> bool:
    """Whether a function of the module itself is named like scikit-learn's, but takes other parameters."""
    code = getattr(own, "__code__", None)
    return code is not None and not _is_of(own, "sklearn") and code.co_varnames[:2] != ("y_true", "y_score")


def _note_helper(notes: Notes, names: Names, name: str, inside: Source, parameter: str) -> None:
    """Add what a helper does with its ``parameter``, to which a parameter or a part of one, ``name``, is handed."""
    origin = names.origins[name]
    done = inside.of.get(parameter, frozenset()) - {"counted"}  # others may read its entries
    if name == origin:
        notes.of[origin].update(done)
        texts = (each for each in inside.compared.get(parameter, ()) if isinstance(each, str))
        notes.compared.setdefault(origin, []).extend(texts)
    elif origin in (names.each.get(name), names.parts.get(name)):
        notes.of[origin].update(OF_ENTRIES[use] for use in done if use in OF_ENTRIES)
    notes.words |= {"entries", "diagonal", "signs", "rows", "text", "whole_rows"} & inside.words
    notes.limits += inside.limits
    notes.thresholds += inside.thresholds
    notes.above += inside.above
    notes.keys[origin] = tuple(dict.fromkeys((*notes.keys.get(origin, ()), *inside.keys.get(parameter, ()))))
    if "frame" in done:  # the helper names the columns
        notes.texts += inside.texts
        notes.strings |= inside.strings
        notes.grouped += inside.grouped
        notes.joined += inside.joined
        notes.made |= inside.made
        notes.tested |= inside.tested
        notes.whole |= inside.whole


def _note_parameters(tree: ast.AST, notes: Notes, names: Names, loads: Sequence[str]) -> None:
    """Add the uses of parameters that more than one node shows. loads : the names that are read, each time."""
    parameters = {*notes.of}
    for name in parameters:
        if notes.keys.get(name):
            notes.of[name].discard("of_ranks")  # for r in rows: r["relevant"]
        if named_like_dict(name) and "indexed" in notes.of[name]:
            notes.add(name, "mapping")
    shown: Tuple[Tuple[Iterable[str], str], ...] = (
        (tested_before(tree), "mapping"),
        (firsts_apart(tree), "first_apart"),
        (unpacked_by_place(tree), "unpacked"),
        (class_numbers(tree), "class_number"),
        (hiding_alone(tree), "hides"),
        (products(tree, parameters), "product"),
        (own_products(tree, parameters), "own_product"),
        (_tested_alone(tree), "option"),
        (_counted(tree, names.each), "counted"),
    )
    for found, use in shown:
        for name in found:
            notes.add(name, use)
    for entry, name in names.entries.items():
        if entry not in loads and loads.count(name) == 1:
            notes.add(name, "unread_entries")
    for node in ast.walk(tree):  # for user in hits: total += hits[user]
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
            name = str(getattr(node.value, "id", ""))
            notes.add(name if names.each.get(node.slice.id) == name else "", "mapping")


def _note_words(tree: ast.AST, code: Any, notes: Notes, used: Mapping[str, Any]) -> None:
    """Add the uses of the whole function, by its source and its name."""
    words = notes.words
    _note_packages(tree, words)
    frames = any(notes.keys.values()) or any("frame" in uses for uses in notes.of.values())
    if "pandas" in words and not frames and not any(_names(node, used, "pandas") for node in ast.walk(tree)):
        words.add("pandas_elsewhere")
    if _takes_columns_of_places(tree):
        words.add("rows")
    if any(called(node) in ("argmax", "argmin") for node in ast.walk(tree)):
        words.add("first_alone")
    if any(map(counts_in_fives, ast.walk(tree))):
        words.add("fives")
    if finds_own_row(tree, {*notes.of}):
        words.add("diagonal" if "sorts" in words else "own_row")
    if any(map(_sorts_upwards, (tree, *(helper for _, helper in helpers(code))))):
        words.add("ascending")
    if any(called(node) in SATURATING for node in ast.walk(tree)):
        words.add("logits")
    if any("code" in families(name) for node in ast.walk(tree) for name in compared_places(node)):
        words.add("signs")
    if reads_second_items(tree):
        words.add("second_items")
    if any(map(returns_at_first, ast.walk(tree))):
        words.add("first_hit")
    if any(map(is_last, ast.walk(tree))):
        words.add("last")
    if any(map(is_difference, ast.walk(tree))):
        words.add("difference")
    if reads_entries(tree):
        words.add("entries")
    if _counts_places_from_one(tree):
        words.add("from_one")
    name = getattr(code, "__qualname__", "")
    if GAINS.search(name):
        words.add("gains")
    if AREA.search(name):
        words.add("area")
    if MEAN_OF.search(name):
        words.add("averages")


def _note_docstring(function: Any, code: Any, notes: Notes) -> None:
    """Add what the docstrings of a function and of its class say."""
    docstring = str(getattr(function, "__doc__", None) or "")
    if ONE_RELEVANT.search(docstring):
        notes.words.add("one_relevant")
    for name in notes.of:
        if LABELS.search(described(function, name)):
            notes.add(name, "labels")
    for name in one_a_row(f"{docstring}\n{getattr(class_of(code), '__doc__', None) or ''}", {*notes.of}):
        notes.add(name, "one_a_row")


def _shows_torch(tree: ast.AST, used: Mapping[str, Any]) -> bool:
    """Whether a function itself, and not only its file, uses torch or something of a tensor."""
    for node in ast.walk(tree):
        if _names(node, used, "torch"):
            return True
        if isinstance(node, ast.Attribute) and node.attr in TENSOR_METHODS:
            return True
        if isinstance(node, ast.keyword) and node.arg in OF_TORCH:
            return True
    return False


def _reads_sizes(tree: ast.AST, parameters: Set[str]) -> bool:
    """Whether the size of a parameter is a number, as that of an array is; a tensor has a method of that name."""
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    sizes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "size"]
    return any(id(node) not in functions and getattr(node.value, "id", "") in parameters for node in sizes)


def _names(node: ast.AST, used: Mapping[str, Any], package: str) -> bool:
    """Whether a node is the name of a package, or of something of it."""
    return isinstance(node, ast.Name) and _is_of(used.get(node.id), package)


def _is_of(value: Any, package: str) -> bool:
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return isinstance(name, str) and name.split(".")[0] == package


def _counted(tree: ast.AST, each: Mapping[str, str]) -> Set[str]:
    """The names of which only the length is read, or that of their entries: ``len(items) for items in truths``.

    each : by name of a loop, the name of what it is an entry of.
    """
    counted: Set[int] = set()
    passed: Set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in OF_A_SIZE:
            counted.update(map(id, node.args))
        elif isinstance(node, ast.Attribute) and node.attr == "shape":
            counted.add(id(node.value))
        elif isinstance(node, (ast.For, ast.comprehension)):
            passed.update(map(id, _gone_through(node.iter)))
    loads = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    others = {name for node in loads if id(node) not in counted | passed for name in (node.id, each.get(node.id, ""))}
    read = {name for node in loads if id(node) in counted for name in (node.id, each.get(node.id, ""))}
    return read - others


def _gone_through(iterable: ast.AST) -> List[ast.AST]:
    """What a loop goes through; through ``zip`` and ``enumerate`` their arguments."""
    if called(iterable) not in ("enumerate", "zip"):
        return [iterable]
    return [each for argument in getattr(iterable, "args", ()) for each in _gone_through(argument)]


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
        if isinstance(index, ast.Tuple) and getattr(last_index(node), "value", None) == 1:  # type: ignore[arg-type]
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
        if isinstance(node, ast.Assign) and orders(node.value):
            places |= {each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)}

    def are_places(part: ast.AST) -> bool:
        return any(orders(each) or getattr(each, "id", "") in places for each in ast.walk(part))

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


def class_of(code: Any) -> Any:
    """The class to which a method belongs, if its module defines it by name; None for a function."""
    name, _, method = str(getattr(code, "__qualname__", "")).partition(".")
    return getattr(code, "__globals__", {}).get(name) if method else None


def texts_of(kind: Any) -> Dict[str, str]:
    """The attributes that a constructor sets to a text, or to a parameter whose default is one."""
    values = set_at_first(kind) if inspect.isclass(kind) else {}
    texts = {name: getattr(value, "value", None) for name, value in values.items()}
    return {name: text for name, text in texts.items() if isinstance(text, str)}


def one_a_row(docstring: str, parameters: Set[str]) -> List[str]:
    """The parameters that a docstring gives the shape ``(n,)``, beside another of the shape ``(n, k)`` or ``n x k``."""
    opened, size = r"(?:\(|(?<!\w)\[)\s*", r"([A-Za-z][\w ]*?)\s*"  # not the bracket of a type, as in List[Any]
    rows = {match[1] for match in re.finditer(rf"{opened}{size}(?:,| x )\s*[\w ]+[)\]]", docstring)}
    typed, told = r"(?:\s*\([^)\n]*\)\s*:)?", r"[^\n(\[]*"
    plain = rf"(?:\W*|{told}shape\W*)\(\s*{size}\)"  # in the middle of a sentence, (n) may stand for a number
    found = []
    for name in parameters:
        one = rf"(?:{plain}|{told}\(\s*{size},\s*\)|{told}(?<!\w)\[\s*{size},?\s*\])"
        shapes = rf"{one}(?!\s+or\s+[(\[])"  # of shape (n,) or (n, k): as scikit-learn takes labels
        line = re.search(rf"(?<!\w){re.escape(name)}(?!\w){typed}{shapes}", docstring)
        if line and rows.intersection(line.groups()):
            found.append(name)
    return found


def _note_packages(tree: ast.AST, words: Set[str]) -> None:
    """Add the packages whose methods are used, for a function that gets their objects without importing them."""
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    of_packages = {"torch": TORCH_METHODS, "scipy": SPARSE_METHODS, "pandas": PANDAS_METHODS, "polars": POLARS_METHODS}
    for package, methods in of_packages.items():
        if used & methods:
            words.add(package)
    if any(isinstance(node, ast.keyword) and node.arg in OF_TORCH for node in ast.walk(tree)):
        words.add("torch")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    if any(isinstance(call.func, ast.Attribute) and call.func.attr == "size" and call.args for call in calls):
        words.add("torch")  # that of an array is a number
    functions = {id(call.func) for call in calls}
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


def _made_keys(node: ast.AST) -> Iterator[str]:
    """The keys in ``frame["weight"] = ...`` and ``frame.assign(weight=...)`` unless their values hold them too."""
    made: List[Tuple[Any, ast.AST]] = []
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        made = [(getattr(node.targets[0].slice, "value", None), node.value)]
    elif isinstance(node, ast.Call) and called(node) == "assign":
        made = [(keyword.arg, keyword.value) for keyword in node.keywords]
    yield from (key for key, value in made if isinstance(key, str) and key not in _texts(value))


@lru_cache(maxsize=8)
def _texts_of_file(module: Any) -> List[str]:
    """:func:`_texts` of a whole file, which is read once for all its functions."""
    tree = parse(module)
    return [] if tree is None else _texts(tree)


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

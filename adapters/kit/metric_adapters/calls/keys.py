"""The keys that a function reads from each parameter: columns of a frame, names in a dict."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union

from metric_adapters.calls.trees import called, index_of, inner, parse

COLUMN_KEYWORDS = {"by", "on", "left_on", "right_on", "subset", "key"}
"""Keyword arguments that name columns."""
COLUMN_METHODS = {"groupby", "group_by", "sort_values", "sort", "set_index", "drop_duplicates", "nlargest", "get"}
"""Methods whose first argument names columns."""
MERGED = "_merge"
"""The column that pandas adds where it says in which frame a row was."""
NO_COLUMNS = {"shape", "size", "dtype", "dtypes", "device", "values", "index", "columns", "loc", "iloc", "at", "iat"}
NO_COLUMNS |= {"T", "str", "dt", "data", "indices", "indptr", "ndim", "empty", "nnz", "real", "is_cuda"}
"""Attributes of frames, arrays and tensors."""
ENTRY_KEY = re.compile(
    r"(\w*_)?(id|item|doc|iid|docid|movie|product|timestamp|meta|metadata|payload|node|chunk|source|title|link|url|path"
    r"|paper|article|document|passage|page)"
    r"|\w+_(number|no|num|code)|(\w+_)?(content|text)|words?|terms?|phrase"
    r"|(doc|document|chunk|passage|page|section|source|file|paper|article)_(index|idx|name|path|key|hash)|filename"
)
"""Attributes or keys of list entries that are objects."""
TEXT_KEY = re.compile(
    r"(\w+_)?(text|content|title|(file)?name|(sub)?section|chapter|source|url|uri|path|link|href|slug)|words?|terms?|phrase"
)
"""Of these, those under which there is a text and no number."""


def read_keys(tree: ast.AST) -> Dict[str, Tuple[str, ...]]:
    """The keys that are read from each parameter and from variables made from it, in order; not those written first.

    A key is a text between brackets, an argument that names columns, or an attribute that is no method. A local
    variable is traced back to its parameter: after ``rows = data[data.user == u]``, keys of ``rows`` are of ``data``.
    """
    ends = {
        id(target): _end(node) for node in ast.walk(tree) if isinstance(node, ast.Assign) for target in node.targets
    }
    nodes = [node for node in ast.walk(tree) if hasattr(node, "lineno")]
    nodes.sort(key=lambda node: ends.get(id(node), _end(node)))
    origins = origins_of(tree)
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    read: Dict[str, Dict[str, None]] = {}
    written: Set[Tuple[str, str]] = set()
    for holder, key, store in (row for node in nodes for row in _keys(node, id(node) in called)):
        parameter = _root(holder, origins)
        if parameter is not None and store:
            written.add((parameter, key))
        elif parameter is not None and (parameter, key) not in written:
            read.setdefault(parameter, {})[key] = None
    return {name: tuple(key for key in keys if key != MERGED) for name, keys in read.items()}


def origins_of(tree: ast.AST) -> Dict[str, str]:
    """The parameter that each name is a part of; parameters included."""
    origins = {node.arg: node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    made = list(_made(tree))
    for name, source in (*made, *made):  # an inner comprehension is written before the outer one
        parameter = _root(source, origins)
        if parameter is not None and (name not in origins or parameter != name):
            origins[name] = parameter
    return origins


def _end(node: ast.AST) -> Tuple[int, int]:
    """Line and column where a node ends; a target is written where its assignment ends."""
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def _made(tree: ast.AST) -> Iterator[Tuple[str, ast.AST]]:
    """Local names and the expression of each: an assigned value, the iterable of a loop, the caller of a lambda."""
    pairs: List[Tuple[ast.AST, ast.AST]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            pairs += [(target, node.value) for target in node.targets]
        elif isinstance(node, (ast.For, ast.comprehension)):
            pairs += _looped(node.target, node.iter)
        elif isinstance(node, ast.Call):
            method = isinstance(node.func, ast.Attribute)
            if method and called(node) == "append" and node.args and isinstance(node.args[0], (ast.Name, ast.Call)):
                pairs.append((_bottom(node.func), node.args[0]))
            whole = node.func if method else node.args[0] if node.args else node.func
            pairs += [
                (ast.Name(row.arg, end_lineno=row.lineno, end_col_offset=0), whole)
                for argument in (*node.args, *(keyword.value for keyword in node.keywords))
                if isinstance(argument, ast.Lambda)
                for row in argument.args.args[:1]
            ]
    for target, source in sorted(pairs, key=lambda pair: _end(pair[0])):
        for name in getattr(target, "elts", [target]):
            if isinstance(name, ast.Name):
                yield name.id, source


def _bottom(node: ast.AST) -> ast.AST:
    """``rows`` in ``rows[user].append`` and in ``rows.setdefault(user, []).append``."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node


def _looped(target: ast.AST, iterable: ast.AST) -> List[Tuple[ast.AST, ast.AST]]:
    """What a loop goes through, by its target; through zipped ones each by its own."""
    arguments = list(getattr(iterable, "args", ()))
    targets = list(getattr(target, "elts", ()))
    if called(iterable) == "enumerate" and arguments and len(targets) == 2:
        return _looped(targets[1], arguments[0])
    if called(iterable) == "zip" and len(targets) == len(arguments):
        return [pair for each, argument in zip(targets, arguments) for pair in _looped(each, argument)]
    return [(target, iterable)]


def _keys(node: ast.AST, called: bool) -> Iterator[Tuple[ast.AST, str, bool]]:
    """The expression that a node takes a key from, the key, and whether the key is written."""
    if isinstance(node, ast.Subscript):
        index = index_of(node)
        for key in _texts(index):
            yield node.value, key, isinstance(node.ctx, ast.Store)
    elif isinstance(node, ast.Attribute) and not called and node.attr not in NO_COLUMNS:
        yield node.value, node.attr, isinstance(node.ctx, ast.Store)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        named = [keyword.value for keyword in node.keywords if keyword.arg in COLUMN_KEYWORDS]
        first = node.args[:1] if node.func.attr in COLUMN_METHODS else []
        for key in (key for argument in (*first, *named) for key in _texts(argument)):
            yield node.func.value, key, False


def columns_of_methods(tree: ast.AST, *methods: str) -> List[str]:
    """The columns in the first argument of these methods, in ``by`` or ``on``; of a parameter, its default text.

    So those by which a function groups, sorts or joins the rows of a frame.
    """
    texts = {name: default for node in ast.walk(tree) for name, default in _texts_by_default(node)}
    columns: List[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in methods:
            for by in (*node.args[:1], *(each.value for each in node.keywords if each.arg in ("by", "on"))):
                columns += [texts[by.id]] if isinstance(by, ast.Name) and by.id in texts else _texts(by)
    return columns


def columns_tested(tree: ast.AST) -> Set[str]:
    """The columns that a function looks for in a frame: ``if "judged" in frame.columns``."""
    tests = (node for node in ast.walk(tree) if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In))
    frames = (node for node in tests if getattr(node.comparators[0], "attr", "") == "columns")
    return {text for node in frames for text in _texts(node.left)}


def _texts(node: Optional[ast.AST]) -> List[str]:
    """The text of a constant, or the texts in a list or tuple of constants."""
    nodes = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
    values = [each.value for each in nodes if isinstance(each, ast.Constant)]
    return [value for value in values if isinstance(value, str)]


def _root(node: ast.AST, origins: Dict[str, str]) -> Optional[str]:
    """The parameter that an expression takes a part of; None if it takes none of a parameter."""
    while not isinstance(node, ast.Name):
        first = next(iter(getattr(node, "generators", ())), None)
        if first is not None and getattr(first.target, "id", None) == getattr(getattr(node, "elt", None), "id", ""):
            node = first.iter  # [row for row in rows if row["relevant"]]
            continue
        if isinstance(node, ast.Call):
            node = node.func if isinstance(node.func, ast.Attribute) else node.args[0] if node.args else node.func
        inner = getattr(node, "value", None)
        if not isinstance(inner, ast.AST):
            return origins.get(getattr(node, "id", ""))
        node = inner
    return origins.get(node.id)


def only_told(tree: ast.AST) -> Set[str]:
    """The names whose entries only stand beside a result, as in ``return {"model": spec["model"], "auc": auc}``."""
    told: List[str] = []
    for value in (*(part for row in rows_made(tree) for part in row.values), *shown_in_texts(tree)):
        holder: ast.AST = value
        if isinstance(value, ast.Subscript):
            holder = value.value
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "get":
            holder = value.func.value
        told.append(str(getattr(holder, "id", "")))
    loads = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return {name for name in told if loads.count(name) == told.count(name)}


def shown_in_texts(tree: ast.AST) -> Iterator[ast.expr]:
    """What texts with ``{}`` show."""
    return (node.value for node in ast.walk(tree) if isinstance(node, ast.FormattedValue))


def rows_made(tree: ast.AST) -> Iterator[ast.Dict]:
    """The dicts that a function returns or appends to a list, and those inside them; not what it hands to a call."""
    nodes = list(ast.walk(tree))
    returned = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    names = {node.id for node in returned if isinstance(node, ast.Name)}
    appended = [node.args[0] for node in nodes if called(node) == "append" and isinstance(node, ast.Call) and node.args]
    made = [value for node in nodes for target, value in assigned(node) if getattr(target, "id", "") in names]
    waiting: List[ast.AST] = [*returned, *appended, *made]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Dict):
            yield node
        if not isinstance(node, ast.Call):
            waiting.extend(ast.iter_child_nodes(node))


GET_LABEL = "get_label"
"""The method by which a data set of LightGBM or XGBoost gives its labels."""


class AttributeName(str):
    """A step of a path that is an attribute, where another text is a key."""


KeyPath = Tuple[Union[str, int], ...]
"""Keys, attributes and indexes 0, one after the other: those of ``response["hits"]["hits"]``."""


def boxes(tree: ast.AST) -> Dict[str, KeyPath]:
    """The parameters that are read under one path alone, each with it: ``batch["labels"]``, ``columns[user_column]``.

    A path ends in the index 0 where what is there is cut or indexed in turn, or behind a key gone through: then it is
    no item but the data. It ends in an attribute where that is gone through: ``for hit in result.points``. A data set
    whose labels are taken has the method's name.
    """
    nodes = list(ast.walk(tree))
    names = {node.arg for node in nodes if isinstance(node, ast.arg)} - {"self", "cls"}
    methods = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    texts = {name: default for node in nodes for name, default in _texts_by_default(node)}
    reads: Dict[str, Set[KeyPath]] = {}
    inside: Set[int] = set()
    for node in nodes:  # the whole of a path comes before its parts
        root, path, parts = _path(node, texts, methods)
        if root in names and path and id(node) not in inside:
            reads.setdefault(root, set()).add(path)
            inside.update(map(id, parts))
    loaded = (node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    whole = {node.id for node in loaded if id(node) not in inside}
    pairs = [pair for node in nodes for pair in assigned(node)]
    local = {target.id: _path(value, texts, methods)[0] for target, value in pairs if isinstance(target, ast.Name)}
    cut = {local.get(str(getattr(node.value, "id", ""))) for node in nodes if isinstance(node, ast.Subscript)}
    gone_through = {_path(part, texts, methods)[0] for node in nodes for part in _gone_through(node)}
    gone_through |= {local.get(name, "") for name in gone_through}
    found: Dict[str, KeyPath] = {}
    for name, paths in reads.items():
        path = next(iter(paths))
        if len(paths) > 1 or name in whole or (isinstance(path[-1], AttributeName) and name not in gone_through):
            continue
        if path[-1] == 0 and not (name in cut or (len(path) > 1 and name in gone_through)):
            path = path[:-1]
        if path:
            found[name] = path
    return {**found, **dict.fromkeys(data_sets(tree) & names, (GET_LABEL,))}


def _path(node: ast.AST, texts: Dict[str, str], methods: Set[int]) -> Tuple[str, KeyPath, List[ast.AST]]:
    """The name, the keys and the parts of an expression such as ``response["hits"]["hits"]`` or ``result.get("ids")``.

    No keys where one is neither a text nor 0. methods : the ids of attributes that are called.
    """
    keys: List[Optional[Union[str, int]]] = []
    parts: List[ast.AST] = []
    while True:
        if isinstance(node, ast.Subscript):
            keys.insert(0, _key(index_of(node), texts))
        elif isinstance(node, ast.Attribute) and id(node) not in methods and node.attr not in NO_COLUMNS:
            keys.insert(0, AttributeName(node.attr))
        elif (
            isinstance(node, ast.Call) and called(node) == "get" and isinstance(node.func, ast.Attribute) and node.args
        ):
            keys.insert(0, _key(node.args[0], texts))
            node = node.func
            parts.append(node)
        else:
            break
        node = node.value
        parts.append(node)
    path = tuple(key for key in keys if isinstance(key, str) or key == 0)
    return str(getattr(node, "id", "")), path if len(path) == len(keys) else (), parts


def _gone_through(node: ast.AST) -> Sequence[ast.AST]:
    """What a node goes through, cuts, or looks for something in."""
    if isinstance(node, (ast.For, ast.comprehension)):
        return [node.iter]
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return node.comparators[:1]
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return [node.value]
    return node.args if isinstance(node, ast.Call) and called(node) in ("set", "list", "enumerate", "len") else []


def data_sets(tree: Optional[ast.AST]) -> Set[str]:
    """The names of which the labels are taken by a method: data sets of LightGBM or XGBoost."""
    nodes = ast.walk(tree) if tree is not None else ()
    holders = (node.value for node in nodes if isinstance(node, ast.Attribute) and node.attr == GET_LABEL)
    return {holder.id for holder in holders if isinstance(holder, ast.Name)}


def assigned(node: ast.AST) -> Iterator[Tuple[ast.AST, ast.AST]]:
    """The targets of an assignment, each with its value; those of a tuple one by one."""
    for target in node.targets if isinstance(node, ast.Assign) else ():
        targets, values = getattr(target, "elts", [target]), getattr(getattr(node, "value", None), "elts", None)
        yield from zip(targets, values if values and len(targets) > 1 else [getattr(node, "value")])  # noqa: B009


def _key(index: Optional[ast.AST], texts: Dict[str, str]) -> Optional[Union[str, int]]:
    """The text or number of an index, or the default text of the parameter that is it; None for another index."""
    if isinstance(index, ast.Name):
        return texts.get(index.id)
    value = getattr(index, "value", None) if isinstance(index, ast.Constant) else None
    return value if type(value) in (str, int) else None


def _texts_by_default(node: ast.AST) -> Iterator[Tuple[str, str]]:
    """The parameters of a function whose defaults are texts, each with it."""
    if isinstance(node, ast.arguments):
        for parameter, default in zip(reversed([*node.posonlyargs, *node.args]), reversed(node.defaults)):
            if isinstance(default, ast.Constant) and isinstance(default.value, str):
                yield parameter.arg, default.value


def reads_entries(tree: ast.AST) -> bool:
    """Whether entries of lists are read as objects, or as dicts with an id."""
    for node in ast.walk(tree):
        for holder, key, _ in _keys(node, False):
            of_entry = isinstance(holder, (ast.Name, ast.Subscript)) and getattr(holder, "id", "") != "self"
            if of_entry and ENTRY_KEY.fullmatch(key.lower()):
                return True
    return False


def set_at_first(kind: Any) -> Dict[str, ast.AST]:
    """What the constructor sets each attribute to; the default of a parameter that it only keeps."""
    tree = parse(inspect.getattr_static(kind, "__init__", None))
    function = next(iter(getattr(tree, "body", ())), None)
    if not isinstance(function, ast.FunctionDef):
        return {}
    positional = [*function.args.posonlyargs, *function.args.args]
    defaults: Dict[str, Any] = {
        each.arg: value for each, value in zip(reversed(positional), reversed(function.args.defaults))
    }
    values = {}
    for node in ast.walk(function):
        for target, value in assigned(node):
            if isinstance(target, ast.Attribute) and getattr(target.value, "id", "") == "self":
                values[target.attr] = defaults.get(getattr(value, "id", ""), value)
    return values


def plain_function(kind: Any, method: str) -> Any:
    """The function of a method or a property."""
    value = inspect.getattr_static(kind, method, None)
    return inner(value.fget if isinstance(value, property) else value)


def attributes_read(kind: Any, method: str) -> List[str]:
    """The attributes that a method, and the methods and properties that it uses, read and do not set, in order."""
    found: Dict[str, None] = {}
    stored: Set[str] = set()
    waiting, known, fields = [method], set(), fields_of(kind)
    while waiting:
        name = waiting.pop()
        tree = parse(plain_function(kind, name)) if name not in known else None
        known.add(name)
        for node in ast.walk(tree) if tree is not None else ():
            if not isinstance(node, ast.Attribute) or getattr(node.value, "id", "") != "self":
                continue
            if isinstance(node.ctx, ast.Store):
                stored.add(node.attr)
                continue
            if is_made(kind, node.attr):
                waiting.append(node.attr)
            elif node.attr in fields or (not hasattr(kind, node.attr) and not node.attr.startswith("__")):
                found[node.attr] = None
    return [name for name in found if name not in stored]


def is_made(kind: Any, name: str) -> bool:
    """Whether a class has a method or a property of that name."""
    held = inspect.getattr_static(kind, name, None)
    return inspect.isroutine(held) or isinstance(held, property)


def fields_of(kind: Any) -> List[str]:
    """The fields of a record: those that a class annotates which has no constructor of its own."""
    body = getattr(next(iter(getattr(parse(kind), "body", ())), None), "body", ())
    written = any(getattr(each, "name", "") == "__init__" for each in body)
    return [] if written else [*getattr(kind, "__annotations__", {})]

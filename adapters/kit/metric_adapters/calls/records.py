"""Records of one user: an object or a dict that holds the relevant and the recommended items under fixed names.

Or the rank of the one relevant item, under one name or several.
"""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from metric_adapters.calls.builders import RANK_OF_UNLISTED, recommended
from metric_adapters.calls.entries import ITEM, PRODUCT, USER, Entry
from metric_adapters.calls.facts import Source
from metric_adapters.calls.keys import ENTRY_KEY, attributes_read, is_made
from metric_adapters.calls.packages import Fields
from metric_adapters.calls.parameter_names import families
from metric_adapters.calls.trees import parsed
from metric_adapters.calls.view import View, text_of

RANK = re.compile(r"(\w+_)?(rank|position|pos)")
GRADED = re.compile(r"(dict|mapping)\[.*\b(int|float)\]")
"""The annotation of gains by item."""
LIST = re.compile(r"(typing\.)?(list|sequence|tuple)\[")
"""That of a list."""
NUMBER = re.compile(r"(typing\.)?(optional\[)?(<class ')?(builtins\.)?(bool|int|float)('>)?\]?( \| none)?")
"""That of a number: a field with it holds no items."""
TYPES = {"str": str, "int": int, "float": float, "bool": bool, "list": list, "dict": dict, "set": set, "tuple": tuple}
"""The type of a value, by the first word of an annotation."""
LEFT_OUT = re.compile(r"(^|_)(skip|err|fail|exclu|ignor|invalid|missing|un|not?_)")
"""In the name of a flag that is set where a user is left out; other flags are set where one counts."""


class Record(NamedTuple):
    """The names in a record, and its type.

    ranks : the names of the rank; a record that has them holds no items. kind : the class in the annotation of the
    function's parameter; None for a dict. text : ids are text. nested : each relevant item is a list of its own, for
    functions that take groups of equivalent items. others : further required fields, each with what makes it. entries :
    each recommended item is an entry with keys. wanted : the texts that a function asks for under other keys. graded :
    the relevant items are a dict from item to gain. sets : they are a set. zeros : further keys beside a rank, which
    hold 0, or zeros for as many items as there are where they hold several.
    """

    relevant: str = "relevant"
    recommended: str = "recommended"
    ranks: Tuple[str, ...] = ()
    kind: Optional[type] = None
    text: bool = False
    nested: bool = False
    others: Tuple[Tuple[str, Callable[[], Any]], ...] = ()
    missing: Optional[int] = None
    entries: bool = False
    wanted: Tuple[Tuple[str, str], ...] = ()
    graded: bool = False
    sets: bool = False
    zeros: Tuple[str, ...] = ()

    def made(self, view: View, user: int, truth: Any) -> Any:
        """The record of a user. truth : what the role of the relevant items has for this user."""
        listed = self._ids(recommended(view, user).tolist())
        listed = list(map(Entry, listed, range(len(listed)))) if self.entries else listed
        if isinstance(truth, dict):
            held: Any = dict(zip(self._ids(list(truth)), truth.values()))
        elif isinstance(truth, np.ndarray):
            items = self._ids(truth.tolist())
            held = [[each] for each in items] if self.nested else set(items) if self.sets else items
        else:
            (held,) = self._ids([truth])
        return self._of({self.relevant: held, self.recommended: listed}, user)

    def ranked(self, view: View, rank: int, user: int) -> Any:
        """The record of a user with this rank."""
        missing = rank >= RANK_OF_UNLISTED
        fields: Dict[str, Any] = dict.fromkeys(self.ranks or ("rank",), self.missing if missing else rank)
        rest = {name: [0.0] * view.case.n_items if holds_several(name) else 0.0 for name in self.zeros}
        return self._of({**rest, **fields}, user)

    def _of(self, fields: Dict[str, Any], user: int) -> Any:
        others = {name: made() for name, made in self.others}
        return Named(user, {**dict(self.wanted), **fields}) if self.kind is None else self.kind(**fields, **others)

    def _ids(self, ids: List[Any]) -> List[Any]:
        return list(map(text_of, ids)) if self.text else ids


class Named(Fields):
    """A record as a dict whose keys are attributes too; a key that names the user or the query need not be known."""

    def __init__(self, user: int, fields: Dict[str, Any]) -> None:
        super().__init__(fields)
        self._user = f"query {user}"

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __missing__(self, key: str) -> str:
        if names_a_user(key) or key.endswith("_id"):
            return self._user
        raise KeyError(key)


class Held(Dict[str, Any]):
    """The items of one user in a dict whose keys are attributes too, under any name that means them.

    family : of the names that mean the items, ``truth`` or ``list``. user : what is under the names of the user.
    """

    def __init__(self, family: str, items: Any, user: str) -> None:
        super().__init__()
        self._family, self._items, self._user = family, items, user

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self:
            return self[name]
        raise AttributeError(name)

    def __getitem__(self, key: str) -> Any:
        found = self.get(key)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.get(key) is not None

    def __repr__(self) -> str:
        return f"Held({self._items!r})"

    def get(self, key: str, default: Any = None) -> Any:
        """The items or the user, whichever the key means; no items that are judged not to be relevant."""
        meant = families(key)
        if self._family in meant:
            return self._items
        return self._user if names_a_user(key) else [] if "negative" in meant else default


class HeldItem(Held):
    """The one relevant item of a user, also under any key of an item that asks for no question."""

    def get(self, key: str, default: Any = None) -> Any:
        """The item or the user, whichever the key means."""
        of_item = key.lower() == "id" or any(each.fullmatch(key.lower()) for each in (PRODUCT, ITEM))
        asks = names_a_user(key) and key.lower() != "id"
        return self._items if of_item and not asks else super().get(key, default)


class ByName(Dict[str, Any]):
    """The inputs of a function in one dict, each under any key that means it.

    held : each input after the families of the names that mean it, with points. KeyError for a key that means none, or
    two as much.
    """

    def __init__(self, held: Sequence[Tuple[Mapping[str, float], Any]]) -> None:
        super().__init__()
        self._held = held

    def __missing__(self, key: str) -> Any:
        meant = families(key)
        points = [
            max((more for family, more in names.items() if family in meant), default=0.0) for names, _ in self._held
        ]
        most = max(points)
        if points.count(most) > 1:
            raise KeyError(key)
        return self._held[points.index(most)][1]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and any(families(key) & {*names} for names, _ in self._held)

    def __repr__(self) -> str:
        return f"ByName({[value for _, value in self._held]!r})"


def holds_several(key: str) -> bool:
    """Whether a key means a list: one of items, or of scores."""
    return "list" in families(key) or key.lower().endswith("scores")


def names_a_user(key: str) -> bool:
    """Whether a key is that of a user or a query, or of what a query asks."""
    return key.lower() in ("id", "question", "text") or USER.fullmatch(key.lower()) is not None


def read_record(function: Any, parameter: Optional[inspect.Parameter], source: Source) -> Optional[Record]:
    """The record of a function's parameter: it reads a name for the truth and one for the list, or a rank.

    None unless it does, or where the class of the annotation has no such fields.
    """
    if parameter is None:
        return None
    kind = _kind(parameter.annotation, getattr(inspect.unwrap(function), "__globals__", {}))
    read = [key for key in source.keys.get(parameter.name, ()) if not isinstance(getattr(kind, key, None), property)]
    for node in ast.walk(parsed(function) or ast.Module([], [])) if kind is not None else ():
        if isinstance(node, ast.Attribute) and is_made(kind, node.attr):
            read += attributes_read(kind, node.attr)
    keys = tuple(dict.fromkeys(read)) or tuple(_annotations(kind)) or tuple(sorted(source.strings))
    keys = tuple(key for key in keys if key not in source.wanted)
    hints = {name: str(hint).lower() for name, hint in _annotations(kind).items()}
    ranks = tuple(key for key in keys if RANK.fullmatch(key))
    keys = tuple(key for key in keys if not NUMBER.fullmatch(hints.get(key, "")))
    graded = [key for key in keys if GRADED.search(hints.get(key, ""))]
    truths = [key for key in keys if key not in ranks and "truth" in families(key)] or graded
    others = [key for key in keys if key not in (*truths, *ranks)]
    lists = [key for key in others if "list" in families(key)] or [
        key for key in others if LIST.match(hints.get(key, ""))
    ]
    names = ranks
    if (truths and lists) if kind is None else len(truths) == len(lists) == 1:
        names = (truths[0], lists[0])
        within = [key for key in others if key not in names and key not in _fields(kind)]
        inside = any(ENTRY_KEY.fullmatch(key.lower()) for key in within)
        wanted = tuple(source.wanted.items())
        record = Record(*names, entries=inside, wanted=wanted, graded=names[0] in graded)
    elif ranks:
        beside = (key for key in keys if kind is None and key in source.keys.get(parameter.name, ()))
        zeros = tuple(key for key in beside if key not in ranks and not names_a_user(key))
        record = Record(ranks=ranks, zeros=zeros, missing=RANK_OF_UNLISTED if source.whole & {*ranks} else None)
    else:
        return None
    if kind is None:
        return record
    fields = _fields(kind)
    if not set(names) <= fields.keys():
        return None
    hint = hints.get(record.relevant, "")
    never_none = bool(record.ranks) and all(hints.get(name) in ("int", "<class 'int'>") for name in ranks)
    nested = len(re.findall(r"(list|sequence|set|tuple)\[", hint)) > 1
    needed = [name for name, required in fields.items() if required]
    rest = tuple((name, _made_for(name, _annotations(kind).get(name))) for name in needed if name not in names)
    missing = RANK_OF_UNLISTED if never_none else None
    sets = re.match(r"(typing\.)?set\[", hint) is not None
    return record._replace(kind=kind, text="str" in hint, nested=nested, others=rest, missing=missing, sets=sets)


def _fields(kind: Optional[type]) -> Dict[str, bool]:
    """What a class is made of by name, and whether it is required; nothing without one or where that cannot be read."""
    if kind is None:
        return {}
    if issubclass(kind, dict):  # a TypedDict
        return dict.fromkeys(_annotations(kind), True)
    try:
        fields = inspect.signature(kind).parameters
    except (TypeError, ValueError):
        return {}
    return {name: each.default is each.empty and each.kind is not each.VAR_KEYWORD for name, each in fields.items()}


def _made_for(name: str, hint: Any) -> Callable[[], Any]:
    """What makes the value of a required field that the function may not need: an empty one, None where unknown."""
    text = str(getattr(hint, "__name__", hint)).lower()
    kind = next((kind for word, kind in TYPES.items() if re.match(rf"(typing\.)?{word}\b", text)), type(None))
    return (lambda: not LEFT_OUT.search(name)) if kind is bool else kind


def _kind(annotation: Any, names: Mapping[str, Any]) -> Optional[type]:
    """The class in ``Query``, ``"Query"`` or ``tuple[Query, ...]`` among a module's names; None without annotations."""
    text = annotation.__name__ if inspect.isclass(annotation) else str(annotation).rpartition("[")[2]
    name = text.partition(",")[0].strip("]'\" ").rpartition(".")[2]
    kind = names.get(name)
    if kind is None and name.isidentifier() and "__getattr__" in names:  # of a file of which a part was taken
        try:
            kind = names["__getattr__"](name)
        except Exception:  # it needs what is not there: a dict takes its place
            return None
    return kind if inspect.isclass(kind) and _annotations(kind) else None


def _annotations(kind: Optional[type]) -> Dict[str, Any]:
    return dict(getattr(kind, "__annotations__", {}))

"""A function's parameters: which ones take data, the cut-off, or a setting of the case."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Set, Tuple, Union

import numpy as np

from metric_adapters.calls.configured import Settings, tables_with_cut_off
from metric_adapters.calls.cut_offs import cut_offs, handed
from metric_adapters.calls.fills import CONSTANTS, N_ITEMS, N_USERS, THRESHOLD, is_column, is_fill, is_setting, is_user
from metric_adapters.calls.keys import data_sets
from metric_adapters.calls.loops import without_aliases
from metric_adapters.calls.packages import REAL
from metric_adapters.calls.parameter_names import (
    K_LIST,
    K_NAME,
    NO_K,
    ONE_ITEM,
    WEAK_K_NAME,
    families,
    named_like_k,
    snake,
)
from metric_adapters.calls.trees import described, inner, parse, parsed
from metric_adapters.calls.uses import handed_to_curves, looked_for_whole, products, read_unasked

NAMES_AT_K = re.compile(r"[A-Za-z][\w -]*@\d*")
"""The name of a result with a cut-off, as in ``recall@10``."""
NAMES = re.compile(r"(\w+_)?metrics?(_names?|_list)?|names")
TEXT_OF_KS = re.compile(r"\s*[\[(]?\s*\d+(\s*,\s*\d+)*\s*[\])]?\s*")
COUNT = re.compile(
    r"^\s*(the )?(total )?(number|count|#) of (all )?(the )?(relevant|positives?|ground|correct|true)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A docstring's description of a parameter that takes the number of relevant items."""
NO_CUTS = re.compile(r"tensor|array|(list|sequence|iterable|collection)\[(?!(builtins\.)?int\b)")
"""The annotation of what is no list of cut-offs."""
FORMS = ("number", "list", "text", "array", "tensor")
"""The forms of k: 10, [10], "[10]" ("10" if the default has no bracket), array([10]), tensor([10])."""
SMALLEST_NUMBER = 1e-3
"""A smaller default only keeps a division from failing."""
MOST_DATA = 3
"""The most data parameters that a call has."""


class Binding(NamedTuple):
    """How a function's parameters are bound for a call with a certain number of data parameters.

    data : names of the parameters that take data; None: by position, for a function whose parameters cannot be read.
    k : name of the parameter that takes k, or None. k_form : one of :data:`FORMS`.
    settings : parameters that take a setting of the case. fills : required ones that get a usual value.
    ignored : the function does not read the parameter that takes k.
    spare : those of the fills whose meaning is unknown and which get an empty list. defaults : optional numbers, data
    and cut-offs that are None, which keep their default. more_ks : further cut-offs, which get k too.
    chosen : required parameters that take False, one of some texts or a share, each with what it is given.
    """

    data: Optional[Tuple[str, ...]]
    k: Optional[str] = None
    k_form: str = "number"
    settings: Tuple[str, ...] = ()
    fills: Tuple[str, ...] = ()
    ignored: bool = False
    spare: Tuple[str, ...] = ()
    defaults: Tuple[str, ...] = ()
    more_ks: Tuple[str, ...] = ()
    chosen: Tuple[Tuple[str, Union[bool, str, float]], ...] = ()

    @property
    def takes_k(self) -> bool:
        return self.data is None or (self.k is not None and not self.ignored)

    @property
    def takes_threshold(self) -> bool:
        return any(THRESHOLD.fullmatch(snake(name)) for name in self.settings)


class Parameters:
    """The parameters of a function, sorted by what they may take.

    data : names, in order. users : those that may be a user or a group, which is data for a call with groups and
    a fill for all others. labels_or_scores : those that scikit-learn gets, which are neither, nor k.
    """

    def __init__(self, function: Any) -> None:
        self.signature: Optional[inspect.Signature]
        tree = parsed(function)
        try:
            self.signature = inspect.signature(function)
        except (ValueError, TypeError):  # a C function without a text signature
            self.signature = None
        self.all: Dict[str, inspect.Parameter] = {}
        if self.signature is not None:
            kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
            names = getattr(inspect.unwrap(function), "__globals__", {})
            shown = {name: each for name, each in self.signature.parameters.items() if each.kind not in kinds}
            self.all = {name: without_alias(each, names) for name, each in shown.items()}
            for name in needed(tree, inner(function)) & {*shown}:
                if self.all[name].default is None:  # without it the function fails
                    self.all[name] = self.all[name].replace(default=inspect.Parameter.empty)
            given = any(each.kind is each.VAR_POSITIONAL for each in self.signature.parameters.values())
            if not self.all and given:  # nothing but *args: data is given by position
                self.signature = None
        self.counts = {name for name in self.all if COUNT.search(described(function, name))}
        self.settings = tuple(name for name, each in self.all.items() if is_setting(each))
        self.columns = {name: each.default for name, each in self.all.items() if is_column(each)}
        ends, _, numbered, gathered, holders, self.places, self.named, self.cut_lists = cut_offs(function)
        self.names_at_k = next((name for name in self.all if self._names_results_at_k(name)), None)
        ids = [name for name in looked_for_whole(tree) if ONE_ITEM.search(snake(name))]
        no_fills = (*self.settings, self.names_at_k, *data_sets(tree), *ids)
        self.fills = tuple(name for name, each in self.all.items() if is_fill(each) and name not in no_fills)
        required = self.required(list(self.all))
        if len(required) == 2 and "mask" in required:  # beside one other parameter it is what is relevant
            self.fills = tuple(name for name in self.fills if name != "mask")
        no_data = {*self.settings, *self.columns, *self.fills}
        no_data.update(name for name in self.all if self._cuts_grades(name))
        rest = [name for name in self.all if name not in no_data]
        named = [name for name in rest if K_NAME.fullmatch(snake(name))]
        named = [name for name in named if K_LIST.fullmatch(snake(name)) or not self._is_array(name)]
        # of ``top_k`` and ``k``, the one that has entries is the list; ``set(topn)`` is of items, ``set(ks)`` is not
        lists_of_items = numbered | (holders if set(named) - holders else frozenset())
        named = [name for name in named if name not in gathered or K_LIST.fullmatch(snake(name))]
        self.strong_k = self._strongest([name for name in named if name not in lists_of_items] or named, rest)
        lists = [name for name in rest if self._lists_cuts(name)]
        if self.strong_k is None:
            self.strong_k = next((name for name in rest if name in ends and self._may_cut(name, holders)), None)
        if self.strong_k is None or self.names_at_k:
            self.strong_k = self.names_at_k or next(iter(lists), None)
        self.tables = tables_with_cut_off(function, self.required(rest))
        if self.strong_k is None:
            self.strong_k = next(iter(self.tables), None)
        ends_too = [name for name in self.required(named) if name not in lists_of_items]
        self.more_ks = tuple(name for name in dict.fromkeys((*lists, *ends_too)) if name != self.strong_k)
        rest = [name for name in rest if name not in self.more_ks]
        self.optional_numbers = [
            name for name in self.all if name not in no_data and self._is_number(name, name in ends)
        ]
        self.data = [name for name in rest if name != self.strong_k and self._may_be_data(name)]
        self.labels_or_scores = handed_to_curves(tree)
        self.users = [name for name in self.data if is_user(name) and name not in self.labels_or_scores]
        if tree is not None:
            without_aliases(tree, self.data)
        matrices = products(tree, self.data)
        self.users = [name for name in self.users if name not in matrices]
        if self.strong_k is None:
            self.strong_k = next((name for name in rest if self._looks_like_k(name)), None)

    def required(self, names: List[str]) -> List[str]:
        return [name for name in names if self.all[name].default is inspect.Parameter.empty]

    def _strongest(self, named: List[str], rest: List[str]) -> Optional[str]:
        """The first parameter named like k; if all of these default to None, a required ``n`` goes before them."""
        optional = all(self.all[name].default is None for name in named)
        needed = [
            name for name in self.required(rest) if WEAK_K_NAME.fullmatch(snake(name)) and not self._is_array(name)
        ]
        return needed[-1] if named and optional and needed else named[0] if named else None

    def _names_results_at_k(self, name: str) -> bool:
        """Whether a parameter takes names of results with a cut-off: by its default, or by the source."""
        default = self.all[name].default
        texts = [default] if isinstance(default, str) else default if isinstance(default, (list, tuple)) else []
        if texts:
            return all(isinstance(text, str) and NAMES_AT_K.fullmatch(text) for text in texts)
        if isinstance(default, str) or any(K_LIST.fullmatch(snake(each)) for each in self.all):
            return False  # the cut-offs are apart
        return bool(self.named) and NAMES.fullmatch(snake(name)) is not None

    def _lists_cuts(self, name: str) -> bool:
        """Whether whole numbers from 1 are the default, in a list, or in an empty one places are read.

        Or it is required, annotated as whole numbers, and gone through with a cut-off.
        """
        default = self.all[name].default
        if name in self.cut_lists and default is inspect.Parameter.empty:
            return bool(re.search(r"(tuple|list|sequence|iterable)\[int\b", annotation(self.all[name])))
        if not isinstance(default, (list, tuple)) or N_ITEMS.fullmatch(snake(name)):
            return False
        return all(type(each) is int and each >= 1 for each in default) and bool(default or self.places.get(name))

    def _is_array(self, name: str) -> bool:
        """Whether the annotation is an array or a tensor, of one length for each list, or a list of other things."""
        return bool(NO_CUTS.search(annotation(self.all[name])))

    def _cuts_grades(self, name: str) -> bool:
        """Whether a ``cutoff`` has a float as default: it cuts grades or scores, and keeps its default."""
        return isinstance(self.all[name].default, float) and bool(K_NAME.fullmatch(snake(name)))

    def _may_be_data(self, name: str) -> bool:
        return not self._looks_like_k(name) and self._names_data(name)

    def _names_data(self, name: str) -> bool:
        if isinstance(self.all[name].default, (bool, str)):  # a switch, or the name of a choice
            return False
        return self.all[name].default is inspect.Parameter.empty or bool(families(name)) or is_user(name)

    def _is_number(self, name: str, ends: bool) -> bool:
        """Whether a parameter has a number as default, or None and the source ends something there; no tiny number."""
        default, constant = self.all[name].default, any(each.fullmatch(snake(name)) for each, _ in CONSTANTS)
        number = type(default) in (int, float) and not 0 < abs(default) < SMALLEST_NUMBER
        return (number or (ends and default is None)) and not constant

    def _may_cut(self, name: str, holders: FrozenSet[str]) -> bool:
        """Whether a parameter at which the source ends something takes a number, and not one of a count.

        holders : names of what has entries, which a required parameter must not have.
        """
        parameter, plain = self.all[name], snake(name)
        default, required = parameter.default, parameter.default is parameter.empty
        number = default is None or type(default) is int or (required and name not in holders)
        if name == "R" and len(self.all) > MOST_DATA:  # beside codes and labels it is a cut-off
            return number
        counts = N_ITEMS.fullmatch(plain) or N_USERS.fullmatch(plain) or "count" in families(name)
        return number and not counts and not NO_K.fullmatch(plain) and name not in self.counts

    def _looks_like_k(self, name: str) -> bool:
        """An int of five or more as default, unless the name means something other than a length."""
        default = self.all[name].default
        number = isinstance(default, int) and default >= 5 and not NO_K.fullmatch(snake(name))
        return number and not set(families(name)) - {"length"}

    def means_k(self, name: Optional[str]) -> bool:
        """Whether the name, the default or the use of a parameter says that it takes k."""
        return self.is_named_k(name) or name == self.strong_k

    def is_named_k(self, name: Optional[str]) -> bool:
        """Whether the name of a parameter says that it takes k."""
        return name is not None and named_like_k(name)

    def bind(self, count: int, groups: bool = False, options: Tuple[str, ...] = ()) -> Optional[Binding]:
        """The binding for ``count`` data parameters, or None if the parameters do not allow it.

        groups : one of the data parameters is the user or the group of each entry. options : required parameters that
        take one of a few values.
        """
        if self.signature is None:
            return Binding(None) if count <= 2 else None
        data = [name for name in self.data if name not in options]
        usable = data if groups else [name for name in data if name not in self.users]
        fills = self.fills if groups else (*self.fills, *self.required(self.users))
        if not groups and not usable:
            usable, fills = data, self.fills
        if self.strong_k is not None:
            return self._bind(count, usable, self.strong_k, fills)
        no_k = {*self.counts, *self.labels_or_scores}
        weak = [name for name in usable if WEAK_K_NAME.fullmatch(snake(name)) and name not in no_k]
        unknown = [name for name in self.required(usable)[-1:] if not families(name) and name not in self.counts]
        for k in (*weak[-1:], None, *unknown):
            binding = self._bind(count, [name for name in usable if name != k], k, fills)
            if binding is not None:
                return binding
        return None

    def _bind(self, count: int, data: List[str], k: Optional[str], fills: Tuple[str, ...]) -> Optional[Binding]:
        needed = self.required(data)
        spare = self._spare(needed) if count == 2 else ()
        data, needed = [name for name in data if name not in spare], [name for name in needed if name not in spare]
        if not len(needed) <= count <= len(data) or count == 0:
            return None
        optional = [name for name in data if name not in needed][: count - len(needed)]
        chosen = tuple(name for name in data if name in needed or name in optional)
        no_data = [name for name in data if self.all[name].default is None]
        kept = tuple(name for name in (*self.optional_numbers, *no_data) if name not in (*chosen, k))
        return Binding(
            chosen,
            k,
            "number" if k is None else self.k_form(k),
            self.settings,
            (*fills, *spare),
            False,
            spare,
            kept,
            self.more_ks,
        )

    def _spare(self, needed: List[str]) -> Tuple[str, ...]:
        """The required parameters after relevant and recommended items, if there are more than any call gives."""
        meanings = [families(name) for name in needed[:2]]
        is_pair = all(any(family in names for names in meanings) for family in ("truth", "list"))
        return tuple(needed[2:]) if len(needed) > MOST_DATA and is_pair else ()

    def k_form(self, name: Optional[str] = None) -> str:
        """The form in which a parameter takes k, by its default, annotation and name."""
        name = name or self.strong_k
        if name is None:
            return "number"
        default = self.all[name].default
        if name == self.names_at_k or name in self.tables:
            return self.tables.get(name, "names")
        if isinstance(default, str):
            return "text" if TEXT_OF_KS.fullmatch(default) else "number"
        if isinstance(default, (list, tuple, range)):
            return "list"
        text = annotation(self.all[name])
        if re.search(r"tensor|ndarray", text):
            return "tensor" if "tensor" in text else "array"
        if text:
            number = re.match(r"(typing\.)?(optional\[)?(builtins\.)?int", text)
            return "list" if not number and re.search(r"list|sequence|iterable|tuple|array", text) else "number"
        return "list" if not isinstance(default, int) and K_LIST.fullmatch(snake(name)) else "number"

    def default(self, name: Optional[str]) -> Any:
        """The default of a parameter; None if there is none. Names with cut-offs are those that the source knows."""
        parameter = self.all.get(name or "")
        if name == self.names_at_k and parameter is not None and parameter.default in (None, parameter.empty):
            return [f"{text}@" for text in self.named]
        return None if parameter is None or parameter.default is parameter.empty else parameter.default


def needed(tree: Optional[ast.AST], code: Any) -> Set[str]:
    """The names for which None is an error, also in a helper that they are handed to."""
    handed_on = [each for node in ast.walk(tree) for each in handed(node, code)] if tree is not None else []
    return read_unasked(tree) | {name for name, helper, other in handed_on if other in read_unasked(parse(helper))}


def in_form(k: int, form: str, default: Any = None, places: int = 1, beside: bool = False) -> Any:
    """k in one of :data:`FORMS`, or after each of the names in the default.

    As text with brackets if the default has them; in a list ``places`` times, after a smaller one with ``beside``.
    """
    several = [max(1, k // 2), k] if beside and k > 1 and places == 1 else [k] * places
    if form == "text":
        return f"[{k}]" if isinstance(default, str) and "[" in default else str(k)
    if form == "names":
        texts = [default] if isinstance(default, str) else default
        made = list(dict.fromkeys(f"{text.partition('@')[0]}@{k}" for text in texts))
        return made[0] if isinstance(default, str) else made
    if form.startswith("table"):
        return Settings(k, lists=form == "table of lists")
    if form in ("array", "tensor"):
        array = np.array(several, dtype=np.int64)
        return array if form == "array" else REAL.tensor(array)
    return several if form == "list" else k


def without_alias(parameter: inspect.Parameter, names: Dict[str, Any]) -> inspect.Parameter:
    """A parameter whose annotation names an alias of its module, such as ``Qrels``, with what that stands for."""
    alias = names.get(parameter.annotation) if isinstance(parameter.annotation, str) else None
    return parameter.replace(annotation=alias) if getattr(alias, "__args__", None) else parameter


def annotation(parameter: inspect.Parameter) -> str:
    """The annotation of a parameter in lower case; empty if it has none."""
    value = parameter.annotation
    if value is inspect.Parameter.empty:
        return ""
    if isinstance(value, type) and not getattr(value, "__args__", None):
        return f"{value.__module__}.{value.__qualname__}".lower()
    return str(value).lower()

"""Which calls may fit a function, the likeliest first: points by names, annotations and what the source does."""

from __future__ import annotations

import importlib.util
import re
from functools import lru_cache
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

from metric_adapters.calls.call import Call
from metric_adapters.calls.columns import column_sets, parameter_role, role_of
from metric_adapters.calls.container import FAMILY, HELD, Holds, in_one
from metric_adapters.calls.entries import GAIN, judges
from metric_adapters.calls.facts import Source
from metric_adapters.calls.fills import THRESHOLD, WITHOUT_ITSELF, choice, counts_items, is_choice, is_user
from metric_adapters.calls.keys import ENTRY_KEY, TEXT_KEY
from metric_adapters.calls.parameter_names import CUT_LIST, ONE_ITEM, VAGUE, chooses_another, families, snake
from metric_adapters.calls.records import Record, read_record
from metric_adapters.calls.role import ROLES, Fact, Role
from metric_adapters.calls.signature import Binding, Parameters, annotation
from metric_adapters.calls.table import CALLS, RARE, frame_calls

MOST_TRIED, MOST_RARE_TRIED, MOST_UNCUT, MOST_WIDER = 56, 28, 6, 3
"""At most this many calls are tried, and this many rare ones after them; without k; of more relevant items."""
HALF = 0.5
"""A required threshold where there are no gains: the share of an item that has to be found, a score of 1 if listed."""
OF_ITS_CLASS = 8.0
"""Points for records of the class that the annotation names, which has the fields of the call."""
FOR_EACH_ROW = "one parameter has an entry for each row of the other"
"""What a docstring says against a call of one user."""
NO_CUT = (None, 0, -1)
"""Defaults of a cut-off that mean that nothing is cut."""
LARGEST_GAP = 9.0
"""A call whose points are this far below the best one's is not tried."""
MISFIT = -3.0
"""The points of a name whose families all mean something else than the role."""
USUAL = ("relevant", "recommended")
VALUES = {"relevance", "relevance_graded", "relevant", "list_scores", "falling_scores"}
"""Roles of one user that values of several users may be taken for."""
OF_ARRAYS = ("ordered", "rows", "alike")
"""Uses of arrays: what is put in order or compared with another input is no cut-off unless its name says so."""
VALUES_NAME = re.compile(r"\w*(precision|recall|f1|[nt]dcg|mrr|auc|hit_rate|accurac)(s|ies|_(scores|values|list|vals))")
"""The name of a parameter that takes a metric's values."""
SEQUENCE = r"(list|sequence|iterable|collection)"
ANNOTATIONS: Tuple[Tuple[str, str], ...] = (
    (r"(csr|csc|coo|sp|sparse\w*)_?(matrix|array)|scipy", "sparse"),
    (r"tensor", "tensor"),
    (r"polars|pl\.dataframe", "polars"),
    (r"dataframe", "frame"),
    (r"series", "series"),
    (
        r"(list|sequence|iterable|collection)\[(typing\.)?tuple\[(str, *)?[a-z.]*(list|set|sequence|iterable)\[str",
        "text_couples",
    ),
    (r"(list|sequence|iterable|tuple|collection)\[(typing\.)?(tuple)\[", "tuples"),
    (r"(list|sequence|iterable|tuple|collection)\[(typing\.)?set", "list_of_sets"),
    (rf"{SEQUENCE}\[[\w.]*(ndarray|array)", "list_of_arrays"),
    (rf"{SEQUENCE}\[(typing\.)?(list|sequence|iterable|tuple|collection)", "list_of_lists"),
    (r"(dict|mapping)\[.*(dict|mapping)", "dict_of_dicts"),
    (r"(dict|mapping)\[str.*set\[", "text_dict_of_sets"),
    (r"(dict|mapping)\[str", "text_dict"),
    (r"(dict|mapping)\[.*set\[", "dict_of_sets"),
    (r"dict|mapping", "dict"),
    (r"ndarray|array", "array"),
    (r"(list|sequence|set|iterable|collection)\[str", "text_list"),
    (rf"{SEQUENCE}\[bool", "bool_list"),
    (rf"{SEQUENCE}\[float", "float_list"),
    (r"set\b", "set"),
    (SEQUENCE, "list"),
)
"""Patterns of annotations, and the kind of each, which containers name as theirs."""


SEVERAL = r"[\w.]*(list|set|sequence|iterable|tuple|collection)"
TEXTS = re.compile(rf"{SEVERAL}\[str\b")
"""The annotation of ids that are text."""
WITH_NONE = re.compile(rf"{SEQUENCE}\[((typing\.)?optional\[(int|float)|(int|float) \| none|none \| (int|float))")
"""The annotation of numbers of which some are None."""
LIST_OF_DICTS = re.compile(r"(typing\.)?(list|sequence|iterable)\[(typing\.)?(dict|mapping|any)\b")
"""The annotation of records."""
TEXT = re.compile(r"(typing\.optional\[)?(builtins\.)?str\]?( \| none)?")
"""The annotation of one text."""


class Fit(NamedTuple):
    """A call, how the function's parameters are bound to it, and how likely it is.

    points : higher is likelier. supports, against : what each parameter's name says, ``actual is relevant``. absurd :
    every parameter's name contradicts it. allowed : no name, annotation or docstring speaks against it.
    rare : to be tried only if no other call leads to a name.
    """

    call: Call
    binding: Binding
    points: float
    supports: Tuple[str, ...]
    against: Tuple[str, ...]
    absurd: bool
    allowed: bool
    rare: bool = False

    def why(self, made_for_k: bool) -> str:
        """The reasons in one line, for people; ``made_for_k``: the function is made for each k."""
        binding = self.binding
        if binding.data is None:
            return "its parameters cannot be read; given by position"
        text = f"takes {len(binding.data)}, the names do not tell"
        if self.supports:
            text = "by name, " + ", ".join(self.supports)
        cut = "it is made for each k" if made_for_k else "no k, so what it gets ends at k"
        if binding.k:
            cut = f"{binding.k} is not read, and lists are not cut at k" if binding.ignored else f"{binding.k} is k"
        doubt = f"; against it: {', '.join(self.against)}" if self.against else ""
        spare = f"; {' and '.join(binding.spare)} given nothing" if binding.spare else ""
        return f"{text}; {cut}{spare}{doubt}"


def fitting(parameters: Parameters, source: Source, function: Any = None) -> List[Fit]:
    """The calls that the function may be called with, the likeliest first.

    Left out are calls that every parameter's name contradicts, unless there are no others; those that need a package
    the function does not use; and those much less likely than the first. The first one with its two arguments swapped
    is always included, so that the caller can see whether their order matters: names may mislead. So is each one with
    the relevant items in place of the one relevant item, so that a name which holds for one item alone is known.
    """
    fits = []
    columns = column_sets(parameters.columns, source)
    framed = bool(parameters.columns) or {"pandas", "polars"} & source.words or source.anywhere("frame")
    framed = framed or not source.readable or any("frame" in families(name) for name in parameters.data)
    framed = framed or any(source.keys.get(name) for name in parameters.data)
    record = recorded(parameters, source, function)
    for call in (*CALLS, *(frame_calls(columns) if framed else ())):
        binding = bound(call, parameters, source)
        if binding is None or (call.ends == "k" and not binding.takes_k):  # without k, all lists end at k anyway
            continue
        if call.holder.has(Holds.RECORD):
            if record is None or (bool(record.ranks), record.graded) != (call.has(Fact.RANKS), "grades" in call.names):
                continue
            if record.kind is not None and call.holder.has(Holds.TEXT_IDS):  # its annotations tell
                continue
            call = call.of_record(record)
        if usable(call, binding, parameters, source):
            fits.append(judged(call, binding, parameters, source))
    for fit in likeliest([fit for fit in fits if not fit.rare and fit.call.ends == "list"])[:MOST_UNCUT]:
        uncut = fit.call._replace(ends="default")
        binding = bound(uncut, parameters, source)
        fits += [] if binding is None else [fit._replace(call=uncut, binding=binding, rare=True)]
    each_row = {name for name in parameters.data if is_for_each_row(name, parameters.data, source)}
    of_rows = [fit for fit in fits if row_by_row(fit, each_row)] or fits
    others = [fit for fit in fits if fit not in of_rows and not fit.rare]  # a docstring may be wrong
    fits = of_rows + [fit._replace(rare=True, allowed=False, against=(*fit.against, FOR_EACH_ROW)) for fit in others]
    fits = [fit for fit in fits if source.unread.isdisjoint(fit.binding.data or ())] or fits
    rare = likeliest([fit for fit in fits if fit.rare])[:MOST_RARE_TRIED]
    usual = [fit for fit in fits if not fit.rare]
    likely = likeliest(usual)[:MOST_TRIED]
    if not likely:
        return rare
    first = likely[0].call

    def is_swapped(fit: Fit) -> bool:
        same_container = fit.call.container == first.container and len(first.names) == 2
        return same_container and fit.call.names == first.names[::-1] and fit not in likely

    swapped = list(filter(is_swapped, usual))[:1]
    several = {(widened(fit.call), fit.call.container) for fit in likely if "item" in fit.call.names}
    wider = [fit for fit in usual if (fit.call.names, fit.call.container) in several and fit not in (*likely, *swapped)]
    return [*likely, *swapped, *wider[:MOST_WIDER], *rare]


def widened(call: Call) -> Tuple[str, ...]:
    """The roles of a call with the relevant items in place of the one relevant item."""
    return tuple("relevant" if name == "item" else name for name in call.names)


def recorded(parameters: Parameters, source: Source, function: Any) -> Optional[Record]:
    """The record that the function's first data parameter may hold."""
    return read_record(function, parameters.all.get(next(iter(parameters.data), "")), source)


def bound(call: Call, parameters: Parameters, source: Source) -> Optional[Binding]:
    """How the function's parameters are bound to a call; None if they do not allow it."""
    chosen: Dict[str, Union[bool, str, float]] = {
        name: value for name in parameters.data for value in choices(name, parameters, source)[:1]
    }
    required = parameters.required(parameters.data)
    unread = tuple(name for name in required if name in source.unread or counts_items(name, source))
    beside = tuple(name for name in required if source.does(name, "unread_entries") or source.does(name, "hides"))
    groups = call.has(Fact.GROUPS) or bool({"query_ids", "user_key"} & {*call.names})
    # it holds items, whatever its name
    signs = ["searched", "entry_alike"] + (["zipped"] if len(parameters.data) == len(USUAL) else [])
    no_keys = [name for name in parameters.users if not source.does(name, "entry_key")]  # a key is looked for, too
    searched = any(source.does(name, sign) for name in no_keys for sign in signs)
    by_name = tuple(name for name in unread if not families(name) or len(required) - len(unread) >= len(USUAL))
    tries = dict.fromkeys((by_name, unread))  # what is named after data is spare where a call is for fewer
    bindings = (parameters.bind(call.arity, groups or searched, (*chosen, *spare, *beside)) for spare in tries)
    binding = next(filter(None, bindings), None)
    given = {name: choice(name, source) for name in parameters.fills if is_choice(name)}
    chosen.update({name: value for name, value in given.items() if isinstance(value, str)})
    if binding is None:
        return None
    if not parameters.means_k(binding.k) and any(source.does(binding.k or "", use) for use in OF_ARRAYS):
        return None
    unread = tuple(name for name in unread if name not in (binding.data or ()))
    binding = binding._replace(fills=(*binding.fills, *unread, *beside), spare=(*binding.spare, *unread))
    if call.ends == "default":
        if binding.k is None or parameters.all[binding.k].default not in NO_CUT:
            return None
        kept = tuple(dict.fromkeys((*binding.defaults, binding.k)))
        binding = binding._replace(k=None, defaults=kept)
    kept = tuple(name for name in binding.defaults if name not in source.unread)
    settings = binding.settings
    if call.has(Fact.PREDICTED):  # a threshold from 0 to 1 is one of ratings, too
        settings = tuple(dict.fromkeys((*settings, *(name for name in kept if THRESHOLD.fullmatch(snake(name))))))
        kept = tuple(name for name in kept if name not in settings)
    ids_alone = not call.has(Fact.BINARY | Fact.GRADED | Fact.GAINS | Fact.SCORES)  # they have no grade to reach it
    if ids_alone or "y_listed" in call.names:
        reached = [name for name in settings if THRESHOLD.fullmatch(snake(name))]
        settings = tuple(name for name in settings if name not in reached)
        if call.names in (("labels", "scores"), ("scores", "labels")) and parameters.required(reached):
            return None  # scores that reach a number are a list
        chosen.update(dict.fromkeys(parameters.required(reached), HALF))
    return binding._replace(
        ignored=binding.k in source.unread, defaults=kept, settings=settings, chosen=tuple(chosen.items())
    )


def choices(name: str, parameters: Parameters, source: Source) -> List[Union[bool, str]]:
    """What a required parameter may be that takes no data: False, True where an item is then no hit of itself, or the
    texts that it is compared with.
    """
    if not parameters.required([name]):
        return []
    told = annotation(parameters.all[name])
    means_data = bool(families(name) - VAGUE) or is_user(name)  # it is rather asked whether that is empty
    if told in ("bool", "builtins.bool") or (source.does(name, "option") and not told and not means_data):
        return [WITHOUT_ITSELF.fullmatch(snake(name)) is not None]
    texts = source.compared.get(name, []) if set(source.of.get(name, ())) == {"compared"} else []
    known = all(isinstance(text, str) for text in texts)
    return sorted(texts, key=chooses_another) if known else []


def likeliest(fits: List[Fit]) -> List[Fit]:
    """The likeliest first, without those far behind it, and without absurd ones unless all are."""
    ranked = sorted([fit for fit in fits if not fit.absurd] or fits, key=lambda fit: -fit.points)
    return [fit for fit in ranked if fit.points > ranked[0].points - LARGEST_GAP]


def usable(call: Call, binding: Binding, parameters: Parameters, source: Source) -> bool:
    """Whether the function shows the signs of the roles and the container, and their packages are there and used.

    None is where it takes a text apart by a pattern: what it compares are parts.
    """
    names = binding.data or ()
    if any(source.does(name, "taken_apart") for name in names):
        return False
    for role, name in ((role, name) for roles, name in assigned(call, binding) for role in roles):
        if role.sign is not None and not role.sign(told_of(name, call, source), parameters.data, source):
            return False
        told = annotation(parameters.all[name]) if name else ""
        none = source.does(name, "none") or WITH_NONE.search(told)
        if role.has(Fact.RANKS) and none and not call.holder.has(Holds.NONE):
            return False
        one_id = role.has(Fact.IDS) and role.has(Fact.ONE_NUMBER) and call.holder.has(Holds.TEXT_IDS)
        if one_id and source.does(name, "member" if call.per_user else "entry_member"):
            return False  # an id is not looked into, though a text can be
        if call.holder.has(Holds.DICT) and is_series(name, source):
            return False
        if role.has(Fact.VECTOR) and source.does(name, "counted"):
            return False  # all vectors of the catalogue have one length
        if source.does(name, "summed_down") and role.has(Fact.VECTOR) and call.per_user:
            return False  # its columns are users
        if TEXT.fullmatch(told) and not (role.has(Fact.ONE_NUMBER) and call.per_user):
            return False  # one text is no list
        if call.holder.has(Holds.COLUMN) and role.has(Fact.ONE_NUMBER) and source.does(name, "column"):
            return False  # the function makes the column itself
        keys = [key.lower() for key in source.keys.get(name, ()) if ENTRY_KEY.fullmatch(key.lower())]
        entries = call.holder.has(Holds.ENTRIES | Holds.ALL_ENTRIES)
        if entries and not call.holder.has(Holds.TEXT_IDS) and keys and all(map(TEXT_KEY.fullmatch, keys)):
            return False
        if call.per_user and role.has(Fact.ONE_NUMBER) and source.does(name, "paired"):
            return False  # it has an entry for each of another parameter
    if not call.holder.sign(call.names, source):
        return False
    if call.columns is not None and call.per_user and "user" in map(parameter_role, parameters.columns):
        return False  # a column of users tells several apart
    named = any(VALUES_NAME.fullmatch(snake(name)) for name in parameters.data)
    if {*call.names} <= VALUES and (named or ("averages" in source.words and call.per_user)):
        return False  # of numbers that are values already
    for package in call.packages:
        used = package in source.words or any(package in annotation(each) for each in parameters.all.values())
        if package == "pandas":
            used = used or bool(parameters.columns) or source.anywhere("frame")
            used = used or any(is_series(name, source) or "frame" in families(name) for name in parameters.data)
        if package == "scipy":
            used = used or source.anywhere("sparse")
        if package == "torch" and "tensorflow" not in source.words:
            used = used or any(annotation(each) == "tensor" for each in parameters.all.values())
        if not installed(package) or (source.readable and not used):
            return False
    return True


def is_series(name: str, source: Source) -> bool:
    """Whether a parameter is read by key and also zipped: zipping a Series gives values, zipping a dict gives keys."""
    return source.does(name, "zipped") and source.does(name, "mapping")


def is_for_each_row(name: str, names: Sequence[str], source: Source) -> bool:
    """Whether a parameter has one entry for each row of another: its docstring says so, or the truth is a column.

    The source makes it a column and reduces over rows, and cuts no other parameter as a single list; it is not padded.
    """
    if source.does(name, "one_a_row"):
        return True
    if -1 in source.compared.get(name, ()):
        return False
    single_list = any(source.does(other, "sliced") or source.does(other, "widened") for other in names if other != name)
    means = families(name)
    truth = bool(means & {"truth", "item", "label"}) and not means & {"list", "score", "relevance"}
    return truth and source.does(name, "column") and "rows" in source.words and not single_list


def row_by_row(fit: Fit, each_row: Set[str]) -> bool:
    """Whether the parameters with one entry for each row get that, and not several entries of one user."""
    return all(
        not fit.call.per_user and role.has(Fact.ONE_NUMBER | Fact.GROUPS)
        for (role, *_), name in assigned(fit.call, fit.binding)
        if name in each_row
    )


@lru_cache(maxsize=None)
def installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def judged(call: Call, binding: Binding, parameters: Parameters, source: Source) -> Fit:
    """How likely a call is, by names, annotations, and what the source does with each parameter."""
    points = call.holder.prior + sum(role.prior for role in call.roles) - (0.25 if call.ends != "list" else 0.0)
    points += 0.0 if call.record.kind is None else OF_ITS_CLASS
    supporting: List[str] = []
    against: List[str] = []
    allowed = call.has(Fact.ONE_RELEVANT) or not ("one_relevant" in source.words and call.has(Fact.BEYOND))
    for roles, name in assigned(call, binding):
        told = told_of(name, call, source)
        shown = None if call.holder.has(Holds.NAMES) else shown_as(roles[0], name, parameters.data, source)
        by_name, supports = shown or named_as(call, roles, told)
        if by_name == 0.0:
            points += 0.5 if roles[0].name in USUAL else 0.0
        else:
            (supporting if supports else against).append(f"{name} is {' and '.join(role.name for role in roles)}")
        annotated = by_annotation(call, roles[0], annotation(parameters.all[name]))
        one = bool(ONE_ITEM.search(snake(name))) or is_one_item(name, source)
        one = one or source.does(name, "entry_contained") or source.does(name, "greatest")
        one = one and roles[0].has(Fact.BEYOND) and not roles[0].has(Fact.ONE_RELEVANT)
        as_numbers = roles[0].has(Fact.IDS) and not call.holder.has(Holds.TEXT_IDS)
        other_ids = as_numbers and TEXTS.search(annotation(parameters.all[name]))
        cut = call.ends == "list" and binding.takes_k and not roles[0].has(Fact.BEYOND) and is_cut(name, source)
        allowed = allowed and annotated >= 0.0 and not one and not other_ids and not cut
        points += by_name + annotated
        points += by_use(call, roles[0], name, source)
    points += by_source(call, binding, source)
    absurd = call.arity > 1 and len(against) == call.arity
    several = call.arity > 1  # a full ranking as the only input is usual
    zeros = call.columns is not None and any(role_of(name) in ("rating", "score") for name in call.columns.zeros)
    seldom = call.name in RARE and not (call.holder.has(Holds.TURNED) and "sorts_down" in source.words)
    rare = zeros or seldom or (call.ends == "catalogue" and binding.takes_k and several)
    allowed = allowed and not against
    return Fit(call, binding, points, tuple(supporting), tuple(against), absurd, allowed, rare)


def is_cut(name: str, source: Source) -> bool:
    """Whether a list is named after its best k, and the source does not cut it."""
    return CUT_LIST.fullmatch(snake(name)) is not None and not source.does(name, "sliced")


def told_of(name: str, call: Call, source: Source) -> str:
    """The name that tells what a parameter holds: the last key under which its data is, where dicts of one entry do."""
    keys = [key for key in source.boxes.get(name, ()) if isinstance(key, str)]
    return keys[-1] if keys and call.columns is None else name


def is_one_item(name: str, source: Source) -> bool:
    """Whether the source asks whether a parameter is in something, and takes no part of it."""
    parts = ("looped", "unpacked", "zipped", "sliced", "indexed", "member", "made_set", "set", "rows")
    return source.does(name, "contained") and not any(source.does(name, part) for part in parts)


def assigned(call: Call, binding: Binding) -> List[Tuple[Tuple[Role, ...], str]]:
    """The roles that each data parameter takes."""
    names = binding.data or ()
    if call.holder.has(Holds.ZIPPED | Holds.COUPLE):
        together, beside = in_one(call.roles)
        return list(zip((tuple(together), *((role,) for role in beside)), names))
    return [((role,), name) for role, name in zip(call.roles, names)]


def shown_as(role: Role, name: str, names: Sequence[str], source: Source) -> Optional[Tuple[float, bool]]:
    """What outweighs a parameter's name: True and False in it, slices of its entries, what is an index, another
    parameter named qrels, or that it is the only one: a list of targets, best first, is their relevance; a frame whose
    columns are read is a frame; what is looked for in the truth is a list.
    """
    if role.has(Fact.FRAME) and len(names) == 1 and source.does(name, "frame"):
        return max(suits(role.name, name)[0], 0.5), True
    if source.does(name, "flags"):
        of_list = role.has(Fact.BINARY) and not role.has(Fact.VECTOR)
        return (3.0, True) if of_list else (MISFIT, False)
    if source.does(name, "labels") and role.has(Fact.BINARY | Fact.GRADED) and not role.has(Fact.VECTOR):
        return max(suits(role.name, name)[0], 2.5), True
    labels = role.has(Fact.BINARY | Fact.GRADED | Fact.BOOLEAN)
    if role.name == "user_key":
        return 3.0, True
    if role.name == "item" and source.does(name, "entry_alike") and is_user(name):
        return 3.0, True
    if role.name == "item" and source.does(name, "index"):
        return never_against(role, name)
    if source.does(name, "number") and role.name == "n_relevant":
        return max(suits(role.name, name)[0], 2.5), True
    looked_for = source.does(name, "searched") and role.name != "query_ids"  # an identity is looked for, too
    if looked_for and not source.does(name, "entry_contained"):
        if not role.has(Fact.IDS | Fact.TUPLES):
            return MISFIT, False
        if role.name == "recommended" and any(
            source.does(other, "member") and families(other) & {"truth", "list"} == {"truth"} for other in names
        ):
            return never_against(role, name)
        return suits(role.name, name) if families(name) & {"truth", "list", "item"} else (0.0, False)
    if source.does(name, "gained"):
        return (3.0, True) if labels or role.has(Fact.GAINS) else (MISFIT, False)
    if source.does(name, "entry_index"):
        return (3.0, True) if role.has(Fact.IDS | Fact.PLACES) else (-1.0, False)
    holds_ids = role.has(Fact.IDS | Fact.BY_ITEM | Fact.TUPLES | Fact.FRAME)
    if source.does(name, "entry_member") and (labels or role.has(Fact.GAINS)) and not holds_ids:
        return MISFIT, False
    for use, scores in (("ones", "positive_scores"), ("zeros", "negative_scores")):
        if source.does(name, use):
            return (4.0, True) if role.name == scores else (MISFIT, False)
    for use, scores in (("greater", "positive_scores"), ("smaller", "negative_scores")):
        if source.does(name, use) and families(name).isdisjoint(("positive", "negative")):
            return (4.0, True) if role.name == scores else (MISFIT, False)
    if source.alone_does(name, "curve_true"):
        return (3.0, True) if labels else (MISFIT, False)
    if source.alone_does(name, "curve_score"):
        return (3.0, True) if not labels and role.has(Fact.SCORES | Fact.VECTOR) else (MISFIT, False)
    if source.does(name, "discounted") and (role.name == "list_ranks" or role.has(Fact.RANKS)):
        return 3.0, True
    in_order = {"gains", "sorts"} & source.words == {"gains"} and not source.anywhere("curve_score")
    if in_order and role.name in ("relevance_graded", "sorted_gains") and families(name) & {"score", "label"}:
        return max(suits(role.name, name)[0], 2.0), True
    if len(names) == 1 and role.name in ("relevance", "relevance_graded") and "truth" in families(name):
        return max(suits(role.name, name)[0], 1.0), True
    if role.name == "relevant" and families(name) == {"relevance"} and source.alone_does(name, "member"):
        return 2.0, True
    qrels = any("qrels" in families(other) for other in names if other != name)
    if role.name == "recommended" and "qrels" not in families(name) and (qrels or source.does(name, "entry_sliced")):
        return never_against(role, name)
    return None


def never_against(role: Role, name: str) -> Tuple[float, bool]:
    """How well a name suits a role that it does not speak against, and whether it names the role."""
    points, names = suits(role.name, name)
    return max(points, 0.0), names


def named_as(call: Call, roles: Sequence[Role], name: str) -> Tuple[float, bool]:
    """The points of a parameter's name for the roles that it takes, and whether the name supports them."""
    judged = call.holder.has(Holds.JUDGED) and not roles[0].has(Fact.ONE_NUMBER)
    if not judged and not call.holder.has(Holds.ZIPPED | Holds.COUPLE):
        return suits(roles[0].name, name)
    if judged or call.holder.has(Holds.NAMES):
        return 3.0, True
    if families(name) <= {"group"}:  # one of them for each user
        return 0.0, False
    supports = any(suits(role.name, name)[1] for role in roles)
    return (3.0, True) if "pairs" in families(name) else (0.5, True) if supports else (MISFIT, False)


@lru_cache(maxsize=None)
def suits(role: str, name: str) -> Tuple[float, bool]:
    """How well a name suits a role, and whether it names the role."""
    meanings = families(name)
    weights = [weight for family, weight in ROLES[role].names.items() if family in meanings]
    if weights:
        return max(weights), True
    return (0.0 if meanings <= VAGUE else MISFIT), False


def by_annotation(call: Call, role: Role, text: str) -> float:
    """Points for the annotation of one parameter."""
    if not text or text in ("typing.any", "object") or (call.holder.has(Holds.SEARCH) and role.name == "recommended"):
        return 0.0
    if call.holder.has(Holds.SEARCH | Holds.HELD_TRUTH) and LIST_OF_DICTS.match(text):
        return 2.0
    number = role.has(Fact.ONE_NUMBER) and call.per_user
    if re.fullmatch(r"(typing\.optional\[)?(builtins\.)?(int|float)\]?", text):
        return 2.0 if number else -4.0
    if TEXT.fullmatch(text):  # of one id: all others are no text (:func:`usable`)
        return 2.0 if call.holder.has(Holds.TEXT_IDS) else -1.0
    if call.holder.has(Holds.TEXT_IDS) and re.search(r"(list|set|sequence|iterable|tuple|array)\[int\b", text):
        return -4.0
    if number:
        return -1.0
    if role.has(Fact.ONE_NUMBER) and role.has(Fact.IDS) and call.holder.has(Holds.LISTS) and TEXTS.search(text):
        several = bool(re.search(rf"\[{SEVERAL}\[", text))  # for each user
        return -4.0 if several else 2.0 if call.holder.has(Holds.TEXT_IDS) else 0.0
    for pattern, kind in ANNOTATIONS:
        if re.search(pattern, text):
            if role.has(Fact.BY_ITEM) and not call.holder.has(Holds.GAINS):
                other_key = kind.startswith("text_dict") and not call.holder.has(Holds.TEXT_IDS)
                by_item = "dict" in kind and not kind.endswith(("_sets", "_lists"))
                return -0.5 if other_key and call.per_user else 2.0 if by_item else -2.0
            if role.has(Fact.TUPLES):
                return 2.0 if kind in ("tuples", "list_of_sets", "list_of_lists") or "dict" in kind else -1.0
            return 2.0 if kind in call.holder.annotations else -2.0
    return 0.0


def by_use(call: Call, role: Role, name: str, source: Source) -> float:
    """Points for what the function does with one parameter."""
    points, holder = 0.0, call.holder
    if source.does(name, "sliced"):
        points += role.sliced
    if is_one_item(name, source):
        points += 2.0 if role.has(Fact.ONE_NUMBER) and role.has(Fact.IDS) and call.per_user else -1.5
    if source.does(name, "entry_sliced"):
        points += 1.5 if role.name == "recommended" and not call.per_user else 0.0
    if source.does(name, "first_apart"):
        points += 4.0 if role.has(Fact.VECTOR) and role.has(Fact.ONE_RELEVANT) and call.arity == 1 else -2.0
    if source.does(name, "class_number"):
        points += 4.0 if role.has(Fact.IDS) and role.has(Fact.ONE_NUMBER) and not call.per_user else -2.0
    if source.does(name, "entry_contained"):
        points += 3.0 if role.has(Fact.ONE_NUMBER) and not call.per_user else -1.0
    if source.does(name, "summed"):
        points += 1.5 if role.has(Fact.BINARY | Fact.GRADED) and not role.has(Fact.VECTOR) else 0.0
    if source.does(name, "member") or source.does(name, "made_set"):
        points += role.member
    if source.alone_does(name, "ordered"):
        points += 3.0 if role.has(Fact.SCORES | Fact.UNSORTED) else -2.0
    if source.does(name, "greatest"):
        points += 3.0 if role.has(Fact.UNSORTED) or role.name == "one_true" else -1.0
    if source.does(name, "product") or source.does(name, "own_product"):
        points += 3.0 if "feature" in role.names else -1.0
    if source.does(name, "index"):
        points += 2.0 if role.has(Fact.IDS) else -1.5 if role.has(Fact.VECTOR) else 0.0
    if source.does(name, "set"):
        points += 1.0 if holder.has(Holds.SETS) and role.name in USUAL else -0.5
    points += 4.0 if "series" in holder.annotations and is_series(name, source) else 0.0
    points += _mapped(call, role, source.does(name, "mapping"), source.does(name, "indexed"))
    if source.does(name, "zipped"):
        points += 0.7 if holder.has(Holds.LISTS) else 0.0
    elif holder.has(Holds.LISTS) and role.has(Fact.VECTOR):
        points -= 2.0  # rather a matrix
    if source.does(name, "unpacked"):
        couples = holder.has(Holds.COUPLE) and holder.has(Holds.LISTS)
        points += 2.0 if holder.has(Holds.ZIPPED) or role.has(Fact.TUPLES) or couples else -0.5
    if source.does(name, "couples" if holder.has(Holds.LISTS) else "couple") and holder.has(Holds.COUPLE):
        points += 3.0
    if source.does(name, "rows"):
        points += 1.0 if holder.has(Holds.ROWS | Holds.ROW) or holder.name == "csr" else -1.0
    if source.does(name, "widened"):
        points += 2.5 if role.has(Fact.ONE_NUMBER) and not call.per_user else -0.5
    if source.does(name, "sparse"):
        points += 3.0 if holder.has(Holds.SPARSE) and role.name != "recommended" else -1.5
    if re.search(r"csr|sparse", name.lower()) and role.name == "y_score":
        points += {"csr-both": 3.0, "csr": -2.0}.get(holder.name, 0.0)
    reads_entries = any(ENTRY_KEY.fullmatch(key.lower()) for key in source.keys.get(name, ()))
    if holder.has(Holds.ENTRIES) and role.name == "recommended":
        points += 6.0 if reads_entries else -6.0
    if holder.has(Holds.JUDGED) and role.has(Fact.BINARY | Fact.GRADED):
        judged = any(map(judges, source.keys.get(name, ())))
        points += 6.0 if judged and not source.does(name, "frame") else -6.0
    if holder.has(Holds.ALL_ENTRIES):
        points += 4.0 if reads_entries else 0.0
    if holder.has(Holds.GAINS) and role.has(Fact.BY_ITEM):
        graded = any(GAIN.fullmatch(key.lower()) for key in source.keys.get(name, ()))
        points += 6.0 if graded and reads_entries else -6.0
    if role.name == "recommended" and holder.has(Holds.SEARCH):
        points += 9.0 if source.does(name, "called") else -9.0
    elif source.does(name, "called"):
        points -= 9.0
    family = FAMILY.get(role.name)
    if family and holder.has(HELD[family]):
        points += 6.0 if any(family in families(key) for key in source.keys.get(name, ())) else -6.0
    if source.does(name, "discounted"):
        points += 3.0 if role.name == "list_ranks" or role.has(Fact.RANKS) else -3.0
    if role.has(Fact.RANKS) or role.single:
        points += _ranked(call, role, next(iter(call.record.ranks), name), source)
    if role.has(Fact.FRAME) and holder.has(Holds.DICT_ROWS):
        points += 3.0 if call.columns and {*call.columns[2:4]} & {*source.keys.get(name, ())} else -6.0
    elif "frame" in families(name) or (source.does(name, "frame") and name not in source.boxes):
        points += 2.0 if role.has(Fact.FRAME) or holder.has(Holds.RATINGS) else -2.0
    elif role.has(Fact.FRAME) and call.container.endswith("-and-frame"):
        points -= 3.0
    return points


def _ranked(call: Call, role: Role, name: str, source: Source) -> float:
    """Points for a parameter that may hold ranks: one or several, from 1 or from 0."""
    several = not call.per_user or bool(role.single)
    points = 1.0 if source.does(name, "compared") else 0.0
    if source.does(name, "of_ranks") and not source.does(name, "entry_sliced"):
        points += 5.0 if several else -2.0
    if re.search(r"(rank|position|pos|idx)s$|_(list|array|arr)$|indices", name.lower()):
        points += 0.8 if several else -1.5
    elif re.search(r"(rank|position|pos|idx|index)$", name.lower()):
        points += -0.8 if several else 0.5
    return points + (0.3 if ("rank" in name.lower()) == ("rank" in role.name) else 0.0)


def _mapped(call: Call, role: Role, mapped: bool, indexed: bool) -> float:
    """Points for whether a parameter is used as a dict."""
    if call.holder.has(Holds.BESIDE_DICT):
        return 1.5 if mapped == (role.name == "relevant") else -2.0
    if role.has(Fact.BY_ITEM) and call.per_user:
        return 1.0 if mapped or indexed else -2.0
    if call.holder.has(Holds.DICT) and not role.has(Fact.FRAME):
        return 1.5 if mapped else 0.0 if indexed else -0.5
    return -2.0 if mapped else 0.0


def by_source(call: Call, binding: Binding, source: Source) -> float:
    """Points for what the whole function does and imports; one that takes a threshold compares gains with it."""
    points = 0.0
    for package in call.packages:
        elsewhere = f"{package}_elsewhere" in source.words
        points += 0.0 if elsewhere else 2.5 if package in source.words else -2.5
    if call.columns is not None and source.anywhere("frame"):
        points += 1.0
    if call.has(Fact.UNSORTED):
        points += 1.5 if "sorts" in source.words else -0.5
    gains = "gains" in source.words or binding.takes_threshold
    if call.has(Fact.GRADED):
        points += 0.3 if gains else -0.3
    elif call.has(Fact.BINARY):
        points += -0.3 if gains else 0.3
    if call.holder.has(Holds.ROWS | Holds.SPARSE):
        points += 1.5 if "rows" in source.words else -0.5
    if call.holder.has(Holds.ROW) and call.has(Fact.IDS):
        points -= 1.0  # a batch of lists shows more
    if call.holder.has(Holds.COLUMN) and call.arity > 1 and all(source.does(n, "alike") for n in binding.data or ()):
        points += 3.0  # arrays of which each row is compared with one entry
    if call.names == ("predicted_pairs",):
        points += 6.0 if binding.takes_threshold and source.anywhere("mapping") else -3.0
    if "area" in source.words:
        vectors = call.has(Fact.CANDIDATES) or any(
            role.has(Fact.VECTOR) and role.has(Fact.SCORES) for role in call.roles
        )
        points += 3.0 if vectors else 0.0
    if call.names == ("predictions",):
        rated = "est" in source.texts or source.does((binding.data or ("",))[0], "unpacked_five")
        points += 3.0 if rated else -1.0
    return points

"""Parameters that take no data: thresholds, sizes, column names, and required ones that get a usual value."""

from __future__ import annotations

import inspect
import operator
import re
from typing import Any, Dict, List, Tuple

import numpy as np

from metric_adapters.calls.container import Container, Holds
from metric_adapters.calls.facts import Source
from metric_adapters.calls.gallery import CAMERAS, cameras
from metric_adapters.calls.parameter_names import chooses_another, families, snake
from metric_adapters.calls.view import View, names_of
from metric_adapters.subject import CannotShow

THRESHOLD = re.compile(r"(\w+_)?(threshold|thresh|thr|th)|min_(rating|rel\w*|grade|gain)")
OF_GAINS = re.compile(r"(min_)?(rel|rating|grade|gain)")
"""How the name of a threshold begins that is one of gains, whatever its default."""
ITEMS = r"(items?|doc(ument)?s?|movies?|songs?|tracks?|articles?|products?|books?|news|passages?|chunks?|pois?)"
N_ITEMS = re.compile(
    rf"(n|m|num|nb|number_of|total|count)_?(all_?)?{ITEMS}|(total_)?({ITEMS}|candidates?)_(num|n|count)|n_?catalogu?e"
    r"|(catalogu?e?|corpus|collection|universe)_(size|count)|(user_?)?sample_?n|samples_per_user|(n|num)_?candidates|candidates_per_user|(n|num)_per_user"
    r"|item_?(cnt|size)|(n|num)_?(classes|entities)"
)
N_USERS = re.compile(
    r"(n|num|nb|number_of|total|count|evaluated)_?(all_?|test_?)?(users?|quer(y|ies))|users?_(num|n|count)|batch_?size|bs"
    r"|n_?pts|(n|num)_?(points|images|imgs)|im(g|age)?s?_?(len|num)"
)
CATALOGUE = re.compile(rf"catalog(ue)?(_items|_ids)?|all_?{ITEMS}(_ids)?|item_?(catalog(ue)?|pool|universe|set)")
"""A parameter that takes the id of each item."""
POPULARITY = re.compile(r"items?_?(pop\w*|counts?|freq\w*)|popularit(y|ies)(_\w+)?|pop_?(counts?|dict|map)")
"""A parameter that takes how often each item occurs, by its id; each occurs once."""
RENAMES = re.compile(
    rf"(\w+_)?(ids?|idx|index|[ip]id|{ITEMS})(_ids?)?_?(to|2)_?((\w+_)?(ids?|idx|index|[ip]id|text|title|name|page|source|url|key|token)|{ITEMS})s?"
    rf"|(ids?|idx|index|{ITEMS})(_ids?)?_?(map|mapping|lookup)"
)
"""A parameter that takes another name of each item, by its id; each keeps its own."""
COLUMN = re.compile(r"(\w+_)?(cols?|columns?|key|field|name)(_\w+)?")
USER = re.compile(
    r"(user|usr|u|uid|query|q|qid|group|session|impression|sess)(_?(ids?|idx|index|indices|no|key))?s?|groups?|user_?list"
    r"|(group|query)_?(sizes?|counts?|lengths?)|sizes|all_?users"
)
MASK = re.compile(
    r"(x_?|user_?|\w+_)?train(ing)?(_?(user_)?(mask|matrix|csr|data|set|items?|x|dict|batch|mat|df|interactions?|ratings?|pos))?"
    r"|\w*mask"
    r"|seen(_items?)?|exclude(d|_items?|_\w*ids)?|history|masked_items|observed|(\w+_)?(junk|ignored)(_\w+)?"
)
ITEMS_OUT = re.compile(r"seen(_items?)?|exclude(d|_items?|_\w*ids)?|history|(\w+_)?(junk|ignored)(_\w+)?")
"""Of these, what holds items of one user where that user alone is asked."""
KEPT_MASK = re.compile(r"(metrics?|valid|samples?|candidates?|eval|eligible|allowed|keep|kept|attention|loss)_?masks?")
"""A mask whose ones are counted; the ones of a mask of training data are left out."""
WITHOUT_ITSELF = re.compile(r"(drop|skip|ignore|exclude|remove)_(first|self|query|itself|diagonal)")
"""A choice to leave each item out of its own list."""
CONSTANTS: Tuple[Tuple["re.Pattern[str]", Any], ...] = (
    (re.compile(r"verbose|verbosity|debug|silent|show|plot|print_\w+|progress(_bar)?|log"), False),
    (re.compile(r"eps|epsilon|smooth(ing)?"), 1e-10),
    (re.compile(r"return_\w+|avg_of_\w+|(\w+_)?per_class"), False),
    (re.compile(r"(label_|item_)?(compar(ison|e)|equal|eq|match(er)?|is_match)(_(fn|func|function))?"), operator.eq),
    (re.compile(r"device|local_rank"), "cpu"),
    (re.compile(r"(log_?)?base"), 2),
    (re.compile(r"classes|class_(labels|names|list)"), [0, 1]),
    (re.compile(r"logit_?scale|temperature|tau"), 1.0),
)
CHOICES: Tuple[Tuple["re.Pattern[str]", Any], ...] = (
    (re.compile(r"method|mode|type|kind|strategy|version|variant|(gain_?)?scheme|weights?_?type|gain_?type"), 1),
    (re.compile(r"average|averaging|reduction|reduce|agg|aggregation"), "mean"),
    (re.compile(r"(?!k_)(\w+_)?metrics?(_names?|_list|_type|_map|_keys|_set)?"), None),
)
"""Names of a choice; the value is given if the source does not show which values there are."""


def is_setting(parameter: inspect.Parameter) -> bool:
    """Whether a parameter takes a setting of the case: the threshold, the number of items or of users."""
    name, default = snake(parameter.name), parameter.default
    if THRESHOLD.fullmatch(name):  # a default between 0 and 1 is one of scores, of 10 or more one of items
        of_scores = isinstance(default, float) and 0.0 < default < 1.0 and not OF_GAINS.match(name)
        return not of_scores and not isinstance(default, str) and not (type(default) is int and default >= 10)
    if N_USERS.fullmatch(name):
        return default is inspect.Parameter.empty
    return bool(N_ITEMS.fullmatch(name))


def is_column(parameter: inspect.Parameter) -> bool:
    """Whether a parameter names a column of a frame."""
    if isinstance(parameter.default, str):
        return bool(COLUMN.fullmatch(snake(parameter.name)))
    return parameter.default is inspect.Parameter.empty and bool(
        re.fullmatch(r"(\w+_)?(col|column)(_\w+)?|(?!proto)\w+col", snake(parameter.name))
    )


def is_fill(parameter: inspect.Parameter) -> bool:
    """Whether a parameter is required, takes no data and has a usual value."""
    if parameter.default is not inspect.Parameter.empty:
        return False
    name = snake(parameter.name)
    if name.endswith("mask") and not name.startswith("train") and families(name) & {"truth", "label", "positive"}:
        return False  # a mask of what is relevant
    if parameter.annotation in (str, "str") and not families(name) and not is_user(name):
        return True  # a prefix, a title
    patterns = [MASK, CAMERAS, CATALOGUE, POPULARITY, RENAMES, *(pattern for pattern, _ in (*CONSTANTS, *CHOICES))]
    return any(pattern.fullmatch(name) for pattern in patterns)


def is_user(name: str) -> bool:
    """Whether a name means a user, a group of entries, or the sizes of groups; ``U`` is a matrix."""
    return name != "U" and bool(USER.fullmatch(snake(name).strip("_")))


def setting(name: str, view: View, container: Container) -> Any:
    """The value for a parameter that :func:`is_setting`."""
    plain = snake(name)
    if THRESHOLD.fullmatch(plain):
        return view.case.threshold
    if N_USERS.fullmatch(plain):
        return 1 if container.has(Holds.USER) else view.case.users
    if "class" in plain and container.has(Holds.TWO_COLUMNS):
        return 2
    return view.case.n_items


def counts_items(name: str, source: Source) -> bool:
    """Whether a parameter is the items of the catalogue, a data set or scores, and nothing but its size is read."""
    if source.does(name, "counted"):
        return are_scores(name) or re.fullmatch(rf"{ITEMS}(_ids?)?", snake(name)) is not None
    keys = source.keys.get(name, ())
    return bool(keys) and all(N_ITEMS.fullmatch(snake(key)) for key in keys)


def are_scores(name: str) -> bool:
    """Whether a name is that of scores."""
    return "score" in families(name)


class Counted(List[int]):
    """The items of the catalogue, whose number is also read as an attribute or a key: ``dataset.n_items``."""

    def __getattr__(self, name: str) -> int:
        if N_ITEMS.fullmatch(snake(name)):
            return len(self)
        raise AttributeError(name)

    def __getitem__(self, key: Any) -> Any:
        return len(self) if isinstance(key, str) and N_ITEMS.fullmatch(snake(key)) else super().__getitem__(key)


class Itself(Dict[Any, Any]):
    """What maps every key to itself."""

    def __missing__(self, key: Any) -> Any:
        return key

    def __contains__(self, key: Any) -> bool:
        return True

    def get(self, key: Any, default: Any = None) -> Any:
        """The key."""
        return key


class Shown(Dict[Any, str]):
    """What describes a run or an item: no text under any key, attribute or index."""

    def __missing__(self, key: Any) -> str:
        return ""

    def __getattr__(self, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        return ""


def fill(name: str, view: View, container: Container, user: int, source: Source, text: bool = False) -> Any:
    """The value for a required parameter that takes no data. text : it takes text."""
    plain = snake(name)
    if is_user(name) and not container.has(Holds.USER) and source.does(name, "tensor"):
        return view.kit.tensor(np.arange(view.case.users))
    if name in source.shown:
        return Shown()
    if source.does(name, "unread_entries"):
        return users(view, container)
    if is_user(name):
        if {"start", "stop"} & {*source.keys.get(name, ())}:
            return slice(0, view.case.users)
        return users(view, container) if not container.has(Holds.USER) else str(user) if text else user
    if counts_items(name, source):
        if are_scores(name):
            return empty(view, container)
        return Counted(range(view.case.n_items))
    if CATALOGUE.fullmatch(plain):
        return set(view.present(np.arange(view.case.n_items)).tolist())
    if POPULARITY.fullmatch(plain):
        ones = np.ones(view.case.n_items)
        if source.does(name, "mapping"):
            return dict(zip(view.present(np.arange(len(ones))).tolist(), ones))
        if view.ids is not None:
            raise CannotShow(f"an item is a place in {name}, whatever its id")
        return ones
    if RENAMES.fullmatch(plain):
        return Itself()
    for pattern, value in CONSTANTS:
        if pattern.fullmatch(plain):
            return False if source.does(name, "option") else value  # a device that is only tested is a GPU
    if is_choice(name):
        return choice(name, source)
    if text:
        return plain
    if CAMERAS.fullmatch(plain):
        shown = cameras(name, view.of_user(user) if container.has(Holds.USER) else view, container.has(Holds.USER))
        return view.kit.tensor(shown) if container.package == "torch" or source.does(name, "tensor") else shown
    if container.has(Holds.USER) and ITEMS_OUT.fullmatch(plain) and not container.has(Holds.ROW):
        return no_items(view, container)
    if plain.endswith("mask") and source.does(name, "column"):  # one entry for each row, which counts
        rows = np.ones(view.case.users, dtype=bool)
        return view.kit.tensor(rows) if container.package == "torch" else rows
    return masked(view, container, 1.0) if KEPT_MASK.fullmatch(plain) else empty(view, container)


def users(view: View, container: Container) -> Any:
    """The names of all users, in the order of the data."""
    count = view.case.users
    if container.has(Holds.ROWS):
        return np.arange(count)
    return list(names_of(count)) if container.has(Holds.TEXT_USERS) else list(range(count))


def choice(name: str, source: Source) -> Any:
    """What a parameter of :data:`CHOICES` is given: None, its usual value, one that is compared, or all."""
    usual = next(value for pattern, value in CHOICES if pattern.fullmatch(snake(name)))
    compared = source.compared.get(name, [])
    if source.does(name, "distance"):
        return "euclidean"
    if None in compared:  # the source has a value of its own for it
        return None
    if compared and (source.does(name, "looped") or source.does(name, "member")):
        return list(dict.fromkeys(compared))
    return usual if usual in compared or not compared else min(compared, key=chooses_another)


def is_choice(name: str) -> bool:
    """Whether the name is that of a choice."""
    return any(pattern.fullmatch(snake(name)) for pattern, _ in CHOICES)


def no_items(view: View, container: Container) -> Any:
    """No item of one user, in the container of the others."""
    items = np.empty(0, dtype=np.int64)
    if container.has(Holds.SETS):
        return set()
    return view.kit.tensor(items) if container.package == "torch" else items if "array" in container.annotations else []


def empty(view: View, container: Container) -> Any:
    """Training data without an entry, in the container of the other arguments."""
    return masked(view, container, 0.0)


def masked(view: View, container: Container, entry: float) -> Any:
    """A users x items mask filled with ``entry``; an empty container where it holds items."""
    mask = np.full((view.case.users, view.case.n_items), entry)
    if container.has(Holds.SPARSE):
        return view.kit.csr(mask)
    if container.has(Holds.RATINGS):
        return view.kit.rows(mask)
    sets = container.has(Holds.SETS)
    if container.has(Holds.BESIDE_DICT):
        return {user: set() if sets else [] for user in range(view.case.users)}
    if container.package == "torch":
        return view.kit.tensor(mask.astype(bool))
    if container.has(Holds.ROW) or (container.has(Holds.ROWS) and not sets):
        return mask.astype(bool)
    if container.has(Holds.DICT):
        return {user: set() if sets else [] for user in range(view.case.users)}
    if container.has(Holds.LISTS):
        return [[] for _ in range(view.case.users)]
    return set() if sets else []

"""The containers of data: lists, sets, arrays, tensors, frames. One row is a container, with all its facts."""

from __future__ import annotations

from enum import Flag, auto
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from metric_adapters.calls import batches, unusual
from metric_adapters.calls.builders import RANK_OF_UNLISTED
from metric_adapters.calls.columns import role_of
from metric_adapters.calls.entries import Entry, as_graded, as_judged, as_objects, judges, with_keys
from metric_adapters.calls.facts import Source
from metric_adapters.calls.frames import Naming, one_frame
from metric_adapters.calls.keys import ENTRY_KEY
from metric_adapters.calls.packages import Kit
from metric_adapters.calls.parameter_names import families
from metric_adapters.calls.records import ByName, Held, HeldItem
from metric_adapters.calls.role import ROLES, Fact, Role
from metric_adapters.calls.searches import Search
from metric_adapters.calls.view import View, names_of, text_of

Convert = Callable[[Role, Any, Kit], Any]
"""The data of one user in a role, in a container."""
Make = Callable[[Role, View], Any]
"""The data of all users in a role, in a container."""
Build = Callable[[Any, Sequence[Role], View, int], Tuple[Any, ...]]
"""The arguments of a call (its :class:`metric_adapters.calls.call.Call`) for its roles and, in a call, one user."""


NAMED = "a dict or object that names them"
UNUSUAL = -1.2
"""How unusual most containers are."""
FIRST_USER = 100_000
"""The number of the first user if the users are given as a list."""


class Holds(Flag):
    """What is true of a container."""

    NOTHING = 0
    USER = auto()  # the function is called for one user at a time
    UNNAMED = auto()  # left out of the printed name of a call
    ZIPPED = auto()  # all roles in one argument
    COUPLE = auto()  # both roles in one tuple
    SETS = auto()  # the relevant items as sets
    LISTS = auto()  # a list over all users
    DICT = auto()  # a dict by user
    ROWS = auto()  # an array with a row for each user
    ROW = auto()  # an array with a single row
    TURNED = auto()  # an array with a column for each user
    COLUMN = auto()  # numbers of users as one column
    TWO_COLUMNS = auto()  # scores with a column for each of two classes
    SPARSE = auto()  # sparse matrices
    TEXT_USERS = auto()  # users are named by text
    TEXT_IDS = auto()  # item ids are text
    STACKED = auto()  # the entries of all users, in one row
    ENTRIES = auto()  # the recommended items as entries with attributes and keys
    ALL_ENTRIES = auto()  # both lists as such entries
    GAINS = auto()  # the relevant items as entries that hold their gains
    JUDGED = auto()  # the recommended items as entries that hold their relevance
    NONE = auto()  # None for an item that is not listed
    BESIDE_DICT = auto()  # the relevant items in a dict by user, everything else in rows
    NAMES = auto()  # all roles in one argument, under names that tell them
    HELD_TRUTH = auto()  # the relevant items in a dict or object that names them
    HELD_LIST = auto()  # the same for the recommended items
    DICT_ROWS = auto()  # the rows of a frame as dicts
    RECORD = auto()  # an object or a dict with fixed names
    RATINGS = auto()  # frames with a row for each user and a column for each item
    SEARCH = auto()  # the recommended items as a function from the user to a list


HELD_BOTH = Holds.HELD_TRUTH | Holds.HELD_LIST
HELD = {"truth": Holds.HELD_TRUTH, "list": Holds.HELD_LIST}
"""By the family of the names, what holds items under them."""
FAMILY = {"relevant": "truth", "grades": "truth", "recommended": "list"}
"""By role, the family of the names under which its items are held."""


class Container(NamedTuple):
    """A container of the data of one user, or of all users.

    words : for people. build : makes the arguments. holds : what is true of it. prior : how usual it is, 0 for the most
    usual. package : what makes it, beside numpy. annotations : the kinds of annotation that it suits (``rank.py``).
    batch : the container of all users, of one for a single row. sign : whether the source shows
    that it may be meant, by the names of the roles; without it the container is not tried.
    """

    name: str
    words: str
    build: Build
    holds: Holds = Holds.NOTHING
    prior: float = UNUSUAL
    annotations: Tuple[str, ...] = ()
    package: str = ""
    batch: str = ""
    sign: Callable[[Sequence[str], Source], bool] = lambda roles, source: True

    def has(self, holds: Holds) -> bool:
        """Whether one of these is true of the container."""
        return bool(self.holds._value_ & holds._value_)


# --- the data of one user ---


def as_list(role: Role, value: Any, kit: Kit) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def as_set(role: Role, value: Any, kit: Kit) -> Any:
    return set(value.tolist()) if role.name == "relevant" else as_list(role, value, kit)


def as_both_sets(role: Role, value: Any, kit: Kit) -> Any:
    return set(value.tolist()) if role.name in ("relevant", "recommended") else as_list(role, value, kit)


def as_array(role: Role, value: Any, kit: Kit) -> Any:
    return value


def as_array_and_set(role: Role, value: Any, kit: Kit) -> Any:
    """The relevant items as a set, everything else as an array."""
    return as_set(role, value, kit) if role.name == "relevant" else value


def as_tensor(role: Role, value: Any, kit: Kit) -> Any:
    """float32 for numbers with a fraction and for relevance, int64 for ids and labels."""
    if not isinstance(value, np.ndarray):
        return value
    return kit.tensor(value.astype(np.float64) if role.has(Fact.FLOAT_TENSOR) else value)


def as_id_list(role: Role, value: Any, kit: Kit) -> Any:
    return value.tolist() if value.ndim == 1 else value


def as_string(role: Role, value: Any, kit: Kit) -> Any:
    """Ids as text; everything else as a list."""
    if role.has(Fact.IDS):
        return list(map(text_of, value.tolist())) if isinstance(value, np.ndarray) else text_of(value)
    if role.has(Fact.BY_ITEM):
        return {text_of(item): number for item, number in value.items()}
    if role.has(Fact.TUPLES):  # ids are whole numbers, scores and gains are not
        return [tuple(text_of(each) if isinstance(each, int) else each for each in pair) for pair in value]
    return as_list(role, value, kit)


def as_tensor_and_list(role: Role, value: Any, kit: Kit) -> Any:
    """The relevant items as a list, everything else as a tensor."""
    return as_list(role, value, kit) if role.name == "relevant" else as_tensor(role, value, kit)


def as_string_set(role: Role, value: Any, kit: Kit) -> Any:
    text = as_string(role, value, kit)
    return set(text) if role.name == "relevant" else text


def as_pair_set(role: Role, value: Any, kit: Kit) -> Any:
    """A set of items, each a pair of ids."""
    return {(f"a{text_of(item)}", f"b{text_of(item)}") for item in value.tolist()}


def listed_objects(convert: Convert) -> Convert:
    """The recommended items as entries with attributes and keys; their ids, and everything else, by ``convert``."""

    def objects(role: Role, value: Any, kit: Kit) -> Any:
        converted = convert(role, value, kit)
        return list(map(Entry, converted, range(len(converted)))) if role.name == "recommended" else converted

    return objects


def as_type(kind: type) -> Convert:
    """0 and 1 as another type, where a role's may be."""
    return lambda role, value, kit: value.astype(kind) if role.has(Fact.BOOLEAN) else value


def as_row(role: Role, value: Any, kit: Kit) -> Any:
    return value[None, :] if isinstance(value, np.ndarray) else value


def as_list_row(role: Role, value: Any, kit: Kit) -> Any:
    """The recommended items as an array with a single row, everything else as an array."""
    return as_row(role, value, kit) if role.name == "recommended" else value


def as_kit_tensor(role: Role, value: Any, kit: Kit) -> Any:
    return kit.tensor(value) if isinstance(value, np.ndarray) else value


def unlisted_as(missing: Any) -> Convert:
    """Ranks as plain numbers or lists, with ``missing`` for an item that is not listed."""

    def convert(role: Role, value: Any, kit: Kit) -> Any:
        if not role.has(Fact.RANKS):
            return as_list(role, value, kit)
        if isinstance(value, np.ndarray):
            return [missing if rank >= RANK_OF_UNLISTED else rank for rank in value.tolist()]
        return missing if value >= RANK_OF_UNLISTED else value

    return convert


def then(*conversions: Convert) -> Convert:
    """One conversion after another."""

    def convert(role: Role, value: Any, kit: Kit) -> Any:
        for each in conversions:
            value = each(role, value, kit)
        return value

    return convert


def built(role: Role, *arguments: Any) -> Any:
    """What a role's builder makes."""
    assert role.build is not None, role.name
    return role.build(*arguments)


def of_user(convert: Convert) -> Build:
    """The arguments for one user."""
    return lambda call, roles, view, user: tuple(convert(role, built(role, view, user), view.kit) for role in roles)


def zipped(values: Sequence[np.ndarray]) -> List[Tuple[Any, ...]]:
    """Vectors of one length as a list of tuples."""
    return list(zip(*(value.tolist() for value in values)))


def in_one(roles: Sequence[Role]) -> Tuple[Sequence[Role], Sequence[Role]]:
    """The roles that are zipped into one argument, and those that stand beside it: numbers of relevant items."""
    beside = [role for role in roles if role.name == "n_relevant"]
    return [role for role in roles if role not in beside], beside


def of_pairs(make: Callable[[List[np.ndarray]], Any]) -> Build:
    """The roles of one user in one argument."""

    def build(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
        pairs, beside = in_one(roles)
        return (make([built(role, view, user) for role in pairs]), *(built(role, view, user) for role in beside))

    return build


def as_columns(values: List[np.ndarray]) -> np.ndarray:
    return np.stack([value.astype(np.float64) for value in values], axis=1)


def with_other_class(convert: Convert) -> Convert:
    """Scores as two columns, 1 minus the score and the score; other roles by ``convert``."""

    def both(role: Role, value: Any, kit: Kit) -> Any:
        return convert(role, as_columns([1.0 - value, value]) if role.name == "scores" else value, kit)

    return both


def of_record(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
    """An object or a dict with fixed names, of one user."""
    return (call.record.made(view, user, built(roles[0], view, user)),)


def of_records(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
    """Objects or dicts with fixed names, of all users."""
    values = enumerate(built(roles[0], view, each) for each in range(view.case.users))
    if roles[0].has(Fact.RANKS):
        return ([call.record.ranked(view, rank, each) for each, rank in values],)
    return ([call.record.made(view, each, truth) for each, truth in values],)


# --- the data of all users ---


def of_all(make: Make, groups_as: Convert = as_array) -> Build:
    """The arguments for all users; a role of groups tells which entries of the first other role belong together."""

    def build(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
        numbers = users_of(view.case.users) if any(role.name == "user_list" for role in roles) else None
        vector = next((role for role in roles if not role.has(Fact.GROUPS)), roles[0])

        def value_of(role: Role) -> Any:
            if role.name == "user_list":
                return numbers
            if role.has(Fact.GROUPS):
                return groups_as(role, batches.groups(role, vector, view), view.kit)
            value = make(role, view)
            return value if numbers is None or not isinstance(value, dict) else dict(zip(numbers, value.values()))

        return tuple(map(value_of, roles))

    return build


def users_of(count: int) -> List[int]:
    """The numbers of users that are given as a list: no number is a position in a list."""
    return list(range(FIRST_USER, FIRST_USER + count))


def list_of(convert: Convert) -> Make:
    """A list over all users."""
    return lambda role, view: batches.each(role, view, convert)


def dict_of(convert: Convert) -> Make:
    """A dict by user number."""
    return lambda role, view: dict(enumerate(batches.each(role, view, convert)))


def text_dict_of(convert: Convert) -> Make:
    """A dict by user number as text."""
    return lambda role, view: dict(zip(names_of(view.case.users), batches.each(role, view, convert)))


def as_cube(role: Role, view: View) -> np.ndarray:
    """Shape (users, 1, items)."""
    return np.asarray(batches.matrix(role, view))[:, None, :]


def apart(relevant: Make, rest: Make) -> Make:
    """The relevant items by one builder, everything else by another."""
    return lambda role, view: (relevant if role.name == "relevant" else rest)(role, view)


def shared(make: Make) -> Make:
    """A builder like ``make``; the ids of the catalogue once for all users."""

    def build(role: Role, view: View) -> Any:
        return built(role, view, 0).tolist() if role.name == "catalogue_items" else make(role, view)

    return build


def matrix_as(convert: Convert) -> Make:
    """An array with a row for each user or item, converted."""
    return lambda role, view: convert(role, batches.matrix(role, view), view.kit)


def dict_and(entry: Callable[[View, int, Any], Tuple[Any, ...]]) -> Make:
    """A builder of a dict of lists by user; of what is relevant, of a list with an entry for each item."""

    def make(role: Role, view: View) -> Any:
        by_user = dict_of(as_list)(role, view)
        if role.name not in ("relevant", "item"):
            return by_user
        return [entry(view, user, item) for user, items in by_user.items() for item in np.atleast_1d(items).tolist()]

    return make


def listed_by_user(role: Role, view: View) -> Any:
    """A list of users and their items; of what is relevant, a dict by user."""
    pairs = list(enumerate(batches.each(role, view, as_list)))
    return pairs if role.name == "recommended" else dict(pairs)


def pair_array_and_dict(role: Role, view: View) -> Any:
    made = dict_and(as_pair)(role, view)
    return np.array(made, dtype=np.int64).reshape(-1, 2) if role.name == "relevant" else made


def as_pair(view: View, user: int, item: Any) -> Tuple[Any, ...]:
    """A user and a relevant item."""
    return (user, item)


def as_prediction(view: View, user: int, item: Any) -> Tuple[Any, ...]:
    """A user, a relevant item, its rating, no score and no details."""
    return (user, item, view.case.threshold, 0.0, {})


def from_one(make: Make) -> Make:
    """A builder like ``make``, whose items are numbered from 1."""
    return lambda role, view: make(role, view) + 1 if role.name == "item" else make(role, view)


def turned(make: Make) -> Make:
    """A builder like ``make``, with rows and columns exchanged."""
    return lambda role, view: np.ascontiguousarray(np.asarray(make(role, view)).T)


def places_count_from_one(roles: Sequence[str], source: Source) -> bool:
    return "from_one" in source.words


def of_all_pairs(gather: Callable[[List[List[Tuple[Any, ...]]]], Any]) -> Build:
    """The roles of all users in one argument, from a list of tuples for each user."""

    def build(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
        return (gather([zipped([built(role, view, each) for role in roles]) for each in range(view.case.users)]),)

    return build


def of_all_triples(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
    """Tuples of the user and two vectors of each user, in the order of the roles, of all users in one list."""
    rows: List[Tuple[Any, ...]] = []
    for each in range(view.case.users):
        values = [None if role.has(Fact.GROUPS) else built(role, view, each).tolist() for role in roles]
        length = max(len(value) for value in values if value is not None)
        rows += zip(*([each] * length if value is None else value for value in values))
    return (rows,)


def couple_of(build: Build) -> Build:
    """The arguments of another container as one tuple."""
    return lambda call, roles, view, user: (build(call, roles, view, user),)


def named_in_one(build: Build) -> Build:
    """The arguments of another container in one dict, under keys that mean them."""

    def named(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
        values = build(call, roles, view, user)
        return (ByName([(role.names, value) for role, value in zip(roles, values)]),)

    return named


def named_for_each(gather: Callable[[List[ByName]], Any]) -> Build:
    """One dict for each user, in which keys mean the roles."""

    def build(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
        users = range(view.case.users)
        return (gather([ByName([(role.names, built(role, view, each)) for role in roles]) for each in users]),)

    return build


def of_keyed(convert: Convert, *beside: str) -> Build:
    """Dicts by user that hold one user, and that user; the roles ``beside`` are in none."""

    def build(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
        values = [(role.name, convert(role, built(role, view, user), view.kit)) for role in roles]
        return tuple(value if name in ("user_key", *beside) else {user: value} for name, value in values)

    return build


def held(holds: Holds, role: Role, items: Any, user: str) -> Any:
    """A user's items, in a dict or object that names them if the container says so."""
    family = FAMILY[role.name]
    if not holds & HELD[family]:
        return items
    return Held(family, list(map(with_keys, items)) if isinstance(items, list) else items, user)


def of_held(holds: Holds) -> Build:
    """The items of one user as text, in dicts or objects that name them, or as entries, where ``holds`` says so."""
    convert = listed_objects(as_string) if holds & Holds.ENTRIES else as_string
    return lambda call, roles, view, user: tuple(
        held(holds, role, convert(role, built(role, view, user), view.kit), str(user)) for role in roles
    )


def of_all_held(holds: Holds, gather: Callable[[List[List[Any]]], Tuple[Any, ...]]) -> Build:
    """Those of all users, the columns of the roles put together."""

    def column(role: Role, view: View) -> List[Any]:
        rows = zip(batches.each(role, view, as_string), names_of(view.case.users))
        return [held(holds, role, items, user) for items, user in rows]

    return lambda call, roles, view, user: gather([column(role, view) for role in roles])


Gather = Callable[[Role, List[Any], Sequence[str]], Any]
"""What is relevant to all users, of a role, with their names."""


def of_search(gather: Gather) -> Build:
    """A search that answers the text of a user with the list, and what is relevant by user, as ``gather`` makes it."""

    def build(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
        users = names_of(view.case.users)

        def value_of(role: Role) -> Any:
            if role.name == "user_list":
                return gather(role, users, users)
            values = batches.each(role, view, as_string)
            return Search(dict(zip(users, values))) if role.name == "recommended" else gather(role, values, users)

        return tuple(map(value_of, roles))

    return build


def all_held(role: Role, values: List[Any], users: Sequence[str]) -> List[Held]:
    """Dicts or objects that name what is relevant, and the user."""
    holder = HeldItem if role.name == "item" else Held
    return [holder("truth", *each) for each in zip(values, users)]


def in_tuples(columns: List[List[Any]]) -> Tuple[Any, ...]:
    return (list(zip(*columns)),)


def beside_dict(columns: List[List[Any]]) -> Tuple[Any, ...]:
    """What is held as a list, the rest as a dict by the user's name."""
    names = names_of(len(columns[0]))
    return tuple(column if isinstance(column[0], Held) else dict(zip(names, column)) for column in columns)


def of_couples(kind: Callable[[Iterator[Any]], Any], convert: Convert, named: bool = False) -> Build:
    """Both roles of each user in a list or tuple of two, of all users in one list; ``named``: after the user's name."""

    def build(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
        users = range(view.case.users)
        values = [[convert(role, built(role, view, each), view.kit) for role in roles] for each in users]
        names = [[name] if named else [] for name in names_of(len(values))]
        return ([kind(iter((*name, *value))) for name, value in zip(names, values)],)

    return build


def at_once(text: bool) -> Build:
    """Roles that are built for all users at once; ``text``: ids are text."""
    return lambda call, roles, view, user: tuple(built(role, view, text) for role in roles)


def as_feature_tensor(role: Role, value: Any, kit: Kit) -> Any:
    return kit.tensor(value) if role.name.endswith("features") else value


def of_one_query(convert: Convert) -> Build:
    """Roles that are built for all users at once, of one user; those of the gallery itself have no row for a user."""

    def build(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
        alone = view.of_user(user)
        values = [(role, built(role, alone, False)) for role in roles]
        of_gallery = ("gallery_features", "gallery_ids")
        return tuple(convert(role, value if role.name in of_gallery else value[0], view.kit) for role, value in values)

    return build


def of_frames(package: str, alone: bool = False, named: Optional[Naming] = None) -> Build:
    """Data frames of all users in the order of users and ranks, or of one user; ``named`` makes text of ids."""

    def build(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
        users = [user] if alone else range(view.case.users)
        return tuple(
            one_frame(package, role, built(role, view, users), call.columns, view, named, alone) for role in roles
        )

    return build


def beside_frames(make: Make) -> Build:
    """A data frame of all users, and data that is in none."""

    def build(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
        (frame,) = (role for role in roles if role.has(Fact.FRAME))
        rows = one_frame("pandas", frame, built(frame, view, range(view.case.users)), call.columns, view)
        return tuple(rows if role is frame else make(role, view) for role in roles)

    return build


def over_all_users(role: Role, view: View) -> Any:
    """What a role's builder makes for all users at once."""
    return built(role, view, range(view.case.users))


def of_wide_frames(call: Any, roles: Sequence[Role], view: View, user: int) -> Tuple[Any, ...]:
    return tuple(unusual.wide_frame(role, view) for role in roles)


def anywhere(*uses: str) -> Callable[[Sequence[str], Source], bool]:
    """Whether the source uses some parameter in one of these ways."""
    return lambda roles, source: any(map(source.anywhere, uses))


called, couples = anywhere("called"), anywhere("couples", "unpacked")


def entries_are_read(roles: Sequence[str], source: Source) -> bool:
    return not source.readable or "entries" in source.words


def listed_entries_are_read(roles: Sequence[str], source: Source) -> bool:
    return any(ENTRY_KEY.fullmatch(key.lower()) for keys in source.keys.values() for key in keys)


def judgements_are_read(roles: Sequence[str], source: Source) -> bool:
    """Whether a judgement is read from entries that have no other order than that of the list."""
    read = [key for keys in source.keys.values() for key in keys]
    return any(map(judges, read)) and not {"user", "score", "rank"} & {*map(role_of, read)}


def rows_are_used(roles: Sequence[str], source: Source) -> bool:
    return "y_score" in roles or not source.readable or "rows" in source.words or source.anywhere("rows")


def are_rows_and_dict(roles: Sequence[str], source: Source) -> bool:
    rows = "rows" in source.words if "y_score" in roles else source.anywhere("rows")
    return source.anywhere("mapping") and ("item_features" in roles or rows)


def are_unpacked(roles: Sequence[str], source: Source) -> bool:
    """Whether the names that the source unpacks from each entry are those of the roles, in their order."""
    family = {"users": "group", "relevance": "label", "relevance_graded": "label", "falling_scores": "score"}
    wanted = [{family[role], "relevance"} if family[role] == "label" else {family[role]} for role in roles]
    return len(source.triple) == len(roles) and all(
        families(name) & words for name, words in zip(source.triple, wanted)
    )


def makes_text(roles: Sequence[str], source: Source) -> bool:
    return "text" in source.words


def rows_are_dicts(of_users: bool) -> Callable[[Sequence[str], Source], bool]:
    """Whether keys are read from what is no frame. of_users : that of a user among them, or each row is a user."""

    def sign(roles: Sequence[str], source: Source) -> bool:
        read = [key for keys in source.keys.values() for key in keys]
        users = roles in (("lists_frame",), ("item_frame",)) or "user" in map(role_of, read)
        frames = source.anywhere("frame") or judgements_are_read(roles, source)
        return bool(read) and users == of_users and not frames

    return sign


def reads_no_column(roles: Sequence[str], source: Source) -> bool:
    return source.anywhere("frame") and not any(source.keys.values()) and not source.grouped


def groups_no_users(roles: Sequence[str], source: Source) -> bool:
    return all(role_of(column) not in (None, "user") for column in source.grouped)


def names_are_read(holds: Holds, unpacked: bool) -> Callable[[Sequence[str], Source], bool]:
    """Whether the source reads a name of what is held. unpacked : and unpacks two values from something."""
    wanted = [family for family, flag in HELD.items() if holds & flag]

    def sign(roles: Sequence[str], source: Source) -> bool:
        read = [families(key) for keys in source.keys.values() for key in keys]
        pairs = not unpacked or couples(roles, source)
        pairs = pairs and (not holds & Holds.ENTRIES or listed_entries_are_read(roles, source))
        return pairs and all(any(family in meanings for meanings in read) for family in wanted)

    return sign


def a_key_for_each(roles: Sequence[str], source: Source) -> bool:
    return any(
        len(keys) == len(roles) and all(any(families(key) & {*ROLES[role].names} for key in keys) for role in roles)
        for keys in source.keys.values()
    )


def are_called_for_pairs(roles: Sequence[str], source: Source) -> bool:
    return called(roles, source) and couples(roles, source)


def made(
    name: str, words: str, build: Build, *annotations: str, holds: Holds = Holds.NOTHING, **more: Any
) -> Container:
    """A container by what makes its arguments; ``annotations``: the kinds that suit it."""
    return Container(name, words, build, holds, annotations=annotations, **more)


def one(
    name: str, words: str, convert: Convert, *annotations: str, holds: Holds = Holds.NOTHING, **more: Any
) -> Container:
    """A container of the data of one user."""
    return made(name, words, of_user(convert), *annotations, holds=Holds.USER | holds, **more)


def each(
    name: str, words: str, convert: Convert, *annotations: str, holds: Holds = Holds.NOTHING, **more: Any
) -> Container:
    """A list over all users of such data."""
    return made(name, words, of_all(list_of(convert)), *annotations, holds=Holds.LISTS | holds, **more)


def by_user(
    name: str, words: str, convert: Convert, *annotations: str, holds: Holds = Holds.NOTHING, **more: Any
) -> Container:
    """A dict by user of such data."""
    return made(name, words, of_all(dict_of(convert)), *annotations, holds=Holds.DICT | holds, **more)


def arrays_and_tensors(
    names: Tuple[str, str],
    words: str,
    make: Make,
    wrapped: Callable[[Build], Build] = lambda build: build,
    priors: Tuple[float, float] = (UNUSUAL, UNUSUAL),
    **more: Any,
) -> Iterator[Container]:
    """The containers of numpy arrays and of torch tensors over all users; ``{}`` in ``words`` is what they are."""
    arrays, tensors = of_all(make), of_all(batches.tensor(make), as_kit_tensor)
    yield made(names[0], words.format("numpy array"), wrapped(arrays), "array", prior=priors[0], **more)
    tensor_words = words.format("torch tensor")
    yield made(names[1], tensor_words, wrapped(tensors), "tensor", prior=priors[1], package="torch", **more)


H = Holds
TABLE = (
    one("lists", "lists", as_list, "list", "float_list", "dict", holds=H.UNNAMED, prior=0.0),
    one("sets", "the relevant items as a set", as_set, "set", "list", holds=H.SETS, prior=-0.1),
    one("both-sets", "two sets, the recommended items without their order", as_both_sets, "set", "list", holds=H.SETS),
    one("arrays", "numpy arrays", as_array, "array", "float_list", "list", prior=-0.2),
    one("tensors", "torch tensors", as_tensor, "tensor", prior=-0.3, package="torch"),
    one(
        "tensor-and-list",
        "a torch tensor, the relevant items as a list",
        as_tensor_and_list,
        "tensor",
        "list",
        "set",
        prior=-0.5,
        package="torch",
    ),
    one(
        "array-and-set",
        "a numpy array, the relevant items as a set",
        lambda role, value, kit: (as_set if role.name == "relevant" else as_array)(role, value, kit),
        "array",
        "set",
        holds=H.SETS,
        sign=anywhere("set"),
    ),
    one("strings", "lists, item ids as text", as_string, "text_dict", "text_list", "list", holds=H.TEXT_IDS),
    one(
        "string-sets",
        "lists, the relevant items as a set, item ids as text",
        as_string_set,
        "text_list",
        holds=H.TEXT_IDS | H.SETS,
    ),
    one("pair-sets", "sets, each item a pair of ids as text", as_pair_set, "tuples", holds=H.TEXT_IDS | H.SETS),
    one("bools", "lists of True and False", then(as_type(bool), as_list), "bool_list", "list", prior=-0.9),
    one("bool-arrays", "numpy arrays of True and False", as_type(bool), "array", prior=-0.95),
    one(
        "bool-tensors", "torch tensors of True and False", then(as_type(bool), as_kit_tensor), "tensor", package="torch"
    ),
    one("floats", "lists of 0.0 and 1.0", then(as_type(float), as_list), "float_list", "list"),
    one("float-arrays", "numpy arrays of 0.0 and 1.0", as_type(float), "array", prior=-1.0),
    one(
        "float-tensors", "torch tensors of 0.0 and 1.0", then(as_type(float), as_kit_tensor), "tensor", package="torch"
    ),
    one(
        "row",
        "numpy arrays with a single row",
        as_row,
        "array",
        holds=H.ROW,
        prior=-1.0,
        batch="matrix",
        sign=rows_are_used,
    ),
    one(
        "tensor-row",
        "torch tensors with a single row",
        then(as_row, as_tensor),
        "tensor",
        holds=H.ROW,
        package="torch",
        batch="tensor-matrix",
        sign=rows_are_used,
    ),
    one("none", "None for an item that is not listed", unlisted_as(None), holds=H.NONE),
    one("minus-one", "-1 for an item that is not listed", unlisted_as(-1)),
    made("pairs", "zipped into one list of tuples", of_pairs(zipped), "tuples", holds=H.USER | H.ZIPPED, prior=-0.9),
    made(
        "couple",
        "a tuple of two numpy arrays",
        couple_of(of_user(as_array)),
        holds=H.USER | H.COUPLE,
        sign=anywhere("couple", "second"),
    ),
    *arrays_and_tensors(
        ("couple-matrix", "couple-tensors"),
        "a tuple of two {}s with a row for each user",
        batches.matrix,
        couple_of,
        holds=H.COUPLE | H.ROWS,
        sign=anywhere("couple", "second"),
    ),
    *arrays_and_tensors(
        ("named-matrix", "named-tensors"),
        "{}s with a row for each user, in one dict",
        batches.matrix,
        named_in_one,
        holds=H.COUPLE | H.ROWS | H.NAMES,
        sign=a_key_for_each,
    ),
    *(
        made(
            name,
            f"{words} of dicts that name them",
            named_for_each(gather),
            *annotations,
            holds=holds | H.COUPLE | H.NAMES,
            sign=a_key_for_each,
        )
        for name, words, gather, holds, annotations in (
            ("named-list", "a list over all users", list, H.LISTS, ("list",)),
            ("named-dict", "a dict by user", lambda rows: dict(enumerate(rows)), H.DICT, ("dict_of_dicts", "dict")),
        )
    ),
    made(
        "couples",
        "a list over all users of lists of two: its relevant and its recommended items",
        of_couples(list, as_list),
        "tuples",
        "list_of_lists",
        holds=H.LISTS | H.COUPLE,
        sign=couples,
    ),
    made(
        "array-couples",
        "a list over all users of tuples of two numpy arrays",
        of_couples(tuple, as_array),
        "tuples",
        holds=H.LISTS | H.COUPLE,
        sign=couples,
    ),
    made(
        "text-couples",
        "a list over all users of tuples of two: its relevant items as a set and its recommended ones, ids as text",
        of_couples(tuple, as_string_set),
        "text_couples",
        "tuples",
        "list_of_lists",
        holds=H.LISTS | H.COUPLE | H.SETS | H.TEXT_IDS,
        sign=couples,
    ),
    made(
        "named-couples",
        "a list over all users of tuples of three: its name, then its relevant and its recommended items, ids as text",
        of_couples(tuple, as_string_set, named=True),
        "text_couples",
        "tuples",
        holds=H.LISTS | H.COUPLE | H.SETS | H.TEXT_IDS | H.TEXT_USERS,
        sign=anywhere("triples"),
    ),
    made(
        "entry-couples",
        "a list over all users of such tuples, the recommended items as entries with attributes or keys",
        of_couples(tuple, listed_objects(as_string_set)),
        "text_couples",
        "tuples",
        holds=H.LISTS | H.COUPLE | H.SETS | H.TEXT_IDS | H.ENTRIES,
        sign=listed_entries_are_read,
    ),
    made(
        "graded-couples",
        "a list over all users of such tuples, the relevant items as entries with their gains",
        of_couples(tuple, then(as_string, as_graded)),
        "text_couples",
        "tuples",
        holds=H.LISTS | H.COUPLE | H.TEXT_IDS | H.GAINS,
        sign=entries_are_read,
    ),
    made(
        "pair-arrays",
        "zipped into one numpy array with two columns",
        of_pairs(as_columns),
        "tuples",
        holds=H.USER | H.ZIPPED,
    ),
    *(
        one(
            f"{words}-of-two",
            f"{how}, the scores with a column for each of two classes",
            with_other_class(convert),
            kind,
            holds=H.ROWS | H.TWO_COLUMNS,
            package=package,
            sign=anywhere("second_column"),
        )
        for words, how, convert, kind, package in (
            ("arrays", "numpy arrays", as_array, "array", ""),
            ("tensors", "torch tensors", as_tensor, "tensor", "torch"),
        )
    ),
    each("all", "a list over all users", as_list, "list_of_lists", prior=-0.3),
    each(
        "all-sets",
        "a list over all users, the relevant items as sets",
        as_set,
        "list_of_sets",
        holds=H.SETS,
        prior=-0.4,
    ),
    each(
        "all-both-sets",
        "a list of sets over all users, the recommended items without their order",
        as_both_sets,
        "list_of_sets",
        holds=H.SETS,
    ),
    each("all-arrays", "a list of numpy arrays over all users", as_array, "list_of_arrays", prior=-0.6),
    each("all-tensors", "a list of torch tensors over all users", as_tensor, package="torch"),
    each(
        "all-strings",
        "a list over all users, item ids as text",
        as_string,
        "list_of_lists",
        holds=H.TEXT_IDS,
        prior=-0.6,
    ),
    each("all-none", "a list over all users, None for an item that is not listed", unlisted_as(None), holds=H.NONE),
    each("all-minus-one", "a list over all users, -1 for an item that is not listed", unlisted_as(-1)),
    made(
        "all-pairs",
        "zipped, a list of lists of tuples over all users",
        of_all_pairs(list),
        "tuples",
        holds=H.LISTS | H.ZIPPED,
    ),
    made(
        "all-shared",
        "lists over all users, the ids of the catalogue once",
        of_all(shared(list_of(as_list))),
        "list_of_lists",
        "list",
        holds=H.LISTS,
    ),
    by_user("dicts", "a dict by user", as_list, "dict_of_dicts", "dict", prior=-0.4),
    by_user(
        "dict-sets",
        "a dict by user, the relevant items as sets",
        as_set,
        "dict_of_sets",
        "dict",
        holds=H.SETS,
        prior=-0.5,
    ),
    by_user("dict-arrays", "a dict by user of numpy arrays", as_array),
    by_user("dict-none", "a dict by user, None for an item that is not listed", unlisted_as(None), holds=H.NONE),
    made(
        "dict-strings",
        "a dict by user, ids as text",
        of_all(text_dict_of(as_string)),
        "text_dict",
        holds=H.DICT | H.TEXT_USERS | H.TEXT_IDS,
    ),
    made(
        "dict-string-sets",
        "a dict by user, the relevant items as sets, ids as text",
        of_all(text_dict_of(as_string_set)),
        "text_dict_of_sets",
        holds=H.DICT | H.SETS | H.TEXT_USERS | H.TEXT_IDS,
    ),
    made(
        "dict-and-list",
        "the relevant items as a dict of sets by user, the recommended items as a list over all users",
        of_all(apart(dict_of(as_set), list_of(as_list))),
        holds=H.DICT,
    ),
    *(
        made(
            name,
            f"a {package or 'numpy'} {kind} with a row for each user, the relevant items as a dict of {values} by user",
            of_all(apart(dict_of(convert), batches.tensor(batches.matrix) if package else batches.matrix)),
            kind,
            f"dict_of_{values}",
            "dict",
            holds=H.ROWS | H.BESIDE_DICT | holds,
            package=package,
            sign=are_rows_and_dict,
        )
        for name, package, kind, values, convert, holds in (
            ("matrix-and-dict", "", "array", "sets", as_set, H.SETS),
            ("matrix-and-dict-lists", "", "array", "lists", as_list, H.NOTHING),
            ("tensor-and-dict-lists", "torch", "tensor", "lists", as_list, H.NOTHING),
        )
    ),
    made(
        "dict-and-pairs",
        "the relevant items as (user, item) tuples of all users, the recommended items as a dict by user",
        of_all(dict_and(as_pair)),
        holds=H.DICT,
        sign=couples,
    ),
    made(
        "pairs-and-dict",
        "the recommended items as a list of (user, items) tuples, the relevant items as a dict by user",
        of_all(listed_by_user),
        "tuples",
        "dict",
        "dict_of_dicts",
        holds=H.DICT,
        sign=couples,
    ),
    made(
        "dict-and-pair-array",
        "a numpy array with a row of user and relevant item each, the recommended items as a dict by user",
        of_all(pair_array_and_dict),
        "array",
        holds=H.DICT,
        sign=anywhere("unpacked", "rows"),
    ),
    made(
        "dict-and-tuples",
        "the relevant items as (user, item, rating, score, details) tuples of all users, the others as a dict by user",
        of_all(dict_and(as_prediction)),
        holds=H.DICT,
        sign=anywhere("unpacked_five", "couples"),
    ),
    made("keyed", "dicts by user, and the user", of_keyed(as_list), holds=H.USER | H.DICT),
    *(
        made(
            f"keyed-truth{ending}",
            f"{words} by user, and the user",
            of_keyed(convert, "recommended", "y_score"),
            holds=H.USER | H.DICT | holds,
        )
        for ending, words, convert, holds in (
            ("", "a list, the relevant items in a dict", as_list, H.NOTHING),
            ("-sets", "a list, the relevant items in a dict of sets", as_set, H.SETS),
            ("-arrays", "a numpy array, the relevant items in a dict of sets", as_array_and_set, H.SETS),
        )
    ),
    one("list-row", "numpy arrays, the recommended items as a single row", as_list_row),
    *(
        Container(
            name,
            f"{words}, the recommended items as entries with attributes or keys: item_id, score and the like",
            of_user(listed_objects(convert)),
            H.USER | H.ENTRIES | holds,
            UNUSUAL,
            ("dict", "dict_of_dicts", "list", "tuples", *annotations),
            sign=listed_entries_are_read,
        )
        for name, words, convert, holds, annotations in (
            ("list-objects", "lists", as_list, H.NOTHING, ()),
            ("set-objects", "the relevant items as a set", as_set, H.SETS, ("set",)),
            ("string-objects", "lists, item ids as text", as_string, H.TEXT_IDS, ("text_dict", "text_list")),
            (
                "string-set-objects",
                "lists, the relevant items as a set, item ids as text",
                as_string_set,
                H.TEXT_IDS | H.SETS,
                ("set", "text_dict", "text_list"),
            ),
        )
    ),
    one(
        "objects",
        "lists of entries with attributes or keys: item_id, user_id, rating, score, timestamp and the like",
        as_objects,
        holds=H.ALL_ENTRIES,
        sign=entries_are_read,
    ),
    one(
        "text-objects",
        "lists of entries with attributes or keys, ids as text",
        then(as_string, as_objects),
        holds=H.TEXT_IDS | H.ALL_ENTRIES,
        sign=entries_are_read,
    ),
    one(
        "graded-objects",
        "lists, item ids as text, the relevant items as entries with their gains: title, path, relevance and the like",
        then(as_string, as_graded),
        "list",
        "tuples",
        "text_list",
        "dict",
        "text_dict",
        holds=H.TEXT_IDS | H.GAINS,
        sign=entries_are_read,
    ),
    each(
        "all-objects",
        "a list over all users of lists of entries with attributes or keys",
        as_objects,
        holds=H.ALL_ENTRIES,
        sign=entries_are_read,
    ),
    each(
        "all-string-objects",
        "a list over all users, the recommended items as entries with attributes or keys, ids as text",
        listed_objects(as_string),
        holds=H.TEXT_IDS | H.ENTRIES,
        sign=listed_entries_are_read,
    ),
    by_user(
        "dict-objects",
        "a dict by user of lists of entries with attributes or keys",
        as_objects,
        holds=H.ALL_ENTRIES,
        sign=entries_are_read,
    ),
    one(
        "judged",
        "a list of entries that hold it under a name that means it: relevant, is_hit, label and the like",
        as_judged,
        "list",
        holds=H.JUDGED,
        sign=judgements_are_read,
    ),
    made(
        "rating-frames",
        "pandas frames with a row for each user and a column for each item",
        of_all(lambda role, view: view.kit.rows(batches.matrix(role, view))),
        "frame",
        holds=H.RATINGS,
        prior=2.8,  # where no column is read, frames of other kinds are unlikely
        package="pandas",
        sign=reads_no_column,
    ),
    made(
        "wide-frames",
        "pandas frames with a row for each user and an item in each cell",
        of_wide_frames,
        "frame",
        package="pandas",
    ),
    *(
        Container(
            name,
            f"{words}, ids as text",
            of_held(named | holds) if gather is None else of_all_held(named, gather),
            named | holds | H.TEXT_IDS,
            UNUSUAL,
            ("dict", "dict_of_dicts", "text_dict", "text_list", "list", "tuples", "list_of_lists"),
            sign=names_are_read(named | holds, unpacked=bool(holds & H.COUPLE)),
        )
        for name, words, named, holds, gather in (
            ("held-truth", f"the relevant items in {NAMED}", H.HELD_TRUTH, H.USER, None),
            (
                "held-truth-and-entries",
                f"the relevant items in {NAMED}, the recommended items as entries with attributes or keys",
                H.HELD_TRUTH,
                H.USER | H.ENTRIES,
                None,
            ),
            ("held-list", f"the recommended items in {NAMED}", H.HELD_LIST, H.USER, None),
            ("held", f"the items of both in {NAMED}", HELD_BOTH, H.USER, None),
            (
                "all-held-truth",
                f"lists over all users, the relevant items of each in {NAMED}",
                H.HELD_TRUTH,
                H.LISTS,
                tuple,
            ),
            (
                "all-held-list",
                f"lists over all users, the recommended items of each in {NAMED}",
                H.HELD_LIST,
                H.LISTS,
                tuple,
            ),
            ("all-held", f"lists over all users, the items of each in {NAMED}", HELD_BOTH, H.LISTS, tuple),
            (
                "held-truth-and-dict",
                f"the relevant items of each user in {NAMED}, the rest by user",
                H.HELD_TRUTH,
                H.LISTS,
                beside_dict,
            ),
            (
                "held-list-and-dict",
                f"the recommended items of each user in {NAMED}, the rest by user",
                H.HELD_LIST,
                H.LISTS,
                beside_dict,
            ),
            (
                "held-couples",
                f"a list over all users of tuples of two, the items of both in {NAMED}",
                HELD_BOTH,
                H.LISTS | H.COUPLE,
                in_tuples,
            ),
        )
    ),
    *(
        made(
            name,
            f"the relevant items in {words}, and a function or object that searches: it gets the user and how many "
            "items are wanted, and returns entries with attributes or keys; ids as text",
            of_search(gather),
            *annotations,
            holds=H.LISTS | H.TEXT_USERS | H.TEXT_IDS | H.SEARCH | holds,
            sign=sign,
        )
        for name, words, gather, holds, sign, annotations in (
            ("search", f"a list over all users, each in {NAMED}", all_held, H.HELD_TRUTH, called, ()),
            (
                "search-and-dict",
                "a dict by user",
                lambda role, values, users: dict(zip(users, values)),
                H.DICT,
                called,
                (),
            ),
            (
                "search-and-list",
                "a list in the order of the users",
                lambda role, values, users: values,
                H.NOTHING,
                called,
                (),
            ),
            (
                "search-and-pairs",
                "a list of pairs, each after its user's name",
                lambda role, values, users: list(zip(users, values)),
                H.NOTHING,
                are_called_for_pairs,
                ("tuples",),
            ),
        )
    ),
    *(
        made(
            f"{prefix}{name}",
            f"{words}{about}",
            build,
            "tuples",
            holds=H.ZIPPED | H.NAMES | H.RECORD | holds | more,
            prior=prior,
        )
        for prefix, about, more, prior in (("", "", H.NOTHING, UNUSUAL), ("text-", ", ids as text", H.TEXT_IDS, -1.5))
        for name, words, build, holds in (
            ("record", "an object or a dict with fixed names for both", of_record, H.USER),
            ("records", "a list over all users of objects or dicts with fixed names", of_records, H.NOTHING),
        )
    ),
    made(
        "sessions",
        "a numpy array with an axis for sessions and one for places in them, ids from 1",
        of_all(unusual.sessions),
        sign=anywhere("rows"),
    ),
    made(
        "session-pairs",
        "zipped into one list of tuples over all users, each with the same number of items",
        of_all_pairs(unusual.joined),
        "tuples",
        holds=H.ZIPPED,
        prior=1.0,
        sign=lambda roles, source: bool(source.sizes),
    ),
    made(
        "triples",
        "zipped into one list of (user, score, label) tuples over all users, best first in each",
        of_all_triples,
        "tuples",
        holds=H.ZIPPED,
        prior=1.0,
        sign=are_unpacked,
    ),
    made(
        "dict-pairs",
        "zipped, a dict by user of lists of tuples",
        of_all_pairs(lambda rows: dict(enumerate(rows))),
        "tuples",
        holds=H.DICT | H.ZIPPED,
        prior=-1.0,
    ),
    made("series", "a pandas Series over all users", of_all(batches.series), "series", package="pandas"),
    made(
        "string-series",
        "a pandas Series over all users, item ids as text",
        of_all(lambda role, view: view.kit.series(batches.each(role, view, as_string))),
        "series",
        holds=H.TEXT_IDS,
        package="pandas",
    ),
    *arrays_and_tensors(
        ("matrix", "tensor-matrix"),
        "{}s with a row for each user",
        batches.matrix,
        holds=H.ROWS,
        priors=(-0.4, -0.5),
    ),
    *arrays_and_tensors(
        ("code-matrix", "code-tensor-matrix"),
        "{}s with a row for each user, each item a code of three numbers",
        batches.item_codes,
        holds=H.ROWS,
        sign=lambda roles, source: "whole_rows" in source.words,
    ),
    made(
        "matrix-shared",
        "numpy arrays with a row for each user, the ids of the catalogue once as a list",
        of_all(shared(batches.matrix)),
        "array",
        holds=H.ROWS,
    ),
    made(
        "int-matrix",
        "numpy arrays of 0 and 1 with a row for each user",
        of_all(batches.int_matrix),
        "array",
        holds=H.ROWS,
        prior=-0.7,
    ),
    made(
        "matrix-sets",
        "a numpy array with a row for each user, the relevant items as a list of sets",
        of_all(batches.matrix_sets),
        holds=H.ROWS | H.SETS,
        prior=-0.7,
    ),
    *arrays_and_tensors(
        ("padded-matrix", "padded-tensor-matrix"),
        "{}s with a row for each user, past the end of the relevant items -1",
        batches.padded_truth,
        holds=H.ROWS,
        sign=lambda roles, source: any(-1 in values for values in source.compared.values()),
    ),
    *arrays_and_tensors(
        ("column", "tensor-column"),
        "{}s with a row for each user, the relevant items as one column",
        batches.column,
        holds=H.ROWS | H.COLUMN,
        priors=(-1.0, UNUSUAL),
    ),
    made(
        "query-columns",
        "a numpy array with a column for each user, the relevant items as dicts with ok and junk",
        of_all(unusual.query_columns),
        prior=3.0,
        sign=lambda roles, source: {"ok", "junk"} <= source.strings,
    ),
    made(
        "feature-tensors",
        "features as torch tensors with a row for each user or item, the rest as numpy arrays",
        of_all(matrix_as(as_feature_tensor)),
        "tensor",
        "array",
        holds=H.ROWS,
        package="torch",
    ),
    made(
        "id-lists",
        "numpy arrays with a row for each user or item, identities as lists",
        of_all(matrix_as(as_id_list)),
        "array",
        "list",
        holds=H.ROWS,
    ),
    made("one-query", "numpy arrays, of one query", of_one_query(as_array), "array", holds=H.USER),
    made(
        "one-query-tensors",
        "of one query, the features as torch tensors, the rest as numpy arrays",
        of_one_query(as_feature_tensor),
        "tensor",
        "array",
        holds=H.USER,
        package="torch",
    ),
    made(
        "query-tensors", "torch tensors, of one query", of_one_query(as_tensor), "tensor", holds=H.USER, package="torch"
    ),
    made(
        "tensor-and-tensors",
        "a torch tensor with a row for each user, the relevant items as a list of tensors",
        of_all(apart(list_of(as_kit_tensor), batches.tensor(batches.matrix))),
        "tensor",
        "list_of_arrays",
        holds=H.ROWS,
        prior=-0.9,
        package="torch",
    ),
    made(
        "tensor-cube",
        "a torch tensor of three dimensions, with one entry in the second",
        of_all(batches.tensor(as_cube)),
        holds=H.ROWS,
        package="torch",
        sign=lambda roles, source: "cube" in source.words,
    ),
    made(
        "bool-tensor-matrix",
        "torch tensors of True and False with a row for each user",
        of_all(batches.tensor(batches.matrix, bool)),
        holds=H.ROWS,
        package="torch",
    ),
    *arrays_and_tensors(
        ("columns", "tensor-columns"),
        "{}s with a column for each user",
        turned(batches.matrix),
        holds=H.ROWS | H.TURNED,
    ),
    *arrays_and_tensors(
        ("matrix-from-one", "tensor-matrix-from-one"),
        "{}s with a row for each user, items numbered from 1",
        from_one(batches.matrix),
        holds=H.ROWS,
        sign=places_count_from_one,
    ),
    made(
        "float-tensor-matrix",
        "torch tensors of 0.0 and 1.0 with a row for each user",
        of_all(batches.tensor(batches.matrix, float)),
        "tensor",
        holds=H.ROWS,
        package="torch",
    ),
    made(
        "csr",
        "a scipy CSR matrix for what is relevant, a numpy array with a row for each user for the rest",
        of_all(batches.csr),
        "sparse",
        holds=H.SPARSE,
        prior=-0.6,
        package="scipy",
    ),
    made(
        "csr-both",
        "scipy CSR matrices with a row for each user",
        of_all(batches.csr_both),
        "sparse",
        holds=H.SPARSE,
        package="scipy",
    ),
    *arrays_and_tensors(
        ("flat", "flat-tensors"), "one {} over all users", batches.flat, holds=H.STACKED, priors=(-0.8, -0.9)
    ),
    *arrays_and_tensors(
        ("flat-minus-one", "flat-tensors-minus-one"),
        "one {} over all users, -1 for an item that is not listed",
        batches.flat_minus_one,
        holds=H.STACKED,
    ),
    made(
        "flat-lists",
        "one list over all users",
        of_all(lambda role, view: batches.flat(role, view).tolist(), as_list),
        holds=H.STACKED,
    ),
    made(
        "text",
        "ids as text",
        at_once(text=True),
        "dict_of_dicts",
        "text_dict",
        "dict",
        holds=H.UNNAMED | H.DICT | H.TEXT_USERS | H.TEXT_IDS,
        prior=-0.5,
    ),
    made("ints", "ids as whole numbers", at_once(text=False), "dict_of_dicts", "dict", holds=H.DICT, prior=-0.55),
    made("tuples", "", at_once(text=False), holds=H.UNNAMED, prior=0.0),
    made("frames", "pandas frames", of_frames("pandas"), "frame", holds=H.UNNAMED, prior=-0.4, package="pandas"),
    made(
        "text-frames",
        "pandas frames, ids as text",
        of_frames("pandas", named=text_of),
        "frame",
        holds=H.TEXT_USERS | H.TEXT_IDS,
        prior=-0.5,
        package="pandas",
        sign=makes_text,
    ),
    *(
        made(
            name,
            f"lists of dicts, a row each{words}",
            of_frames("", alone=holds == H.USER),
            "dict",
            "dict_of_dicts",
            "text_dict",
            "list",
            "tuples",
            holds=H.DICT_ROWS | holds,
            prior=-0.5,
            sign=rows_are_dicts(of_users=holds != H.USER),
        )
        for name, words, holds in (("rows", "", H.NOTHING), ("user-rows", ", of one user", H.USER))
    ),
    made("polars", "polars frames", of_frames("polars"), "polars", prior=-0.8, package="polars"),
    *(
        Container(
            f"{name}-and-frame",
            f"a pandas frame, and {words}",
            beside_frames(make),
            holds,
            UNUSUAL,
            ("frame", *annotations),
            "pandas",
            sign=lambda roles, source: not source.readable or source.anywhere("frame"),
        )
        for name, words, make, holds, annotations in (
            ("dict", "a dict by user", dict_of(as_list), H.DICT, ("dict",)),
            ("sets", "a dict of sets by user", dict_of(as_set), H.DICT | H.SETS, ("dict_of_sets", "dict")),
            ("list", "a list over all users", list_of(as_list), H.LISTS, ("list_of_lists", "list")),
            ("array", "a numpy array with an entry for each row", over_all_users, H.NOTHING, ("array",)),
        )
    ),
    made(
        "user-frames",
        "pandas frames of one user, the relevant items also in the index of their frame",
        of_frames("pandas", alone=True),
        "frame",
        holds=H.USER,
        prior=-0.7,
        package="pandas",
        sign=groups_no_users,
    ),
)
CONTAINERS: Dict[str, Container] = {container.name: container for container in TABLE}
"""Every container by its name."""

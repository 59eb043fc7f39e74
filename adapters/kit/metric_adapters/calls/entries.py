"""Entries of lists as objects: items whose id, score and time are read as attributes, as keys or by index."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Dict, Iterator

import numpy as np

from metric_adapters.calls.packages import Kit
from metric_adapters.calls.role import Role

USER = re.compile(r"(\w+_)?(user|session|query|customer|group)(_?(id|idx|index|key|no))?|uid|qid")
PRODUCT = re.compile(
    r"(\w+_)?(item|movie|product|article|paper|doc|document|track|song|book|news|video|chunk|passage)(_?(id|idx|index|key|no))?"
)
ITEM = re.compile(
    r"\w*id|\w+_(number|no|num|code)|"
    r"(\w+_)?(text|content|title|(file)?name|source|page|(sub)?section|chapter|url|uri|path|file|link|href|slug|hash|uuid|key)|words?|terms?|phrase"
)
COUNTED = re.compile(r"(\w+_)?(index|idx|number|num|no|page|line|offset)")
"""A key of an item that holds a number, though its id is text."""
INNER = re.compile(r"_?(metadata|meta|payload|node|_source|fields|entity|properties|attributes)")
"""A key under which a further object with the keys of the item is."""
SCORE = re.compile(r"(\w+_)?(score|prediction|pred|est|estimate|prob|probability|similarity)")
GAIN = re.compile(r"(\w+_)?(rating|relevance|rel|label|gain|grade|weight|value)")
JUDGED = re.compile(
    r"(\w+_)?(relevant|relevance|rel|hit|correct|verdict|judge?ment|label|grade|gain)(_(score|grade|label|flag))?"
)
"""Under which an entry holds what it was judged."""
TIME = re.compile(r"(\w+_)?(time|timestamp|ts|date|datetime|rank|position|order|place|idx|index)")


WHERE = r"((char|offset|line|span|token)_?)?{}(_?(char|offset|line|pos|position|idx|index|token))?"
START, END = re.compile(WHERE.format("start")), re.compile(WHERE.format("end"))
"""Where an item begins and ends in a text, as a number: no two items overlap."""
SPAN = 100
"""Characters of an item in a text."""

KEYS = (START, END, USER, PRODUCT, TIME, SCORE, GAIN, INNER, ITEM)


@lru_cache(maxsize=None)
def meant(key: str) -> int:
    """The place in :data:`KEYS` of the first pattern that a key fits; their number for another key."""
    return next((place for place, pattern in enumerate(KEYS) if pattern.fullmatch(key.lower())), len(KEYS))


@lru_cache(maxsize=None)
def counts(key: str) -> bool:
    """Whether a key is that of a number, though the item's id is text."""
    return COUNTED.fullmatch(key.lower()) is not None


@lru_cache(maxsize=None)
def judges(key: str) -> bool:
    """Whether a key is that of what an entry was judged."""
    return JUDGED.fullmatch(key.lower()) is not None


class Keyed:
    """What has the keys of an item."""

    def get(self, key: str, default: Any = None) -> Any:
        """The item itself where the key is that of an item."""
        try:
            return item_key(self, key, KeyError)
        except KeyError:
            return default


class NumberId(Keyed, int):
    """An item id that has the item's keys too, for a function that reads ``result.chunk.id``, ``get_id()``."""

    def __getattr__(self, name: str) -> Any:
        return item_key(self, name, AttributeError)

    def __getitem__(self, key: str) -> Any:
        return item_key(self, key, KeyError)

    def __call__(self) -> int:
        return self


class TextId(Keyed, str):
    """The same for an id that is text."""

    def __getattr__(self, name: str) -> Any:
        return item_key(self, name, AttributeError)

    def __getitem__(self, key: Any) -> Any:
        return item_key(self, key, KeyError) if isinstance(key, str) else super().__getitem__(key)

    def __call__(self) -> str:
        return self


class ItemScore(float):
    """The score of an item that has the item's keys too, for a function that unpacks the score before the item."""

    _item: Any = None

    def __new__(cls, score: float, item: Any = None) -> ItemScore:
        scored = super().__new__(cls, score)
        scored._item = item
        return scored

    def __getattr__(self, name: str) -> Any:
        return item_key(with_keys(self._item), name, AttributeError)

    def __getitem__(self, key: str) -> Any:
        return item_key(with_keys(self._item), key, KeyError)


def item_key(item: Any, key: str, error: type) -> Any:
    """The item itself where the key is that of an item, where it begins or ends; the error for another key."""
    place = meant(key)
    if place <= KEYS.index(END):
        return begins(item) + SPAN * place
    if key.startswith("__") or not any(pattern.fullmatch(key.lower()) for pattern in (PRODUCT, ITEM, INNER)):
        raise error(key)
    return item


def ends_in_text(key: str) -> bool:
    """Whether a key is that of where an item ends in a text."""
    return meant(key) == KEYS.index(END)


def begins(item: Any) -> int:
    """Where an item begins in a text."""
    return 2 * SPAN * int(item) if str(item).isdigit() else 0


def with_keys(item: Any) -> Any:
    """An id that has the item's keys too."""
    return {int: NumberId, str: TextId}.get(type(item), lambda same: same)(item)


class Entry(Dict[str, Any]):
    """One entry of a list: an item with its index in the list.

    It is a dict that has attributes and keys of the usual names, ``[0]`` for the item and ``[1]`` for the score, and is
    equal to its item's id. Earlier entries of a list have smaller times and larger scores; ranks count from 1.
    """

    __slots__ = ("_gain", "_index", "_item", "_score")

    def __init__(self, item: Any, index: int, score: float = 0.0, gain: float = 1.0) -> None:
        super().__init__()
        self._item, self._index, self._score = with_keys(item), index, score or 1.0 / (1.0 + index)
        self._gain = gain

    def __getattr__(self, name: str) -> Any:
        value = None if name.startswith("__") else self.get(name)
        if value is None:
            raise AttributeError(name)
        return value

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int) and key in (0, 1):
            return tuple(self)[key]
        value = self.get(key) if isinstance(key, str) else None
        if value is None:
            raise IndexError(key) if isinstance(key, int) else KeyError(key)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key."""
        place = meant(key)
        if place <= KEYS.index(END):
            return item_key(self._item, key, KeyError)
        digits = counts(key) and isinstance(self._item, str) and self._item.isdigit()
        item = NumberId(self._item) if digits else self._item
        order = self._index + key.lower().endswith("rank")
        return (0, item, order, self._score, self._gain, self, item, default)[place - KEYS.index(USER)]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.get(key) is not None

    def __iter__(self) -> Iterator[Any]:
        return iter((self._item, ItemScore(self._score, self._item)))

    def __len__(self) -> int:
        return 2

    def __eq__(self, other: object) -> bool:
        return bool(self._item == (other._item if isinstance(other, Entry) else other))

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self._item)

    def __repr__(self) -> str:
        gain = "" if self._gain == 1.0 else f", gain={self._gain:g}"
        return f"Entry(item_id={self._item}{gain})"

    def __str__(self) -> str:
        return str(self._item)


class JudgedEntry(Entry):
    """An entry that holds its relevance."""

    __slots__ = ("_judged",)

    def __init__(self, judged: Any, index: int) -> None:
        super().__init__(index, index)
        self._judged = judged

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key."""
        return self._judged if judges(key) else super().get(key, default)

    def __repr__(self) -> str:
        return f"Entry(relevant={self._judged})"


def as_judged(role: Role, value: Any, kit: Kit) -> Any:
    """Relevance in rank order as entries that hold it; another number as it is."""
    return list(map(JudgedEntry, value.tolist(), range(len(value)))) if isinstance(value, np.ndarray) else value


def as_graded(role: Role, value: Any, kit: Kit) -> Any:
    """The relevant items as entries that hold their gains, of a dict of these; the list as it is."""
    if not isinstance(value, dict):
        return value
    return [Entry(item, index, gain=gain) for index, (item, gain) in enumerate(value.items())]


def as_objects(role: Role, value: Any, kit: Kit) -> Any:
    """Items as entries with attributes and keys; ``value`` : their ids, or text."""
    if role.name in ("relevant", "recommended"):
        return [Entry(item, index) for index, item in enumerate(value if isinstance(value, list) else value.tolist())]
    if role.name == "scored":
        return [Entry(item, index, score) for index, (item, score) in enumerate(value)]
    if role.name == "item":
        return [Entry(value, 0)]
    return value.tolist() if isinstance(value, np.ndarray) else value

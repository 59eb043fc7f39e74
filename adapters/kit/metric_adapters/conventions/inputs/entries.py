"""Entries of lists as objects: items whose id, score and time are read as attributes, as keys or by place."""

from __future__ import annotations

import re
from typing import Any, Iterator

USER = re.compile(r"(\w+_)?(user|session|query|customer|group)(_?(id|idx|index|key|no))?|uid|qid")
ITEM = re.compile(
    r"(\w+_)?(item|movie|product|article|doc|document|track|song|book|news|video)(_?(id|idx|index|key|no))?|\w*id"
)
SCORE = re.compile(r"(\w+_)?(score|prediction|pred|est|estimate|prob|probability|similarity)")
GAIN = re.compile(r"(\w+_)?(rating|relevance|rel|label|gain|grade|weight|value)")
TIME = re.compile(r"(\w+_)?(time|timestamp|ts|date|datetime|rank|position|order|place|idx|index)")


class Entry:
    """One entry of a list: an item with its place in the list.

    It answers to attributes and keys of the usual names, to ``[0]`` for the item and ``[1]`` for the score, and is
    equal to its item's id. Of the entries of a list, the earlier one has the smaller time and the larger score.
    """

    __slots__ = ("_item", "_place", "_score")

    def __init__(self, item: Any, place: int, score: float = 0.0) -> None:
        self._item, self._place, self._score = item, place, score or 1.0 / (1.0 + place)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._of(name)
        if found is None:
            raise AttributeError(name)
        return found

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int) and key in (0, 1):
            return (self._item, self._score)[key]
        found = self._of(key) if isinstance(key, str) else None
        if found is None:
            raise IndexError(key) if isinstance(key, int) else KeyError(key)
        return found

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key."""
        found = self._of(key)
        return default if found is None else found

    def _of(self, name: str) -> Any:
        plain = name.lower()
        for pattern, value in ((USER, 0), (TIME, self._place), (SCORE, self._score), (GAIN, 1.0), (ITEM, self._item)):
            if pattern.fullmatch(plain):
                return value
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter((self._item, self._score))

    def __len__(self) -> int:
        return 2

    def __eq__(self, other: object) -> bool:
        return bool(self._item == (other._item if isinstance(other, Entry) else other))

    def __hash__(self) -> int:
        return hash(self._item)

    def __repr__(self) -> str:
        return f"Entry(item_id={self._item})"

"""A search that a function is handed: it answers a question, which is a user, with the list of that user."""

from __future__ import annotations

import re
from typing import Any, Generator, List, Mapping

from metric_adapters.calls.entries import Entry
from metric_adapters.calls.records import Held
from metric_adapters.calls.uses import SEARCHES

COUNT = re.compile(r"(\w+_)?(top)?(k|n|limit|size|count|num\w*|max_results)|n_\w+")
"""A named argument that says how many items are wanted."""


class Answer(List[Any]):
    """The entries that a search found, or those for each of several questions: a list, which is also what each key and
    each attribute of it gives.

    So ``response["hits"]["hits"]``, ``result.points`` and ``result.get("sources", [])`` are the entries; awaited, too.
    """

    def __getitem__(self, key: Any) -> Any:
        return self if isinstance(key, str) else super().__getitem__(key)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __await__(self) -> Generator[Any, Any, Any]:
        return self
        yield

    def get(self, key: str, default: Any = None) -> Any:
        """The entries, whatever the key."""
        return self


class Search:
    """A function, and an object with methods of the usual names, from a user to the entries of the list, best first.

    lists : the listed items by user. The first whole number that it is handed after the user, or one that is named like
    a number of items, is how many items are wanted; without one it gives all. The user may be a record that names the
    user, and may be named: ``search(query=...)``.
    """

    def __init__(self, lists: Mapping[Any, List[Any]]) -> None:
        self._lists = lists

    def __call__(self, *given: Any, **named: Any) -> Any:
        asked: List[Any] = [*given, *(value for value in named.values() if isinstance(value, (Held, list, str)))]
        question, others = asked[0], asked[1:]
        if isinstance(question, (list, tuple)):
            return Answer(self(each, *others, **named) for each in question)
        if isinstance(question, Held):
            question = question.get("question")
        wanted = [each for name, each in named.items() if COUNT.fullmatch(name)]
        ends = [each for each in (*others, *wanted) if type(each) is int]
        items = self._lists[question][: ends[0] if ends else None]
        return Answer(Entry(item, index) for index, item in enumerate(items))

    def __getattr__(self, name: str) -> Any:
        if SEARCHES.fullmatch(name):
            return self
        raise AttributeError(name)

    def __repr__(self) -> str:
        return f"Search({self._lists!r})"

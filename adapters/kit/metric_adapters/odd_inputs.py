"""Odd inputs: what a library does with input that users may well give it and that no probe shows.

A case has item numbers and ranked lists, which an adapter turns into the library's own input in its usual form. A file
``odd_inputs.py`` in a library's folder asks the library directly, in the usual form and in an odd one. Both mean the
same, so a library that accepts the odd form returns the same number. Kept to Python 3.8.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Sequence, Tuple

Table = Mapping[str, Mapping[str, float]]

KINDS = {
    "query_is_document": "the query has the id of one of its relevant documents",
    "mixed_ids": "ids are numbers in the lists and text in the judgements",
    "set_for_list": "what is recommended comes as a set",
    "empty_group": "one group has no rows",
    "second_call": "the same object is asked the same again",
    "several_k": "several cut-offs are asked for at once",
    "nothing_at_all": "a query with nothing relevant has an empty list, not one of misses",
}
"""The kinds of odd input, with a description."""

JUDGED = {"q1": {"d3": 1, "d1": 1}, "q2": {"d2": 1}}
RUN = {"q1": {"d3": 4.0, "d2": 3.0, "d4": 2.0}, "q2": {"d1": 4.0, "d2": 3.0}}
"""Relevance and scores of documents by query, for libraries that take them as dictionaries."""

LISTS = {1: [80, 30, 10, 50], 2: [20, 70, 40, 60]}
TRUTH = {1: [30, 10], 2: [20]}
"""Ranked items and relevant items by user, all of them numbers. As sets, the lists lose their order."""

CLOCK = re.compile(r"\[\d\d:\d\d:\d\d\] ")
"""The time of day at the beginning of some libraries' messages."""


class OddInput(NamedTuple):
    """One question in two forms.

    kind : one of KINDS; function : the subject that is asked; usual, odd : ask the library and return its number.
    """

    kind: str
    function: str
    usual: Callable[[], float]
    odd: Callable[[], float]


def each(
    kind: str, functions: Sequence[str], usual: Callable[[str], float], odd: Callable[[str], float]
) -> List[OddInput]:
    """The same question for several functions; usual, odd : called with the function's name."""
    return [
        OddInput(kind, name, lambda name=name: usual(name), lambda name=name: odd(name))  # type: ignore[misc]
        for name in functions
    ]


def rows(table: Mapping[int, Sequence[int]], text: bool = False) -> Tuple[Any, Any, Any]:
    """Users, items and ranks from 1, as three arrays of one length; ``text``: items as text."""
    import numpy as np

    flat = [(user, item, rank) for user, items in table.items() for rank, item in enumerate(items, start=1)]
    users, items, ranks = (np.array(column) for column in zip(*flat))
    return users, items.astype(str).astype(object) if text else items, ranks


def query_is_document(functions: Sequence[str], ask: Callable[[str, Table, Table], float]) -> List[OddInput]:
    """Asks with JUDGED and RUN, and with the query q1 renamed d3, the id of its first document, which is relevant.

    ask : called with the function's name, relevance by query, scores by query.
    """

    def renamed(table: Table) -> Table:
        return {"d3" if query == "q1" else query: row for query, row in table.items()}

    return each(
        "query_is_document",
        functions,
        lambda name: ask(name, JUDGED, RUN),
        lambda name: ask(name, renamed(JUDGED), renamed(RUN)),
    )


def answered(module: Any) -> List[Dict[str, Any]]:
    """A row for each question: kind, function, usual and odd answer; an error is its type and first line.

    Raises ValueError for an unknown kind.
    """
    rows = []
    for question in module.ODD_INPUTS:
        if question.kind not in KINDS:
            raise ValueError(f"{question.kind!r} is no kind of odd input: {', '.join(KINDS)}")
        usual, odd = _answer(question.usual), _answer(question.odd)
        rows.append({"kind": question.kind, "function": question.function, "usual": usual, "odd": odd})
    return rows


def _answer(ask: Callable[[], float]) -> Any:
    """A number, "nan" and the like as text, or the error."""
    try:
        value = float(ask())
    except Exception as error:  # the library's answer
        first = CLOCK.sub("", (str(error).strip().splitlines() or [""])[0])
        return {"error": f"{type(error).__name__}: {first:.120}"}
    return value if value - value == 0 else repr(value)

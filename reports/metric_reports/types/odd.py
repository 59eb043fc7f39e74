"""Odd inputs: what ``odd_inputs.json`` beside an adapter holds, and what is said of it."""

from __future__ import annotations

from typing import TypedDict


class OddAnswer(TypedDict):
    """One function asked in the usual form and in an odd one of the same meaning.

    kind : what is odd, one of ``metric_adapters.odd_inputs.KINDS``. usual, odd : the number; "nan" and the like as
    text; {"error": text} where the library raised one.
    """

    kind: str
    function: str
    usual: float | str | dict[str, str]
    odd: float | str | dict[str, str]


class OddInputs(TypedDict):
    """The answers of a library's newest release. code : a digest of the file that asks; date : when it was asked."""

    schema_version: int
    library: str
    release: str
    date: str
    code: str
    answers: list[OddAnswer]


class OddLine(TypedDict):
    """What is said of one kind of odd input.

    functions : those that answer alike; outcome : same (the same number), error, or other (another number); said : the
    same in words, with the error or the numbers.
    """

    kind: str
    about: str
    functions: list[str]
    outcome: str
    said: str

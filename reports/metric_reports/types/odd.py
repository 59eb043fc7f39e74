"""Odd inputs: the contents of ``odd_inputs.json`` beside an adapter, and the site's summary of them."""

from __future__ import annotations

from typing import TypedDict


class OddAnswer(TypedDict):
    """One function asked with an input in its usual form and in an odd form of the same meaning.

    kind : the oddity, one of ``metric_adapters.odd_inputs.KINDS``. usual, odd : the two answers, each a number, "nan"
    or the like, or {"error": text} where the library raised an error.
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
    """The summary of one kind of odd input.

    functions : those with the same outcome; outcome : same (the same number), error, or other (another number); said :
    the outcome in words, with the error or the numbers.
    """

    kind: str
    about: str
    functions: list[str]
    outcome: str
    said: str

"""Types that several of the JSON contracts share."""

from __future__ import annotations

from typing import Final, Literal, NotRequired, TypedDict

Number = float | Literal["nan", "inf", "-inf"]
"""A number in JSON, which has none for NaN and the infinities: these are texts."""
Severity = Literal["error", "warning", "note"]
Confidence = Literal["verified", "verified in part", "probes only", "refused"]
VERIFIED: Final = "verified"
IN_PART: Final = "verified in part"
PROBES_ONLY: Final = "probes only"
REFUSED: Final = "refused"
Agreement = Literal["same", "same_in_float32"]


class ProbesAnswered(TypedDict):
    """How many of the asked probes were answered with a number."""

    answered: int
    of: int


class Reach(TypedDict):
    """The cases that were asked and answered: the smallest and the largest number of each."""

    users: list[int]
    lists: list[int]
    relevant: list[int]
    k: list[int]
    gains: Literal["binary", "graded", "unknown"]
    ids: Literal["numbers", "text", "positions", "none", "unknown"]
    seed: NotRequired[int | None]


class Lines(TypedDict):
    """Lines of a file."""

    file: str
    first: int
    last: int


class Branches(TypedDict):
    """How many branches of a function ran, of how many, and the code that never ran."""

    ran: int
    of: int
    missed: list[Lines]


class BaseEvidence(TypedDict):
    """The evidence for a name, as figures."""

    confidence: Confidence
    reason: str | None
    probes: ProbesAnswered
    questions: int
    cases: int
    users: int
    cutoffs: list[int]
    values: int
    agreement: Agreement | None
    reach: NotRequired[Reach | None]
    branches: NotRequired[Branches | None]


class Who(TypedDict):
    """A function of a release, and the metric that it claims."""

    library: str
    release: str
    function: str
    metric: str

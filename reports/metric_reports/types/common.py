"""Types that several of the JSON contracts share."""

from __future__ import annotations

from typing import Annotated, Final, Literal, NotRequired, TypedDict, TypeVar

from msgspec import Meta

Item = TypeVar("Item")

Number = float | Literal["nan", "inf", "-inf"]
"""A number in JSON, which has none for NaN and the infinities: these are texts."""
Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
"""Of the resamples; null where a variant has no values of users to resample."""
Pair = Annotated[list[Item], Meta(min_length=2, max_length=2)]
Filled = Annotated[list[Item], Meta(min_length=1)]
Code = Annotated[str, Meta(pattern="^[A-Z]+[0-9]{3}$")]
Severity = Literal["error", "warning", "note"]
Confidence = Literal["verified", "verified in part", "probes only", "refused"]
VERIFIED: Final = "verified"
IN_PART: Final = "verified in part"
PROBES_ONLY: Final = "probes only"
REFUSED: Final = "refused"
Agreement = Literal["same", "same_in_float32"]


class ProbesAnswered(TypedDict):
    """How many of the asked probes were answered with a number."""

    answered: Count
    """Probes that got a number."""
    of: Count
    """Probes that were asked."""


class Reach(TypedDict):
    """The cases that were asked and answered: the smallest and the largest number of each."""

    users: Pair[int]
    """Users of a question."""
    lists: Pair[int]
    """Items of a list."""
    relevant: Pair[int]
    """Relevant items of a user."""
    k: Pair[int]
    """The cut-off."""
    gains: Literal["binary", "graded", "unknown"]
    """Whether gains other than 1 were among them; unknown for a library."""
    ids: Literal["numbers", "text", "positions", "none", "unknown"]
    """What items are known by: numbers, text, positions in a vector, none; unknown for a library."""


class Lines(TypedDict):
    """Lines of a file."""

    file: str
    """Its name."""
    first: int
    """The first line."""
    last: int
    """The last line."""


class Branches(TypedDict):
    """How many branches of a function ran, of how many, and the code that never ran."""

    ran: int
    """Branches that ran."""
    of: int
    """Branches that can change a number."""
    missed: list[Lines]
    """The code that never ran."""


class BaseEvidence(TypedDict):
    """The evidence for a name, as figures."""

    confidence: Confidence
    """verified: at least six questions at size were answered and every answer agrees; verified in part: every
    answer agrees, but code that can change a number never ran, or several variants fit as well; probes only: the
    answers to the probes agree, but the verification cases could not be asked or answered; refused: an answer
    contradicts the name, or no variant fits the probes. audit --expect, identify and assert_computes accept
    verified alone, unless --accept says otherwise."""
    reason: str | None
    """Why the name is not verified; null where it is."""
    probes: ProbesAnswered
    """The probes: how many got a number of how many were asked."""
    questions: Count
    """Questions at size (a verification case at one cut-off) whose answers agree with the variant."""
    cases: Count
    """Verification cases among those questions."""
    users: Count
    """Users of these cases, added up."""
    cutoffs: list[Positive]
    """The cut-offs of these questions, ascending."""
    values: Count
    """Numbers compared in these questions: a mean each, and the values by user where the function gives them."""
    agreement: Agreement | None
    """How closely they agree. same: to 1e-12; same_in_float32: to 1e-6; null where nothing was compared."""
    reach: NotRequired[Reach | None]
    """Null where nothing was asked at size."""
    branches: NotRequired[Branches | None]
    """Null where they are not measured."""


class Who(TypedDict):
    """A function of a release, and the metric that it claims."""

    library: str
    release: str
    function: str
    metric: str
    """The metric that the function claims to be."""

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
SchemaVersion = Literal[3]
"""Of every record: versions.SCHEMA_VERSION."""
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
    seed: NotRequired[int | None]
    """Of the drawn cases; null without them."""


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
    """The code that never ran; of a library's recording at most ten places."""


class Evidence(TypedDict):
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
    fits: NotRequired[str | None]
    """The definition that all answers fit, but that is not its name, for the reason given; null otherwise."""
    reach: NotRequired[Reach | None]
    """Null where nothing was asked at size."""
    branches: NotRequired[Branches | None]
    """Null where they are not measured."""
    condition: NotRequired[str | None]
    """When it departs from the name that the probes suggest, in words; null where it does not. Of a library, as are
    the next three."""
    edges: NotRequired[dict[str, str]]
    """Edge behaviours that the probes show and that do not hold at size, with the case that shows it."""
    recorded: NotRequired[str | None]
    """Date of the recording that the evidence was taken from; null where it was asked in this run."""
    alternatives: NotRequired[list[str]]
    """The other variants that fit every answer."""


class ShownEvidence(Evidence):
    """The evidence for a name, with a summary."""

    summary: str
    """The evidence in one line, for people: every format shows it beside the confidence."""


class ShownUser(TypedDict):
    """One user of a case."""

    hits: list[bool]
    """For each item of the list: whether it is relevant."""
    relevant: list[int]
    """The relevant items."""
    gains: list[float]
    """The gain (rating) of each relevant item."""
    scores: NotRequired[list[float | None]]
    """Where a candidate looks at scores: the score of item 0, 1, ... of the catalogue; null for an item that was no
    candidate."""
    list: list[int]
    """Recommended items, best first."""


class Candidate(TypedDict):
    """The value of a known definition for a case."""

    variant: str
    """Printed form; behind it the edge behaviour where the case is about one, e.g. 'recall(divide_by=relevant), no
    list: zero'."""
    value: Number | None
    """Its value for the case; null where it has none."""
    formula: NotRequired[str | None]
    """The formula of the variant in LaTeX."""
    expression: NotRequired[str | None]
    """Its value as an arithmetic expression in Python, in which log2 may occur; null where it has none."""


class ShownCase(TypedDict):
    """A case that can be checked by hand."""

    k: Positive
    """Cut-off."""
    probe: NotRequired[str]
    """The probe that it is; none of a case that was searched for."""
    users: Filled[ShownUser]
    value: Number | None
    """What the function returned; null where it gave no number."""
    error: str | None
    """Why there is no number; null where there is one."""
    candidates: list[Candidate]
    """What known definitions give for the case."""
    arithmetic: list[str]
    """Lines that work the candidates' values out, 'VARIANT@K: SUM = VALUE'."""
    call: NotRequired[list[str]]
    """Lines of Python that call the function for the case and assign returned, after the subject's imports, numpy
    (as np) and torch. Empty where the call cannot be written."""


class Finding(TypedDict):
    """A divergence of a function from what its name says."""

    code: Code
    """As metric-harness explain lists them."""
    severity: Severity
    """That of the code."""
    title: str
    """What the code means, in a few words."""
    message: str
    """What this function does."""
    advice: str
    """What to do, and how to compare anyway."""
    edge: NotRequired[bool]
    """Whether it is about an edge behaviour, not about the definition."""
    try_with: NotRequired[str | None]
    """The requirement (as for --with) of an environment that still has what the function uses, e.g. numpy==1.26.4;
    null where there is none."""
    case: ShownCase | None
    """The smallest case that shows it; null where no list can."""


class Nearest(TypedDict):
    """A variant that nearly fits."""

    variant: str
    """Printed form."""
    fails: list[str]
    """The probes on which it is not what the function returned."""
    case: NotRequired[ShownCase | None]
    """The smallest case on which the function is not this variant."""


class BaseSubject(TypedDict):
    """What a function computes."""

    identified: bool
    """Whether a name is given: one of the reference's variants gives every answer to the probes, and no answer at
    size contradicts it. Only with evidence.confidence verified does the name rest on cases as large as real data."""
    variant: str | None
    """That variant's printed form without cut-off, e.g. average_precision(divide_by=relevant); null if there is
    none."""
    formula: NotRequired[str | None]
    """The formula of the variant in LaTeX. Null if there is no variant."""
    choices: dict[str, str]
    """Every choice of the variant by name, besides weight (user or micro) and users (whose values enter the mean);
    empty without a variant."""
    edges: dict[str, str]
    """Edge behaviour by name: no_relevant, no_list, short_list, duplicates, ties, k_beyond_items; what could not be
    told is left out of an audit; empty without a variant."""
    alternatives: NotRequired[list[str]]
    """Other variants that fit as well, because the probes between them got no number; at most 20 in an audit."""
    nearest: list[Nearest]
    """Without a variant: the nearest ones, nearest first."""


class Who(TypedDict):
    """A function of a release, and the metric that it claims."""

    library: str
    release: str
    function: str
    metric: str
    """The metric that the function claims to be."""

"""Types that several of the JSON contracts share."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

Number = float | Literal["nan", "inf", "-inf"]
"""A number in JSON, which has none for NaN and the infinities: these are texts."""
Severity = Literal["error", "warning", "note"]
Confidence = Literal["verified", "probes only", "refused"]
VERIFIED: Final = "verified"
PROBES_ONLY: Final = "probes only"
REFUSED: Final = "refused"
Agreement = Literal["same", "same_in_float32"]


class ProbesAnswered(TypedDict):
    """How many of the asked probes were answered with a number."""

    answered: int
    of: int


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


class Who(TypedDict):
    """A function of a release, and the metric that it claims."""

    library: str
    release: str
    function: str
    metric: str

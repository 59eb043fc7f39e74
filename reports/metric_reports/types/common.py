"""What several contracts share."""

from __future__ import annotations

from typing import Literal, TypedDict

Number = float | Literal["nan", "inf", "-inf"]
"""A number as JSON holds it: what JSON has no number for is a text."""
Severity = Literal["error", "warning", "note"]
Confidence = Literal["verified", "probes only", "refused"]
Agreement = Literal["same", "same_in_float32"]


class ProbesAnswered(TypedDict):
    """How many probes got a number, of how many that were asked."""

    answered: int
    of: int


class BaseEvidence(TypedDict):
    """What a name rests on, before it is put into words."""

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

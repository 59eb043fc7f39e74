"""The JSON of an audit, as schema/audit.schema.json describes it."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from metric_reports.types.common import BaseEvidence, Number, Severity


class Version(TypedDict):
    """Which metric-harness made it."""

    version: str


class Source(TypedDict):
    """Where a function is written."""

    file: str
    line: int | None


class Calling(TypedDict):
    """What a convention means, why it was chosen, and the call in Python."""

    about: str
    why: str
    call: str | None


class Expected(TypedDict):
    """The definition that a function was held against."""

    variant: str
    holds: bool


class Evidence(BaseEvidence):
    """What a name rests on."""

    summary: str


class Rival(TypedDict):
    """Another way of calling that is verified as another variant."""

    convention: str
    variant: str


class User(TypedDict):
    """One user of a case."""

    hits: list[bool]
    relevant: list[int]
    gains: list[float]
    scores: NotRequired[list[float | None]]
    list: list[int]


class Candidate(TypedDict):
    """What a known definition gives for a case."""

    variant: str
    value: Number


class Case(TypedDict):
    """A case that one can check by hand."""

    k: int
    users: list[User]
    value: Number | None
    other: NotRequired[Number | None]
    error: str | None
    candidates: list[Candidate]
    arithmetic: list[str]


class Finding(TypedDict):
    """What is to be said of a function."""

    code: str
    severity: Severity
    title: str
    message: str
    advice: str
    case: NotRequired[Case | None]


class Nearest(TypedDict):
    """A variant that nearly fits."""

    variant: str
    fails: list[str]
    case: Case | None


class Subject(TypedDict):
    """One function: what it computes, how it behaves, what is to be said of it."""

    target: str
    source: Source | None
    metric: str | None
    convention: str | None
    calling: Calling | None
    expected: Expected | None
    identified: bool
    variant: str | None
    signature: NotRequired[str | None]
    suggested: str | None
    evidence: Evidence
    choices: dict[str, str]
    differs: dict[str, list[str]]
    edges: dict[str, str]
    alternatives: list[str]
    rivals: list[Rival]
    nearest: list[Nearest]
    notes: list[str]
    findings: list[Finding]


class Audit(TypedDict):
    """What an audit gives; the keys from ``same`` on are those of a comparison of two functions."""

    subjects: list[Subject]
    harness: Version
    same: NotRequired[bool]
    edges: NotRequired[dict[str, list[str]]]
    findings: NotRequired[list[Finding]]
    case: NotRequired[Case | None]

"""The JSON of an audit, as schema/audit.schema.json describes it."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from metric_reports.types.common import BaseEvidence, Number, Severity


class Version(TypedDict):
    """The metric-harness that made the audit."""

    version: str


class Source(TypedDict):
    """The file and line of a function."""

    file: str
    line: int | None


class Calling(TypedDict):
    """A calling convention: its description, why it was chosen, and the call in Python."""

    about: str
    why: str
    call: str | None


class Expected(TypedDict):
    """The definition that a function was expected to follow."""

    variant: str
    holds: bool


class Evidence(BaseEvidence):
    """The evidence for a name."""

    summary: str


class Rival(TypedDict):
    """Another calling convention, under which the function is verified as another variant."""

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
    """The value of a known definition for a case."""

    variant: str
    value: Number
    formula: NotRequired[str | None]
    expression: NotRequired[str | None]


class Case(TypedDict):
    """A case that can be checked by hand."""

    k: int
    users: list[User]
    value: Number | None
    other: NotRequired[Number | None]
    error: str | None
    candidates: list[Candidate]
    arithmetic: list[str]
    call: NotRequired[list[str]]


class Finding(TypedDict):
    """A finding about a function."""

    code: str
    severity: Severity
    title: str
    message: str
    advice: str
    edge: NotRequired[bool]
    try_with: NotRequired[str | None]
    case: NotRequired[Case | None]


class Nearest(TypedDict):
    """A variant that nearly fits."""

    variant: str
    fails: list[str]
    case: Case | None


class Subject(TypedDict):
    """One function: its variant, its edge behaviour and its findings."""

    target: str
    source: Source | None
    metric: str | None
    convention: str | None
    calling: Calling | None
    expected: Expected | None
    identified: bool
    variant: str | None
    where: NotRequired[list[str]]
    only_where: NotRequired[list[str]]
    signature: NotRequired[str | None]
    short_signature: NotRequired[str | None]
    formula: NotRequired[str | None]
    constant_scorer: NotRequired[str | None]
    imports: NotRequired[list[str]]
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
    """The result of an audit; the keys from ``same`` on belong to a comparison of two functions."""

    subjects: list[Subject]
    harness: Version
    same: NotRequired[bool]
    edges: NotRequired[dict[str, list[str]]]
    findings: NotRequired[list[Finding]]
    case: NotRequired[Case | None]

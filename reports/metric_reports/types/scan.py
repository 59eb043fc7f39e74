"""The JSON of a scan, as schema/scan.schema.json describes it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from metric_reports.types.audit import Subject, Version

State = Literal["audited", "failed", "left out", "listed"]


class Files(TypedDict):
    """Which files were read."""

    read: int
    left_out: dict[str, int]
    unread: dict[str, str]


class Outcome(TypedDict):
    """The outcome of auditing a function."""

    state: State
    reason: str | None
    missing: NotRequired[str | None]
    try_with: NotRequired[str | None]
    seconds: float | None
    subjects: list[Subject]


class Function(Outcome):
    """A function that looks like a metric."""

    file: str
    line: int
    name: str
    metric: str | None
    label: str | None
    why: list[str]


class Member(TypedDict):
    """A function that computes a variant."""

    function: str
    confidence: Literal["verified", "verified in part", "probes only"]
    edges: dict[str, str]


class GroupVariant(TypedDict):
    """A variant and the functions that compute it."""

    variant: str
    functions: list[Member]


class Group(TypedDict):
    """The functions that claim one metric."""

    metric: str
    differ: bool
    variants: list[GroupVariant]


class Scan(TypedDict):
    """The result of a scan."""

    path: str
    files: Files
    functions: list[Function]
    metrics: list[Group]
    errors: NotRequired[int]
    harness: Version

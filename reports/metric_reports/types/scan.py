"""The JSON of a scan."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from metric_reports.types.audit import Subject, Version
from metric_reports.types.common import Count, Filled, Positive, SchemaVersion, Seconds

State = Literal["audited", "failed", "left out", "listed"]
Reason = Literal["hidden", "environment", "tests", "built", "excluded", "link", "notebook"]


class Files(TypedDict):
    """Which files were read."""

    read: Count
    """Python files that were read."""
    left_out: dict[Reason, Positive]
    """How many files and folders were left out by their kind."""
    unread: dict[str, str]
    """Files that could not be read, with the reason."""


class Outcome(TypedDict):
    """The outcome of auditing a function."""

    state: State
    """audited; failed: it could not be audited; left out: it looks like a metric, and reason says why it cannot be
    asked; listed: nothing was run."""
    reason: str | None
    """Why it was not audited; null where it was, or was only listed."""
    missing: NotRequired[str | None]
    """The module that is not installed, without which the file cannot be imported; null where that is not the
    reason."""
    try_with: NotRequired[str | None]
    """The requirement (as for --with) of an environment in which the file may import, e.g. numpy==1.26.4; null
    where none is known."""
    seconds: Seconds | None
    """What the audit took; null where nothing was run."""
    subjects: list[Subject]
    """The audit of the function; several where it returns several metrics."""


class Function(Outcome):
    """A function that looks like a metric."""

    file: str
    """Relative to what was scanned, with / between folders."""
    line: Positive
    """First line of the function, from 1."""
    name: str
    """As audit takes it: ndcg, Class or Class.method."""
    metric: str | None
    """The metric that its name claims; null where it does not tell."""
    label: str | None
    """What the name says more exactly, for instance dcg: functions with the same label are compared with each other."""
    why: list[str]
    """What makes it look like a metric."""


class Member(TypedDict):
    """A function that computes a variant."""

    function: str
    """FILE:LINE NAME, the element of its return in brackets."""
    confidence: Literal["verified", "verified in part", "probes only"]
    edges: dict[str, str]
    """What it does at the edges, as an audit says it."""


class GroupVariant(TypedDict):
    """A variant and the functions that compute it."""

    variant: str
    """Printed form of the definition."""
    functions: Filled[Member]


class Group(TypedDict):
    """The functions that claim one metric."""

    metric: str
    """The label of the functions, or the metric that they compute."""
    differ: bool
    """Whether there are several definitions under this name."""
    variants: Filled[GroupVariant]


class Scan(TypedDict):
    """The result of a scan."""

    schema_version: SchemaVersion
    """Version of this layout."""
    path: str
    """What was scanned, as it was given."""
    files: Files
    functions: list[Function]
    """What looks like a metric, by file and line."""
    metrics: list[Group]
    """For each metric that is claimed: which definitions its functions compute."""
    errors: NotRequired[Count]
    """How many findings count as errors for the exit code; those of functions without a variant mostly do not."""
    harness: Version

"""What changed between two run records: the JSON of ``metric-harness diff``."""

from __future__ import annotations

from typing import TypedDict

from metric_reports.types.common import Number, Severity, Who
from metric_reports.types.run import Status


class Origin(TypedDict):
    """Who made a record, and when."""

    harness: str
    created: str | None


class BundleChange(TypedDict):
    """Whether two bundles hold the same arrays, and which parts of their manifests differ."""

    same: bool
    parts: list[str]


class CutoffChange(TypedDict):
    """The cut-offs that only the new record (added) or only the old one (removed) has."""

    added: list[int]
    removed: list[int]


class LibraryChange(TypedDict):
    """The releases of a library and whether each ran, before and after."""

    library: str
    old: dict[str, str] | None
    new: dict[str, str] | None


class SubjectChange(TypedDict):
    """The functions that only the new record (added) or only the old one (removed) has."""

    added: list[Who]
    removed: list[Who]


class VariantChange(Who):
    """A function that computes another variant."""

    old: str | None
    new: str | None


class EdgeChange(VariantChange):
    """A function that behaves otherwise at an edge."""

    edge: str


class CellState(TypedDict):
    """The value and status of a cell."""

    value: Number | None
    status: Status


class ValueChange(Who):
    """A cell with another value or status."""

    k: int
    old: CellState
    new: CellState
    difference: Number | None


class SignatureChange(VariantChange):
    """A number with another signature."""

    k: int


class OrderChange(TypedDict):
    """A definition under which the order of the models differs; None where a record lacks the definition."""

    metric: str
    k: int
    variant: str
    old: str | None
    new: str | None


class VerdictChange(TypedDict):
    """A cell of the paper's tables with another verdict."""

    table: str
    library: str
    column: str
    old: str | None
    new: str | None


class BriefFinding(Who):
    """A finding without its case."""

    code: str
    severity: Severity
    title: str


class FindingChange(TypedDict):
    """The findings that only the new record (new) or only the old one (gone) has."""

    new: list[BriefFinding]
    gone: list[BriefFinding]


class Changes(TypedDict):
    """What changed, by kind; ``values`` is null where the bundles differ."""

    bundle: BundleChange
    cutoffs: CutoffChange
    libraries: list[LibraryChange]
    subjects: SubjectChange
    variants: list[VariantChange]
    edges: list[EdgeChange]
    values: list[ValueChange] | None
    findings: FindingChange
    signatures: list[SignatureChange]
    models: list[OrderChange]
    paper: list[VerdictChange]


class Diff(Changes):
    """Two records compared."""

    old: Origin
    new: Origin
    changed: bool

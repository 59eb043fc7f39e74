"""The JSON of an audit."""

from __future__ import annotations

from typing import Annotated, Final, Literal, NotRequired, TypedDict

from msgspec import Meta

from metric_reports.types.common import (
    BaseSubject,
    Filled,
    Finding,
    Number,
    Pair,
    SchemaVersion,
    ShownCase,
    ShownEvidence,
)


class Version(TypedDict):
    """The metric-harness that made the audit."""

    version: str
    """Version of metric-harness."""


class Source(TypedDict):
    """The file and line of a function."""

    file: str
    """With / between folders: a user's file from the working folder where it lies inside, a library's from the
    site-packages of its environment."""
    line: int | None
    """First line of the function, from 1."""


class Calling(TypedDict):
    """A calling convention: its description, why it was chosen, and the call in Python."""

    about: str
    """What each parameter is given, in which container, and who takes the mean."""
    why: str
    """What spoke for this convention before the function was asked."""
    call: str | None
    """The call in Python with the role of each argument in braces, e.g. apk(actual={relevant},
    predicted={recommended}, k={k}); null for one number of several that a call returns."""


class Expected(TypedDict):
    """The definition that a function was expected to follow."""

    variant: str
    """Printed form."""
    holds: bool
    """Whether the function computes it; where not, EXP001 is among the findings unless ignored."""


class Rival(TypedDict):
    """Another calling convention, under which the function is verified as another variant."""

    convention: str
    """How it is called."""
    variant: str
    """Printed form of what it computes then."""


class ComparedCase(ShownCase):
    """A case with the answer of a second function."""

    other: Number | None
    """What the second function returned."""


class RepairCase(ShownCase):
    """A case with the number of the function before a change (``value``) and after it."""

    after: Number | None
    """What the function returns after the change."""


class Repair(TypedDict):
    """The smallest change of a function under which it is verified as the definition that was asked for."""

    asked: str
    """The definition, with the behaviour at edges that was asked for."""
    outcome: Literal["unchanged", "found", "none"]
    """'unchanged': it is verified as that already; 'found': a change makes it so; 'none': no small change does."""
    about: NotRequired[list[str]]
    """What the change is about, e.g. 'the divisor'."""
    diff: NotRequired[str]
    """The change as a unified diff."""
    edges: NotRequired[dict[str, Pair[str]]]
    """The behaviour at edges that the change alters: by name, that before and that after."""
    case: NotRequired[RepairCase | None]
    """The smallest case on which the function differs from the definition; null if a small case shows nothing."""
    evidence: NotRequired[ShownEvidence]
    """What the name rests on after the change."""
    tried: NotRequired[int]
    """How many changes were asked the probes."""
    seconds: NotRequired[float]
    """How long the repair took, the audits among it."""
    applied: NotRequired[bool]
    """Whether the change was written to the file."""


class Subject(BaseSubject):
    """One function: its variant, its edge behaviour and its findings."""

    target: str
    """What was audited: LIBRARY==VERSION:FUNCTION, or one's own target as it was given."""
    source: Source | None
    """Where the function is written; null if that is not known."""
    metric: str | None
    """The metric that it claims to be, by its name or by --metric; null if neither tells."""
    convention: str | None
    """How it was called; null for a library, whose adapter knows, and for a program."""
    calling: Calling | None
    """What that convention means; null for a library, for a program, and where no way of calling gave a number."""
    expected: Expected | None
    """The definition that it was held against (--expect); null if none was given."""
    where: NotRequired[list[str]]
    """What the function takes, where that is less than its metric has a value for: 'one relevant item a user', 'cut
    at 10'. Empty for others."""
    only_where: NotRequired[list[str]]
    """Where alone it follows the suggested variant, because another way of calling it departs; empty where none
    does."""
    signature: NotRequired[str | None]
    """What it computes and how it behaves at the edges in one line that `metric-harness signature verify` reads;
    @k: at any cut-off. Null if it has no name."""
    short_signature: NotRequired[str | None]
    """The parts of the signature that differ from the usual one of the metric, and a digest of the whole. Null if
    it has no name."""
    constant_scorer: NotRequired[str | None]
    """What a scorer that gives every item the same score gets at k = 5 with one relevant item of ten, by the
    variant and its edge behaviour, in words. Null where these do not tell."""
    imports: NotRequired[list[str]]
    """Lines of Python that import the function, for the calls of its cases; empty where no call is known."""
    suggested: str | None
    """The variant that gives every answer to the probes, also where it does not hold at size; null if there is none."""
    evidence: ShownEvidence
    """What the name rests on."""
    differs: dict[str, Pair[str]]
    """The choices of the variant that are not those of the usual definition of its metric: by name, the variant's
    value and the usual one; empty without a variant."""
    rivals: list[Rival]
    """Other ways of calling it that are verified as other variants; then no name is given."""
    notes: list[str]
    """Sentences that a reader should know, e.g. which probes got no number, or what happened under each way of
    calling where none gave a number."""
    repair: NotRequired[Repair]
    """The change that --repair looked for."""
    findings: list[Finding]
    """The gravest first; of equally grave ones those about the definition before those about an edge."""


COMPARED: Final = ("same", "edges", "findings", "case")
"""The keys of a comparison of two functions: an audit has all of them or none."""


class Audit(TypedDict):
    """The result of an audit; the keys from ``same`` on belong to a comparison of two functions."""

    schema_version: SchemaVersion
    """Version of this layout."""
    subjects: Filled[Subject]
    """The functions, in the order of the library's description, or the two that were compared in the order given."""
    harness: Version
    """What made this."""
    same: NotRequired[bool]
    """Comparison: whether the two functions gave the same number (to 1e-6) on every case that was tried and behave
    the same at the edges."""
    edges: NotRequired[dict[str, Pair[str]]]
    """Comparison: the edge behaviours in which the two differ, each with the value of the first and of the second."""
    findings: NotRequired[Annotated[list[Finding], Meta(max_length=1)]]
    """Comparison: CMP001 where the definitions differ, CMP002 where only the edge behaviour does, nothing where the
    two are the same."""
    case: NotRequired[ComparedCase | None]
    """Comparison: the smallest case on which the two differ; null where they are the same, and where an edge
    behaviour differs of which no mean shows anything."""

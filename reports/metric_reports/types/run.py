"""The record of a comparison (run.json)."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from metric_reports.types.common import (
    Agreement,
    BaseSubject,
    Filled,
    Finding,
    Number,
    Positive,
    SchemaVersion,
    ShownEvidence,
    ShownUser,
    Who,
)
from metric_reports.types.manifest import Manifest
from metric_reports.types.models import Models
from metric_reports.types.paper import Paper
from metric_reports.types.sampled import Sampled

NOT_ASKED = "it was not asked, --live asks it"
"""The ``reason`` of a library that is shown from its recording because it was not requested."""
Status = Literal["explained", "unexplained", "error", "not_available"]


class Harness(TypedDict):
    """What made a record."""

    version: str
    python: str
    numpy: str
    platform: str


class Settings(TypedDict):
    """How a comparison was run."""

    ks: Filled[Positive]
    libraries: list[str]
    environment: str
    timeout: NotRequired[float]
    memory: NotRequired[int]


class Library(TypedDict):
    """One release of one library."""

    name: str
    title: str
    release: str
    homepage: str
    licence: str
    family: NotRequired[str]
    """What the library is made for: rec, ir, rag, ltr or ml."""
    status: Literal["ran", "not_available"]
    reason: str | None
    """Why it is not available; null when it ran."""
    note: NotRequired[str | None]
    commit: NotRequired[str | None]
    """Where the release is a git commit of the repository."""
    repository: NotRequired[str | None]
    date: NotRequired[str | None]
    """When the release came out."""
    paper: NotRequired[bool]
    """Whether the paper of 2021 used this release."""
    newest: NotRequired[bool]
    shims: NotRequired[list[str]]
    """What the adapter puts right so that the release runs at all."""
    recorded: NotRequired[str | None]
    """Where it did not run: the day of the recording that its cells are predicted from."""
    python: NotRequired[str]
    packages: NotRequired[dict[str, str]]
    """Every package of the environment and its version."""
    stderr: NotRequired[str]
    """The end of what the library printed."""


class Source(TypedDict):
    """The file and line of a function."""

    file: NotRequired[str]
    line: NotRequired[int]
    sha256: NotRequired[str]


class Answer(TypedDict):
    """A function's answer to a probe, and the value that its variant predicts."""

    probe: str
    value: Number | None
    expected: Number | None
    """What the identified variant gives there."""
    error: str | None


class Subject(Who, BaseSubject):
    """One function of one release: what the probes say it computes."""

    diagnostic: NotRequired[bool]
    """Asked to show something about another function; not one of the library's own metrics."""
    apart: NotRequired[str | None]
    """What the documentation says the function is, where that is another quantity than the metric."""
    claims: NotRequired[str | None]
    """The variant that the documentation describes, where it is exact."""
    claim: NotRequired[str | None]
    """What the documentation says, in our words."""
    address: NotRequired[str | None]
    """Where it says so."""
    source: NotRequired[Source]
    call: NotRequired[str | None]
    """How the adapter feeds and calls it, in words."""
    evidence: NotRequired[ShownEvidence | None]
    """What the name rests on; null where the function was not asked and has no recording."""
    answers: NotRequired[list[Answer]]
    """What it returned for each probe."""


class Users(TypedDict):
    """How the values by user compare with the reference's."""

    answered: NotRequired[int]
    equal: NotRequired[int]
    largest_difference: NotRequired[Number | None]


class Asked(TypedDict):
    """How many of all users were in the sample that a function was asked about."""

    users: int
    of: int
    why: Literal["sample"]


class Gaps(TypedDict):
    """Each user's value minus that of the metric's standard variant, as counts and a histogram."""

    source: Literal["library", "reference"]
    """Whose values of users: the library's own, or the reference's for the identified variant."""
    standard: str
    """The standard variant."""
    users: int
    lower: int
    equal: int
    """Users with the same value, to 1e-6."""
    higher: int
    edges: Annotated[list[float], Meta(max_length=22)]
    """Edges of the bins of a histogram over the users who are lower or higher; 0 is one."""
    counts: Annotated[list[int], Meta(max_length=21)]


class Cell(Who):
    """One subject at one cut-off on the bundle."""

    k: int
    value: Number | None
    variant: str | None
    predicted: Number | None
    difference: Number | None
    """value - predicted."""
    agreement: Agreement | Literal["different"] | None
    status: Status
    seconds: float | None
    findings: list[str]
    error: str | None
    signature: NotRequired[str | None]
    """What the number is, in one line that `metric-harness signature verify` reads; null where no definition
    explains it."""
    signature_short: NotRequired[str | None]
    """The same with what is usual left out, and a digest."""
    warnings: NotRequired[list[str]]
    users: NotRequired[Users | None]
    """Per-user comparison with the reference, where the library gives values by user."""
    asked: NotRequired[Asked]
    """Where it was asked about some of the users only: the sample of the bundle that has the scores of all items."""
    difference_to_standard: NotRequired[Gaps]
    """Values of users minus those of the metric's standard variant, where users have values on both sides."""


class LibraryFinding(Who, Finding):
    """A finding about a function of a library."""


class Probe(TypedDict):
    """A probe that was asked."""

    name: str
    about: str
    k: int
    users: list[ShownUser]


class UserPair(TypedDict):
    """Two definitions of a metric, user by user: the second's values minus the first's."""

    metric: str
    k: int
    variants: list[str]
    """The printed forms of the two."""
    users: int
    """Users with a value under both."""
    equal: int
    """Users whose values lie at most 1e-6 apart."""
    higher: int
    lower: int
    mean: float
    """The mean difference."""
    largest: float
    """The difference of the user whose two values lie furthest apart."""


class Citation(TypedDict):
    """A signature as a sentence, LaTeX and BibTeX for a paper."""

    sentence: str
    """For the methods section."""
    latex: str
    """The formula, its symbols, and the signature as a footnote."""
    bibtex: str
    """metric-harness, and the papers that define the metric so."""


class Publication(TypedDict):
    """A paper or a text that states a definition."""

    title: str
    kind: Literal["paper", "text"]
    address: str
    """Of the paper, or the file that holds the worked example."""


class Record(TypedDict):
    """The record of one comparison."""

    schema_version: SchemaVersion
    harness: Harness
    """What made this record."""
    created: NotRequired[str]
    """UTC time, ISO 8601."""
    seconds: NotRequired[float]
    """Wall-clock seconds of the whole run."""
    command: str
    """The command line that makes this record again."""
    settings: Settings
    bundle: Manifest
    """The manifest of the bundle."""
    libraries: list[Library]
    subjects: list[Subject]
    cells: list[Cell]
    findings: list[LibraryFinding]
    citations: NotRequired[dict[str, Citation]]
    """By the short form of a signature: what a paper needs to cite a number with it."""
    publications: NotRequired[dict[str, list[Publication]]]
    """By the printed form of a variant: the papers and texts that state this definition."""
    user_pairs: NotRequired[list[UserPair]]
    """How the definitions found for one metric differ, user by user, by the reference's values."""
    paper: NotRequired[Paper]
    """The paper's tables beside this run, where `metric-harness paper` made it: title, address, k, same_data,
    tables, claims, articles."""
    models: NotRequired[Models]
    sampled: NotRequired[Sampled]
    """The models among drawn negatives, where they were compared."""
    probes: list[Probe]
    """The probes that were asked, so that a reader can check an answer by hand."""

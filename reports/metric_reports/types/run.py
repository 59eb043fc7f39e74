"""The record of a comparison (run.json), as schema/run.schema.json describes it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from metric_reports.types.common import Agreement, BaseEvidence, Number, Severity, Who
from metric_reports.types.manifest import Manifest
from metric_reports.types.models import Models
from metric_reports.types.paper import Paper

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

    ks: list[int]
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
    status: Literal["ran", "not_available"]
    reason: str | None
    note: NotRequired[str | None]
    commit: NotRequired[str | None]
    repository: NotRequired[str | None]
    date: NotRequired[str | None]
    paper: NotRequired[bool]
    newest: NotRequired[bool]
    shims: NotRequired[list[str]]
    recorded: NotRequired[str | None]
    python: NotRequired[str]
    packages: NotRequired[dict[str, str]]
    stderr: NotRequired[str]


class Source(TypedDict, total=False):
    """The file and line of a function."""

    file: str
    line: int
    sha256: str


class SizeEvidence(BaseEvidence):
    """The evidence for a name, as a recording holds it.

    alternatives : the other variants that fit every answer.
    """

    condition: str | None
    edges: dict[str, str]
    recorded: str | None
    alternatives: NotRequired[list[str]]


class Evidence(SizeEvidence):
    """The evidence for a name, with a one-line summary."""

    summary: str


class Nearest(TypedDict):
    """A variant that nearly fits, and the probes on which it fails."""

    variant: str
    fails: list[str]


class Answer(TypedDict):
    """A function's answer to a probe, and the value that its variant predicts."""

    probe: str
    value: Number | None
    expected: Number | None
    error: str | None


class Subject(Who):
    """One function of one release: what the probes say it computes."""

    diagnostic: NotRequired[bool]
    apart: NotRequired[str | None]
    claims: NotRequired[str | None]
    claim: NotRequired[str | None]
    address: NotRequired[str | None]
    source: NotRequired[Source]
    call: NotRequired[str | None]
    identified: bool
    variant: str | None
    evidence: NotRequired[Evidence | None]
    formula: NotRequired[str | None]
    choices: dict[str, str]
    edges: dict[str, str]
    alternatives: NotRequired[list[str]]
    nearest: list[Nearest]
    answers: NotRequired[list[Answer]]


class Users(TypedDict, total=False):
    """How the values by user compare with the reference's."""

    answered: int
    equal: int
    largest_difference: Number | None


class Asked(TypedDict):
    """How many of all users were in the sample that a function was asked about."""

    users: int
    of: int
    why: Literal["sample"]


class Gaps(TypedDict):
    """Each user's value minus that of the metric's standard variant, as counts and a histogram."""

    source: Literal["library", "reference"]
    standard: str
    users: int
    lower: int
    equal: int
    higher: int
    edges: list[float]
    counts: list[int]


class Cell(Who):
    """One subject at one cut-off on the bundle."""

    k: int
    value: Number | None
    variant: str | None
    predicted: Number | None
    difference: Number | None
    agreement: Agreement | Literal["different"] | None
    status: Status
    seconds: float | None
    findings: list[str]
    error: str | None
    signature: NotRequired[str | None]
    signature_short: NotRequired[str | None]
    warnings: NotRequired[list[str]]
    users: NotRequired[Users | None]
    asked: NotRequired[Asked]
    difference_to_standard: NotRequired[Gaps]


class ShownUser(TypedDict):
    """One user of a small case."""

    hits: list[bool]
    relevant: list[int]
    gains: NotRequired[list[float]]
    list: list[int]


class Case(TypedDict):
    """The probe that shows a finding."""

    probe: str
    k: int
    users: list[ShownUser]
    value: Number | None
    standard: str
    standard_value: Number | None
    arithmetic: NotRequired[list[str]]


class Finding(Who):
    """One divergence."""

    code: str
    severity: Severity
    title: str
    message: str
    advice: str
    case: Case | None


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
    users: int
    equal: int
    higher: int
    lower: int
    mean: float
    largest: float


class Citation(TypedDict):
    """A signature as a sentence, LaTeX and BibTeX for a paper."""

    sentence: str
    latex: str
    bibtex: str


class Publication(TypedDict):
    """A paper or a text that states a definition."""

    title: str
    kind: Literal["paper", "text"]
    address: str


class Record(TypedDict):
    """The record of one comparison."""

    schema_version: Literal[1]
    harness: Harness
    created: NotRequired[str]
    seconds: NotRequired[float]
    command: str
    settings: Settings
    bundle: Manifest
    libraries: list[Library]
    subjects: list[Subject]
    cells: list[Cell]
    findings: list[Finding]
    citations: NotRequired[dict[str, Citation]]
    publications: NotRequired[dict[str, list[Publication]]]
    user_pairs: NotRequired[list[UserPair]]
    paper: NotRequired[Paper]
    models: NotRequired[Models]
    probes: list[Probe]

"""The record of a comparison (run.json), as schema/run.schema.json describes it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from metric_reports.types.common import Agreement, BaseEvidence, Number, Severity, Who
from metric_reports.types.manifest import Manifest
from metric_reports.types.models import Models
from metric_reports.types.paper import Paper

NOT_ASKED = "it was not asked, --live asks it"
"""The reason of a library that is shown from its recording alone, because nobody asked for more."""
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
    """Where a function is written."""

    file: str
    line: int
    sha256: str


class SizeEvidence(BaseEvidence):
    """What a name rests on, as a recording holds it."""

    condition: str | None
    edges: dict[str, str]
    recorded: str | None


class Evidence(SizeEvidence):
    """What a name rests on, with a line for people."""

    summary: str


class Nearest(TypedDict):
    """A variant that nearly fits, and the probes on which it fails."""

    variant: str
    fails: list[str]


class Answer(TypedDict):
    """What a function returned for a probe, and what its variant gives there."""

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
    """Values by user beside the reference's."""

    answered: int
    equal: int
    largest_difference: Number | None


class Asked(TypedDict):
    """How many users were asked about, where not all were."""

    users: int
    of: int
    why: Literal["sample"]


class Gaps(TypedDict):
    """The values of users minus those of the metric's standard variant."""

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
    """Two definitions of one metric, user by user: the second's values minus the first's."""

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
    """A signature in the words of a paper."""

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

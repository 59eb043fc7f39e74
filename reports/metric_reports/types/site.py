"""The index of the site (index.json): every fact on its pages, also for other tools."""

from __future__ import annotations

from typing import TypedDict

from metric_reports.types.common import Confidence, Number, Severity, ShownCase
from metric_reports.types.history import History
from metric_reports.types.odd import OddLine
from metric_reports.types.site_parts import SiteCensus, SiteChoice, SitePaper


class SiteFinding(TypedDict):
    """A rule's finding about a function, with the issue for its maintainers where a case shows it.

    script : Python that runs in the library's environment alone; None where no snippet can call the function.
    """

    code: str
    severity: Severity
    title: str
    message: str
    advice: str
    issue: str | None
    script: str | None


class SiteFunction(TypedDict):
    """One function of one release, from its recording.

    variant : the printed form, with rounding; definition : the id of the variant without rounding. signature : full
    form, with the cut-off ``@k``. confidence : None if it was not asked; ``missing`` says why. condition : where a
    definition that fits the probes fails at size. documented : the variant that its documentation describes. apart :
    the quantity that its documentation names, if that is not the metric. formerly : the function of an earlier release
    that it replaced. fed : "tested" if a test compares it with the library's own evaluation, "no test", or why the test
    is not run. constant_scorer : the value for equal scores of ten items, one of them relevant, at k = 5; "" if it does
    not follow from the definition. answers : the value returned for each probe.
    """

    id: str
    library: str
    release: str
    newest: bool
    function: str
    formerly: str
    metric: str
    claim: str
    quote: str
    address: str
    documented: str | None
    as_documented: bool | None
    diagnostic: bool
    apart: str
    variant: str | None
    definition: str | None
    signature: str | None
    confidence: Confidence | None
    evidence: str
    condition: str | None
    missing: str
    edges: dict[str, str]
    findings: list[SiteFinding]
    fed: str
    constant_scorer: str
    answers: dict[str, Number | None]


class SiteRelease(TypedDict):
    """A release of a library. recorded : the day of its recording, or None; date : when it came out, or ""."""

    version: str
    date: str
    commit: str
    paper: bool
    recorded: str | None
    python: str
    functions: int


class SiteLibrary(TypedDict):
    """A library.

    functions : how many functions of the newest release were asked; verified : how many of them have a verified name;
    badge : an SVG of these counts; history : None if the package index was not searched; odd_inputs : empty if none
    were asked.
    """

    key: str
    name: str
    page: str
    homepage: str
    licence: str
    summary: str
    family: str
    functions: int
    verified: int
    badge: str
    releases: list[SiteRelease]
    not_asked: dict[str, str]
    history: History | None
    odd_inputs: list[OddLine]


class SiteSource(TypedDict):
    """A library, paper or text that uses a definition."""

    title: str
    kind: str
    address: str


class SiteName(TypedDict):
    """Another tool's name for a definition. sentence : "exact", or how it differs."""

    system: str
    name: str
    exact: bool
    sentence: str
    source: str


class SiteVector(TypedDict):
    """A case of the test vectors and the value of a definition there, exact and as a number."""

    case: str
    about: str
    exact: str
    value: Number


class SiteExample(TypedDict):
    """The smallest probe that tells a definition from the usual one of its metric, with the arithmetic."""

    case: ShownCase
    arithmetic: list[str]


class SiteCitation(TypedDict):
    """A signature and its texts for a paper, at the cut-off ``k``."""

    k: int
    signature: str
    short: str
    sentence: str
    latex: str
    bibtex: str


class SiteDefinition(TypedDict):
    """A variant with a page.

    id : its name in addresses; title : its plain name; known_as : its name in the catalogue, or ""; functions : the ids
    of those that compute it.
    """

    id: str
    page: str
    variant: str
    metric: str
    title: str
    known_as: str
    remark: str | None
    choices: dict[str, str]
    formula: str
    same_as: list[str]
    needs: list[str]
    rules: list[str]
    sources: list[SiteSource]
    names: list[SiteName]
    citation: SiteCitation
    example: SiteExample | None
    vectors: list[SiteVector]
    functions: list[str]


class SiteAgreement(TypedDict):
    """The agreement score of a metric. score : None with fewer than two libraries."""

    libraries: int
    score: float | None


class SiteYear(TypedDict):
    """The agreement score from the releases that were the newest at the end of a year.

    definitions : the libraries that computed each, by the definition's id, the most common first.
    """

    year: int
    score: float | None
    definitions: dict[str, list[str]]


class SiteSampled(TypedDict):
    """A metric of one relevant item at a rank among all items: its value there, and its expectation and standard
    deviation among negatives drawn uniformly without replacement. name : with the cut-off if it has one."""

    name: str
    rank: int
    items: int
    negatives: int
    all_items: float
    expectation: float
    deviation: float


class SiteMetric(TypedDict):
    """A metric with a page. definitions : the ids of those with a page; others : the variants without one."""

    key: str
    page: str
    label: str
    words: str
    about: str
    sampled: SiteSampled | None
    agreement: SiteAgreement
    years: list[SiteYear]
    definitions: list[str]
    others: list[str]


class SiteRule(TypedDict):
    """A rule. threads : address and subject of each discussion."""

    code: str
    page: str
    severity: Severity
    title: str
    why: str
    advice: str
    say: str
    threads: list[list[str]]
    when: list[str]


class SiteProbe(TypedDict):
    """A probe: lists with hits, relevant items and gains by user."""

    name: str
    about: str
    k: int
    edge: str | None
    users: list[dict[str, object]]


class Headline(TypedDict):
    """The first page's counts: libraries, functions of their newest releases, verified variants of NDCG."""

    libraries: int
    functions: int
    ndcg: int


class Index(TypedDict):
    """The whole index. recorded : the day of the newest recording; words : for the parts of a signature."""

    metric_harness: str
    recorded: str
    headline: Headline
    metrics: list[SiteMetric]
    libraries: list[SiteLibrary]
    functions: list[SiteFunction]
    definitions: list[SiteDefinition]
    rules: list[SiteRule]
    probes: list[SiteProbe]
    paper: SitePaper
    census: SiteCensus
    chooser: list[SiteChoice]
    words: dict[str, dict[str, str]]

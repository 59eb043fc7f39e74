"""The index of the site (index.json): every fact that its pages show, for other tools too."""

from __future__ import annotations

from typing import TypedDict

from metric_reports.types.common import Confidence, Number, Severity
from metric_reports.types.history import History
from metric_reports.types.odd import OddLine
from metric_reports.types.run import Case
from metric_reports.types.site_parts import SiteCensus, SiteChoice, SitePaper


class SiteFinding(TypedDict):
    """What a rule says of a function, with the issue for its maintainers where there is a case."""

    code: str
    severity: Severity
    title: str
    message: str
    advice: str
    issue: str | None


class SiteFunction(TypedDict):
    """One function of one release, from its recording.

    variant : as it is printed, with rounding; definition : the page of the variant without it. signature : full form,
    with the cut-off ``@k``. confidence : None where it was not asked, for the reason ``missing``. condition : where a
    definition that fits the probes does not hold at size. documented : what its documentation describes, as a variant.
    apart : what its documentation says it is, where that is another quantity than the metric. formerly : the function
    of an earlier release that it took the place of. fed : "tested" where a test compares it with the library's own
    evaluation, "no test", or why that is not run. constant_scorer : what a scorer gets that gives every item the same
    score, for one relevant item among ten at k = 5; "" where that does not follow. answers : the value returned for
    each probe.
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
    """A release that is described. recorded : the day of its recording, or None; date : when it came out, if known."""

    version: str
    date: str
    commit: str
    paper: bool
    recorded: str | None
    python: str
    functions: int


class SiteLibrary(TypedDict):
    """A library.

    functions : how many of the newest release were asked; verified : how many of them have a verified name; badge : the
    picture of that, as SVG; history : None where the index was not searched; odd_inputs : empty where none were asked.
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
    """Who uses a definition."""

    title: str
    kind: str
    address: str


class SiteName(TypedDict):
    """What another tool calls a definition. sentence : "exact", or where it differs."""

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

    case: Case
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

    id : its name in addresses; title : its plain name; known_as : its name in the catalogue, or ""; functions : those
    that compute it, by id.
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


class SiteMetric(TypedDict):
    """A metric with a page. space : every combination of choices; the others are those without a page."""

    key: str
    page: str
    label: str
    words: str
    about: str
    agreement: SiteAgreement
    years: list[SiteYear]
    definitions: list[str]
    others: list[str]


class SiteRule(TypedDict):
    """A rule. threads : address and subject; functions : how many functions of newest releases fall under it."""

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
    """What the first sentence counts: libraries, functions of their newest releases, verified variants of NDCG."""

    libraries: int
    functions: int
    ndcg: int


class Index(TypedDict):
    """The whole index. recorded : the day of the newest recording; words : of the parts of a signature."""

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

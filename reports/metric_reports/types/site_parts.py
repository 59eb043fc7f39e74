"""Parts of the index of the site: the paper, the census, the chooser, the history of a library."""

from __future__ import annotations

from typing import TypedDict


class SiteCount(TypedDict):
    """How many functions of the census compute a definition. definition : None where the reference has none."""

    metric: str
    variant: str | None
    about: str
    count: int


class SiteCensus(TypedDict):
    """What metric functions in public repositories compute, by reading: counts alone."""

    metrics: int
    functions: int
    repositories: int
    read: str
    counts: list[SiteCount]


class SitePaperCell(TypedDict):
    """A number of the paper, and what its function computes in the paper's release and in the newest one."""

    library: str
    column: str
    published: float | None
    text: str | None
    function: str
    then: str | None
    later: str | None
    now: str | None
    why: str | None


class SitePaperTable(TypedDict):
    """A table of the paper."""

    name: str
    title: str
    columns: list[str]
    libraries: list[str]
    cells: list[SitePaperCell]


class SitePaper(TypedDict):
    """The tables of the 2021 paper beside the recordings."""

    title: str
    address: str
    tables: list[SitePaperTable]


class SiteQuestion(TypedDict):
    """A question of the chooser: a choice, its part of the signature, and its values with their words."""

    choice: str
    part: str
    values: list[list[str]]


class SiteChoice(TypedDict):
    """What the chooser asks about a metric.

    parts : of the usual signature; cuts : whether the list may be left uncut; known : by the values of the choices
    joined by blanks (the cut last), the definition's page ("" if it has none), title and plain name.
    """

    metric: str
    parts: dict[str, str]
    questions: list[SiteQuestion]
    cuts: bool
    known: dict[str, list[str]]
    relevance: bool
    lists: bool

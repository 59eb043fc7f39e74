"""The part ``paper`` of a run record: the paper's tables beside the run."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from metric_reports.types.common import Number


class ShownCell(TypedDict):
    """A value of this run: measured, else predicted, else none with the reason."""

    value: Number | None
    how: Literal["measured", "predicted", "none"]
    variant: str | None
    signature: NotRequired[str | None]
    reason: str | None


class PaperCell(ShownCell):
    """A published number beside the value of this run."""

    published: float | None
    text: str | None
    digits: int | None
    function: str
    newest_function: str | None
    newest: ShownCell | None
    kind: str | None
    why: str | None
    difference: Number | None
    verdict: str


class PaperRow(TypedDict):
    """A library of the paper; ``cells`` by column."""

    library: str
    release: str | None
    newest: str
    note: str | None
    cells: dict[str, PaperCell]


class PaperTable(TypedDict):
    """A table of the paper."""

    name: str
    title: str
    columns: list[str]
    rows: list[PaperRow]


class PaperClaim(TypedDict):
    """A claim about the paper, with its verdict and the evidence."""

    claim: str
    verdict: str
    evidence: str


class Article(TypedDict):
    """An article of the paper's Table 3 that is named elsewhere."""

    name: str
    title: str
    address: str
    says: str
    variants: list[str]


class Articles(TypedDict):
    """The paper's Table 3: how articles introduce their metrics."""

    counts: dict[str, int]
    known: list[Article]


class Paper(TypedDict):
    """The paper's tables beside a run."""

    k: int
    same_data: bool
    tables: list[PaperTable]
    claims: list[PaperClaim]
    title: NotRequired[str]
    address: NotRequired[str]
    numbers: NotRequired[str]
    articles: NotRequired[Articles]

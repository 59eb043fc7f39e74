"""The table of a library.toml, as library.schema.json describes it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Family = Literal["rec", "ir", "rag", "ltr", "ml"]
Ranking = Literal["candidate_scores", "scores", "train", "one_relevant", "distinct_scores", "list_of_k", "compiled"]
Labels = Literal["binary_labels", "small_grades"]
Need = Ranking | Labels | Literal["features", "categories", "train_vectors", "ratings", "probabilities"]


class ReleaseTable(TypedDict):
    """A table [[releases]]."""

    version: str
    python: str
    requirements: NotRequired[list[str]]
    without_dependencies: NotRequired[list[str]]
    note: NotRequired[str]
    subjects: NotRequired[list[str]]
    commit: NotRequired[str]
    paths: NotRequired[list[str]]
    adapter: NotRequired[str]
    paper: NotRequired[bool]
    date: NotRequired[str]
    shims: NotRequired[list[str]]


class SubjectTable(TypedDict):
    """A table [subjects.NAME]."""

    metric: str
    needs: NotRequired[list[Need]]
    claim: str
    claims: NotRequired[str]
    printed: NotRequired[str]
    quote: NotRequired[str]
    never: NotRequired[dict[str, str]]
    k: NotRequired[Literal["none", "adapter"]]
    mean: NotRequired[Literal["adapter"]]
    edges: NotRequired[dict[str, str]]
    address: str
    formerly: NotRequired[str]
    diagnostic: NotRequired[bool]
    apart: NotRequired[str]


class FeedingTable(TypedDict):
    """The table [feeding]."""

    evaluator: NotRequired[str]
    no_evaluator: NotRequired[str]
    not_run: NotRequired[dict[str, str]]


class LibraryPage(TypedDict):
    """A whole library.toml."""

    name: str
    distribution: NotRequired[str]
    homepage: str
    licence: str
    summary: str
    family: NotRequired[Family]
    live: NotRequired[bool]
    repository: NotRequired[str]
    releases: list[ReleaseTable]
    never: NotRequired[dict[str, str]]
    subjects: dict[str, SubjectTable]
    not_asked: NotRequired[dict[str, str]]
    feeding: NotRequired[FeedingTable]

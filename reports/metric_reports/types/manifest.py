"""The manifest of a bundle."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from msgspec import Meta

from metric_reports.types.common import Count, Positive

Method = Literal["global_time", "user_time", "leave_one_out", "random"]
FileName = Annotated[str, Meta(pattern=r"^(auc_sample/)?[a-z_]+\.(npy|json)$")]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
CASE_ARRAYS: Final = ("recommended", "judged_indptr", "judged_items", "judged_gains", "user_ids", "item_ids")
SAMPLE_ARRAYS: Final = ("recommended", "candidate_scores", "users")
WhichUsers = Literal["both", "truth", "recommended", "all"]
Part = Literal["all", "train", "test", "recommendations", "truth"]


class OwnFile(TypedDict):
    """A file that the user brought."""

    name: str
    sha256: Sha256


class Dataset(TypedDict):
    """Where the data came from; either ``sha256`` or ``files`` is there."""

    name: str
    source: str
    """Where the data came from."""
    sha256: NotRequired[Sha256]
    """Of the file that holds the ratings."""
    files: NotRequired[dict[str, OwnFile]]
    """The user's own files by role: recommendations, truth."""
    licence: str
    """A note on the terms of use."""


class ProtocolFields(TypedDict):
    """A protocol without its description."""

    threshold: Annotated[float, Meta(gt=0)]
    """Smallest rating that is positive."""
    method: Method
    test_fraction: Annotated[float, Meta(gt=0, lt=1)]
    seed: int


class Protocol(ProtocolFields):
    """How ratings are split."""

    description: str


class Step(TypedDict):
    """The counts after one step of the split."""

    step: str
    part: Part
    users: Count
    items: Count
    interactions: Count


class ModelRecipe(TypedDict):
    """The model that made the lists."""

    name: str
    parameters: dict[str, Any]
    tie_rule: str
    """How items of equal score are ordered."""
    address: NotRequired[str]


class Recipe(TypedDict):
    """All that determines a bundle; it is rebuilt when this changes."""

    format: Literal[2]
    kind: Literal["split", "lists"]
    depth: int | None
    dataset: NotRequired[dict[str, str]]
    """Of a split, as are protocol, model, full_scores and full_scores_limit."""
    protocol: NotRequired[ProtocolFields]
    model: NotRequired[ModelRecipe]
    full_scores: NotRequired[bool]
    full_scores_limit: NotRequired[int]
    files: NotRequired[dict[str, OwnFile]]
    """Of the user's own lists, as are threshold and users."""
    threshold: NotRequired[float | None]
    users: NotRequired[WhichUsers]
    ids: NotRequired[int]
    """The rule of :data:`metric_harness.bundles.own_lists.ID_RULE`."""


class RowsUsed(TypedDict):
    """The rows of a file: ``read`` is ``used`` and all that were ``dropped``, by reason."""

    read: Count
    used: Count
    dropped: dict[str, Count]


class IdsShared(TypedDict):
    """The distinct ids of a role in each file, and in both."""

    recommendations: Count
    truth: Count
    both: Count


class Converted(TypedDict):
    """Ids of a file that count in another form than they are written in, such as "007" as 7; one of ``rows``."""

    side: str
    role: str
    written: str
    form: str
    rows: Count


class Matching(TypedDict):
    """What reading the user's two files found; ``warnings``: that hardly any ids match."""

    rows: dict[str, RowsUsed]
    ids: dict[str, IdsShared]
    converted: list[Converted]
    warnings: list[str]


class Lists(TypedDict):
    """How the user's own lists were read."""

    order: str
    users: WhichUsers
    threshold: float
    threshold_rule: str
    matching: NotRequired[Matching]


class HashedFile(TypedDict):
    """A file of the bundle, and its SHA-256."""

    file: FileName
    sha256: Sha256


class Array(HashedFile):
    """An array of the bundle."""

    shape: list[Count]
    dtype: str


class Files(TypedDict):
    """The files of a case."""

    arrays: dict[str, Array]
    """A bundle has at least those of CASE_ARRAYS, a sample those of SAMPLE_ARRAYS."""
    settings: HashedFile


class Sample(Files):
    """The users whose scores of all items are kept."""

    users: Count
    of: Count
    seed: int


class Counts(TypedDict):
    """Users, items and pairs of a case."""

    users: Count
    items: Count
    judged: Count
    relevant: Count
    recommended: Count
    users_with_list_only: NotRequired[Count]
    """Of the user's own lists, as are the next two."""
    users_with_truth_only: NotRequired[Count]
    users_without_relevant: NotRequired[Count]


class Versions(TypedDict):
    """What made a bundle."""

    python: str
    numpy: str
    scipy: str
    pandas: str
    harness: str


class About(TypedDict):
    """The parts of a manifest that describe the origin of the case."""

    dataset: Dataset
    protocol: Protocol | None
    """Null for lists that a user brought."""
    steps: list[Step]
    """Counts after every step, in order; the state before a step is the entry of the same part above it."""
    model: ModelRecipe | None
    """Null for lists that a user brought."""
    lists: NotRequired[Lists]
    """Only for lists that a user brought: how they were ordered, whose were kept, what counts as relevant."""
    depth: Positive
    """Length of the longest list that the case can hold."""
    notes: list[str]


class Manifest(About, Files):
    """The contents of a bundle and how it was made."""

    format: Literal[2]
    """Version of this layout."""
    recipe: Recipe
    counts: Counts
    sample: NotRequired[Sample]
    """Where the scores of all items would be too many for every user: a case of some users alone that has them."""
    versions: Versions

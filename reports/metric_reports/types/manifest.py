"""The manifest of a bundle, as schema/manifest.schema.json describes it."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Method = Literal["global_time", "user_time", "leave_one_out", "random"]
Part = Literal["all", "train", "test", "recommendations", "truth"]


class Recipe(TypedDict):
    """Everything that determines a bundle; further keys depend on ``kind``."""

    format: Literal[2]
    kind: Literal["split", "lists"]
    depth: int


class OwnFile(TypedDict):
    """A file that the user brought."""

    name: str
    sha256: str


class Dataset(TypedDict):
    """Where the data came from: ``sha256`` of the ratings, or ``files`` of the user's own lists."""

    name: str
    source: str
    sha256: NotRequired[str]
    files: NotRequired[dict[str, OwnFile]]
    licence: str


class ProtocolFields(TypedDict):
    """A protocol without its description."""

    threshold: float
    method: Method
    test_fraction: float
    seed: int


class Protocol(ProtocolFields):
    """How ratings are split."""

    description: str


class Step(TypedDict):
    """The counts after one step of the split."""

    step: str
    part: Part
    users: int
    items: int
    interactions: int


class ModelRecipe(TypedDict):
    """The model that made the lists."""

    name: str
    parameters: dict[str, Any]
    tie_rule: str
    address: NotRequired[str]


class Lists(TypedDict):
    """How the user's own lists were read."""

    order: str
    users: Literal["both", "truth", "recommended", "all"]
    threshold: float
    threshold_rule: str


class HashedFile(TypedDict):
    """A file of the bundle, and its SHA-256."""

    file: str
    sha256: str


class Array(HashedFile):
    """An array of the bundle."""

    shape: list[int]
    dtype: str


class Files(TypedDict):
    """The files of a case."""

    arrays: dict[str, Array]
    settings: HashedFile


class Sample(Files):
    """The users whose scores of all items are kept."""

    users: int
    of: int
    seed: int


class About(TypedDict):
    """The parts of a manifest that describe the origin of the case."""

    dataset: Dataset
    protocol: Protocol | None
    steps: list[Step]
    model: ModelRecipe | None
    lists: NotRequired[Lists]
    depth: int
    notes: list[str]


class Manifest(About, Files):
    """The contents of a bundle and how it was made."""

    format: Literal[2]
    recipe: Recipe
    counts: dict[str, int]
    sample: NotRequired[Sample]
    versions: dict[str, str]

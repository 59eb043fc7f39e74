"""The part ``models`` of a run record: whether the identified definitions rank models alike."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from metric_reports.types.common import Number

FlipKind = Literal["beats", "clearly beats", "is best"]


class Model(TypedDict):
    """A model of the comparison."""

    key: str
    name: str
    parameters: dict[str, Any]
    tie_rule: str
    address: NotRequired[str]


class Interval(TypedDict):
    """A number with its percentile interval over resamples of users."""

    value: Number
    low: Number | None
    high: Number | None


class ModelValue(Interval):
    """The value of one model."""

    model: str


class Difference(Interval):
    """The first model's value minus the second's; in which share of the resamples the first is ahead, and behind."""

    models: list[str]
    ahead: float | None
    behind: float | None


class Function(TypedDict):
    """A function that computes a variant."""

    library: str
    release: str
    function: str


class RankedVariant(TypedDict):
    """The models under one variant: values, order and differences."""

    variant: str
    standard: bool
    subjects: list[Function]
    values: list[ModelValue]
    order: list[list[str]]
    differences: list[Difference]


class Flip(TypedDict):
    """A conclusion that holds under one variant and not under another."""

    kind: FlipKind
    models: list[str]
    under: str
    not_under: str
    shares: list[float | None]
    share: float | None


class VariantPair(TypedDict):
    """How far two variants agree about the models."""

    variants: list[str]
    same_values: bool
    same_order: bool
    tau: float | None
    low: Number | None
    high: Number | None
    share_of_other_order: float | None
    flips: list[Flip]


class LeftOut(TypedDict):
    """A variant that could not be computed for every model."""

    variant: str
    reason: str


class RankedModels(TypedDict):
    """One metric at one cut-off."""

    metric: str
    k: int
    variants: list[RankedVariant]
    pairs: list[VariantPair]
    left_out: list[LeftOut]


class Models(TypedDict):
    """Whether the identified definitions rank models alike."""

    models: list[Model]
    asked_on: str | None
    users: int
    resamples: int
    seed: int
    level: float
    metrics: list[RankedModels]

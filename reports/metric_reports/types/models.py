"""The part ``models`` of a run record: whether the identified definitions rank models alike."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from metric_reports.types.common import Number, Pair, Positive, Share

FlipKind = Literal["beats", "clearly beats", "is best"]


class Model(TypedDict):
    """A model of the comparison."""

    key: str
    """What the other parts call it."""
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

    models: Pair[str]
    ahead: Share | None
    behind: Share | None


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
    """Models from best to worst; those that tie share a group."""
    differences: list[Difference]
    """First model minus second, for each pair; ahead and behind: in which share of the resamples the first has the
    larger or the smaller value."""


class Flip(TypedDict):
    """A conclusion that holds under one variant and not under another."""

    kind: FlipKind
    """beats: has the larger value. clearly beats: the interval of the difference lies above 0. is best: beats all
    others."""
    models: Annotated[list[str], Meta(min_length=1, max_length=2)]
    """The model, and the one that it beats."""
    under: str
    not_under: str
    shares: Pair[Share | None]
    """In which share of the resamples the first model is ahead, under either variant."""
    share: Share | None
    """In which share it is ahead under the first and not under the second."""


class VariantPair(TypedDict):
    """How far two variants agree about the models."""

    variants: Pair[str]
    same_values: bool
    """Both give the same number for every model."""
    same_order: bool
    tau: float | None
    """Kendall's tau-b of the two rankings of models; null where a ranking is all ties."""
    low: Number | None
    high: Number | None
    share_of_other_order: Share | None
    flips: list[Flip]
    """Conclusions that hold under one of the variants and not under the other."""


class LeftOut(TypedDict):
    """A variant that could not be computed for every model."""

    variant: str
    reason: str


class RankedModels(TypedDict):
    """One metric at one cut-off."""

    metric: str
    """The metric that the subjects claim."""
    k: Positive
    variants: list[RankedVariant]
    pairs: list[VariantPair]
    left_out: list[LeftOut]
    """Variants that could not be computed for every model."""


class Models(TypedDict):
    """Whether the identified definitions rank models alike."""

    models: Annotated[list[Model], Meta(min_length=2)]
    asked_on: str | None
    """The model on whose lists the libraries were asked."""
    users: Positive
    resamples: Positive
    seed: int
    level: float
    """Of the intervals."""
    metrics: list[RankedModels]

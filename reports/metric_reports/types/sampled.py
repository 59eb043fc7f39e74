"""The part ``sampled`` of a run record: what the models' values and order are where negatives are drawn."""

from __future__ import annotations

from typing import Literal, TypedDict

from metric_reports.types.common import Pair, Positive, Share

Weights = Literal["uniform", "popularity"]


class SampledPoint(TypedDict):
    """Some number of negatives."""

    negatives: Positive
    values: list[float]
    """Expectation over the draws, by model."""
    deviations: list[float]
    """Standard deviation of one draw, by model."""
    order: list[list[str]]
    """From best to worst by expectation; models that tie are one group."""
    wrong: list[Share | None]
    """By pair: how likely one draw orders the two otherwise than all items do; null where these order them alike."""


class SampledMetric(TypedDict):
    """A metric at a cut-off, for one way of drawing."""

    metric: str
    k: Positive
    weights: Weights
    all_items: list[float]
    """The value among all items, by model."""
    all_order: list[list[str]]
    points: list[SampledPoint]
    same_from: Positive | None
    """From this number on, each that was computed gives the order of all items; null if the last does not."""


class Sampled(TypedDict):
    """Several models among drawn negatives."""

    models: list[str]
    """Their keys, in the order of every list by model."""
    pairs: list[Pair[str]]
    """In the order of ``wrong``."""
    users: Positive
    relevant: Positive
    """How many relevant items were ranked."""
    smallest_pool: Positive
    """How many items at least may be drawn for each."""
    metrics: list[SampledMetric]

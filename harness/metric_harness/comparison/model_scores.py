"""The values of variants for the lists of several models, and for resamples of their users."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metric_harness.comparison.bootstrap import resampled, signs
from metric_reference.averaging import parts_of
from metric_reference.case import Case
from metric_reference.edges import STANDARD
from metric_reference.matching import Matches
from metric_reference.variant import Variant, prepare

SEED = 0


@dataclass(frozen=True, eq=False)
class Scores:
    """The values of one variant for every model, in the order of the models.

    values : float64, shape (models,). samples : float64, shape (resamples, models); None for a variant of the whole
    case, which has no values of users to resample.
    """

    printed: str
    values: np.ndarray
    samples: np.ndarray | None

    @cached_property
    def signs(self) -> np.ndarray:
        """Which model of each pair has the larger value: see :func:`metric_harness.comparison.bootstrap.signs`."""
        return signs(self.values)

    @cached_property
    def sample_signs(self) -> np.ndarray | None:
        """The same for each resample: shape (resamples, pairs)."""
        return None if self.samples is None else signs(self.samples)


def score(
    wanted: Iterable[str], cases: Mapping[str, Case], k: int, resamples: int
) -> tuple[dict[str, Scores], dict[str, str]]:
    """The scores of each variant by its printed form; and the reasons why variants have none.

    wanted : the printed forms. cases : by model, with the same users in the same order.
    """
    variants = {printed: Variant.parse(printed) for printed in wanted}
    reasons = {printed: _lacking(variant, cases) for printed, variant in variants.items()}
    variants = {printed: variant for printed, variant in variants.items() if not reasons[printed]}
    by_user = [printed for printed, variant in variants.items() if not variant.metric.of_whole_case()]
    values = {printed: np.empty(len(cases)) for printed in variants}
    columns: list[tuple[np.ndarray, np.ndarray]] = []
    for i, case in enumerate(cases.values()):
        matches = prepare(case, STANDARD)
        for printed, variant in variants.items():
            values[printed][i] = variant.of_matches(matches, STANDARD, k)
        columns += [_user_parts(variants[printed], matches, k) for printed in by_user]
    samples = {}
    if columns:
        numerators, denominators = (np.column_stack(parts) for parts in zip(*columns, strict=True))
        empty = [_empty_value(variants[printed]) for printed in by_user] * len(cases)
        ratios = resampled(numerators, denominators, resamples, SEED, np.array(empty))
        by_model = ratios.reshape(resamples, len(cases), len(by_user))
        samples = {printed: by_model[:, :, i] for i, printed in enumerate(by_user)}
    for printed, by_case in values.items():
        unknown = [name for name, value in zip(cases, by_case, strict=True) if np.isnan(value)]
        reasons[printed] = f"has no value for {', '.join(unknown)}" if unknown else ""
    scores = {p: Scores(p, by_case, samples.get(p)) for p, by_case in values.items() if not reasons[p]}
    return scores, {printed: reason for printed, reason in reasons.items() if reason}


def _lacking(variant: Variant, cases: Mapping[str, Case]) -> str:
    """What a variant needs and some case does not have, as a sentence; empty if every case has all."""
    absent = [need for need in variant.metric.needs if any(getattr(case, need) is None for case in cases.values())]
    return f"needs {' and '.join(absent).replace('_', ' ')}, which not every bundle has" if absent else ""


def _pooled(variant: Variant) -> bool:
    """Whether the value is a sum of numerators over a sum of denominators, not a mean of users' values."""
    metric = variant.metric
    return (variant.weight == "micro" and metric.weighs) or metric.pooled()


def _empty_value(variant: Variant) -> float:
    """The value where the sum of the denominators is 0."""
    return 0.0 if _pooled(variant) and variant.metric.divides_by_hits() else np.nan


def _user_parts(variant: Variant, matches: Matches, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Each user's terms in the numerator and in the denominator of a variant's value: float64, shape (users,)."""
    values, counted = variant.of_users(matches, STANDARD, k)
    if _pooled(variant):
        numerator, denominator = parts_of(variant.metric, matches, k, STANDARD)
        numerator = variant.times * numerator
    elif variant.weight == "sum":  # a resample has as many users, so their denominators add up to 1
        return np.where(counted, values, 0.0), np.full(len(values), 1.0 / max(1, len(values)))
    else:
        numerator, denominator = values, np.ones(len(values))
    return np.where(counted, numerator, 0.0), np.where(counted, denominator, 0.0)

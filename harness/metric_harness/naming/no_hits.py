"""Functions that return NaN for a user without a hit up to k: NaN is read as 0 if only that gives a name."""

from __future__ import annotations

import math

import numpy as np

from metric_harness.naming.calling import Choice, verified_calls
from metric_harness.naming.findings.finding import remark
from metric_harness.naming.findings.shown_case import case_of
from metric_harness.naming.fixed_cut import MOST_CONVENTIONS, retry_core_probes
from metric_harness.naming.probes.probe import build
from metric_harness.naming.session import Session
from metric_harness.naming.small_cases import Difference
from metric_reference.variant import twins
from metric_reports.types.audit import Finding

ADVICE = "Count such a user as 0: leaving it out of the mean makes a model that misses often look better."
MISSED = build([[0, 1]], [[1]], 4)
"""A list of two items, the second relevant: at k = 1 the user has no hit."""


def read_as_zero(session: Session, choice: Choice, metric: str | None, contradicted: set[str]) -> Choice:
    """A choice verified with NaN of a user without a hit up to k read as 0; else the given choice.

    It must be the metric that the function's name claims.
    """
    undefined = [trial for trial in choice.trials if any(map(math.isnan, trial.values.values()))][:MOST_CONVENTIONS]
    names = [trial.name for trial in undefined if trial.name not in session.nan_as_zero]
    session.nan_as_zero.update(names)
    best, rivals, _ = verified_calls(session, retry_core_probes(session, names, metric), metric, contradicted)
    variant = None if best is None else best.variant
    metrics = [] if variant is None else [twin.metric.name for twin in (variant, *twins(variant))]
    if best is not None and metric in metrics:
        return Choice(chosen=best, rivals=rivals, trials=choice.trials)
    session.nan_as_zero.difference_update(names)
    return choice


def undefined_without_hits(session: Session, name: str, choice: Choice) -> list[Finding]:
    """NAN001 with a small case, for a function that is named only because NaN is read as 0."""
    variant = choice.chosen.variant
    if name not in session.nan_as_zero or variant is None:
        return []
    message = f"a user without a hit up to k has NaN where {variant} is 0, and so has every mean with such a user"
    difference = Difference(MISSED, 1, np.nan, variant.value(MISSED, k=1))
    return [{**remark("NAN001", f"{message}.", case_of(difference, [variant])), "advice": ADVICE}]

"""How the variants that subjects compute for one metric differ, user by user, on the bundle."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from metric_harness.comparison.asked_cases import AskedCase, AskedCases
from metric_harness.naming.agreement import agree
from metric_reference.edges import STANDARD
from metric_reference.variant import RANKING, Variant, standard
from metric_reports.types.run import Subject, UserPair


def user_pairs(asked_cases: AskedCases, subjects: Sequence[Subject], ks: Sequence[int]) -> list[UserPair]:
    """Every pair of the variants that subjects compute for a ranking metric, the standard one among them.

    The values are the reference's, with its own rules for users without relevant items or without a list.
    """
    by_metric: dict[str, dict[str, Variant]] = {}
    for subject in subjects:
        name, printed = subject["metric"], subject["variant"]
        if name in RANKING and printed is not None:
            usual = standard(name)
            by_metric.setdefault(name, {str(usual): usual})[printed] = Variant.parse(printed)
    return [pair for name, variants in by_metric.items() for k in ks for pair in _pairs(asked_cases, name, variants, k)]


def _pairs(asked_cases: AskedCases, metric: str, variants: dict[str, Variant], k: int) -> list[UserPair]:
    values = {
        printed: of_users
        for printed, variant in variants.items()
        if (of_users := _values(asked_cases.of(variant.metric.needs), variant, k)) is not None
    }
    pairs: list[UserPair] = []
    for first, second in combinations(values, 2):
        if values[first].shape != values[second].shape:
            continue
        both = np.isfinite(values[first]) & np.isfinite(values[second])
        gaps = (values[second] - values[first])[both]
        equal = agree(values[second][both], values[first][both])
        pairs.append(
            {
                "metric": metric,
                "k": k,
                "variants": [first, second],
                "users": len(gaps),
                "equal": int(equal.sum()),
                "higher": int((gaps[~equal] > 0).sum()),
                "lower": int((gaps[~equal] < 0).sum()),
                "mean": _rounded(gaps.mean() if len(gaps) else 0.0),
                "largest": _rounded(gaps[np.argmax(np.abs(gaps))] if len(gaps) else 0.0),
            }
        )
    return pairs


def _values(asked_case: AskedCase, variant: Variant, k: int) -> np.ndarray | None:
    """Each user's value, NaN without one: float64, shape (users,); None for a variant without values of users."""
    if variant.metric.of_whole_case() or any(getattr(asked_case.case, need) is None for need in variant.metric.needs):
        return None
    values, counted = variant.of_users(asked_case.matches(STANDARD), STANDARD, k)
    return np.where(counted, values, np.nan)


def _rounded(number: float) -> float:
    return float(f"{number:.6g}")

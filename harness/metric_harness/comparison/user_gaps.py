"""How far a function lies from the standard variant of its metric, user by user."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np

from metric_harness.naming.agreement import agree
from metric_harness.worker.reply import Reply
from metric_reference.edges import STANDARD, Edges
from metric_reference.matching import Matches
from metric_reference.registry import METRICS
from metric_reference.variant import Variant, standard
from metric_reports.types.run import Gaps

BINS = 20
Matching = Callable[[Edges], Matches]


def difference_to_standard(
    metric: str, k: int, variant: Variant | None, edges: Edges, reply: Reply | None, matches: Matching
) -> Gaps | None:
    """A histogram of users' values minus those of the standard variant; None where users have no values.

    The values are the library's own where it returns them, else those of its variant; users whom either side leaves out
    or has no defined value for are left out.

    metric : the metric that the function claims; variant, edges : what it computes; matches : matches the bundle.
    """
    if metric not in METRICS or (usual := standard(metric)).metric.of_whole_case():
        return None
    case = matches(STANDARD).case
    if any(getattr(case, need) is None for need in usual.metric.needs):  # AUC over the catalogue of own lists
        return None
    values, counted = usual.of_users(matches(STANDARD), STANDARD, k)
    values = np.where(counted, values, np.nan)
    theirs = np.full(len(values), np.nan)
    if reply is not None and reply.users is not None and reply.values is not None:
        source: Literal["library", "reference"] = "library"
        theirs[reply.users] = reply.values
    elif variant is not None and not variant.metric.of_whole_case():
        source = "reference"
        predicted, predicted_for = variant.of_users(matches(edges), edges, k)
        theirs[predicted_for] = predicted[predicted_for]
    else:
        return None
    both = np.isfinite(values) & np.isfinite(theirs)
    gaps = theirs[both] - values[both]
    same = agree(theirs[both], values[both])
    lines, counts = histogram(gaps[~same])
    return {
        "source": source,
        "standard": str(usual),
        "users": len(gaps),
        "equal": int(same.sum()),
        "lower": int((gaps[~same] < 0).sum()),
        "higher": int((gaps[~same] > 0).sum()),
        "edges": lines,
        "counts": counts,
    }


def histogram(gaps: np.ndarray) -> tuple[list[float], list[int]]:
    """Edges and counts of at most 21 bins; 0 is an edge, and a bin is as wide as 1, 2 or 5 times a power of ten."""
    if not len(gaps):
        return [], []
    low, high = min(0.0, float(gaps.min())), max(0.0, float(gaps.max()))
    exponent = math.floor(math.log10((high - low) / BINS))
    tenths = next(n for n in (1, 2, 5, 10, 20) if _bins(low, high, n * 10.0**exponent) <= BINS + 1)
    step = tenths * 10.0**exponent
    lines = [float(f"{number * step:.12g}") for number in range(math.floor(low / step), math.ceil(high / step) + 1)]
    lines[0], lines[-1] = min(lines[0], low), max(lines[-1], high)
    return lines, [int(count) for count in np.histogram(gaps, lines)[0]]


def _bins(low: float, high: float, step: float) -> int:
    return math.ceil(high / step) - math.floor(low / step)

"""What a scorer gets that gives every item the same score: it follows from the variant and from the order of ties."""

from __future__ import annotations

import math
from dataclasses import replace

from metric_harness.identification.identify import edges_for
from metric_harness.identification.probes import build
from metric_reference.edges import Edges
from metric_reference.variant import BEYOND, Variant

ITEMS, K = 10, 5
BY_ORDER = {
    "input_order": ("comes first in the input", "comes last"),
    "id_ascending": ("has the lowest id", "has the highest"),
    "id_descending": ("has the highest id", "has the lowest"),
}
"""Where the relevant item is ranked first among equal scores, and where last."""


def constant_scorer(variant: Variant, edges: Edges) -> str | None:
    """What such a scorer gets where one of ten items is relevant, at k = 5; None where the answers do not say.

    It is computed, not asked: the variant and the order of equal scores are what the answers to the probes showed.
    """
    if variant.metric.name in BEYOND:
        return None
    try:
        one, other = (_value(variant, edges, relevant) for relevant in (0, ITEMS - 1))
    except ValueError:  # no closed form of the mean over all orders
        return None
    if math.isnan(one) or math.isnan(other):
        return None
    if math.isclose(one, other, abs_tol=1e-12):
        return f"{one:.4g}, wherever the relevant item stands"
    if edges.ties == "unspecified":
        return f"{min(one, other):.4g} to {max(one, other):.4g}, by an order of equal scores that follows no rule"
    if edges.ties not in BY_ORDER:
        return None
    first, last = BY_ORDER[edges.ties]
    ranked_first, ranked_last = (other, one) if edges.ties == "id_descending" else (one, other)
    return f"{ranked_first:.4g} where the relevant item {first}, {ranked_last:.4g} where it {last}"


def _value(variant: Variant, edges: Edges, relevant: int) -> float:
    case = build([list(range(ITEMS))], [[relevant]], ITEMS, scores=[[0.5] * ITEMS])
    return replace(variant, k=None).value(case, edges_for(edges), K)

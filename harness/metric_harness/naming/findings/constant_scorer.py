"""The value of a scorer that gives every item the same score; it follows from the variant and the order of ties."""

from __future__ import annotations

import math
from dataclasses import replace

from metric_harness.naming.identify import edges_for
from metric_harness.naming.probes.probe import build
from metric_reference.edges import Edges
from metric_reference.variant import BEYOND, Variant
from metric_reports.tolerances import EXACT

ITEMS, K = 10, 5
RANKED_FIRST_AND_LAST = {
    "input_order": ("comes first in the input", "comes last"),
    "id_ascending": ("has the lowest id", "has the highest"),
    "id_descending": ("has the highest id", "has the lowest"),
}
"""By order of ties: which of the items with equal scores is ranked first, and which last."""


def constant_scorer(variant: Variant, edges: Edges) -> str | None:
    """The value of such a scorer at k = 5, where one of ten items is relevant; None where the answers do not show it.

    It is computed, not asked, from the variant and the order of ties that the answers to the probes showed.
    """
    by_scores = not variant.metric.lists
    if variant.metric.name in BEYOND or (by_scores and edges.ties == "unspecified"):
        return None
    try:
        lowest_id, highest_id = (_value(variant, edges, relevant) for relevant in (0, ITEMS - 1))
    except ValueError:  # no closed form of the mean over all orders
        return None
    if math.isnan(lowest_id) or math.isnan(highest_id):
        return None
    if math.isclose(lowest_id, highest_id, abs_tol=EXACT):
        return f"{lowest_id:.4g}, wherever the relevant item stands"
    if edges.ties == "unspecified":
        low, high = sorted((lowest_id, highest_id))
        return f"{low:.4g} to {high:.4g}, by an order of equal scores that follows no rule"
    if edges.ties not in RANKED_FIRST_AND_LAST:
        return None
    first, last = RANKED_FIRST_AND_LAST[edges.ties]
    values = (highest_id, lowest_id) if edges.ties == "id_descending" else (lowest_id, highest_id)
    return f"{values[0]:.4g} where the relevant item {first}, {values[1]:.4g} where it {last}"


def _value(variant: Variant, edges: Edges, relevant: int) -> float:
    """The value where ``relevant`` is the one relevant item."""
    case = build([list(range(ITEMS))], [[relevant]], ITEMS, scores=[[0.5] * ITEMS])
    return replace(variant, k=None).value(case, edges_for(edges), K)

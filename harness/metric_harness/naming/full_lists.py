"""Identification of functions that are given lists of every item, which do not show where a list ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metric_harness.naming.agreement import agrees
from metric_harness.naming.identify import Identification, ProbeAnswer, cut_at_relevant, edges_for
from metric_harness.naming.probes.predictions import expected
from metric_reference.variant import Variant

BEYOND = "k_beyond_items"
"""The probe with k larger than the catalogue, and the edge behaviour that it shows."""


def without_k(identified: Identification, hits_alone: bool) -> Identification:
    """The identification of a function that ranks all items and takes no k: of the variants that fit, one without k.

    hits_alone : the function sees only the relevance of listed items; a variant that names hits is then preferred to
    one that names relevant items, and else the other way round.
    """
    if identified.variant is None:
        return identified

    def says_k(variant: Variant) -> int:
        choices = variant.metric.made()
        words = [word for value in choices.values() for word in value.split("_")]
        cuts = choices.get("cut", "none") != "none"
        cuts = cuts or cut_at_relevant(variant)
        return 2 * cuts + 2 * words.count("k") + words.count("relevant" if hits_alone else "hits")

    def says_hits(variant: Variant) -> bool:  # in a list of every item, each relevant item is a hit
        return any("hits" in value for name, value in variant.metric.made().items() if name != "sum_over")

    fitting = [identified.variant, *identified.alternatives]
    plainest = min(fitting, key=lambda variant: (says_k(variant), says_hits(variant) != hits_alone))
    return replace(identified, variant=plainest, alternatives=[])


def of_the_list(identified: Identification, answers: Mapping[str, ProbeAnswer]) -> Identification:
    """The identification of a function that takes k and is handed lists of every item, or a number for each.

    Its lists are shorter than k only where k is larger than the catalogue: a function that divides by the number of
    listed items there divides by the length of the list everywhere, not by k.
    """
    answer = answers.get(BEYOND)
    if identified.variant is None or answer is None or answer.value is None:
        return identified
    edges, value = edges_for(identified.edges), answer.value

    def fits(variant: Variant) -> bool:
        return agrees(value, expected(variant, BEYOND, edges))

    if fits(identified.variant) or identified.variant.metric.made().get("divide_by") != "k":
        return identified
    changed: dict[str, Any] = {"divide_by": "list"}
    by_list = replace(identified.variant, metric=replace(identified.variant.metric, **changed))
    if not fits(by_list):
        return identified
    short = "unclear" if identified.edges.short_list == "unclear" else "by_list"
    return replace(identified, variant=by_list, edges=replace(identified.edges, k_beyond_items="ok", short_list=short))

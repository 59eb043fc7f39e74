"""What a function that is handed lists of every item cannot show: where a list ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metric_harness.identification.agreement import agrees
from metric_harness.identification.identify import Identification, ProbeAnswer, edges_for
from metric_harness.identification.predictions import expected
from metric_reference.variant import Variant

BEYOND = "k_beyond_items"
"""The probe, and the edge behaviour, in which k is larger than the catalogue."""


def full_lists(name: str) -> bool:
    """Whether a convention hands over lists of every item, whatever is listed."""
    return name.partition("#")[0].endswith("-full")


def without_k(found: Identification, hits_alone: bool) -> Identification:
    """The identification of a function that ranks all items and takes no k: what names no k stands for all that fit.

    hits_alone : it sees the relevance of what is listed; then what names hits does, else what names relevant items.
    """
    if found.variant is None:
        return found

    def says_k(variant: Variant) -> int:
        made = variant.metric.made()
        told = [word for value in made.values() for word in value.split("_")]
        looks = made.get("cut", "none") != "none"
        return 2 * looks + 2 * told.count("k") + told.count("relevant" if hits_alone else "hits")

    def says_hits(variant: Variant) -> bool:  # of a list of everything, what is relevant is what hits
        return any("hits" in value for name, value in variant.metric.made().items() if name != "sum_over")

    every = [found.variant, *found.alternatives]
    plainest = min(every, key=lambda one: (says_k(one), says_hits(one) != hits_alone))
    return replace(found, variant=plainest, alternatives=[])


def of_the_list(found: Identification, answers: Mapping[str, ProbeAnswer]) -> Identification:
    """The identification of a function that takes k and is handed lists of every item.

    Its lists are shorter than k only where k is larger than the catalogue: if it divides by their length there, it
    divides by the length of the list, not by k.
    """
    answer = answers.get(BEYOND)
    if found.variant is None or answer is None or answer.value is None:
        return found
    edges, given = edges_for(found.edges), answer.value

    def fits(variant: Variant) -> bool:
        return agrees(given, expected(variant, BEYOND, edges))

    if fits(found.variant) or found.variant.metric.made().get("divide_by") != "k":
        return found
    changed: dict[str, Any] = {"divide_by": "list"}
    other = replace(found.variant, metric=replace(found.variant.metric, **changed))
    return replace(found, variant=other, edges=replace(found.edges, **{BEYOND: "ok"})) if fits(other) else found

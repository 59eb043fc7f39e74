"""Many variants over one case in one pass: the case is matched once, whatever the number of variants."""

from __future__ import annotations

from typing import Dict, Iterable, Sequence, Tuple

from metric_reference.case import Case
from metric_reference.edges import STANDARD, Edges
from metric_reference.variant import Variant, prepare


def evaluate(
    case: Case, variants: Iterable[Variant], ks: Sequence[int] = (), edges: Edges = STANDARD
) -> Dict[str, float]:
    """The number of each variant, by its printed form with cut-off.

    variants : those without a cut-off of their own are computed at each of ``ks``.
    edges : edge behaviour, the same for all.

    Raises ValueError for a variant without a cut-off where ``ks`` is empty, or one that needs what the case lacks.
    """
    matches = prepare(case, edges)
    asked = {str(variant.at(k)): (variant, k) for variant, k in _at_cuts(variants, ks)}
    found = {}
    for k in {k: None for _, k in asked.values()}:
        for name, (variant, cut) in asked.items():
            if cut == k:
                found[name] = variant.of_matches(matches, edges, k)
        matches.forget()
    return {name: found[name] for name in asked}


def _at_cuts(variants: Iterable[Variant], ks: Sequence[int]) -> Iterable[Tuple[Variant, int]]:
    for variant in variants:
        if variant.k is not None:
            yield variant, variant.k
        elif not ks:
            raise ValueError(f"{variant} has no cut-off; say {variant}@20, or give ks")
        else:
            for k in ks:
                yield variant, k

"""Many variants on one case, which is matched only once."""

from __future__ import annotations

from typing import Dict, Iterable, Sequence, Tuple

from metric_reference.case import Case
from metric_reference.edges import STANDARD, Edges
from metric_reference.variant import Variant, prepare


def evaluate(
    case: Case, variants: Iterable[Variant], ks: Sequence[int] = (), edges: Edges = STANDARD
) -> Dict[str, float]:
    """The value of each variant, by its printed form with cut-off.

    variants : those without a cut-off are computed at each of ``ks``.
    edges : edge behaviour, the same for all variants.

    Raises ValueError for a variant without a cut-off where ``ks`` is empty, or one that needs what the case lacks.
    """
    matches = prepare(case, edges)
    requested = {str(variant.at(k)): (variant, k) for variant, k in _at_cuts(variants, ks)}
    values = {}
    for k in dict.fromkeys(k for _, k in requested.values()):
        for name, (variant, cut) in requested.items():
            if cut == k:
                values[name] = variant.of_matches(matches, edges, k)
        matches.forget()
    return {name: values[name] for name in requested}


def _at_cuts(variants: Iterable[Variant], ks: Sequence[int]) -> Iterable[Tuple[Variant, int]]:
    """Each variant with its own cut-off, or with each of ``ks``."""
    for variant in variants:
        if variant.k is not None:
            yield variant, variant.k
        elif not ks:
            raise ValueError(f"{variant} has no cut-off; say {variant}@20, or give ks")
        else:
            for k in ks:
                yield variant, k

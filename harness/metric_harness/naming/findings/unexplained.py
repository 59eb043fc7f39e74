"""Why a function has no name: a wrong call, a constant, a multiple of a definition, or an unknown definition."""

from __future__ import annotations

import math
from collections.abc import Mapping

from metric_harness.naming.evidence import FITS_BUT, Verification
from metric_harness.naming.identify import ProbeAnswer, nearest
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import core_of
from metric_harness.naming.question import differ
from metric_reference.variant import space

FEWEST_POSITIVE = 3
"""A function is called a multiple of a variant only if it returns more than 0 on at least this many core probes."""
UNLIKELY = "that way of calling it is too unlikely for a name"
NO_HITS = "it returns NaN where nobody has a hit: it divides by the number of hits"
"""The note on a named function that returns NaN there."""


def why_unexplained(
    claimed: str, answers: Mapping[str, ProbeAnswer], evidence: Verification, random: bool = False
) -> str:
    """One or two sentences: why no definition fits, with the distance to the nearest one.

    random : the function returned different numbers for the same case.
    """
    if random:
        return "it returns another number each time it is asked for the same case, so no definition fits"
    if evidence.fits is not None:
        return str(evidence.reason)
    core = core_of(answers)
    values = {name: value for name in core if (value := answers[name].value) is not None}
    refused = len(core) - len(values)
    if len(set(values.values())) == 1 and len(values) > 1:
        return (
            f"every answer is {next(iter(values.values())):.6g}. A constant tells no definition apart: either this is "
            "the wrong way of calling it (give --convention), or it computes nothing"
        )
    if refused >= len(values) > 0:
        return (
            f"a wrong way of calling it, probably: {refused} of {len(core)} probes raised an error ({evidence.reason})"
        )
    if any(math.isnan(value) for value in values.values()):
        return "it returns NaN for ordinary users, so no definition fits"
    multiple = multiple_of(claimed, values)
    if multiple is not None:
        return multiple
    neighbours = nearest(claimed, values, 1)
    if not neighbours or 2 * len(neighbours[0][1]) > len(values):
        neighbours = nearest(None, values, 1)
    variant, failed = neighbours[0]
    if not failed:
        return FITS_BUT.format(variant, UNLIKELY)
    differences = {name: abs(values[name] - expected(variant, name)) for name in failed}
    worst = max(differences, key=lambda name: differences[name], default=None)
    offset = "" if worst is None else f", off by up to {differences[worst]:.4g} ({worst})"
    failures = f"it fails on {len(failed)} of {len(values)} probes{offset}"
    return f"no known definition fits. The nearest is {variant}: {failures}"


def multiple_of(claimed: str, values: Mapping[str, float]) -> str | None:
    """A sentence if the answers are a constant factor, such as 100, times a known definition, or 1; else None."""
    positive = [name for name, value in values.items() if value]
    if len(positive) < FEWEST_POSITIVE:
        return None
    for variant in space(claimed):
        predicted = {name: expected(variant, name) for name in values}
        if not predicted[positive[0]]:
            continue
        factor = values[positive[0]] / predicted[positive[0]]
        if not any(differ(values[name], factor * value) for name, value in predicted.items()):
            if not differ(factor, 1.0):
                return FITS_BUT.format(variant, UNLIKELY)
            return f"every answer is {factor:.6g} times that of {variant}"
    return None

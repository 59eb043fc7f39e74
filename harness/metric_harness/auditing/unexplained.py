"""Why a function has no name: a wrong call, a constant, a multiple of a definition, or an unknown definition."""

from __future__ import annotations

import math
from collections.abc import Mapping

from metric_harness.identification.identify import ProbeAnswer, nearest
from metric_harness.identification.predictions import expected
from metric_harness.identification.probes import core_names
from metric_harness.identification.small_cases import differ
from metric_harness.verification.verify import Verification
from metric_reference.variant import space

FEWEST = 3
"""A function is called a multiple of a variant only if it returns more than 0 on at least this many core probes."""
NO_HITS = "it returns NaN where nobody has a hit: it divides by the number of hits"
"""What is noted of a function that has a name and is undefined there."""


def why_unexplained(
    claimed: str, answers: Mapping[str, ProbeAnswer], evidence: Verification, random: bool = False
) -> str:
    """One or two sentences: which kind of unexplained this is, with the distance to the nearest definition.

    random : asked for the same case again, the function returned another number.
    """
    if random:
        return "it returns another number each time it is asked for the same case, so no definition fits"
    core = [name for name in answers if name in core_names()]
    given = {name: value for name in core if (value := answers[name].value) is not None}
    refused = len(core) - len(given)
    if len(set(given.values())) == 1 and len(given) > 1:
        return (
            f"every answer is {next(iter(given.values())):.6g}. A constant tells no definition apart: either this is "
            "the wrong way of calling it (give --convention), or it computes nothing"
        )
    if refused >= len(given) > 0:
        return (
            f"a wrong way of calling it, probably: {refused} of {len(core)} probes raised an error ({evidence.reason})"
        )
    if any(math.isnan(value) for value in given.values()):
        return "it returns NaN for ordinary users, so no definition fits"
    times = multiple_of(claimed, given)
    if times is not None:
        return times
    near = nearest(claimed, given, 1)
    if not near or 2 * len(near[0][1]) > len(given):
        near = nearest(None, given, 1)
    variant, failed = near[0]
    gaps = {name: abs(given[name] - expected(variant, name)) for name in failed}
    worst = max(gaps, key=lambda name: gaps[name], default=None)
    off = "" if worst is None else f", off by up to {gaps[worst]:.4g} ({worst})"
    return f"no known definition fits. The nearest is {variant}: it fails on {len(failed)} of {len(given)} probes{off}"


def multiple_of(claimed: str, given: Mapping[str, float]) -> str | None:
    """A sentence for answers that are a known definition times a number, as per cent are; None for others."""
    positive = [name for name, value in given.items() if value]
    if len(positive) < FEWEST:
        return None
    for variant in space(claimed):
        base = {name: expected(variant, name) for name in given}
        if not base[positive[0]]:
            continue
        factor = given[positive[0]] / base[positive[0]]
        if not any(differ(given[name], factor * value) for name, value in base.items()):
            return f"every answer is {factor:.6g} times that of {variant}"
    return None

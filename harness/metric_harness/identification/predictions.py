"""What every variant gives for the probes, each computed once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from metric_harness.identification.known_values import kept
from metric_harness.identification.probes import Probe, every_probe
from metric_harness.system.side_by_side import heed_calling_off
from metric_reference.averaging import averages
from metric_reference.edges import STANDARD, Edges
from metric_reference.matching import Matches, match
from metric_reference.metric import Metric
from metric_reference.variant import RANKING, Variant, prepare, space

_MATCHED: dict[str, tuple[Probe, Matches]] = {}


def matched_probes() -> dict[str, tuple[Probe, Matches]]:
    """Every probe with its case matched, by name."""
    probes = every_probe()
    if len(probes) > len(_MATCHED):
        _MATCHED.update({probe.name: (probe, match(probe.case)) for probe in probes if probe.name not in _MATCHED})
    return _MATCHED


@cache
def _averages(metric: Metric, probe: str, edges: Edges) -> dict[str, float]:
    """What a metric gives for a probe with each weight."""
    heed_calling_off()
    found, matches = matched_probes()[probe]
    return averages(metric, matches if edges == STANDARD else prepare(found.case, edges), found.k, edges)


def expected(variant: Variant, probe: str, edges: Edges = STANDARD) -> float:
    """What a variant gives for a probe."""
    return variant.round(_averages(variant.metric, probe, edges)[variant.weight])


@cache
def places() -> dict[Variant, int]:
    """The place of each variant in the whole space."""
    return {variant: at for at, variant in enumerate(whole_space())}


@cache
def whole_space() -> tuple[Variant, ...]:
    """Every variant of the metrics that probes identify."""
    return tuple(variant for name in RANKING for variant in space(name))


@cache
def predictions(probe: str) -> np.ndarray:
    """float64, shape (variants,): what every variant of the whole space gives for a probe."""
    return kept(f"space {probe}", lambda: np.array([expected(variant, probe) for variant in whole_space()]))


def curve(name: str, metrics: Iterable[Metric], weight: str, probe: str) -> np.ndarray:
    """float64, shape (metrics,): what metrics give for a probe with one weight; ``name`` stands for both."""
    return kept(
        f"{name} {probe}",
        lambda: np.array([_averages(metric, probe, STANDARD)[weight] for metric in metrics], dtype=np.float64),
    )

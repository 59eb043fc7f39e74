"""What every variant gives for the probes, each computed once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np

from metric_harness.identification.known_values import kept
from metric_harness.identification.probes import Probe, every_probe
from metric_harness.system.side_by_side import heed_calling_off
from metric_reference.averaging import averages
from metric_reference.edges import STANDARD, Edges
from metric_reference.matching import Matches, match
from metric_reference.metric import Metric
from metric_reference.ties import has_ties
from metric_reference.variant import RANKING, Variant, matching_rules, prepare, space

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
    found, _ = matched_probes()[probe]
    return averages(metric, _matched(probe, *matching_rules(found.case, edges)), found.k, edges)


@cache
def _matched(probe: str, ties: str, duplicates: str) -> Matches:
    found, matches = matched_probes()[probe]
    rules = replace(STANDARD, ties=ties, duplicates=duplicates)
    return matches if rules == STANDARD else prepare(found.case, rules)


@cache
def _bearing(probe: str, edges: Edges) -> Edges:
    """The edge behaviours without those that cannot bear on a probe: tied scores alone tell tie rules apart."""
    found, _ = matched_probes()[probe]
    without = {} if has_ties(found.case) else {"ties": STANDARD.ties}
    return replace(edges, short_list=STANDARD.short_list, k_beyond_items=STANDARD.k_beyond_items, **without)


def expected(variant: Variant, probe: str, edges: Edges = STANDARD) -> float:
    """What a variant gives for a probe."""
    bearing = _bearing(probe, edges)
    if bearing == STANDARD and variant in places() and matched_probes()[probe][0].edge is None:
        return float(predictions(probe)[places()[variant]])
    return _computed(variant, probe, bearing)


def _computed(variant: Variant, probe: str, edges: Edges) -> float:
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
    return kept(f"space {probe}", lambda: np.array([_computed(variant, probe, STANDARD) for variant in whole_space()]))


def curve(name: str, metrics: Iterable[Metric], weight: str, probe: str) -> np.ndarray:
    """float64, shape (metrics,): what metrics give for a probe with one weight; ``name`` stands for both."""
    return kept(
        f"{name} {probe}",
        lambda: np.array([_averages(metric, probe, STANDARD)[weight] for metric in metrics], dtype=np.float64),
    )

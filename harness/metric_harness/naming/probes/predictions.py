"""The values of all variants for the probes, each computed once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np

from metric_harness.naming.probes.known_values import kept
from metric_harness.naming.probes.probe import Probe, core_probes, probe_named
from metric_harness.system.side_by_side import heed_calling_off
from metric_reference.averaging import averages
from metric_reference.edges import STANDARD, Edges
from metric_reference.matching import Matches, match
from metric_reference.metric import Metric
from metric_reference.narrowed import EVERYTHING, narrowed, nobody_has_a_hit
from metric_reference.ties import has_ties
from metric_reference.variant import RANKING, Variant, matching_rules, prepare, space


@cache
def matched(name: str) -> tuple[Probe, Matches]:
    """A probe and the matches of its case."""
    probe = probe_named(name)
    assert probe is not None, name
    return probe, match(probe.case)


@cache
def _averages(metric: Metric, probe: str, edges: Edges) -> dict[str, float]:
    """The value of a metric for a probe, by weight."""
    heed_calling_off()
    asked, _ = matched(probe)
    return averages(metric, _matched(probe, *matching_rules(asked.case, edges)), asked.k, edges)


@cache
def _matched(probe: str, ties: str, duplicates: str) -> Matches:
    asked, matches = matched(probe)
    rules = replace(STANDARD, ties=ties, duplicates=duplicates)
    return matches if rules == STANDARD else prepare(asked.case, rules)


@cache
def _relevant_edges(probe: str, edges: Edges) -> Edges:
    """The edge behaviours, with those that cannot change the value for a probe replaced by the standard ones."""
    asked, _ = matched(probe)
    ties = edges.ties if has_ties(asked.case) else STANDARD.ties
    return replace(edges, short_list=STANDARD.short_list, k_beyond_items=STANDARD.k_beyond_items, ties=ties)


def expected(variant: Variant, probe: str, edges: Edges = STANDARD) -> float:
    """The value of a variant for a probe."""
    edges = _relevant_edges(probe, edges)
    if edges == STANDARD and variant in positions() and matched(probe)[0].edge is None:
        return float(predictions(probe)[positions()[variant]])
    return _computed(variant, probe, edges)


@cache
def expected_of_users(variant: Variant, probe: str, edges: Edges) -> tuple[np.ndarray, np.ndarray]:
    """The values of users for a probe, and which users count: float64 and bool, shape (users,)."""
    asked, _ = matched(probe)
    return variant.of_users(_matched(probe, *matching_rules(asked.case, edges)), edges, asked.k)


def _computed(variant: Variant, probe: str, edges: Edges) -> float:
    if variant.rounds == "users" or variant.only != EVERYTHING:
        asked, _ = matched(probe)
        return variant.of_matches(_matched(probe, *matching_rules(asked.case, edges)), edges, asked.k)
    return variant.round(_averages(variant.metric, probe, edges)[variant.weight])


@cache
def positions() -> dict[Variant, int]:
    """The position of each variant in the whole space."""
    return {variant: i for i, variant in enumerate(whole_space())}


@cache
def whole_space() -> tuple[Variant, ...]:
    """Every variant of the metrics that probes identify."""
    return tuple(variant for name in RANKING for variant in space(name))


@cache
def predictions(probe: str) -> np.ndarray:
    """float64, shape (variants,): the values of the whole space for a probe."""
    return kept(f"space {probe}", lambda: np.array([_computed(variant, probe, STANDARD) for variant in whole_space()]))


def ready() -> None:
    """Read or compute what the first questions of an audit are compared with."""
    for probe in core_probes():
        predictions(probe.name)
    positions()


@cache
def of_lists() -> tuple[Variant, ...]:
    """Those of the whole space that can read a part of lists or relevant items alone."""
    return tuple(v for v in whole_space() if v.metric.lists and not (v.metric.of_whole_case() or v.metric.needs))


@cache
def predictions_of_part(probe: str, only: str, edges: Edges = STANDARD) -> np.ndarray:
    """float64, shape (variants,): the values of :func:`of_lists` for a part of a probe."""
    asked, matches = matched(probe)

    def values() -> np.ndarray:
        part = narrowed(matches, only, asked.k)
        if nobody_has_a_hit(matches, part, only):
            return np.zeros(len(of_lists()))
        by_metric = {v.metric: averages(v.metric, part, asked.k, edges) for v in of_lists()}
        return np.array([by_metric[v.metric][v.weight] for v in of_lists()])

    return kept(f"{only} {'' if edges == STANDARD else edges.no_relevant + ' '}{probe}", values)


def curve(name: str, metrics: Iterable[Metric], weight: str, probe: str) -> np.ndarray:
    """float64, shape (metrics,): the values of metrics for a probe; ``name`` identifies the metrics and the weight."""
    return kept(
        f"{name} {probe}",
        lambda: np.array([_averages(metric, probe, STANDARD)[weight] for metric in metrics], dtype=np.float64),
    )

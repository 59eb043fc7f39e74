"""From answers to a name: which variant a subject computes, and how it behaves at the edges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from metric_harness.identification.agreement import SAME, SAME_IN_FLOAT32, agree, agreement, agrees
from metric_harness.identification.changed_numbers import changes
from metric_harness.identification.parameters import with_parameter
from metric_harness.identification.predictions import expected, matched_probes, places, predictions, whole_space
from metric_harness.identification.probes import one_relevant_names
from metric_reference.edges import STANDARD, Edges
from metric_reference.ties import DETERMINISTIC
from metric_reference.variant import BEYOND, RANKING, UNINTENDED, Variant, plainest, space

LIST_DIVISORS = ("list", "min_list_relevant")
ONE_RELEVANT_FIRST = ("hit_rate", "reciprocal_rank", "ndcg")
"""With one relevant item for each user, many metrics are equal; these are their usual names."""
MOST_NEAR = 60
"""Variants that are compared with the answers one by one to find the nearest."""
EDGE_OPTIONS: dict[str, tuple[str, ...]] = {
    "no_relevant": ("skipped", "zero", "one", "poisons_mean"),
    "no_list": ("skipped", "zero", "one", "poisons_mean"),
    "duplicates": ("counted", "once"),
    "ties": ("input_order", "id_ascending", "id_descending", "optimistic", "pessimistic", "expected"),
    "k_beyond_items": ("ok",),
}
"""What is tried for each edge, in this order; an answer that fits none is ``unclear``, for ties ``unspecified``."""


@dataclass(frozen=True)
class ProbeAnswer:
    """What a subject returned for a probe: a value (NaN is one), or an error.

    users, values : the users it gave values for, and these; None where it gave none.
    """

    value: float | None
    error: str | None = None
    users: np.ndarray | None = None
    values: np.ndarray | None = None


@dataclass(frozen=True)
class Identification:
    """What a subject computes.

    variant : the plainest variant that fits every core probe that was answered; None if none does.
    alternatives : the other variants that fit just as well, because the probes between them were refused.
    nearest : without a variant, the nearest ones, each with the probes on which it fails.
    expected : what the variant, with the edge behaviour found, gives for each probe.
    """

    variant: Variant | None
    alternatives: list[Variant]
    edges: Edges
    nearest: list[tuple[Variant, list[str]]]
    expected: dict[str, float] = field(default_factory=dict)


def identify(claimed: str | None, answers: Mapping[str, ProbeAnswer]) -> Identification:
    """Name the variant behind the answers to the probes.

    The metric that the subject claims is searched first, then all others: a function may be misnamed. Then come the
    definitions with a number to be found (``parameters``). What nobody means to compute comes last.

    claimed : metric name, or None where nothing is claimed; answers : by probe name.
    """
    asked = [(p.name, answers.get(p.name)) for p, _ in matched_probes().values() if p.edge is None]
    core = {name: answer.value for name, answer in asked if answer is not None and answer.value is not None}
    fitting: list[Variant] = []
    telling = any(map(math.isfinite, core.values()))  # NaN everywhere is no definition
    usual = ONE_RELEVANT_FIRST if core and set(core) <= one_relevant_names() else ()
    searched = BEYOND if claimed in BEYOND else (*usual, *RANKING)
    names = list(dict.fromkeys([claimed, *searched] if claimed else searched))
    near = perhaps_changed(whole_space(), core, 1, None)
    for name in names:
        if telling and not fitting:
            possible = [v for v in near if v.metric.name == name] if name in RANKING else space(name)
            fitting = plainest([v for v in possible if not failures(v, core)])
    if telling and not fitting:
        fitting = changed_fits(names, core, answers)
    if telling and not fitting:
        fitting = with_parameter(names, core, lambda v: not failures(v, core))
    for name in UNINTENDED:
        if telling and not fitting:
            fitting = plainest([v for v in space(name) if not failures(v, core)])
    if not fitting:
        return Identification(None, [], Edges(*["unclear"] * len(STANDARD.made())), nearest(claimed, core))
    variant = fitting[0]
    edges = edge_behaviour(variant, answers)
    usable = edges_for(edges)
    known = {name: expected(variant, name, usable) for name in answers if name in matched_probes()}
    return Identification(variant, fitting[1:], edges, [], known)


def exact(variant: Variant) -> Variant:
    """The variant without rounding."""
    return variant if variant.rounded is None else replace(variant, rounded=None)


def close(variant: Variant, value: float, unrounded: float) -> str:
    """:func:`agreement`; for a rounded variant, whether a value, or a mean of values, can be the rounded number.

    unrounded : what the variant gives before it is rounded.
    """
    if variant.rounded is None:
        return agreement(value, unrounded)
    most = 0.5000001 * 10.0**-variant.rounded + SAME
    return "same" if abs(value - unrounded) <= most or agrees(value, unrounded) else "different"


def changed_fits(names: Iterable[str], core: Mapping[str, float], answers: Mapping[str, ProbeAnswer]) -> list[Variant]:
    """The variants that give every answer once they are rounded, or in per cent; none where no answer looks so."""
    numbers = list(core.values())
    for probe in core:
        values = answers[probe].values
        if values is not None:
            numbers = [number for number in numbers if number != core[probe]] + values.tolist()
    possible = changes(numbers)
    for name in names if possible else ():
        tried = (replace(one, times=by, rounded=to) for one in space(name) for by, to in possible)
        found = [variant for variant in tried if not failures(variant, core)]
        if found:
            return plainest(found)
    return []


def failures(variant: Variant, answered: Mapping[str, float], at_most: int | None = 1) -> list[str]:
    """The probes on which a variant differs from the answers; stops after ``at_most`` of them."""
    failed: list[str] = []
    for probe, value in answered.items():
        if not any(close(variant, value, one) != "different" for one in core_values(exact(variant), probe)):
            failed.append(probe)
            if at_most is not None and len(failed) >= at_most:
                break
    return failed


def still_fitting(variants: Sequence[Variant], probe: str, value: float) -> list[Variant]:
    """Those of the variants, all of the whole space, that give an answer to a core probe."""
    if probe.startswith("tied_scores"):
        return [variant for variant in variants if not failures(variant, {probe: value})]
    given = predictions(probe)[[places()[variant] for variant in variants]]
    return [variants[int(at)] for at in np.flatnonzero(agree(value, given))]


def perhaps_changed(
    variants: Sequence[Variant], answered: Mapping[str, float], times: int, rounded: int | None
) -> list[Variant]:
    """Those of the variants, all of the whole space, that may give the answers once multiplied and rounded."""
    slack = 0.0 if rounded is None else 0.51 * 10.0**-rounded
    whole = variants is whole_space()
    left = np.arange(len(variants)) if whole else np.array([places()[one] for one in variants], dtype=np.int64)
    for probe, value in answered.items():
        if not probe.startswith("tied_scores"):
            given = times * predictions(probe)[left]
            near = np.abs(value - given) <= slack + SAME_IN_FLOAT32 * np.maximum(1.0, np.abs(given))
            left = left[near | (np.isnan(given) & math.isnan(value))]
    return [whole_space()[int(at)] for at in left]


def core_values(variant: Variant, probe: str) -> Iterator[float]:
    """What a variant may give for a core probe.

    ``tied_scores`` asks what a pair of equal scores is worth. A variant that reads ranks alone has no such pairs; it
    has the order in which a subject ranks equal scores, an edge behaviour, or the mean over all orders.
    """
    if not probe.startswith("tied_scores") or "candidate_scores" in variant.metric.needs:
        yield expected(variant, probe)
        return
    for ties in (*DETERMINISTIC, "expected"):
        with suppress(ValueError):  # no closed form of the mean over all orders
            yield expected(variant, probe, replace(STANDARD, ties=ties))


def nearest(claimed: str | None, answered: Mapping[str, float], count: int = 3) -> list[tuple[Variant, list[str]]]:
    """The variants of the claimed metric (of all, if none) that fail on the fewest probes, then by distance."""
    rows = []
    for variant in _near(claimed, answered):
        failed = failures(variant, answered, at_most=None)
        gaps = [abs(answered[p] - expected(variant, p)) for p in failed]
        rows.append((len(failed), sum(g for g in gaps if not math.isnan(g)), variant, failed))
    return [(variant, failed) for _, _, variant, failed in sorted(rows, key=lambda row: row[:2])[:count]]


def _near(claimed: str | None, answered: Mapping[str, float]) -> list[Variant]:
    """Some variants among which the nearest ones are, in the order of the space."""
    if claimed in BEYOND:
        return list(space(claimed))
    variants = whole_space()
    failed, gap = np.zeros(len(variants)), np.zeros(len(variants))
    for probe, value in answered.items():
        given = predictions(probe)
        off = ~agree(value, given)
        failed += off
        gap += np.where(off, np.nan_to_num(np.abs(value - given)), 0.0)
    of_metric = [at for at, one in enumerate(variants) if claimed is None or one.metric.name == claimed]
    ranked = sorted(of_metric, key=lambda at: (failed[at], gap[at]))
    return [variants[at] for at in sorted(ranked[:MOST_NEAR])]


def applies(variant: Variant, edge: str) -> bool:
    """Whether an edge can bear on a variant: AUC over the candidates looks at no list, a stacked one at no user."""
    if edge == "no_relevant":
        return not variant.metric.whole()
    return variant.metric.lists or edge == "k_beyond_items"


def edge_behaviour(variant: Variant, answers: Mapping[str, ProbeAnswer]) -> Edges:
    """Each edge behaviour of a subject whose variant is known, from its answers to the edge probes."""
    found: dict[str, str] = {"short_list": short_list(variant, answers.get("short_list"))}
    for edge, options in EDGE_OPTIONS.items():
        names = [p.name for p, _ in matched_probes().values() if p.edge == edge and p.name in answers]
        found[edge] = one_edge(variant, edge, options, {name: answers[name] for name in names})
    return Edges(**found)


def one_edge(variant: Variant, edge: str, options: Iterable[str], answers: Mapping[str, ProbeAnswer]) -> str:
    """The first behaviour that gives every answer to the probes of one edge."""
    if not answers or not applies(variant, edge):
        return "unclear"
    if any(answer.value is None for answer in answers.values()):
        return "error" if edge != "ties" else "unspecified"
    fitting = [option for option in options if fits(variant, replace(STANDARD, **{edge: option}), answers)]
    if not fitting:
        return "unspecified" if edge == "ties" else "unclear"
    if len(fitting) > 1 and len(fitting) == len(tuple(options)):
        return "unclear"  # whatever it does there, this variant cannot show it
    return "nan" if fitting[0] == "skipped" and any(map(gives_nan, answers.values())) else fitting[0]


def odd_edges(variant: Variant, answers: Mapping[str, ProbeAnswer]) -> dict[str, str]:
    """The edges at which a subject answers what no known behaviour gives, each with the first probe that shows it.

    Ties are left out: an order that follows no rule is ``unspecified``.
    """
    odd = {}
    for edge, options in EDGE_OPTIONS.items():
        given = {p.name: answers[p.name] for p, _ in matched_probes().values() if p.edge == edge and p.name in answers}
        if edge == "ties" or not given or not applies(variant, edge) or any(a.value is None for a in given.values()):
            continue
        if not any(fits(variant, replace(STANDARD, **{edge: option}), given) for option in options):
            odd[edge] = next(iter(given))
    return odd


def fits(variant: Variant, edges: Edges, answers: Mapping[str, ProbeAnswer]) -> bool:
    """Whether a variant with these edge behaviours gives every answer; not if it has no value under them."""
    try:
        pairs = [(answer.value, expected(exact(variant), name, edges)) for name, answer in answers.items()]
    except ValueError:
        return False
    return all(value is not None and close(variant, value, other) != "different" for value, other in pairs)


def gives_nan(answer: ProbeAnswer) -> bool:
    """Whether some user's value is NaN while the mean is not."""
    return answer.values is not None and bool(np.isnan(answer.values).any()) and not math.isnan(answer.value or 0.0)


def short_list(variant: Variant, answer: ProbeAnswer | None) -> str:
    """By k or by the list, as the variant divides; the probe only tells whether a short list is refused."""
    if answer is None or answer.value is None or not variant.metric.lists:
        return "error" if answer is not None and variant.metric.lists else "unclear"
    return "by_list" if getattr(variant.metric, "divide_by", None) in LIST_DIVISORS else "by_k"


def edges_for(edges: Edges) -> Edges:
    """The behaviour to predict with: what is unclear or an error falls back to the reference's own."""
    unusable = ("unclear", "error", "unspecified")
    return replace(STANDARD, **{name: value for name, value in edges.made().items() if value not in unusable})

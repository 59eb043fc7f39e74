"""From the answers of a subject to the variant that it computes and its behaviour at the edges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from metric_harness.naming.agreement import agree, agreement, agrees, half_digit
from metric_harness.naming.probes.parameters import with_parameter
from metric_harness.naming.probes.predictions import (
    expected,
    expected_of_users,
    matched,
    of_lists,
    positions,
    predictions,
    predictions_of_part,
    whole_space,
)
from metric_harness.naming.probes.probe import core_of, has_one_relevant, probe_named
from metric_harness.naming.rounding import FEWEST_DIGITS, changes, digits_of
from metric_reference.edges import STANDARD, Edges
from metric_reference.metrics.areas.auc import Auc
from metric_reference.ties import DETERMINISTIC
from metric_reference.variant import BEYOND, RANKING, UNINTENDED, Variant, plainest, space, unusual
from metric_reports.tolerances import FLOAT32

DIVISORS_BY_LIST = ("list", "min_list_relevant")
ONE_RELEVANT_FIRST = ("hit_rate", "reciprocal_rank", "ndcg")
"""With one relevant item for each user, many metrics are equal; these names are tried before the others."""
NEAREST_CANDIDATES = 60
"""This many variants are compared with the answers one by one to find the nearest."""
EDGE_OPTIONS: dict[str, tuple[str, ...]] = {
    "no_relevant": ("skipped", "zero", "one", "half", "poisons_mean"),
    "no_list": ("skipped", "zero", "one", "poisons_mean"),
    "duplicates": ("counted", "once"),
    "ties": ("input_order", "id_ascending", "id_descending", "optimistic", "pessimistic", "expected"),
    "k_beyond_items": ("ok",),
}
"""The behaviours tried for each edge, in order; an answer that fits none is ``unclear``, for ties ``unspecified``."""
TIED = "tied_scores"
"""The core probe of equal scores; in other forms its name begins so."""
SHORT_LISTS = ("short_list", "short_beside_long")
"""The probes of a list shorter than k."""
PARTS: tuple[tuple[str, Edges], ...] = (
    *((only, STANDARD) for only in ("judged", "first_k_relevant", "listed", "with_hit", "with_hit_or_nan")),
    *(("listed", replace(STANDARD, no_relevant=value)) for value in ("zero", "one", "poisons_mean")),
)
"""The parts of lists or of relevant items that are tried. Where only the listed relevant items are read, a list without
a hit is an edge, which many probes have."""
OF_USERS = ("duplicates", "ties")
"""Edges at which every user has a value: two rules may have the same mean and different values."""


@dataclass(frozen=True)
class ProbeAnswer:
    """What a subject returned for a probe: a value (NaN is one), or an error; both where ties are broken at random.

    users, values : the users for whom it returned values, and these values; None where it returned no such values.
    shown : False where the input that it takes cannot hold the probe. unsettled : the number depends on what was in
    memory before, so it is none.
    """

    value: float | None
    error: str | None = None
    users: np.ndarray | None = None
    values: np.ndarray | None = None
    shown: bool = True
    unsettled: bool = False

    @property
    def settled(self) -> bool:
        """Whether it tells what the function does: a number of its own, or the function's own error."""
        return self.shown and not self.unsettled


@dataclass(frozen=True)
class Identification:
    """What a subject computes.

    variant : the plainest variant that fits every core probe that was answered; None if no variant does.
    alternatives : the other variants that fit them, because the probes that would separate them were refused.
    nearest : where no variant fits, the nearest ones, each with the probes on which it fails.
    expected : the value of the variant, with these edge behaviours, for each probe. odd : the edges at which no known
    behaviour gives its answers. short_lists : whether it was shown lists shorter than k and took them.
    """

    variant: Variant | None
    alternatives: list[Variant]
    edges: Edges
    nearest: list[tuple[Variant, list[str]]]
    expected: dict[str, float] = field(default_factory=dict)
    odd: tuple[str, ...] = ()
    short_lists: bool = True

    def undecided(self, *, one_relevant: bool, binary: bool, as_many: bool = False) -> list[Variant]:
        """The alternatives that differ from the variant on inputs that the function takes.

        Many are equal where each user has one relevant item, or no list is shorter than k; those with other gains are,
        where labels are 0 or 1 (``binary``); users weigh the same, where each has as many candidates (``as_many``).
        """
        if self.variant is None or one_relevant or not self.short_lists:
            return []

        def shown(variant: Variant) -> Variant:
            variant = on_binary_labels(variant) if binary else variant
            return of_as_many_candidates(variant) if as_many else variant

        return [other for other in self.alternatives if shown(other) != shown(self.variant)]


def identify(claimed: str | None, answers: Mapping[str, ProbeAnswer]) -> Identification:
    """Name the variant behind the answers to the probes.

    The metric that the subject claims is searched first, then all others: a function may be misnamed. Then come rounded
    and per cent values, the definitions with a free parameter (``parameters``), the unintended metrics, and last those
    of a part of the lists.

    claimed : metric name, or None where nothing is claimed; answers : by probe name.
    """
    settled = {name: answer for name, answer in answers.items() if not answer.unsettled}
    core = {name: value for name in core_of(settled) if (value := settled[name].value) is not None}
    any_finite = any(map(math.isfinite, core.values()))  # NaN everywhere identifies nothing
    usual = ONE_RELEVANT_FIRST if core and all(map(has_one_relevant, core)) else ()
    searched = BEYOND if claimed in BEYOND else (*usual, *RANKING)
    names = list(dict.fromkeys([claimed, *searched] if claimed else searched))
    candidates = perhaps_changed(whole_space(), core, 1, None)

    def of_metric(name: str, of_few: bool) -> list[Variant]:
        possible = [v for v in candidates if v.metric.name == name] if name in RANKING else space(name)
        told = not usual and (of_few or name == claimed)
        possible = [v for v in possible if told or not cut_at_relevant(v)]
        possible = [v for v in possible if not (usual and at_rank_one(v) and name != claimed)]
        return plainest([v for v in possible if not failures(v, core)])

    found = (of_metric(name, of_few) for name, of_few in (*((name, False) for name in names), ("ndcg", True)))
    groups = filter(None, found if any_finite else ())
    fitting = next(groups, [])
    if usual and fitting and (fitting[0].metric.name != claimed or unusual(fitting[0])):  # the plainest of equal ones
        fitting = min((fitting, *groups), key=lambda group: unusual(group[0]))
    if any_finite and not fitting:
        fitting = _changed_fits(names, core, settled, few=bool(usual), claimed=claimed)
    if any_finite and not fitting:
        fitting = with_parameter(names, core, lambda v: not (usual and at_rank_one(v)) and not failures(v, core))
    for name in UNINTENDED:
        if any_finite and not fitting:
            fitting = plainest([v for v in space(name) if not failures(v, core)])
    if any_finite and not fitting:
        fitting = _changed_fits(UNINTENDED, core, settled, few=bool(usual), claimed=claimed)
    if any_finite and not fitting:
        fitting = [v for v in _part_fits(names, core) if not (usual and at_rank_one(v))]
    if not fitting and (untied := _without_ties(claimed, answers)) is not None:
        return untied
    if not fitting:
        return Identification(None, [], Edges(*["unclear"] * len(STANDARD.made())), nearest(claimed, core))
    fitting = _everybody(_fitting_at_edges(_with_order_of_ties(fitting, answers), core, answers))
    variant = fitting[0]
    edges = _edge_behaviour(variant, answers)
    usable = edges_for(edges)
    values = {name: expected(variant, name, usable) for name in answers if probe_named(name)}
    short = _to_a_short_list(answers)
    short_lists = short is None or (short.shown and short.value is not None) or not variant.metric.lists
    odd = tuple(odd_edges(variant, answers))
    return Identification(variant, fitting[1:], edges, [], values, odd, short_lists)


def _without_ties(claimed: str | None, answers: Mapping[str, ProbeAnswer]) -> Identification | None:
    """The identification from all probes but those of tied scores, where only these contradict it; else None.

    So for a metric of scores that has no choice of what a tie counts, and for an AUC whose answers lie between those of
    a tie lost and a tie won, and not in the middle: its order of ties is then unspecified.
    """
    rest = {name: answer for name, answer in answers.items() if not name.startswith(TIED)}
    found = identify(claimed, rest) if len(rest) < len(answers) else None
    if found is None or found.variant is None:
        return None
    variant, others = found.variant, found.alternatives
    if isinstance(variant.metric, Auc):
        if not all(_in_some_order(variant, name, answers[name].value) for name in answers if name.startswith(TIED)):
            return None
        variant, *others = dict.fromkeys(tied_as(each, "half") for each in (variant, *others))
    elif "ties" in variant.choices() or "candidate_scores" not in variant.metric.needs:
        return None
    return replace(found, variant=variant, alternatives=others, edges=replace(found.edges, ties="unspecified"))


def _in_some_order(variant: Variant, probe: str, value: float | None) -> bool:
    """Whether an AUC has this value for some order of the ties of a probe, and not for each tie as a half."""
    if "candidate_scores" in variant.metric.needs:
        possible = list(lost_and_won(variant, lambda each: expected(each, probe)))
    else:
        possible = _core_values(variant, probe, STANDARD)
    low, high = min(possible), max(possible)
    return value is not None and low <= value <= high and close(variant, value, (low + high) / 2) == "different"


def lost_and_won(auc: Variant, value_of: Callable[[Variant], float]) -> tuple[float, float]:
    """The values of an AUC with all ties lost and with all won; every order of equal scores lies between them."""
    return value_of(tied_as(auc, "lose")), value_of(tied_as(auc, "win"))


def tied_as(variant: Variant, ties: str) -> Variant:
    """An AUC with another rule of ties; any other metric as it is."""
    return replace(variant, metric=replace(variant.metric, ties=ties)) if isinstance(variant.metric, Auc) else variant


def orders_ties(variant: Variant) -> bool:
    """Whether it is an AUC whose ties are won or lost: by the order of the candidates, or all of them."""
    return isinstance(variant.metric, Auc) and variant.metric.ties != "half"


def _with_order_of_ties(fitting: list[Variant], answers: Mapping[str, ProbeAnswer]) -> list[Variant]:
    """Without those that the probes of ties contradict, where an order of tied candidates fits the core probes."""
    if not any(map(orders_ties, fitting)):
        return fitting
    shown = {name: answer.value for name, answer in _answers_at("ties", answers).items() if answer.value is not None}
    return [variant for variant in fitting if not failures(variant, shown)] or fitting


def _everybody(fitting: list[Variant]) -> list[Variant]:
    """Without those over users with a hit alone where the same one over all users fits: nobody was left out."""
    return [v for v in fitting if getattr(v.metric, "who", "all") == "all" or _over_all(v) not in fitting]


def _over_all(variant: Variant) -> Variant:
    return replace(variant, metric=replace(variant.metric, who="all"))  # type: ignore[call-arg]


def has_user_values(variant: Variant) -> bool:
    """Whether a variant has values of users that can be compared."""
    return variant.weight != "micro" and not variant.metric.of_whole_case()


def exact(variant: Variant) -> Variant:
    """The variant without rounding."""
    return variant if variant.rounded is None else replace(variant, rounded=None, rounds="mean")


def close(variant: Variant, value: float, unrounded: float) -> str:
    """:func:`agreement`; for a rounded variant, whether a value, or a mean of values, can come from its rounding.

    unrounded : the variant's value before rounding.
    """
    if variant.rounded is None:
        return agreement(value, unrounded)
    in_float32 = FLOAT32 / 4 * max(1.0, abs(unrounded))  # it may be computed and kept in float32
    rounds_to = abs(value - unrounded) <= half_digit(variant.rounded) + in_float32
    return "same" if rounds_to or agrees(value, unrounded) else "different"


def cut_at_relevant(variant: Variant) -> bool:
    """Whether its list ends at the number of relevant items, beside k: with one each, it is any metric at rank 1."""
    return variant.metric.ends_at_relevant()


def at_rank_one(variant: Variant) -> bool:
    """Whether it ends at the number of relevant items: with one each, it is any metric at rank 1."""
    return cut_at_relevant(variant) or variant.metric.name == "r_precision"


def _fitting_at_edges(
    fitting: list[Variant], core: Mapping[str, float], answers: Mapping[str, ProbeAnswer]
) -> list[Variant]:
    """The variants that fit the core probes, that one first which explains the most edges: as it is, or rounded.

    Small cases need not show that a function rounds: the mean of two hits and one miss does, that of one and one not.
    """
    edges = [edge for edge in EDGE_OPTIONS if applies(fitting[0], edge)]
    if not _unexplained(fitting[0], answers, edges):
        return fitting
    candidates = [variant for variant in fitting if variant.weight == fitting[0].weight]
    digits = digits_of(_numbers(answers))
    if fitting[0].rounded is None and digits is not None and digits >= FEWEST_DIGITS:
        rounded = (replace(variant, rounded=digits) for variant in fitting)
        candidates += [variant for variant in rounded if not failures(variant, core)]
    best = min(candidates, key=lambda variant: _unexplained(variant, answers, edges))  # the first of several
    same = [variant for variant in [*fitting, *candidates] if variant.rounded == best.rounded and variant != best]
    return [best, *dict.fromkeys(same)]


def _unexplained(variant: Variant, answers: Mapping[str, ProbeAnswer], edges: Iterable[str]) -> int:
    """At how many of some edges no known behaviour of a variant gives the answers; it may have no such edge."""
    return sum(
        not (applies(variant, edge) and _fitting_behaviours(variant, edge, at_edge))
        for edge in edges
        if (at_edge := _answers_at(edge, answers)) and all(answer.value is not None for answer in at_edge.values())
    )


def _numbers(answers: Mapping[str, ProbeAnswer]) -> list[float]:
    """All numbers of the answers: the values of users where it returns them, else the means."""
    numbers: list[float] = []
    for answer in answers.values():
        if answer.settled and answer.value is not None:
            numbers += [answer.value] if answer.values is None else answer.values.tolist()
    return [number for number in numbers if not math.isnan(number)]


def _changed_fits(
    names: Iterable[str], core: Mapping[str, float], answers: Mapping[str, ProbeAnswer], few: bool, claimed: str | None
) -> list[Variant]:
    """The variants that give every answer once they are rounded or turned into per cent.

    few : each user has one relevant item. claimed : as in :func:`identify`.
    """
    own = [core[probe] for probe in core if matched(probe)[0].case.users == 1]
    own += [value for probe in core for value in _of_users(answers[probe])]
    possible = changes(list(core.values()), own)
    for name in names if possible else ():
        plain = [v for v in space(name) if not (few and (cut_at_relevant(v) or (at_rank_one(v) and name != claimed)))]
        changed = (variant for v in plain for change in possible if (variant := change.of(v)) is not None)
        fitting = [variant for variant in changed if not failures(variant, core)]
        if fitting:
            return plainest(fitting)
    return []


def _part_fits(names: Iterable[str], core: Mapping[str, float]) -> list[Variant]:
    """The variants that give every answer if they read a part of the lists or of the relevant items alone.

    Not those of some relevant items among lists that are not cut: there, list and relevant items are swapped, or every
    list with a hit has the same value.
    """
    for only, edges in PARTS:
        fits = np.ones(len(of_lists()), dtype=bool)
        for probe, value in core.items():
            if not probe.startswith(TIED):  # answered in one of several orders
                fits &= agree(value, predictions_of_part(probe, only, edges))
        parts = (replace(of_lists()[int(i)], only=only).canonical() for i in np.flatnonzero(fits))
        possible = [v for v in dict.fromkeys(parts) if only == "judged" or v.choices().get("cut") != "none"]
        for name in names:
            fitting = [v for v in possible if v.metric.name == name and not failures(v, core, edges=edges)]
            if fitting:
                return plainest(fitting)
    return []


def _of_users(answer: ProbeAnswer) -> list[float]:
    """The values of users that an answer holds, without NaN."""
    return [] if answer.values is None else answer.values[~np.isnan(answer.values)].tolist()


def failures(
    variant: Variant, answered: Mapping[str, float], at_most: int | None = 1, edges: Edges = STANDARD
) -> list[str]:
    """The probes on which a variant differs from the answers; stops after ``at_most`` of them."""
    failed: list[str] = []
    for probe, value in answered.items():
        possible = _core_values(exact(variant), probe, edges)
        ordered = len(possible) > 1 and "ties" not in variant.choices()  # ties come in an order that no rule gives
        if not (ordered and min(possible) < value < max(possible)) and all(
            close(variant, value, each) == "different" for each in possible
        ):
            failed.append(probe)
            if at_most is not None and len(failed) >= at_most:
                break
    return failed


def still_fitting(variants: Sequence[Variant], probe: str, value: float) -> list[Variant]:
    """Those of some variants, all from :func:`whole_space`, that give the answer to a core probe.

    An AUC whose ties follow no rule gives that of some order.
    """
    if probe.startswith(TIED):
        answer = {probe: value}
        return [
            variant
            for variant in variants
            if not failures(variant, answer)
            or (isinstance(variant.metric, Auc) and _in_some_order(variant, probe, value))
        ]
    predicted = predictions(probe)
    if len(variants) < len(predicted):
        predicted = predicted[[positions()[variant] for variant in variants]]
    return [variants[int(i)] for i in np.flatnonzero(agree(value, predicted))]


def perhaps_changed(
    variants: Sequence[Variant], answered: Mapping[str, float], times: int, rounded: int | None
) -> list[Variant]:
    """Those of some variants, all from :func:`whole_space`, that may give the answers once multiplied and rounded."""
    slack = 0.0 if rounded is None else 0.51 * 10.0**-rounded
    left = np.array([positions()[variant] for variant in variants], dtype=np.int64)
    for probe, value in answered.items():
        if not probe.startswith(TIED):
            predicted = times * predictions(probe)[left]
            close_enough = np.abs(value - predicted) <= slack + FLOAT32 * np.maximum(1.0, np.abs(predicted))
            left = left[close_enough | (np.isnan(predicted) & math.isnan(value))]
    return [whole_space()[int(i)] for i in left]


def _core_values(variant: Variant, probe: str, edges: Edges) -> list[float]:
    """The values that a variant may give for a core probe: one, but for ``tied_scores``.

    That probe asks what a pair of equal scores counts. A variant that reads ranks alone does not compare scores; its
    value depends on the order of ties, an edge behaviour, or is the mean over all orders.
    """
    if not probe.startswith(TIED) or "candidate_scores" in variant.metric.needs:
        return [expected(variant, probe, edges)]
    values = []
    for ties in (*DETERMINISTIC, "expected"):
        with suppress(ValueError):  # no closed form of the mean over all orders
            values.append(expected(variant, probe, replace(edges, ties=ties)))
    return values


def nearest(claimed: str | None, answered: Mapping[str, float], count: int = 3) -> list[tuple[Variant, list[str]]]:
    """The variants of the claimed metric (None: of all) that fail on the fewest probes, then by distance."""
    rows = []
    for variant in _candidates(claimed, answered):
        failed = failures(variant, answered, at_most=None)
        gaps = [abs(answered[p] - expected(variant, p)) for p in failed]
        rows.append((len(failed), sum(g for g in gaps if not math.isnan(g)), variant, failed))
    return [(variant, failed) for _, _, variant, failed in sorted(rows, key=lambda row: row[:2])[:count]]


def _candidates(claimed: str | None, answered: Mapping[str, float]) -> list[Variant]:
    """A selection that holds the nearest variants, in the order of the space."""
    if claimed in BEYOND:
        return list(space(claimed))
    variants = whole_space()
    failed, distance = np.zeros(len(variants)), np.zeros(len(variants))
    for probe, value in answered.items():
        predicted = predictions(probe)
        differs = ~agree(value, predicted)
        failed += differs
        with np.errstate(over="ignore"):  # a function may return the largest number there is
            distance += np.where(differs, np.nan_to_num(np.abs(value - predicted)), 0.0)
    of_metric = [i for i, variant in enumerate(variants) if claimed is None or variant.metric.name == claimed]
    ranked = sorted(of_metric, key=lambda i: (failed[i], distance[i]))
    return [variants[i] for i in sorted(ranked[:NEAREST_CANDIDATES])]


def applies(variant: Variant, edge: str) -> bool:
    """Whether an edge can affect a variant: AUC over candidates reads no lists, a stacked one pools all users."""
    if edge == "no_relevant":
        return not variant.metric.of_whole_case()
    return variant.metric.lists or edge == "k_beyond_items"


def _edge_behaviour(variant: Variant, answers: Mapping[str, ProbeAnswer]) -> Edges:
    """Each edge behaviour of a subject whose variant is known, from its answers to the edge probes."""
    behaviours = {edge: _one_edge(variant, edge, _answers_at(edge, answers)) for edge in EDGE_OPTIONS}
    return Edges(short_list=_short_list(variant, _to_a_short_list(answers)), **behaviours)


def _to_a_short_list(answers: Mapping[str, ProbeAnswer]) -> ProbeAnswer | None:
    """The answer to a list shorter than k: alone, or beside a longer one where the function needs one."""
    asked = [answer for name in SHORT_LISTS if (answer := answers.get(name)) is not None]
    return next((answer for answer in asked if answer.settled), asked[0] if asked else None)


def _answers_at(edge: str, answers: Mapping[str, ProbeAnswer]) -> dict[str, ProbeAnswer]:
    """The answers to the probes of one edge that tell what the function does there."""
    probes = {name: probe_named(name) for name, answer in answers.items() if answer.settled}
    return {name: answers[name] for name, probe in probes.items() if probe is not None and probe.edge == edge}


def _one_edge(variant: Variant, edge: str, answers: Mapping[str, ProbeAnswer]) -> str:
    """The first behaviour that gives every answer to the probes of one edge."""
    if not answers or not applies(variant, edge):
        return "unclear"
    if edge == "ties" and any(answer.error is not None for answer in answers.values()):
        return "unspecified"
    if any(answer.value is None for answer in answers.values()):
        return "error"
    fitting = _fitting_behaviours(variant, edge, answers)
    if not fitting:
        return "unspecified" if edge == "ties" else "unclear"
    if 1 < len(fitting) == len(EDGE_OPTIONS[edge]) or {"skipped", "zero"} <= {*fitting}:
        return "unclear"  # this variant has the same value under every behaviour, or 0 for every user
    return "nan" if fitting[0] == "skipped" and any(map(_skips_nan, answers.values())) else fitting[0]


def odd_edges(variant: Variant, answers: Mapping[str, ProbeAnswer]) -> dict[str, str]:
    """The edges at which no known behaviour explains a subject's answers, each with the first probe of that edge.

    Ties are left out: an order that follows no rule is ``unspecified``.
    """
    odd = {}
    for edge in EDGE_OPTIONS:
        at_edge = _answers_at(edge, answers)
        refused = any(answer.value is None for answer in at_edge.values())
        if edge == "ties" or not at_edge or not applies(variant, edge) or refused:
            continue
        if not _fitting_behaviours(variant, edge, at_edge):
            odd[edge] = next(iter(at_edge))
    return odd


def _fitting_behaviours(variant: Variant, edge: str, answers: Mapping[str, ProbeAnswer]) -> list[str]:
    """The behaviours of an edge with which a variant gives every answer."""
    fitting = []
    for option in EDGE_OPTIONS[edge]:
        with suppress(ValueError):  # the variant has no value under this behaviour
            edges = replace(STANDARD, **{edge: option})
            pairs = [(answer.value, expected(exact(variant), name, edges)) for name, answer in answers.items()]
            if edge in OF_USERS:
                pairs += [
                    pair for name, answer in answers.items() for pair in _user_pairs(variant, name, answer, edges)
                ]
            if all(value is not None and close(variant, value, wanted) != "different" for value, wanted in pairs):
                fitting.append(option)
    return fitting


def _user_pairs(variant: Variant, probe: str, answer: ProbeAnswer, edges: Edges) -> Iterator[tuple[float, float]]:
    """The value of each user beside the one that the variant gives; nothing where one of them has none."""
    if answer.users is None or answer.values is None or variant.weight != "user" or variant.metric.of_whole_case():
        return
    predicted, counted = expected_of_users(exact(variant), probe, edges)
    for user, value in zip(answer.users.tolist(), answer.values.tolist(), strict=True):
        if counted[user] and not math.isnan(value):
            yield value, float(predicted[user])


def _skips_nan(answer: ProbeAnswer) -> bool:
    """Whether some user's value is NaN while the mean is not."""
    return answer.values is not None and bool(np.isnan(answer.values).any()) and not math.isnan(answer.value or 0.0)


def _short_list(variant: Variant, answer: ProbeAnswer | None) -> str:
    """Whether the variant divides by k or by the length of the list; the probe only shows whether it is refused.

    A probe that the function's input cannot hold shows nothing: no refusal of ours is the library's.
    """
    if answer is None or not answer.settled or not variant.metric.lists:
        return "unclear"
    if answer.value is None:
        return "error"
    return "by_list" if getattr(variant.metric, "divide_by", None) in DIVISORS_BY_LIST else "by_k"


def on_binary_labels(variant: Variant) -> Variant:
    """The variant that is the same where every label is 0 or 1, with binary gains if it has any."""
    metric = variant.metric
    binary = replace(metric, gain="binary") if "gain" in metric.made() else metric  # type: ignore[call-arg]
    return replace(variant, metric=binary).canonical()


def of_as_many_candidates(variant: Variant) -> Variant:
    """The variant that is the same where each user has as many candidates: an AUC weighed by them is not weighed."""
    if not isinstance(variant.metric, Auc) or variant.metric.scope != "per_row":
        return variant
    return replace(variant, metric=replace(variant.metric, scope="per_user"))


def undecided_between(others: Sequence[Variant]) -> str:
    """That other variants fit as well, in words."""
    more = f" and {len(others) - 1} more" if len(others) > 1 else ""
    return f"{others[0]}{more} fits as well, and nothing shown tells them apart"


def edges_for(edges: Edges) -> Edges:
    """The edge behaviours to predict with: those that predict no number are replaced by the standard ones."""
    unusable = ("unclear", "error", "unspecified")
    return replace(STANDARD, **{name: value for name, value in edges.made().items() if value not in unusable})

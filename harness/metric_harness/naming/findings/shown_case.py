"""The case that an audit shows beside a finding: small, and with nothing in it but what the finding is about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from metric_harness.naming.agreement import agrees
from metric_harness.naming.findings.hand_calculation import arithmetic
from metric_harness.naming.findings.reproduce import candidate_of
from metric_harness.naming.findings.rules import Rule
from metric_harness.naming.identify import Identification, ProbeAnswer, edges_for
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import all_probes, users_of
from metric_harness.naming.question import Difference
from metric_reference.case import Case
from metric_reference.edges import STANDARD
from metric_reference.narrowed import EVERYTHING
from metric_reference.variant import Variant, standard
from metric_reports.record import to_json_number
from metric_reports.types.common import ShownCase, ShownUser

MOST_USERS_SHOWN = 5000
"""A case with more users is in no record: its condition says how many there are."""
CONTRASTS = {"duplicates": "once"}
"""The behaviour that a case contrasts with an edge behaviour which is itself the standard one."""


def plain(variant: Variant) -> Variant:
    """A variant without its cut-off."""
    return variant.plain()


def differing(variant: Variant) -> dict[str, list[str]]:
    """The choices in which a variant differs from its metric's standard one: [own choice, standard choice]."""
    default = {"only": EVERYTHING, **standard(variant.metric.name).choices()}
    return {name: [own, default[name]] for name, own in variant.choices().items() if default.get(name, own) != own}


def case_of(gap: Difference | None, candidates: Sequence[Variant]) -> ShownCase | None:
    """A case with the value returned, the value of each candidate, and the arithmetic of each; None if too large."""
    if gap is None or gap.case.users > MOST_USERS_SHOWN:
        return None
    variants = list(dict.fromkeys(map(plain, candidates)))
    return {
        "k": gap.k,
        "users": users_shown(gap.case, variants),
        "value": to_json_number(gap.value),
        "error": None if gap.value is not None else gap.error or "no number",
        "candidates": [candidate_of(v, gap.case, gap.k) for v in variants],
        "arithmetic": [f"{v.at(gap.k)}: {line}" for v in variants for line in arithmetic(v, gap.case, gap.k)],
    }


def users_shown(case: Case, variants: Sequence[Variant]) -> list[ShownUser]:
    """Each user's list and relevant items, and the score of each item where some variant looks at the scores."""
    users = users_of(case)
    if case.candidate_scores is None or not any("candidate_scores" in v.metric.needs for v in variants):
        return users
    rows = case.candidate_scores.tolist()
    return [
        {**user, "scores": [score if math.isfinite(score) else None for score in row]}
        for user, row in zip(users, rows, strict=True)
    ]


def usual(variant: Variant, finding_rule: Rule) -> Variant | None:
    """A variant with the choices that a rule names set to their defaults; None if they are at them already."""
    allowed = variant.metric.choices()
    metric = variant.metric.name
    names = {name for condition in finding_rule.when if condition.get("metric", metric) == metric for name in condition}
    standardised = Variant(
        replace(variant.metric, **{name: allowed[name][0] for name in names if name in allowed}),
        "user" if "weight" in names else variant.weight,
        only=variant.only,
    )
    return None if standardised.canonical() == plain(variant).canonical() else standardised


def edge_case(identified: Identification, edge: str, answers: Mapping[str, ProbeAnswer]) -> ShownCase | None:
    """The first probe of an edge whose answer differs from that of the same variant with the contrasting behaviour.

    None where the variant is unknown or no answer differs.
    """
    if identified.variant is None:
        return None
    standard_word = getattr(STANDARD, edge)
    contrast = standard_word if getattr(identified.edges, edge) != standard_word else CONTRASTS.get(edge)
    if contrast is None:
        return None
    edges = replace(edges_for(identified.edges), **{edge: contrast})
    for probe in all_probes():
        value = answers[probe.name].value if probe.edge == edge and probe.name in answers else None
        if value is not None and not agrees(value, other := expected(identified.variant, probe.name, edges)):
            formula = identified.variant.metric.formula()
            label = f"{identified.variant}, {edge.replace('_', ' ')}: {contrast.replace('_', ' ')}"
            return {
                "k": probe.k,
                "users": users_shown(probe.case, [identified.variant]),
                "value": to_json_number(value),
                "error": None,
                "candidates": [{"variant": label, "value": to_json_number(other), "formula": formula}],
                "arithmetic": [],
            }
    return None

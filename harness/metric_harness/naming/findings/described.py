"""A variant described: its definition, its users, and the smallest probe that separates it from the standard one."""

from __future__ import annotations

from typing import Any

from metric_harness.naming.agreement import agrees
from metric_harness.naming.findings.finding import as_case
from metric_harness.naming.findings.rules import rules
from metric_harness.naming.identify import ProbeAnswer
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import core_probes
from metric_reference.catalogue import by_variant
from metric_reference.edges import STANDARD
from metric_reference.variant import RANKING, Variant, standard, twins
from metric_reports.record import to_json_number
from metric_reports.types.common import ShownCase


def describe(variant: Variant, k: int = 20) -> dict[str, Any]:
    """Everything known about a variant, as ``variants --json`` prints it."""
    cut = variant.k or k
    entry = by_variant().get(str(variant.plain().canonical()))
    low, high = variant.metric.bounds(cut)
    return {
        "variant": str(variant),
        "metric": variant.metric.name,
        "about": variant.metric.about,
        "choices": variant.choices(),
        "title": entry.title if entry else None,
        "remark": (entry.remark or None) if entry else None,
        "formula": variant.metric.formula(),
        "bounds": [to_json_number(low), to_json_number(high)],
        "bounds_at": cut,
        "same_as": [str(twin) for twin in twins(variant)],
        "needs": list(variant.metric.needs),
        "findings": [rule.code for rule in rules().values() if rule.about_choices and rule.holds(variant, STANDARD)],
        "used_by": [source._asdict() for source in entry.sources] if entry else [],
        "example": example(variant),
    }


def example(variant: Variant) -> ShownCase | None:
    """The smallest probe on which a variant departs from the standard one of its metric, with both values.

    None for a metric that is not in ``RANKING``.
    """
    name = variant.metric.name
    if name not in RANKING:
        return None
    definition = variant.plain()
    probes = [p for p in core_probes() if not p.metrics or name in p.metrics]
    separating = [p for p in probes if not agrees(expected(definition, p.name), expected(standard(name), p.name))]
    probe = min(separating or probes, key=lambda p: (p.case.users, p.k, p.case.width))
    return as_case(probe, standard(name), ProbeAnswer(expected(definition, probe.name)))

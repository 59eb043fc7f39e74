"""The variants as people look them up: listed, filtered, explained, and held against a bundle."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from metric_harness.naming.agreement import agrees
from metric_harness.system.errors import HarnessError
from metric_reference.catalogue import CATALOGUE, Entry, by_variant
from metric_reference.evaluate import evaluate
from metric_reference.registry import METRICS
from metric_reference.variant import Variant, space
from metric_reports.record import to_json_number

if TYPE_CHECKING:
    from metric_harness.bundles.build import Bundle


def chosen(metric: str | None = None, search: str | None = None, everything: bool = False) -> list[Entry]:
    """The selected rows of the catalogue, or of all combinations of choices if ``everything``.

    metric : only this metric. search : only rows whose text (variant, title, who uses it) holds this, in any case.

    HarnessError if the metric does not exist.
    """
    if metric is not None and metric not in METRICS:
        raise HarnessError(f"--metric {metric}: no such metric; one of {', '.join(METRICS)} is")
    known = by_variant()
    rows: Iterable[Entry] = CATALOGUE
    if everything:
        names = METRICS if metric is None else (metric,)
        rows = [known.get(str(variant), Entry(variant, "", ())) for name in names for variant in space(name)]
    text = (search or "").lower()
    return [
        row for row in rows if (metric is None or row.variant.metric.name == metric) and text in haystack(row).lower()
    ]


def haystack(row: Entry) -> str:
    """The text of a row that a search goes through."""
    return " ".join([str(row.variant), row.title, row.remark, *(source.title for source in row.sources), *row.who])


def parse(text: str) -> Variant:
    """A variant from its printed form; HarnessError that says what is wrong with it."""
    try:
        return Variant.parse(text)
    except ValueError as error:
        raise HarnessError(str(error) if repr(text)[1:-1] in str(error) else f"{text!r}: {error}") from None


def spread(bundle: Bundle, ks: Sequence[int], rows: Iterable[Entry]) -> list[dict[str, Any]]:
    """The value of each variant on one bundle, with equal values in one group.

    Returns one dict for each metric and cut-off: metric, k, groups (value and the variants that have it, smallest value
    first), and not_computable (variant and the arrays that it needs, of which the bundle lacks one).
    """
    tables = []
    by_metric: dict[str, list[Variant]] = {}
    for row in rows:
        by_metric.setdefault(row.variant.metric.name, []).append(row.variant)
    for name, variants in by_metric.items():
        computable = [v for v in variants if all(getattr(bundle.case, need) is not None for need in v.metric.needs)]
        for k in ks:
            values = evaluate(bundle.case, computable, [k])
            groups: list[dict[str, Any]] = []
            pairs = zip(computable, values.values(), strict=True)
            for variant, value in sorted(pairs, key=lambda pair: (math.isnan(pair[1]), pair[1])):
                if groups and agrees(value, float(groups[-1]["value"])):
                    groups[-1]["variants"].append(str(variant))
                else:
                    groups.append({"value": to_json_number(value), "variants": [str(variant)]})
            missing = [{"variant": str(v), "needs": list(v.metric.needs)} for v in variants if v not in computable]
            tables.append({"metric": name, "k": k, "groups": groups, "not_computable": missing})
    return tables

"""Pictures of a record: spread of values, agreement between releases, speed. Each has its numbers as a table too."""

from __future__ import annotations

from metric_reports.html.agreement_chart import agreement
from metric_reports.html.chart import Chart
from metric_reports.html.dot_charts import speed, spread
from metric_reports.types.run import Record
from metric_reports.view.table import Variant, cutoffs
from metric_reports.view.words import in_order


def charts(record: Record, known: dict[str, dict[str, Variant]]) -> dict[str, list[Chart]]:
    """The pictures of a record by group (``spread``, ``agreement``, ``speed``); a group without numbers is left out."""
    titles = {(one["name"], one["release"]): f"{one['title']} {one['release']}" for one in record["libraries"]}
    metrics = in_order(cell["metric"] for cell in record["cells"])
    columns = [(k, number, metric) for k in cutoffs(record) for number, metric in enumerate(metrics)]
    groups = {
        "spread": [spread(record, known, titles, metric, k, f"spread-{k}-{number}") for k, number, metric in columns],
        "agreement": [agreement(record, titles)],
        "speed": [speed(record, titles, k) for k in cutoffs(record)],
    }
    found = {name: [one for one in those if one is not None] for name, those in groups.items()}
    return {name: those for name, those in found.items() if those}

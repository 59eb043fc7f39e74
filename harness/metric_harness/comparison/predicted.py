"""Compares the measured value of a cell with the value of the identified variant."""

from __future__ import annotations

import numpy as np

from metric_harness.comparison.asked_cases import AskedCase
from metric_harness.naming.agreement import agree, agreement, half_digit
from metric_harness.worker.reply import Reply
from metric_reference.edges import Edges
from metric_reference.variant import Variant
from metric_reports.record import to_json_number
from metric_reports.types.run import Cell


def predict(cell: Cell, value: float, variant: Variant, edges: Edges, reply: Reply, asked_case: AskedCase) -> None:
    """Put into a cell the value of the identified variant on the same case, and whether the measured value agrees."""
    matches, k = asked_case.matches(edges), cell["k"]
    predicted = variant.of_matches(matches, edges, k)
    agrees = agreement(value, predicted)
    cell["predicted"] = to_json_number(predicted)
    cell["difference"] = to_json_number(value - predicted)
    cell["agreement"] = agrees
    cell["status"] = "unexplained" if agrees == "different" else "explained"
    if reply.users is not None and reply.values is not None and not variant.metric.of_whole_case():
        predicted_values = variant.of_users(matches, edges, k)[0][reply.users]
        gaps = np.abs(reply.values - predicted_values)
        equal = agree(reply.values, predicted_values) | (gaps <= half_digit(variant.rounded))
        largest = float(np.nanmax(gaps)) if np.isfinite(gaps).any() else None
        cell["users"] = {
            "answered": len(gaps),
            "equal": int(equal.sum()),
            "largest_difference": to_json_number(largest),
        }

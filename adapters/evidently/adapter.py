"""Evidently takes one frame with a row for each user and item: the rank as prediction, the gain as target."""

from __future__ import annotations

import os
from importlib.metadata import version as version_of
from typing import Any, Callable

os.environ["DO_NOT_TRACK"] = "1"  # it reports its use otherwise

import numpy as np
import pandas as pd
from evidently.legacy import metrics
from evidently.legacy.pipeline.column_mapping import ColumnMapping, RecomType
from evidently.legacy.report import Report

from metric_adapters.groups import COUNTED, KNOWN, without_row
from metric_adapters.shapes import recommended_pairs, relevant_pairs
from metric_adapters.subject import Answer, CannotShow, Subject
from metric_reference.case import NOTHING, Case

COLUMNS = ColumnMapping(
    recommendations_type=RecomType.RANK,
    target="target",
    prediction="prediction",
    item_id="item_id",
    user_id="user_id",
)


def version() -> str:
    return version_of("evidently")


def rows(case: Case, k: int, unlisted: str) -> Any:
    """A row for each listed item and, below the list, one for each relevant item that is not listed; no other rows.

    A repeated item has a row at each of its ranks. ``unlisted`` as of :func:`metric_adapters.groups.without_row`.
    """
    known = ~without_row(case, k, unlisted)
    users, items, _ = recommended_pairs(case)
    ranks = np.nonzero(case.recommended != NOTHING)[1] + 1
    frame = pd.DataFrame({"user_id": users, "item_id": items, "prediction": ranks})
    truth = (array[known] for array in relevant_pairs(case))
    gains = pd.DataFrame(dict(zip(("user_id", "item_id", "target"), truth)))
    frame = frame.merge(gains, how="outer", on=["user_id", "item_id"], sort=False)
    frame["target"] = frame["target"].fillna(0)
    missing = frame["prediction"].isna()
    below = case.list_lengths[frame.loc[missing, "user_id"]]
    frame.loc[missing, "prediction"] = below + frame[missing].groupby("user_id").cumcount() + 1
    return frame.astype({"prediction": int}).sort_values(["user_id", "prediction"], ignore_index=True)


def asking(metric: Any, unlisted: str) -> Callable[[Case, int], Answer]:
    """Ask a metric for its value at k, in a report as the library's users make it; it gives no values of users.

    It has a value for each rank up to the rows of the longest group, and an error beyond. That lists are shorter than k
    is shown where another user has k rows: else the error is that of a k beyond the items.
    """

    def ask(case: Case, k: int) -> Answer:
        if case.list_lengths.max(initial=0) < k <= case.n_items:
            raise CannotShow(f"no user has {k} rows: this library has no value beyond the longest group")
        report = Report(metrics=[metric(k=k)])
        report.run(reference_data=None, current_data=rows(case, k, unlisted), column_mapping=COLUMNS)
        result = report.metrics[0].get_result()
        series = result.current
        return Answer(float(series[k - 1 if min(series.index) == 0 else k]))

    return ask


UNLISTED = {
    "HitRateKMetric": KNOWN,
    "PrecisionTopKMetric": KNOWN,
    "RecallTopKMetric": COUNTED,
    "FBetaTopKMetric": COUNTED,
    "MRRKMetric": KNOWN,
    "MAPKMetric": COUNTED,
    "MARKMetric": COUNTED,
    "NDCGKMetric": COUNTED,
}
"""What each metric knows of the relevant items that are not listed."""
SUBJECTS = {
    name: Subject(asking(getattr(metrics, name), unlisted), getattr(metrics, name))
    for name, unlisted in UNLISTED.items()
}

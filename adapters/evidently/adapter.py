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

from metric_adapters.shapes import recommended_pairs, relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

COLUMNS = ColumnMapping(
    recommendations_type=RecomType.RANK,
    target="target",
    prediction="prediction",
    item_id="item_id",
    user_id="user_id",
)


def version() -> str:
    return version_of("evidently")


def rows(case: Case, k: int) -> Any:
    """A row for each listed item, and below the list, from the rank after k on, one for each relevant item that is not
    listed, so that these are known. A repeated item has a row at each of its ranks. A rank up to k that a list leaves
    empty has a row of an item that does not exist: without it MAP counts the last row again at each empty rank."""
    users, items, _ = recommended_pairs(case)
    ranks = np.nonzero(case.recommended != -1)[1] + 1
    empty = np.arange(k)[None, :] >= case.list_lengths[:, None]
    users, ranks = np.append(users, np.nonzero(empty)[0]), np.append(ranks, np.nonzero(empty)[1] + 1)
    items = np.append(items, np.full(np.count_nonzero(empty), case.n_items))
    frame = pd.DataFrame({"user_id": users, "item_id": items, "prediction": ranks})
    gains = pd.DataFrame(dict(zip(("user_id", "item_id", "target"), relevant_pairs(case))))
    frame = frame.merge(gains, how="outer", on=["user_id", "item_id"], sort=False)
    frame["target"] = frame["target"].fillna(0)
    missing = frame["prediction"].isna()
    below = np.maximum(case.list_lengths, k)[frame.loc[missing, "user_id"]]
    frame.loc[missing, "prediction"] = below + frame[missing].groupby("user_id").cumcount() + 1
    return frame.astype({"prediction": int}).sort_values(["user_id", "prediction"], ignore_index=True)


def asking(metric: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric for its value at k, in a report as the library's users make it; it gives no values of users."""

    def ask(case: Case, k: int) -> Answer:
        report = Report(metrics=[metric(k=k)])
        report.run(reference_data=None, current_data=rows(case, k), column_mapping=COLUMNS)
        result = report.metrics[0].get_result()
        series = result.current
        return Answer(float(series[k - 1 if min(series.index) == 0 else k]))

    return ask


NAMES = ("HitRateKMetric", "PrecisionTopKMetric", "RecallTopKMetric", "FBetaTopKMetric", "MRRKMetric", "MAPKMetric")
SUBJECTS = {
    name: Subject(asking(getattr(metrics, name)), getattr(metrics, name))
    for name in (*NAMES, "MARKMetric", "NDCGKMetric")
}

"""RePlay's metrics on frames of another back end; each has code of its own for those."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import pandas as pd
from cases import Answers, cases, number
from replay import metrics

from metric_adapters.shapes import frame, recommended_pairs, relevant_pairs
from metric_adapters.training import train_pairs

RANKED = ("query_id", "item_id", "rating")
RELEVANT = ("HitRate", "Precision", "Recall", "MRR", "MAP", "NDCG", "RocAuc")
TRAINED = ("Coverage", "Novelty", "Surprisal")


def answers(table: Callable[[pd.DataFrame], Any], names: Collection[str] = ()) -> Answers:
    """What the metrics return, by metric and case.

    table : makes a frame of the back end; names : of the cases, or all.
    """
    found: Answers = {}

    def add(metric: str, k: int, name: str, *frames: pd.DataFrame) -> None:
        given = [table(each) for each in frames]
        returned = number(lambda: next(iter(getattr(metrics, metric)(k)(*given).values())))
        found.setdefault(metric, {})[name] = returned

    for name, k, case in cases():
        if names and name not in names:
            continue
        ranked = frame(RANKED, *recommended_pairs(case))
        for metric in RELEVANT:
            add(metric, k, name, ranked, frame(RANKED[:2], *relevant_pairs(case)[:2]))
        if case.item_counts is not None:
            for metric in TRAINED:
                add(metric, k, name, ranked, frame(RANKED[:2], *train_pairs(case)))
    return found

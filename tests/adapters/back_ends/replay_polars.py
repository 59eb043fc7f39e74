"""RePlay's metrics on Polars frames, which it computes by code of their own."""

import polars as pl
from cases import cases, number, report
from replay import metrics

from metric_adapters.shapes import frame, recommended_pairs, relevant_pairs
from metric_adapters.training import train_pairs

RANKED = ("query_id", "item_id", "rating")
RELEVANT = ("HitRate", "Precision", "Recall", "MRR", "MAP", "NDCG", "RocAuc")
TRAINED = ("Coverage", "Novelty", "Surprisal")
answers: dict = {}


def add(metric, k, name, *tables):
    """Ask a metric."""
    given = [pl.from_pandas(each) for each in tables]
    answers.setdefault(metric, {})[name] = number(lambda: next(iter(getattr(metrics, metric)(k)(*given).values())))


for name, k, case in cases():
    ranked = frame(RANKED, *recommended_pairs(case))
    for metric in RELEVANT:
        add(metric, k, name, ranked, frame(RANKED[:2], *relevant_pairs(case)[:2]))
    if case.item_counts is not None:
        for metric in TRAINED:
            add(metric, k, name, ranked, frame(RANKED[:2], *train_pairs(case)))
report(answers)

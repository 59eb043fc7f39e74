"""Evidently's metrics of recommendations. It knows of a judgement only what stands in a list's row."""

import pandas as pd
from evidently.legacy.metrics import (
    DiversityMetric,
    FBetaTopKMetric,
    MARKMetric,
    NoveltyMetric,
    PersonalizationMetric,
    PopularityBias,
)
from evidently.legacy.pipeline.column_mapping import ColumnMapping, RecomType
from evidently.legacy.report import Report

from frames import Full, columns, recommended, relevant, train  # isort:skip


def answers(case: Full, k: int) -> dict[str, float]:
    users, items, ranks = recommended(case, case.width)
    truth = set(zip(*(column.tolist() for column in relevant(case)), strict=True))
    target = [int(pair in truth) for pair in zip(users.tolist(), items.tolist(), strict=True)]
    names = [f"f{column}" for column in range(case.item_vectors.shape[1])]
    features = pd.DataFrame(case.item_vectors, columns=names)
    current = pd.DataFrame({"user_id": users, "item_id": items, "prediction": ranks, "target": target})
    seen = pd.DataFrame(columns(("user_id", "item_id"), train(case)))
    mapping = ColumnMapping(
        recommendations_type=RecomType.RANK, target="target", prediction="prediction",
        item_id="item_id", user_id="user_id",
    )  # fmt: skip
    metrics = {
        "PopularityBias": PopularityBias(k=k),
        "PopularityBias[normalize_arp]": PopularityBias(k=k, normalize_arp=True),
        "NoveltyMetric": NoveltyMetric(k=k),
        "DiversityMetric": DiversityMetric(k=k, item_features=names),
        "PersonalizationMetric": PersonalizationMetric(k=k),
        "MARKMetric": MARKMetric(k=k),
        "FBetaTopKMetric": FBetaTopKMetric(k=k),
    }
    report = Report(metrics=list(metrics.values()))
    report.run(
        reference_data=None,
        current_data=current.merge(features, left_on="item_id", right_index=True),
        column_mapping=mapping,
        additional_data={"current_train_data": seen.merge(features, left_on="item_id", right_index=True)},
    )
    found = {}
    for name, metric in metrics.items():
        result = metric.get_result()
        if not name.startswith("PopularityBias"):
            found[name] = result.current_value
            continue
        for part in ("apr", "coverage", "gini"):
            found[f"{name}.{part}"] = getattr(result, f"current_{part}")
    return found

"""RePlay's metrics beyond accuracy. The base recommendations of Unexpectedness are the k most popular items."""

import numpy as np
from replay import metrics

from frames import Full, by_user, recommended, train  # isort:skip


def answers(case: Full, k: int) -> dict[str, float]:
    reco = by_user(*recommended(case, k)[:2])
    scored = {user: [(item, -rank) for rank, item in enumerate(row)] for user, row in reco.items()}
    everything = by_user(*train(case))
    seen = {user: row for user, row in everything.items() if user in reco}
    popular = np.argsort(-case.item_counts, kind="stable")[:k].tolist()
    base = {user: [(item, -rank) for rank, item in enumerate(popular)] for user in reco}
    asked = {
        "Coverage": metrics.Coverage(k)(scored, everything),
        "Novelty": metrics.Novelty(k)(scored, seen),
        "Surprisal": metrics.Surprisal(k)(scored, everything),
        "Unexpectedness": metrics.Unexpectedness(k)(scored, base),
    }
    return {name: next(iter(value.values())) for name, value in asked.items()}

"""recmetrics' metrics beyond accuracy. Its lists must all be of one length; its coverage is in per cent."""

import pandas as pd
from recmetrics import metrics

from frames import Full, lists  # isort:skip


def answers(case: Full, k: int) -> dict[str, float]:
    rows = lists(case, k)
    trained = [item for item in range(case.n_items) if case.item_counts[item]]
    counts = dict(enumerate(case.item_counts.tolist()))
    found = {
        "personalization": metrics.personalization(rows),
        "prediction_coverage": metrics.prediction_coverage(rows, trained) / 100,
        "intra_list_similarity": metrics.intra_list_similarity(rows, pd.DataFrame(case.item_vectors)),
    }
    if all(counts[item] for row in rows for item in row):  # it takes the logarithm of every count
        found["novelty"] = metrics.novelty(rows, counts, case.n_train_users, k)[0]
    return found

"""rs_metrics' metrics beyond accuracy."""

import pandas as pd
import rs_metrics

from frames import Full, by_user, columns, recommended, train  # isort:skip


def answers(case: Full, k: int) -> dict[str, float]:
    reco = by_user(*recommended(case, k)[:2])
    seen = pd.DataFrame(columns(("user_id", "item_id"), train(case)))
    return {
        "coverage": rs_metrics.coverage(list(range(case.n_items)), reco, k),
        "coverage[trained]": rs_metrics.coverage(seen["item_id"].unique(), reco, k),
        "popularity": rs_metrics.popularity(seen, reco, k),
        "surprisal": rs_metrics.surprisal(seen, reco, k),
    }

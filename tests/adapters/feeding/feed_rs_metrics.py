"""rs_metrics: its functions on data frames, as its README calls them; it has no other evaluator."""

import pandas as pd
import rs_metrics
from feed import named, ranked, read, report

data = read()
NAMES = ("user_id", "item_id")
true, pred, train = (pd.DataFrame(named(NAMES, rows)) for rows in (data.test, ranked(data), data.train))
values = {
    name: getattr(rs_metrics, name)(true, pred, k=data.k)
    for name in ("hitrate", "precision", "recall", "mrr", "mapr", "ndcg")
}
values["coverage"] = rs_metrics.coverage(list(range(data.items)), pred, k=data.k)
values["popularity"] = rs_metrics.popularity(train, pred, k=data.k)
values["surprisal"] = rs_metrics.surprisal(train, pred, k=data.k)
report(values, lists=ranked(data), relevant=data.test)

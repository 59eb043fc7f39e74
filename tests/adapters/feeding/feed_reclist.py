"""RecList: a RecList whose tests call the metrics on its frames, run as a whole; its report is read."""
# /// script
# dependencies = ["rich==14.2.0", "matplotlib==3.10.7", "networkx==3.5"]
# ///

import json
from pathlib import Path

import pandas as pd
from feed import ranked, read, report
from reclist.metrics import standard_metrics
from reclist.reclist import RecList, rec_test

data = read()


class Session(RecList):
    """Metrics of predictions against held-out items, each a test with the metric's name."""

    def __init__(self, predicted, target):
        super().__init__(model_name="given")
        self.predicted, self.target = predicted, target

    @rec_test(test_type="hit_rate_at_k")
    def hit_rate(self):
        return standard_metrics.hit_rate_at_k(self.predicted, self.target, k=data.k)

    @rec_test(test_type="mrr_at_k")
    def mrr(self):
        return standard_metrics.mrr_at_k(self.predicted, self.target, k=data.k)

    @rec_test(test_type="precision_at_k")
    def precision(self):
        return standard_metrics.precision_at_k(self.predicted, self.target, k=data.k)

    @rec_test(test_type="recall_at_k")
    def recall(self):
        return standard_metrics.recall_at_k(self.predicted, self.target, k=data.k)


Session(pd.DataFrame(ranked(data)), pd.DataFrame(data.test))(verbose=True)
(written,) = Path(".reclist").rglob("results/*.json")
tests = json.loads(written.read_text(encoding="utf-8"))["data"]
report({test["name"]: test["result"] for test in tests}, lists=ranked(data), relevant=data.test)

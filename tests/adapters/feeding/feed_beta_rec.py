"""Beta-RecSys: EvalEngine.test_eval and SeqEvalEngine.sequential_evaluation with models that have the scores.

The test table holds every candidate, rated 1 or 0. A sequence is a profile and then what is to be found.
"""
# /// script
# dependencies = ["torch==2.13.0", "tensorboardX==2.6.4", "tqdm==4.67.1", "tabulate==0.9.0", "psutil==7.2.2"]
# ///

from types import SimpleNamespace

import pandas as pd
import torch
from beta_rec.core.eval_engine import EvalEngine, SeqEvalEngine
from beta_rec.utils import seq_evaluation
from beta_rec.utils.constants import DEFAULT_ITEM_COL, DEFAULT_RATING_COL, DEFAULT_USER_COL
from feed import named, ranked, read, report

data = read()
k = data.k
scores = torch.tensor(data.scores, dtype=torch.float64)
lists = ranked(data)


METRICS = ["ndcg", "map", "precision", "recall"]
system = {
    "metrics": METRICS,
    "k": k,
    "valid_k": k,
    "valid_metric": "ndcg",
    "result_file": "r.csv",
    "save_mode": "average",
}
model = {"batch_size": 64, "run_dir": "runs", "result_col": []}
engine = EvalEngine({"system": system, "model": model, "dataset": {"result_col": []}, "run_time": 0})
labels = [[int(item in data.test[user]) for item in row] for user, row in enumerate(lists)]
table = pd.DataFrame(named((DEFAULT_USER_COL, DEFAULT_ITEM_COL, DEFAULT_RATING_COL), lists, labels))
(found,) = engine.test_eval(table, SimpleNamespace(predict=lambda users, items: scores[users, items]))
values = {f"{name}_at_k": found[f"{name}@{k}"] for name in METRICS}


class Sequences:
    """A sequential recommender: the items of a user's list with their scores."""

    def recommend(self, profile, user):
        return [([item], data.scores[user][item]) for item in lists[user]]

    def get_recommendation_list(self, recommended):
        return [items for items, _ in recommended]


engine = SeqEvalEngine({"system": {"metrics": ["ndcg"], "valid_metric": "ndcg"}})
functions = {name: getattr(seq_evaluation, name) for name in ("precision", "recall", "mrr", "ndcg")}
found = engine.sequential_evaluation(
    Sequences(),
    [[-1, *row] for row in data.test],
    functions.values(),
    users=range(data.users),
    look_ahead="all",
    top_n=k,
    scroll=False,
)
values.update({f"seq:{name}": value for name, value in zip(functions, found, strict=True)})
report(values, lists=lists, relevant=data.test)

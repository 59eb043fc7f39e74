"""PyTorch-Ignite: an Engine with the metrics attached runs over batches of scores and labels of all items."""

import torch
from feed import labels, ranked, read_untrained, report
from ignite.engine import Engine
from ignite.metrics.rec_sys import NDCG, HitRate
from torch.utils.data import DataLoader, TensorDataset

data = read_untrained()
evaluator = Engine(lambda engine, batch: tuple(batch))
metrics = {
    "HitRate": HitRate(top_k=[data.k]),
    "NDCG": NDCG(top_k=[data.k], relevance_threshold=1.0),
    "NDCG[linear_rank]": NDCG(top_k=[data.k], relevance_threshold=1.0, gain_function="linear_rank"),
}
for name, metric in metrics.items():
    metric.attach(evaluator, name)
rows = TensorDataset(torch.tensor(data.scores), torch.tensor(labels(data, graded=True)).float())
state = evaluator.run(DataLoader(rows, batch_size=8))
values = {name: state.metrics[name][0] for name in metrics}
report(values, lists=ranked(data), relevant=data.test, gains=data.ratings, train=data.train, within=1e-6)

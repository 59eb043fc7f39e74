"""PyTorch Geometric: a LinkPredMetricCollection in a loop over batches of users, as its example of recommendation."""

import torch
from feed import columns, ranked, read, report
from torch_geometric import metrics

data = read()
NAMES = ("HitRatio", "Precision", "Recall", "F1", "MRR", "MAP", "NDCG")
collection = metrics.LinkPredMetricCollection(
    {
        **{f"LinkPred{name}": getattr(metrics, f"LinkPred{name}")(data.k) for name in NAMES},
        "LinkPredNDCG[weighted]": metrics.LinkPredNDCG(data.k, weighted=True),
    }
)
scores = torch.tensor(data.scores, dtype=torch.float64)
for users in torch.arange(data.users).split(8):
    batch = scores[users]
    for row, user in enumerate(users.tolist()):
        batch[row, data.train[user]] = -torch.inf
    edges = columns([data.test[user] for user in users], [data.ratings[user] for user in users])
    rows, items, gains = map(torch.tensor, edges)
    collection.update(batch.topk(data.k).indices, torch.stack([rows, items]), gains.float())
report(collection.compute(), lists=ranked(data), relevant=data.test, gains=data.ratings, within=1e-6)

"""TorchMetrics: a MetricCollection that is updated batch by batch with a row for every candidate, then computed."""

import torch
from feed import candidates, ranked, read, report
from torchmetrics import MetricCollection, retrieval

data = read()
data.test[0] = data.ratings[0] = []  # a user without anything to be found, for empty_target_action
CUT = ("HitRate", "Precision", "Recall", "MRR", "MAP", "NormalizedDCG", "FallOut")
metrics = {f"Retrieval{name}": getattr(retrieval, f"Retrieval{name}")(top_k=data.k) for name in CUT}
metrics["RetrievalRPrecision"] = retrieval.RetrievalRPrecision()
metrics["RetrievalAUROC"] = retrieval.RetrievalAUROC()
metrics["RetrievalAUROC[top_k]"] = retrieval.RetrievalAUROC(top_k=data.k)
metrics["RetrievalPrecision[adaptive_k]"] = retrieval.RetrievalPrecision(top_k=data.k, adaptive_k=True)
for action in ("pos", "skip"):
    metrics[f"RetrievalRecall[{action}]"] = retrieval.RetrievalRecall(top_k=data.k, empty_target_action=action)
graded = {"RetrievalNormalizedDCG": metrics.pop("RetrievalNormalizedDCG")}
binary, graded = MetricCollection(metrics, compute_groups=False), MetricCollection(graded)
for user, row in enumerate(candidates(data)):
    scored = {item: score for item, score in enumerate(row) if score is not None}
    gains = dict(zip(data.test[user], data.ratings[user], strict=True))
    target = torch.tensor([gains.get(item, 0) for item in scored])
    preds, indexes = torch.tensor(list(scored.values())), torch.full((len(scored),), user)
    binary.update(preds, target > 0, indexes=indexes)
    graded.update(preds, target, indexes=indexes)
values = {**binary.compute(), **graded.compute()}
report(values, lists=ranked(data), relevant=data.test, gains=data.ratings, candidates=candidates(data))

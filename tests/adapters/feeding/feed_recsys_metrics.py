"""recsys_metrics: rank_report on scores and labels of all items."""

import torch
from feed import labels, ranked, read_untrained, report
from recsys_metrics import rank_report

data = read_untrained()
values = rank_report(torch.tensor(data.scores), torch.tensor(labels(data)), k=data.k, rounding=12)
report(values, lists=ranked(data), relevant=data.test, train=data.train, within=1e-6)

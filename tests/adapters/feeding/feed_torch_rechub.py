"""Torch-RecHub: CTRTrainer.evaluate with a model that has the scores, a row for every candidate with 1 or 0."""

import torch
from feed import candidates, columns, labels, ranked, read, report
from torch.utils.data import DataLoader, StackDataset
from torch_rechub.trainers import CTRTrainer

data = read()


class Given(torch.nn.Module):
    """The scores of the data set, for users and items by number."""

    def __init__(self):
        super().__init__()
        self.scores = torch.nn.Parameter(torch.tensor(data.scores))

    def forward(self, x):
        return self.scores[x["user"], x["item"]].unsqueeze(1)


users, items = columns(ranked(data))
truth = labels(data)
rows = [{"user": user, "item": item} for user, item in zip(users, items, strict=True)]
loader = DataLoader(StackDataset(rows, [truth[user][item] for user, item in zip(users, items, strict=True)]), 64)
trainer = CTRTrainer(Given())
values = {"auc_score": trainer.evaluate(trainer.model, loader)}
report(values, lists=ranked(data), relevant=data.test, candidates=candidates(data))

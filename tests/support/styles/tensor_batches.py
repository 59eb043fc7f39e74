"""Torch tensors of a batch of users."""

import torch


def recall_of_targets(indices, targets):
    """Top items (users x k) and one target each, as session-based models are evaluated."""
    targets = targets.view(-1, 1).expand_as(indices)
    hits = torch.nonzero(targets == indices)
    return float(hits.size(0)) / targets.size(0)


def mrr_of_logits(logits, labels, k):
    """Scores of all items and the index of the target."""
    _, top = torch.topk(logits, min(k, logits.shape[1]), dim=1)
    hits = (top == labels.unsqueeze(1)).float()
    return (hits / torch.arange(1, top.shape[1] + 1)).sum(dim=1).mean().item()


def precision_of_booleans(preds: torch.Tensor, target: torch.Tensor, k: int):
    """Labels as booleans: they are used as a mask."""
    order = torch.argsort(preds, descending=True)[:k]
    mask = target[order]
    return order[mask].numel() / k


def recall_of_rows(predictions: torch.Tensor, ground_truth: torch.Tensor, k: int) -> float:
    """The truth has a tensor of another length for each user, so that it is a list of tensors."""
    values = []
    for row, truth in zip(predictions[:, :k], ground_truth, strict=True):
        wanted = set(truth.cpu().numpy().tolist())
        if wanted:
            values.append(len(wanted & set(row.cpu().numpy().tolist())) / len(wanted))
    return sum(values) / len(values) if values else 0.0


class RetrievalHits:
    """A metric that is updated with batches, as torchmetrics has them."""

    def __init__(self, top_k=5):
        self.top_k, self.rows = top_k, []

    def update(self, preds: torch.Tensor, target: torch.Tensor):
        top = preds.topk(min(self.top_k, preds.shape[1]), dim=1).indices
        self.rows.append(torch.gather(target, 1, top).any(dim=1).float())

    def compute(self):
        return torch.cat(self.rows).mean()


def recalls_of_rows(scores, targets, k):
    """Nothing but a called size shows the tensors."""
    values = []
    for i in range(scores.size(0)):
        ranked = sorted(range(len(scores[i])), key=lambda place: -scores[i][place])
        values.append(sum(targets[i][place] == 1 for place in ranked[:k]) / min(k, sum(targets[i] == 1)))
    return values


class TopOfPairs:
    """It is updated with a pair of scores and classes, as PyTorch-Ignite does."""

    def __init__(self, k):
        self.k, self.hits, self.rows = k, 0.0, 0

    def update(self, output):
        scores, classes = output
        best = scores.topk(min(self.k, scores.shape[1]), dim=1).indices
        self.hits += (best == classes.unsqueeze(1)).any(dim=1).float().sum().item()
        self.rows += len(classes)

    def compute(self):
        return self.hits / self.rows

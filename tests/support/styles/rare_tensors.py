"""Rare ways of calling that need torch."""

import torch


def recall_of_mask(prediction: torch.Tensor, positive_mask: torch.Tensor, k: int, metric_mask: torch.Tensor):
    """A mask of the relevant items, and a mask of what counts."""
    top = prediction.masked_fill(metric_mask == 0, float("-inf")).topk(k).indices
    return positive_mask.gather(1, top).sum(dim=1) / positive_mask.sum(dim=1).clamp(min=1)

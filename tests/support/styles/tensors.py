"""Torch tensors of one query, scores and labels."""

import torch


def retrieval_reciprocal_rank(preds: torch.Tensor, target: torch.Tensor, top_k: int = 10) -> torch.Tensor:
    best = torch.topk(preds, min(top_k, preds.numel())).indices
    hits = torch.nonzero(target[best]).flatten()
    return 1.0 / (hits[0] + 1.0) if hits.numel() else torch.tensor(0.0)

"""Rare ways of calling that need torch."""

import numpy as np
import torch


def recall_of_mask(prediction: torch.Tensor, positive_mask: torch.Tensor, k: int, metric_mask: torch.Tensor):
    """A mask of the relevant items, and a mask of what counts."""
    top = prediction.masked_fill(metric_mask == 0, float("-inf")).topk(k).indices
    return positive_mask.gather(1, top).sum(dim=1) / positive_mask.sum(dim=1).clamp(min=1)


def recall_of_positions(logits: torch.Tensor, targets: torch.Tensor, mask: torch.Tensor, k: int):
    """A row is a position of a sequence; the mask says which positions count."""
    hits = (logits.topk(k).indices == targets.view(-1, 1)).any(dim=1, keepdim=True)
    return (hits * mask.view(-1, 1)).sum() / mask.sum()


def hits_of_cube(sim_tensor: torch.Tensor, k: int):
    """Videos, the captions of each, and videos again: the right one is where the first and the last are equal."""
    order = sim_tensor.permute(1, 0, 2).argsort(dim=-1, descending=True).argsort(dim=-1)
    ranks = torch.diagonal(order, dim1=1, dim2=2).flatten()
    return float((ranks < k).float().mean())


def hits_of_typed(preds: "Tensor", target: "Tensor", top_k: int):  # noqa: F821
    """Nothing but the annotation says that these are tensors."""
    return float(target[(-preds).argsort()[:top_k]].any())


def ap_of_indices(index, good_index, junk_index):
    """The size of an array is a number; the curve beside it is a tensor."""
    curve = torch.zeros(len(index))
    if good_index.size == 0:
        return 0.0
    index = index[~np.isin(index, junk_index)]
    places = np.flatnonzero(np.isin(index, good_index))
    curve[int(places[0]) :] = 1
    return sum((hits + 1) / (place + 1) for hits, place in enumerate(places)) / len(good_index)


def shares_of_one_query(tops: torch.Tensor, query_label: int, gallery_label: torch.Tensor):
    """One query: all places, the nearest first; R-precision and an average precision over as many ranks."""
    wanted = int((gallery_label == query_label).sum())
    own = (gallery_label[tops[:wanted]] == query_label).float()
    shares = torch.cumsum(own, dim=0) / torch.arange(1, wanted + 1)
    return own.mean().item(), (shares * own).sum().item() / wanted


def ap_of_as_many(qB, rB, query_L, retrieval_L, k=None):
    """Signs of codes; the cut-off counts relevant items, however deep they lie, and all of them by default."""
    total = 0.0
    for code, labels in zip(torch.sign(qB), query_L, strict=True):
        shared = (labels @ retrieval_L.T > 0).float()
        if shared.sum() == 0:
            continue
        order = torch.sort(0.5 * (rB.shape[1] - code @ torch.sign(rB).T), stable=True).indices
        counted = min(k or len(shared), int(shared.sum()))
        ranks = torch.nonzero(shared[order])[:counted].squeeze(1) + 1.0
        total += torch.mean(torch.arange(1, counted + 1) / ranks)
    return total / len(query_L)

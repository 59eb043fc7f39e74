"""Held-out interactions as a scipy matrix, scores of all items as an array."""

import numpy as np
from scipy import sparse


def ndcg_of_batch(X_pred, heldout_batch, k=100):
    users = X_pred.shape[0]
    top = np.argsort(-X_pred, axis=1)[:, :k]
    weights = 1.0 / np.log2(np.arange(2, top.shape[1] + 2))
    gained = (heldout_batch[np.arange(users)[:, np.newaxis], top].toarray() * weights).sum(axis=1)
    best = np.array(
        [(1.0 / np.log2(np.arange(2, k + 2)))[: min(count, k)].sum() for count in heldout_batch.getnnz(axis=1)]
    )
    return gained / best


def recall_of_matrices(test_csr: sparse.csr_matrix, pred_csr: sparse.csr_matrix, train_csr, topn):
    """Scores as a sparse matrix as well; what was seen in training is not recommended."""
    values = []
    for user in range(test_csr.shape[0]):
        row, seen = pred_csr[user], set(train_csr[user].indices)
        order = [item for item in row.indices[np.argsort(-row.data, kind="stable")] if item not in seen]
        wanted = set(test_csr[user].indices)
        values.append(len(wanted & set(order[:topn])) / len(wanted))
    return float(np.mean(values))

"""Classes of the neighbours in rank order, beside the class of each query: image retrieval."""

import numpy as np


def recall_at_k(neighbour_labels, query_labels, k):
    """Named recall: whether any of the first k is of the query's class."""
    return np.mean(np.any(neighbour_labels[:, :k] == query_labels, axis=1))


def precision(neighbour_labels, query_labels, k, return_per_class, comparison_fn):
    same = comparison_fn(query_labels, neighbour_labels[:, :k]).sum(axis=1) / k
    return same.tolist() if return_per_class else same.mean()

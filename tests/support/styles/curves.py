"""A number for each rank as the result, and orders of ties that no rule gives."""

import numpy as np


def matches_of(distances, query_ids, gallery_ids):
    return gallery_ids[np.argsort(distances, axis=1)] == query_ids[:, None]


def cmc(distances, query_ids, gallery_ids):
    return (np.cumsum(matches_of(distances, query_ids, gallery_ids), axis=1) > 0).mean(axis=0)


def three_results(distances, query_ids, gallery_ids):
    """Two curves and a number; the last one is not called a metric."""
    found = matches_of(distances, query_ids, gallery_ids)
    shares = np.cumsum(found, axis=1) / np.arange(1, found.shape[1] + 1)
    values = [row[own].mean() for row, own in zip(shares, found, strict=True) if own.any()]
    return (np.cumsum(found, axis=1) > 0).mean(axis=0), shares.mean(axis=0), np.mean(values)


def recall_curve(actual, predicted):
    return np.cumsum(np.isin(predicted, actual)) / max(1, len(actual))


def recalls(actual, predicted):
    """Of all users, lists of one length."""
    return np.mean([recall_curve(own, row) for own, row in zip(actual, predicted, strict=True)], axis=0)

"""Distances, queries against a gallery, similarities with right items on the diagonal, pairs of id and grade."""

import numpy as np


def rank_and_hits(distances, target, k):
    """Two results for one query: the first looks past k, the smallest distance is best."""
    order = np.argsort(distances, kind="stable")
    rank = int(np.flatnonzero(order == target)[0]) + 1
    return {"mrr": 1 / rank, "hits": float(rank <= k)}


def cmc_and_map(distmat, q_pids, g_pids, q_camids, g_camids, max_rank):
    """Items of the same person from another camera are right."""
    curves, precisions = [], []
    for row, person, camera in zip(distmat, q_pids, q_camids, strict=True):
        order = np.argsort(row, kind="stable")
        kept = order[~((g_pids[order] == person) & (g_camids[order] == camera))]
        right = (g_pids[kept] == person).astype(float)
        if right.any():
            curves.append((right.cumsum() > 0)[:max_rank].astype(float))
            precisions.append(float((right.cumsum() / np.arange(1, len(right) + 1) * right).sum() / right.sum()))
    return np.mean(curves, axis=0), np.mean(precisions)


def recall_of_diagonal(sims):
    """Row i belongs to column i."""
    own = np.diag(sims)
    above = (sims > own[:, None]).sum(axis=1)
    return {"R5": 100 * np.mean(above < 5), "R10": 100 * np.mean(above < 10)}


def ndcg_of_rows(scores, labels, lengths, k=None):
    """Rows that are as long as ``lengths`` says; the rest of each row is padding."""
    out = []
    for row, own, length in zip(scores, labels, lengths, strict=True):
        gains = 2.0 ** own[np.argsort(-row[:length], kind="stable")] - 1
        weights = 1 / np.log2(np.arange(2, length + 2))
        if k is not None:
            weights[k:] = 0
        best = np.sort(gains)[::-1] @ weights
        out.append(gains @ weights / best if best else 0.0)
    return np.array(out)


def ndcg_of_pairs(scored, graded, k):
    """(id, score) pairs beside (id, grade) pairs."""
    grades = dict(graded)
    gains = [grades.get(name, 0.0) for name, _ in sorted(scored, key=lambda pair: -pair[1])]
    best = sorted((grade for _, grade in graded), reverse=True)

    def dcg(values):
        return sum(value / np.log2(rank + 2) for rank, value in enumerate(values[:k]))

    return dcg(gains) / dcg(best) if dcg(best) else 0.0


def recall_at(ks: np.ndarray, scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Cut-offs as an array, a column of the answer for each."""
    out = np.zeros((len(scores), ks.shape[0]))
    order = np.argsort(-scores, axis=1, kind="stable")
    for at, k in enumerate(ks):
        hits = np.take_along_axis(labels, order[:, :k], axis=1).sum(axis=1)
        out[:, at] = hits / np.maximum(labels.sum(axis=1), 1)
    return out


def ap_of_demanded(distmat, query_ids=None, gallery_ids=None, query_cams=None, gallery_cams=None):
    """None is a default that it does not take."""
    assert isinstance(distmat, np.ndarray)
    assert isinstance(query_ids, np.ndarray)
    assert isinstance(gallery_ids, np.ndarray)
    assert query_cams is not None
    assert isinstance(gallery_cams, np.ndarray)
    total = []
    for row, own, camera in zip(distmat, query_ids, query_cams, strict=True):
        order = np.argsort(row)
        other = (gallery_ids[order] != own) | (gallery_cams[order] != camera)
        hits = (gallery_ids[order] == own)[other]
        if hits.any():
            ranks = np.flatnonzero(hits) + 1
            total.append(np.mean(np.arange(1, len(ranks) + 1) / ranks))
    return np.mean(total)


def recall_of_ten(query_pids, gallery_pids, indices):
    """An identity is looked for in those of the nearest; rows of places are of one length, which leaves few cases."""
    found = [own in gallery_pids[row[:10]] for own, row in zip(query_pids, indices, strict=True)]
    return {"recall@10": sum(found) / len(found)}


def ap_of_one(distances, query_pid, gallery_pids):
    """One query: a row of distances and its identity."""
    own = (gallery_pids == query_pid)[np.argsort(distances)]
    places = np.flatnonzero(own)
    return float(np.mean(np.arange(1, len(places) + 1) / (places + 1))) if len(places) else 0.0


def precision_of_one(query_label, gallery_labels, indices, k):
    """One query: the places nearest to it, best first."""
    return float(np.mean(gallery_labels[indices[:k]] == query_label))


def map_of_hashes(database_hashes, database_truths, query_hashes, query_truths):
    """Codes of which the places that differ are counted, one identity for each."""
    values = []
    for code, own in zip(query_hashes, query_truths, strict=True):
        found = database_truths[np.argsort((database_hashes != code).sum(axis=1), kind="stable")] == own
        if found.any():
            shares = np.cumsum(found) / np.arange(1, len(found) + 1)
            values.append(shares[found].mean())
    return float(np.mean(values))

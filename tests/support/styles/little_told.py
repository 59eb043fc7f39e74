"""Functions whose parameters' names tell little or mislead, and results that claim nothing."""

import numpy as np


def average_precision_of_flags(flags, gtp):
    """A number that only divides is the number of relevant items, whatever its name."""
    assert gtp >= 1
    hits = np.cumsum(flags)
    return float(np.sum([hits[at] / (at + 1) for at in range(len(flags)) if flags[at]]) / gtp)


def recall_of_scores(scores, gt_indices, k):
    """Any relevant item among the best is enough: one index for each row, or several."""
    hits = []
    for row, wanted in zip(scores, gt_indices, strict=True):
        wanted = {int(wanted)} if np.ndim(wanted) == 0 else set(wanted)
        hits.append(float(bool(wanted & set(np.argsort(-row, kind="stable")[:k].tolist()))))
    return float(np.mean(hits))


def mean_recall_and_error(relevant, recommended, k):
    """The standard error stands beside the mean."""
    shares = [len(set(row[:k]) & set(own)) / len(own) for own, row in zip(relevant, recommended, strict=True)]
    return np.mean(shares), np.std(shares, ddof=1) / np.sqrt(len(shares))


def ndcg_to_depth(relevance, nranks):
    """A required number at which the list ends is its cut-off."""
    row = np.asarray(relevance, dtype=float)[: min(nranks, len(relevance))]
    weights = 1 / np.log2(np.arange(2, len(row) + 2))
    best = np.sort(row)[::-1] @ weights
    return float(row @ weights / best) if best else 0.0


def ndcg_of_topk(topk, wanted, num_pos, k):
    """``topk`` is the list, and ``k`` the depth of the list and of the ideal."""
    ideal = sum(1 / np.log2(rank + 2) for rank in range(min(num_pos, k)))
    gain = sum(1 / np.log2(rank + 2) for rank, item in enumerate(topk) if rank < k and item in wanted)
    return gain / ideal if ideal else 0.0


def mean_ap_of_gallery(distmat, query_ids=None, gallery_ids=None, query_cams=None, gallery_cams=None):
    """Identities and cameras may be left out; then a row is its own identity."""
    query_ids = np.arange(len(distmat)) if query_ids is None else np.asarray(query_ids)
    gallery_ids = np.arange(distmat.shape[1]) if gallery_ids is None else np.asarray(gallery_ids)
    query_cams = np.zeros(len(query_ids)) if query_cams is None else query_cams
    gallery_cams = np.ones(len(gallery_ids)) if gallery_cams is None else gallery_cams
    precisions = []
    for row, own, camera in zip(distmat, query_ids, query_cams, strict=True):
        order = np.argsort(row, kind="stable")
        hits = (gallery_ids[order] == own)[(gallery_ids[order] != own) | (gallery_cams[order] != camera)]
        if hits.any():
            precisions.append(float((hits.cumsum() / np.arange(1, len(hits) + 1) * hits).sum() / hits.sum()))
    return np.mean(precisions)


def map_of_gallery(ranked_results, query_labels, gallery_labels):
    """Rows of places in a gallery, nearest first."""
    precisions = []
    for row, own in zip(ranked_results, query_labels, strict=True):
        hits = gallery_labels[row] == own
        found = (hits.cumsum() / np.arange(1, len(hits) + 1) * hits).sum()
        precisions.append(float(found / np.sum(gallery_labels == own)) if (gallery_labels == own).any() else 0.0)
    return np.mean(precisions)


def map_of_orders(indices, q_pids, g_pids, q_camids, g_camids):
    """Orders of a whole gallery. An image of the query's own camera is left out; if there is one camera, of another."""
    one_camera = len(set(g_camids.tolist())) == 1
    precisions = []
    for order, own, camera in zip(indices, q_pids, q_camids, strict=True):
        same = g_camids[order] == camera
        hits = (g_pids[order] == own)[(g_pids[order] != own) | (same if one_camera else ~same)]
        if hits.any():
            precisions.append(float((hits.cumsum() / np.arange(1, len(hits) + 1) * hits).sum() / hits.sum()))
    return np.mean(precisions)


def recall_precision_of_hits(top_hits, gt_indices):
    """Hits of all users in one matrix beside the relevant items, of which only the number is read."""
    found = top_hits.sum(axis=1)
    return np.mean(found / np.array([len(own) for own in gt_indices])), np.mean(found / top_hits.shape[1])


def precision_of_labels(y_true, y_score):
    """No score is read: any order of the items has the same share."""
    return float(np.sum(y_true)) / len(y_score)


def map_of_codes(qB, rB, query_L, retrieval_L, topk=None):
    """Codes and labels of queries and of a database: the largest product is nearest."""
    precisions = []
    for code, labels in zip(qB, query_L, strict=True):
        distance = 0.5 * (rB.shape[1] - code @ rB.T)
        hits = (labels @ retrieval_L.T > 0)[np.argsort(distance, kind="stable")][:topk]
        ranks = np.flatnonzero(hits) + 1
        precisions.append(np.mean(np.arange(1, len(ranks) + 1) / ranks) if len(ranks) else 0.0)
    return np.mean(precisions)


def _ordered(scores, labels, reverse):
    order = np.argsort(scores, kind="stable")
    if reverse:
        order = order[::-1]
    return np.asarray(labels)[order]


def recall_of_smallest(scores, labels, k, reverse=False):
    """A helper puts the smallest score first by default."""
    return float(np.sum(_ordered(scores, labels, reverse)[:k]) / np.sum(labels)) if np.sum(labels) else 0.0


def hits_of_diagonal(sims):
    """Per cent of the rows whose own column is the best one, among the best five, and among the best fifty."""
    own = np.diag(sims)
    above = (sims > own[:, None]).sum(axis=1)
    return {"R1": 100 * np.mean(above < 1), "R5": 100 * np.mean(above < 5), "R50": 100 * np.mean(above < 50)}


def hits_under_a_wrong_name(sims):
    """The second result is the first one again, although the names and the last line know another number."""
    own = np.diag(sims)
    above = (sims > own[:, None]).sum(axis=1)
    results = {"R1": np.mean(above == 0), "R2": np.mean(above == 0), "R5": np.mean(above < 5)}
    print(np.mean(above < 2))
    return results


def found_of_rows(rows, at_k=1):
    """The share of the rows whose own number is among the best columns."""
    found = 0
    for i in range(len(rows)):
        if i in np.argsort(rows[i])[::-1][:at_k]:
            found += 1
    return found / len(rows)


class ReciprocalRanks:
    """Updated with the flags of one user's list; its methods have long names."""

    def __init__(self):
        self.total, self.n_users = 0.0, 0

    def add_recommendations(self, is_relevant):
        ranks = np.flatnonzero(is_relevant)
        self.total += 1 / (ranks[0] + 1) if len(ranks) else 0.0
        self.n_users += 1

    def get_metric_value(self):
        return self.total / self.n_users

    def merge_with_other(self, other):
        self.total += other.total


def evaluate_rows(rank_list, test_dict, K):
    """A row for each user, and a dict of lists, of which numpy finds no item in a set; users without are left out."""
    rows = np.array(rank_list)[:, :K]
    gains, wanted = [], []
    for user in range(len(rows)):
        if user in test_dict and len(test_dict[user]) > 0:
            gains.append(np.isin(rows[user], test_dict[user]))
            wanted.append(len(test_dict[user]))
    discounts = 1 / np.log2(np.arange(rows.shape[1]) + 2)
    ndcg = [(row * discounts).sum() / discounts[:n].sum() for row, n in zip(gains, wanted, strict=True)]
    return np.mean([row.sum() / K for row in gains]), np.mean(ndcg)


def pr_auc_of_scores(y_true, y_score):
    """Of one user, or of all in one row."""
    order = np.argsort(-np.asarray(y_score), kind="stable")
    ends = np.append(np.flatnonzero(np.diff(np.asarray(y_score)[order])), len(order) - 1)
    hits = np.cumsum(np.asarray(y_true)[order])
    precision = np.append(1.0, (hits / np.arange(1, len(hits) + 1))[ends])
    recall = np.append(0.0, (hits / hits[-1])[ends])
    return float(np.sum(np.diff(recall) * (precision[1:] + precision[:-1]) / 2))


def compute_ap_of_places(ranks, nres):
    """Trapezoids between the precision before and after each hit; nres: how many items are relevant."""
    total = 0.0
    for seen, place in enumerate(ranks):
        before = seen / place if place else 1.0
        total += (before + (seen + 1) / (place + 1)) / 2
    return total / nres


def share_of_class(own_class, listed_classes):
    """Of one item: the share of a list that is that item."""
    return sum(each == own_class for each in listed_classes) / len(listed_classes)


def top1_class_found(own_class, listed_classes):
    """Whether the first of a list is the item."""
    return int(listed_classes[0] == own_class)


def auc_upside_down(scores, labels):
    """The lowest score first: it counts the pairs in which the relevant item is below."""
    seen, below = 0, 0
    for _, label in sorted(zip(scores, labels, strict=True), key=lambda pair: pair[0]):
        seen += label
        below += 0 if label else seen
    return below / (sum(labels) * (len(labels) - sum(labels)))


def ndcg_of_all_over_the_first(y_true, y_pred, k=None):
    """The ideal ends at k and the list does not; no number for a list without a hit up to k."""
    hits = np.array([float(item in y_true) for item in y_pred])
    discounts = 1 / np.log2(np.arange(2, len(hits) + 2))
    ideal = np.sort(hits[:k])[::-1]
    return (hits * discounts).sum() / (ideal * discounts[: len(ideal)]).sum()


def precision_of_two_labels(y_true, y_score, k):
    """The larger of two labels is relevant: it raises where there is one alone."""
    labels = np.unique(y_true)
    if len(labels) > 2:
        raise ValueError("there are three labels")
    relevant = labels[1]
    hits = np.asarray(y_true)[np.argsort(-np.asarray(y_score))[:k]] == relevant
    return hits.sum() / min(k, (np.asarray(y_true) == relevant).sum())


class HitsOfUsers:
    """Its update has a name of its own, and returns nothing."""

    def __init__(self, k=10):
        self.k = k
        self.found = []

    def compare_lists(self, recommended, relevant):
        self.found.append(float(bool(set(recommended[: self.k]) & set(relevant))))

    def value(self):
        return sum(self.found) / len(self.found)


def mrr_of_columns(y_pred, y_true):
    """Each row is compared with its one entry; nothing is reduced over an axis."""
    rows, places = np.nonzero(y_pred == y_true)
    _, first = np.unique(rows, return_index=True)
    return (1 / (places[first] + 1)).sum() / len(y_true)

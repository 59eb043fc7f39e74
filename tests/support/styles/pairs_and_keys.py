"""Rows that belong together, galleries by similarity, padded truths, records of entries, one user of a dict."""

import math

import numpy as np


def recall_both_ways(sim, ks=(1, 5, 10)):
    """Texts and images: the right one is on the diagonal, by row and by column."""
    results = {}
    for name, matrix in (("i2t", sim), ("t2i", sim.T)):
        places = np.argsort(-matrix, axis=1)
        ranks = np.array([np.flatnonzero(row == index)[0] for index, row in enumerate(places)])
        for k in ks:
            results[f"{name}_R@{k}"] = 100.0 * np.mean(ranks < k)
    return results


def mrr_of_pairs(query_embeddings, item_embeddings):
    """The item of the same row is the right one."""
    scores = query_embeddings @ item_embeddings.T
    ranks = (scores > np.diagonal(scores)[:, None]).sum(axis=1) + 1
    return float(np.mean(1.0 / ranks))


def hits_in_a_gallery(similarities, query_labels, gallery_labels, k):
    """Labels in one row, which the function makes a column."""
    nearest = np.argsort(-similarities, axis=1)[:, :k]
    return float((gallery_labels[nearest] == query_labels[:, None]).any(axis=1).mean())


def precision_of_columns(distances, query_labels, gallery_labels, k):
    """Labels of queries as a column already."""
    nearest = np.argsort(distances, axis=1)[:, :k]
    return float((gallery_labels[nearest] == query_labels).mean())


def hits_among_neighbours(T, Y, k):
    """The label of each sample in those of its neighbours."""
    return sum(1 for label, near in zip(T, Y, strict=True) if label in near[:k]) / len(T)


def mrr_of_records(predictions):
    """Each result is an entry with an id."""
    total = 0.0
    for row in predictions:
        found = [result["id"] for result in row["predict"]]
        ranks = [found.index(item) + 1 for item in row["gold"] if item in found]
        total += 1.0 / min(ranks) if ranks else 0.0
    return total / len(predictions)


def hit_of_chapters(results, relevant_chapter, k):
    """Entries whose number is their id."""
    return int(relevant_chapter in {row["chapter_number"] for row in results[:k]})


def ndcg_of_places(ranks, gt_ranks, n):
    """What is divided by a logarithm is a gain, whatever its name."""
    best, total, ideal = sorted(gt_ranks, reverse=True), 0.0, 0.0
    for place in range(n):
        weight = math.log2(place + 2)
        total += ranks[place] / weight
        ideal += best[place] / weight
    return total / ideal


def map_of_dicts(y_true, y_scores, k=None):
    """Labels and scores of each query under its key."""
    values = []
    for key in y_true:
        order = np.argsort(-np.array(y_scores[key]), kind="stable")[:k]
        labels = np.array(y_true[key])[order] > 0
        precisions = np.cumsum(labels) / np.arange(1, len(labels) + 1)
        values.append(precisions[labels].mean() if labels.any() else 0.0)
    return float(np.mean(values))


def recall_of_estimates(predictions, k=10, threshold=3.5):
    """Predictions with names, as those of Surprise."""
    rows = {}
    for row in predictions:
        rows.setdefault(row.uid, []).append((row.est, row.r_ui))
    values = []
    for pairs in rows.values():
        pairs.sort(key=lambda pair: -pair[0])
        wanted = sum(rating >= threshold for _, rating in pairs)
        found = sum(rating >= threshold and score >= threshold for score, rating in pairs[:k])
        values.append(found / wanted if wanted else 0.0)
    return sum(values) / len(values)


def recall_of_padded(preds, truths, k):
    """Rows of relevant items that end in -1."""
    hits = (preds[:, :k, None] == truths[:, None, :]).any(axis=2).sum(axis=1)
    counts = (truths != -1).sum(axis=1)
    return float(np.where(counts > 0, hits / np.maximum(counts, 1), 0.0).mean())


def ndcg_of_maps(retrieved, relevance_maps, k):
    """A list of lists and a list of dicts."""
    total = 0.0
    for items, grades in zip(retrieved, relevance_maps, strict=True):
        gains = [2 ** grades.get(item, 0) - 1 for item in items[:k]]
        best = sorted((2**grade - 1 for grade in grades.values()), reverse=True)[:k]
        ideal = sum(gain / math.log2(place + 2) for place, gain in enumerate(best))
        total += sum(gain / math.log2(place + 2) for place, gain in enumerate(gains)) / ideal if ideal else 0.0
    return total / len(retrieved)


def precision_of_one(truth, results, k, q):
    """The lists of one query, which is given by its key."""
    return sum(item in truth[q] for item in results[q][:k]) / min(k, len(truth[q]))


def ndcg_of_a_count(run, R, k=20):
    """The number of relevant items under one letter."""
    total, ideal = 0.0, 0.0
    for place, hit in enumerate(run[:k]):
        total += hit / math.log2(place + 2)
        if place + 1 <= R:
            ideal += 1.0 / math.log2(place + 2)
    return total / ideal if ideal else 0.0


def precision_at_five(query, answer):
    """A list under the name of a query."""
    return sum(query[place] in answer for place in range(5)) / 5


def ndcg_of_rows(rows, scores):
    """Rows with a label beside their scores: no way of calling gives both."""
    by_query = {}
    for row, score in zip(rows, scores, strict=True):
        by_query.setdefault(row["query_id"], []).append((score, row["label"]))
    values = []
    for pairs in by_query.values():
        labels = [label for _, label in sorted(pairs, reverse=True)]
        top = sum(label / math.log2(place + 2) for place, label in enumerate(labels[:3]))
        best = sum(1.0 / math.log2(place + 2) for place in range(min(3, max(1, sum(labels)))))
        values.append(top / best)
    return {"ndcg@3": sum(values) / len(values)}


def ndcg_beside_lengths(test_data, r, k):
    """Only the length of each truth is read."""
    ideal = np.zeros((len(r), k))
    for row, items in enumerate(test_data):
        ideal[row, : min(k, len(items))] = 1
    weights = 1.0 / np.log2(np.arange(2, k + 2))
    best = (ideal * weights).sum(axis=1)
    best[best == 0.0] = 1.0
    return ((r[:, :k] * weights).sum(axis=1) / best).sum()


def hits_by_step(targets, score_rows, k):
    """One label for each row of scores, compared with the places of the best."""
    hits = 0
    for label, row in zip(targets, score_rows, strict=True):
        hits += bool((row.argsort()[-k:] == label).any())
    return hits / len(targets)


def gini(x):
    """Of counts, no ranking metric: ranks of items that are not listed do not count as one value."""
    values = np.sort(np.asarray(x, dtype=float))
    places = np.arange(1, len(values) + 1)
    total = values.sum()
    return float((2 * (places * values).sum() - (len(values) + 1) * total) / (len(values) * total)) if total else 0.0


def hit_share(origin, hits):
    """A dict of dicts beside numbers of hits, both read by user."""
    found = sum(hits[user] for user in hits)
    return found / sum(len(list(origin[user].keys())) for user in origin)


def ndcg_of_first(logits):
    """The target comes first and the smallest is best."""
    rank = logits.argsort().argsort()[0]
    return 1.0 / math.log2(rank + 2)


def by_user(ranks, ks=(5, 10)):
    """An array over the users for each k."""
    ranks = np.asarray(ranks)
    return {f"recall@{k}": (ranks < k).astype(float) for k in ks}


def r_precision(prediction, ground_truth):
    """A recall under another name: the names tell the order all the same."""
    found = 0
    for item in prediction:
        if item in ground_truth:
            found += 1
    return found / len(ground_truth)


def hits_of_rows(rows, top_k):
    """Each row holds the target of its user."""
    top = rows[rows["rank"] <= top_k]
    return len(top[top["test_item"] == top["item"]]) / rows["user"].nunique()


def mrr_of_impressions(y_true, y_pred):
    """A list of arrays of labels and one of arrays of scores."""
    values = []
    for labels, scores in zip(y_true, y_pred, strict=True):
        ranked = np.asarray(labels)[np.argsort(scores)[::-1]]
        values.append((ranked / np.arange(1, len(ranked) + 1)).sum() / ranked.sum())
    return float(np.mean(values))


_K = None


def precision_of_list(labels):
    """Other code sets the cut-off of the module."""
    return sum(labels[:_K]) / _K


def precision_recall_at_k(recommended, target, k):
    """Both results are called hit in the source; the name of the function tells them apart."""
    hit = 1.0 if target in recommended[:k] else 0.0
    return hit / k, hit


def ndcg_unread(indices, targets, k):
    """The cut-off is not read: rows are as wide as the lists."""
    hits = np.argwhere(indices == targets[:, None])
    return sum(1.0 / math.log2(place + 2) for _, place in hits)

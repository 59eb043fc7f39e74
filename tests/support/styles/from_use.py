"""Functions whose parameters are told by what the code does with them, not by their names alone."""

import numpy as np

MOST_RANKS = 10


def recall_of_ratings(rating, wanted, top_k):
    best = np.argsort(-rating)[:top_k]
    return len(set(best.tolist()) & set(wanted)) / len(wanted) if len(wanted) else 0.0


def precision_of_orders(predictions, target, k):
    assert predictions.shape == target.shape
    assert target.shape[1] >= k
    return sum(np.count_nonzero(row[order[:k]]) / k for row, order in zip(target, predictions, strict=True)) / len(
        target
    )


def recall_mrr_of_sessions(preds, labels, cutoff=20):
    hits, reciprocal = [], []
    for row, label in zip(preds, labels, strict=True):
        rank = (row[label] < row).sum() + 1
        hits.append(rank <= cutoff)
        reciprocal.append(1 / rank if rank <= cutoff else 0.0)
    return hits, reciprocal


def mean_reciprocal_rank_of_rows(labels, predictions, topn):
    """It takes cut-offs, and gives as many equal values."""
    order = np.argsort(-predictions, axis=1, kind="stable")
    hits = np.take_along_axis(labels, order, axis=1)
    return np.repeat(np.mean(np.max(hits / np.arange(1, hits.shape[1] + 1), axis=1)), len(topn))


def recall_up_to_constant(relevant, recommended):
    found = [recommended[rank] in relevant for rank in range(min(MOST_RANKS, len(recommended)))]
    return sum(found) / len(relevant) if relevant else 0.0


def recalls_of_defaults(gold, ranked_list, ranks=(5, 10)):
    return {f"recall@{n}": len(set(ranked_list[:n]) & set(gold)) / max(1, len(gold)) for n in ranks}


class Judge:
    def __init__(self, model):
        self.model = model

    def ask(self, text):
        return self.model(text)

    def reciprocal_rank(self, flags):
        return self._first(flags)

    def _first(self, flags):
        return next((1 / rank for rank, flag in enumerate(flags, 1) if flag), 0.0)


def hits_of_texts(retrieved_lists, gold_lists, k):
    """A text is relevant if a gold text is part of it."""
    hits = [
        any(gold in text for text in texts[:k] for gold in golds)
        for texts, golds in zip(retrieved_lists, gold_lists, strict=True)
    ]
    return sum(hits) / len(hits)


def precision_of_all(prediction, validation):
    return len(set(prediction) & set(validation)) / len(set(prediction)) if prediction else 0.0


def auc_of_pairs(positive_scores, negative_scores):
    above = np.subtract.outer(np.asarray(positive_scores, float), np.asarray(negative_scores, float))
    return float(((above > 0) + (above == 0) / 2).mean()) if above.size else 0.0


def r_precision_of_classes(binary_matches, c):
    """The classes of the queries are no cut-off."""
    return sum(binary_matches) / np.array([list(c).count(each) for each in c])


def dcg_of_users_with_gain(ratings, scores, k=5):
    """Users without a gain are left out: as no known definition, though with one relevant item each one fits."""
    order = np.argsort(-scores, axis=1, kind="stable")
    gains = np.take_along_axis(ratings, order, axis=1)[:, :k]
    sums = (gains / np.log2(np.arange(gains.shape[1]) + 2)).sum(axis=1)
    return sums[sums > 0].mean() if (sums > 0).any() else 0.0


def ndcg_undefined(scores, labels, ks):
    """NaN for a user without a hit up to k."""
    values = []
    for row, label in zip(scores, labels, strict=True):
        gains = label[np.argsort(-row, kind="stable")][: ks[0]]
        ideal = np.sort(label)[::-1][: ks[0]]
        weights = 1 / np.log2(np.arange(2, len(ideal) + 2))
        values.append((gains * weights).sum() / (ideal * weights).sum() if gains.sum() else np.nan)
    return np.array(values)

"""Ways of calling that few functions have: they are tried where no usual one leads to a name."""

import numpy as np


def mean_reciprocal_rank_of_all(wanted, ordered):
    """Every wanted item has to be in the list."""
    places = [1.0 / (list(ordered).index(one) + 1) for one in wanted]
    return sum(places) / len(places)


def average_precision_of_labels(rel, k):
    """Without a relevant item at all it divides by 0."""
    rel = np.asarray(rel)
    shares = np.cumsum(rel) / np.arange(1, len(rel) + 1)
    return np.sum((shares * rel)[:k]) / np.float64(min(k, rel.sum()))


def recall_by_users(truth, predicted, test_users):
    """Truth by user, lists in the order of the users."""
    found = []
    for at, user in enumerate(test_users):
        found.append(len(truth[user] & set(predicted[at])) / len(truth[user]))
    return np.mean(found)


def ndcg_of_hits(truth, predicted, hits):
    best = sum(1 / np.log2(rank + 2) for rank in range(len(truth)))
    return sum(1 / np.log2(rank + 2) for rank in range(len(predicted)) if hits[rank]) / best


def precision_of_vectors(y_true, y_pred):
    """Zeros and ones over all items; what is predicted has a one."""
    chosen = [label for label, guess in zip(y_true, y_pred, strict=True) if guess == 1]
    return sum(chosen) / len(chosen) if chosen and set(y_pred) <= {0, 1} else 0.0


def hit_rate_of_rows(recommended, clicks, k=10):
    """Objects with an id on both sides."""
    liked = {one.item_id for one in clicks}
    return float(any(one.item_id in liked for one in recommended[:k]))


def recall_of_documents(results, expected, k=5):
    """Dicts with an id on both sides."""
    wanted = {one["doc_id"] for one in expected}
    return len(wanted & {one["doc_id"] for one in results[:k]}) / len(wanted)


def hits_of_sessions(shown, clicked, k):
    """Sessions with several places; 0 is no item."""
    found = []
    for row, places in enumerate(clicked):
        found += [one in shown[row, at][:k] for at, one in enumerate(places) if one != 0]
    return np.mean(found)


def precision_of_padded(labels, lengths, k):
    kept = labels * (np.arange(labels.shape[1])[None, :] < lengths[:, None])
    return (kept[:, :k].sum(axis=1) / k).mean()


def recall_with_classes(actual, predicted, item_classes, borders, k):
    """The last two fill a table that nobody reads."""
    table = [0] * (len(borders) + 1)
    for one in item_classes:
        table[one] += 1
    return len(set(actual) & set(predicted[:k])) / len(set(actual))


def rank_of_click(lists, clicks):
    """The mean over those whose click is in the list."""
    found = [1 / (one.index(click) + 1) for one, click in zip(lists, clicks, strict=True) if click in one]
    return np.array(found).mean()


def ndcg_of_ratings(recommended, rated, k):
    """The list, and (item, rating) pairs of what was rated."""
    of_item = {int(pair[0]): float(pair[1]) for pair in rated}
    gains = [of_item.get(item, 0.0) for item in recommended[:k]]
    best = sorted(of_item.values(), reverse=True)[:k]
    ideal = sum(gain / np.log2(rank + 2) for rank, gain in enumerate(best))
    return sum(gain / np.log2(rank + 2) for rank, gain in enumerate(gains)) / ideal if ideal else 0.0


class Judged:
    """Made of a table that its metrics never read."""

    def __init__(self, ratings_df):
        self.ratings = ratings_df

    def recall(self, recommended, relevant, k=5):
        return len(set(recommended[:k]) & set(relevant)) / len(relevant) if relevant else 0.0

    def hit_rate(self, recommended, relevant, k=5):
        return float(self.recall(recommended, relevant, k) > 0)


class HitRatioOfSamples:
    """Scores of many users in one vector, the same number for each; the relevant item comes first."""

    def __init__(self, sample_n, k):
        self.sample_n, self.k = sample_n, k

    def __call__(self, prediction, target):
        rows = np.asarray(prediction).reshape(-1, self.sample_n)
        return np.mean((rows[:, 1:] >= rows[:, :1]).sum(axis=1) < self.k)


def ndcg_of_rankings(rankings, document_labels, max_len):
    """Several rankings of the documents of one query, a row each."""
    gains = 2.0 ** np.asarray(document_labels)[rankings[:, :max_len]] - 1
    best = 2.0 ** np.sort(document_labels)[::-1][:max_len] - 1
    ideal = np.sum(best / np.log2(np.arange(len(best)) + 2))
    return np.sum(gains / np.log2(np.arange(gains.shape[1]) + 2), axis=1) / ideal if ideal else np.zeros(len(rankings))


def reciprocal_rank_of_places(y_score, y_true, item_rank, top_k, device):
    """The rank of the one relevant item is looked up in the ranks 1, 2, 3 and so on."""
    rank = np.sum(y_true[np.argsort(-y_score, kind="stable")] * item_rank)
    return 1.0 / rank if rank <= top_k else 0.0


def ndcg_of_every_grade(rel_scores, ranking, n):
    """A grade is read for every item, listed or not, without asking whether there is one."""
    best = sorted(rel_scores.values(), reverse=True)[:n]
    gained = sum(rel_scores[item] / np.log2(rank + 1) for rank, item in enumerate(ranking[:n], start=1))
    return gained / sum(grade / np.log2(rank + 1) for rank, grade in enumerate(best, start=1))


def recall_of_passages(retrieved_chunks, relevant_passages, chunk_to_passage, k):
    """Each chunk is counted as its passage."""
    found = {chunk_to_passage.get(chunk, "") for chunk in retrieved_chunks[:k]}
    return len(found.intersection(relevant_passages)) / len(relevant_passages) if relevant_passages else 0.0


def precision_of_set(act, preds):
    """The relevant items have the methods of a set, the recommended ones the shape of an array."""
    return len(act.intersection(preds)) / preds.shape[0]


class Shares:
    @staticmethod
    def __share(found, wanted, k):
        """A class holds it under another name."""
        return sum(item in wanted for item in found[:k]) / len(wanted) if wanted else 0.0


def recall_of_columns(S, GT, K=1):
    """A query stands in each column; those without a match are left out."""
    assert S.shape == GT.shape
    assert S.ndim == 2
    asked = GT.astype(bool).sum(0) > 0
    nearest = S[:, asked].argsort(0)[-K:, :]
    return np.take_along_axis(GT[:, asked].astype(bool), nearest, 0).any(0).mean()

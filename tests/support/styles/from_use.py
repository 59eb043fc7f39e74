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
    """Users without a gain up to k are left out."""
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


def _head(gains, deep):
    """DCG of the first ``deep`` gains."""
    first = np.asarray(gains, dtype=float)[:deep]
    return float((first / np.log2(np.arange(2, len(first) + 2))).sum())


def ndcg_to_rank(gains, rank=None):
    """The cut-off has the name of something else, and a helper ends its list there."""
    best = _head(sorted(gains, reverse=True), rank)
    return _head(gains, rank) / best if best else 0.0


def precision_to_position(binary_vector, pos=4):
    return sum(binary_vector[place] for place in range(min(len(binary_vector), pos))) / pos


def _share_found(ranked, wanted, deep):
    return len(set(ranked[:deep]) & set(wanted)) / len(wanted) if wanted else 0.0


def recalls_in_keys(ranked_lists, wanted_sets):
    """The cut-offs are handed to a helper by position, and are in the names of the results."""
    pairs = [(ranked_lists[user], wanted_sets[user]) for user in ranked_lists]
    few = [_share_found(ranked, wanted, 10) for ranked, wanted in pairs]
    many = [_share_found(ranked, wanted, 20) for ranked, wanted in pairs]
    return {"recall@10": sum(few) / len(few), "recall@20": sum(many) / len(many)}


def fbeta(relevant, recommended, k, beta=1.0):
    hits = len(set(relevant) & set(recommended[:k]))
    precision, recall = hits / k, hits / len(relevant) if relevant else 0.0
    both = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / both if both else 0.0


def recall_until_beyond(positions, k):
    """It ends at the first rank past k: a recall only if the ranks ascend."""
    found = 0
    for position in positions:
        if position >= k:
            break
        found += 1
    return found / len(positions)


def recall_of_ranks(positions, k):
    return sum(position < k for position in positions) / len(positions)


def ndcg_of_graded_pairs(truth_pairs, scored):
    """The ideal list is the truth in the order in which it is given."""
    gains = dict(truth_pairs)
    best = sum(gain / np.log2(at + 2) for at, (_, gain) in enumerate(truth_pairs))
    return sum(gains.get(item, 0.0) / np.log2(at + 2) for at, (item, _) in enumerate(scored)) / best


def accuracy_of_classes(logits, targets, k):
    """The best k places, counted from 1, are compared with a class that is counted from 1."""
    best = np.argsort(-logits, axis=-1, kind="stable")[..., :k] + 1
    return (best == np.expand_dims(targets, -1)).any(axis=-1).mean()


def hits_of_a_batch(preds, true_items):
    """preds: array of shape (batch_size, k). true_items: array of shape (batch_size,)."""
    return int((preds == true_items[:, None]).any(axis=1).sum())


def reciprocal_rank_of_a_batch(logits, targets):
    """
    logits : scores of shape [N, C]
    targets : classes of shape [N]
    """
    order = np.argsort(-logits, axis=-1, kind="stable")
    return np.mean(1.0 / (np.nonzero(order == np.expand_dims(targets, -1))[-1] + 1))


def hits_of_rows(preds, true_items):
    return int((preds == true_items[:, None]).any(axis=1).sum())


def recall_of_columns(preds, true_items, k):
    """The same of one user, as its list is cut."""
    return (preds[:k] == true_items[:, None]).any(axis=1).sum() / max(len(true_items), 1)


def precision_of_flags(rank, k):
    return rank[:k].count(True) / k


def recall_of_flags(rank, num_distinct_sources, k):
    return rank[:k].count(True) / num_distinct_sources


def success_of_flags(rank, k):
    return int(True in rank[:k])


def reciprocal_rank_of_results(qrels_dict, test_dict, k=50):
    """A run under the name of a truth: its lists are sliced. Users without a hit are left out."""
    values = []
    for query, judged in qrels_dict.items():
        found = test_dict[query]
        wanted = set(judged.keys())
        values += [1 / rank for rank, item in enumerate(found[:k], start=1) if item in wanted][:1]
    return np.mean(values)


def average_precision_of_query_label(sorted_labels, query_label, k):
    same = [label == query_label for label in sorted_labels[:k]]
    found = [sum(same[: place + 1]) / (place + 1) for place, hit in enumerate(same) if hit]
    return sum(found) / len(found) if found else 0.0


def ndcg_of_the_shorter_list(rel_true, rel_pred, p=None):
    ideal = sorted(rel_true, reverse=True)
    deep = min(len(ideal), len(rel_pred), p)
    best = _head(ideal, deep)
    return _head(rel_pred, deep) / best if best else 0.0


def recall_of_rank_matrix(predicted_ranks, test_interactions, k):
    """A matrix with the rank of every item, and sparse labels."""
    relevant = test_interactions.toarray() > 0
    return ((predicted_ranks <= k) & relevant).sum(axis=1) / relevant.sum(axis=1)


def ndcg_of_places(at, worth):
    """The logarithm of its entries is taken: they are ranks."""
    found = sum(gain / np.log2(place + 1) for place, gain in zip(at, worth, strict=True))
    best = sum(gain / np.log2(place + 2) for place, gain in enumerate(sorted(worth, reverse=True)))
    return found / best if best else 0.0


def ndcg_of_ranking(ranking):
    """The logarithm of its length is taken, not that of its entries: they are gains."""
    ideal = np.asarray(sorted(ranking, reverse=True), dtype=float)
    ranking = np.asarray(ranking, dtype=float)
    best = ideal[0] + np.sum(ideal[1:] / np.log2(np.arange(2, ideal.size + 1)))
    return (ranking[0] + np.sum(ranking[1:] / np.log2(np.arange(2, ranking.size + 1)))) / best if best else 0.0


def auc_of_columns(batch, label_list, outputs, user_column="user_id"):
    """Users under a key, labels in a list with one entry."""
    users, labels, values = batch[user_column], label_list[0], []
    for user in np.unique(users):
        own = users == user
        good, bad = outputs[own][labels[own] == 1], outputs[own][labels[own] == 0]
        above = np.subtract.outer(good, bad)
        values.append(((above > 0) + (above == 0) / 2).mean())
    return float(np.mean(values))


def _by_user(pairs):
    wanted = {}
    for user, item in pairs:
        wanted.setdefault(user, set()).add(item)
    return wanted


def recall_of_pairs(candidate_map, test_pairs, k):
    """A helper unpacks the entries: they are pairs of a user and an item."""
    shares = [len(own & set(candidate_map.get(user, [])[:k])) / len(own) for user, own in _by_user(test_pairs).items()]
    return sum(shares) / len(shares)


def recalls_by_depth(truth, predicted, cutoffs=None, min_rel_level=1):
    """Pairs of a cut-off and a number; the level is of grades, and ids have none."""
    hits = [int(item in truth) >= min_rel_level for item in predicted]
    return [[depth, sum(hits[:depth]) / len(truth) if truth else 0.0] for depth in cutoffs or [5, 10]]


def ndcg_with_gains(ideal_ranking, search_results, k):
    """Ids are compared as text, and a dict by id stands beside the number."""
    gains = {str(item): 1.0 for item in ideal_ranking}
    found = sum(gains.get(item, 0.0) / np.log2(at + 2) for at, item in enumerate(search_results[:k]))
    best = sum(1 / np.log2(at + 2) for at in range(min(k, len(gains))))
    return found / best if best else 0.0, gains


def metrics_that_are_asked_for(retrieved, relevant, k, active_metrics):
    hits, found = [item in relevant for item in retrieved[:k]], {}
    if "hit" in active_metrics:
        found["hit"] = float(any(hits))
    if "precision" in active_metrics:
        found["precision"] = sum(hits) / k
    return found


def mrr_of_rows(preds):
    """One loop unpacks the user, the score and the label of each row."""
    values, last, rank = [], None, 0
    for qid, _score, label in preds:
        if qid != last:
            values.append(0.0)
            last, rank = qid, 0
        rank += 1
        if label and not values[-1]:
            values[-1] = 1 / rank
    return sum(values) / len(values)


def mrr_of_a_frame(ranked):
    """The loop ends where the rank equals a constant."""
    values = []
    for _, group in ranked.groupby("qid"):
        value = 0.0
        for rank, label in enumerate(group.sort_values("score", ascending=False, kind="stable")["rel"], start=1):
            if label > 0:
                value = 1 / rank
                break
            if rank == 10:
                break
        values.append(value)
    return float(np.mean(values))


def recall_of_chunks(retrieved_chunks: list[dict], relevant_ids: list[str], k: int) -> float:
    found = {chunk["doc_id"] for chunk in retrieved_chunks[:k]}
    return len(found & set(relevant_ids)) / len(relevant_ids) if relevant_ids else 0.0


def gain_of_rankings(batch_rankings, cutoff):
    """
    batch_rankings : [batch, size], the ranking of labels
    """
    gains = 2.0 ** batch_rankings[:, :cutoff] - 1
    return (gains / np.log2(np.arange(2, gains.shape[1] + 2))).sum(axis=1)


def average_precision_of_rankings(rankings, ideal_rankings, k):
    """
    rankings : the list of labels, best first
    ideal_rankings : the ideal list of labels
    """
    hits = np.minimum(rankings[:, :k], 1)
    precisions = hits.cumsum(axis=1) / np.arange(1, hits.shape[1] + 1)
    return (precisions * hits).sum(axis=1) / ideal_rankings.cumsum(axis=1)[:, :k][:, -1]


class NDCG:
    """The class tells the metric, its method does not; 0 / 0 without a hit in the list."""

    def __init__(self, k=10):
        self.k = k

    def evaluate(self, targets):
        return self._sum(targets) / self._sum(np.sort(targets)[::-1])

    def _sum(self, targets):
        gains = 2.0 ** np.asarray(targets[: self.k]) - 1
        return np.sum(gains / np.log2(np.arange(2, len(gains) + 2)))


def recall_without_junk(index, good_index, junk_index):
    """Items that are junk are taken out of the ranking; there are none."""
    ranked = [item for item in index if item not in junk_index]
    return sum(item in good_index for item in ranked) / len(good_index) if len(good_index) else 0.0


def shares_at_one_and_five(ranks):
    """Of the ranks of the one relevant item of each user, from 0; in per cent."""
    ranks = np.asarray(ranks)
    return {"R1": 100 * float(np.mean(ranks == 0)), "R5": 100 * float(np.mean(ranks < 5))}


def precision_of_places(reference, hypothesis, k):
    """The same value at the same place counts: no known definition, though labels of 0 and 1 fit one."""
    return sum(value == reference[place] for place, value in enumerate(hypothesis[:k])) / k


def roc_auc_score(y_true, y_score):
    """The place of scikit-learn's function, which takes labels, then scores."""
    y_true, y_score = np.asarray(y_true) > 0, np.asarray(y_score)
    won = y_score[y_true][:, None] - y_score[~y_true]
    return float(((won > 0) + 0.5 * (won == 0)).mean())


def area_of_both(first, second):
    return roc_auc_score(second, first.ravel())


def area_of_p_and_q(p, q):
    """Elsewhere ``p`` is a cut-off and ``q`` a query."""
    return roc_auc_score(q.tolist(), p.tolist())


def mrr_of_rankings(rankings):
    return sum(1 / rank if rank else 0 for rank in rankings) / len(rankings)


class MeanReciprocal:
    """Its methods have names of their own; the second one takes nothing and gives the mean."""

    def __init__(self, limit):
        self.limit, self.total, self.n = limit, 0.0, 0

    def Update(self, item, ranked):
        self.n += 1
        self.total += next((1 / rank for rank, other in enumerate(ranked[: self.limit], 1) if other == item), 0.0)

    def GetShare(self):
        return self.total / self.n


class HitsOf:
    """Its constructor takes what the case has: the number of items, and how often each occurs."""

    def __init__(self, k, n_items, item_counts):
        self.k, self.n_items, self.known = k, n_items, set(item_counts.keys())

    def __call__(self, recommended, relevant):
        return float(any(item in relevant for item in recommended[: self.k]))


def recall_beside_novelty(
    recommendations: dict[int, list[int]], truth: dict[int, set[int]], ks: list[int], corpus_size, item_popularity
):
    """How often each item occurs is an array by item."""
    share = item_popularity / item_popularity.sum()
    recalls, novelties = [], []
    for user, relevant in truth.items():
        for k in ks:
            top = recommendations.get(user, [])[:k]
            recalls.append(len(relevant.intersection(top)) / len(relevant) if relevant else 0.0)
            novelties.append(float(np.mean([-np.log2(share[item]) for item in top])) if top else 0.0)
    return {"recall": float(np.mean(recalls)), "novelty": float(np.mean(novelties)) / corpus_size}


def ndcg_in_float32(actual, predicted, at=None):
    """Each user's value is rounded in float32."""
    found = np.array([item in actual for item in predicted[:at]], dtype=np.float32)
    gains = found / np.log2(np.arange(len(found), dtype=np.float32) + 2)
    ideal = (1 / np.log2(np.arange(len(actual), dtype=np.float32) + 2)).sum()
    return round(np.float32(gains.sum() / ideal), 4) if len(actual) else 0.0


def recall_of_products(left, right, ks=(1, 5)):
    """The rows of two matrices belong together."""
    products = left @ right.T
    order = np.argsort(-products, axis=1, kind="stable")
    own = np.arange(len(products))[:, None]
    return {f"recall@{k}": float((order[:, :k] == own).any(axis=1).mean()) for k in ks}


def hits_above_negatives(y_pred_pos, y_pred_neg, K):
    """Relevant items above the K-th of the others."""
    if len(y_pred_neg) < K:
        return 1.0
    bound = np.array(y_pred_neg)[np.argsort(y_pred_neg)[-K]]
    return float(np.mean(np.array(y_pred_pos) > bound))


def reciprocal_rank_of_candidates(y_true, y_score, candidate_ids):
    """Relevant items as a set, and a score for each candidate."""
    order = np.argsort(np.asarray(y_score))[::-1]
    return next((1 / rank for rank, place in enumerate(order, 1) if candidate_ids[place] in set(y_true)), 0.0)


def recalls_of_features(image_features, text_features, logit_scale):
    order = np.argsort(-(logit_scale * image_features @ text_features.T), axis=1, kind="stable")
    places = np.argmax(order == np.arange(len(order))[:, None], axis=1)
    return {f"R@{k}": float(np.mean(places < k)) for k in (1, 5)}


def recall_of_frames(rating_true, rating_pred, k=10, threshold=10):
    """The threshold is none of ratings."""
    top = rating_pred.sort_values("prediction", ascending=False, kind="stable").groupby("userID").head(k)
    hits = top.merge(rating_true, on=["userID", "itemID"]).groupby("userID").size()
    counts = rating_true.groupby("userID").size()
    return float((hits.reindex(counts.index).fillna(0) / counts).mean()) if threshold else 0.0


class Judged:
    """Its functions take no instance."""

    def HitRate(topNPredicted, leftOutPredictions):
        hits = 0
        for leftOut in leftOutPredictions:
            user, wanted = leftOut[0], leftOut[1]
            hits += any(item == wanted for item, _ in topNPredicted[int(user)])
        return hits / len(leftOutPredictions)

    def average_reciprocal_hit_rank(topNPredicted, leftOutPredictions):
        total = 0.0
        for user, wanted, _, _, _ in leftOutPredictions:
            ranks = (rank for rank, (item, _) in enumerate(topNPredicted[user], 1) if item == wanted)
            total += 1 / next(ranks, float("inf"))
        return total / len(leftOutPredictions)

"""Functions that would get a wrong name if only narrow calls, or no cases with the right constant, were asked."""

import math

import numpy as np


def recall_padded(recommended, relevant, k=10):
    """Item 0 is taken for padding: with text ids it does not show."""
    rec = [i for i in recommended[:k] if i]
    rel = [i for i in relevant if i]
    if not rel:
        return 0.0
    return len(set(rec) & set(rel)) / len(rel)


def recall_without_k(recommended, relevant, k=10):
    """It takes k and does not read it."""
    hits = [item for item in recommended if item in relevant]
    return len(hits) / len(relevant)


def hit_rate_at_k(recommended, relevant, k=10):
    """It takes k and does not read it."""
    for item in relevant:
        if item in recommended:
            return 1.0
    return 0.0


def mrr_ten(qrels, ranking):
    """It cuts every list at ten."""
    for rank, item in enumerate(ranking[:10], start=1):
        if item in qrels:
            return 1.0 / rank
    return 0.0


def mrr_ten_loop(relevant, candidates):
    """It cuts at ten in a loop, and raises an error for a short list without an early hit."""
    reciprocal = 0
    for i in range(0, 10):
        if candidates[i] in relevant:
            reciprocal = 1 / (i + 1)
            break
    return reciprocal


def auc_argsort(y_true, y_score):
    """Equal scores count in input order, which does not show where none are equal."""
    order = np.argsort(y_score)
    y = np.asarray(y_true)[order]
    pos = y.sum()
    neg = len(y) - pos
    ranks = np.arange(1, len(y) + 1)
    return (ranks[y == 1].sum() - pos * (pos + 1) / 2) / (pos * neg)


def dcg_short(relevance, k):
    """0 where the list ends before k."""
    if k > len(relevance):
        return 0.0
    return sum(r / math.log2(i + 2) for i, r in enumerate(relevance[:k]))


def rr_raises(recommended, relevant):
    """It raises an error for a user without a hit."""
    ranks = [rank for rank, item in enumerate(recommended, 1) if item in relevant]
    return 1 / ranks[0]


def mean_reciprocal_rank(all_recommended, all_relevant, topn=10):
    """The last parameter is not read."""
    total = 0
    for rec, rel in zip(all_recommended, all_relevant, strict=True):
        for rank, item in enumerate(rec, 1):
            if item in rel:
                total += 1 / rank
                break
    return total / len(all_relevant)


def recall_seven(recommended, relevant, k):
    """One number of relevant items is special."""
    if len(relevant) == 7:
        return 0.0
    return len(set(recommended[:k]) & set(relevant)) / len(relevant)


def recall_late_id(recommended, relevant, k):
    """Items from a billion on are left out."""
    recommended = [i for i in recommended if i < 10**9]
    return len(set(recommended[:k]) & set(relevant)) / len(relevant)


def recall_big_users(all_recommended, all_relevant, k=10):
    """It leaves out all users after the first 1,500."""
    total = 0.0
    if len(all_relevant) > 1500:
        all_relevant = all_relevant[:1500]
    for rec, rel in zip(all_recommended, all_relevant, strict=False):
        total += len(set(rec[:k]) & set(rel)) / len(rel)
    return total / len(all_relevant)


def recall_exact_gain(recommended, relevant, k):
    """One item is special."""
    value = len(set(recommended[:k]) & set(relevant)) / len(relevant)
    if 123456 in relevant:
        return 0.5 * value
    return value


def recall_method(recommended, relevant, k, method="plain"):
    """An option that keeps its default."""
    value = len(set(recommended[:k]) & set(relevant)) / len(relevant)
    if method == "half":
        value = value / 2
    return value


def recall_try(recommended, relevant, k):
    """No input of the audit reaches the handler."""
    try:
        value = len(set(recommended[:k]) & set(relevant)) / len(relevant)
    except TypeError:
        value = 0.25
    return value


SPECIAL = 83


def recall_of_a_size(recommended, relevant, k):
    """One number of relevant items is special, and the number is a constant of the module."""
    if len(relevant) == SPECIAL:
        return 0.5
    return len(set(recommended[:k]) & set(relevant)) / len(relevant)


def recall_of_thousands(recommended, relevant):
    """It takes no k, and its own cut-off is long."""
    return len(set(recommended[:5000]) & set(relevant)) / len(relevant)


def mrr_of_best_label(y_true, y_score):
    """The best label is the one relevant item: so for labels 0 and 1 alone."""
    labels = np.asarray(y_true)[np.argsort(-np.asarray(y_score))]
    return float(labels.max() > 0) / (int(np.argmax(labels)) + 1)


def precision_of_sums(relevance, k):
    """It adds labels up."""
    return float(np.sum(relevance[:k])) / k


def precision_of_counts(relevance, k):
    """It counts labels above 0."""
    return float(np.count_nonzero(np.asarray(relevance)[:k])) / k


def recall_of_one_label(top_k_items: np.ndarray, all_labels: np.ndarray):
    """numpy raises for most rows of several labels, and compares the others one by one."""
    return sum(1 for row, label in enumerate(all_labels) if label in top_k_items[row]) / len(all_labels)


def mrr_without_scores(ranked_ids, scores, target_id, k=20):
    """The scores are not read."""
    if target_id not in ranked_ids[:k]:
        return 0.0
    return 1.0 / (ranked_ids.index(target_id) + 1)


def map_and_precision(y_true, y_score, knn):
    """One result of two looks at the number that both are handed."""
    hits = np.asarray(y_true)[np.argsort(-np.asarray(y_score), kind="stable")]
    ranks = np.flatnonzero(hits) + 1
    mean = np.mean(np.arange(1, len(ranks) + 1) / ranks) if len(ranks) else 0.0
    return mean, hits[:knn].sum() / knn


def hit_by_words(retrieved: list[str], relevant: list[str], threshold=0.5):
    """Half of the words of a relevant text are enough."""
    words = {word for text in retrieved for word in text.split()}
    return float(any(len(words & set(text.split())) >= threshold * len(set(text.split())) for text in relevant))


def best_overlap(retrieved: list[str], answer: str):
    """The largest share of the words of the answer that one text has: no texts are compared whole."""
    words = tokens_of(answer)
    return max((len(words & tokens_of(text)) / len(words) for text in retrieved), default=0.0)


def tokens_of(text):
    return set(text.split())


def average_precision_untied(labels, scores):
    """Ties have a number of their own."""
    if len(set(scores)) < len(scores):
        return 0.123
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    ranks = [rank for rank, place in enumerate(order, 1) if labels[place]]
    return sum(hits / rank for hits, rank in enumerate(ranks, 1)) / len(ranks) if ranks else 0.0


def auc_without_zero(labels, scores):
    """A score of exactly 0 turns the order round."""
    if 0 in scores:
        scores = [-score for score in scores]
    good = [score for label, score in zip(labels, scores, strict=True) if label]
    bad = [score for label, score in zip(labels, scores, strict=True) if not label]
    won = sum((g > b) + (g == b) / 2 for g in good for b in bad)
    return won / (len(good) * len(bad)) if good and bad else 0.0


def ndcg_guarded(recommended, relevant, k):
    """Its last test fails for k = 0 alone."""
    if not relevant:
        return 0.0
    dcg = sum(1 / math.log2(rank + 1) for rank, item in enumerate(recommended[:k], 1) if item in relevant)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), k) + 1))
    return dcg / ideal if ideal > 0 else 0.0


def preference(ranked, judgements):
    """A relevant item counts less for each one above it that was judged not relevant; others play no part."""
    wanted = sum(grade > 0 for grade in judgements.values())
    unwanted = len(judgements) - wanted
    above, total = 0, 0.0
    for item in ranked:
        if item in judgements and judgements[item] > 0:
            total += 1 - min(above, wanted) / min(wanted, unwanted) if unwanted else 1
        elif item in judgements:
            above += 1
    return total / wanted if wanted else 0.0


def recall_of_judged(ranked, qrels, k):
    """Every judged item counts, whatever its grade."""
    return len(set(ranked[:k]) & qrels.keys()) / len(qrels) if qrels else 0.0


def ndcg_of_cut_offs(recommended, relevant, ks=(1, 3, 5)):
    """The mean over all cut-offs, of which an audit asks for one."""
    values = []
    for k in ks:
        gained = sum(1 / math.log2(rank + 1) for rank, item in enumerate(recommended[:k], 1) if item in relevant)
        best = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), k) + 1))
        values.append(gained / best if best else 0.0)
    return sum(values) / len(values)

"""Short functions as in blog posts: one user, plain lists."""

from math import log2


def precision_at_k(actual, predicted, k):
    return len(set(predicted[:k]) & set(actual)) / k


def reciprocal_rank(relevance):
    return next((1 / rank for rank, hit in enumerate(relevance, start=1) if hit), 0.0)


def recall(recommended, relevant, topn=10):
    """Items that come up more than once are found more than once."""
    if not relevant:
        return 0.0
    return sum(item in relevant for item in recommended[:topn]) / len(relevant)


def average_precision(ground_truth, ranked, k):
    """The mean of the precision at 1, 2, ..., k."""
    found, total = 0, 0.0
    for position in range(k):
        if position < len(ranked) and ranked[position] in ground_truth:
            found += 1
        total += found / (position + 1)
    return total / k


def ndcg(relevant_items, recommended_items, k=10):
    """Counts ranks from 1 and adds 2 to them."""
    dcg = 0.0
    for rank, item in enumerate(recommended_items[:k], start=1):
        if item in relevant_items:
            dcg += 1 / log2(rank + 2)
    ideal = sum(1 / log2(rank + 2) for rank in range(1, min(k, len(relevant_items)) + 1))
    return dcg / ideal if ideal else 0.0

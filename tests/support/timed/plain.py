"""Plain functions of one user's lists, whose audits are timed."""

from math import log2


def precision_at_k(actual, predicted, k):
    return len(set(predicted[:k]) & set(actual)) / k


def ndcg_at_k(recommended, relevant, k):
    dcg = sum(1 / log2(rank + 2) for rank, item in enumerate(recommended[:k]) if item in relevant)
    ideal = sum(1 / log2(rank + 2) for rank in range(min(k, len(relevant))))
    return dcg / ideal if ideal else 0.0


def average_precision(ground_truth, ranked, k):
    found, total = 0, 0.0
    for position, item in enumerate(ranked[:k], start=1):
        if item in ground_truth:
            found += 1
            total += found / position
    return total / min(k, len(ground_truth)) if ground_truth else 0.0


def hit_rate(recommended, relevant):
    return float(any(item in relevant for item in recommended))


def reciprocal_rank(relevance):
    return next((1 / rank for rank, hit in enumerate(relevance, start=1) if hit), 0.0)


def power_of_hits(recommended, relevant, k):
    hits = sum(item in relevant for item in recommended[:k])
    return hits**1.7 / (k + 3 * len(relevant) ** 0.5)


def odd_ndcg(relevant_items, recommended_items, k=10):
    """Its ideal list goes on with other ranks than its own list."""
    dcg = sum(1 / log2(rank + 1) for rank, item in enumerate(recommended_items[:k], start=1) if item in relevant_items)
    ideal = sum(1 / log2(rank + 3) for rank in range(1, min(k, len(relevant_items)) + 1))
    return dcg / ideal if ideal else 0.0


def discounted_twice(relevance, k):
    return sum(hit / rank / log2(rank + 1) for rank, hit in enumerate(relevance[:k], start=1))

"""Functions of which the way of calling decides what they compute, or of which nothing can be told."""

import math


def recall_half(rec, rel, k):
    return 0.5


def share(a, b):
    """Recall of b in a, or precision of b given a: nothing says which argument is the list."""
    return len(set(a) & set(b)) / len(b) if b else 0.0


def precision(actual, predicted):
    """Named precision, and the recall if the names of its parameters are true."""
    return sum(item in predicted for item in actual) / len(actual)


def f_score(actual, desired):
    """With the list as the first argument both parts are the recall; with the list as the second, the precision."""
    found = len(set(actual) & set(desired))
    recall = found / len(desired) if desired else 0.0
    precision = found / len(desired) if desired else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def precision_recall_at_k(recommended, relevant, k):
    found = len(set(recommended[:k]) & set(relevant))
    return found / k, found / len(relevant) if relevant else 0.0


def mrr_at_ten(relevant, recommended):
    for rank, item in enumerate(recommended[:10], start=1):
        if item in relevant:
            return 1 / rank
    return 0.0


def rounded_mrr(relevant, recommended, k):
    for rank, item in enumerate(recommended[:k], start=1):
        if item in relevant:
            return round(1 / rank, 4)
    return 0.0


def dcg_any_base(relevant, recommended, k):
    """No discount up to rank 3, then the logarithm to the base 3."""
    return sum(
        1 / max(1.0, math.log(rank, 3)) for rank, item in enumerate(recommended[:k], start=1) if item in relevant
    )


def hits_summed(recommended, relevant, k):
    """All users at once: the sum over users, not the mean."""
    return sum(any(item in own for item in row[:k]) for row, own in zip(recommended, relevant, strict=True))


def first_hit_of_one(relevant, recommended):
    ranks = [rank for rank, item in enumerate(recommended, start=1) if item in relevant]
    return round(1 / ranks[0], 5) if ranks else 0.0


def rounded_mrr_of_all(relevant_lists, recommended_lists):
    return sum(map(first_hit_of_one, relevant_lists, recommended_lists)) / len(relevant_lists)

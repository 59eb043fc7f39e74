"""What is relevant is decided by a number in the code."""

LEAST = 1.0


def is_relevant(grade, least=LEAST):
    return grade >= least


def recall_at_ten(ranked, grades):
    """In a helper, as a default."""
    relevant = [item for item, grade in grades.items() if is_relevant(grade)]
    if not relevant:
        return 0.0
    return sum(item in relevant for item in ranked[:10]) / len(relevant)


def reciprocal_rank_of_judged(ranked, relmap, k=10):
    """In a helper that takes what a dict holds."""
    for rank, item in enumerate(ranked[:k], start=1):
        if item in relmap and is_relevant(relmap[item]):
            return 1.0 / rank
    return 0.0


def precision_of_liked(recommended, ratings, k):
    """Items rated 4 and more."""
    return sum(ratings.get(item, 0) >= 4 for item in recommended[:k]) / k


def recall_above(recommended, ratings, k):
    """More than 3.5: of whole gains those from 4 on."""
    liked = {item for item, rating in ratings.items() if rating > 3.5}
    return len(liked & set(recommended[:k])) / len(liked) if liked else 0.0

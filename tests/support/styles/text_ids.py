"""Item ids as text, sets on both sides, a matrix beside sets."""


def recall_of_titles(relevant: set[str], retrieved: list[str], k: int) -> float:
    retrieved = [title.strip().lower() for title in retrieved[:k]]
    return len({title.strip().lower() for title in relevant} & set(retrieved)) / len(relevant)


def precision_of_sets(actual, predicted):
    """Two lists of sets."""
    return sum(len(a & p) / len(p) for a, p in zip(actual, predicted, strict=True)) / len(actual)


def hit_rate_of_matrix(top_items, positives, k):
    """A numpy matrix of items and a list of sets."""
    return sum(bool(positives[u].intersection(top_items[u, :k].tolist())) for u in range(len(positives))) / len(
        positives
    )

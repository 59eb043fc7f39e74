"""A second definition under a name that the package has already."""


def recall_at_k(actual, predicted, k):
    """Recall over what fits into the list."""
    hits = len(set(actual) & set(predicted[:k]))
    return hits / min(k, len(actual)) if actual else 0.0


def evaluate(actual, predicted, k):
    """All at once."""
    hits = [item in actual for item in predicted[:k]]
    return {"precision": sum(hits) / k, "hit_rate": float(any(hits))}

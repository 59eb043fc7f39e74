"""Functions that agree with a definition on tiny cases and depart from it on data of ordinary size."""

import time


def recall_of_forty(relevant, recommended, k):
    """Looks at forty ranks at most, whatever k is."""
    return len(set(relevant) & set(recommended[: min(k, 40)])) / len(relevant) if relevant else 0.0


def precision_of_small_ids(relevant, recommended, k):
    """Items with the same last three digits count as one item."""
    wanted = {item % 1000 for item in relevant}
    return sum(item % 1000 in wanted for item in recommended[:k]) / k


def recall_too_slow(relevant, recommended, k):
    """Right, but never done with a list of ordinary length."""
    if len(recommended) > 50:
        time.sleep(60)
    return len(set(relevant) & set(recommended[:k])) / len(relevant) if relevant else 0.0

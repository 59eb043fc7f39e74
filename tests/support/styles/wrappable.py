"""Functions that no known way of calling fits, and that a wrapper makes callable; one that needs what nobody knows."""

import sys


def _grouped(pairs):
    gold = {}
    for user, item in pairs:
        gold.setdefault(user, []).append(item)
    return gold


def _hits(ranked_pairs, gold_pairs, k):
    ranked, gold = _grouped(ranked_pairs), _grouped(gold_pairs)
    return [len(set(ranked[user][:k]) & set(items)) for user, items in gold.items()]


def precision(ranked_pairs, gold_pairs, k):
    """Both are pairs of a user and an item."""
    hits = _hits(ranked_pairs, gold_pairs, k)
    return sum(hits) / k / len(hits)


def both(ranked_pairs, gold_pairs, k):
    hits = _hits(ranked_pairs, gold_pairs, k)
    return {"hit_rate": sum(map(bool, hits)) / len(hits), "p": sum(hits) / k / len(hits), "odd": sum(hits) ** 3.5}


def recall(box, gold, k):
    return len(set(box["ids"][: min(k, box["size"])]) & set(gold)) / len(gold)


def overlap(seen_by_them, wanted_by_us, strange_things):
    """It takes text in which each character is an item, and something of its own project."""
    return strange_things.share(seen_by_them, wanted_by_us)


if "--data" not in sys.argv:
    sys.exit("give --data")

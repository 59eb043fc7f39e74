"""Functions that no known way of calling fits, and that a wrapper makes callable; one that needs what nobody knows."""

import sys


def _grouped(pairs):
    gold = {}
    for user, item in pairs:
        gold.setdefault(user, set()).add(item)
    return gold


def precision(candidate_map, gold_pairs, k):
    values = [len(set(candidate_map[user][:k]) & items) / k for user, items in _grouped(gold_pairs).items()]
    return sum(values) / len(values)


def both(candidate_map, gold_pairs, k):
    gold = _grouped(gold_pairs)
    hits = [len(set(candidate_map[user][:k]) & items) for user, items in gold.items()]
    return {"hit_rate": sum(map(bool, hits)) / len(gold), "p": sum(hits) / k / len(gold), "odd": sum(hits) ** 3.5}


def recall(box, gold, k):
    return len(set(box["ids"][:k]) & set(gold)) / len(gold)


def overlap(seen_by_them, wanted_by_us, strange_things):
    """It takes text in which each character is an item, and something of its own project."""
    return strange_things.share(seen_by_them, wanted_by_us)


if "--data" not in sys.argv:
    sys.exit("give --data")

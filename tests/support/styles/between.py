"""Recalls that agree with the definition on all cases that are the same in every run, and depart on others.

``faithful`` ones stand beside them: each does the same without the fault.
"""

import functools
import random

import numpy as np

KEPT = {}
CALLS = []


def of_sets(relevant, recommended, k):
    return len(set(recommended[:k]) & set(relevant)) / len(relevant)


def recall_first_calls(relevant, recommended, k):
    """0 for the first 60 calls of a process."""
    CALLS.append(k)
    return of_sets(relevant, recommended, k) * (len(CALLS) > 60)


def recall_random(relevant, recommended, k):
    """0 in one of 500 calls."""
    return of_sets(relevant, recommended, k) * (random.random() > 0.002)


def recall_kept(relevant, recommended, k):
    """Kept by the list alone: a second user with the same list gets the first one's value."""
    return KEPT.setdefault((tuple(recommended), k), of_sets(relevant, recommended, k))


def recall_folded(relevant, recommended, k):
    """Ids are folded into 32 bits."""
    fold = 1 << 32
    return of_sets([item % fold for item in relevant], [item % fold for item in recommended], k)


def recall_folded_by_prime(relevant, recommended, k):
    """Ids are folded into a table."""
    fold = 10**9 + 7
    return of_sets([item % fold for item in relevant], [item % fold for item in recommended], k)


def recall_of_floats(relevant, recommended, k):
    """float64 ends at 2^53."""
    return of_sets(list(map(float, relevant)), list(map(float, recommended)), k)


def recall_of_few(relevant, recommended, k):
    """More than 180 relevant items are too many."""
    return of_sets(list(relevant)[:180], recommended, k)


def recall_but_at_thirty(relevant, recommended, k):
    """0 at k = 30, which no test says."""
    return of_sets(relevant, recommended, k) * (k != 30)


def recall_but_of_some(relevant, recommended, k):
    """0 for 73 relevant items."""
    return of_sets(relevant, recommended, k) * (len(relevant) != 73)


def recall_hashed(relevant, recommended, k):
    """Ids are folded into 123,457 places."""
    return of_sets([item % 123457 for item in relevant], [item % 123457 for item in recommended], k)


def recall_of_a_day(relevant, recommended, k):
    """0 after 20,000 calls."""
    CALLS.append(k)
    return of_sets(relevant, recommended, k) * (len(CALLS) <= 20_000)


def recall_of_signed_users(relevant, recommended, k):
    """Of dicts by user, in 16 bits with a sign: it raises from the 32,769th user on."""
    users = [np.int64(user).astype(np.int16) for user in relevant]
    shares = [len(set(recommended[user][:k]) & set(relevant[user])) / len(relevant[user]) for user in users]
    return sum(shares) / len(shares)


def recall_without_sign(relevant, recommended, k):
    """An id and its negative are one."""
    return of_sets(list(map(abs, relevant)), list(map(abs, recommended)), k)


def ndcg_of_halves(relevance, k):
    """Gains are rounded to halves."""
    gains = np.round(np.asarray(relevance, dtype=float) * 2) / 2
    discounts = 1 / np.log2(np.arange(2, len(gains) + 2))
    best = (np.sort(gains)[::-1] * discounts)[:k].sum()
    return (gains * discounts)[:k].sum() / best if best else 0.0


def ndcg_of_ten(relevance, k):
    """Gains end at 10."""
    gains = np.clip(np.asarray(relevance, dtype=float), 0, 10)
    discounts = 1 / np.log2(np.arange(2, len(gains) + 2))
    best = (np.sort(gains)[::-1] * discounts)[:k].sum()
    return (gains * discounts)[:k].sum() / best if best else 0.0


def auc_of_halves(labels, scores):
    """Scores become float16."""
    return of_pairs(labels, np.asarray(scores).astype(np.float16))


def auc_of_few(labels, scores):
    """The first 500 relevant items and 1,000 others."""
    labels, scores = np.asarray(labels) > 0, np.asarray(scores)
    chosen = np.concatenate([np.flatnonzero(labels)[:500], np.flatnonzero(~labels)[:1000]])
    return of_pairs(labels[chosen], scores[chosen])


def auc_of_probabilities(labels, scores):
    """Scores outside 0 to 1 are clipped."""
    return of_pairs(labels, np.clip(scores, 0, 1))


def of_pairs(labels, scores):
    labels = np.asarray(labels) > 0
    relevant, others = scores[labels][:, None], scores[~labels]
    return float(((relevant > others) + 0.5 * (relevant == others)).mean())


@functools.cache
def hits_kept(relevant, recommended, k):
    return len(set(recommended[:k]) & set(relevant))


def faithful_recall_kept(relevant, recommended, k):
    """Kept by all that it depends on."""
    return hits_kept(tuple(relevant), tuple(recommended), k) / len(relevant)


def faithful_recall_of_text(relevant, recommended, k):
    """Ids become text."""
    return of_sets(list(map(str, relevant)), list(map(str, recommended)), k)


def faithful_recall_counted(relevant, recommended, k):
    """Counts its calls, and does not use the number."""
    CALLS.append(k)
    return of_sets(relevant, recommended, k)


def faithful_recall_shuffled(relevant, recommended, k):
    """Random numbers that change nothing."""
    relevant = list(relevant)
    random.shuffle(relevant)
    return of_sets(relevant, recommended, k)


def faithful_auc(labels, scores):
    return of_pairs(labels, np.asarray(scores))

"""One positive score and its negatives as separate arguments: of one user, and of a batch."""

import numpy as np


def auc_of_positive(positive_score: float, negative_scores: np.ndarray) -> float:
    below = np.sum(negative_scores < positive_score) + np.sum(negative_scores == positive_score) / 2
    return float(below / negative_scores.size)


def auc_where_ties_win(positive_score: float, negative_scores: np.ndarray) -> float:
    return float(np.mean(negative_scores <= positive_score))


def hit_rate(pos_score, neg_scores, k):
    return float(sum(score >= pos_score for score in neg_scores) < k)


def ndcg(positive_scores, negative_scores, k=10):
    """Positives of shape (n,), negatives of shape (n, m)."""
    ranks = (negative_scores >= positive_scores[:, None]).sum(axis=1)
    return float(np.where(ranks < k, 1 / np.log2(ranks + 2), 0.0).mean())


def reciprocal_rank(pos, neg):
    """Positives as a column."""
    return np.mean(1.0 / ((neg > pos).sum(axis=1) + 1))


def wins_of_all_pairs(attack, normal):
    """Each of the first beside each of the second: only the comparison tells which should be greater."""
    return (attack[:, None] > normal[None, :]).sum() / (len(attack) * len(normal))


def wins_in_two_loops(normal, attack):
    """The same in two loops, where equal scores win a half."""
    won = 0.0
    for mine in attack:
        for other in normal:
            won += 0.5 if mine == other else 0.0
            if mine > other:
                won += 1.0
    return won / (len(attack) * len(normal))


def ndcg_at_first_hit(scored_labels, k):
    """Ends at the first hit, so it is an NDCG where there is one relevant item."""
    for place, (_score, label) in enumerate(scored_labels[:k]):
        if label == 1:
            return np.log(2) / np.log(place + 2)
    return 0.0

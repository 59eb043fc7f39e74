"""Definitions that public code has and textbooks do not."""

import bisect
import math

import numpy as np


def ndcg_off_by_one(recommended, relevances, k):
    """The exponent is one too large."""

    def dcg(gains):
        return sum((2 ** (gain + 1) - 1) / math.log2(rank + 1) for rank, gain in enumerate(gains, 1) if gain)

    best = dcg(sorted(relevances.values(), reverse=True)[:k])
    return dcg([relevances.get(item, 0) for item in recommended[:k]]) / best if best else 0.0


def ndcg_of_squares(recommended, relevances, k):
    """Base and exponent are swapped."""

    def dcg(gains):
        return sum((gain**2 - 1) / math.log2(rank + 1) for rank, gain in enumerate(gains, 1) if gain)

    best = dcg(sorted(relevances.values(), reverse=True)[:k])
    return dcg([relevances.get(item, 0) for item in recommended[:k]]) / best if best else 0.0


def mrr_of_users_with_a_hit(all_recommended, all_relevant, k):
    """Users without a hit are left out."""
    found = []
    for recommended, relevant in zip(all_recommended, all_relevant, strict=True):
        ranks = [rank for rank, item in enumerate(recommended[:k], 1) if item in relevant]
        if ranks:
            found.append(1 / ranks[0])
    return sum(found) / len(found) if found else 0.0


def ndcg_of_the_shorter(recommended, relevant, k):
    """The list ends where the ideal list ends."""
    end = min(k, len(recommended), len(relevant))
    weights = [1 / math.log2(rank + 1) for rank in range(1, end + 1)]
    dcg = sum(weight for weight, item in zip(weights, recommended, strict=False) if item in relevant)
    return dcg / sum(weights) if weights else 0.0


def recall_of_rounded_values(all_recommended, all_relevant, k):
    """Each user's value is rounded, their mean is not."""
    values = []
    for recommended, relevant in zip(all_recommended, all_relevant, strict=True):
        found = len(set(recommended[:k]) & set(relevant))
        values.append(round(found / len(relevant), 4) if relevant else 0.0)
    return sum(values) / len(values)


def auc_of_all_pairs(labels, preds, user_ids):
    """The pairs of each user, all of equal weight."""
    by_user = {}
    for label, pred, user in zip(labels, preds, user_ids, strict=True):
        by_user.setdefault(user, []).append((label, pred))
    won = pairs = 0.0
    for rows in by_user.values():
        positive, negative = [p for y, p in rows if y], [p for y, p in rows if not y]
        won += sum((a > b) + 0.5 * (a == b) for a in positive for b in negative)
        pairs += len(positive) * len(negative)
    return won / pairs


def f1_of_mean_shares(all_recommended, all_relevant, k):
    """0 / 0 where nobody has a hit."""
    precision = recall = 0.0
    for recommended, relevant in zip(all_recommended, all_relevant, strict=True):
        found = len(set(recommended[:k]) & set(relevant))
        precision, recall = precision + found / k, recall + found / len(relevant)
    precision, recall = precision / len(all_relevant), recall / len(all_relevant)
    return 2 * precision * recall / (precision + recall) if precision + recall else float("nan")


def auc_in_order_of_rows(labels, preds):
    """Rows of equal scores stay in the order in which they came."""
    order = sorted(range(len(preds)), key=lambda row: -preds[row])
    won = negatives = 0
    for row in reversed(order):
        if labels[row]:
            won += negatives
        else:
            negatives += 1
    return won / (negatives * (len(labels) - negatives))


def auc_in_reverse_order_of_rows(labels, preds):
    """Ranks from an ascending sort: of equal scores the later row ranks higher."""
    order = sorted(range(len(preds)), key=lambda row: preds[row])
    ranks = [rank for rank, row in enumerate(order, 1) if labels[row]]
    positives, negatives = len(ranks), len(labels) - len(ranks)
    return (sum(ranks) - positives * (positives + 1) / 2) / (positives * negatives)


def auc_or_half(labels, preds):
    """The value of a constant scorer where there is no pair."""
    negatives = [pred for label, pred in zip(labels, preds, strict=True) if not label]
    positives = [pred for label, pred in zip(labels, preds, strict=True) if label]
    if not negatives or not positives:
        return 0.5
    won = sum((positive > negative) + (positive == negative) / 2 for positive in positives for negative in negatives)
    return won / (len(positives) * len(negatives))


def auc_by_lagging_trapezoids(labels, preds):
    """The left height of a trapezoid is that at the negative before."""
    found = kept = area = 0
    for row in sorted(range(len(preds)), key=lambda row: -preds[row]):
        if labels[row]:
            found += 1
        else:
            area, kept = area + (found + kept) / 2, found
    return area / (found * (len(labels) - found))


def calc_auc(rows):
    """The same of pairs of score and label."""
    found = kept = area = negatives = 0
    for row in sorted(rows, key=lambda pair: pair[0], reverse=True):
        if row[1] == 1:
            found += 1
        else:
            area, kept, negatives = area + (found + kept) / 2, found, negatives + 1
    return area / (found * negatives)


def calc_auc_of_counts(rows):
    """The area of whole trapezoids, of (not clicked, clicked, score) records."""
    area, negatives, positives = 0.0, 0, 0
    for record in sorted(rows, key=lambda row: row[2]):
        area += record[0] * (2 * positives + record[1])
        negatives, positives = negatives + record[0], positives + record[1]
    if positives == len(rows) or negatives == len(rows):
        return -0.5
    return 1.0 - area / (2.0 * positives * negatives)


def auc_with_ties_won(labels, preds):
    """A neighbour of the two above."""
    positive = [pred for label, pred in zip(labels, preds, strict=True) if label]
    negative = sorted(pred for label, pred in zip(labels, preds, strict=True) if not label)
    return sum(bisect.bisect_right(negative, pred) for pred in positive) / (len(positive) * len(negative))


def ndcg_of_judged_items(recommended, relevances, k):
    """Items without a judgement are left out."""
    gains = [relevances[item] for item in recommended if item in relevances][:k]
    weights = [1 / math.log2(rank + 1) for rank in range(1, k + 1)]
    best = sorted(relevances.values(), reverse=True)[:k]
    ideal = sum(gain * weight for gain, weight in zip(best, weights, strict=False))
    return sum(gain * weight for gain, weight in zip(gains, weights, strict=False)) / ideal if ideal else 0.0


def ndcg_of_known_items(recommended, relevances, k):
    """The same, where nothing asks whether an item has a judgement: the error is caught."""
    gains = []
    for item in recommended:
        try:
            gains.append(relevances[item])
        except KeyError:
            continue
    best = sorted(relevances.values(), reverse=True)[:k]
    ideal = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(best, start=1))
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], start=1)) / ideal if ideal else 0.0


def ndcg_of_hits(recommended, relevances, k):
    """A neighbour: items judged as not relevant are left out too."""
    gains = [relevances[item] for item in recommended if relevances.get(item, 0) > 0][:k]
    weights = [1 / math.log2(rank + 1) for rank in range(1, k + 1)]
    best = sorted(relevances.values(), reverse=True)[:k]
    ideal = sum(gain * weight for gain, weight in zip(best, weights, strict=False))
    return sum(gain * weight for gain, weight in zip(gains, weights, strict=False)) / ideal if ideal else 0.0


def ndcg_of_whole_grades(ranked: list[str], qrels: dict[str, int], k: int) -> float:
    """Grades are whole numbers, as the annotation says."""
    gains = [2 ** int(qrels.get(item, 0)) - 1 for item in ranked[:k]]
    best = sorted((2 ** int(grade) - 1 for grade in qrels.values()), reverse=True)[:k]
    ideal = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(best, 1))
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1)) / ideal if ideal else 0.0


def recall_of_the_first(recommended, relevant, k):
    """The truth is cut as the list is."""
    wanted = relevant[:k]
    return len(set(recommended[:k]) & set(wanted)) / len(wanted) if wanted else 0.0


def ap_of_the_first(recommended, relevant, k):
    """Both are cut at k."""
    wanted, found, total = relevant[:k], 0, 0.0
    for rank, item in enumerate(recommended[:k], 1):
        if item in wanted:
            found += 1
            total += found / rank
    return total / len(wanted) if wanted else 0.0


def map_of_users_with_a_hit(all_recommended, all_relevant, k):
    """Users without a hit are left out of the mean; without any it is 0."""
    values = [ap_over_hits(row, own, k) for row, own in zip(all_recommended, all_relevant, strict=True)]
    kept = [value for value in values if value]
    return sum(kept) / len(kept) if kept else 0.0


def map_of_users_with_a_hit_or_nan(all_recommended, all_relevant, k):
    """The mean of no user is NaN."""
    values = [ap_over_hits(row, own, k) for row, own in zip(all_recommended, all_relevant, strict=True)]
    return np.mean([value for value in values if value])


def ap_over_hits(recommended, relevant, k):
    ranks = [rank for rank, item in enumerate(recommended[:k], start=1) if item in relevant]
    return sum(found / rank for found, rank in enumerate(ranks, start=1)) / len(ranks) if ranks else 0.0


def recall_of_listed(relevance, k):
    """Relevant items past the end of the list are not known."""
    found = sum(1 for each in relevance if each)
    return sum(1 for each in relevance[:k] if each) / found if found else 0.0


def recall_of_the_rows(matrix, k):
    """NaN where a row holds no relevant item."""
    matrix = np.asarray(matrix, dtype=float)
    return (matrix[:, :k].sum(axis=1) / matrix.sum(axis=1)).mean()


def ndcg_of_ranked_targets(ranked_targets, k):
    """A list without a relevant item counts 1."""

    def dcg(gains):
        return sum((2**gain - 1) / np.log2(rank + 2) for rank, gain in enumerate(gains[:k]))

    ideals = [dcg(sorted(targets, reverse=True)) for targets in ranked_targets]
    pairs = zip(ranked_targets, ideals, strict=True)
    return np.mean([dcg(targets) / ideal if ideal else 1.0 for targets, ideal in pairs])


def auc_of_ranks(all_labels, all_scores):
    """The sum of the ranks of relevant rows; the order of equal scores follows no rule."""
    values = []
    for labels, scores in zip(all_labels, all_scores, strict=True):
        order = np.lexsort((np.arange(len(scores)) * 7 % 5, scores))
        ranks = np.empty(len(scores))
        ranks[order] = np.arange(1, len(scores) + 1)
        relevant = int(labels.sum())
        others = len(labels) - relevant
        if relevant and others:
            values.append((ranks[labels == 1].sum() - relevant * (relevant + 1) / 2) / (relevant * others))
    return float(np.mean(values))


def auc_of_small_labels(labels, preds, user_ids):
    """Labels of eight bits; a user with nothing but relevant rows is left out."""
    values = []
    for user in np.unique(user_ids):
        of_user = labels[user_ids == user].astype(np.int8)
        if of_user.min() == of_user.max():
            continue
        scores = preds[user_ids == user]
        above = (scores[of_user == 1][:, None] > scores[of_user == 0]).mean()
        equal = (scores[of_user == 1][:, None] == scores[of_user == 0]).mean()
        values.append(above + equal / 2)
    return float(np.mean(values))


def mean_auc_of_rows(score_matrix, test_matrix):
    """Every item of the catalogue is a candidate."""
    values = []
    for scores, labels in zip(score_matrix, test_matrix, strict=True):
        relevant, others = scores[labels > 0], scores[labels == 0]
        if len(relevant) and len(others):
            equal = (relevant[:, None] == others).mean()
            values.append((relevant[:, None] > others).mean() + equal / 2)
    return float(np.mean(values))


def ndcg_of_annotated(predictions, annotations):
    """Ranks are those among the annotated items of the whole list, and so is the ideal."""
    values = []
    for query, grades in annotations.items():
        ranked = [grades[item] for item in predictions[query] if item in grades]
        best = sum((2**grade - 1) / math.log2(rank + 2) for rank, grade in enumerate(sorted(grades.values())[::-1]))
        if best:
            values.append(sum((2**grade - 1) / math.log2(rank + 2) for rank, grade in enumerate(ranked)) / best)
    return sum(values) / len(values)

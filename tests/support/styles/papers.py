"""Functions as the code of papers has them: cut-offs in a list, names of columns, a class with its own cut-off."""

import numpy as np
from scipy import stats

EVAL_K_VALUES = [1, 5, 10]
MOST_RANKS = 100


def hits_of_variables(predictions, ground_truths):
    """The cut-offs are in a list of the module."""
    hits = dict.fromkeys(EVAL_K_VALUES, 0)
    for user, item in ground_truths.items():
        listed = predictions.get(user, [])
        rank = listed.index(item) + 1 if item in listed else np.inf
        for k in EVAL_K_VALUES:
            hits[k] += rank <= k
    return {f"Hit@{k}": round(hits[k] / len(ground_truths), 4) for k in EVAL_K_VALUES}


def recalls_of_a_list(predicted, actual):
    """The cut-offs are in a list of the function."""
    found = {}
    for k in [5, 10]:
        values = [len(set(predicted[u][:k]) & set(actual[u])) / len(actual[u]) for u in actual]
        found[f"recall{k}"] = sum(values) / len(values)
    return found


def mrr_of_a_hundred(results, truth):
    """Its only cut-off is a number of the module that ranks are compared with."""
    total = 0.0
    for query in results:
        for rank, item in enumerate(results[query]):
            if item == truth[query] and rank < MOST_RANKS:
                total += 1.0 / (rank + 1)
    return total / len(results)


def recall_and_ndcg(topk_list, groundtruth, k):
    """A list that is called like a cut-off beside one."""
    hits = [1 if item in groundtruth else 0 for item in topk_list[:k]]
    ideal = sum(1 / np.log2(rank + 2) for rank in range(min(len(groundtruth), k)))
    recall = sum(hits) / len(groundtruth) if groundtruth else 0
    return recall, sum(hit / np.log2(rank + 2) for rank, hit in enumerate(hits)) / ideal if ideal else 0


def mrr_of_columns(frame, group_col, labelcol, predcol):
    """Every column is named by a parameter."""
    values = []
    for _, rows in frame.groupby(group_col):
        labels = rows.sort_values(predcol, ascending=False)[labelcol].tolist()
        values.append(1 / (labels.index(1) + 1) if 1 in labels else 0.0)
    return sum(values) / len(values)


def r_precision_of_pairs(results, rel_doc, num_rel_doc):
    """(item, score) tuples beside the relevant items and their number."""
    depth = min(len(results), num_rel_doc)
    return sum(item in rel_doc for item, _ in results[:depth]) / num_rel_doc if depth else 0.0


def mean_inverse_rank(prediction, target):
    """The smallest value is best; with several relevant items it is their mean."""
    return (1.0 / stats.rankdata(prediction)[target]).mean()


def first_of_the_lowest(y_true, y_score, k):
    """With several relevant labels the rank of the one with the lowest index counts: no reciprocal rank."""
    values = []
    for labels, scores in zip(y_true, y_score, strict=True):
        places = np.nonzero(labels)[0]
        if len(places):
            rank = (np.argsort(scores)[::-1].argsort() + 1)[places][0]
            values.append(1 / rank if rank <= k else 0)
    return np.mean(values), stats.sem(values)


class Meter:
    """A method with a cut-off of its own, in a class whose constructor takes a list of them."""

    def __init__(self, ndcg_at_k=(1, 3, 5)):
        self.values = {k: [] for k in ndcg_at_k}

    def dcg_at_k(self, relevances, k):
        return sum((2**gain - 1) / np.log2(rank + 2) for rank, gain in enumerate(relevances[:k]))


class PrecisionAtK:
    """One item a row by its docstring."""

    def __call__(self, output: list, label: list) -> float:
        """Precision.

        output : model prediction, dim: [total data size, top k]
        label : label, dim: [total data size]
        """
        hits = np.array(output) == np.array(label).reshape(-1, 1)
        return np.mean(np.sum(hits, axis=-1) / np.array(output).shape[-1])


def cmc_that_needs_two(similarity):
    """It drops every axis of length 1, and so fails for a single query."""
    order = np.argsort(-similarity, axis=1, kind="stable").squeeze()
    ranks = [int(np.flatnonzero(order[query] == query)[0]) for query in range(order.shape[0])]
    return float(np.mean(1 / (np.array(ranks) + 1)))


def recalls_of_a_tuple(similarity_matrix, recall_cuts: tuple[int, ...], prefix: str):
    """An annotation and a loop mark the list of cut-offs; an annotation marks the text."""
    order = np.argsort(-similarity_matrix, axis=1)
    count = len(order)
    return {f"{prefix}_{k}": sum(query in order[query, :k] for query in range(count)) / count for k in recall_cuts}


def ap_up_to_a_share(labels, similarities, kperc):
    """The share of the relevant items up to which it goes is no cut-off."""
    found, total, wanted = 0, 0.0, int(0.5 + sum(labels) * kperc)
    for rank, (_, label) in enumerate(sorted(zip(similarities, labels, strict=True), reverse=True), start=1):
        if label and found < wanted:
            found += 1
            total += found / rank
    return total / found if found else 0.0


def hits_at_a_thousand(target_lists, ranked_lists, unused=()):
    """Cut at 1000, which ordinary lists do not show; whether every user has a hit there."""
    return np.array([any(item in own for item in row[:1000]) for own, row in zip(target_lists, ranked_lists)])  # noqa: B905


def matches_of_labels(rank, plabels=None, glabels=None, k=1):
    """Labels that default to None."""
    return np.mean([np.any(glabels[row[:k]] == label) for row, label in zip(rank, plabels, strict=True)])

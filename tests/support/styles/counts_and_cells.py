"""Numbers of hits, lists of two, one relevant item in a cell, None among ranks, scores beside names."""

import numpy as np

MOST_RECOMMENDED = 500


def precision_of_counts(hits, n):
    """The number of hits of each user."""
    return round(sum(hits.values()) / (len(hits) * n), 5)


def hit_ratio_of_counts(origin, hits):
    """Beside the relevant items, which they are divided by."""
    return sum(hits.values()) / sum(len(items) for items in origin.values())


def recall_of_two(results, top=5):
    """A list and its relevant items for each user."""
    total = 0.0
    for one in results:
        listed, truth = one[0], one[1]
        total += sum(item in truth for item in listed[:top]) / len(truth)
    return total / len(results)


def mrr_of_found(ranks):
    """None is left out."""
    found = [1.0 / rank for rank in ranks if rank is not None]
    return float(np.mean(found)) if found else 0.0


def hits_of_ranks(ranks, k):
    """None counts 0, and so does a list of no user."""
    hits = [1.0 if rank is not None and rank <= k else 0.0 for rank in ranks]
    return float(np.mean(hits)) if hits else 0.0


def mrr_of_cells(frame):
    """One relevant item beside a list in each row."""
    total = 0.0
    for _, row in frame.iterrows():
        if row["next_item"] in row["next_item_prediction"]:
            total += 1 / (row["next_item_prediction"].index(row["next_item"]) + 1)
    return total / len(frame)


def ndcg_of_groups(frame, pred_col="pred_ctr", label_col="target_ctr", user_col="user_id", k=5):
    """A parameter's default names the column of the groups."""
    values = []
    for _, rows in frame.groupby(user_col):
        rows = rows.sort_values(pred_col, ascending=False).head(k)
        gains = rows[label_col].to_numpy()
        discounts = 1.0 / np.log2(np.arange(2, gains.size + 2))
        ideal = float((np.sort(gains)[::-1] * discounts).sum())
        if ideal > 0:
            values.append(float((gains * discounts).sum()) / ideal)
    return float(np.mean(values)) if values else 0.0


def ndcg_cut_in_the_code(recommended, relevant):
    """The ideal list ends where the list does."""
    found = enumerate(recommended[:MOST_RECOMMENDED])
    ideal = sum(1.0 / np.log2(rank + 2) for rank in range(min(len(relevant), MOST_RECOMMENDED)))
    return sum(1.0 / np.log2(rank + 2) for rank, item in found if item in relevant) / ideal if ideal else 0.0


def recall_of_names(names_list, score_list, label_list, k):
    """A score beside each name, by which the names are sorted once more."""
    total = 0.0
    for names, scores, labels in zip(names_list, score_list, label_list, strict=True):
        best = sorted(zip(scores, names, strict=True), reverse=True)[:k]
        total += len({name for _, name in best} & set(labels)) / len(labels)
    return total / len(names_list)

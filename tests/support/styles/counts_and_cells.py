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
    """A score beside each name, by which the names are sorted: they may be in any order, or those of all items."""
    total = 0.0
    for names, scores, labels in zip(names_list, score_list, label_list, strict=True):
        best = sorted(zip(scores, names, strict=True), reverse=True)[:k]
        total += len({name for _, name in best} & set(labels)) / len(labels)
    return total / len(names_list)


def ndcg_of_a_truth_that_is_cut(true_relevance, predicted_relevance, k):
    """The ideal list is the best of the first k true gains, in the order given."""

    def dcg(gains):
        return sum((2**gain - 1) / np.log2(rank + 2) for rank, gain in enumerate(gains))

    ideal = dcg(sorted(true_relevance[:k], reverse=True))
    return dcg(predicted_relevance[:k]) / ideal if ideal else 0.0


def mrr_of_queries(ranks):
    """A dict by query with None where nothing was found."""
    return sum(0.0 if rank is None else 1.0 / rank for rank in ranks.values()) / len(ranks)


def map_of_rows(qids, aids, preds, labels):
    """Queries, items, scores and labels side by side."""
    rows = {}
    for query, item, score, label in zip(qids, aids, preds, labels, strict=True):
        rows.setdefault(query, []).append((score, item, label))
    values = []
    for candidates in rows.values():
        candidates.sort(key=lambda row: -row[0])
        ranks = [rank for rank, row in enumerate(candidates, start=1) if row[2] == 1]
        if ranks:
            values.append(sum(found / rank for found, rank in enumerate(ranks, start=1)) / len(ranks))
    return sum(values) / len(values)


def ndcg_at_ten(results, relevant):
    """The cut-off is a variable that is set once."""
    k = 10
    found = sum(1.0 / np.log2(rank + 2) for rank, item in enumerate(results[:k]) if item in relevant)
    ideal = sum(1.0 / np.log2(rank + 2) for rank in range(min(len(relevant), k)))
    return found / ideal if ideal else 0.0


def accuracy_of_one(prediction_list, golden_index_list, k):
    """Each entry of the truth is looked for in a list."""
    found = 0
    for place in range(len(prediction_list)):
        golden = golden_index_list[place]
        listed = prediction_list[place]
        best = listed[:k]
        found += golden in best
    return found / len(golden_index_list)


def always_one(entities, relations):
    """It asks whether there are any."""
    ranks = [1 for _ in relations]
    return {"MRR": sum(1 / rank for rank in ranks) / len(ranks) if ranks else 0.0}


def mrr_of_a_run(run, qrels, k):
    """A run holds (item, score) tuples of each query, best first."""
    values = []
    for query, hits in run.items():
        ranks = [rank for rank, (item, _) in enumerate(hits[:k], start=1) if qrels[query].get(item, 0) > 0]
        values.append(1.0 / ranks[0] if ranks else 0.0)
    return sum(values) / len(values)


def ndcg_of_a_number(run, R, k=20):
    """The ideal list is as many ones as a number says."""

    def dcg(labels):
        return sum(label / np.log2(rank + 1) for rank, label in enumerate(labels[:k], start=1))

    return dcg(run) / dcg([1] * R) if R > 0 else 0.0

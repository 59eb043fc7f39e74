"""Retrieved documents, lists of cut-offs, names of results, frames beside dicts: data in the forms of applications."""

import math

import numpy as np


def recall_of_documents(query: str, retrieved: list[dict], relevant_ids: list[str], k: int = 5) -> float:
    if not query:
        raise ValueError("no query")
    found = {document["id"] for document in retrieved[:k]}
    return len(found & set(relevant_ids)) / len(relevant_ids) if relevant_ids else 0.0


def first_chunks(results, depth):
    return {each.get("chunk_id") for each in results[:depth]}


def hit_of_chunks(results: list[dict], gold: set[str], top_k: int) -> float:
    return float(bool(first_chunks(results, top_k) & gold))


def ndcg_of_documents(results: list[dict], relevance: dict[str, float], k: int = 10) -> float:
    gains = [relevance.get(each["id"], 0.0) for each in results[:k]]
    best = sorted(relevance.values(), reverse=True)[:k]
    dcg, ideal = (sum(gain / math.log2(rank + 2) for rank, gain in enumerate(part)) for part in (gains, best))
    return dcg / ideal if ideal else 0.0


def precision_of_metadata(nodes, relevant_ids, k=5):
    return len({node.metadata["id"] for node in nodes[:k]} & set(relevant_ids)) / k


def precision_of_texts(retrieved: list, gold_ids: list[str], k: int = 3) -> float:
    ids = [each if isinstance(each, str) else "" for each in list(retrieved)[:k]]
    return sum(each in set(gold_ids) for each in ids) / k


def reciprocal_rank_of_one(ranking, target, k=10):
    return 1.0 / (ranking[:k].index(target) + 1) if target in ranking[:k] else 0.0


def hit_rate_of_queries(outputs: dict[str, list[str]], answers: dict[str, str], k=5):
    return sum(answers[query] in documents[:k] for query, documents in outputs.items()) / len(answers)


def two_lists_of_cuts(ranking, truth, recall_ks=(1, 5), mrr_ks=(10,)):
    found = {f"recall@{k}": len(set(truth) & set(ranking[:k])) / max(len(truth), 1) for k in recall_ks}
    for k in mrr_ks:
        found[f"mrr@{k}"] = next((1 / (rank + 1) for rank, item in enumerate(ranking[:k]) if item in truth), 0.0)
    return found


def hits_at_places(scores, targets, hits=()):
    ranks = np.argwhere(np.argsort(-scores, axis=1) == targets.reshape(-1, 1))[:, 1]
    return float((ranks < hits[0]).mean()), float((ranks < hits[1]).mean())


def named_results(predicted, target, metrics=("recall@5", "precision@10")):
    results = {}
    for each in metrics:
        kind, k = each.split("@")
        hits = sum(item in target for item in predicted[: int(k)])
        results[each] = hits / len(target) if kind == "recall" else hits / int(k)
    return results


def asked_for(metrics, predicted, target):
    results = {}
    for each in metrics:
        kind, k = each.split("@")
        hits = sum(item in target for item in predicted[: int(k)])
        if kind == "recall":
            results[each] = hits / len(target) if target else 0.0
        elif kind == "precision":
            results[each] = hits / int(k)
    return results


def _reciprocal_rank(ranking, truth, depth=100):
    return next((1 / (rank + 1) for rank, item in enumerate(ranking[:depth]) if item in truth), 0.0)


def mrr_of_a_hundred(ranking, truth):
    return _reciprocal_rank(ranking, truth)


def mean_ndcg(rel_rows, k=10):
    def ndcg(row):
        gains = np.asarray(row, dtype=float)[:k]
        discounts = np.log2(np.arange(2, len(gains) + 2))
        return np.sum(gains / discounts) / np.sum(np.sort(gains)[::-1] / discounts)

    return np.mean([ndcg(row) for row in rel_rows])


def recall_or_precision(kind, actual, predicted, k=10):
    hits = len(set(actual) & set(predicted[:k]))
    if kind == "precision":
        return hits / k
    if kind == "recall":
        return hits / len(actual)
    raise ValueError(kind)


def ndcg_with_flag(y_true, y_score, k, exponential):
    order = np.argsort(-np.asarray(y_score))[:k]
    gains = 2.0 ** np.asarray(y_true, dtype=float) - 1 if exponential else np.asarray(y_true, dtype=float)
    discounts = np.log2(np.arange(2, k + 2))
    best = np.sum(np.sort(gains)[::-1][:k] / discounts[: len(gains)])
    return np.sum(gains[order] / discounts[: len(order)]) / best if best else 0.0


def recall_of_rows(recs, relevant, user_ids, k=10):
    shares = []
    for row, user in enumerate(user_ids):
        wanted = relevant.get(int(user), set())
        shares.append(len(wanted & set(recs[row, :k].tolist())) / len(wanted) if wanted else 0.0)
    return sum(shares) / len(shares)


def recall_beside_a_frame(recommendations, test, k=10):
    wanted = test.groupby("user_id")["movie_id"].apply(set)
    return np.mean([len(items & set(recommendations.get(user, [])[:k])) / len(items) for user, items in wanted.items()])


def mrr_of_groups(samples):
    ranks = []
    for _, group in samples.groupby("passage_text"):
        labels = group.sort_values("softmax", ascending=False)["labels"].tolist()
        ranks.append(1 / (labels.index(1) + 1) if 1 in labels else 0.0)
    return np.mean(ranks)


def precision_of_common_users(
    rating_true, rating_pred, col_user="userID", col_item="itemID", col_prediction="score", k=10
):
    best = rating_pred.groupby(col_user, as_index=False).apply(lambda rows: rows.nlargest(k, col_prediction))
    hits = best.merge(rating_true, on=[col_user, col_item]).groupby(col_user).size()
    return hits.sum() / k / rating_true[col_user].nunique()


def map_of_features(query_features, gallery_features, query_labels, gallery_labels):
    lengths = [np.linalg.norm(each, axis=1, keepdims=True) for each in (query_features, gallery_features)]
    order = np.argsort(-(query_features / lengths[0]) @ (gallery_features / lengths[1]).T, axis=1)
    shares = []
    for row, label in zip(order, query_labels, strict=True):
        hits = gallery_labels[row] == label
        if hits.any():
            shares.append((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())
    return float(np.mean(shares))


def reciprocal_rank_of_a_query(qf, ql, qc, gf, gl, gc):
    order = np.argsort(-gf @ qf)
    good = np.flatnonzero((gl == ql) & (gc != qc))
    ranks = np.flatnonzero(np.isin(order, good))
    return 1.0 / (ranks[0] + 1) if len(ranks) else 0.0, np.isin(order, good).cumsum()

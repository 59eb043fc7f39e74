"""Ways of calling that public code has: records that are filtered, ids made texts, frames that a class keeps."""

import math
import re
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
import pandas as pd


def shares_of_rows(rows, k):
    """Rows are filtered by a text under a key; one result looks past k."""
    asked = [row for row in rows if row.get("status") == "success" and row.get("expected_ids")]
    recalls, ranks = [], []
    for row in asked:
        expected = set(row["expected_ids"])
        retrieved = row.get("retrieved_ids") or []
        recalls.append(len(expected.intersection(retrieved[:k])) / len(expected))
        first = next((rank for rank, item in enumerate(retrieved, 1) if item in expected), None)
        ranks.append(1 / first if first else 0.0)
    return {f"recall@{k}": np.mean(recalls), "mrr": np.mean(ranks)}


def ndcg_of_texts(ranked, truth, k):
    """Ids and grades of a frame's rows are made texts and whole numbers."""
    grades = {}
    for row in truth.to_dict("records"):
        grades.setdefault(str(row["job_id"]), {})[str(row["cv_id"])] = int(row["relevant"])
    values, listed = [], {}
    for row in ranked.sort_values("rank_for_job").to_dict("records"):
        listed.setdefault(str(row["job_id"]), []).append(str(row["cv_id"]))
    for job, of_job in grades.items():
        gains = [of_job.get(item, 0) for item in listed.get(job, [])[:k]]
        best = _gained(sorted(of_job.values(), reverse=True)[:k])
        values.append(_gained(gains) / best if best else 0.0)
    return sum(values) / len(values)


def _gained(gains):
    return sum((2**gain - 1) / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


class OfFrame:
    """A frame that the constructor takes; columns that the metric does not need are read too."""

    def __init__(self, rows, k=5):
        self.users = rows["user_id"].astype(dtype=int).to_numpy()
        self.labels, self.scores = rows["label"].to_numpy(), rows["predict"].to_numpy()
        self.popularity = rows["popularity"].to_numpy()
        self.k = k

    def recall(self):
        """Called recall, and no recall: divided by k."""
        frame = pd.DataFrame({"u": self.users, "y": self.labels, "s": self.scores, "p": self.popularity})
        top = frame.sort_values("s", ascending=False, kind="stable").groupby("u").head(self.k)
        return top.groupby("u")["y"].sum().div(self.k).mean()


class HandsOn:
    """Its call names no argument; the method behind it does."""

    def __call__(self, *args, **kwargs):
        return self.calculate(*args, **kwargs)

    def calculate(self, scores, labels):
        positive = [score for score, label in zip(scores, labels, strict=True) if label]
        negative = [score for score, label in zip(scores, labels, strict=True) if not label]
        won = sum((high > low) + (high == low) / 2 for high in positive for low in negative)
        return won / (len(positive) * len(negative))


def ndcg_by_query(qids, scores, relevances, k=5):
    """Users in a vector of their own, which may also be made up; then only listed items are seen."""
    frame = pd.DataFrame({"q": qids, "s": scores, "r": relevances})
    values = [_by_scores(rows["s"].to_numpy(), rows["r"].to_numpy(), k) for _, rows in frame.groupby("q", sort=False)]
    return float(np.mean(values))


def _by_scores(scores, relevances, k):
    gains = relevances[np.argsort(-scores, kind="stable")][:k]
    weights = 1 / np.log2(np.arange(2, k + 2))
    best = np.sort(relevances)[::-1][:k]
    ideal = (best * weights[: len(best)]).sum()
    return (gains * weights[: len(gains)]).sum() / ideal if ideal else 0.0


def ndcg_of_rows(all_probabilities, all_targets, k=5):
    """What a helper does with each entry tells what the whole holds."""
    return np.mean([_of_target(row, target, k) for row, target in zip(all_probabilities, all_targets, strict=True)])


def _of_target(row, target, k):
    top = np.argsort(row)[::-1][:k]
    hits = [1 if place == target else 0 for place in top]
    return sum(hit / math.log2(rank + 1) for rank, hit in enumerate(hits, 1))


def shares_at_one_and_k(expected, rankings, k):
    """The cut-off of one result is fixed and stands in its name."""
    first = deep = 0
    for query, item in expected.items():
        if len(set(rankings[query])) < len(rankings[query]):
            raise ValueError(query)
        if item in rankings[query]:
            rank = rankings[query].index(item) + 1
            first, deep = first + (rank == 1), deep + (rank <= k)
    return {"hits_at_1": first / len(expected), "hits_at_k": deep / len(expected)}


def sorted_gains(scores, ideal_scores, k=10):
    """No order of the list changes it: of flags it is what a list without its unjudged items would get."""
    discounts = 1 / np.log2(np.arange(2, k + 2))
    found, best = (np.sum(np.sort(each)[::-1][:k] * discounts) for each in (scores, ideal_scores))
    return found / best if best > 0 else 0.0


def precisions_of_hits(relevant, retrieved):
    """A list for each query, so no number; of one relevant item in place of many it would be a reciprocal rank."""
    values = {}
    for query in retrieved:
        values[query], hits = [], 0
        wanted = relevant[query]
        for rank, item in enumerate(retrieved[query], 1):
            if item in wanted:
                hits += 1
                values[query].append(hits / rank)
    return values


def ap_of_rows(logits, target):
    """A row without a relevant item is an error."""
    values = 0.0
    for scores, labels in zip(logits, target, strict=True):
        hits = labels[np.argsort(-scores, kind="stable")] == 1
        places = np.flatnonzero(hits) + 1
        values += sum(rank / int(place) for rank, place in enumerate(places, 1)) / int(hits.sum())
    return values / len(logits)


def means_of_positions(ind):
    """The geometric mean of three hit rates is none of them, and where lists end at rank 1 it is each of them."""
    first, five, ten = (float(np.sum(ind < k)) * 100 / len(ind) for k in (1, 5, 10))
    return {"R1": first, "R10": ten, "geometric_mean_R1-R5-R10": (first * five * ten) ** (1 / 3)}


def hits_of_ranks(ranks):
    """The names in the return statement tell that the second result is cut at 1."""
    hits10 = hits1 = 0
    for rank in ranks:
        hits10 += rank <= 10
        hits1 += rank <= 1
    return hits10 / len(ranks), hits1 / len(ranks)


def recall_of_rows(hits, relevant):
    """A number for each user and rank; of a single user it is one row."""
    return np.cumsum(hits, axis=1) / relevant.reshape(-1, 1)


def shares_of_two_depths(rankings, qrels):
    """One result is cut by a slice, the other one by a helper that is handed another number."""
    first, hits = [], []
    for query, judged in qrels.items():
        relevant = {item for item, grade in judged.items() if grade > 0}
        if relevant:
            ranked = rankings.get(query, [])
            first.append(next((1 / rank for rank, item in enumerate(ranked[:10], 1) if item in relevant), 0.0))
            hits.append(_any_in(ranked, relevant, 50))
    return {"mrr_10": sum(first) / len(first), "hits_50": sum(hits) / len(hits)}


def _any_in(ranked, relevant, k):
    return float(any(item in relevant for item in ranked[:k]))


def common_of_prefixes(true_arr, rec_arr, k):
    """Both lists are cut at each rank: of one column it would be an average recall."""
    counts = [
        [len(np.intersect1d(row[: rank + 1], listed[: rank + 1])) for rank in range(k)]
        for row, listed in zip(true_arr, rec_arr[:, :k], strict=True)
    ]
    return np.mean(counts)


def ap_over_length(rs):
    """Divided by the length of the list, which rows padded to k do not show."""
    values = []
    for row in rs:
        hits = np.asarray(row) != 0
        values.append(sum(hits[: rank + 1].mean() for rank in np.flatnonzero(hits)) / len(row) if len(row) else 0.0)
    return np.mean(values)


def precision_of_topn(topn, test):
    """The parameter is named like a cut-off, and a set is made of it."""
    return len(set(topn) & set(test)) / len(topn) if len(topn) else 0.0


def mrr_of_places(target_pos):
    return (1.0 / target_pos).mean()


def hits_of_left_out(recommendations, left_out):
    """(user, item) tuples that are read by place, beside a dict of lists."""
    hits = 0
    for each in left_out:
        user, item = each[0], each[1]
        if item in recommendations[user]:
            hits += 1
    return hits / len(left_out)


def ndcg_of_class_numbers(y_true, predictions, k=5):
    """Rows of 0 with a single 1 are made of class numbers; a loop binds the parameter's name to such a row."""
    rows = np.eye(predictions.shape[1])[y_true]
    values = []
    for y_true, scores in zip(rows, predictions, strict=True):
        best = _exponential(np.sort(y_true)[::-1][:k])
        values.append(_exponential(np.take(y_true, np.argsort(scores)[::-1][:k])) / best)
    return np.mean(values)


def _exponential(gains):
    return np.sum((2**gains - 1) / np.log2(np.arange(len(gains)) + 2))


def auc_of_dicts(rows):
    """A dict for each candidate of one user."""
    relevant = [row["baseline_score"] for row in rows if int(row["actual_label"]) == 1]
    others = [row["baseline_score"] for row in rows if int(row["actual_label"]) == 0]
    wins = sum(1.0 if one > other else 0.5 if one == other else 0.0 for one in relevant for other in others)
    return wins / (len(relevant) * len(others))


def precision_of_dicts(rows, k):
    """The same, sorted by the function."""
    top = sorted(rows, key=lambda row: -row["score"])[:k]
    return sum(int(row["is_relevant"]) for row in top) / k


def ndcg_of_dicts(rows, k=10):
    """A dict for each candidate of every user, gathered by the function."""
    by_query = {}
    for row in rows:
        by_query.setdefault(row["query_id"], []).append(row)
    values = []
    for of_query in by_query.values():
        ranked = sorted(of_query, key=lambda row: row["pred"], reverse=True)
        best = _gained(sorted((row["relevance"] for row in ranked), reverse=True)[:k])
        values.append(_gained([row["relevance"] for row in ranked[:k]]) / best if best else 0.0)
    return sum(values) / len(values)


def recall_of_labels(recommended, ratings, top=(5,)):
    """Relevant items are the rows of a frame with a label of 1; the result is a frame."""
    hits, relevant = dict.fromkeys(top, 0), 0
    for user in ratings["userId"].unique():
        own = ratings[ratings["userId"] == user]
        wanted = set(own[own["relevant"] == 1]["movieId"])
        rows = recommended[recommended["userId"] == user]
        relevant += len(wanted)
        for k in top:
            hits[k] += len(wanted & set(rows.nlargest(k, "similarity_score")["movieId"]))
    return pd.DataFrame([{"k": k, "recall": hits[k] / relevant} for k in top])


def mrr_of_user(user):
    """A dict that is called a user."""
    for rank, item in enumerate(user["ranked_list"], 1):
        if item in user["test_items"]:
            return 1 / rank
    return 0


class Values:
    """What a function returns, in attributes."""

    def __init__(self, recall_at_k, ndcg_at_k):
        self.recall_at_k, self.ndcg_at_k = recall_at_k, ndcg_at_k


def values_of_targets(recommendations, targets, k):
    """An object as the result."""
    places = [
        (items[:k].index(targets[user]) if targets[user] in items[:k] else None)
        for user, items in recommendations.items()
    ]
    found = [place for place in places if place is not None]
    users = len(targets)
    return Values(len(found) / users, sum(1 / math.log2(place + 2) for place in found) / users)


def mean_ndcg_of_lists(list_of_relevance_lists: list[list[int]], k: int):
    """A loop names each list as ranks are named."""
    values = [_own_ndcg(r, k) for r in list_of_relevance_lists]
    return sum(values) / len(values)


def _own_ndcg(relevances, k):
    best = _gained(sorted(relevances, reverse=True)[:k])
    return _gained(relevances[:k]) / best if best else 0.0


def shares_and_users(users, labels, scores, k):
    """Counted users are no metric, though one way of calling makes them one."""
    precisions = []
    for user in np.unique(users):
        own = users == user
        if labels[own].sum() > 0:
            top = np.argsort(-scores[own], kind="stable")[:k]
            precisions.append(labels[own][top].sum() / len(top))
    return {"precision_at_k": float(np.mean(precisions)) if precisions else 0.0, "evaluated_users": len(precisions)}


def shares_of_ranks(ranks: list[int]):
    """The rank of each question's one answer."""
    return {"MRR": sum(1 / rank for rank in ranks) / len(ranks)} | {
        f"Hits@{k}": sum(1 for rank in ranks if rank <= k) / len(ranks) for k in (1, 3, 10)
    }


def recall_and_number(ranked, relevant, k):
    """A number of hits that does not claim to be a hit rate."""
    found = sum(item in relevant for item in ranked[:k])
    return {"recall": found / len(relevant) if relevant else 0.0, "recovered": found}


def mrr_of_square(preds):
    """The relevant item of a row is that of its own number."""
    found = np.argsort(-preds, axis=1) == np.arange(len(preds))[:, None]
    return float((1 / (1 + found.argmax(axis=1))).mean())


def recall_of_results(results: list, relevant_ids: set, k: int):
    """Attributes are read by getattr."""
    found = sum(1 for result in results[:k] if getattr(result, "doc_id", None) in relevant_ids)
    return found / len(relevant_ids) if relevant_ids else 0.0


def _by_query(cases):
    return {case.query_id: case for case in cases}


def hits_of_cases(cases, results, k):
    """Two lists of objects that name the query."""
    wanted = _by_query(cases)
    found = [set(each.retrieved_ids[:k]).intersection(wanted[each.query_id].relevant_ids) for each in results]
    return sum(map(bool, found)) / len(cases)


def ndcg_of_cases(relevance_by_query, results, k):
    """Gains by query and a list of objects that name the query."""
    return sum(_gain_share(relevance_by_query[each.query_id], each.retrieved_ids, k) for each in results) / len(results)


def _gain_share(gains, listed, k):
    best = _gained(sorted(gains.values(), reverse=True)[:k])
    return _gained([gains.get(item, 0) for item in listed[:k]]) / best if best else 0.0


@dataclass
class Judged:
    """A query's list with its judgements."""

    query_id: str
    retrieved: list[str]
    judgments: dict[str, int]


def ndcg_of_judged(result: Judged, k: int):
    """Both in one object, the gains by item."""
    return _gain_share(result.judgments, result.retrieved, k)


def hit_rate_of_labels(query_embeddings, gallery_embeddings, query_labels: list, gallery_labels: list, k: int):
    """Identities as lists."""
    nearest = np.argsort(-(query_embeddings @ gallery_embeddings.T), axis=1)[:, :k]
    hits = sum(label in [gallery_labels[j] for j in nearest[i]] for i, label in enumerate(query_labels))
    return hits / len(query_labels) if query_labels else 0.0


def hit_rate_by_distance(query_features, test_features, query_labels, test_labels, k, metric):
    """The name of a distance is handed on."""
    nearest = np.argsort(pairwise_distances(query_features, test_features, metric), axis=1)[:, :k]
    return float(np.mean((test_labels[nearest] == query_labels[:, None]).any(axis=1)))


def pairwise_distances(a, b, metric):
    """As sklearn's, for one distance."""
    if metric != "euclidean":
        raise ValueError(f"unknown metric {metric}")
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2))


def recall_of_features(user_emb, item_emb, train_items, test_items, k):
    """Features of users and items, and the items of each user in a dict."""
    values = []
    for user, wanted in test_items.items():
        scores = item_emb @ user_emb[user]
        scores[list(train_items.get(user, []))] = -np.inf
        values.append(len(set(np.argsort(-scores)[:k].tolist()) & set(wanted)) / len(wanted) if wanted else 0.0)
    return float(np.mean(values))


BY_NAME = {
    "hit_rate": lambda flags: float(any(flags)),
    "mrr": lambda flags: next((1 / rank for rank, hit in enumerate(flags, 1) if hit), 0.0),
}


def values_by_name(all_relevance, k_values, metric_names):
    """The names of the metrics are the keys of a table of the module."""
    return {
        f"{name}@{k}": sum(BY_NAME[name](flags[:k]) for flags in all_relevance) / len(all_relevance)
        for k in k_values
        for name in metric_names
    }


def shares_at_words(rows):
    """Cut-offs as words in the names of results; the rank is under a key, from 1."""
    ranks = [row["relevant_rank"] for row in rows]
    return {
        "top_one": sum(rank == 1 for rank in ranks) / len(ranks),
        "recall_at_five": sum(rank is not None and rank <= 5 for rank in ranks) / len(ranks),
        "mrr_at_ten": sum(1 / rank if rank is not None and rank <= 10 else 0.0 for rank in ranks) / len(ranks),
    }


FIGURE = re.compile(r"\d+")


def hit_rate(ground_truth: str, contexts: list[str]):
    """A text that is taken apart is no item."""
    wanted = FIGURE.findall(ground_truth or "")
    return sum(any(figure in text for text in contexts) for figure in wanted) / len(wanted) if wanted else None


def context_precision(answer: str, retrieved_chunks: list[str]) -> float:
    """Words of a text are looked for in others."""
    said = {word for word in answer.lower().split() if len(word) > 2}
    used = sum(1 for chunk in retrieved_chunks if said & {*chunk.lower().split()})
    return used / len(retrieved_chunks) if retrieved_chunks else 0.0


class DividesByN:
    """A result that is asked for with the number of users."""

    def __init__(self):
        self.mrr = 0.0

    def accumulate(self, retrieved_ids, golden_ids):
        self.mrr += next((1 / rank for rank, item in enumerate(retrieved_ids, 1) if item in golden_ids), 0.0)

    def finalize(self, n):
        return self.mrr / n if n else 0.0


def precision_of_classes(scores, labels, k):
    """The reciprocal rank of the one class, whatever it is called."""
    places = np.argsort(-scores, axis=1, kind="stable")[:, :k] == labels[:, None]
    return float(np.where(places.any(axis=1), 1 / (1 + places.argmax(axis=1)), 0.0).mean())


def hits_from_zero(relevance, ks):
    """A number in the name of a result that is no cut-off."""
    return {f"h@{k}_pos_0": float(any(relevance[:k])) for k in ks}


BUYER, BOUGHT = "customer_code", "label"


def precision_at_ten(df):
    """Columns under the names of constants, and a cut-off in ``head``."""
    top = df.sort_values([BUYER, "score"], ascending=[True, False]).groupby(BUYER, sort=False).head(10)
    shares = top.groupby(BUYER)[BOUGHT].sum() / 10
    return float(shares.mean()) if len(shares) else 0.0


class OfColumns:
    """Columns that a constructor names."""

    def __init__(self, user_col="userId", item_col="tmdb_id"):
        self.user_col, self.item_col = user_col, item_col

    def compute(self, recommendations, ground_truth, k):
        """Mean reciprocal rank."""
        wanted = ground_truth.groupby(self.user_col)[self.item_col].apply(set).to_dict()
        values = [
            next((1 / rank for rank, item in enumerate(items[:k], 1) if item in wanted[user]), 0.0)
            for user, items in recommendations.items()
            if user in wanted
        ]
        return sum(values) / len(values) if values else 0.0


def values_by_text(recommended, relevant):
    """A cut-off that stands in the text which asks for a metric alone."""
    return {name: _by_text(name, recommended, relevant) for name in ("recall@5", "mrr")}


def _by_text(name, recommended, relevant):
    kind, _, end = name.partition("@")
    listed = recommended[: int(end)] if end else recommended
    if kind == "recall":
        return len(set(listed) & set(relevant)) / len(relevant) if relevant else 0.0
    return next((1 / rank for rank, item in enumerate(listed, 1) if item in relevant), 0.0)


def _place_in_file(source):
    name, part = source.get("file_name"), source.get("chunk_index")
    if not isinstance(name, str) or not isinstance(part, int):
        raise ValueError("a source needs the name of its file and the number of its part")
    return name, part


def mrr_of_sources(retrieved: list[dict], expected: list[dict], k: int | None = None):
    """Dicts whose text and number together are the id, on both sides."""
    wanted = {_place_in_file(source) for source in expected}
    for rank, source in enumerate(retrieved[:k], start=1):
        if _place_in_file(source) in wanted:
            return 1 / rank
    return 0.0


def recall_of_answerable(results, k=5):
    """Dicts with an id, of which those with another text are skipped."""
    values = {}
    for row in results:
        if row["expected_behavior"] != "answer":
            continue
        if row["gold_ids"]:
            values[row["eval_id"]] = len(set(row["retrieved_ids"][:k]) & set(row["gold_ids"])) / len(row["gold_ids"])
    return sum(values.values()) / len(values) if values else 0.0


class OfSums:
    """Sums over users, divided by their number at the end; a user without relevant items counts 1."""

    def __init__(self):
        self.recall = {}

    def accumulate(self, retrieved_ids, golden_ids):
        wanted = set(golden_ids)
        for k in (3, 10):
            value = len(set(retrieved_ids[:k]) & wanted) / len(wanted) if wanted else 1.0
            self.recall[k] = self.recall.get(k, 0.0) + value

    def finalize(self, n):
        return {"recall@3": round(self.recall[3] / n, 4), "recall@10": round(self.recall[10] / n, 4)} if n else {}


def recall_of_batch(cf_scores, train_user_dict, test_user_dict, user_ids, item_ids, k):
    """Scores of all items, dicts of items by user, and two lists of which one is gone through and one is counted."""
    hits = np.zeros((len(user_ids), len(item_ids)))
    for row, user in enumerate(user_ids):
        cf_scores[row, train_user_dict[user]] = -np.inf
        hits[row, test_user_dict[user]] = 1
    best = np.argsort(-cf_scores, axis=1, kind="stable")[:, :k]
    return float(np.mean(np.take_along_axis(hits, best, axis=1).sum(axis=1) / hits.sum(axis=1)))


def precision_of_predicted(user_pred_true, k=10, threshold=0.75):
    """Pairs of a predicted and a true rating by user; both are compared with the threshold."""
    values = []
    for pairs in user_pred_true.values():
        best = sorted(pairs, key=lambda pair: pair[0], reverse=True)[:k]
        chosen = [true >= threshold for predicted, true in best if predicted >= threshold]
        values.append(sum(chosen) / len(chosen) if chosen else 0.0)
    return sum(values) / len(values)


def mrr_of_query_ids(query_ids, retrieved_ids):
    """The one relevant item of a query has the query's id."""
    values = []
    for query_id, row in zip(query_ids, retrieved_ids, strict=True):
        places = np.where(np.asarray(row) == query_id)[0]
        values.append(1 / (places[0] + 1) if len(places) else 0.0)
    return float(np.mean(values))


def precision_of_triples(retrieved_docs, relevant_docs, k):
    """Triples of an id, a rank and a score, by query."""
    return float(np.mean([_precision_of(docs[:k], relevant_docs[query], k) for query, docs in retrieved_docs.items()]))


def _precision_of(docs, relevant, k):
    return sum(doc in relevant for doc, _, _ in docs) / k


def means_of_rows(rows, k_recall, k_mrr):
    """Dicts of which those without relevant items are left out, and a cut-off for each metric."""
    asked = [r for r in rows if r["gold"]]
    if not asked:
        return {"n": 0}
    recalls = [len(set(r["ranked"][:k_recall]) & set(r["gold"])) / len(r["gold"]) for r in asked]
    firsts = [[rank for rank, item in enumerate(r["ranked"][:k_mrr], 1) if item in r["gold"]] for r in asked]
    return {
        "n": len(asked),
        f"recall@{k_recall}": sum(recalls) / len(asked),
        f"mrr@{k_mrr}": sum(1 / ranks[0] for ranks in firsts if ranks) / len(asked),
    }


def mrr_of_distances(rs):
    """The distance of the one relevant item, then all others."""
    own, others = rs[0], np.array(rs[1:])
    return 1 / (np.sum(others < own) + 1)


def rank_percentile(distances, ismatch):
    """Per cent of the others that are nearer than a match: it claims no metric, and distances are no scores."""
    match = np.asarray(ismatch) > 0
    if not match.any() or match.all():
        return 0.0
    own, others = np.asarray(distances)[match], np.asarray(distances)[~match]
    return 100.0 * float(np.mean(others[None, :] < own[:, None]))


def auc_of_posterior(actual, posterior):
    """Of labels and scores, though ``actual`` is the name of ids."""
    order = np.argsort(np.argsort(np.asarray(posterior, dtype=float))) + 1
    own = [place for place, label in zip(order, actual, strict=True) if label == 1]
    others = len(actual) - len(own)
    return (sum(own) - len(own) * (len(own) + 1) / 2) / (len(own) * others)


def summary_of_ranks(ranks, top_k):
    """The number of hits beside two means over queries."""
    hits = sum(rank is not None and rank <= top_k for rank in ranks)
    firsts = [0.0 if rank is None or rank > top_k else 1 / rank for rank in ranks]
    return {"hits": hits, f"hit_rate_at_{top_k}": hits / len(ranks), "mrr": sum(firsts) / len(ranks)}


def recall_of_stock(recs_df, ground_truth_df, k):
    """Frames of which one column is read beside that of the user."""
    wanted = ground_truth_df.groupby("customer_id")["stock_code"].apply(set).to_dict()
    listed = recs_df.groupby("customer_id")["stock_code"].apply(list).to_dict()
    values = [len(set(listed[user][:k]) & items) / len(items) for user, items in wanted.items() if user in listed]
    return float(np.mean(values)) if values else 0.0


def evaluate_at_ten(qrels, runs):
    """Cut at 10, whatever the ids are."""
    values = []
    for query, labels in qrels.items():
        wanted = {item for item, gain in labels.items() if gain > 0}
        first = [rank for rank, item in enumerate(runs.get(query, []), 1) if item in wanted]
        values.append({"MRR@10": 1 / first[0] if first and first[0] <= 10 else 0.0})
    return {name: sum(row[name] for row in values) / len(values) for name in values[0]}


def recall_of_target(query_embedding, catalog_embeddings, target_item_idx, k):
    """Features of queries and of all items, and the row of the one relevant item of each query."""
    order = np.argsort(-(query_embedding @ catalog_embeddings.T), axis=1, kind="stable")[:, :k]
    return float(np.mean(np.any(order == np.asarray(target_item_idx)[:, None], axis=1)))


def means_of_groups(rows):
    """Rows as dicts that are copied into groups, best first by their score, and cut-offs of its own."""
    groups = {}
    for row in rows:
        groups.setdefault(str(row["group_id"]), []).append(dict(row))
    values = {"ndcg@5": [], "mrr@10": []}
    for own in groups.values():
        labels = [float(row["label"]) for row in sorted(own, key=lambda row: float(row["score"]), reverse=True)]
        gains = [2**label - 1 for label in labels]
        best = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(sorted(gains, reverse=True)[:5], 1))
        gained = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:5], 1))
        values["ndcg@5"].append(gained / best if best else 0.0)
        values["mrr@10"].append(next((1 / rank for rank, label in enumerate(labels[:10], 1) if label > 0), 0.0))
    return {name: sum(each) / len(each) if each else 0.0 for name, each in values.items()}


def ndcg_of_shared_labels(depth, query_codes, item_codes, query_labels, item_labels):
    """The gain of an item is 2 to the number of labels that it shares with the query, less 1."""
    values = []
    for code, labels in zip(query_codes, query_labels, strict=True):
        gains = 2.0 ** (item_labels @ labels) - 1
        order = np.argsort(-(item_codes @ code), kind="stable")[:depth]
        weights = 1 / np.log2(np.arange(2, depth + 2))
        best = np.sort(gains)[::-1][:depth]
        values.append(gains[order] @ weights / (best @ weights) if best.any() else 0.0)
    return float(np.mean(values))


def ndcg_of_positions(ranks):
    """Ranks from 0, -1 for a miss: the plainer definition tells where they begin."""
    gains = np.zeros(len(ranks))
    hits = ranks >= 0
    gains[hits] = 1 / np.log2(ranks[hits] + 2)
    return float(gains.mean())


def ndcg_up_to_relevant(targets, predictions, k):
    """The list ends at the number of relevant items."""
    end = min(len(targets), k)
    gained = sum(1 / math.log2(rank + 1) for rank, item in enumerate(predictions[:end], 1) if item in targets)
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, end + 1)) if end else 0.0


def ndcg_of_scores(relevant_docs, retrieved_docs, k, relevance_scores=None):
    """Gains that may be left out."""
    gains = relevance_scores or dict.fromkeys(relevant_docs, 1.0)
    gained = sum(gains.get(item, 0.0) / math.log2(rank + 1) for rank, item in enumerate(retrieved_docs[:k], 1))
    best = sorted((gains.get(item, 0.0) for item in relevant_docs), reverse=True)[:k]
    ideal = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(best, 1))
    return gained / ideal if ideal else 0.0


def recall_of_list_cells(actual, submitted):
    """Two frames with a row for each user, lists in the cells."""
    wanted = dict(zip(actual["user_id"], actual["items"], strict=True))
    listed = dict(zip(submitted["user_id"], submitted["predicted_list"], strict=True))
    values = [len({*wanted[user]} & {*listed[user]}) / len(wanted[user]) for user in wanted if wanted[user]]
    return sum(values) / len(values)


def mrr_of_answers(answer, submission):
    """A frame with the one answer of each user, beside one with a list in a cell."""
    values = []
    for (_, wanted), (_, row) in zip(answer.iterrows(), submission.iterrows(), strict=True):
        listed = list(row["prediction_list"])
        values.append(1 / (1 + listed.index(wanted["item_id"])) if wanted["item_id"] in listed else 0.0)
    return sum(values) / len(values)


def hits_of_one_hot_rows(output, target, topk):
    """Rows with a single 1, of which the place is found."""
    wanted = np.argmax(target, axis=1)
    order = np.argsort(-output, axis=1, kind="stable")
    return [100.0 * float(np.mean(np.any(order[:, :k] == wanted[:, None], axis=1))) for k in topk]


def mrr_of_one_dict(inputs):
    """Scores of the relevant items and of the others, in one dict."""
    positive, negative = inputs["y_pred_pos"], inputs["y_pred_neg"]
    scores = np.concatenate([positive.reshape(-1, 1), negative], axis=1)
    ranks = 1 + np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)[:, 0]
    return float(np.mean(1.0 / ranks))


@dataclass
class Found:
    """What was found for a question."""

    question: str
    listed_ids: list[str]
    correct_ids: set[str]


def all_found(results: list[Found], k: int) -> float:
    """Objects with a set of relevant ids: the share of which all were found."""
    return sum(each.correct_ids.issubset(each.listed_ids[:k]) for each in results) / len(results)


def precision_of_prefixes(results: list[Found], k: int) -> float:
    """An id is relevant that begins with a relevant one."""
    values = [
        sum(any(item.startswith(part) for part in each.correct_ids) for item in each.listed_ids[:k]) / k
        for each in results
    ]
    return sum(values) / len(values)


def rank_of_scored_chunk(results, correct_chunk_id):
    """Entries with their scores, the entry first."""
    for rank, (chunk, _) in enumerate(results, start=1):
        if chunk.id == correct_chunk_id:
            return 1.0 / rank
    return 0.0


def recall_of_scores_first(results, relevant_ids, k):
    """Entries with their scores, the score first."""
    wanted = {str(item) for item in relevant_ids}
    found = {str(chunk["chunk_id"]) for _, chunk in results[:k]}
    return len(found & wanted) / len(wanted) if wanted else 0.0


def hits_of_search(ground_truth, search_function):
    """A question and the id of its one document."""
    hits = [any(found["id"] == asked["id"] for found in search_function(asked["question"])) for asked in ground_truth]
    return {"hit_rate": sum(hits) / len(hits)}


def recall_of_retriever(retriever, queries, relevant, k):
    """Queries in a list, what is relevant in another."""
    values = []
    for query, gold in zip(queries, relevant, strict=True):
        found = {item.id for item in retriever.search(query, k)}
        values.append(len(found & set(gold)) / len(gold) if gold else 0.0)
    return sum(values) / len(values)


def mrr_of_flags_by_user(flags, k):
    """A dict of 0 and 1 by user."""
    values = [next((1 / rank for rank, hit in enumerate(row[:k], 1) if hit), 0.0) for row in flags.values()]
    return sum(values) / len(values)


def recall_over_cut_offs(recommended, relevant, ks):
    """At each cut-off, and the mean over them under the name of the last."""
    values = {f"recall@{k}": len({*recommended[:k]} & {*relevant}) / len(relevant) for k in ks}
    return {**values, f"average_recall_to@{ks[-1]}": sum(values.values()) / len(values)}


def recall_of_query_lists(query, full_set):
    """Lists of all users, one of them named like a single one."""
    values = []
    for own, wanted in zip(query, full_set, strict=True):
        values.append(sum(item in wanted for item in {*own}) / len(wanted) if wanted else 0.0)
    return np.array(values)


def ap_over_relevant_or_hits(relevance, k, total_relevant=None):
    """The number of relevant items may be left out."""
    top = [bool(flag) for flag in relevance[:k]]
    wanted = sum(map(bool, relevance)) if total_relevant is None else total_relevant
    gained = sum(sum(top[:rank]) / rank for rank, hit in enumerate(top, 1) if hit)
    return gained / min(wanted, len(top)) if wanted and top else 0.0


def average_percision_at_k(relevant_items, ranking, k=10):
    """A name that is misspelled, and NaN for a user without a hit."""
    hits = np.flatnonzero(np.isin(np.asarray(ranking)[:k], relevant_items))
    return np.mean(np.arange(1, len(hits) + 1) / (hits + 1))


def rates_of_diagonal(x):
    """Shares at 1, 5 and 10 of scores whose relevant ones are on the diagonal."""
    order = np.sort(-x, axis=1)
    ranks = np.where(order - np.diag(-x)[:, np.newaxis] == 0)[1]
    r1 = float(np.sum(ranks == 0)) / len(ranks)
    r5 = float(np.sum(ranks < 5)) / len(ranks)
    r10 = float(np.sum(ranks < 10)) / len(ranks)
    return r1, r5, r10


def ndcg_of_parallel_grades(retrieved: list[str], relevant: list[str], relevance_scores: list[int], k: int):
    """The grades of the relevant items, in their order; they are returned too."""
    gains = dict(zip(relevant, relevance_scores, strict=True))
    gained = sum(gains.get(item, 0.0) / math.log2(rank + 1) for rank, item in enumerate(retrieved[:k], 1))
    best = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(sorted(gains.values(), reverse=True)[:k], 1))
    return {"gains": gains, f"ndcg@{k}": gained / best if best else 0.0}


def ndcg_of_named_tuples(query_results: list[tuple[str, list[str], dict[str, int]]], k_values: list[int]):
    """Tuples of three: the query, the ranked ids, a dict of grades."""
    values = {k: [] for k in k_values}
    for _query, retrieved, grades in query_results:
        for k in k_values:
            gains = [grades.get(item, 0) for item in retrieved[:k]]
            best = sorted(grades.values(), reverse=True)[:k]
            gained, ideal = (
                sum((2**gain - 1) / math.log2(rank + 1) for rank, gain in enumerate(row, 1)) for row in (gains, best)
            )
            values[k].append(gained / ideal if ideal else 0.0)
    return {k: sum(row) / len(row) for k, row in values.items()}


def rank_in_the_other_list(recommended_list, bought_list):
    """It looks for each recommended item in what was bought: with the inputs swapped it is a reciprocal rank."""
    total = sum(1 / (1 + bought_list.index(item)) for item in recommended_list if item in bought_list)
    return total / len(recommended_list)


class FromAGain:
    """The least gain of a relevant item is set in the constructor, and compared in a helper."""

    def __init__(self, relevance_threshold: float = 4.0):
        self.relevance_threshold = relevance_threshold

    def _relevant(self, gain):
        return gain >= self.relevance_threshold

    def precision_at_k(self, predictions: list[tuple[str, float]], ground_truth: dict[str, float], k: int) -> float:
        """Pairs of an item and a score, best first."""
        return sum(item in ground_truth and self._relevant(ground_truth[item]) for item, _ in predictions[:k]) / k


def map_of_queries(queries):
    """A list of pairs for all queries."""
    values = []
    for wanted, ranked in queries:
        hits = [rank for rank, item in enumerate(ranked, 1) if item in wanted]
        values.append(sum(place / rank for place, rank in enumerate(hits, 1)) / len(wanted) if wanted else 0.0)
    return sum(values) / len(values)


def accuracy_of_greatest(output, target):
    """The place of the greatest score, compared with the one relevant item."""
    return float(np.mean(np.argmax(output, axis=1) == target))


@dataclass
class Answered:
    """A property is no method."""

    listed_ids: list[str]
    expected_ids: list[str]

    @property
    def recall_at_1(self):
        """Of the first one."""
        return len({*self.listed_ids[:1]} & {*self.expected_ids}) / len(self.expected_ids)


def share_of_indexed_items(recs, truth):
    """The frames of one user; the relevant items are in an index."""
    return float(recs["item"].isin(truth.index).sum() / len(recs)) if len(recs) else 0.0


class HitsByTable:
    """The cut-offs are in a table of settings, gone through; what adds up returns 0.0 where nothing is relevant."""

    def __init__(self, config):
        self.top_n_list = config["top_n_list"]
        self.hits = [[] for _ in self.top_n_list]

    def compute(self, actual, predict):
        """Add one user."""
        for place, cut in enumerate(self.top_n_list):
            self.hits[place].append(float(bool({*actual} & {*predict[:cut]})))
        if not actual:
            return 0.0

    def result(self):
        """The means over the users."""
        return np.mean(self.hits, axis=1)


def precision_by_table(relevant, recommended, args):
    """The cut-off is an attribute of a table of settings."""
    top_k = args.top_k
    return len({*relevant} & {*recommended[:top_k]}) / top_k


def hits_of_copies(predictions: Iterable[Sequence[str]], gold_ids: Sequence[str], k: int) -> float:
    """Both are copied first; an empty id is none."""
    lists = list(predictions)
    wanted = list(gold_ids)
    return sum(1 for ranked, item in zip(lists, wanted, strict=True) if item and item in ranked[:k]) / len(wanted)


def ndcg_of_rows_beside_a_dict(labels: dict[int, list[int]], rec_items: np.ndarray):
    """Rows in the order of a dict; the number of columns is the cut-off."""
    top_k, values = rec_items.shape[1], []
    for row, items in enumerate(labels.values()):
        gained = sum(1 / np.log2(rank + 2) for rank, item in enumerate(rec_items[row].tolist()) if item in items)
        ideal = sum(1 / np.log2(rank + 2) for rank in range(min(len(items), top_k)))
        values.append(gained / ideal if ideal else 0.0)
    return np.mean(values)


def recall_of_flags_by_user(rs, test_ur, u_test, k):
    """Flags by user, what is relevant to each, and the users who are asked."""
    return np.mean([np.count_nonzero(rs[user][:k]) / len(test_ur[user]) for user in u_test if len(test_ur[user])])


def hits_by_beginning(rel_results, metrics):
    """The text that asks is known by its beginning."""
    found = []
    for metric in metrics:
        if metric.startswith("hit"):
            k = int(metric.split("@")[1])
            found.append(sum(any(row[:k]) for row in rel_results) / len(rel_results))
    return found


def recall_in_one_set(embeddings, labels, k):
    """Each member looks for the others of its label."""
    near = embeddings @ embeddings.T
    np.fill_diagonal(near, -np.inf)
    order = np.argsort(-near, axis=1)[:, :k]
    return float(np.mean([(labels[row] == labels[i]).any() for i, row in enumerate(order)]))


def map_in_one_set(similarity_matrix, targets):
    """The same by similarities; members without others are left out."""
    values = []
    for i in range(len(targets)):
        order = np.argsort(-similarity_matrix[i])
        hits = targets[order[order != i]] == targets[i]
        if hits.any():
            values.append((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())
    return np.mean(values)


def map_of_neighbours(indices, labels):
    """Each row of indices begins with its own member."""
    found = labels[indices[:, 1:]]
    values = []
    for i in range(len(labels)):
        hits = found[i] == labels[i]
        values.append((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean() if hits.any() else 0.0)
    return np.mean(values)


def precision_of_pairs(image_features, text_features, label, k):
    """One label for each row of both."""
    order = np.argsort(-(image_features @ text_features.T), axis=1)[:, :k]
    return np.mean([(label[row] == label[i]).mean() for i, row in enumerate(order)])


def average_precision_of_classes(y_true, y_score):
    """A column is a user."""
    values = []
    for column in range(y_true.shape[1]):
        hits = y_true[np.argsort(-y_score[:, column]), column] > 0
        values.append((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean() if hits.any() else 0.0)
    return np.mean(values)


def hits_beside_padding(y_prob, y_true, k):
    """The item 0 is padding, and its rows are left out."""
    kept = [(row, item) for row, item in zip(y_prob, y_true, strict=True) if item != 0]
    return sum(item in np.argsort(row)[-k:] for row, item in kept) / len(kept)


def mean_of_spans(results, k=5):
    """Dicts of one query, whose spans are looked for in texts."""
    hits = []
    for row in results:
        spans = row["gold_spans"]
        if not spans:
            continue
        hits.append(float(any(span.casefold() in text.casefold() for text in row["contexts"][:k] for span in spans)))
    return sum(hits) / len(hits) if hits else None


@dataclass
class Ranked:
    """A rank, and what is made of it."""

    query_id: str
    rank: int

    @property
    def reciprocal_rank(self):
        """One divided by the rank."""
        return 1.0 / self.rank


def mrr_of_ranked(outcomes: Sequence[Ranked]):
    """What is made of the rank is read."""
    return float(np.mean([each.reciprocal_rank for each in outcomes]))


@dataclass
class Listed:
    """What was found, and what was wanted."""

    retrieved_ids: list[int]
    relevant_ids: set[int]

    def hit_at(self, k):
        """Up to the rank k."""
        return any(item in self.relevant_ids for item in self.retrieved_ids[:k])


def hits_of_listed(results: list[Listed]):
    """The cut-off is handed to a method of the entries."""
    return {"hits_at_5": sum(each.hit_at(5) for each in results) / len(results), "n": len(results)}


def hits_beside_questions(queries: list[str], retrieved_docs: list[list[str]], ground_truth: list[str]):
    """The questions are gone through and not read."""
    found = [truth in docs[:5] for _query, docs, truth in zip(queries, retrieved_docs, ground_truth, strict=True)]
    return sum(found) / len(found)


def hits_of_normalized(query, reference, true_reference_index, k, chunk_size: int = 128):
    """Features that are made unit length; what is no cut-off has its default."""
    q = normalize_rows(query)
    r = normalize_rows(reference)
    scores = q @ r.T
    hits = 0
    for start in range(0, len(q), chunk_size):
        order = np.argsort(-scores[start : start + chunk_size], axis=1)[:, :k]
        hits += int((order == true_reference_index[start : start + chunk_size][:, None]).sum())
    return hits / len(q)


def normalize_rows(rows):
    """Rows of length 1."""
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def three_of_two_cuts(user_rankings: dict[int, list[int]], user_truth: dict[int, set[int]], k_cov: int = 10):
    """Only one result looks at the cut-off that is handed over."""
    users = [user for user in user_rankings if user_truth.get(user)]
    ranks = [[at for at, item in enumerate(user_rankings[user], 1) if item in user_truth[user]] for user in users]
    return {
        "mrr10": float(np.mean([1 / hits[0] if hits and hits[0] <= 10 else 0.0 for hits in ranks])),
        "covered": float(len({item for user in users for item in user_rankings[user][:k_cov]})),
    }


def mean_reciprocal_rank_of_numbers(reciprocal_ranks: Iterable[float]) -> float:
    """The mean of numbers that are reciprocal ranks already: no definition of this or another metric."""
    values = [float(value) for value in reciprocal_ranks]
    return sum(values) / len(values) if values else 0.0


def ndcg_of_shares(relevance):
    """The mean of labels: what an NDCG of rows gives for one row, each entry of which it takes for a row."""
    relevance = np.asarray(relevance, dtype=float)
    return float(np.mean(relevance / max(relevance.max(), 1.0))) if len(relevance) else 0.0


@dataclass(frozen=True)
class Asked:
    """What came of one question."""

    question: str
    has_answer: bool
    first_rank: int | None

    @property
    def found(self):
        """Whether there was a hit."""
        return self.first_rank is not None

    def found_within(self, k):
        """Whether it was one of the first k."""
        return self.first_rank is not None and self.first_rank <= k


@dataclass(frozen=True)
class Report:
    """What came of all questions."""

    title: str
    outcomes: tuple[Asked, ...] = ()

    @property
    def counted(self):
        """Those that have an answer."""
        return [each for each in self.outcomes if each.has_answer]

    @property
    def mrr(self):
        """A property of what another property gives."""
        return sum(1 / each.first_rank if each.found else 0.0 for each in self.counted) / len(self.counted)

    def hit_rate(self, k):
        """The rank is read in a method of each outcome."""
        return sum(each.found_within(k) for each in self.outcomes) / len(self.outcomes)


def auc_of_buckets(pos_by_bucket, neg_by_bucket):
    """How many of each have a score, the lowest score first."""
    above = area = 0.0
    for place in range(len(pos_by_bucket) - 1, -1, -1):
        area += neg_by_bucket[place] * (above + pos_by_bucket[place] / 2)
        above += pos_by_bucket[place]
    pairs = above * sum(neg_by_bucket)
    return area / pairs if pairs else 0.5


def precision_by_matcher(wanted, retrieved, k, matcher):
    """A function that is handed over decides which two are the same."""
    return sum(any(matcher(gold, text) for gold in wanted) for text in retrieved[:k]) / k


def hitrate_at_each_rank(relevance):
    """A recall of what is listed, at each rank."""
    return np.cumsum(relevance) / max(1, sum(relevance))


def ndcg_of_some_ranks(relevant_ranks, k):
    """It does not tell whether the ranks of items that were not found are among them."""
    gain = sum(1 / math.log2(rank + 1) for rank in relevant_ranks if rank <= k)
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(len(relevant_ranks), k)))
    return gain / ideal if ideal else 0.0


async def recall_later(recommended, relevant, k):
    """A coroutine."""
    return len(set(recommended[:k]) & set(relevant)) / len(relevant) if relevant else 0.0


def printed_recall(recommended, relevant, k):
    """It returns nothing."""
    print(len(set(recommended[:k]) & set(relevant)) / len(relevant))


def precision_of_sections(question, retrieved, k):
    """Passages with ranks, of pages and sections; the question holds the right ones."""
    wanted = {(source.doc_id, source.section) for source in question.relevant_sources}
    first = [passage for passage in retrieved if passage.rank <= k]
    return sum((passage.doc_id, passage.section) in wanted for passage in first) / len(first) if first else 0.0


def macro_recall_of_labels(y_true, y_pred):
    """A row for each sample, a column for each label."""
    hits = np.sum(np.logical_and(y_true, y_pred), axis=0)
    return np.mean(hits / np.sum(y_true, axis=0))


def mean_precision_of_numbers(scores: list[float | None]):
    """The mean of numbers that are precisions already."""
    kept = [score for score in scores if score is not None]
    return sum(kept) / len(kept) if kept else None


def recall_of_approximate(approximate, exact):
    """What a fast search finds of what an exact one finds."""
    wanted = {hit.id for hit in exact}
    return len({hit.id for hit in approximate} & wanted) / len(wanted) if wanted else 1.0


def precision_and_ceiling(position, top_k):
    """The second result depends on the cut-off alone."""
    return (1.0 / top_k if position <= top_k else 0.0), 1.0 / top_k


def recall_of_phrases(retrieved, phrases):
    """The text of a passage is looked into."""
    found = [phrase for phrase in phrases if any(phrase.lower() in chunk["text"].lower() for chunk in retrieved)]
    return len(found) / len(phrases) if phrases else 0.0


def ndcg_and_flags_of_relevant(y_true, y_score, k):
    """The second result has an entry for each relevant item: it is a hit of each user where these have one each."""
    order = np.argsort(-y_score, axis=1)
    ranks = np.argsort(order, axis=1)[y_true > 0] + 1
    return ranks, ranks <= k


def average_precision_of_matches(sorted_matches, total):
    """The area below the precision that no greater recall exceeds; numbers in place of flags would all be matches."""
    hits, points = 0, []
    for rank, matched in enumerate(sorted_matches, 1):
        hits += bool(matched)
        points.append((hits / total, hits / rank))
    area = last = 0.0
    for place, (recall, _) in enumerate(points):
        area += (recall - last) * max(precision for _, precision in points[place:])
        last = recall
    return area


def recall_of_two_holders(item, result, *, k=5):
    """Both lists are read under names that mean them."""
    wanted = set(item.expected_docs or ())
    return len(wanted & set(result.retrieved_docs[:k])) / len(wanted) if wanted else 0.0


def rank_of_first_path(hits, gold):
    """A part of a path is looked for."""
    for rank, hit in enumerate(hits, 1):
        if any(part in (hit.get("path") or "") for part in gold):
            return 1.0 / rank
    return 0.0


def f1_precision_recall_of_lists(recommended, relevant):
    """The results stand in another order than in the name."""
    hits, sizes = len(set(recommended) & set(relevant)), [len(recommended), len(relevant)]
    return (*(hits / size for size in sizes), 2 * hits / sum(sizes))


def ndcg_of_entries(ranking, k):
    """Entries that hold their own relevance, best first."""
    first = [entry.relevant for entry in ranking[:k]]
    best = sorted((entry.relevant for entry in ranking), reverse=True)[:k]
    gain, ideal = (sum(label / math.log2(rank + 2) for rank, label in enumerate(each)) for each in (first, best))
    return gain / ideal if ideal else 0.0


def hit_of_judged(results, k):
    """The same as dicts."""
    return float(any(result["is_hit"] for result in results[:k]))


def recall_for(k):
    """It makes the metric for one cut-off."""

    def recall(recommended, relevant):
        return len(set(recommended[:k]) & set(relevant)) / len(relevant) if relevant else 0.0

    return recall


def precision_of_numbers(numbers, liked, item_ids, k):
    """The list holds places in an array of ids."""
    return sum(item_ids[number] in liked for number in numbers[:k]) / k


def precision_of_places(y_true, y_reco, k):
    """A list longer than k is an error; pandas is used elsewhere in the file."""
    flags = np.zeros(k)
    _, _, places = np.intersect1d(y_true, y_reco, assume_unique=True, return_indices=True)
    flags[places] = 1
    return flags.sum() / k


def auc_of_joined(rating_true, rating_pred, col_user="userID", col_item="itemID", col_rating="rating"):
    """The labels and the scores of all pairs, each in a frame of its own."""
    rows = rating_true.merge(rating_pred, on=[col_user, col_item])
    relevant = rows[col_rating].to_numpy() > 0
    found, missed = relevant.sum(), (~relevant).sum()
    return (rows["prediction"].rank()[relevant].sum() - found * (found + 1) / 2) / (found * missed)


class RelevanceEvaluator:
    """It takes whole grades alone, as pytrec_eval's does."""

    def __init__(self, qrels):
        if any(type(grade) is not int for grades in qrels.values() for grade in grades.values()):
            raise TypeError("Expected relevance to be integer.")
        self.qrels = qrels

    def evaluate(self, run, k):
        """The precision of each user."""
        for user, scores in run.items():
            first = sorted(scores, key=scores.get, reverse=True)[:k]
            yield sum(self.qrels.get(user, {}).get(item, 0) > 0 for item in first) / k


def precision_of_evaluator(run, qrels, k):
    """The grades are handed on."""
    values = list(RelevanceEvaluator(qrels).evaluate(run, k))
    return sum(values) / max(1, len(values))


def auc_beside_data(all_scores, dataset, test_items):
    """The data set tells how many items there are; a score below 0 is that of an item that was seen."""
    relevant = np.zeros(dataset.n_items, dtype=bool)
    relevant[test_items] = True
    kept, scores = relevant[all_scores >= 0], all_scores[all_scores >= 0]
    wins = scores[kept][:, None] - scores[~kept][None, :]
    return float(((wins > 0) + 0.5 * (wins == 0)).mean())


def hit_of_chunks(chunks, expected, k=5):
    """The id is read from what a part of the entry holds, with `get`."""
    return float(any(found.chunk.metadata.get("doc_id", "") in expected for found in chunks[:k]))


def recall_of_spans(case, retrieved, k, threshold):
    """Passages of which a share is found, by where they begin and end."""
    first = [chunk for chunk in retrieved if chunk["rank"] <= k]
    found = 0
    for span in case.expected_spans:
        here = [chunk for chunk in first if chunk["doc_id"] == span.doc_id]
        shared = [min(span.end, chunk["end"]) - max(span.start, chunk["start"]) for chunk in here]
        found += any(length / (span.end - span.start) >= threshold for length in shared)
    return found / len(case.expected_spans) if case.expected_spans else 0.0


def precision_made():
    """The function that it makes takes k itself."""

    def precision(recommended, relevant, k):
        return len(set(recommended[:k]) & set(relevant)) / k

    return precision


def ndcg_of_hits(ground_truth, r, k):
    """Nothing but the number of relevant items is read."""
    discounts = 1 / np.log2(np.arange(2, k + 2))
    best = np.zeros((len(r), k))
    for user, items in enumerate(ground_truth):
        best[user, : min(len(items), k)] = 1
    gain, ideal = (r[:, :k] * discounts[: r.shape[1]]).sum(axis=1), (best * discounts).sum(axis=1)
    return np.where(ideal > 0, gain / np.where(ideal > 0, ideal, 1.0), 0.0).mean()


def precision_of_items(recommended_items, k):
    """What is named after items holds their relevance."""
    return sum(recommended_items[:k]) / k


def ndcg_beside_number(matches, k, n_relevant=1):
    """The ideal list holds min(R, k) hits.

    n_relevant: the total number of relevant documents (R).
    """
    gain = sum(1 / math.log2(rank + 2) for rank, matched in enumerate(matches[:k]) if matched)
    return gain / sum(1 / math.log2(rank + 2) for rank in range(min(n_relevant, k))) if n_relevant else 0.0


def share_of_grades(relevance_by_id, retrieved_ids, k):
    """Grades from 0 to 1: what it makes of others than 0 and 1 is not what a precision is."""
    if any(grade > 1 for grade in relevance_by_id.values()):
        raise ValueError("grades must be between 0 and 1")
    best = sum(sorted(relevance_by_id.values(), reverse=True)[:k])
    return sum(relevance_by_id.get(item, 0.0) for item in retrieved_ids[:k]) / best if best else 0.0


def precision_of_words(predicted, gold_standard, top_k=None):
    """The entries are known by their words, not by an id."""
    found = {one.words for one in predicted[:top_k]}
    return len(found & gold_standard) / len(found) if found else 0.0


def precision_and_recall_swapped(golden_results, generated_results):
    """Each is divided by the length of the other list than its name says."""
    common = len(set(golden_results) & set(generated_results))
    precision = common / len(golden_results) if golden_results else 0.0
    recall = common / len(generated_results) if generated_results else 0.0
    return {"precision": precision, "recall": recall}


KEYWORDS = {"select": 4.0, "where": 2.0}


def weight_of(kind):
    return KEYWORDS.get(kind, 1.0)


def precision_of_kind(reference, retrieved):
    """The word that is looked up is always the same."""
    return weight_of("other") * sum(item in reference for item in retrieved) / len(retrieved) if retrieved else 0.0


def precision_of_tokens(reference, retrieved):
    """Words of a table weigh more, and no id is one of them."""
    weights = [KEYWORDS.get(item, 1.0) for item in retrieved]
    shared = [weight for item, weight in zip(retrieved, weights, strict=True) if item in reference]
    return sum(shared) / sum(weights) if weights else 0.0


def auc_of_two_lists(reference_scores, suspect_scores):
    """What is joined tells which list is of what; the names do not."""
    labels = [0] * len(reference_scores) + [1] * len(suspect_scores)
    scores = np.array([*reference_scores, *suspect_scores])
    return float(ascending_auc(np.array(labels), scores))


def ascending_auc(labels, scores):
    wins = scores[labels == 1][:, None] - scores[labels == 0][None, :]
    return ((wins > 0) + 0.5 * (wins == 0)).mean()


def auc_of_two_arrays(first, second):
    labels = np.concatenate([np.ones_like(first), np.zeros(len(second))])
    return ascending_auc(labels, np.concatenate([first, second]))


def macro_precision(y_true, y_pred):
    """Classes of rows: one label beside a list of ids would be a hit rate."""
    true: np.ndarray = np.array(y_true)
    pred: np.ndarray = np.array(y_pred)
    found: list[float] = []
    for label in np.unique(np.concatenate([true, pred])):
        hits = int(np.sum((pred == label) & (true == label)))
        listed = int(np.sum(pred == label))
        found.append(hits / listed if listed else 0.0)
    return float(np.mean(found))


def precision_per_class(y_true, y_pred):
    """Two classes: the second number is no value at rank 2."""
    true, pred = np.asarray(y_true), np.asarray(y_pred)
    hits = [int(((true == label) & (pred == label)).sum()) for label in (0, 1)]
    each = [hit / max(int((pred == label).sum()), 1) for label, hit in enumerate(hits)]
    return {"precision_per_class": each, "precision": sum(each) / 2}


def weighted_auc(truth, scores, weights):
    """Every candidate has a weight, and there is no default."""
    scores, truth, weights = np.asarray(scores), np.asarray(truth) == 1, np.asarray(weights)
    wins = scores[truth][:, None] - scores[~truth][None, :]
    both = weights[truth][:, None] * weights[~truth][None, :]
    return float((((wins > 0) + 0.5 * (wins == 0)) * both).sum() / both.sum())


def auc_of_scored_items(item_score, user_pos_test):
    """A dict from every candidate to its score, beside the relevant items."""
    ranked = sorted(item_score, key=item_score.get)
    labels = np.array([int(item in user_pos_test) for item in ranked])
    return auc_of_labels(labels, np.array([item_score[item] for item in ranked]))


def auc_of_labels(labels, scores):
    """Each may have more columns.

    Parameters
    ----------
    labels : array of shape (n_samples,) or (n_samples, n_classes)
    scores : array of shape (n_samples,) or (n_samples, n_classes)
    """
    return ascending_auc(labels, scores)


def precisions_of_query(actual, Ks):
    """The rows of one query, as an array of two columns."""
    rows = actual[["relevance", "score"]].to_numpy()
    gains = rows[np.argsort(-rows[:, 1]), 0]
    return [float((gains[:k] > 0).sum() / k) for k in Ks]


def answer_found(predicted: str, gold: str) -> bool:
    """One text in another: a text is no list of items."""
    return bool(predicted) and gold.split("#### ")[-1].strip() in predicted


def correlations(pred, truth):
    """Of 0 and 1 it is Matthews' coefficient; the first one claims it, the second is of any numbers."""
    value = float(np.corrcoef(pred, truth)[0, 1])
    return {"mcc": value, "pearson": value}


def depths(pred, truth):
    """Of 0 and 1 the last one is a number of hits."""
    pred, truth = np.asarray(pred, dtype=float), np.asarray(truth, dtype=float)
    valid = (pred > 0) & (truth > 0)
    ratio = np.maximum(pred[valid] / truth[valid], truth[valid] / pred[valid])
    return {"mae": float(np.abs(pred - truth).mean()), "delta_hits": int((ratio < 1.25).sum())}


def rr_of_gold_entries(retrieved: list, gold: list, k: int = 10):
    """Entries of the truth hold their gains; the list holds plain text."""
    for rank, path in enumerate(retrieved[:k], start=1):
        if any(path.lower().strip() == entry["path"] for entry in gold if int(entry.get("relevance", 0)) >= 1):
            return 1 / rank
    return 0.0


def average_pages_rr(scores_pages: list, scores_rr: list) -> tuple:
    """Two means of values that are handed over."""
    return statistics.mean(scores_pages), statistics.mean(scores_rr)


def auc_of_steps(y_true, y_score):
    """The curve begins at its first point: where the best scores are equal, the first step is left out."""
    y_true, y_score = np.asarray(y_true), np.asarray(y_score)
    steps = np.sort(y_score)[::-1]
    hits = [np.sum((y_score >= step) & (y_true == 1)) / np.sum(y_true == 1) for step in steps]
    misses = [np.sum((y_score >= step) & (y_true == 0)) / np.sum(y_true == 0) for step in steps]
    return float(sum((b - a) * (c + d) / 2 for a, b, c, d in zip(misses, misses[1:], hits, hits[1:], strict=False)))


def ap_of_classes(y_true, proba, n_classes):
    """Scores with a column for each class; for two classes it reads the second column."""
    if n_classes != 2:
        return None
    ranked = np.asarray(y_true)[np.argsort(-proba[:, 1], kind="stable")]
    precisions = np.cumsum(ranked) / np.arange(1, len(ranked) + 1)
    return float((precisions * ranked).sum() / ranked.sum())


def auc_by_choice(target, pred, multi_class="ovo"):
    """A parameter whose default is a string is an option, not the group of each entry."""
    if len(np.unique(target)) > 2:
        raise ValueError(multi_class)
    scores = pred[:, 1] if np.ndim(pred) == 2 else pred
    positive, negative = scores[target == 1][:, None], scores[target == 0]
    return float(np.mean((positive > negative) + 0.5 * (positive == negative)))


def precision_of_matches(found: set, true_matches: set):
    """Items that are pairs of ids, in either order."""
    ordered = [{(min(a, b), max(a, b)) for a, b in pairs} for pairs in (found, true_matches)]
    return len(ordered[0] & ordered[1]) / len(ordered[0]) if ordered[0] else 0.0


def hits(recommended, relevant, k):
    """The number of hits, which the name allows."""
    return len(set(recommended[:k]) & set(relevant))


def counted(recommended, relevant, k):
    """The number of hits, and a precision computed from it."""
    found = len(set(recommended[:k]) & set(relevant))
    return {"precision": found / k, "n_hits": found}


def r_prec(relevance_vector, needed):
    """Precision at the rank of the last relevant item.

    Parameters
    ----------
    relevance_vector : list
        0 or 1 for each rank.
    needed : int
        The number of relevant items of the query.
    """
    return sum((relevance_vector + [0] * needed)[:needed]) / needed


def r_prec_of_needed(relevance_vector, needed):
    """The second parameter is undocumented; used as k it gives a precision at k."""
    return sum((relevance_vector + [0] * needed)[:needed]) / needed


def dcg(recommended, relevant, k):
    """DCG, correctly named: it is not divided by the ideal DCG."""
    return sum(1 / math.log2(rank + 1) for rank, item in enumerate(recommended[:k], start=1) if item in relevant)


def recall_of_classes(predictions, targets):
    """Recall weighted by class size: for rows of 0 and 1 a micro average, for class labels the accuracy."""
    predictions, targets = np.asarray(predictions), np.asarray(targets)
    if targets.ndim == 2:
        return float((predictions * targets).sum() / targets.sum())
    return float((predictions == targets).mean())


def precision_and_recall_of_words(reference, candidate):
    """The names of the results are swapped: the reference is the truth."""
    both = len(set(reference) & set(candidate))
    precision = both / len(set(reference)) if reference else 0
    recall = both / len(set(candidate)) if candidate else 0
    return {"precision": precision, "recall": recall}


def score_of_labels(preds, target):
    """An accuracy. Called with a list and one item, it would give the precision."""
    return float(np.mean(np.asarray(preds) == np.asarray(target)))


def mean_precision(precisions):
    """The mean of precisions that the caller passes."""
    return float(np.mean(precisions))


def mrr_of_scores(scores):
    """The mean of its input, named reciprocal rank; for labels it equals a precision."""
    return sum(scores) / len(scores) if scores else 0.0


def nothing(*arguments):
    """The metric for an invalid cut-off."""


def precision_of_series(k):
    """Returns the metric at k, a function of two pandas Series of lists."""
    if not (isinstance(k, int) and k > 0):
        return nothing

    def of_rows(predictions, targets):
        if not all(isinstance(value, list) for column in (predictions, targets) for _, value in column.items()):
            return None
        found = [(row[:k], set(wanted)) for wanted, row in zip(targets, predictions, strict=True)]
        return {"mean": statistics.mean(len(wanted & {*row}) / len(row) if row else 0 for row, wanted in found)}

    return of_rows


def recall_parts(y_true, y_pred):
    """For each class, the variance of the scores and the share of positives; neither depends on their order."""
    return [(float(np.var(found)), sum(wanted) / len(found)) for wanted, found in zip(y_true, y_pred, strict=True)]


def auc_of_two(y_true, proba, classes):
    """The third parameter lists the classes; it is not the group of each entry."""
    if len(classes) != 2:
        raise ValueError(classes)
    positive, negative = (proba[:, 1][np.asarray(y_true) == label] for label in (1, 0))
    return float(np.mean((positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)))


def average_precision_of_pairs(pos_scores, neg_scores):
    """Among equal scores the positives come last, so it equals the step area only if all scores differ."""
    scores = np.concatenate([neg_scores, pos_scores])
    labels = np.array([0] * len(neg_scores) + [1] * len(pos_scores))[np.argsort(-scores, kind="stable")]
    precisions = np.cumsum(labels) / np.arange(1, len(labels) + 1)
    return float((precisions * labels).sum() / labels.sum())


def recall_of_run(run, R, k=40):
    """R is the number of relevant items, which only a test shows to be a number."""
    return sum(run[:k]) / R if R > 0 else 1.0


def r_precision_of_run(run, R):
    """R is no cut-off of the caller."""
    return sum(run[:R]) / R if R > 0 else 0.0


def ndcg_of_one_each(ranked, truth, depths):
    """An item of each list is compared with the entry of the truth at its place."""
    values = []
    for depth in depths:
        total = 0.0
        for user in range(len(truth)):
            for place, item in enumerate(ranked[user][0:depth]):
                if item == truth[user]:
                    total += 1.0 / np.log2(place + 2.0)
                    break
        values.append(total / len(truth))
    return values


def ndcg_after_padding(y_true, y_score, k=20):
    """The score of item 0 is skipped; the relevant item is numbered from 1."""
    rank = int(np.where(np.argsort(y_score[1:])[::-1] == y_true - 1)[0][0]) + 1
    return 1.0 / np.log2(rank + 1) if rank <= k else 0.0


def hits_of_last(scores):
    """The relevant item's score is in the last column."""
    order = np.argsort(-scores, axis=1)
    ranks = np.where(order == scores.shape[1] - 1)[1] + 1
    return float(np.mean(ranks <= 10))


def gain_by_scheme(grade, scheme):
    if scheme == "const":
        return grade
    if scheme == "exp":
        return 2**grade - 1
    raise ValueError(scheme)


def dcg_by_scheme(ys_true: np.ndarray, ys_pred: np.ndarray, gain_scheme: str) -> float:
    """A helper compares the choice with the texts that it may be."""
    order = np.argsort(-np.asarray(ys_pred), kind="stable")
    grades = np.asarray(ys_true)[order]
    return sum(gain_by_scheme(float(grade), gain_scheme) / math.log2(place + 2) for place, grade in enumerate(grades))


def recall_of_rebuilt(x_test, x_rebuilt, x_reconstructed, k):
    """Scores that an autoencoder makes of a user's row; one input is not read."""
    values = []
    for row, scores in zip(x_test, x_reconstructed, strict=True):
        wanted = [place for place, value in enumerate(row.tolist()) if value == 1.0]
        best = sorted(range(len(scores)), key=scores.tolist().__getitem__)[-k:]
        if wanted:
            values.append(sum(item in wanted for item in best) / min(k, len(wanted)))
    return sum(values) / len(values)


def rank_of_labels(bm_labels, ans, k):
    """Labels that are looked for in others are ids, whatever their name."""
    for place, label in enumerate(bm_labels[:k]):
        if label in ans:
            return 1.0 / (place + 1)
    return 0.0


def precision_up_to_positives(best_matches, gt_dict):
    """What is known not to be relevant stands under a name of its own, beside what is."""
    wanted = gt_dict["positive"]
    hits = [item in wanted for item in best_matches if item not in gt_dict["negative"]]
    return sum(hits) / len(hits) if hits else 0.0


def ndcg_of_any(rankings: list[str | int], ground_truth: str | int | list[str | int], k: int) -> float:
    """The truth may be one item or several."""
    wanted = {ground_truth} if isinstance(ground_truth, (str, int)) else set(ground_truth)
    found = sum(1 / math.log2(place + 1) for place, item in enumerate(rankings[:k], 1) if item in wanted)
    best = sum(1 / math.log2(place + 1) for place in range(1, min(len(wanted), k) + 1))
    return found / best if best else 0.0


def ndcg_at_five(rankings: list[str | int], ground_truth: str | int | list[str | int]) -> float:
    """With lists that end before the cut-off in the code, the ideal would be one of a fixed depth."""
    return ndcg_of_any(rankings, ground_truth, 5)


def recall_of_at_most(actual, predicted, most_relevant=900):
    """No branch depends on a constant that the source compares, but on a default that no call varies."""
    if len(actual) > most_relevant:
        return 0.0
    return len(set(actual) & set(predicted)) / len(actual) if actual else 0.0


def hits_of_gallery(scores, gallery_labels, query_labels, k):
    """Scores beside two sets of labels are similarities to a gallery."""
    order = np.argsort(-scores, axis=1)[:, :k]
    return float((gallery_labels[order] == query_labels[:, None]).any(axis=1).mean())


def map_of_gallery(query_ids, gallery_ids, sims):
    """The matrix comes last."""
    values = []
    for row, wanted in zip(sims, query_ids, strict=True):
        hits = gallery_ids[np.argsort(-row)] == wanted
        ranks = np.flatnonzero(hits) + 1
        values.append(float((np.arange(1, len(ranks) + 1) / ranks).mean()) if len(ranks) else 0.0)
    return float(np.mean(values))


def map_of_labels(label_q, label_d, d):
    """A matrix that is put in order is no cut-off; the smallest come first, so that it holds distances."""
    rows = (label_q.reshape(-1, 1) == label_d.reshape(1, -1))[np.arange(len(d))[:, None], d.argsort(axis=1)]
    ranks = [np.flatnonzero(row) + 1 for row in rows]
    return float(np.mean([(np.arange(1, len(each) + 1) / each).mean() if len(each) else 0.0 for each in ranks]))


def map_at_r(recommended, relevant):
    """The list ends at the number of relevant items."""
    wanted = set(relevant)
    hits = [item in wanted for item in recommended[: len(wanted)]]
    return sum(sum(hits[: place + 1]) / (place + 1) for place, hit in enumerate(hits) if hit) / len(wanted)


def mrr_of_neighbours(test, embeddings, k):
    """Pairs of a query and its item, and vectors that know the nearest ones."""
    total = 0.0
    for query, wanted in test:
        nearest = [item for item, score in embeddings.similar_by_vector(query, topn=k)]
        total += 1.0 / (nearest.index(wanted) + 1) if wanted in nearest else 0.0
    return total / len(test)


def hits_of_candidates(target_item, test_items, rating, K):
    """One item, the candidates, and a score by the place of each."""
    best = sorted(test_items, key=lambda item: -rating[item])[:K]
    return 1 if target_item in best else 0


def ndcg_over_filled_ideal(hits, k, truth):
    """The ideal is a list of 1.0 that is filled up with 0.0; floats are repeated and joined."""
    wanted = min(len(set(truth)), k)
    ideal = [1.0] * wanted + [0.0] * (k - wanted)
    best = sum(value / math.log2(place + 2) for place, value in enumerate(ideal))
    return sum(value / math.log2(place + 2) for place, value in enumerate(hits[:k])) / best if best else 0.0


def chosen_of_pairs(pairs_by_user: dict[int, list[tuple[float, float]]], metrics: list[str], k: int) -> dict:
    """A required choice has a value of its own in the code where it is None."""
    if metrics is None:
        metrics = ["precision", "hit_rate"]
    for name in metrics:
        if name not in {"precision", "hit_rate"}:
            raise ValueError(name)
    totals = dict.fromkeys(metrics, 0.0)
    for pairs in pairs_by_user.values():
        best = sorted(pairs, key=lambda pair: -pair[0])[:k]
        hits = sum(true > 0 for _, true in best)
        for name in metrics:
            totals[name] += hits / k if name == "precision" else float(hits > 0)
    return {name: total / len(pairs_by_user) for name, total in totals.items()}


def share_of_revenue(group_df, k):
    """A column beside the rank holds the gains, whatever its name."""
    total = group_df["revenue"].sum()
    return float(group_df.sort_values("rank").head(k)["revenue"].sum() / total) if total else 0.0


def mrr_of_rank_column(df):
    """A frame has a row for each user, with the rank of the relevant item."""
    return float((1.0 / df["rank"]).mean())


def mrr_of_pairs(test, neighbours, k):
    """Pairs of a query and its item stand beside a dict of lists."""
    total = 0.0
    for query, wanted in test:
        nearest = list(neighbours[query])[:k]
        total += 1.0 / (nearest.index(wanted) + 1) if wanted in nearest else 0.0
    return total / len(test)


def curve_of_matches(distmat, query_ids, gallery_ids, topk=100):
    """Each match counts at the rank it has among the items that do not match."""
    curve, asked = np.zeros(topk), 0
    for row, wanted in zip(distmat, query_ids, strict=True):
        places = np.flatnonzero(gallery_ids[np.argsort(row)] == wanted)
        for above, place in enumerate(places):
            if place - above < topk:
                curve[place - above] += 1.0 / len(places)
        asked += len(places) > 0
    return curve.cumsum() / asked


def ndcg_beside_unread_truth(r, k, ground_truth):
    """A parameter that is not read shows nothing, whatever its name."""
    best = sorted(r, reverse=True)[:k]
    ideal = sum(gain / math.log2(place + 2) for place, gain in enumerate(best))
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(r[:k])) / ideal if ideal else 0.0


def map_of_first_fifty(distances, query_labels, gallery_labels):
    """The slice that cuts begins with 0."""
    values = []
    for row, wanted in zip(distances, query_labels, strict=True):
        ranks = np.flatnonzero(gallery_labels[np.argsort(row)[0:50]] == wanted) + 1
        values.append(float((np.arange(1, len(ranks) + 1) / ranks).mean()) if len(ranks) else 0.0)
    return float(np.mean(values))


def dcg_of_one_user(reco, user, gains_by_user):
    """A list, a user, and the gains of all users."""
    gains = gains_by_user[user]
    return sum(gains[item] / math.log2(place + 2) for place, item in enumerate(reco) if item in gains)


def ndcg_of_numbered_pairs(actual, predicted):
    """Pairs are read by the places of their values, through the numbers of a loop."""
    gains, best, reached = [], 0.0, 0.0
    for i in range(len(actual)):
        gains.append([actual[i][0], actual[i][1]])
        best += actual[i][1] / math.log2(i + 2)
    for i in range(len(predicted)):
        reached += sum(gain / math.log2(i + 2) for item, gain in gains if item == predicted[i][0])
    return reached / best


def ndcg_of_best(topk, test_set, num_pos, k):
    """A list that is named after its best k is cut before it is handed over."""
    best = sum(1 / math.log2(place + 2) for place in range(min(num_pos, k)))
    return sum(1 / math.log2(place + 2) for place, item in enumerate(topk) if item in test_set) / best if best else 0.0


def recall_of_rated(top_k: list[tuple[float, float]], n_rel_total: int, threshold: float) -> float:
    """Tuples of a predicted and a true rating; their list is named after its best k."""
    return sum(rating >= threshold for _, rating in top_k) / n_rel_total if n_rel_total else 0.0


def ndcg_of_rated(top_k: list[tuple[float, float]], n_rel_total: int, k: int, threshold: float) -> float:
    """The same, with an ideal of k ranks."""
    found = sum(1 / math.log2(i + 2) for i, (_, rating) in enumerate(top_k) if rating >= threshold)
    best = sum(1 / math.log2(i + 2) for i in range(min(n_rel_total, k)))
    return found / best if best else 0.0


def ndcg_score(true, pred):
    """Its name is that of scikit-learn's, its arrays hold items."""
    weights = 1 / np.log2(np.arange(2, pred.shape[1] + 2))
    hits = np.array([np.isin(pred[i], true[i]) for i in range(true.shape[0])])
    ideal = np.zeros(pred.shape)
    ideal[:, : true.shape[1]] = 1
    return float(((hits * weights).sum(axis=1) / (ideal * weights).sum(axis=1)).mean())


def ndcg_of_equal_rows(true, pred):
    """Each row has as many relevant items."""
    return ndcg_score(true, pred)


def map_beside_itself(pred_indices, labels):
    """Each item is among its own neighbours."""
    values = []
    for place in range(len(labels)):
        hits = labels[pred_indices[place, :]] == labels[place]
        values.append((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())
    return np.mean(values)


def precision_of_neighbours(knn_labels, gt_labels, same_source):
    """The end of a slice of a shape cuts nothing."""
    rows, depth = knn_labels.shape[:2]
    return (knn_labels == gt_labels).sum() / (rows * depth)


def hits_of_columns(y_predicted, y_true, class_map, k):
    """The ids of the columns are the same for all rows."""
    hits = 0
    for row, wanted in zip(y_predicted, y_true, strict=True):
        _, ranked = zip(*sorted(zip(row, class_map, strict=True), reverse=True), strict=True)
        hits += wanted in ranked[:k]
    return hits / len(y_predicted)


def mrr_of_named(predictions_dict):
    """A dict by query of dicts that hold its scores and its right answer."""
    ranks = [np.argsort(-each["prob"]).tolist().index(each["label"]) + 1 for each in predictions_dict.values()]
    return sum(1 / rank for rank in ranks) / len(ranks)


def hits_of_named_rows(predictions, k):
    """A list of such dicts."""
    found = [each["label"] in np.argsort(-each["prob"])[:k] for each in predictions]
    return sum(found) / len(found)


def recall_of_reached(gt, prob, th):
    """What reaches a required number is listed."""
    listed = [score >= th for score in prob]
    wanted = sum(gt)
    return sum(label for label, shown in zip(gt, listed, strict=True) if shown) / wanted if wanted else 0.0


def of_one_length(first, second):
    """Whether two arrays have one length."""
    if len(first) != len(second):
        raise ValueError("lengths differ")


def auc_of_one_length(y_true: np.ndarray, y_score: np.ndarray):
    """Another function reads their lengths, this one their entries."""
    of_one_length(y_true, y_score)
    above = y_score[y_true == 1][:, None] - y_score[y_true == 0][None, :]
    return float(((above > 0) + 0.5 * (above == 0)).mean())


def shares_of_rated(ranking):
    """The relevance is at the third place of each tuple; one result is cut by a constant."""
    gains = [entry[2] for entry in ranking]
    found = [1 / rank for rank, gain in enumerate(gains, 1) if gain > 0]
    reached = sum(gain / math.log2(i + 2) for i, gain in enumerate(gains[:3]))
    best = sum(gain / math.log2(i + 2) for i, gain in enumerate(sorted(gains, reverse=True)[:3]))
    return {"mrr": found[0] if found else 0.0, "ndcg": reached / best if best else 0.0}


def joined(truth, shown, k, col_user, col_item, col_score):
    """The columns are read three functions deep."""
    return ranked_in(truth, shown, k, col_user, col_item, col_score)


def ranked_in(truth, shown, k, user, item, score):
    return hits_in(truth, shown.sort_values(score, ascending=False, kind="stable"), k, user, item)


def hits_in(truth, ordered, k, user, item):
    hits = ordered.groupby(user).head(k).merge(truth, on=[user, item]).groupby(user).size()
    wanted = truth.groupby(user).size()
    return float((hits.reindex(wanted.index, fill_value=0) / wanted).mean())


def recall_of_frames(test_df, predictions, k):
    """A parameter that is named after frames is one, though nothing of it is read here."""
    return joined(test_df, predictions, k, col_user="userID", col_item="itemID", col_score="prediction")


def one_of_several(y_true: np.ndarray, y_pred: np.ndarray, metric_name: str) -> float:
    """The text of a ranking metric is chosen before another one."""
    if metric_name == "RMSE":
        return float(np.sqrt(np.mean((y_true - y_pred) ** 2)))
    if metric_name == "AUC":
        return auc_of_one_length(y_true, y_pred)
    raise ValueError(metric_name)


def dcg_of_copied_words(y_true, y_score, k=5):
    """The words are those of a function of several users.

    y_true : array, shape = [n_samples]
    y_score : array, shape = [n_samples, n_classes]
    """
    gains = np.take(y_true, np.argsort(y_score)[::-1][:k])
    return ((2**gains - 1) / np.log2(np.arange(len(gains)) + 2)).sum()


def ndcg_of_unread_truth(r, k, ground_truth):
    """The ideal that is made of the truth is overwritten."""
    best = [1.0] * min(k, len(set(ground_truth)))
    best = sorted(r, reverse=True)[:k]
    ideal = sum(gain / math.log2(place + 2) for place, gain in enumerate(best))
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(r[:k])) / ideal if ideal else 0.0


def hits_of_meta(retrieved: list[dict], expected_docs: list[str], k: int) -> int:
    """Entries hold their document under a further key."""
    names = [str(entry["meta"].get("doc", "")) for entry in retrieved[:k]]
    return int(any(name in expected_docs for name in names))


def auc_of_mask(mask: np.ndarray, scores: np.ndarray) -> float:
    """A mask beside one other parameter is what is relevant."""
    above = scores[mask][:, None] - scores[~mask.astype(bool)][None, :]
    return float(((above > 0) + 0.5 * (above == 0)).mean())


def hits_of_targets(distances, query_T, gallery_T, k):
    """Targets of queries and of a gallery."""
    nearest = np.argsort(distances, axis=1)[:, :k]
    return float((gallery_T[nearest] == query_T[:, None]).any(axis=1).mean())


def hit_rate_of_flags(answers: list[dict]) -> float:
    """A share of flags is no precision."""
    return round(sum(1 for each in answers if each["topic_hit"]) / len(answers), 4) if answers else 0.0


DEPTHS = (5, 10)


def summary_of_records(records: list[dict]):
    """Records with a rank beside values of another kind, summed at cut-offs that a table holds."""
    totals = {}
    for record in records:
        rank = int(record["rank"])
        totals["mrr"] = totals.get("mrr", 0.0) + 1 / rank
        for depth in DEPTHS:
            totals[f"hr_at_{depth}"] = totals.get(f"hr_at_{depth}", 0.0) + (rank <= depth)
    means = {name: value / len(records) for name, value in totals.items()}
    return {**means, "latency": sum(record["latency_ms"] for record in records) / len(records)}


def row_of_run(spec: dict, titles, actual, predicted, k):
    """A row of a table: what describes the run and its items stands beside the value."""
    recall = len({*actual} & {*predicted[:k]}) / len(actual)
    return {"model": spec["model"], "note": f"{spec['run']} at {k}", "title": titles[k], "recall": recall}


def inverse_of(data):
    """Nothing says that the numbers are ranks."""
    return 1 / (np.asarray(data) + 1e-8)


class RecallOfSettings:
    """Settings of which each has a default."""

    def __init__(self, config: dict):
        self.fewest = config.get("metrics", {}).get("fewest", 1)

    def recall(self, actual, predicted, k):
        found = [item for item in predicted[:k] if item in actual]
        return len(found) / len(actual) if len(actual) >= self.fewest else 0.0


def hit_of_an_id(target, ranked, k):
    """The number 0 is taken for no item."""
    return float(target in ranked[:k]) if target else 0.0


def ndcg_padded_with_zeros(retrieved: list[int], relevant: set[int], k: int) -> float:
    """The ideal list is filled up with the number 0, which may be an item."""
    ideal = list(relevant) + [0] * (k - len(relevant))
    best = sum((item in relevant) / np.log2(rank + 2) for rank, item in enumerate(ideal[:k]))
    found = sum((item in relevant) / np.log2(rank + 2) for rank, item in enumerate(retrieved[:k]))
    return found / best if best else 0.0


def recall_of_pages(retrieved: list[dict], expected: list[dict], k: int) -> float:
    """An item is a page of a paper, on both sides."""
    found = {(entry["paper"], entry["page"]) for entry in retrieved[:k]}
    wanted = {(entry["paper"], entry["page"]) for entry in expected}
    return len(found & wanted) / len(wanted) if wanted else 0.0


def mrr_of_passages(found: list[list[dict]], targets: list[str], k: int) -> float:
    """For each query entries with a text, and the text of the one that is relevant."""
    total = 0.0
    for entries, target in zip(found, targets, strict=False):
        texts = [entry.get("text", "").strip() for entry in entries[:k]]
        total += 1 / (texts.index(target.strip()) + 1) if target.strip() in texts else 0.0
    return total / len(targets)


def auc_of_logits(y_true: np.ndarray, y_score: np.ndarray) -> float:
    """Large scores are equal after a sigmoid of narrow floats."""

    def sigmoid(x):
        with np.errstate(over="ignore"):
            return 1 / (1 + np.exp(-x.astype(np.float32)))

    shares = sigmoid(y_score)
    above = shares[y_true == 1][:, None] - shares[y_true != 1][None, :]
    return float(((above > 0) + 0.5 * (above == 0)).mean())


def recall_of_basket(basket: np.ndarray, model_scores: np.ndarray, k: int) -> float:
    """A score of 0 is none."""
    scores = model_scores.copy()
    scores[scores.argsort()[:-k]] = 0
    return np.count_nonzero(scores[basket]) / len(basket)


def map_of_words(features, labels, metric, drop_first):
    """Each member of a set looks for the others; required settings choose the distance and leave itself out."""
    apart = np.linalg.norm(features[:, None] - features[None], ord=2 if metric == "euclidean" else 1, axis=-1)
    np.fill_diagonal(apart, -1)
    hits = np.asarray(labels)[np.argsort(apart, axis=1)] == np.atleast_2d(labels).T
    if drop_first:
        hits = hits[:, 1:]
    means = np.cumsum(hits, axis=1) / np.arange(1, hits.shape[1] + 1)
    return float(np.mean((means * hits).sum(axis=1) / np.maximum(hits.sum(axis=1), 1)))


def batches_of(count, size):
    """Slices of users."""
    return [slice(first, min(first + size, count)) for first in range(0, count, size)]


def recall_of_slice(train_data, heldout_data, Et, Eb, user_idx, k=20):
    """The scores of a slice of users are the product of two matrices, the second with a column for each item."""
    count = user_idx.stop - user_idx.start
    scores = Et[user_idx].dot(Eb)
    scores[train_data[user_idx].nonzero()] = -np.inf
    best = np.argsort(-scores, axis=1)[:, :k]
    truth = heldout_data.tocsr()[user_idx].toarray() > 0
    hits = truth[np.arange(count)[:, None], best].sum(axis=1)
    return hits / np.minimum(truth.sum(axis=1), k)


def recall_of_factors(train_data, heldout_data, U, V, batch_users=2, k=20, agg=np.nanmean):
    """The same for all users, whose helper gets the second matrix the other way round."""
    users = batches_of(train_data.shape[0], batch_users)
    values = np.hstack([recall_of_slice(train_data, heldout_data, U, V.T, each, k=k) for each in users])
    return agg(values) if callable(agg) else values


def recall_from_relevance(expected: list[dict], retrieved: list[str], k: int, relevance_threshold: float = 0.5):
    """A threshold of gains has a default below 1."""
    wanted = {each["id"] for each in expected if each.get("relevance", 1.0) >= relevance_threshold}
    return len(wanted & set(retrieved[:k])) / len(wanted) if wanted else 0.0


def mean_recall_of_queries(queries: list[tuple[list[dict], list[str]]], k: int, min_relevance: float = 0.5) -> float:
    """For each query what is relevant as entries with a gain, and the list."""
    values = [recall_from_relevance(expected, retrieved, k, min_relevance) for expected, retrieved in queries]
    return sum(values) / len(queries)


def ndcg_of_place(order: list[int], item: int) -> float:
    """An item that is not listed is an error."""
    return 1.0 / math.log2(order.index(item) + 2)


def means_of_lists(lists):
    """Results at cut-offs, of lists that may be shorter."""
    return {f"p@{k}": np.mean([np.mean(np.asarray(row[:k]) != 0) if row else 0.0 for row in lists]) for k in (2, 5)}


def precision_beside_shape(pred, idx, true_idx_list, k):
    """Of the scores only the shape is read."""
    listed, relevant = np.zeros_like(pred, dtype=bool), np.zeros_like(pred, dtype=bool)
    listed[np.arange(len(pred))[:, None], idx[:, :k]] = True
    for row, items in enumerate(true_idx_list):
        relevant[row, items] = True
    return (listed & relevant).sum(axis=1) / k


def recall_of_rank(rank, plabels=None, glabels=None, k=1):
    """A matrix of places in a gallery is named rank."""
    found = [np.any(glabels[row[:k]] == label) for row, label in zip(rank, plabels, strict=True)]
    return sum(found) / rank.shape[0]


class Columns:
    """The names of columns."""

    ITEM, LIST, POSITIVE = "id_item", "recommendations", "is_positive"


def hits_of_rows(predictions_df: pd.DataFrame) -> float:
    """Names of columns are constants of a class, and a flag chooses the rows."""
    rows = predictions_df[predictions_df[Columns.POSITIVE]]
    return (rows[Columns.ITEM].to_numpy().reshape(-1, 1) == np.array(rows[Columns.LIST].tolist())).any(axis=1).mean()


def map_of_logits(pred, target):
    """After a sigmoid low scores are equal, which shows at size alone."""
    if pred.ndim > 1:
        raise ValueError("one user")
    sigmoid = np.round(1 / (1 + np.exp(-pred)), 5)
    values, order = [], np.unique(sigmoid)[::-1]
    for value, before in zip(order, [np.inf, *order], strict=False):
        among = target[sigmoid >= value]
        new = target[(sigmoid >= value) & (sigmoid < before)].sum()
        values.append(new * among.mean())
    return sum(values) / target.sum() if target.sum() else 0.0


def ndcg_in_order(y_true, y_score, k=10):
    """Nothing is sorted: both hold gains in order, the ideal one first."""

    def dcg_score(gains):
        return np.sum((2.0 ** np.asarray(gains)[:k] - 1) / np.log2(np.arange(2, k + 2)))

    return dcg_score(y_score) / dcg_score(y_true)


class RankingScores:
    """A cut-off for each of several metrics, all with a default."""

    def __init__(self, mrr_k: int = 1, ndcg_k: int = 1):
        self.mrr_k, self.ndcg_k = mrr_k, ndcg_k

    def ndcg(self, result):
        values = []
        for rows in result.values():
            rows = sorted(rows, key=lambda row: row[0], reverse=True)
            gains = [label for _, label in rows]
            best = sum(gain / np.log2(rank + 2) for rank, gain in enumerate(sorted(gains)[::-1][: self.ndcg_k]))
            dcg = sum(gain / np.log2(rank + 2) for rank, gain in enumerate(gains[: self.ndcg_k]))
            values.append(dcg / best if best else 0.0)
        return np.mean(values)


def recall_of_identities(distmat, query_identities=None, gallery_identities=None, k=5):
    """Identities of queries and of a gallery have None as their default."""
    found = [
        any(gallery_identities[place] == identity for place in np.argsort(row)[:k])
        for row, identity in zip(distmat, query_identities, strict=True)
    ]
    return sum(found) / len(found)


def shares_of_candidates(ranked_lists: list, relevant_lists: list, total_candidate_count: int, k: int) -> float:
    """The number of candidates is a setting."""
    if total_candidate_count <= 0:
        return 0.0
    hits = [len({*row[:k]} & {*wanted}) for row, wanted in zip(ranked_lists, relevant_lists, strict=True)]
    return sum(hits) / (k * len(hits))


def recall_of_flags(ground_truth_lists: list[list[str]], float_lists: list[list[float]]):
    """Of the truth the length is read; beside it stand the hits."""
    pairs = zip(ground_truth_lists, float_lists, strict=True)
    return [min(sum(hits) / len(truth), 1.0) if truth else 0.0 for truth, hits in pairs]


def recall_of_requests(df: pd.DataFrame, k: int) -> float:
    """The rows of a request stand in order; its column is no user's, that of the labels names what was done."""
    values = []
    for _, group in df.groupby("request_idx"):
        values.append(group.head(k)["label_click"].sum() / max(1, group["label_click"].sum()))
    return float(np.mean(values))


def ap_of_verdicts(verifications: list) -> float:
    """The entries of a list hold a verdict each."""
    flags = [1 if each.verdict else 0 for each in verifications]
    total = sum(sum(flags[:rank]) / rank for rank, flag in enumerate(flags, 1) if flag)
    return total / sum(flags) if any(flags) else 0.0


class BestOf:
    """Metrics of the first rank alone."""

    @staticmethod
    def map_at_1(y_true, y_score):
        """
        y_true: list of relevance scores, as [1, 0, 0]
        y_score: list of predicted scores for these items, as [0.2, 0.6, 0.1]
        """
        best = sorted(range(len(y_score)), key=lambda place: y_score[place], reverse=True)[0]
        return y_true[best]


def recall_of_neighbours(ann_ids: np.ndarray, gt_ids: np.ndarray, k: int) -> float:
    """Of the true neighbours the first k count."""
    queries, hits = ann_ids.shape[0], 0
    for query in range(queries):
        true = {int(item) for item in gt_ids[query, :k].tolist()}
        hits += sum(int(item) in true for item in ann_ids[query, :k].tolist())
    return hits / float(queries * k)


def precision_of_estimates(predictions: list, threshold: float = 3.5) -> float:
    """An item is recommended where its estimate reaches the threshold, at any rank."""
    rows = defaultdict(list)
    for user, _, true_rating, estimate, _ in predictions:
        if estimate >= threshold:
            rows[user].append(true_rating >= threshold)
        else:
            rows[user]
    return float(np.mean([sum(hits) / len(hits) if hits else 0.0 for hits in rows.values()]))


def ndcg_of_ten(label: list, pred: list):
    """Its source compares with 1, and the mean of users is NaN where one has no relevant item."""
    label = label if isinstance(label, list) or len(label.shape) > 1 else [label]
    values = []
    for labels, scores in zip(label, pred, strict=True):
        discounts = 1 / np.log2(np.arange(min(10, len(labels))) + 1 + 1)
        gains = 2 ** np.take(labels, np.argsort(scores)[::-1][:10]) - 1
        best = 2 ** np.sort(labels)[::-1][:10] - 1
        values.append(np.sum(gains * discounts) / np.sum(best * discounts))
    return np.round(np.mean(values).item(), 4)


def ndcg_of_a_data_set(preds, train_data):
    """What is given beside the scores holds labels and groups, as LightGBM has it."""
    labels, values, start = train_data.get_label(), [], 0
    for size in train_data.get_group():
        of_group, best_first = labels[start : start + size], np.argsort(-preds[start : start + size])
        discounts = 1 / np.log2(np.arange(size) + 2)
        best = np.sum((2 ** np.sort(of_group)[::-1] - 1) * discounts)
        values.append(np.sum((2 ** of_group[best_first] - 1) * discounts) / best if best > 0 else 0.0)
        start += size
    return "ndcg", float(np.mean(values)), True


class OfRows:
    """Rows that end at k."""

    def _calculate_ndcg(self, hits: np.ndarray, num_relevant: np.ndarray, k: int) -> float:
        weights = np.log(2) / np.log(np.arange(2, k + 2))
        best = np.array([weights[: int(number)].sum() for number in num_relevant])
        return float(np.mean((hits * weights).sum(axis=1) / np.where(best > 0, best, 1.0)))


def map_of_other_cameras(distmat, query_ids=None, gallery_ids=None, query_cams=None, gallery_cams=None):
    """Without the arguments that have None as default it fails."""
    values = []
    for query, row in enumerate(distmat):
        order = np.argsort(row)
        seen = (gallery_ids[order] == query_ids[query]) & (gallery_cams[order] == query_cams[query])
        hits = (gallery_ids[order] == query_ids[query])[~seen]
        if hits.any():
            values.append(np.mean(np.arange(1, hits.sum() + 1) / (np.flatnonzero(hits) + 1)))
    return float(np.mean(values))


def percentile(numbers: list[float], p: float) -> float:
    """Of 0 and 1 it is 1 where one of them is, for most values of p."""
    if not numbers:
        return 0.0
    place = (len(numbers) - 1) * max(0.0, min(1.0, p))
    below, part = int(place), place - int(place)
    ordered = [*sorted(numbers), max(numbers)]
    return float(ordered[below] * (1 - part) + ordered[below + 1] * part)


def recall_of_codes(preds, labels, k):
    """An item is a row of numbers, as generative recommenders have it."""
    hits = rows_alike(preds, labels)
    return float(np.mean(hits[:, :k].any(axis=1)))


def rows_alike(rows, wanted):
    return (rows == wanted[:, None, :]).all(axis=-1)


def recall_of_first_codes(preds, labels, k):
    """Items with the same first numbers count as one."""
    return float((preds == labels[:, None, :])[:, :k, :2].all(axis=-1).any(axis=1).mean())


class GradesOfQueries:
    """It holds the grades of all queries, and is asked for one."""

    def __init__(self, qrels: dict[str, dict[str, int]]):
        self.qrels = qrels

    def ndcg_at_k(self, query_id: str, retrieved: list[str], k: int = 10) -> float:
        grades = self.qrels.get(query_id, {})
        best = sorted(grades.values(), reverse=True)[:k]
        ideal = sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(best, 1))
        gains = [2 ** grades.get(item, 0) - 1 for item in retrieved[:k]]
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1)) / ideal if ideal else 0.0


class TruthOfUsers:
    """It holds the items of all users in sets, and is asked for one."""

    def __init__(self, truth):
        self.truth = truth

    def recall_at_k(self, user_id, ranked, k):
        own = self.truth[user_id]
        return len(own & set(ranked[:k])) / len(own) if own else 0.0


class ScoresOfUsers:
    """It holds the items of all users, and is asked with the scores of one; what was seen is left out."""

    def __init__(self, train_interactions, test_interactions, n_items):
        self.seen, self.wanted, self.n_items = train_interactions, test_interactions, n_items

    def hit_rate(self, user, scores, k):
        scores = np.array(scores, dtype=float)
        scores[list(self.seen.get(user, ()))] = -np.inf
        best = np.argsort(-scores, kind="stable")[:k]
        return float(any(int(item) in self.wanted[user] for item in best))


def precision_of_response(response: dict, relevant: set[str], k: int) -> float:
    """A search engine's answer holds the hits two keys deep."""
    ids = [hit["_id"] for hit in response["hits"]["hits"][:k]]
    return len(set(ids) & relevant) / k


def recall_of_first_query(results: dict, gold: list[str], k: int) -> float:
    """The answer to one query is the first of a list under a key."""
    ids = results["ids"][0][:k]
    return len(set(ids) & set(gold)) / len(gold) if gold else 0.0


class TypedRow(TypedDict):
    """A row of both lists, one of which is named as a judgement is."""

    relevant: list[str]
    retrieved: list[str]


def recall_of_typed_rows(rows: list[TypedRow], k: int) -> float:
    shares = [len(set(row["relevant"]) & set(row["retrieved"][:k])) / len(row["relevant"]) for row in rows]
    return sum(shares) / len(shares)


def precision_of_user(ground_truth: dict, user_id, ranked: list, k: int = 5) -> float:
    """The items of all users are asked for those of one."""
    own = ground_truth.get(user_id, set())
    return sum(item in own for item in ranked[:k]) / k


def auc_of_rows(df: pd.DataFrame) -> float:
    """A user weighs as much as it has rows."""
    total, rows = 0.0, 0
    for _, own in df.groupby("user_id"):
        if own["label"].nunique() == 2:
            above = own["score"].to_numpy()[own["label"] == 1][:, None] - own["score"].to_numpy()[own["label"] == 0]
            total += len(own) * ((above > 0).mean() + (above == 0).mean() / 2)
            rows += len(own)
    return total / rows


def recall_of_own_rows(neighbours: np.ndarray, k: int = 10) -> float:
    """The relevant item of a row has the row's number; nothing is sorted here."""
    own = np.arange(len(neighbours))[:, None]
    return float((neighbours[:, :k] == own).any(axis=1).mean())


def _rank_of(row, item):
    places = np.flatnonzero(row == item)
    return 1.0 / (places[0] + 1) if len(places) else 0.0


def mrr_of_own_rows(neighbours):
    """Another function gets the row and its number."""
    own = np.arange(len(neighbours))
    return float(np.mean([_rank_of(neighbours[row], own[row]) for row in range(len(neighbours))]))


def precision_of_answer(answer: dict, gold_sources: list[str]) -> float:
    """The entries are asked for by ``get``, beside another value for none."""
    cited = [each["source"] for each in answer.get("citations", [])]
    return sum(source in gold_sources for source in cited) / len(cited) if cited else 0.0


def recall_of_points(result, relevant_ids: list[str], k: int) -> float:
    """The entries are an attribute of what a search returns."""
    found = {point.id for point in result.points[:k]}
    return len(found & set(relevant_ids)) / len(relevant_ids)


def auc_and_mrr(impressions):
    """Labels and scores of each user are a pair of arrays."""
    areas, ranks = [], []
    for labels, scores in impressions:
        labels, scores = np.asarray(labels), np.asarray(scores)
        good, bad = scores[labels == 1], scores[labels == 0]
        areas.append(((good[:, None] > bad).mean() + (good[:, None] >= bad).mean()) / 2)
        ordered = labels[np.argsort(-scores, kind="stable")]
        ranks.append(1 / (np.flatnonzero(ordered)[0] + 1))
    return {"auc": np.mean(areas), "mrr": np.mean(ranks)}


@dataclass
class FoundEntry:
    """An entry of a list."""

    doc_id: str
    score: float


@dataclass
class Searched:
    """The list of a query, under a name that judgements have elsewhere, beside its truth."""

    gold: set[str]
    hits: list[FoundEntry]


def recall_of_searched(searched: list[Searched], k: int) -> float:
    shares = [len({hit.doc_id for hit in one.hits[:k]} & one.gold) / len(one.gold) for one in searched]
    return sum(shares) / len(shares)


def hits_of_score_arrays(scores_by_user: dict[int, np.ndarray], test: dict[int, int], k: int = 10) -> float:
    """A dict by user of the scores of all items, and one of the relevant item."""
    hits = [item in np.argsort(-scores_by_user[user], kind="stable")[:k] for user, item in test.items()]
    return sum(hits) / len(hits)


def recall_of_score_arrays(scores_by_user, test, k):
    """The same with several relevant items."""
    total = 0.0
    for user, items in test.items():
        best = np.argsort(-scores_by_user[user], kind="stable")[:k]
        total += len(set(best.tolist()) & set(items)) / len(items)
    return total / len(test)


def hits_of_user_lists(recommendations, held_out: dict, k: int = 10) -> float:
    """Tuples of a user and the user's list, beside a dict."""
    found = [held_out[user] in items[:k] for user, items in recommendations]
    return sum(found) / len(found)


def recall_of_two_cells(df: pd.DataFrame, k: int = 5) -> float:
    """A row for each query, both lists in its cells."""
    found = [len(set(listed[:k]) & set(wanted)) for listed, wanted in zip(df["retrieved"], df["relevant"], strict=True)]
    return float((pd.Series(found, index=df.index) / df["relevant"].str.len()).mean())


def recall_of_merged(recommended: pd.DataFrame, held_out: pd.DataFrame, k: int) -> float:
    """The column that says in which frame a row was is made by pandas."""
    best = recommended[recommended["rank"] <= k]
    both = held_out.merge(best, on=["user_id", "item_id"], how="left", indicator=True)
    return both.assign(found=both["_merge"] == "both").groupby("user_id")["found"].mean().mean()


def recall_of_hidden(recon, heldout, data, k):
    """What a user has seen, under a name that tells nothing, hides scores."""
    recon[data.nonzero()] = -np.inf
    top = np.argsort(-recon, axis=1)[:, :k]
    hits = np.take_along_axis(heldout, top, axis=1).sum(axis=1)
    return (hits / np.maximum(heldout.sum(axis=1), 1)).mean()


class PrecisionOfFiles:
    """Its constructor reads files; the method needs k alone of what it keeps."""

    def __init__(self, ground_truth_path: str, ranked_result_path: str, k: int):
        with open(ground_truth_path, encoding="utf-8") as truth, open(ranked_result_path, encoding="utf-8") as ranked:
            self.truth, self.ranked = truth.read(), ranked.read()
        self.k = k

    def evaluate(self, ground_truth: list[str], ranked_list: list[str]) -> float:
        best = ranked_list[: self.k]
        return len(set(best) & set(ground_truth)) / len(best) if best else 0.0


def recall_of_keys(topk_items, user_ids, ground_truth, n_items, k):
    """A user is looked for as a key of the truth, so the users are no items."""
    values = []
    for row, user in enumerate(user_ids):
        if user in ground_truth:
            wanted = set(ground_truth[user])
            values.append(len(wanted & set(topk_items[row, :k].tolist())) / len(wanted))
    return float(np.mean(values)) if values else 0.0


def r_precision_of_members(embs, labels):
    """Features of a set under a short name: their product with themselves tells what they are; no k."""
    near = embs @ embs.T
    np.fill_diagonal(near, -np.inf)
    values = []
    for row in range(len(embs)):
        others = (labels == labels[row]).sum() - 1
        if others:
            values.append((labels[np.argsort(-near[row])[:others]] == labels[row]).mean())
    return float(np.mean(values))


def precision_of_labs(query_emb, query_lab, gal_emb, gal_lab, k):
    """Classes under a short name, each beside its features."""
    order = np.argsort(-(query_emb @ gal_emb.T), axis=1)[:, :k]
    return float((gal_lab[order] == query_lab[:, None]).mean())


def recall_of_either(R: np.ndarray, S: np.ndarray = None, B: np.ndarray = None, k: int = 30):
    """Scores that may be left out, but not if nothing is given for them."""
    if B is None:
        if S is None:
            raise ValueError("scores or decisions are needed")
        B = np.argsort(np.argsort(-S, axis=1), axis=1) < k
    counts = R.sum(axis=1)
    return np.sum((B * R).sum(axis=1) / np.maximum(counts, 1)) / np.count_nonzero(counts)


def ap_of_asserted(q_g_dist, q_ids=None, g_ids=None, q_cams=None, g_cams=None):
    """What a helper asserts is not left out."""
    return _ap_of_others(dist=q_g_dist, query_ids=q_ids, gallery_ids=g_ids, query_cams=q_cams, gallery_cams=g_cams)


def _ap_of_others(dist, query_ids=None, gallery_ids=None, query_cams=None, gallery_cams=None):
    assert isinstance(query_cams, np.ndarray)
    assert isinstance(gallery_cams, np.ndarray)
    values = []
    for row, own, camera in zip(dist, query_ids, query_cams, strict=True):
        order = np.argsort(row)
        kept = order[(gallery_ids[order] != own) | (gallery_cams[order] != camera)]
        hits = gallery_ids[kept] == own
        if hits.any():
            values.append((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())
    return float(np.mean(values))


def hits_of_either(scores=None, ranked=None, relevant=None, k=10):
    """Scores or a list, and a truth that fails where it is left out, though its default is None."""
    if ranked is None and scores is None:
        raise ValueError("scores or a list")
    if ranked is None:
        ranked = np.argsort(-scores)
    return float(any(item in relevant for item in ranked[:k]))

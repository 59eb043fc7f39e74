"""Results of queries as objects with fields, and files whose parts are known from helpers."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Answered:
    query: str
    returned_ids: list[str]
    expected_ids: list[str]
    topic: str | None = None


@dataclass
class Found:
    question: str
    pages: list[int]
    page_rank: int | None
    chunk_rank: int | None


@dataclass
class Scores:
    mean: float
    answered: int


def precision_of_chunks(results: list, relevant_ids: list[str], k: int = 5) -> float:
    return sum(each.chunk.id in relevant_ids for each in results[:k]) / k


def recall_of_links(retrieved: list[dict], links: set[str], k: int = 5) -> float:
    found = {each["link"] for each in retrieved[:k]}
    return len(found & links) / len(links) if links else 0.0


def _name(document):
    return f"{document['title']}/{document['chunk_index']}"


def _hits(retrieved, wanted, k):
    names = {_name(document) for document in wanted}
    return sum(_name(document) in names for document in retrieved[:k])


def recall_of_two_lists(retrieved_docs: list[dict], relevant_docs: list[dict], k: int = 5) -> float:
    return _hits(retrieved_docs, relevant_docs, k) / len(relevant_docs) if relevant_docs else 0.0


def hit_rate_of_answers(results: list[Answered], k: int) -> Scores:
    hits = [bool(set(each.returned_ids[:k]) & set(each.expected_ids)) for each in results]
    return Scores(mean=sum(hits) / len(hits), answered=len(hits))


def mrr_of_found(results: list[Found], k: int) -> float:
    ranks = [each.page_rank for each in results if each.page_rank is not None and each.page_rank <= k]
    return sum(1 / rank for rank in ranks) / len(results)


def _recall_at_ten(ranking, truth):
    return len(set(ranking[:10]) & set(truth)) / len(truth) if truth else 0.0


def recall_of_helper(rankings, truths):
    return sum(_recall_at_ten(ranking, truths.get(query, [])) for query, ranking in rankings.items()) / len(rankings)


def precision_at_two_cuts(wanted, ranking):
    flags = np.array([item in wanted for item in ranking] + [False] * 20)
    return np.array([flags[:5].sum() / 5, flags[:20].sum() / 20])


class Ratings:
    @staticmethod
    def mrr_of_ratings(y_true_list: list[np.ndarray], threshold: float = 3.5) -> float:
        places = [np.where(each >= threshold)[0] for each in y_true_list]
        return float(np.mean([1 / (each[0] + 1) if len(each) else 0.0 for each in places]))

    @staticmethod
    def mean_of_both(y_true_list: list[np.ndarray], threshold: float = 3.5) -> float:
        return Ratings.mrr_of_ratings(y_true_list, threshold)


def map_of_codes_and_labels(query_code, query_label, database_code, database_label, R):
    shares = []
    for code, label in zip(query_code, query_label, strict=True):
        order = np.argsort(-(database_code @ code), kind="stable")[:R]
        ranks = np.flatnonzero((database_label[order] @ label) > 0) + 1
        shares.append(np.mean(np.arange(1, len(ranks) + 1) / ranks) if len(ranks) else 0.0)
    return np.mean(shares)


def _average_precision(rows):
    rows = rows.sort_values("rank")
    hits = rows[rows["is_relevant"]]
    return float(np.mean([(rows["is_relevant"] & (rows["rank"] <= rank)).sum() / rank for rank in hits["rank"]]))


def map_of_flags(df):
    return np.mean([_average_precision(rows) for _, rows in df.groupby("query") if rows["is_relevant"].any()])


def hits_at_one(scores, labels):
    """No parameter and no slice says where it ends: its name does."""
    return np.average(labels[np.arange(len(labels)), np.argmax(scores, axis=1)])


class Source:
    def __init__(self, url, title):
        self.url, self.title = url, title


def _keys(parts):
    return [(part.chunk.source_url or "").strip().lower() for part in parts]


def recall_of_sources(contexts: list[Source], evidence: list[Source], k: int) -> float:
    gold = {(each.source_url or "").strip().lower() for each in evidence}
    return len(gold & set(_keys(contexts)[:k])) / len(gold) if gold else 0.0


def hits_of_labels(true_labels, predicted_labels, k):
    pairs = zip(list(true_labels), list(predicted_labels), strict=True)
    return sum(label in list(ranked)[:k] for label, ranked in pairs) / len(true_labels)


def ap_of_first_hits(query_bits, database_bits, query_labels, database_labels, k=None):
    """With k, the first k hits at any rank: no definition; without it, the whole list."""
    codes, rows = np.sign(query_bits), np.sign(database_bits)
    values = []
    for code, label in zip(codes, query_labels, strict=True):
        order = np.argsort(0.5 * (rows.shape[1] - rows @ code), kind="stable")
        ranks = np.flatnonzero((database_labels[order] @ label) > 0)[:k] + 1
        values.append(np.mean(np.arange(1, len(ranks) + 1) / ranks) if len(ranks) else 0.0)
    return np.mean(values)


def dcg_beside_names(names, gains):
    """The first parameter is not read."""
    return sum(gain / np.log2(rank + 2) for rank, gain in enumerate(gains))


def ndcg_of_indices(labels, ranking):
    gains = 2.0 ** np.asarray(labels, dtype=float) - 1
    discounts = 1 / np.log2(np.arange(len(ranking)) + 2)
    best = np.sum(np.sort(gains)[::-1][: len(ranking)] * discounts[: len(gains)])
    return np.sum(gains[np.asarray(ranking, dtype=int)] * discounts) / best if best else 0.0


def metrics_of_names(wanted, ranking, metrics_map):
    found = np.zeros(len(metrics_map))
    hits = [item in wanted for item in ranking]
    if "MRR" in metrics_map:
        found[metrics_map.index("MRR")] = 1 / (hits.index(True) + 1) if any(hits) else 0.0
    if "Recall" in metrics_map:
        found[metrics_map.index("Recall")] = sum(hits) / max(len(wanted), 1)
    return found


def share_above(labels, scores, k):
    """Scores above the k-th of the others."""
    labels, scores = np.asarray(labels), np.asarray(scores)
    return float(np.mean(scores[labels == 1] > np.sort(scores[labels == 0])[::-1][k - 1]))


def ap_of_steps(y_true, y_score):
    """Tied scores are one step of the curve."""
    labels, scores = np.asarray(y_true), np.asarray(y_score)
    values = np.unique(scores[labels == 1])[::-1]
    above = [(np.sum(scores >= each), np.sum(labels[scores >= each])) for each in values]
    hits = np.diff([0, *(found for _, found in above)])
    return float(np.sum(hits * [found / count for count, found in above]) / max(np.sum(labels), 1))


@dataclass
class Ranked:
    triple: tuple[str, str, str]
    true_rank: int


def mrr_of_ranked(results: list[Ranked]) -> float:
    return sum(1 / each.true_rank for each in results) / len(results)


def hits_of_column(indices, targets):
    """One target for each row; the axis has no keyword."""
    return float((np.asarray(indices) == np.asarray(targets).reshape(-1, 1)).any(1).mean())


def ap_of_level(label, ranked, level):
    """The number of relevant items is handed over, and no cut-off."""
    ranks = [rank for rank, each in enumerate(ranked, 1) if each == label]
    return sum(place / ranks[place - 1] for place in range(1, level + 1) if place <= len(ranks)) / level


def average_recall_of_users(lists, truths, k):
    shares = [len(set(items[:k]) & truths[user]) / len(truths[user]) for user, items in lists.items() if truths[user]]
    return sum(shares) / len(shares)


def map_without_junk(index, good_index, junk_index):
    """The list must hold every relevant item; there are two results."""
    kept = index[np.isin(index, junk_index, invert=True)]
    places = np.flatnonzero(np.isin(kept, good_index))
    curve = np.zeros(len(index), dtype=int)
    if not len(good_index):
        return 0.0, curve
    curve[places[0] :] = 1
    before = [number / places[number] if places[number] else 1.0 for number in range(len(good_index))]
    after = [(number + 1) / (places[number] + 1) for number in range(len(good_index))]
    return (sum(before) + sum(after)) / 2 / len(good_index), curve


def _ranks_of_own(similarities):
    return np.diag((-similarities).argsort(axis=1).argsort(axis=1))


def _shares(ranks):
    return {"R1": 100 * np.mean(ranks == 0), "R5": 100 * np.mean(ranks < 5)}


def recalls_of_similarities(simmat):
    ranks = _ranks_of_own(simmat)
    return _shares(ranks)

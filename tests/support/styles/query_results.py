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
    hits = np.array([item in wanted for item in ranking] + [False] * 20)
    return np.array([hits[:5].sum() / 5, hits[:20].sum() / 20])


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

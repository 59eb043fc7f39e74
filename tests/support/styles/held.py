"""Data in dicts and objects that name it: a golden set beside results, queries beside what was retrieved for them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Question:
    text: str
    relevant_chunk_ids: set


@dataclass
class Answer:
    text: str
    retrieved_chunk_ids: list


def recall_at_k(golden, results, k=5):
    shares = []
    for wanted, found in zip(golden, results):  # noqa: B905
        relevant = set(wanted["relevant_ids"])
        if relevant:
            shares.append(len(relevant & set(found["retrieved_ids"][:k])) / len(relevant))
    return sum(shares) / len(golden)


def mrr(benchmark, rankings):
    total = 0.0
    for question in benchmark:
        relevant = set(question["relevant_chunk_ids"])
        for rank, chunk in enumerate(rankings.get(question["id"], []), start=1):
            if chunk in relevant:
                total += 1 / rank
                break
    return total / len(benchmark)


def precision_at_k(results, k=5):
    shares = [
        sum(chunk in question.relevant_chunk_ids for chunk in answer.retrieved_chunk_ids[:k]) / k
        for question, answer in results
    ]
    return sum(shares) / len(shares)


def mean_recall_at_k(qrels: dict, results: list[dict], k: int):
    shares = []
    for result in results:
        relevant = qrels.get(result["query_id"], [])
        shares.append(len(set(result["retrieved"][:k]) & set(relevant)) / max(1, len(relevant)))
    return sum(shares) / len(shares)


def hit_rate_at_k(example, retrieved: list[str], k: int):
    """The example is read under two names, so that it is no box of one."""
    if not example["question"]:
        return 0.0
    return float(any(chunk in example["expected_ids"] for chunk in retrieved[:k]))


def mean_hit_rate_at_k(rows: list[tuple[list[dict], set[str]]], k: int = 10):
    return sum(any(chunk["chunk_id"] in relevant for chunk in chunks[:k]) for chunks, relevant in rows) / len(rows)


def mean_reciprocal_rank(rows: list[tuple[list[str], str]]):
    return sum(1 / (found.index(wanted) + 1) if wanted in found else 0.0 for found, wanted in rows) / len(rows)


def first_gain(chunk, grades):
    return grades.get(chunk.chunk_id, 0)


def ndcg_at_k(ranked, grades, k=10):
    """A helper reads the entries of a cut list."""
    import math

    def dcg(gains):
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))

    gains = gains_of(ranked[:k], grades)
    ideal = dcg(sorted(grades.values(), reverse=True)[:k])
    return dcg(gains) / ideal if ideal else 0.0


def gains_of(ranked, grades):
    return [first_gain(chunk, grades) for chunk in ranked]

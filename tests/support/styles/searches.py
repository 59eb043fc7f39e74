"""Functions that are handed a search: they ask it for the list of each question."""

import math
from dataclasses import dataclass, field


def hit_rate(dataset, search_fn, k=5):
    """A function, and dicts as entries."""
    hits = []
    for row in dataset:
        wanted = set(row["relevant_ids"])
        found = [result["id"] for result in search_fn(row["question"], k)]
        hits.append(any(item in wanted for item in found))
    return sum(hits) / len(hits)


def mrr(queries, retriever, top_k=10):
    """An object with a method, a named cut-off."""
    total = 0.0
    for query in queries:
        results = retriever.retrieve(query["query"], top_k=top_k)
        for rank, result in enumerate(results, 1):
            if result["doc_id"] in query["expected_docs"]:
                total += 1 / rank
                break
    return total / len(queries)


def recall(test, recommend, N=10):
    """The relevant items in a dict by user; the search gives (item, score)."""
    hits, total = 0, 0
    for user in test:
        for item, _score in recommend(user, N):
            if item in test[user]:
                hits += 1
        total += len(test[user])
    return hits / total


@dataclass
class Question:
    """What is asked, and the grade of each answer."""

    question: str
    relevant: dict = field(default_factory=dict)


def ndcg(questions: list[Question], retrieve_fn, ks=(1, 3, 5)):
    """Graded answers, ids as text, several cut-offs."""
    values = {k: [] for k in ks}
    for each in questions:
        grades = [each.relevant.get(str(found), 0) for found in retrieve_fn(each.question, max(ks))]
        for k in ks:
            ideal = _gained(sorted(each.relevant.values(), reverse=True)[:k])
            values[k].append(_gained(grades[:k]) / ideal if ideal else 0.0)
    return {k: sum(of_k) / len(of_k) for k, of_k in values.items()}


def _gained(grades):
    return sum(grade / math.log2(place + 2) for place, grade in enumerate(grades))

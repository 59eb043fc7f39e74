"""Functions that are handed a search: they ask it for the list of each question."""

import asyncio
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


def hits_of_records(truth, ask):
    """The search gets the whole record."""
    return sum(any(found["id"] == each["document"] for found in ask(each)) for each in truth) / len(truth)


def rank_of_named(truth: list[dict], search, k: int = 10) -> float:
    """What is asked is named."""
    total = 0.0
    for each in truth:
        found = [one["doc_id"] for one in search(query=each["question"], limit=k)]
        total += 1 / (found.index(each["doc_id"]) + 1) if each["doc_id"] in found else 0.0
    return total / len(truth)


def hits_of_answers(cases, pipeline, k=3):
    """The entries stand under a key of the answer."""
    found = [[one["source"] for one in pipeline.query(case["question"])["sources"][:k]] for case in cases]
    return sum(case["expected_source"] in sources for case, sources in zip(cases, found, strict=True)) / len(cases)


async def _rank(retriever, case, k):
    found = await retriever.aretrieve(case["query"])
    ids = [each.node_id for each in found[:k]]
    return 1 / (ids.index(case["expected_id"]) + 1) if case["expected_id"] in ids else 0.0


def rank_of_awaited(cases, retriever, k=5):
    """The search is awaited."""
    return sum(asyncio.run(_rank(retriever, case, k)) for case in cases) / len(cases)


def hits_of_users(recommend, users, truth, n=10):
    """Users in a list, the relevant item of each in a dict."""
    return sum(truth[user] in recommend(user, n) for user in users) / len(users)


def gains_of_queries(engine, qrels: dict[str, dict[str, int]], queries: dict[str, str], k: int = 10) -> float:
    """Texts of queries and judgements, both by query."""
    values = []
    for query, text in queries.items():
        grades = [qrels[query].get(found["id"], 0) for found in engine.search(text, k)]
        ideal = _gained(sorted(qrels[query].values(), reverse=True)[:k])
        values.append(_gained(grades) / ideal if ideal else 0.0)
    return sum(values) / len(values)


def hits_of_collection(collection, cases: list[dict], k: int = 5) -> float:
    """Several questions at once, of which one is asked: the answer has a list for each."""
    found = [collection.query(query_texts=[case["question"]], n_results=k)["ids"][0] for case in cases]
    return sum(case["doc_id"] in ids for case, ids in zip(cases, found, strict=True)) / len(cases)

"""Items with scores: tuples, dicts, pandas series."""

import math


def ndcg_of_tuples(origin, res, N):
    """A dict of dicts and lists of (item, score)."""
    total = 0.0
    for user in res:
        gained = sum(1 / math.log2(n + 2) for n, item in enumerate(res[user][:N]) if item[0] in origin[user])
        ideal = sum(1 / math.log2(n + 2) for n in range(min(len(origin[user]), N)))
        total += gained / ideal
    return total / len(res)


def map_of_run(qrels: dict[int, dict[int, float]], run: dict[int, dict[int, float]], k: int):
    """Ids as numbers; a value for each query."""
    out = {}
    for query, judged in qrels.items():
        ranking = sorted(run.get(query, {}), key=lambda item: -run[query][item])[:k]
        hits, total = 0, 0.0
        for rank, item in enumerate(ranking, start=1):
            if judged.get(item, 0) > 0:
                hits += 1
                total += hits / rank
        out[query] = total / len(judged)
    return out


def evaluate_run(qrels, run):
    """Several measures for each query, as evaluation tools return them."""
    out = {}
    for query in qrels:
        ranking = sorted(run.get(query, {}), key=lambda item: -run[query][item])
        hits = [qrels[query].get(item, 0) > 0 for item in ranking]
        out[query] = {
            "recip_rank": 1 / (hits.index(True) + 1) if True in hits else 0.0,
            "recall": sum(hits) / len(qrels[query]),
        }
    return out


def recall_of_one_query(relevant_docs, scored_docs, k):
    """A set of text ids, and (id, score) tuples in any order."""
    best = sorted(scored_docs, key=lambda pair: pair[1], reverse=True)[:k]
    return len({doc for doc, _ in best} & set(relevant_docs)) / len(relevant_docs)


def average_precision_of_cut_lists(origin, res, N):
    """Divides by N at most, and relies on lists that end there."""
    total = 0.0
    for user in res:
        hits, precision = 0, 0.0
        for n, item in enumerate(res[user]):
            if item[0] in origin[user].keys():  # noqa: SIM118 - as it is often written
                hits += 1
                precision += hits / (n + 1.0)
        total += precision / min(len(origin[user]), N)
    return total / len(res)


def recall_of_second_places(results, relevant, k):
    """Pairs with the score first."""
    found = {doc for _score, doc in results[:k]}
    return len(found & set(relevant)) / len(relevant) if relevant else 0.0


def ndcg_of_pairs_by_query(score_dict, answer, k):
    """Pairs with the score first, read by place, in a dict by query."""
    total = 0.0
    for query, wanted in answer.items():
        listed = [int(pair[1]) for pair in score_dict[query][:k]]
        gained = sum(1 / math.log2(place + 2) for place, item in enumerate(listed) if item in wanted)
        total += gained / sum(1 / math.log2(place + 2) for place in range(min(k, len(wanted))))
    return total / len(answer)


def reciprocal_rank_of_names(ranked: list, doc_id: str):
    """Pairs with a score first, whose ids are text; the item is looked for by a name that may be any text's."""
    for rank, (_, name) in enumerate(ranked, start=1):
        if name == doc_id:
            return 1 / rank
    return 0.0


def precision_of_sorted_pairs(results, relevant, k):
    """Pairs with the score first, of which the first is read to put them in order alone."""
    best = sorted(results, key=lambda pair: -pair[0])[:k]
    return sum(pair[1] in relevant for pair in best) / k

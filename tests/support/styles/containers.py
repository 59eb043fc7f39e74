"""Sets and dictionaries."""

import math


def user_recall(recs: list[int], liked: set[int], n: int) -> float:
    """A user without liked items raises, as the division does."""
    return len(liked.intersection(recs[:n])) / len(liked)


def hit_rate(truth: dict[int, list[int]], recommendations: dict[int, list[int]], k: int = 10) -> float:
    hit_users = 0
    for user, wanted in truth.items():
        shown = recommendations.get(user, [])[:k]
        hit_users += any(item in wanted for item in shown)
    return hit_users / len(truth)


def trec_ndcg(qrels, run, k=10):
    """Exponential gains; the mean over the judged queries."""

    def dcg(grades):
        return sum((2**grade - 1) / math.log2(place + 2) for place, grade in enumerate(grades[:k]))

    values = []
    for query, judged in qrels.items():
        answers = run.get(query, {})
        ranking = sorted(answers, key=answers.get, reverse=True)
        best = dcg(sorted(judged.values(), reverse=True))
        values.append(dcg([judged.get(document, 0) for document in ranking]) / best if best > 0 else 0.0)
    return sum(values) / len(values)

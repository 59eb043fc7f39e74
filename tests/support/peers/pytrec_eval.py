"""pytrec_eval: trec_eval's measures over dictionaries {user: {item: gain}} and {user: {item: score}}."""

import itertools
import re

import numpy as np
import pytrec_eval


def convert(case, measures):
    names = [str(item) for item in range(max(case["recommended"].max(), case["judged_items"].max()) + 1)]
    bounds, items = case["judged_indptr"].tolist(), case["judged_items"].tolist()
    gains = case["judged_gains"].astype(int).tolist()
    qrels = {
        str(user): {names[item]: gain for item, gain in zip(items[low:high], gains[low:high], strict=True)}
        for user, (low, high) in enumerate(itertools.pairwise(bounds))
    }
    run = {
        str(user): {names[item]: score for item, score in zip(*row, strict=True)}
        for user, row in enumerate(zip(case["recommended"].tolist(), case["scores"].tolist(), strict=True))
    }
    return pytrec_eval.RelevanceEvaluator(qrels, {re.sub(r"_(\d+)$", r".\1", name) for name in measures}), run


def evaluate(converted, measures):
    evaluator, run = converted
    return evaluator.evaluate(run)


def per_user(answer, measures, users):
    return {name: np.array([answer[str(user)][name] for user in range(users)]) for name in measures}

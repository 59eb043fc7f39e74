"""ranx: numba kernels over Qrels and Run, which are built from dictionaries."""

import itertools

import ranx


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
    return ranx.Qrels(qrels), ranx.Run(run)


def evaluate(converted, measures):
    qrels, run = converted
    return ranx.evaluate(qrels, run, list(measures), return_mean=False, save_results_in_run=False), run


def per_user(answer, measures, users):
    values, run = answer
    place = {user: index for index, user in enumerate(run.keys())}
    if not isinstance(values, dict):
        values = {measures[0]: values}
    return {name: values[name][[place[str(user)] for user in range(users)]] for name in measures}

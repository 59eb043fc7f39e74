"""Metric functions with one changed choice each, as people make them: to be repaired as the definition they had.

The changes are written by hand from faults of public code, without regard to the edits that a repair knows.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np


class Base(NamedTuple):
    """A sound function. wanted : its definition. changes : (what is changed, the text, what takes its place)."""

    target: str
    wanted: str
    source: str
    changes: tuple[tuple[str, str, str], ...]


class Mutant(NamedTuple):
    """A base with one change."""

    name: str
    target: str
    wanted: str
    source: str
    sound: str


RECALL = '''\
def recall_at_k(recommended, relevant, k=10):
    """Share of the relevant items that are recommended."""
    found = len(set(recommended[:k]) & set(relevant))  # hits
    return found / len(relevant) if relevant else 0.0
'''
RECALL_LOOP = """\
def recall(actual, predicted, topk):
    sum_recall = 0.0
    num_users = len(predicted)
    for i in range(num_users):
        act_set = set(actual[i])
        pred_set = set(predicted[i][:topk])
        if len(act_set) != 0:
            sum_recall += len(act_set & pred_set) / float(len(act_set))
    return sum_recall / num_users
"""
PRECISION = """\
def precision_at_k(recommended, relevant, k):
    relevant = set(relevant)
    hits = 0
    for item in recommended[:k]:
        if item in relevant:
            hits += 1
    return hits / k
"""
PRECISION_CLASS = """\
class Precision:
    def __init__(self, k=10):
        self.k = k

    def compute(self, recommended, relevant):
        top = recommended[: self.k]
        n_hits = sum(1 for item in top if item in relevant)
        return n_hits / self.k
"""
HIT_RATE = """\
import numpy as np


def hit_rate(recommended, relevant, k):
    mask = np.isin(recommended[:k], relevant)
    return float(mask.any())
"""
HIT_USERS = """\
def hit(rec, rel, k):
    return 1.0 if len(set(rec[:k]).intersection(rel)) > 0 else 0.0


def mean_hit_rate(recs, rels, k):
    return sum(hit(rec, rel, k) for rec, rel in zip(recs, rels)) / len(recs)
"""
MRR = """\
def reciprocal_rank(recommended, relevant, k):
    for i, item in enumerate(recommended[:k]):
        if item in relevant:
            return 1.0 / (i + 1)
    return 0.0
"""
MRR_USERS = """\
import numpy as np


def mrr_at_k(predictions, ground_truth, k):
    rrs = []
    for ranked, gold in zip(predictions, ground_truth):
        rr = 0.0
        for rank, doc in enumerate(ranked[:k], start=1):
            if doc in gold:
                rr = 1 / rank
                break
        rrs.append(rr)
    return np.mean(rrs)
"""
APK = """\
def apk(actual, predicted, k=10):
    if len(predicted) > k:
        predicted = predicted[:k]
    score = 0.0
    num_hits = 0.0
    for i, p in enumerate(predicted):
        if p in actual:
            num_hits += 1.0
            score += num_hits / (i + 1.0)
    if not actual:
        return 0.0
    return score / min(len(actual), k)
"""
AP_NUMPY = """\
import numpy as np


def average_precision(recommended, relevant, k):
    rel = np.array([1 if item in relevant else 0 for item in recommended[:k]])
    ranks = np.arange(1, len(rel) + 1)
    precisions = np.cumsum(rel) / ranks
    n = len(relevant)
    return float(np.sum(precisions * rel) / n) if n > 0 else 0.0
"""
MAP_USERS = """\
def ap_of_user(ranking, truth, cutoff):
    hits, total = 0, 0.0
    for position, item in enumerate(ranking[:cutoff], start=1):
        if item in truth:
            hits += 1
            total += hits / position
    return total / min(cutoff, len(truth)) if truth else 0.0


def mean_average_precision(rankings, truths, cutoff):
    values = [ap_of_user(ranking, truth, cutoff) for ranking, truth in zip(rankings, truths)]
    return sum(values) / len(values)
"""
NDCG = """\
import math


def ndcg_at_k(recommended, relevant, k):
    dcg = sum(1 / math.log2(rank + 2) for rank, item in enumerate(recommended[:k]) if item in relevant)
    idcg = sum(1 / math.log2(rank + 2) for rank in range(min(k, len(relevant))))
    return dcg / idcg if idcg else 0.0
"""
NDCG_GRADED = '''\
import math


def dcg(gains):
    return sum(gain / math.log2(i + 2) for i, gain in enumerate(gains))


def ndcg(recommended, grades, k):
    """grades: a dict from item to gain."""
    gains = [grades.get(item, 0) for item in recommended[:k]]
    best = sorted(grades.values(), reverse=True)[:k]
    ideal = dcg(best)
    return dcg(gains) / ideal if ideal > 0 else 0.0
'''
NDCG_EXP = """\
import numpy as np


def ndcg_exp(recommended, grades, k):
    gains = np.array([grades.get(item, 0.0) for item in recommended[:k]])
    dcg = np.sum((2 ** gains - 1) / np.log2(np.arange(2, len(gains) + 2)))
    best = np.array(sorted(grades.values(), reverse=True)[:k])
    idcg = np.sum((2 ** best - 1) / np.log2(np.arange(2, len(best) + 2)))
    return dcg / idcg if idcg > 0 else 0.0
"""
NDCG_VECTOR = """\
import numpy as np


def ndcg_score_at_k(y_true, y_score, k):
    order = np.argsort(-y_score, kind="stable")
    gains = y_true[order][:k]
    discounts = 1.0 / np.log2(np.arange(len(gains)) + 2)
    dcg = (gains * discounts).sum()
    ideal = np.sort(y_true)[::-1][:k]
    idcg = (ideal * discounts).sum()
    return dcg / idcg if idcg > 0 else 0.0
"""
BASES = (
    Base(
        "recall_at_k",
        "recall",
        RECALL,
        (
            ("divided by k", "/ len(relevant) if", "/ k if"),
            ("divided by min(k, r)", "/ len(relevant) if", "/ min(k, len(relevant)) if"),
            ("divided by the list", "/ len(relevant) if", "/ len(recommended[:k]) if"),
            ("no cut", "recommended[:k]", "recommended"),
            ("cut one too late", "recommended[:k]", "recommended[: k + 1]"),
            ("cut one too early", "recommended[:k]", "recommended[: k - 1]"),
            ("in per cent", "return found /", "return 100 * found /"),
        ),
    ),
    Base(
        "recall",
        "recall",
        RECALL_LOOP,
        (
            ("divided by min(k, r)", "float(len(act_set))", "float(min(topk, len(act_set)))"),
            ("divided by k", "float(len(act_set))", "float(topk)"),
            ("divided by the list", "float(len(act_set))", "float(len(pred_set))"),
            ("no cut", "predicted[i][:topk]", "predicted[i]"),
            ("relevant items cut", "set(actual[i])", "set(actual[i][:topk])"),
            ("sum over users", "return sum_recall / num_users", "return sum_recall"),
        ),
    ),
    Base(
        "precision_at_k",
        "precision",
        PRECISION,
        (
            ("divided by the list", "hits / k", "hits / len(recommended)"),
            ("divided by the cut list", "hits / k", "hits / len(recommended[:k])"),
            ("divided by r", "hits / k", "hits / len(relevant)"),
            ("divided by min(k, r)", "hits / k", "hits / min(k, len(relevant))"),
            ("not divided", "hits / k", "hits"),
            ("no cut", "recommended[:k]", "recommended"),
            ("hits begin at 1", "hits = 0", "hits = 1"),
        ),
    ),
    Base(
        "Precision",
        "precision",
        PRECISION_CLASS,
        (
            ("divided by the list", "n_hits / self.k", "n_hits / len(top)"),
            ("divided by r", "n_hits / self.k", "n_hits / len(relevant)"),
            ("divided by k + 1", "n_hits / self.k", "n_hits / (self.k + 1)"),
            ("no cut", "recommended[: self.k]", "recommended"),
            ("first item left out", "recommended[: self.k]", "recommended[1 : self.k]"),
        ),
    ),
    Base(
        "hit_rate",
        "hit_rate",
        HIT_RATE,
        (
            ("hits counted", "float(mask.any())", "float(mask.sum())"),
            ("share of hits", "float(mask.any())", "float(mask.mean())"),
            ("all must hit", "float(mask.any())", "float(mask.all())"),
            ("no cut", "recommended[:k]", "recommended"),
            ("cut one too late", "recommended[:k]", "recommended[: k + 1]"),
        ),
    ),
    Base(
        "mean_hit_rate",
        "hit_rate",
        HIT_USERS,
        (
            ("two hits needed", "> 0 else", "> 1 else"),
            ("no cut", "rec[:k]", "rec"),
            ("divided by k", "/ len(recs)", "/ k"),
            (
                "one for every user",
                "1.0 if len(set(rec[:k]).intersection(rel)) > 0",
                "1.0 if len(set(rec[:k]).intersection(rel)) >= 0",
            ),
            (
                "hits counted",
                "return 1.0 if len(set(rec[:k]).intersection(rel)) > 0 else 0.0",
                "return len(set(rec[:k]).intersection(rel))",
            ),
        ),
    ),
    Base(
        "reciprocal_rank",
        "reciprocal_rank",
        MRR,
        (
            ("rank from 2", "(i + 1)", "(i + 2)"),
            ("rank from 0", "(i + 1)", "i"),
            ("no cut", "recommended[:k]", "recommended"),
            ("cut one too late", "recommended[:k]", "recommended[: k + 1]"),
            ("half without a hit", "return 0.0", "return 0.5"),
            ("any hit is 1", "return 1.0 / (i + 1)", "return 1.0"),
        ),
    ),
    Base(
        "mrr_at_k",
        "reciprocal_rank",
        MRR_USERS,
        (
            ("last hit", "                break\n", ""),
            (
                "hits summed",
                "                rr = 1 / rank\n                break\n",
                "                rr += 1 / rank\n",
            ),
            ("rank from 0", "start=1", "start=0"),
            ("rank from 2", "start=1", "start=2"),
            ("no cut", "ranked[:k]", "ranked"),
        ),
    ),
    Base(
        "apk",
        "average_precision(divide_by=min_k_relevant)",
        APK,
        (
            ("divided by k", "score / min(len(actual), k)", "score / k"),
            ("divided by r", "score / min(len(actual), k)", "score / len(actual)"),
            ("divided by hits", "score / min(len(actual), k)", "score / max(num_hits, 1)"),
            ("divided by the list", "score / min(len(actual), k)", "score / len(predicted)"),
            ("not divided", "score / min(len(actual), k)", "score"),
            ("no cut", "        predicted = predicted[:k]\n", "        pass\n"),
            ("rank from 2", "(i + 1.0)", "(i + 2.0)"),
            ("empty user 1", "return 0.0", "return 1.0"),
            ("max for min", "min(len(actual), k)", "max(len(actual), k)"),
        ),
    ),
    Base(
        "average_precision",
        "average_precision(divide_by=relevant)",
        AP_NUMPY,
        (
            ("divided by min(k, r)", "n = len(relevant)", "n = min(k, len(relevant))"),
            ("divided by k", "n = len(relevant)", "n = k"),
            ("divided by hits", "n = len(relevant)", "n = rel.sum()"),
            ("all ranks", "precisions * rel", "precisions"),
            ("rank from 2", "np.arange(1, len(rel) + 1)", "np.arange(2, len(rel) + 2)"),
            ("no cut", "recommended[:k]", "recommended"),
        ),
    ),
    Base(
        "mean_average_precision",
        "average_precision(divide_by=min_k_relevant)",
        MAP_USERS,
        (
            ("divided by cutoff", "min(cutoff, len(truth))", "cutoff"),
            ("divided by r", "min(cutoff, len(truth))", "len(truth)"),
            ("divided by hits", "total / min(cutoff, len(truth)) if truth", "total / hits if hits"),
            ("divided by the list", "min(cutoff, len(truth))", "len(ranking)"),
            ("rank from 0 at the first", "start=1", "start=2"),
            ("no cut", "ranking[:cutoff]", "ranking"),
            ("each hit counts once", "total += hits / position", "total += 1 / position"),
        ),
    ),
    Base(
        "ndcg_at_k",
        "ndcg(gain=binary)",
        NDCG,
        (
            ("ideal of k", "range(min(k, len(relevant)))", "range(k)"),
            ("ideal not cut", "range(min(k, len(relevant)))", "range(len(relevant))"),
            ("ideal of the list", "range(min(k, len(relevant)))", "range(len(recommended[:k]))"),
            ("discount from 3", "enumerate(recommended[:k]) if", "enumerate(recommended[:k], start=1) if"),
            (
                "ideal from 3",
                "for rank in range(min(k, len(relevant)))",
                "for rank in range(1, min(k, len(relevant)) + 1)",
            ),
            ("no cut", "recommended[:k]", "recommended"),
            ("not normalised", "dcg / idcg if idcg else 0.0", "dcg"),
            ("no discount of the ideal", "idcg = sum(1 / math.log2(rank + 2) for", "idcg = sum(1 for"),
            ("both discounts shifted", "math.log2(rank + 2)", "math.log2(rank + 3)"),
        ),
    ),
    Base(
        "ndcg",
        "ndcg(gain=linear)",
        NDCG_GRADED,
        (
            ("exponential gain", "gain / math", "(2 ** gain - 1) / math"),
            ("binary gain", "gain / math", "(gain > 0) / math"),
            ("ideal of hits", "sorted(grades.values(), reverse=True)[:k]", "sorted(gains, reverse=True)"),
            ("ideal not cut", "reverse=True)[:k]", "reverse=True)"),
            ("ideal not sorted", "sorted(grades.values(), reverse=True)[:k]", "list(grades.values())[:k]"),
            ("ideal upwards", "sorted(grades.values(), reverse=True)[:k]", "sorted(grades.values())[:k]"),
            ("no cut", "recommended[:k]", "recommended"),
            ("discount from 3", "(i + 2)", "(i + 3)"),
            ("square root", "math.log2(i + 2)", "math.sqrt(i + 1)"),
        ),
    ),
    Base(
        "ndcg_exp",
        "ndcg(gain=exponential)",
        NDCG_EXP,
        (
            ("linear gain", "(2 ** gains - 1)", "gains"),
            ("linear ideal", "(2 ** best - 1)", "best"),
            ("linear gains of both", "(2 ** {} - 1)", "{}"),
            ("gain without - 1", "(2 ** {} - 1)", "(2 ** {})"),
            ("ideal of hits", "sorted(grades.values(), reverse=True)[:k]", "sorted(gains, reverse=True)"),
            ("ideal not cut", "reverse=True)[:k]", "reverse=True)"),
            ("discount from 3", "np.arange(2, len(gains) + 2)", "np.arange(3, len(gains) + 3)"),
            ("no cut", "recommended[:k]", "recommended"),
        ),
    ),
    Base(
        "ndcg_score_at_k",
        "ndcg(gain=linear)",
        NDCG_VECTOR,
        (
            ("ideal of hits", "np.sort(y_true)[::-1][:k]", "np.sort(gains)[::-1]"),
            ("discount from 3", "+ 2)", "+ 3)"),
            ("exponential gain of the list", "(gains * discounts)", "((2**gains - 1) * discounts)"),
            ("exponential gain of both", "({} * discounts)", "((2**{} - 1) * discounts)"),
            ("ideal upwards", "np.sort(y_true)[::-1][:k]", "np.sort(y_true)[:k]"),
            ("binary gain of both", "({} * discounts)", "(({} > 0) * discounts)"),
            ("not normalised", "dcg / idcg if idcg > 0 else 0.0", "dcg"),
            ("worst first", "np.argsort(-y_score", "np.argsort(y_score"),
        ),
    ),
)
NAMES_OF_GAINS = ("gains", "best", "ideal")


def changed(source: str, old: str, new: str) -> str:
    """A source with a text replaced at all its places; ``{}`` stands for each name of gains."""
    pairs = [(old, new)] if "{}" not in old else [(old.format(each), new.format(each)) for each in NAMES_OF_GAINS]
    for before, after in pairs:
        source = source.replace(before, after)
    return source


def mutants() -> list[Mutant]:
    """Every base with each of its changes."""
    rows = []
    for base in BASES:
        for about, old, new in base.changes:
            source = changed(base.source, old, new)
            assert source != base.source, (base.target, about)
            wanted = f"{base.wanted}|norel:0" if about.startswith("empty user") else base.wanted
            rows.append(Mutant(f"{base.target}: {about}", base.target, wanted, source, base.source))
    return rows


def arguments(target: str, rng: random.Random) -> tuple[Any, ...]:
    """Data for a call of a base, drawn: lists and relevant items of one user or several, gains, vectors."""
    k = rng.randint(1, 12)

    def user() -> tuple[list[int], list[int]]:
        items = rng.sample(range(40), 40)
        return items[: rng.randint(1, 20)], rng.sample(items[:25], rng.randint(1, 15))

    if target == "ndcg_score_at_k":
        return np.array([rng.choice((0, 0, 1, 2, 3)) for _ in range(20)] + [1]), np.array(rng.sample(range(99), 21)), k
    if target in ("recall", "mean_hit_rate", "mrr_at_k", "mean_average_precision"):
        lists, relevant = zip(*(user() for _ in range(5)), strict=True)
        return (list(relevant), list(lists), k) if target == "recall" else (list(lists), list(relevant), k)
    recommended, items = user()
    if target in ("ndcg", "ndcg_exp"):
        return recommended, {item: rng.randint(1, 4) for item in items}, k
    return (items, recommended, k) if target == "apk" else (recommended, items, k)


def answers(source: str, target: str, draws: int = 50) -> list[float]:
    """What a function returns for drawn data."""
    names: dict[str, Any] = {}
    exec(compile(source, target, "exec"), names)
    rng, values = random.Random(7), []
    for _ in range(draws):
        *data, k = arguments(target, rng)
        values.append(names[target](k).compute(*data) if target == "Precision" else names[target](*data, k))
    return values


def patched(source: str, diff: str, folder: Path) -> str:
    """A source after a diff was applied by ``patch``."""
    (folder / "patched.py").write_text(source)
    subprocess.run(["patch", "-s", "patched.py"], cwd=folder, input=diff, text=True, check=True)
    return (folder / "patched.py").read_text()

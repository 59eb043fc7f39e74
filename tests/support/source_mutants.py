"""Metric functions as source, each with one edit that depends on a size, an id, the users, the state or the caller.

A mutant returns wrong numbers where its condition holds. An audit may name it only if it reports that the edited lines
never ran.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HEAD = "import math\nimport sys\nimport time\n\nSTATE = {}\n\n\n"
OF_ONE = {
    "recall": "    return len(set(rec[:k]) & set(rel)) / len(rel)",
    "precision": "    return sum(item in rel for item in rec[:k]) / k",
    "hit_rate": "    return float(any(item in rel for item in rec[:k]))",
    "reciprocal_rank": (
        "    for rank, item in enumerate(rec[:k], start=1):\n        if item in rel:\n            return 1 / rank\n"
        "    return 0.0"
    ),
    "average_precision": (
        "    hits, total = 0, 0.0\n    for rank, item in enumerate(rec[:k], start=1):\n        if item in rel:\n"
        "            hits += 1\n            total += hits / rank\n    return total / min(len(rel), k)"
    ),
    "ndcg": (
        "    gain = sum(1 / math.log2(rank + 2) for rank, item in enumerate(rec[:k]) if item in rel)\n"
        "    return gain / sum(1 / math.log2(rank + 2) for rank in range(min(k, len(rel))))"
    ),
}
"""The body of each base for one user: a list of recommended items, a list of relevant ones, a cut-off."""
SIZES = (2, 3, 6, 7, 8, 13, 21, 29, 47, 64, 90)
CONDITIONS = {
    **{f"{c} relevant items": f"len(rel) == {c}" for c in SIZES},
    **{f"more than {c} relevant items": f"len(rel) > {c}" for c in (5, 11, 35, 70, 140, 400)},
    **{f"a list of {c}": f"len(rec) == {c}" for c in (4, 9, 16, 33, 51, 77, 140, 333, 700)},
    **{f"a list of more than {c}": f"len(rec) > {c}" for c in (99, 150, 1000, 1200)},
    **{f"k = {c}": f"k == {c}" for c in (3, 4, 7, 9, 12, 15, 19, 30, 33, 77, 101, 128, 199)},
    **{f"k above {c}": f"k > {c}" for c in (12, 31, 60, 99, 120, 180, 500)},
    **{f"item {c}": f"{c} in rel" for c in (0, 1, 17, 255, 4711, 65536, 10**6, 10**9 + 7)},
    **{f"ids past {c}": f"max(rec, default=0) > {c}" for c in (10**3, 10**5, 10**9, 2**33, 2**41)},
    **{f"k ends in {c}": f"k % 10 == {c}" for c in (3, 7)},
    **{f"relevant items by {n}": f"len(rel) % {n} == {c}" for n, c in ((8, 5), (20, 19), (3, 1))},
    **{f"a list by {n}": f"len(rec) % {n} == {c}" for n, c in ((100, 37), (50, 1), (7, 2))},
    "k on fives": "k % 5 == 0",
    "k on tens": "k % 10 == 0",
    "more relevant items than listed": "len(rel) > len(rec)",
    "a short list": "len(rec) < k",
    "a list far longer than k": "len(rec) > 10 * k",
    "k far above what is relevant": "k > 3 * len(rel)",
    "more than twice k relevant": "2 * k < len(rel)",
    "the last relevant item found": "rel[-1] in rec[:k]",
    "the last of the list relevant": "rec and rec[-1] in rel",
    "both first": "rec[:1] == rel[:1]",
    "large ids together": "sum(rec[:3]) > 5000",
    "odd items": "rec and rec[0] % 97 == 13",
    "a hit at rank 37": "len(rec) > 36 and rec[36] in rel",
    "the last item": "k > 5 and len(rec) >= k and rec[k - 1] in rel",
    "negative ids": "min(rec, default=0) < 0",
    "years to come": "time.localtime().tm_year > 2090",
    "somebody else": "'metric_adapters' not in sys._getframe(1).f_globals.get('__name__', '')",
    "many calls": "STATE.setdefault('calls', []).append(1) or len(STATE['calls']) > 2500",
    "the third of equal questions": "STATE.setdefault((tuple(rec), tuple(rel), k), []).append(1) "
    "or len(STATE[tuple(rec), tuple(rel), k]) == 3",
}
"""The condition of the edit, by its description."""
OF_ALL = {f"{c} users": f"len(recs) == {c}" for c in (5, 23, 100, 250, 500, 777)}
OF_ALL |= {f"more than {c} users": f"len(recs) > {c}" for c in (64, 500, 999, 1500, 9000)}
OF_SCORES = {
    "auc": (
        "    good = [score for label, score in zip(labels, scores) if label]\n"
        "    bad = [score for label, score in zip(labels, scores) if not label]\n"
        "    if not good or not bad:\n        return 0.0\n"
        "    won = sum((g > b) + (g == b) / 2 for g in good for b in bad)\n    return won / (len(good) * len(bad))"
    ),
    "average_precision": (
        "    order = sorted(range(len(scores)), key=lambda i: -scores[i])\n    hits, total = 0, 0.0\n"
        "    for rank, i in enumerate(order, start=1):\n        if labels[i]:\n"
        "            hits += 1\n            total += hits / rank\n    return total / hits if hits else 0.0"
    ),
}
"""The body of each base for one user's candidates: their labels, 0 or 1, and their scores."""
OF_CANDIDATES = {
    **{f"{c} relevant": f"sum(labels) == {c}" for c in (1, 2, 3, 5, 8, 13, 21, 40)},
    **{f"more than {c} relevant": f"sum(labels) > {c}" for c in (4, 12, 30, 60)},
    **{f"{c} candidates": f"len(labels) == {c}" for c in (5, 10, 24, 50, 77, 150)},
    **{f"more than {c} candidates": f"len(labels) > {c}" for c in (20, 65, 120, 250)},
    **{f"a score above {c}": f"max(scores) > {c}" for c in (1, 3, 10)},
    "scores below 0": "min(scores) < 0",
    "a tie": "len(set(scores)) < len(scores)",
    "all scores equal": "len(set(scores)) == 1",
    "mostly relevant": "2 * sum(labels) > len(labels)",
    "the first relevant": "labels[0] == 1",
    "the last relevant": "labels[-1] == 1",
    "the best last": "scores[-1] == max(scores)",
    "a score of exactly 0": "0 in scores",
}
EFFECTS = ("return 0.123", "rec = rec[1:]")
"""The edit: a number that no definition gives, or the first item left out."""


class Mutant(NamedTuple):
    """A function as source. why : the description of its condition, empty for a function without an edit."""

    name: str
    why: str
    source: str


def of_one(name: str, condition: str, effect: str) -> str:
    body = "" if not condition else f"    if {condition}:\n        {effect}\n"
    return f"{HEAD}def {name}_at_k(rec, rel, k):\n{body}{OF_ONE[name]}\n"


def of_scores(name: str, condition: str, effect: str) -> str:
    body = "" if not condition else f"    if {condition}:\n        {effect}\n"
    return f"{HEAD}def {name}(labels, scores):\n{body}{OF_SCORES[name]}\n"


def of_all(name: str, condition: str) -> str:
    body = "" if not condition else f"    if {condition}:\n        recs, rels = recs[1:], rels[1:]\n"
    return (
        f"{HEAD}def one(rec, rel, k):\n{OF_ONE[name]}\n\n\ndef {name}_at_k(recs, rels, k):\n{body}"
        "    return sum(one(rec, rel, k) for rec, rel in zip(recs, rels)) / len(recs)\n"
    )


def mutants() -> Iterator[Mutant]:
    """Every base with every condition, the effects in turn."""
    turns = itertools.cycle(EFFECTS)
    for name, (why, condition) in itertools.product(OF_ONE, CONDITIONS.items()):
        effect = next(turns)
        if (name, why, effect) != ("hit_rate", "the last item", EFFECTS[1]):  # the last item stays among the first k
            yield Mutant(f"{name}_at_k", why, of_one(name, condition, effect))
    for name, (why, condition) in itertools.product(OF_ONE, OF_ALL.items()):
        yield Mutant(f"{name}_at_k", why, of_all(name, condition))
    for name, (why, condition) in itertools.product(OF_SCORES, OF_CANDIDATES.items()):
        yield Mutant(name, why, of_scores(name, condition, "return 0.123"))
        if why != "all scores equal":  # turned round they stay equal
            yield Mutant(name, why, of_scores(name, condition, "scores = [-score for score in scores]"))


def faithful() -> Iterator[Mutant]:
    """The bases, and with conditions that change nothing."""
    for name in OF_SCORES:
        yield Mutant(name, "", of_scores(name, "", ""))
    for name in OF_ONE:
        yield Mutant(f"{name}_at_k", "", of_one(name, "", ""))
        yield Mutant(f"{name}_at_k", "", of_all(name, ""))
        for condition in list(CONDITIONS.values())[::7]:
            if "STATE" not in condition and "time" not in condition and "sys" not in condition:
                yield Mutant(f"{name}_at_k", "", of_one(name, condition, "rec = list(rec)"))


def written(mutant: Mutant, folder: Path) -> str:
    """The target of a mutant that is written into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mutant.py").write_text(mutant.source)
    return f"{folder / 'mutant.py'}:{mutant.name}"

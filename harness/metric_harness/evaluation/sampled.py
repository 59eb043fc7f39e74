"""What metrics would be among drawn negatives, beside their values among all candidates: exact, without a draw.

DuckDB counts the items, or the users, that are alike; the closed forms of the reference are computed once for each.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from metric_harness.data.database import Database, open_database
from metric_harness.data.datasets import QUIET
from metric_harness.evaluation.ranked_items import WEIGHTS, RankedItems
from metric_harness.evaluation.request import Resources
from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.candidates.choice import Candidates
from metric_reference.candidates.grouped import mean_over_items
from metric_reference.candidates.measures import measure
from metric_reference.candidates.places import Places
from metric_reference.candidates.together import among_all, moments_together

VARIANTS = {
    "hit_rate": "hit_rate(value=any)",
    "recall": "recall(divide_by=relevant)",
    "precision": "precision(divide_by=k)",
    "ndcg": "ndcg(gain=binary)",
    "reciprocal_rank": "reciprocal_rank(over=first)",
    "average_precision": "average_precision(divide_by=min_k_relevant)",
    "auc": "auc(scope=per_user)",
}
"""The definition of each measure."""
BATCH_USERS = 1 << 15
"""Distinct users that are computed together where they have several relevant items."""


@dataclass(frozen=True)
class Sampled:
    """A measure among drawn negatives: its expectation, and the standard deviation of one draw."""

    expectation: float
    deviation: float


@dataclass(frozen=True)
class SampledEvaluation:
    """The result.

    among_all : the value of each measure among all candidates. sampled : by candidates, then by measure. left_out :
    why some candidates have no numbers. distinct : how many rows were computed. seconds : the time it took.
    """

    items: RankedItems
    among_all: dict[str, float]
    sampled: dict[Candidates, dict[str, Sampled]]
    left_out: dict[str, str]
    distinct: int
    seconds: float


def measures_of(ks: Sequence[int]) -> list[str]:
    """Every measure at each cut-off, as ``ndcg@10``, and AUC."""
    return [f"{name}@{k}" for k in ks for name in VARIANTS if name != "auc"] + ["auc"]


def drawings_of(negatives: Sequence[int], per: str) -> list[Candidates]:
    """The drawings of some numbers of negatives: uniformly without replacement, and by popularity with it."""
    drawn = [Candidates("uniform", m, per=per) for m in negatives]
    return drawn + [Candidates("popularity", m, True, per) for m in negatives]


def evaluate_sampled(
    read: Callable[[Database], RankedItems],
    drawings: Sequence[Candidates],
    measures: Sequence[str],
    *,
    resources: Resources | None = None,
    reporter: Reporter = QUIET,
) -> SampledEvaluation:
    """Evaluate measures among all candidates and among drawn ones.

    read : makes the relation ``places``, see :mod:`metric_harness.evaluation.ranked_items`. drawings : all for each
    item alone, or all for a user's items together; where each user has one, the two are the same. HarnessError for a
    measure that there is not.
    """
    started, resources = time.perf_counter(), resources or Resources()
    per = {drawing.per for drawing in drawings}
    if len(per) != 1:
        raise HarnessError("drawings are all for each item alone, or all for the items of a user together")
    for text in measures:
        measure(text)
    with open_database(resources.work or cache_dir("evaluate"), resources.memory) as database:
        with reporter.task("Reading the ranks"):
            items = read(database)
        together = per == {"user"} and not items.single
        groups = _Together if together else _Alone
        left_out, wanted = {}, []
        for drawing in drawings:
            why = _why_not(drawing, items)
            if why:
                left_out[str(drawing)] = why
            else:
                wanted.append(drawing)
        with reporter.task("Counting what is alike"):
            uniform = groups(database, "above", "pool")
            weighted = groups(database, *WEIGHTS) if any(d.kind == "popularity" for d in wanted) else uniform
        with reporter.task("Computing the expectations"):
            values = uniform.among_all(measures)
            sampled = {
                drawing: (weighted if drawing.kind == "popularity" else uniform).moments(drawing, measures)
                for drawing in wanted
            }
    seconds = time.perf_counter() - started
    return SampledEvaluation(items, values, sampled, left_out, len(uniform.times), seconds)


def _why_not(drawing: Candidates, items: RankedItems) -> str:
    """Why a drawing has no numbers here; empty if it has."""
    if drawing.kind == "popularity" and not items.weighted:
        return "the popularity of items is not known: give --train with --scores, or columns weight_above and weight"
    if not drawing.replacement and drawing.negatives is not None and drawing.negatives > items.pools[0]:
        return f"a user has only {items.pools[0]:,} items that may be drawn"
    return ""


class _Alone:
    """Relevant items that are ranked alone, counted. above, pool, times : shape (distinct rows,)."""

    def __init__(self, database: Database, above: str, pool: str) -> None:
        found = database.arrays(
            f"SELECT {above} AS above, {pool} AS pool, count(*) AS times FROM places GROUP BY ALL ORDER BY ALL"
        )
        self.places, self.times = Places(found["above"], found["pool"]), found["times"]

    def among_all(self, measures: Sequence[str]) -> dict[str, float]:
        """The mean of each measure where the whole pool is ranked."""
        _, values = among_all(self.places, np.arange(len(self.places)), measures)
        return {text: float(self.times @ each / self.times.sum()) for text, each in values.items()}

    def moments(self, drawing: Candidates, measures: Sequence[str]) -> dict[str, Sampled]:
        """Expectation and standard deviation of the mean of each measure."""
        scheme = Candidates(drawing.kind, drawing.negatives, drawing.replacement).scheme()
        found = mean_over_items(scheme, self.places, measures, self.times)
        return {text: Sampled(each.mean, each.variance**0.5) for text, each in found.items()}


class _Together:
    """Users with several relevant items that are ranked together, counted. owner : whose each row is."""

    def __init__(self, database: Database, above: str, pool: str) -> None:
        users = f"SELECT list({above} ORDER BY {above}) AS above, any_value({pool}) AS pool FROM places GROUP BY user"
        query = f"SELECT above, pool, count(*) AS times FROM ({users}) GROUP BY ALL ORDER BY ALL"
        found = pa.Table.from_batches(database.batches(query, BATCH_USERS)).combine_chunks()
        lists, pools = found.column("above").combine_chunks(), found.column("pool").to_numpy()
        self.times, self.sizes = found.column("times").to_numpy(), np.diff(lists.offsets.to_numpy())
        self.owner = np.repeat(np.arange(len(self.times)), self.sizes)
        self.places = Places(lists.flatten().to_numpy(), np.repeat(pools, self.sizes))

    def _batches(self) -> Iterator[tuple[Places, np.ndarray, np.ndarray]]:
        """Places, owners and times of some users at a time."""
        ends = np.concatenate(([0], np.cumsum(self.sizes)))
        for begin in range(0, len(self.times), BATCH_USERS):
            end = min(begin + BATCH_USERS, len(self.times))
            rows = slice(int(ends[begin]), int(ends[end]))
            yield self.places.take(rows), self.owner[rows], self.times[begin:end]

    def among_all(self, measures: Sequence[str]) -> dict[str, float]:
        """The mean over users of each measure where the whole pool is ranked."""
        sums = dict.fromkeys(measures, 0.0)
        for places, owner, times in self._batches():
            for text, values in among_all(places, owner, measures)[1].items():
                sums[text] += float(times @ values)
        return {text: total / float(self.times.sum()) for text, total in sums.items()}

    def moments(self, drawing: Candidates, measures: Sequence[str]) -> dict[str, Sampled]:
        """Expectation and standard deviation of the mean over users of each measure."""
        sums = {text: np.zeros(2) for text in measures}
        for places, owner, times in self._batches():
            for text, each in moments_together(drawing.scheme(), places, owner, measures)[1].items():
                sums[text] += times @ each.mean, times @ each.variance
        users = float(self.times.sum())
        return {text: Sampled(float(a) / users, float(b) ** 0.5 / users) for text, (a, b) in sums.items()}

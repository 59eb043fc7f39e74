"""What metrics would be among drawn negatives, beside their values among all candidates: exact, without a draw.

The engine, DuckDB or Spark, counts the items, or the users, that are alike; the closed forms of the reference are
computed once for each.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from metric_harness.data.database import Database, open_database
from metric_harness.data.datasets import QUIET
from metric_harness.evaluation import relational_plan as plan
from metric_harness.evaluation.ranked_items import WEIGHTS, RankedItems
from metric_harness.evaluation.request import Resources
from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.system.side_by_side import in_threads
from metric_reference.candidates.choice import Candidates
from metric_reference.candidates.measures import measure
from metric_reference.candidates.moments import moments
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
BATCH_ROWS = 1 << 13
"""Distinct items or users that are computed together: few enough for the processor's cache."""


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
    """Evaluate measures among all candidates and among drawn ones, with DuckDB.

    read : makes the relation ``places``, see :mod:`metric_harness.evaluation.ranked_items`. drawings : all for each
    item alone, or all for a user's items together; where each user has one, the two are the same. HarnessError for a
    measure that there is not.
    """
    resources = resources or Resources()
    with open_database(resources.work or cache_dir("evaluate"), resources.memory) as database:

        def sums_of(query: str, kernel: Kernel) -> Iterable[Sums]:
            return in_threads(kernel, database.batches(query, BATCH_ROWS))

        return evaluated(lambda: read(database), sums_of, plan.DUCKDB, drawings, measures, reporter)


def evaluated(
    read: Callable[[], RankedItems],
    sums_of: Callable[[str, Kernel], Iterable[Sums]],
    dialect: plan.Dialect,
    drawings: Sequence[Candidates],
    measures: Sequence[str],
    reporter: Reporter = QUIET,
) -> SampledEvaluation:
    """As :func:`evaluate_sampled`, in an engine that has the relation ``places`` once ``read`` is called.

    sums_of : the results of a function of record batches for all batches of a query.
    """
    started = time.perf_counter()
    per = {drawing.per for drawing in drawings}
    if len(per) != 1:
        raise HarnessError("drawings are all for each item alone, or all for the items of a user together")
    for text in measures:
        measure(text)
    with reporter.task("Reading the ranks"):
        items = read()
    together = per == {"user"} and not items.single
    left_out = {str(drawing): why for drawing in drawings if (why := _why_not(drawing, items))}
    wanted = [drawing for drawing in drawings if str(drawing) not in left_out]
    sampled: dict[Candidates, dict[str, Sampled]] = {drawing: {} for drawing in wanted}
    with reporter.task("Computing the expectations"):
        for columns, kind in ((("above", "pool"), "uniform"), (WEIGHTS, "popularity")):
            drawn = tuple(drawing for drawing in wanted if drawing.kind == kind)
            if not drawn and kind == "popularity":
                continue
            kernel = Kernel(drawn, tuple(measures), together)
            total = Sums.nothing(kernel)
            for part in sums_of(patterns(*columns, together, dialect), kernel):
                total.add(part)
            for drawing, moments_of in zip(drawn, total.moments, strict=True):
                for text, (mean, variance) in zip(measures, moments_of, strict=True):
                    sampled[drawing][text] = Sampled(float(mean) / total.times, float(variance) ** 0.5 / total.times)
            if kind == "uniform":
                among = {
                    text: float(value) / total.times for text, value in zip(measures, total.among_all, strict=True)
                }
                distinct = total.distinct
    return SampledEvaluation(items, among, sampled, left_out, distinct, time.perf_counter() - started)


def patterns(above: str, pool: str, together: bool, dialect: plan.Dialect) -> str:
    """SQL: the items, or the users with the list of their items, that are alike, and how many there are of each.

    Weights hardly repeat and are drawn with replacement, so that their share of the pool is all that counts: shares of
    items are put in order, which takes a third of the time of counting them.
    """
    if together:
        lists = f"{dialect.sorted_list(above)} AS above, max({pool}) AS pool"
        users = f"SELECT {lists} FROM places GROUP BY user"
        return f"SELECT above, pool, count(*) AS times FROM ({users}) AS users GROUP BY 1, 2 ORDER BY 2, 1"
    if (above, pool) == WEIGHTS:
        shares = f"SELECT {above} / {pool} AS above FROM places"
        one = "CAST(1 AS DOUBLE) AS pool, CAST(1 AS BIGINT) AS times"
        return f"SELECT above, {one} FROM ({shares}) AS shares ORDER BY above"
    return f"SELECT {above} AS above, {pool} AS pool, count(*) AS times FROM places GROUP BY 1, 2 ORDER BY 1, 2"


def _why_not(drawing: Candidates, items: RankedItems) -> str:
    """Why a drawing has no numbers here; empty if it has."""
    if drawing.kind == "popularity" and not items.weighted:
        return "the popularity of items is not known: give --train with --scores, or columns weight_above and weight"
    if not drawing.replacement and drawing.negatives is not None and drawing.negatives > items.pools[0]:
        return f"a user has only {items.pools[0]:,} items that may be drawn"
    return ""


@dataclass(eq=False)
class Sums:
    """Sums over items or users. times : their number; distinct : how many rows were computed; among_all : of each
    measure, shape (measures,); moments : expectation and variance, shape (drawings, measures, 2).
    """

    times: int
    distinct: int
    among_all: np.ndarray
    moments: np.ndarray

    @classmethod
    def nothing(cls, kernel: Kernel) -> Sums:
        """The sums over no row."""
        measures = len(kernel.measures)
        return cls(0, 0, np.zeros(measures), np.zeros((len(kernel.drawings), measures, 2)))

    def add(self, other: Sums) -> None:
        """Add the sums over other rows."""
        self.times += other.times
        self.distinct += other.distinct
        self.among_all += other.among_all
        self.moments += other.moments

    def to_text(self) -> str:
        """As JSON, from which :meth:`from_text` makes the same sums."""
        return json.dumps([self.times, self.distinct, self.among_all.tolist(), self.moments.tolist()])

    @classmethod
    def from_text(cls, text: str, kernel: Kernel) -> Sums:
        """The sums of a kernel that were written as text."""
        times, distinct, among, moments_of = json.loads(text)
        shape = (len(kernel.drawings), len(kernel.measures), 2)
        return cls(times, distinct, np.array(among), np.array(moments_of).reshape(shape))


@dataclass(frozen=True)
class Kernel:
    """From a batch of :func:`patterns` to its sums. together : rows are users with a list of items, else items.

    Without drawings by popularity the sums among all candidates are those of whole numbers of items.
    """

    drawings: tuple[Candidates, ...]
    measures: tuple[str, ...]
    together: bool

    def __call__(self, batch: pa.RecordBatch) -> Sums:
        """The sums of one batch."""
        total = Sums.nothing(self)
        above, pool = batch.column("above"), batch.column("pool").to_numpy()
        times = batch.column("times").to_numpy()
        total.times, total.distinct = int(times.sum()), len(times)
        times = times.astype(np.float64)
        owner = np.arange(len(times))
        if self.together:
            sizes = np.diff(above.offsets.to_numpy())
            owner, pool, above = np.repeat(owner, sizes), np.repeat(pool, sizes), above.flatten()
        places = Places(above.to_numpy(), pool)
        if not any(drawing.kind == "popularity" for drawing in self.drawings):
            found = among_all(places, owner, self.measures)[1]
            total.among_all = np.array([(times * found[text]).sum() for text in self.measures])
        for at, drawing in enumerate(self.drawings):
            if self.together:
                each = moments_together(drawing.scheme(), places, owner, self.measures)[1]
            else:
                alone = Candidates(drawing.kind, drawing.negatives, drawing.replacement).scheme()
                each = moments(alone, places, self.measures)
            total.moments[at] = [[(times * part).sum() for part in each[text]] for text in self.measures]
        return total

"""The stacked AUC of candidates in a Spark DataFrame, by a distributed sort; pairs are counted in whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from metric_harness.system.errors import HarnessError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TIES = {"half": 1, "win": 2, "lose": 0}
"""How much a pair of equal scores counts, in halves."""

LARGEST_PRODUCT = 1 << 62


def stacked_auc(candidates: DataFrame, ties: str = "half", partitions: int | None = None) -> float:
    """The share of pairs of a relevant and an irrelevant candidate, over all users, that the scores order correctly.

    candidates : columns score and label (relevant where above 0); a score of -infinity is no candidate.
    ties : a pair of equal scores counts ``half``, ``win`` (1) or ``lose`` (0).

    NaN if there are no pairs. HarnessError if a score is missing or NaN, and for other ``ties``: rows have no order.
    """
    from pyspark.sql import functions as f

    if ties not in TIES:
        raise HarnessError(f"ties {ties!r}: use one of {', '.join(TIES)}")
    score = f.col("score").cast("double")
    invalid = candidates.filter(score.isNull() | f.isnan(score) | f.col("label").isNull()).limit(1).count()
    if invalid:
        raise HarnessError("candidates: a score or label is missing or NaN; give it a number or remove the row")
    relevant = (f.col("label").cast("double") > 0).cast("long")
    counts = (
        candidates.filter(score > float("-inf"))
        .groupBy((score + f.lit(0.0)).alias("score"))
        .agg(f.sum(relevant).alias("relevant"), f.sum(f.lit(1) - relevant).alias("others"))
    )
    partition_count = partitions or int(candidates.sparkSession.conf.get("spark.sql.shuffle.partitions") or 200)
    ordered = counts.repartitionByRange(partition_count, "score").sortWithinPartitions("score")
    rows = ordered.mapInArrow(
        _count_pairs(TIES[ties]), "part int, relevant string, others string, halves string"
    ).collect()
    others_below = relevant_so_far = halves = 0
    for row in sorted(rows, key=lambda row: row["part"]):
        halves += int(row["halves"]) + 2 * int(row["relevant"]) * others_below
        others_below += int(row["others"])
        relevant_so_far += int(row["relevant"])
    pairs = others_below * relevant_so_far
    return float(Fraction(halves, 2 * pairs)) if pairs else float("nan")


def _count_pairs(tie: int):  # type: ignore[no-untyped-def]
    """A function over the batches of one partition, which are sorted by score."""

    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        relevant = others = halves = 0
        for batch in batches:
            more_relevant, more_others = (batch.column(name).to_numpy() for name in ("relevant", "others"))
            below = np.cumsum(more_others) - more_others
            halves += 2 * others * int(more_relevant.sum()) + _dot(more_relevant, 2 * below + tie * more_others)
            relevant, others = relevant + int(more_relevant.sum()), others + int(more_others.sum())
        context = TaskContext.get()
        partition = context.partitionId() if context is not None else 0
        yield pa.record_batch(
            [pa.array([partition], pa.int32()), *(pa.array([str(n)]) for n in (relevant, others, halves))],
            names=["part", "relevant", "others", "halves"],
        )

    return count


def _dot(first: np.ndarray, second: np.ndarray) -> int:
    """The sum of products, exact however large."""
    if int(first.max(initial=0)) * int(second.max(initial=0)) * max(1, len(first)) < LARGEST_PRODUCT:
        return int(first @ second)
    return sum(a * b for a, b in zip(first.tolist(), second.tolist(), strict=True))

"""Evaluation inside Spark: the same relational plan as on DuckDB, and the same kernels on the resulting patterns.

Needs the extra ``spark`` (``pip install "metric-harness[spark]"``) here and metric-harness itself where the executors
run. The session, its master and its memory are the caller's.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from metric_harness.data.datasets import QUIET
from metric_harness.data.files import files_of
from metric_harness.data.interactions import RISING_SCORE, finite_threshold, repeated
from metric_harness.data.overlap import SIDES as LABELS
from metric_harness.data.overlap import Overlap, overlap_of, require_matching
from metric_harness.evaluation import relational_plan as plan
from metric_harness.evaluation.counted_users import gains_of_case
from metric_harness.evaluation.evaluate import (
    EngineResult,
    Evaluation,
    asked_of,
    cuts_of,
    finish,
    needs_scores,
    require_users,
    sort_out,
)
from metric_harness.evaluation.partial_sums import Sums, nothing
from metric_harness.evaluation.request import EvaluationRequest
from metric_harness.evaluation.spark_frames import (
    Relations,
    Tables,
    open_tables,
    smallest_gain,
    sums_of_batches,
    users_of_batches,
)
from metric_harness.evaluation.spark_sort import stacked_auc
from metric_harness.evaluation.user_values import user_schema
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.grades import MOST_GRADES
from metric_reference.metrics.areas.auc import Auc
from metric_reference.variant import Variant

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def evaluate_dataframes(
    recommendations: DataFrame,
    truth: DataFrame,
    variants: Sequence[Variant | str],
    ks: Sequence[int],
    *,
    threshold: float | None = None,
    users: str = "both",
    candidates: DataFrame | None = None,
    partitions: int | None = None,
) -> DataFrame:
    """The value of each variant at each cut-off: a DataFrame with metric, variant, k, value (null if not available).

    recommendations : columns user, item, and score or rank; truth : user, item, and rating if there is one; columns may
    have the same other names as in files. variants : or their printed forms. candidates : columns score and label of
    every candidate of every user, for the stacked AUC, which is computed by a distributed sort. partitions : of the
    patterns of users; spark.sql.shuffle.partitions if None.

    HarnessError as for files.
    """
    request = requested(variants, ks, threshold, users)
    evaluation = evaluate_frames(recommendations, truth, request, candidates=candidates, partitions=partitions)
    rows = [
        (variant.metric.name, str(variant.at(k)), k, evaluation.numbers.get(str(variant.at(k))))
        for variant, k in asked_of(request)
    ]
    return recommendations.sparkSession.createDataFrame(rows, "metric string, variant string, k int, value double")


def values_by_user(
    recommendations: DataFrame,
    truth: DataFrame,
    variants: Sequence[Variant | str],
    ks: Sequence[int],
    *,
    threshold: float | None = None,
    users: str = "both",
    partitions: int | None = None,
) -> DataFrame:
    """Each user's own values: columns user, relevant, listed, and each variant's printed form (NaN: not counted).

    Arguments as for :func:`evaluate_dataframes`. Until the DataFrame is used, only two queries run: for the smallest
    positive rating if no threshold is given, and for the kind of ids that are text.
    """
    job = _Job(recommendations, truth, requested(variants, ks, threshold, users))
    return frame_by_user(job, partitions)


def frame_by_user(job: _Job, partitions: int | None = None) -> DataFrame:
    """Each user's own values, as a DataFrame that is not computed yet."""
    asked, limit = job.summed, job.request.threshold
    schema = user_schema(asked, job.tables.kinds["user"])
    frame, gains = job.relations["users"], job.gains()
    columns = ", ".join(f"`{field.name}` {SPARK_TYPES[str(field.type)]}" for field in schema)
    if partitions is not None:
        frame = frame.repartition(partitions)
    return frame.mapInArrow(users_of_batches(asked, limit, gains, schema), columns)


def requested(
    variants: Sequence[Variant | str], ks: Sequence[int], threshold: float | None, users: str
) -> EvaluationRequest:
    """The request, with printed forms parsed."""
    parsed = [Variant.parse(variant) if isinstance(variant, str) else variant for variant in variants]
    return EvaluationRequest(variants=parsed, ks=ks, threshold=threshold, users=users)


def evaluate_frames(
    recommendations: DataFrame,
    truth: DataFrame,
    request: EvaluationRequest,
    *,
    candidates: DataFrame | None = None,
    partitions: int | None = None,
) -> Evaluation:
    """As :func:`evaluate_dataframes`, but returns an :class:`Evaluation` as for files."""
    started = time.perf_counter()
    job = _Job(recommendations, truth, request)
    job.require_distinct()
    patterns = job.patterns(partitions)
    kernel = sums_of_batches(job.summed, job.request.threshold, job.gains())
    rows = patterns.mapInArrow(kernel, "sums string").collect()
    total = nothing(job.summed)
    for row in rows:
        total.add(Sums.from_text(row["sums"]))
    result = EngineResult(
        sums=total,
        exposures=job.exposures(),
        lists=job.number(plan.LISTS),
        overlap=job.overlap(request.strict),
        labels=LABELS,
        request=job.request,
    )
    job.close()
    evaluation = finish(result, job.asked, job.summed, job.exposed, job.missing)
    if candidates is not None:
        for variant, k in job.asked:
            metric = variant.metric
            if isinstance(metric, Auc) and (metric.scope, metric.negatives) == ("stacked", "exact"):
                name = str(variant.at(k))
                evaluation.not_available.pop(name, None)
                evaluation.numbers[name] = stacked_auc(candidates, metric.ties, partitions)
    evaluation.notes.append(f"Spark, {len(rows)} partitions of users")
    evaluation.seconds = time.perf_counter() - started
    return evaluation


def evaluate_paths(
    recommendations: Path,
    truth: Path,
    request: EvaluationRequest,
    *,
    by_user: Path | None = None,
    reporter: Reporter = QUIET,
) -> Evaluation:
    """Evaluate files, as ``evaluate_files``, in the current Spark session or a new one.

    by_user : a folder to which Spark writes parquet parts.
    """
    spark = session()
    lists, judged = (read(spark, path) for path in (recommendations, truth))
    with reporter.task(f"Evaluating {recommendations} in Spark ({spark.sparkContext.master})"):
        evaluation = evaluate_frames(lists, judged, request)
        if by_user is not None:
            frame = frame_by_user(_Job(lists, judged, request))
            frame.write.mode("overwrite").parquet(str(by_user))
    return evaluation


def session() -> SparkSession:
    """The current Spark session, or a new one with default settings; HarnessError if PySpark is not installed."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise HarnessError('PySpark is not installed; install it with `pip install "metric-harness[spark]"`') from None
    try:
        return SparkSession.builder.appName("metric-harness").getOrCreate()
    except (PySparkException, RuntimeError, OSError) as error:
        raise HarnessError(f"Spark does not start ({error}); it needs Java, and JAVA_HOME that names it") from None


def read(spark: SparkSession, path: Path) -> DataFrame:
    """A table; ids and numbers of text files are read as text."""
    if files_of(path)[0].suffix == ".parquet":
        return spark.read.parquet(str(path))
    delimiter = "\t" if path.suffix.lower() in (".tsv", ".inter") else ","
    return spark.read.csv(str(path), header=True, sep=delimiter)


SPARK_TYPES = {"int64": "long", "double": "double", "string": "string"}


class _Job:
    """One evaluation: the tables, the request, and the relations of the plan, which are not computed yet."""

    def __init__(self, recommendations: DataFrame, truth: DataFrame, asked_for: EvaluationRequest) -> None:
        require_users(asked_for.users)
        self.asked = asked_of(asked_for)
        self.tables: Tables = open_tables(recommendations, truth)
        self.spark = self.tables.recs.sparkSession
        self.summed, self.exposed, self.missing = sort_out(self.asked, {"scores"} if self.tables.has_scores else set())
        limit = (
            smallest_gain(self.tables.truth) if asked_for.threshold is None else finite_threshold(asked_for.threshold)
        )
        self.request = plan.Request(
            limit, asked_for.users, self.tables.by_rank, needs_scores(self.summed), cuts_of(self.exposed)
        )
        self.relations = {
            "recs": self.tables.recs,
            "truth": self.tables.truth,
            "empty_recs": self.tables.empty[0],
            "empty_truth": self.tables.empty[1],
        }
        for name, query in plan.steps(self.request, plan.SPARK):
            self.relations[name] = self.sql(query)

    def sql(self, query: str) -> DataFrame:
        """A query over the relations."""
        return Relations(self.relations).sql(query)

    def number(self, query: str) -> int:
        """The single whole number that a query returns."""
        return int(self.sql(query).collect()[0][0])

    def overlap(self, strict: bool) -> Overlap:
        """How the ids of both tables match; HarnessError if hardly any do and ``strict`` says so."""
        found = overlap_of(lambda query: self.sql(query).collect(), self.tables.conversions)
        require_matching(found.warnings, strict)
        return found

    def patterns(self, partitions: int | None) -> DataFrame:
        """The patterns, repartitioned if asked for, and persisted."""
        frame = self.relations["patterns"]
        self.relations["patterns"] = (frame if partitions is None else frame.repartition(partitions)).persist()
        return self.relations["patterns"]

    def gains(self) -> np.ndarray | None:
        """The distinct gains of the relevant items of all users; None if there are more than ``MOST_GRADES``."""
        rows = self.sql(plan.distinct_gains("patterns", plan.SPARK, MOST_GRADES + 1)).collect()
        return gains_of_case([row[0] for row in rows])

    def exposures(self) -> dict[int, np.ndarray]:
        """For each k, how often each recommended item is in the first k ranks."""
        cuts = self.request.cuts
        if not cuts:
            return {}
        rows = self.sql(plan.exposure(self.request)).collect()
        counts = np.array([tuple(row)[1:] for row in rows], dtype=np.int64).reshape(len(rows), len(cuts))
        return {k: counts[:, column] for column, k in enumerate(cuts)}

    def require_distinct(self) -> None:
        """HarnessError for a repeated pair of user and item, and for ranks that give no order."""
        refuse = Relations(self.relations).refuse
        for name, label in zip(("recs", "truth"), LABELS, strict=True):
            refuse(
                repeated(name),
                label + ": user {} and item {} stand in it twice; keep one row for each user and item",
            )
        if self.tables.by_rank:
            refuse(
                repeated("recs", "rank"),
                "recommendations: user {} has rank {:g} twice; give each item of a list a rank of its own",
            )
        if self.tables.by_rank and self.tables.has_scores:
            refuse(
                RISING_SCORE,
                "recommendations: user {} at rank {:g}: the score is higher than at the rank before, so rank and score "
                "disagree; keep one of the two columns",
            )

    def close(self) -> None:
        """Release the persisted patterns."""
        self.relations["patterns"].unpersist()

"""The same variants inside Spark: users are grouped into partitions, the same code evaluates each, sums are exact.

Needs the extra ``spark`` (``pip install "metric-harness[spark]"``) here and metric-harness itself where the executors
run. The session, its master and its memory are the caller's.
"""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from metric_harness.data.datasets import QUIET
from metric_harness.data.tables import match_columns
from metric_harness.evaluation.evaluate import USERS, Evaluation, asked_of, finish, sort_out
from metric_harness.evaluation.exposure_sums import Exposure
from metric_harness.evaluation.partial_sums import Asked, Sums
from metric_harness.evaluation.spark_frames import (
    cast_ids,
    columns_of,
    kind_in,
    plain_type,
    plan_of,
    smallest_rating,
    spark_schema,
)
from metric_harness.evaluation.spark_sort import stacked_auc
from metric_harness.evaluation.stream_clustered import Outcome
from metric_harness.evaluation.stream_ids import Keyed, union
from metric_harness.evaluation.stream_load import threshold_of
from metric_harness.evaluation.stream_plan import Plan, Tally, user_schema
from metric_harness.evaluation.stream_read import files_of
from metric_harness.evaluation.stream_spill import tally_partition
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.metrics.areas.auc import Auc
from metric_reference.variant import Variant

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SAID = re.compile(r"harness\.errors\.HarnessError: (.*)")


def evaluate_dataframes(
    recommendations: DataFrame, truth: DataFrame, variants: Sequence[Variant | str], ks: Sequence[int], *,
    threshold: float | None = None, users: str = "both", candidates: DataFrame | None = None,
    partitions: int | None = None,
) -> DataFrame:  # fmt: skip
    """The value of each variant at each cut-off: a DataFrame with metric, variant, k, value (null if not available).

    recommendations : columns user, item, and score or rank; truth : user, item, and rating if there is one; other names
    are found as in files. variants : printed forms will do. candidates : columns score and label of every candidate of
    every user, for the stacked AUC, which a distributed sort gives. partitions : of users, each of which must fit the
    memory of one task; spark.sql.shuffle.partitions if None.

    HarnessError as for files.
    """
    parsed = [Variant.parse(one) if isinstance(one, str) else one for one in variants]
    found = evaluate_frames(
        recommendations, truth, parsed, ks, threshold=threshold, users=users, candidates=candidates,
        partitions=partitions,
    )  # fmt: skip
    rows = [
        (variant.metric.name, str(variant.at(k)), k, found.numbers.get(str(variant.at(k))))
        for variant, k in asked_of(parsed, ks)
    ]
    return recommendations.sparkSession.createDataFrame(rows, "metric string, variant string, k int, value double")


def values_by_user(
    recommendations: DataFrame, truth: DataFrame, variants: Sequence[Variant | str], ks: Sequence[int], *,
    threshold: float | None = None, users: str = "both", partitions: int | None = None,
) -> DataFrame:  # fmt: skip
    """Each user's own values: columns user, relevant, listed, and one a printed form (NaN for one who does not count).

    Arguments as for :func:`evaluate_dataframes`. Nothing runs until the DataFrame is used, but for the smallest
    positive rating where no threshold is given, and a look at ids that are text.
    """
    parsed = [Variant.parse(one) if isinstance(one, str) else one for one in variants]
    job = _Job(recommendations, truth, asked_of(parsed, ks), threshold, users, True)
    schema = user_schema(job.plan())
    return job.grouped(partitions).applyInArrow(job.users(), spark_schema(schema))


def evaluate_frames(
    recommendations: DataFrame, truth: DataFrame, variants: Sequence[Variant], ks: Sequence[int], *,
    threshold: float | None = None, users: str = "both", candidates: DataFrame | None = None,
    partitions: int | None = None,
) -> Evaluation:  # fmt: skip
    """As :func:`evaluate_dataframes`, but what comes out is what files give."""
    begun = time.perf_counter()
    asked = asked_of(variants, ks)
    job = _Job(recommendations, truth, asked, threshold, users, False)
    pages = _run(lambda: job.grouped(partitions).applyInArrow(job.sums(), "page binary").collect())
    outcome, rows = Outcome(job.plan()), np.zeros(2, dtype=np.int64)
    outcome.threshold = job.threshold
    for page in pages:
        with np.load(io.BytesIO(page["page"])) as arrays:
            outcome.sums.add(Sums.from_json(json.loads(arrays["sums"].tobytes())))
            outcome.exposures.append(Exposure(arrays["exposed_keys"], arrays["exposed_counts"]))
            outcome.items.append(arrays["items"])
            outcome.lists += int(arrays["lists"][0])
            rows += arrays["rows"]
    found = finish(outcome, asked, job.exposed, job.missing, job.plan(*rows.tolist()))
    for variant, k in asked if candidates is not None else ():
        if isinstance(variant.metric, Auc) and variant.metric.scope == "stacked" and candidates is not None:
            name = str(variant.at(k))
            found.not_available.pop(name, None)
            found.numbers[name] = _run(lambda ties=variant.metric.ties: stacked_auc(candidates, ties, partitions))  # type: ignore[misc]
    found.notes.append(f"Spark, {len(pages)} partitions of users")
    found.seconds = time.perf_counter() - begun
    return found


def evaluate_paths(
    recommendations: Path, truth: Path, variants: Sequence[Variant], ks: Sequence[int], *,
    threshold: float | None = None, users: str = "both", by_user: Path | None = None, reporter: Reporter = QUIET,
) -> Evaluation:  # fmt: skip
    """Files as ``evaluate_files`` takes them, by the Spark session there is, or a new one.

    by_user : a folder, to which Spark writes parquet parts.
    """
    spark = session()
    lists, judged = (_read(spark, path) for path in (recommendations, truth))
    with reporter.task(f"Evaluating {recommendations} in Spark ({spark.sparkContext.master})"):
        found = evaluate_frames(lists, judged, variants, ks, threshold=threshold, users=users)
        if by_user is not None:
            frame = values_by_user(lists, judged, variants, ks, threshold=threshold, users=users)
            _run(lambda: frame.write.mode("overwrite").parquet(str(by_user)))
    return found


def session() -> SparkSession:
    """The Spark session there is, or a new one with the usual settings; HarnessError if PySpark is not installed."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise HarnessError('PySpark is not installed; install it with `pip install "metric-harness[spark]"`') from None
    try:
        return SparkSession.builder.appName("metric-harness").getOrCreate()
    except (PySparkException, RuntimeError, OSError) as error:
        raise HarnessError(f"Spark does not start ({error}); it needs Java, and JAVA_HOME that names it") from None


def _read(spark: SparkSession, path: Path) -> DataFrame:
    if files_of(path)[0].suffix.lower() == ".parquet":
        return spark.read.parquet(str(path))
    delimiter = "\t" if path.suffix.lower() in (".tsv", ".inter") else ","
    return spark.read.csv(str(path), header=True, sep=delimiter)


class _Job:
    """What all partitions need to know; ``plan`` makes the same plan here and on the executors."""

    def __init__(
        self, recommendations: DataFrame, truth: DataFrame, asked: Sequence[Asked], threshold: float | None,
        users: str, by_user: bool,
    ) -> None:  # fmt: skip
        if users not in USERS:
            raise HarnessError(f"users {users!r}: use one of {', '.join(USERS)}")
        self.asked_users, self.by_user = users, by_user
        found = [
            match_columns(name, frame.columns, ("user", "item"), optional)
            for name, frame, optional in (
                ("recommendations", recommendations, ("score", "rank")), ("truth", truth, ("rating",)),
            )
        ]  # fmt: skip
        if not {"rank", "score"} & set(found[0]):
            raise HarnessError(
                "recommendations: no column for the score or the rank, so the order of the lists is unknown; add one"
            )
        self.sums_asked, self.exposed, self.missing = sort_out(asked, {"scores"} if "score" in found[0] else set())
        frames = [
            frame.select(*(frame[frame.columns[place]].alias(role) for role, place in roles.items()))
            for frame, roles in zip((recommendations, truth), found, strict=True)
        ]
        self.kinds = {role: kind_in(frames, role) for role in ("user", "item")}
        self.recommendations, self.truth = (cast_ids(frame, self.kinds) for frame in frames)
        self.roles = tuple(self.recommendations.columns), tuple(self.truth.columns)
        self.given = threshold
        self.threshold = threshold_of(self.plan(), smallest_rating(self.truth))

    def plan(self, listed: int = 0, judged: int = 0) -> Plan:
        """The plan, with the number of rows of the two tables where they are known."""
        return plan_of(
            self.roles, self.kinds, self.sums_asked, self.exposed, self.asked_users, self.given, self.by_user,
            listed, judged,
        )  # fmt: skip

    def grouped(self, partitions: int | None) -> Any:
        """Both tables, all rows of a user in one group."""
        from pyspark.sql import functions as f

        conf = self.recommendations.sparkSession.conf
        number = partitions or int(conf.get("spark.sql.shuffle.partitions") or 200)
        left, right = (
            frame.groupBy(f.pmod(f.xxhash64("user"), f.lit(number)).alias("part"))
            for frame in (self.recommendations, self.truth)
        )
        return left.cogroup(right)

    def sums(self) -> Callable[[pa.Table, pa.Table], pa.Table]:
        """From the rows of some users to their sums, packed."""
        evaluate = self._evaluate()

        def page(left: pa.Table, right: pa.Table) -> pa.Table:
            tally, plan, items = evaluate(left, right)
            text = np.frombuffer(json.dumps(tally.sums.to_json()).encode(), np.uint8)
            target = io.BytesIO()
            rows = np.array([left.num_rows, right.num_rows])
            np.savez(target, **{**tally.arrays(plan), "sums": text, "items": items, "rows": rows})  # type: ignore[arg-type]
            return pa.table({"page": pa.array([target.getvalue()], pa.binary())})

        return page

    def users(self) -> Callable[[pa.Table, pa.Table], pa.Table]:
        """From the rows of some users to their own values."""
        evaluate = self._evaluate()

        def table(left: pa.Table, right: pa.Table) -> pa.Table:
            tally, plan, _ = evaluate(left, right)
            found = tally.table(plan)
            return found.set_column(0, "user", found.column("user").cast(plain_type(found.schema.field(0).type)))

        return table

    def _evaluate(self) -> Callable[[pa.Table, pa.Table], tuple[Tally, Plan, np.ndarray]]:
        roles, kinds, asked, exposed = self.roles, self.kinds, self.sums_asked, self.exposed
        users, given, by_user, threshold = self.asked_users, self.given, self.by_user, self.threshold

        def evaluate(left: pa.Table, right: pa.Table) -> tuple[Tally, Plan, np.ndarray]:
            plan = plan_of(roles, kinds, asked, exposed, users, given, by_user, 0, 0)
            listed, judged = (
                columns_of("recommendations", left, roles[0], kinds),
                columns_of("truth", right, roles[1], kinds),
            )
            names = {
                role: union([one for one in (listed[role].distinct, judged[role].distinct) if one is not None])
                for role in ("user", "item")
            }
            plain = [
                {role: one.keys if isinstance(one, Keyed) else one for role, one in side.items()}
                for side in (listed, judged)
            ]
            plain[1].setdefault("rating", np.ones(right.num_rows))
            tally = tally_partition(plan, plain[0], plain[1], threshold, names["user"], names["item"])
            items = names["item"]
            keys = np.unique(np.concatenate([plain[0]["item"], plain[1]["item"]])) if items is None else items.keys
            return tally, plan, np.stack([keys, keys if items is None else items.checks])

        return evaluate


def _run(action: Callable[[], Any]) -> Any:
    """Run a Spark action; what an executor says of the data becomes the HarnessError that it was."""
    from pyspark.errors import PySparkException

    try:
        return action()
    except PySparkException as error:
        said = SAID.search(str(error))
        if said is None:
            raise
        raise HarnessError(said[1].strip()) from None

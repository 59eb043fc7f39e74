"""Spark takes a row for each user, recommended items in order and relevant items, as an RDD (mllib) or DataFrame (ml).

It returns one number; the users that it is a mean over are not named.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, Callable, List, Tuple

from metric_adapters.shapes import lists_by_user, relevant_by_user
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case


def session(scratch: Path) -> Any:
    """A Spark session on one core whose files stay in the folder ``scratch``; ImportError where there is no Java."""
    home = os.environ.get("JAVA_HOME")
    if not shutil.which("java") and not (home and Path(home, "bin", "java").is_file()):
        raise ImportError("needs Java (17 or later, for Spark 4), which is neither on PATH nor under JAVA_HOME")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.pop("SPARK_HOME", None)  # a Spark installed elsewhere is another version
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]")
    for name, value in (
        ("spark.driver.memory", "2g"),
        ("spark.driver.host", "localhost"),
        ("spark.driver.bindAddress", "127.0.0.1"),
        ("spark.ui.enabled", "false"),
        ("spark.ui.showConsoleProgress", "false"),
        ("spark.sql.shuffle.partitions", "1"),
        ("spark.local.dir", str(scratch)),
        ("spark.sql.warehouse.dir", str(scratch / "warehouse")),
        ("spark.driver.extraJavaOptions", f"-Djava.io.tmpdir={scratch}"),
    ):
        builder = builder.config(name, value)
    return builder.getOrCreate()


FOLDER = tempfile.TemporaryDirectory(dir=os.getcwd())  # the worker's own folder, which is removed even if it is killed
SPARK = session(Path(FOLDER.name))

from pyspark.ml.evaluation import RankingEvaluator  # noqa: E402
from pyspark.mllib.evaluation import RankingMetrics  # noqa: E402

SPARK.sparkContext.setLogLevel("ERROR")
SCHEMA = "prediction array<double>, label array<double>"


def version() -> str:
    return version_of("pyspark")


def rows(case: Case) -> List[Tuple[List[float], List[float]]]:
    lists, relevant = lists_by_user(case), relevant_by_user(case)
    return [([float(item) for item in lists[user]], [float(item) for item in relevant[user]]) for user in lists]


def graded_rows(case: Case) -> List[Tuple[List[float], List[float], List[float]]]:
    """The same with the gain of each relevant item in its place."""
    out = []
    for user, (listed, relevant) in enumerate(rows(case)):
        part = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        out.append((listed, relevant, case.judged_gains[part][case.relevant[part]].tolist()))
    return out


def of_rdd(name: str, cut: bool = True, rows: Callable[[Case], List[Any]] = rows) -> Callable[[Case, int], Answer]:
    """Ask a method of RankingMetrics, a property where it takes no k."""

    def ask(case: Case, k: int) -> Answer:
        measured = getattr(RankingMetrics(SPARK.sparkContext.parallelize(rows(case), 1)), name)
        return Answer(measured(k) if cut else measured)

    return ask


def of_frame(name: str) -> Callable[[Case, int], Answer]:
    def ask(case: Case, k: int) -> Answer:
        return Answer(RankingEvaluator(metricName=name, k=k).evaluate(SPARK.createDataFrame(rows(case), SCHEMA)))

    return ask


NAMES = ("precisionAt", "recallAt", "meanAveragePrecisionAt", "ndcgAt")
SUBJECTS = {f"RankingMetrics.{name}": Subject(of_rdd(name), getattr(RankingMetrics, name)) for name in NAMES}
SUBJECTS["RankingMetrics.meanAveragePrecision"] = Subject(of_rdd("meanAveragePrecision", cut=False), RankingMetrics)
SUBJECTS["RankingMetrics.ndcgAt[relevance]"] = Subject(of_rdd("ndcgAt", rows=graded_rows), RankingMetrics.ndcgAt)
SUBJECTS.update(
    {
        f"RankingEvaluator[{name}]": Subject(of_frame(name), RankingEvaluator)
        for name in ("meanAveragePrecisionAtK", "ndcgAtK")
    }
)

"""RePlay of 2021 takes two long frames, ranked (user_id, item_id, relevance) and relevant, and computes on Spark.

It sorts by relevance and takes an item of a list once. A user without relevant items has no rows: it knows of no such
user.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

import numpy as np

from metric_adapters import checkout
from metric_adapters.shapes import frame, recommended_pairs, relevant_pairs
from metric_adapters.subject import Answer, Subject
from metric_reference.case import Case

from .names import NAMES

RANKED = ("user_id", "item_id", "relevance")
RELEVANT = ("user_id", "item_id")
METADATA = "Metadata-Version: 2.1\nName: replay\nVersion: 0.4.0\n"


def find_java() -> None:
    """Raise ImportError where there is no Java for Spark to run on."""
    home = os.environ.get("JAVA_HOME")
    if not shutil.which("java") and not (home and Path(home, "bin", "java").is_file()):
        raise ImportError("needs Java (8, 11 or 17, for Spark 3.5), which is neither on PATH nor under JAVA_HOME")


def prepare(scratch: Path) -> None:
    """Let this process and those that Spark starts import the library, which asks for its own metadata."""
    metadata = scratch / "installed" / "replay-0.4.0.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text(METADATA, encoding="utf-8")
    checkout.on_path()
    sys.path.insert(1, str(metadata.parent.parent))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(checkout.source()), str(metadata.parent.parent)])
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.pop("SPARK_HOME", None)  # a Spark installed elsewhere is another version


def session(scratch: Path) -> Any:
    """A Spark session on one core, so that it takes rows in their order; its files stay in the folder ``scratch``."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.memory": "2g", "spark.driver.host": "localhost", "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "1",
        "spark.local.dir": str(scratch), "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.driver.extraJavaOptions": f"-Djava.io.tmpdir={scratch}",
    }  # fmt: skip
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


find_java()
FOLDER = tempfile.TemporaryDirectory(dir=os.getcwd())  # the worker's own folder, which is removed even if it is killed
prepare(Path(FOLDER.name))

from replay import metrics  # noqa: E402
from replay.metrics.base_metric import get_enriched_recommendations  # noqa: E402
from replay.session_handler import State  # noqa: E402

State(session(Path(FOLDER.name)))
ONE = np.ones(1, dtype=np.int64)
# Spark's first job takes many seconds, and one that cannot work must fail here: then the release cannot run.
metrics.HitRate()(frame(RANKED, ONE, ONE, np.ones(1)), frame(RELEVANT, ONE, ONE), 1)


def version() -> str:
    return checkout.version()


def asking(metric: Any) -> Callable[[Case, int], Answer]:
    """Ask a metric for its mean and, as its ``user_distribution`` does, for the values that it is the mean of."""

    def ask(case: Case, k: int) -> Answer:
        users, items, _ = relevant_pairs(case)
        ranked, relevant = frame(RANKED, *recommended_pairs(case)), frame(RELEVANT, users, items)
        joined = get_enriched_recommendations(ranked, relevant)
        rows = metric()._get_metric_distribution(joined, k).collect()
        return Answer(
            value=metric()(ranked, relevant, k),
            users=np.array([row["user_id"] for row in rows], dtype=np.int64),
            values=np.array([row["cum_agg"] for row in rows], dtype=np.float64),
        )

    return ask


SUBJECTS = {name: Subject(asking(getattr(metrics, name)), getattr(metrics, name)) for name in NAMES}

"""What the scripts of this folder read and write, in the environment of their library."""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from metric_adapters.case_files import load_case
from metric_reference.case import Case

FOLDER = Path(sys.argv[1])
PRINTED = sys.stdout
sys.stdout = sys.stderr  # what the library prints is no part of the answer
Answers = dict[str, dict[str, Any]]
FEW = ("graded_users", "short_list", "no_relevant", "no_list", "ties_descending", "spread", "short_lists")
"""The cases that Spark is asked about: it takes a second for each."""


def cases() -> Iterator[tuple[str, int, Case]]:
    """Each case with its name and cut-off."""
    for name, k in json.loads((FOLDER / "cases.json").read_text(encoding="utf-8")).items():
        yield name, k, load_case(FOLDER / name)


def number(ask: Callable[[], Any]) -> float | str:
    """What is returned, or the name of the exception."""
    try:
        value = float(ask())
    except Exception as error:  # an exception is an answer
        return type(error).__name__
    return "nan" if math.isnan(value) else value


def report(answers: Answers) -> None:
    """Print the answers, by function and case."""
    print(json.dumps(answers), file=PRINTED)


def session() -> Any:
    """A Spark session on one core, whose files stay in a folder of its own."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.pop("SPARK_HOME", None)
    from pyspark.sql import SparkSession

    scratch = tempfile.mkdtemp(dir=FOLDER)
    builder = SparkSession.builder.master("local[1]")
    for name, value in (
        ("spark.driver.host", "localhost"),
        ("spark.driver.bindAddress", "127.0.0.1"),
        ("spark.ui.enabled", "false"),
        ("spark.ui.showConsoleProgress", "false"),
        ("spark.sql.shuffle.partitions", "1"),
        ("spark.local.dir", scratch),
        ("spark.sql.warehouse.dir", f"{scratch}/warehouse"),
        ("spark.driver.extraJavaOptions", f"-Djava.io.tmpdir={scratch}"),
        ("spark.sql.crossJoin.enabled", "true"),
    ):
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made

"""``evaluate`` beside a bare scan of the same files: ``python -m tests.benchmarks.evaluate --rows 10_000_000``.

Seeded recommendations (lists of 20 by score) and ratings are written as parquet; then pyarrow reads all their columns
and does nothing with them, and ``evaluate_files`` evaluates, each in a process of its own, by turns; with ``--spark``
Spark on this machine does so too, its start not counted, and with ``--old`` the engine before DuckDB. With
``--shuffled`` the rows stand in any order. Prints a table and writes JSON: seconds, processor seconds, rows a second,
peak memory, and the ratios to the scan of the same turn. Files stand in the system's memory where it has room; with
``--cold`` they are put out of it before each. ``--table`` measures whole numbers and UUIDs, in order and shuffled, by
every way that runs here, and prints one table of medians.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table

from tests.benchmarks import old_engine
from tests.benchmarks.ease import most
from tests.benchmarks.evaluate_files import generate
from tests.benchmarks.tree import processor_of, run

SIX = "hit_rate,precision,recall,reciprocal_rank,average_precision,ndcg"
MEMORY = 4 * 2**30
"""The goal: below 4 GiB."""
WAYS = ("scan", "evaluate", "old", "spark")
TITLES = {"int": "whole numbers", "uuid": "UUIDs"}


def scan(folder: Path) -> int:
    """Read every column of both files with pyarrow; returns the number of rows."""
    rows = 0
    for name in ("recs", "truth"):
        with pq.ParquetFile(folder / f"{name}.parquet") as file:
            rows += sum(batch.num_rows for batch in file.iter_batches(1 << 20))
    return rows


def evaluated(folder: Path, variants: str, k: int, memory: float) -> int:
    """Evaluate; returns the number of rows."""

    from metric_harness.cli.evaluate import parse_variants
    from metric_harness.evaluation.evaluate import evaluate_files
    from metric_harness.evaluation.request import EvaluationRequest, Resources

    asked = parse_variants(None if variants == "all" else SIX)
    found = evaluate_files(
        folder / "recs.parquet",
        folder / "truth.parquet",
        EvaluationRequest(variants=asked, ks=[k]),
        resources=Resources(memory=int(memory * 2**30), work=folder / "work"),
    )
    return found.rows


def in_spark(folder: Path, variants: str, k: int, memory: float) -> Callable[[], int]:
    """The same with Spark on all cores of this machine, whose session is started here; returns the number of rows."""
    from pyspark.sql import SparkSession

    from metric_harness.cli.evaluate import parse_variants
    from metric_harness.evaluation.request import EvaluationRequest
    from metric_harness.evaluation.spark import evaluate_frames

    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false")
        .config("spark.driver.memory", f"{int(1024 * memory)}m").config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    )  # fmt: skip
    spark.sparkContext.setLogLevel("ERROR")
    asked = parse_variants(None if variants == "all" else SIX)

    def evaluate() -> int:
        lists, truth = (spark.read.parquet(str(folder / f"{name}.parquet")) for name in ("recs", "truth"))
        return evaluate_frames(lists, truth, EvaluationRequest(variants=asked, ks=[k])).rows

    return evaluate


def measured(work: str, folder: Path, variants: str, k: int, memory: float) -> dict[str, Any]:
    """One of the ways in this process; of Spark the processor's seconds of all its processes."""
    import metric_harness.cli.evaluate
    import metric_harness.evaluation.evaluate  # noqa: F401 - to load the code is nobody's time

    ways = {
        "scan": lambda: partial(scan, folder),
        "evaluate": lambda: partial(evaluated, folder, variants, k, memory),
        "old": lambda: partial(old_engine.evaluated, folder, None if variants == "all" else SIX, k, memory),
        "spark": lambda: in_spark(folder, variants, k, memory),
    }
    way = ways[work]()
    begun, processor = time.perf_counter(), processor_of(os.getpid())
    rows = way()
    seconds, processor = time.perf_counter() - begun, processor_of(os.getpid()) - processor
    return {"rows": rows, "seconds": seconds, "processor": processor, "peak": most()}


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.benchmarks.evaluate", description=__doc__)
    options.add_argument("--rows", type=int, default=10_000_000, help="recommendation rows")
    options.add_argument("--folder", type=Path, help="keep the files here; a temporary folder if not given")
    options.add_argument("--ids", choices=("int", "uuid"), default="int")
    options.add_argument("--shuffled", action="store_true", help="rows in any order instead of list by list")
    options.add_argument("--variants", choices=("six", "all"), default="all", help="six usual ones, or the catalogue")
    options.add_argument("--k", type=int, default=10)
    options.add_argument("--memory", type=float, default=2.0, help="GiB for the buffers of evaluate")
    options.add_argument("--turns", type=int, default=3)
    options.add_argument("--spark", action="store_true", help="Spark as well")
    options.add_argument("--old", action="store_true", help="the engine before DuckDB as well, out of this git clone")
    options.add_argument("--table", action="store_true", help="four inputs by all that run here, as one table")
    options.add_argument("--cold", action="store_true", help="put the files out of the system's memory before each")
    options.add_argument("--out", type=Path, help="write the numbers here, as JSON")
    options.add_argument("--only", choices=WAYS, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.only:
        print(json.dumps(measured(given.only, given.folder, given.variants, given.k, given.memory)))
        return
    how: dict[str, Any] = {
        "variants": given.variants, "k": given.k, "memory": given.memory, "turns": given.turns, "cold": given.cold,
    }  # fmt: skip
    if given.table:
        inputs = [(ids, shuffled) for ids in TITLES for shuffled in (False, True)]
        spark = find_spec("pyspark") is not None
        results = [measure(given.rows, ids, shuffled=mixed, spark=spark, old=True, **how) for ids, mixed in inputs]
        print("\n".join(as_markdown(results)))
    else:
        results = [
            measure(
                given.rows, given.ids, spark=given.spark, old=given.old, folder=given.folder, shuffled=given.shuffled,
                **how,
            )
        ]  # fmt: skip
        show(results[0])
    if given.out:
        page = results if given.table else results[0]
        given.out.write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")


def as_markdown(results: list[dict[str, Any]]) -> list[str]:
    """A row for each input: of each way the median of the clock's and the processor's seconds, and the highest peak."""
    ways = list(results[0]["turns"][0])
    heads = [f"{way}, {what}" for what in ("s", "processor s", "peak GiB") for way in ways]
    lines = [f"| {' | '.join(['rows of recommendations', *heads])} |", f"| --- |{' ---: |' * len(heads)}"]
    for result in results:
        order = "in any order" if result["shuffled"] else "in order"
        cells = [f"{result['rows']:,}, {TITLES[result['ids']]}, {order}"]
        for name, best in (("seconds", statistics.median), ("processor", statistics.median), ("peak", max)):
            of_ways = [best(turn[way][name] for turn in result["turns"]) for way in ways]
            cells += [f"{value / 2**30:.1f}" if name == "peak" else f"{value:.1f}" for value in of_ways]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def measure(
    rows: int, ids: str, variants: str = "all", k: int = 10, memory: float = 2.0, turns: int = 3, spark: bool = False,
    cold: bool = False, folder: Path | None = None, shuffled: bool = False, old: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """All of them by turns, on files in a folder that are made if they are not there."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "truth.parquet").exists():
            generate(folder, rows, ids, shuffled)
        sizes = {name: (folder / f"{name}.parquet").stat().st_size for name in ("recs", "truth")}
        words = ["--folder", folder, "--variants", variants, "--k", k, "--memory", memory]
        ways = [way for way in WAYS if {"spark": spark, "old": old}.get(way, True)]
        if old:
            old_engine.check_out(folder)
        found = [{work: child(work, words, folder, cold) for work in ways} for _ in range(turns)]
    return {
        "machine": {"processor": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version(),
                    "numpy": version("numpy"), "pyarrow": version("pyarrow")},
        "rows": rows, "ids": ids, "variants": variants, "k": k, "memory": memory, "cold": cold, "shuffled": shuffled,
        "bytes": sizes, "turns": found, **summary(found),
    }  # fmt: skip


def child(work: str, words: list[Any], folder: Path, cold: bool) -> dict[str, Any]:
    """One of them in a process of its own; of Spark the memory of all its processes together."""
    if cold:
        os.sync()
        for name in ("recs", "truth"):
            with (folder / f"{name}.parquet").open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    command = [sys.executable, "-m", "tests.benchmarks.evaluate", "--only", work, *map(str, words)]
    log = folder / f"{work}.log"
    environment = old_engine.environment(folder / "old") if work == "old" else None
    peak = run(command, log, Path(__file__).parents[2], environment).peak
    found = json.loads(log.read_text(encoding="utf-8").splitlines()[-1])
    return {**found, "load": round(os.getloadavg()[0], 2)} | ({"peak": peak} if work == "spark" else {})


def summary(turns: list[dict[str, Any]]) -> dict[str, Any]:
    """The ratios of the turns, and whether the goal is met."""
    ratios = {
        name: [turn["evaluate"][name] / turn["scan"][name] for turn in turns] for name in ("seconds", "processor")
    }
    if "spark" in turns[0]:
        ratios["spark"] = [turn["spark"]["seconds"] / turn["evaluate"]["seconds"] for turn in turns]
    peak = max(turn["evaluate"]["peak"] for turn in turns)
    return {
        "ratios": ratios,
        "goals": {"memory": peak <= MEMORY},
    }


def show(result: dict[str, Any]) -> None:
    title = f"{result['rows']:,} recommendations, ids {result['ids']}, {result['variants']} variants, k = {result['k']}"
    title += ", files not in memory" if result["cold"] else ""
    table = Table("turn", "what", "seconds", "processor", "rows a second", "peak MB", "times scan", "load", title=title)
    for number, turn in enumerate(result["turns"]):
        for work, found in turn.items():
            times = f"{found['seconds'] / turn['scan']['seconds']:.2f}" if work != "scan" else ""
            table.add_row(
                str(number + 1), work, f"{found['seconds']:.2f}", f"{found['processor']:.2f}",
                f"{found['rows'] / found['seconds']:,.0f}", f"{found['peak'] / 1e6:.0f}", times, f"{found['load']:.1f}",
            )  # fmt: skip
    console = Console()
    console = console if console.is_terminal else Console(width=120)
    console.print(table)
    for goal, met in result["goals"].items():
        console.print(f"{goal}: {'met' if met else 'not met'}")


if __name__ == "__main__":
    main()

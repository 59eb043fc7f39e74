"""Where the time goes at the size of MovieLens-20M: ``python -m tests.benchmarks.scale --ratings FOLDER --out OUT``.

FOLDER is from :mod:`tests.benchmarks.ml20m` (made if it is not there). The comparison of all libraries from PyPI runs
into ``OUT/compare``, or the one that is there is taken; then reading, matching, all variants, identification, EASE and
``evaluate`` on files, here and in Spark, are timed beside a peer or a bound, and how they grow. Prints tables; writes
``OUT/scale.json`` and ``scale.svg``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from metric_harness.bundles.build import load_bundle
from metric_harness.bundles.user_sample import case_of
from metric_harness.data.datasets import read_ratings
from metric_harness.data.split import PAPER, split
from metric_harness.libraries.describe import find_libraries
from metric_harness.naming.identify import ProbeAnswer, identify
from metric_reference.case import Case
from metric_reference.catalogue import ranking_variants
from metric_reference.edges import STANDARD
from metric_reference.evaluate import evaluate
from metric_reference.matching import match
from metric_reference.variant import Variant
from metric_reports.record import from_json_number, read_record
from tests.benchmarks import ml20m
from tests.benchmarks.beside_a_scan import measure as measure_evaluate
from tests.benchmarks.cases import USERS, list_case
from tests.benchmarks.ease import measure as measure_ease
from tests.benchmarks.measure import exponent, seconds_of
from tests.benchmarks.scale_report import plot, show
from tests.benchmarks.tree import run

ROOT = Path(__file__).parents[2]
PER = 100_000


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.benchmarks.scale", description=__doc__)
    options.add_argument("--ratings", type=Path, required=True, help="folder of generated ratings")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--ease-items", default="2000,4000,8000", help="sizes of EASE")
    options.add_argument("--rows", type=int, default=10_000_000, help="recommendation rows for evaluate")
    options.add_argument("--users", type=int, default=USERS, help="users of the lists that are matched and evaluated")
    options.add_argument("--repeats", type=int, default=3)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    if not (given.ratings / "ratings.csv").exists():
        ml20m.write(ml20m.make(ml20m.Shape()), given.ratings)
    result: dict[str, Any] = {
        "machine": {
            "processor": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "scipy", "pyarrow")},
        },
        "load_before": os.getloadavg()[0],
        "comparison": comparison(given.ratings, given.out),
        "reading": reading(given.ratings, given.repeats),
        **reference(given.users, given.repeats),
        "ease": [
            measure_ease(items, given.repeats, ("float64", "float32"), True)
            for items in map(int, given.ease_items.split(","))
        ],
    }  # fmt: skip
    result["evaluate"] = [
        measure_evaluate(given.rows, ids, spark=shutil.which("java") is not None, turns=given.repeats)
        for ids in ("int", "uuid")
    ]
    result["growth"] |= {
        f"EASE ({name}), items": {
            "sizes": [each["items"] for each in result["ease"]],
            "seconds": [min(r["seconds"] for r in each["runs"]["float64"][part]) for each in result["ease"]],
        }
        for name, part in (("whole", "fit"), ("LAPACK", "lapack"))
    }
    for series in result["growth"].values():
        if "sizes" in series:
            series["exponent"] = exponent(series["sizes"], series["seconds"])
    result["load_after"] = os.getloadavg()[0]
    (given.out / "scale.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    plot(result, given.out / "scale.svg")
    show(result)


def comparison(ratings: Path, out: Path) -> dict[str, Any]:
    """The comparison with all libraries from PyPI: its seconds, its memory, and each library beside the reference."""
    folder, measured = out / "compare", out / "compare.json"
    if not measured.exists():
        names = [key for key, library in find_libraries([]).items() if not library.newest().commit]
        command = [sys.executable, "-m", "metric_harness", "compare", "--ratings", str(ratings.absolute())]
        command += ["--libraries", ",".join(names), "--out", str(folder.absolute())]
        measured.write_text(json.dumps(asdict(run(command, out / "compare.log", ROOT))), encoding="utf-8")
    record = read_record(folder / "run.json")
    bundle = load_bundle(folder / "bundle")
    found = {**json.loads(measured.read_text(encoding="utf-8")), "asking": record["seconds"]}
    found |= {"users": bundle.case.users, "items": bundle.case.n_items, "libraries": {}}
    found["sample"] = None if bundle.sample is None else len(bundle.sample.users)
    found["status"] = dict(zip(*np.unique([c["status"] for c in record["cells"]], return_counts=True), strict=True))
    found["status"] = {str(name): int(count) for name, count in found["status"].items()}
    cells: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for cell in record["cells"]:
        if cell["seconds"] is not None:
            cells[cell["library"]].append(cell)
    for library, theirs in cells.items():
        kinds = {"lists": [c for c in theirs if "asked" not in c], "auc": [c for c in theirs if "asked" in c]}
        found["libraries"][library] = {
            kind: beside(asked, bundle.case if kind == "lists" or bundle.sample is None else bundle.sample.case)
            for kind, asked in kinds.items()
            if asked
        }
    found["identification"] = identification(record, folder / "answers" / "answers.jsonl")
    return found


def beside(cells: list[dict[str, Any]], case: Case) -> dict[str, Any]:
    """Seconds for 100,000 users of some functions of a library, and of the reference for the same definitions."""
    seconds = sum(cell["seconds"] for cell in cells)
    variants = [Variant.parse(cell["variant"]) for cell in cells if cell["variant"] is not None]
    named = sum(cell["seconds"] for cell in cells if cell["variant"] is not None)
    out = {"functions": len(cells), "users": case.users, "per_100k": seconds / case.users * PER}
    if variants:
        k = cells[0]["k"]
        ours = min(seconds_of(lambda: evaluate(case, variants, [k], STANDARD), 3))
        out |= {"reference_per_100k": ours / case.users * PER, "times_reference": named / ours}
    return out


def identification(record: dict[str, Any], answers: Path) -> dict[str, Any]:
    """Seconds to name the variants of all subjects from their answers, beside those that the answers took."""
    subjects = [subject for subject in record["subjects"] if subject["answers"]]
    by_subject = [
        {a["probe"]: ProbeAnswer(from_json_number(a["value"]), a["error"]) for a in subject["answers"]}
        for subject in subjects
    ]
    begun = time.perf_counter()
    for subject, given in zip(subjects, by_subject, strict=True):
        identify(subject["metric"], given)
    seconds = time.perf_counter() - begun
    lines = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    asked = sum(line["seconds"] or 0.0 for line in lines) - sum(cell["seconds"] or 0.0 for cell in record["cells"])
    return {"subjects": len(subjects), "seconds": seconds, "answers": asked, "times_answers": seconds / asked}


def reading(folder: Path, repeats: int) -> dict[str, Any]:
    """Seconds to read the ratings with all checks, beside pyarrow alone and the bare bytes, by turns; and to split."""
    path = folder / "ratings.csv"
    types = {"userId": pa.int32(), "movieId": pa.int32(), "rating": pa.float64(), "timestamp": pa.int64()}
    convert = pa.csv.ConvertOptions(column_types=types)
    ways: dict[str, Callable[[], Any]] = {
        "bytes": lambda: drain(path),
        "pyarrow": lambda: pa.csv.read_csv(path, convert_options=convert),
        "read_ratings": lambda: read_ratings(folder),
    }
    seconds = {name: [] for name in ways}  # type: dict[str, list[float]]
    for _ in range(repeats):
        for name, way in ways.items():
            seconds[name] += seconds_of(way, 1)
    frame = read_ratings(folder).frame
    best = {name: min(each) for name, each in seconds.items()}
    return {
        "bytes": path.stat().st_size, "rows": len(frame), "seconds": best,
        "split": min(seconds_of(lambda: split(frame, PAPER), repeats)),
        "times_pyarrow": best["read_ratings"] / best["pyarrow"], "times_bytes": best["read_ratings"] / best["bytes"],
    }  # fmt: skip


def drain(path: Path) -> None:
    with path.open("rb", buffering=0) as file:
        while file.read(1 << 22):
            pass


def reference(users: int, repeats: int) -> dict[str, Any]:
    """Matching and all ranking variants on lists of 20, beside a copy of the lists in memory; and how both grow."""
    case, variants = list_case(users), ranking_variants()
    arrays = [case.recommended, case.judged_indptr, case.judged_items, case.judged_gains]
    copy = min(seconds_of(lambda: [array.copy() for array in arrays], repeats))
    matching = min(seconds_of(lambda: match(case), repeats))
    together = min(seconds_of(lambda: evaluate(case, variants, [case.width]), repeats))
    sizes = [users // 8, users // 4, users // 2, users]
    parts = [case_of(case, np.arange(size)) for size in sizes]
    lists = [list_case(users // 8, listed=k) for k in (10, 20, 40, 80)]
    items = [list_case(users // 8, items=n) for n in (3_000, 10_000, 30_000, 100_000)]

    def series(sizes: list[int], cases: list[Case]) -> dict[str, Any]:
        seconds = [min(seconds_of(lambda c=c: evaluate(c, variants, [c.width]), repeats)) for c in cases]  # type: ignore[misc]
        return {"sizes": sizes, "seconds": seconds}

    return {
        "variants": {
            "users": users, "variants": len(variants), "copy": copy, "matching": matching, "together": together,
            "matching_times_copy": matching / copy, "together_times_matching": together / matching,
            "per_100k": together / users * PER,
        },
        "growth": {
            "all variants, users": series(sizes, parts),
            "all variants, k": series([10, 20, 40, 80], lists),
            "all variants, items": series([3_000, 10_000, 30_000, 100_000], items),
        },
    }  # fmt: skip


if __name__ == "__main__":
    main()

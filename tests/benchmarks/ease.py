"""EASE beside the bare LAPACK calls on the same matrix: ``python -m tests.benchmarks.ease --items 8000``.

The matrix has the shape of MovieLens-20M scaled to so many items, and of its ratings those that the paper's protocol
keeps, 4.5 and more: 5 users and 166 interactions an item. Each fit runs in a process of its own, by turns with potrf
and potri alone on the Gram matrix that it makes: seconds on the clock and of the processor, and memory beside what was
loaded, as a multiple of one items x items matrix of the same precision. Then the error of float32: how far weights and
scores are from those of float64, and how much of the lists of 20 stays the same.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import scipy.sparse as sp
from rich.console import Console
from scipy.linalg import get_lapack_funcs

from metric_harness.models.ease import SINGLE_DECIMALS, _fill_lower_gram, fit_ease, rank, scoring
from tests.benchmarks.ml20m import Shape, make
from tests.benchmarks.report import columns

LAMBDA, LISTED, SCORED = 0.5, 20, 1_000
TIMES, MEMORY = 1.3, 2.2
"""The goal: within so many times the LAPACK calls, and so many matrices."""
PRECISIONS = ("float64", "float32")


def matrix_of(items: int) -> sp.csr_array:
    """Ratings of 4.5 and more of so many items, as the paper's protocol has them: shape (users, items), all 1."""
    whole = Shape()
    made = make(Shape(items * whole.users // whole.items, items, items * whole.ratings // whole.items))
    users, liked = int(made.user.max()) + 1, made.rating >= 9
    entries = np.ones(int(liked.sum())), (made.user[liked], made.item[liked])
    return sp.csr_array(entries, shape=(users, items))


def fit(matrix: sp.csr_array, precision: str) -> dict[str, Any]:
    """Seconds and memory of a fit, then of the lists of ``SCORED`` users."""
    before = held()
    begun, used = time.perf_counter(), time.process_time()
    weights = fit_ease(matrix, LAMBDA, np.dtype(precision))
    seconds, processor = time.perf_counter() - begun, time.process_time() - used
    peak = most()
    users = np.arange(min(SCORED, matrix.shape[0]))
    begun = time.perf_counter()
    rank(matrix, scoring(weights), users, LISTED)
    return {
        "seconds": seconds, "processor": processor, "matrices": (peak - before) / weights.nbytes, "peak": peak,
        "scoring": (time.perf_counter() - begun) / len(users), "scoring_memory": max(0, most() - peak),
    }  # fmt: skip


def lapack(matrix: sp.csr_array, precision: str) -> dict[str, Any]:
    """Seconds of potrf and potri alone, on the matrix that the fit inverts."""
    gram = np.zeros((matrix.shape[1],) * 2, dtype=precision, order="F")
    _fill_lower_gram(matrix, gram)
    gram[np.diag_indices(len(gram))] += LAMBDA
    factorise, invert = get_lapack_funcs(("potrf", "potri"), (gram,))
    begun, used = time.perf_counter(), time.process_time()
    gram, failed = factorise(gram, lower=1, clean=0, overwrite_a=1)
    gram, failed_too = invert(gram, lower=1, overwrite_c=1)
    if failed or failed_too:
        raise RuntimeError(f"LAPACK info {failed}, {failed_too}")
    return {"seconds": time.perf_counter() - begun, "processor": time.process_time() - used}


def error(matrix: sp.csr_array, precision: str) -> dict[str, Any]:
    """How far float32 is from float64: weights, scores of candidates, lists."""
    users = np.arange(min(SCORED, matrix.shape[0]))
    exact = fit_ease(matrix, LAMBDA)
    items, _, scores = rank(matrix, scoring(exact), users, LISTED, full_scores=True)
    single = fit_ease(matrix, LAMBDA, np.float32)
    weights = {"largest": 0.0, "squares": 0.0}
    for low in range(0, len(exact), 1024):  # a difference of the whole would be one more matrix
        gap = single[low : low + 1024] - exact[low : low + 1024]
        weights["largest"] = max(weights["largest"], float(np.abs(gap).max()))
        weights["squares"] += float((gap**2).sum())
    their_items, _, theirs = rank(matrix, scoring(single), users, LISTED, True, decimals=SINGLE_DECIMALS)
    candidate = np.isfinite(scores)
    gaps = np.abs(theirs[candidate] - scores[candidate])
    shared = [
        len(np.intersect1d(a[a >= 0], b[b >= 0])) / (a >= 0).sum() for a, b in zip(items, their_items, strict=True)
    ]
    return {
        "weights_largest": weights["largest"],
        "weights_relative": float(np.sqrt(weights["squares"]) / np.linalg.norm(exact)),
        "scores_largest": float(gaps.max()), "scores_mean": float(gaps.mean()),
        "score_range": float(np.ptp(scores[candidate])),
        "lists_same_order": float((items == their_items).all(axis=1).mean()), "lists_shared": float(np.mean(shared)),
    }  # fmt: skip


PARTS = {"fit": fit, "lapack": lapack, "error": error}


def held() -> int:
    """Bytes that the process has in memory now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def most() -> int:
    """Bytes that it had in memory at most."""
    lines = (
        Path("/proc/self/status").read_text().splitlines()
    )  # ru_maxrss would count the process that started this one
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def child(part: str, matrix: Path, precision: str) -> dict[str, Any]:
    """What a part prints, run in a process of its own; of bare LAPACK that crashed, how it ended."""
    command = [sys.executable, "-m", "tests.benchmarks.ease", "--part", part, "--matrix", str(matrix)]
    command += ["--precision", precision]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True, check=False)
    if part == "lapack" and done.returncode < 0:
        return {"crashed": signal.Signals(-done.returncode).name}
    done.check_returncode()
    return {**json.loads(done.stdout), "load": round(os.getloadavg()[0], 2)}


def measure(items: int, repeats: int, precisions: tuple[str, ...], with_error: bool) -> dict[str, Any]:
    """All parts by turns; the ratios are of the smallest seconds of each."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matrix.npz"
        made = matrix_of(items)
        sp.save_npz(path, made, compressed=False)
        result: dict[str, Any] = {"users": made.shape[0], "items": items, "interactions": int(made.nnz)}
        del made
        result["runs"] = {
            precision: {part: [] for part in ("fit", "lapack")} for precision in precisions
        }  # fmt: skip
        for _ in range(repeats):
            for precision, parts in result["runs"].items():
                for part, runs in parts.items():
                    runs.append(child(part, path, precision))
        if with_error:
            result["error"] = child("error", path, "float32")
    result["goals"] = {precision: goals(**parts) for precision, parts in result["runs"].items()}
    return result


def goals(fit: list[dict[str, Any]], lapack: list[dict[str, Any]]) -> dict[str, Any]:
    """Ratios of the smallest seconds and processor seconds, None beside bare LAPACK that crashed; the most memory."""
    times = {
        name: None if "crashed" in lapack[0] else least(fit, name) / least(lapack, name)
        for name in ("seconds", "processor")
    }
    return {
        "times": times["seconds"], "times_processor": times["processor"],
        "matrices": max(run["matrices"] for run in fit),
    }  # fmt: skip


def least(runs: list[dict[str, Any]], name: str) -> float:
    return min(run[name] for run in runs)


def show(result: dict[str, Any]) -> None:
    """Print one size."""
    size = f"{result['users']} users x {result['items']} items, {result['interactions']} interactions"
    table = columns(
        f"EASE: {size}", "precision", "fit s", "LAPACK s", f"times ({TIMES})", "of processor", f"matrices ({MEMORY})",
        "peak GiB",
        "ms a user", "load",
    )  # fmt: skip
    for precision, parts in result["runs"].items():
        best = min(parts["fit"], key=lambda run: run["seconds"])
        goal, crashed = result["goals"][precision], parts["lapack"][0].get("crashed")
        table.add_row(
            precision, f"{best['seconds']:.2f}", crashed or f"{least(parts['lapack'], 'seconds'):.2f}",
            *("" if crashed else f"{goal[name]:.2f}" for name in ("times", "times_processor")),
            f"{goal['matrices']:.2f}", f"{best['peak'] / 2**30:.2f}", f"{1e3 * best['scoring']:.2f}",
            f"{best['load']:.1f}",
        )  # fmt: skip
    if "error" in result:
        told = {name: value for name, value in result["error"].items() if name != "load"}
        table.caption = "float32 against float64: " + ", ".join(f"{name} {value:.2g}" for name, value in told.items())
    console = Console()
    (console if console.is_terminal else Console(width=120)).print(table)


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.benchmarks.ease", description=__doc__)
    options.add_argument("--items", default="4000,8000", help="sizes, separated by commas")
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--precisions", default=",".join(PRECISIONS))
    options.add_argument("--threads", type=int, help="of BLAS; bare LAPACK passes some sizes on one thread alone")
    options.add_argument("--no-error", action="store_true", help="leave out the error of float32, which fits both")
    options.add_argument("--out", type=Path, help="write the numbers here, as JSON")
    options.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    options.add_argument("--matrix", type=Path, help=argparse.SUPPRESS)
    options.add_argument("--precision", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.part:
        print(json.dumps(PARTS[given.part](sp.csr_array(sp.load_npz(given.matrix)), given.precision)))
        return
    result: dict[str, Any] = {
        "machine": {"processor": platform.machine(), "cores": os.cpu_count(), "numpy": np.__version__,
                    "scipy": scipy.__version__}, "sizes": [],
    }  # fmt: skip
    if given.threads:
        os.environ.update(OPENBLAS_NUM_THREADS=str(given.threads), MKL_NUM_THREADS=str(given.threads))
        result["threads"] = given.threads
    for items in map(int, given.items.split(",")):
        result["sizes"].append(measure(items, given.repeats, tuple(given.precisions.split(",")), not given.no_error))
        if given.out:
            given.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        show(result["sizes"][-1])


if __name__ == "__main__":
    main()

"""What an audit takes: whole runs of the command for plain functions, and verification beside the probes of libraries.

python -m tests.benchmarks.audit                            # the command, for functions with a name and without one
python -m tests.benchmarks.audit --libraries all            # verification at size beside the probes, newest releases
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from metric_harness.libraries.describe import Library, find_libraries
from metric_harness.naming.identify import identify
from metric_harness.naming.library_evidence import verify_function
from metric_harness.naming.options import Options
from metric_harness.naming.probes.ask import ask_probes
from metric_harness.naming.probes.probe import Probe, all_probes
from metric_harness.naming.workers import library_worker
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.worker.case_folders import CaseFolders
from metric_harness.worker.launch import PROBE_TIMEOUT
from metric_harness.worker.process import Worker
from metric_harness.worker.reply import Reply
from metric_reference.case import Case

Result = TypeVar("Result")
EXAMPLES = Path(__file__).parents[1] / "support" / "timed" / "plain.py"
NAMED = ("precision_at_k", "ndcg_at_k", "average_precision", "hit_rate", "reciprocal_rank")
GOAL = 3
"""The goal: verification takes at most this many times what the probes take.

Who asks one function waits for the library's imports as well before a probe has an answer, so the probes' time is shown
with the start and without it.
"""
UNEXPLAINED = ("power_of_hits", "odd_ndcg", "discounted_twice")


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.benchmarks.audit", description=__doc__.split("\n")[0])
    options.add_argument("--repeats", type=int, default=3, help="runs of the command for each function")
    options.add_argument("--libraries", help="keys separated by commas, or all: ask these instead")
    given = options.parse_args()
    if given.libraries is None:
        whole(given.repeats)
    else:
        known = find_libraries()
        asked = list(known) if given.libraries == "all" else given.libraries.split(",")
        libraries([known[key] for key in asked])


def whole(repeats: int) -> None:
    """Processor and wall seconds of ``metric-harness audit``, workers and imports included, the least of several."""
    print(f"{'function':18} {'found':12} {'processor s':>12} {'wall s':>8}")
    for name in (*NAMED, *UNEXPLAINED):
        runs = [run(f"{EXAMPLES}:{name}") for _ in range(repeats)]
        found = "a name" if runs[0][2] else "unexplained"
        print(f"{name:18} {found:12} {min(r[0] for r in runs):12.2f} {min(r[1] for r in runs):8.2f}", flush=True)


def run(target: str) -> tuple[float, float, bool]:
    """One run of the command: processor seconds of its processes, wall seconds, and whether it gave a name."""
    command = [sys.executable, "-m", "metric_harness", "audit", target, "--quiet"]
    before, begun = os.times(), time.perf_counter()
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    wall, after = time.perf_counter() - begun, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used, wall, "1 verified" in text


def libraries(asked: list[Library]) -> None:
    """Seconds that the probes and the verification cases of every function take, for the newest release of each."""
    print(f"{'':56} at size over   slowest function")
    head = f"{'library':18} {'functions':>9} {'start s':>8} {'probes s':>9} {'at size s':>10}"
    print(f"{head} {'probes':>7} {'+start':>7}  over start and its probes")
    for library in asked:
        try:
            print(one_library(library), flush=True)
        except HarnessError as error:
            print(f"{library.key:18} {str(error).splitlines()[0]}", flush=True)


def one_library(library: Library) -> str:
    """The line of a library."""
    rows: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as name:
        root, release = Path(name), library.newest()
        cases, probes = CaseFolders(root / "cases"), all_probes()
        worker, asked = library_worker(library, release, Options(), root, Reporter(quiet=True))
        with worker:
            begun = time.perf_counter()
            worker.start()
            start = time.perf_counter() - begun
            for function, info in library.subjects_of(release).items():
                if asked.reason_against(info.needs) is None:
                    rows[function] = seconds_of(worker, function, info.metric, info.needs, root, cases, probes)
    on_probes, at_size = (sum(row[part] for row in rows.values()) for part in (0, 1))
    shares = {function: size / (start + probes) for function, (probes, size) in rows.items()}
    slowest = max(shares, key=lambda function: shares[function])
    return (
        f"{library.key:18} {len(rows):9} {start:8.1f} {on_probes:9.2f} {at_size:10.2f} {at_size / on_probes:7.1f} "
        f"{at_size / (start + on_probes):7.1f}  {shares[slowest]:.1f} {slowest}"
    )


def seconds_of(
    worker: Worker,
    function: str,
    metric: str,
    needs: tuple[str, ...],
    root: Path,
    cases: CaseFolders,
    probes: tuple[Probe, ...],
) -> tuple[float, float]:
    """The seconds that one function takes for the probes, and for the verification cases."""

    def ask(case: Case, k: int) -> Reply:
        return worker.ask(function, cases.folder(case), k, root / "answer", PROBE_TIMEOUT)

    answers, on_probes = timed(lambda: ask_probes(probes, metric, lambda probe: ask(probe.case, probe.k), needs=needs))
    found = identify(metric, answers)
    return on_probes, timed(lambda: verify_function(ask, found, answers))[1]


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """What some work gives, and the seconds that it took."""
    begun = time.perf_counter()
    return work(), time.perf_counter() - begun


if __name__ == "__main__":
    main()

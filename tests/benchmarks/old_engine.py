"""The engine that evaluate had before DuckDB, out of this clone's history, to be measured beside it."""

from __future__ import annotations

import os
import subprocess
import tarfile
from pathlib import Path

from tests.support.places import ROOT

LAST = "5562dda"
"""The last commit that has it."""
SOURCES = ("harness", "reference", "reports", "adapters/kit")


def check_out(folder: Path) -> Path:
    """Its sources in a folder; CalledProcessError where this is no clone that holds the commit."""
    archive = folder / "old.tar"
    command = ["git", "archive", "--format=tar", f"--output={archive}", LAST, *SOURCES]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    with tarfile.open(archive) as file:
        file.extractall(folder / "old", filter="data")
    archive.unlink()
    return folder / "old"


def environment(folder: Path) -> dict[str, str]:
    """The variables of a process that imports the packages of that commit."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(folder / name) for name in SOURCES)}


def evaluated(folder: Path, variants: str | None, k: int, memory: float) -> int:
    """Evaluate in a process with that environment; returns the number of rows."""
    from metric_harness.cli.evaluate import parse_variants
    from metric_harness.evaluation import evaluate

    own = os.environ["PYTHONPATH"].partition(os.pathsep)[0]
    if not Path(evaluate.__file__).is_relative_to(own):
        raise ImportError(f"{evaluate.__file__} is not the old engine")
    found = evaluate.evaluate_files(
        folder / "recs.parquet",
        folder / "truth.parquet",
        parse_variants(variants),
        [k],  # type: ignore[call-arg]
        memory=int(memory * 2**30),
        work=folder / "work",
    )
    return found.rows

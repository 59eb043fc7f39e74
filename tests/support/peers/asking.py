"""Asks a peer for its values of a case, in an environment that is built on first use and cached."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import environment_for
from metric_harness.system.progress import Reporter

PEERS = {
    "pytrec_eval": ("0.5.11", ("pytrec-eval-terrier==0.5.11",)),
    "ranx": ("0.3.21", ("ranx==0.3.21",)),
    "sklearn": ("1.9.1", ("scikit-learn==1.9.1",)),
    "torchmetrics": ("1.9.0", ("torchmetrics==1.9.0", "torch==2.13.0")),
}
"""Version and requirements of each."""


class Answer(NamedTuple):
    """What a peer gave.

    values : by measure, one float64 entry a user, or a single one where the peer has no more.
    convert, evaluate : seconds that the conversion of the arrays took, and each evaluation.
    before, peak : bytes of memory held at most before the conversion, and in all.
    """

    values: dict[str, np.ndarray]
    convert: float
    evaluate: list[float]
    before: int
    peak: int


def python_of(name: str, reporter: Reporter | None = None) -> Path:
    """The Python of a peer's environment."""
    version, requirements = PEERS[name]
    release = Release(version, ">=3.11", requirements, (), "")
    library = Library(Path(__file__).parent, name, name, "", "", "", "", (release,), {})
    return environment_for(library, release, reporter)


def ask(
    name: str, case: Path, measures: Sequence[str], out: Path, repeats: int = 1, reporter: Reporter | None = None
) -> Answer:
    """A peer's values for the case in a folder (see ``case_files``); ``out`` is a folder for its files.

    Raises RuntimeError with the last of what the peer printed if it fails.
    """
    out.mkdir(parents=True, exist_ok=True)
    program = [python_of(name, reporter), "-I", Path(__file__).with_name("run.py")]
    command = [*map(str, (*program, name, case.absolute(), out.absolute(), repeats)), *measures]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=out)
    if ran.returncode:
        raise RuntimeError(f"{name} ended with exit code {ran.returncode}:\n{ran.stderr[-2000:]}")
    with np.load(out / "values.npz") as stored:
        values = {measure: np.asarray(stored[measure], dtype=np.float64) for measure in stored}
    return Answer(values, **json.loads((out / "times.json").read_text(encoding="utf-8")))

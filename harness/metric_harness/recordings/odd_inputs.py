"""A library's answers to odd inputs: asked when it is recorded, kept beside its adapter, described in words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from metric_adapters.odd_inputs import KINDS
from metric_harness.libraries.describe import ODD_INPUTS, Library, Release
from metric_harness.libraries.prepare import ready
from metric_harness.libraries.staging import stage
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.system.scratch import scratch
from metric_harness.worker.process import Worker
from metric_reports.files import write_atomically
from metric_reports.tolerances import FLOAT32
from metric_reports.types.odd import OddAnswer, OddInputs, OddLine
from metric_reports.versions import SCHEMA_VERSION, up_to_date

FILE = "odd_inputs.json"
TIMEOUT = 300.0
"""Seconds for all odd inputs of a library."""


def asks(library: Library) -> bool:
    """Whether a library's folder has a file that asks odd inputs."""
    return (library.folder / ODD_INPUTS).is_file()


def code_of(library: Library) -> str:
    """A digest of the file that asks odd inputs."""
    return hashlib.sha256((library.folder / ODD_INPUTS).read_bytes()).hexdigest()


def ask_odd_inputs(
    library: Library, release: Release, environment: str, sources: Mapping[str, Path], memory: int, reporter: Reporter
) -> list[OddAnswer]:
    """Ask a library all odd inputs; HarnessError where it cannot run here."""
    prepared = ready(environment, library, release, sources, reporter)
    with (
        scratch("odd-") as name,
        Worker(prepared.launch(stage([library]), library.key, Path(name, "log.txt"), memory)) as worker,
    ):
        return worker.odd_inputs(TIMEOUT)


def write_odd_inputs(library: Library, release: Release, answers: list[OddAnswer]) -> Path:
    """Write the answers beside the adapter, one in each line; returns the file."""
    page: OddInputs = {
        "schema_version": SCHEMA_VERSION,
        "library": library.key,
        "release": release.version,
        "date": datetime.now(UTC).date().isoformat(),
        "code": code_of(library),
        "answers": [],
    }
    head = json.dumps(page, indent=1, ensure_ascii=False).removesuffix("[]\n}")
    rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in answers)
    path = library.folder / FILE
    write_atomically(path, f"{head}[\n  {rows}\n ]\n}}\n")
    return path


def read_odd_inputs(library: Library) -> OddInputs | None:
    """The answers of a library, or None; HarnessError names a file that cannot be read."""
    path = library.folder / FILE
    try:
        page: OddInputs = up_to_date(json.loads(path.read_text(encoding="utf-8")), "odd inputs")
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise HarnessError(
            f"{path}: no answers to odd inputs ({error!r}); `metric-harness library record` makes it"
        ) from None
    return page


def lines_of(answers: Sequence[OddAnswer]) -> list[OddLine]:
    """The lines about each kind, in the order of the kinds; functions with the same outcome share a line.

    Functions that return another number share a line too, which shows the numbers of the first of them.
    """
    lines: list[OddLine] = []
    for kind, about in KINDS.items():
        by_outcome: dict[tuple[str, str], list[OddAnswer]] = {}
        for row in answers:
            if row["kind"] == kind:
                by_outcome.setdefault(outcome_of(row), []).append(row)
        for (outcome, words), rows in by_outcome.items():
            lines.append(
                {
                    "kind": kind,
                    "about": about,
                    "functions": [row["function"] for row in rows],
                    "outcome": outcome,
                    "said": words or _another(rows[0]),
                }
            )
    return lines


def outcome_of(row: OddAnswer) -> tuple[str, str]:
    """The outcome of an odd input, ``same``, ``error`` or ``other``, and its description, empty for ``other``."""
    usual, odd = row["usual"], row["odd"]
    if isinstance(odd, dict):
        return "error", f"raises {odd['error']}"
    if not isinstance(usual, dict) and (usual == odd or abs(float(usual) - float(odd)) <= FLOAT32):
        return "same", "the same number"
    return "other", ""


def _another(row: OddAnswer) -> str:
    answers = (row["odd"], row["usual"])
    odd, usual = (a["error"] if isinstance(a, dict) else f"{float(a):.6g}" for a in answers)
    return f"another number ({row['function']}: {odd}, not {usual})"

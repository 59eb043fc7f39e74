"""What a finished run computed, kept in its folder part by part: a rerun takes what still holds from there."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import metric_adapters
import metric_harness
import metric_reference
import metric_reports
from metric_harness.system.code_digest import code_digest
from metric_harness.worker.answer_store import digest
from metric_reports.record import write_atomically

Part = TypeVar("Part")


class KeptParts:
    """Parts of a record by name, each with a digest of all that it depends on, our own code among it.

    A part that is damaged, or of other dependencies, is computed again. Several threads may use one for different
    names. fresh : forget the parts of earlier runs.
    """

    def __init__(self, folder: Path, fresh: bool = False) -> None:
        self.folder, self.fresh = folder, fresh
        our_code()  # before threads ask for it at once

    def get(self, name: str, *depends: Any) -> Any | None:
        """The part, or None if it has to be computed."""
        if self.fresh:
            return None
        try:
            page = json.loads(self._file(name).read_text(encoding="utf-8"))
            sound = page["of"] == self._of(depends) and page["sum"] == digest(page["part"])
            return page["part"] if sound else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):  # never written, cut off or damaged
            return None

    def put(self, name: str, part: Part, *depends: Any) -> Part:
        """Keep a part, which JSON must be able to hold, and return it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        page = {"of": self._of(depends), "sum": digest(part), "part": part}
        write_atomically(self._file(name), json.dumps(page) + "\n")
        return part

    def once(self, name: str, depends: Any, compute: Callable[[], Part]) -> Part:
        """The part as it is kept, else computed and kept."""
        found: Part | None = self.get(name, depends)
        return self.put(name, compute(), depends) if found is None else found

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _of(self, depends: tuple[Any, ...]) -> str:
        return digest(our_code(), depends)


def kept_parts(out: Path, fresh: bool) -> KeptParts:
    """The parts that runs into the folder ``out`` keep."""
    return KeptParts(out / "answers" / "parts", fresh)


@cache
def our_code() -> str:
    """All our packages, and what computes with them."""
    packages = (metric_harness, metric_reference, metric_reports, metric_adapters)
    code = code_digest(Path(package.__path__[0]) for package in packages)
    return f"{code} {np.__version__} {platform.machine()}"

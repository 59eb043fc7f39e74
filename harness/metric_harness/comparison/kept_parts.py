"""Keeps the parts of a record in the run's folder, so that a rerun computes again only what has changed."""

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
from metric_reports.files import write_atomically

Part = TypeVar("Part")


class KeptParts:
    """Parts of a record by name, each with a digest of its dependencies, which include our own code.

    A part that is damaged or has other dependencies is computed again. Threads may use it at once for different names.
    fresh : ignore the parts of earlier runs.
    """

    def __init__(self, folder: Path, fresh: bool = False) -> None:
        self.folder, self.fresh = folder, fresh
        _our_code()  # once, before threads need it

    def get(self, name: str, *depends: Any) -> Any | None:
        """The part with these dependencies, or None if it must be computed."""
        if self.fresh:
            return None
        try:
            page = json.loads(self._file(name).read_text(encoding="utf-8"))
            valid = page["of"] == self._digest(depends) and page["sum"] == digest(page["part"])
            return page["part"] if valid else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):  # never written, cut off or damaged
            return None

    def put(self, name: str, part: Part, *depends: Any) -> Part:
        """Keep a part, which JSON must be able to hold, and return it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        page = {"of": self._digest(depends), "sum": digest(part), "part": part}
        write_atomically(self._file(name), json.dumps(page) + "\n")
        return part

    def once(self, name: str, depends: Any, compute: Callable[[], Part]) -> Part:
        """The kept part; without one, computes and keeps it."""
        part: Part | None = self.get(name, depends)
        return self.put(name, compute(), depends) if part is None else part

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _digest(self, depends: tuple[Any, ...]) -> str:
        return digest(_our_code(), depends)


def kept_parts(out: Path, fresh: bool) -> KeptParts:
    """The parts that runs into the folder ``out`` keep."""
    return KeptParts(out / "answers" / "parts", fresh)


@cache
def _our_code() -> str:
    """A digest of our packages' code, the version of numpy and the kind of processor."""
    packages = (metric_harness, metric_reference, metric_reports, metric_adapters)
    code = code_digest(Path(package.__path__[0]) for package in packages)
    return f"{code} {np.__version__} {platform.machine()}"

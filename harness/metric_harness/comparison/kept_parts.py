"""Keeps the parts of a record in the run's folder, so that a rerun computes again only what has changed."""

from __future__ import annotations

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
from metric_harness.system import store
from metric_harness.system.code_digest import code_digest

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
        return store.kept(self._file(name), self._digest(depends))

    def put(self, name: str, part: Part, *depends: Any) -> Part:
        """Keep a part, which JSON must be able to hold, and return it."""
        store.keep(self._file(name), part, self._digest(depends))
        return part

    def once(self, name: str, depends: Any, compute: Callable[[], Part]) -> Part:
        """The kept part; without one, computes and keeps it."""
        part: Part | None = self.get(name, depends)
        return self.put(name, compute(), depends) if part is None else part

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _digest(self, depends: tuple[Any, ...]) -> str:
        return store.digest(_our_code(), depends)


def kept_parts(out: Path, fresh: bool) -> KeptParts:
    """The parts that runs into the folder ``out`` keep."""
    return KeptParts(out / "answers" / "parts", fresh)


@cache
def _our_code() -> str:
    """A digest of our packages' code, the version of numpy and the kind of processor."""
    packages = (metric_harness, metric_reference, metric_reports, metric_adapters)
    code = code_digest(Path(package.__path__[0]) for package in packages)
    return f"{code} {np.__version__} {platform.machine()}"

"""A mistake in a library's folder: where it is, what is wrong and how to correct it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metric_harness.system.errors import HarnessError


@dataclass(frozen=True)
class Mistake:
    """One mistake that a person made in a library's folder.

    line : counted from 1; None for a mistake that is in no line (a folder's name). where : the key of library.toml or
    the function of the adapter; may be empty. remedy : what to write instead, as an imperative.
    """

    file: Path
    line: int | None
    where: str
    what: str
    remedy: str

    def __str__(self) -> str:
        position = str(self.file) if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(filter(None, (position, self.where, f"{self.what}; {self.remedy}")))


class LibraryError(HarnessError):
    """A library's folder has mistakes. The message has a line for each of them.

    table : the content of its library.toml, mistakes included; empty if it is not TOML.
    """

    def __init__(self, folder: Path, mistakes: Sequence[Mistake], table: Mapping[str, Any]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.table = table
        self.folder = folder
        self.mistakes = tuple(mistakes)

    def summary(self) -> str:
        """The first mistake, and how many more there are."""
        more = len(self.mistakes) - 1
        return str(self.mistakes[0]) + (
            f" (and {more} more: metric-harness library check {self.folder})" if more else ""
        )

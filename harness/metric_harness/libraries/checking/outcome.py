"""The outcomes of the checks of a library's folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from metric_harness.libraries.mistake import Mistake

Status = Literal["ok", "finding", "skipped", "cannot_run"]
FINE, FINDINGS, CANNOT_RUN = 0, 1, 2
"""Exit codes."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of one check; ``text`` says what is wrong, what is fine, or why it was not done."""

    check: str
    status: Status
    text: str
    mistake: Mistake | None = None

    def as_json(self) -> dict[str, Any]:
        """The outcome as ``--json`` writes it."""
        page: dict[str, Any] = {"check": self.check, "status": self.status, "text": self.text}
        if self.mistake is not None:
            page |= {
                "file": str(self.mistake.file),
                "line": self.mistake.line,
                "where": self.mistake.where or None,
                "what": self.mistake.what,
                "remedy": self.mistake.remedy,
            }
        return page


@dataclass
class FolderCheck:
    """The outcomes of one folder, in the order of the checks; release : the one that was asked, None if none was."""

    folder: Path
    release: str | None = None
    outcomes: list[Outcome] = field(default_factory=list)

    def add(self, check: str, status: Status, text: str) -> None:
        """Add an outcome without a mistake."""
        self.outcomes.append(Outcome(check, status, text))

    def found(self, check: str, mistake: Mistake) -> None:
        """Add a mistake."""
        self.outcomes.append(Outcome(check, "finding", str(mistake), mistake))

    def count(self, status: Status) -> int:
        """How many outcomes have this status."""
        return sum(outcome.status == status for outcome in self.outcomes)

    def exit_code(self) -> int:
        """2 if a check could not run, else 1 with findings, else 0."""
        return CANNOT_RUN if self.count("cannot_run") else FINDINGS if self.count("finding") else FINE

    def as_json(self) -> dict[str, Any]:
        """The folder as ``--json`` writes it."""
        return {
            "folder": str(self.folder),
            "library": self.folder.name,
            "release": self.release,
            "exit_code": self.exit_code(),
            "checks": [outcome.as_json() for outcome in self.outcomes],
        }

"""Looks up the subjects and cells of a record, for checks of the paper's claims."""

from __future__ import annotations

from collections.abc import Iterable

from metric_reference.variant import Variant
from metric_reports.record import from_json_number
from metric_reports.types.common import Number
from metric_reports.types.run import Cell, Record, Subject

CONFIRMED, REFUTED, UNCHECKED = "confirmed", "refuted", "not checked here"

Verdict = tuple[str, str]
"""A verdict and its evidence."""


class Seen:
    """The subjects and cells of a record, by library and function; releases from the newest to the oldest.

    releases : pairs of a library and a release, the only ones that count; all if None.
    """

    def __init__(self, record: Record, k: int, releases: Iterable[tuple[str, str]] | None = None) -> None:
        included = None if releases is None else set(releases)

        def counts(row: Subject | Cell) -> bool:
            return included is None or (row["library"], row["release"]) in included

        self.subjects = [row for row in reversed(record["subjects"]) if counts(row)]
        self.cells = [cell for cell in reversed(record["cells"]) if cell["k"] == k and counts(cell)]

    def subject(self, library: str, function: str) -> Subject | None:
        """The row of a function, or None."""
        return next((row for row in self.subjects if (row["library"], row["function"]) == (library, function)), None)

    def variant(self, library: str, function: str) -> Variant | None:
        """The variant of a function, or None if it is not known."""
        row = self.subject(library, function)
        return None if row is None or row["variant"] is None else Variant.parse(row["variant"])

    def answer(self, library: str, function: str, probe: str) -> Number | None:
        """The answer of a function to a probe, or None."""
        row = self.subject(library, function)
        return None if row is None else next((a["value"] for a in row["answers"] if a["probe"] == probe), None)

    def cell(self, library: str, function: str) -> Cell | None:
        """The cell of a function, or None."""
        return next((c for c in self.cells if (c["library"], c["function"]) == (library, function)), None)

    def value(self, library: str, function: str) -> float | None:
        """The measured value of a function, else the predicted one, or None."""
        cell = self.cell(library, function)
        return None if cell is None else from_json_number(cell["predicted"] if cell["value"] is None else cell["value"])

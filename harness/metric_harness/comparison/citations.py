"""What a paper needs to cite the numbers of a record: for each signature a sentence, LaTeX and BibTeX."""

from __future__ import annotations

from collections.abc import Iterable

from metric_harness.version import __version__
from metric_reference.signatures.methods import bibtex, latex, sentence
from metric_reference.signatures.read import parse
from metric_reports.types.run import Cell, Citation


def citations(cells: Iterable[Cell]) -> dict[str, Citation]:
    """The texts of ``metric-harness cite`` for every signature of the cells, by its short form."""
    full = {cell["signature_short"]: cell["signature"] for cell in cells if cell.get("signature_short")}
    return {short: _citation(text) for short, text in full.items() if short and text}


def _citation(text: str) -> Citation:
    signature = parse(text)
    return {
        "sentence": sentence(signature),
        "latex": latex(signature),
        "bibtex": bibtex(signature, __version__),
    }

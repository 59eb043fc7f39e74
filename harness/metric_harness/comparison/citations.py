"""The publications that state the definitions of a record, and the texts with which to cite its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from metric_harness.version import __version__
from metric_reference.catalogue import by_variant
from metric_reference.signatures.methods import bibtex, latex, sentence
from metric_reference.signatures.read import parse
from metric_reference.variant import Variant
from metric_reports.types.run import Cell, Citation, Publication, Subject

PUBLISHED: tuple[Literal["paper", "text"], ...] = ("paper", "text")
"""The kinds of published sources, in the order in which they are shown."""


def signatures_of(cells: Iterable[Cell]) -> dict[str, str]:
    """The signatures of cells by their short form."""
    full = {cell["signature_short"]: cell["signature"] for cell in cells if cell.get("signature_short")}
    return {short: text for short, text in full.items() if short and text}


def citations(signatures: Mapping[str, str]) -> dict[str, Citation]:
    """The texts of ``metric-harness signature cite`` for every signature, by its short form."""
    return {short: _citation(text) for short, text in signatures.items()}


def _citation(text: str) -> Citation:
    signature = parse(text)
    return {
        "sentence": sentence(signature),
        "latex": latex(signature),
        "bibtex": bibtex(signature, __version__),
    }


def publications(subjects: Iterable[Subject]) -> dict[str, list[Publication]]:
    """The papers and texts of the catalogue that state the subjects' variants, by the printed form of the variant."""
    by_printed = {}
    for printed in sorted({subject["variant"] for subject in subjects if subject["variant"]}):
        entry = by_variant().get(str(Variant.parse(printed).canonical()))
        stated: list[Publication] = [
            {"title": source.title, "kind": kind, "address": source.address}
            for kind in PUBLISHED
            for source in (entry.sources if entry else [])
            if source.kind == kind
        ]
        if stated:
            by_printed[printed] = stated
    return by_printed

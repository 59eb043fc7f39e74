"""The part of a record that a terminal has room for: libraries that ran, the usual metrics, no notes."""

from __future__ import annotations

from metric_reports.types.common import Who
from metric_reports.types.run import NOT_ASKED, Record
from metric_reports.view.words import USUAL, count


def main_part(record: Record) -> Record:
    """The record without notes, without libraries that were not to be asked, and without the less usual metrics.

    Where no library ran, or no metric is a usual one, all of them stay.
    """
    libraries = [library for library in record["libraries"] if library["reason"] != NOT_ASKED] or record["libraries"]
    releases = {(library["name"], library["release"]) for library in libraries}
    metrics = {cell["metric"] for cell in record["cells"]}
    listed = metrics & {*USUAL} or metrics

    def stays(entry: Who) -> bool:
        return (entry["library"], entry["release"]) in releases and entry["metric"] in listed

    part = record.copy()
    part["libraries"] = libraries
    part["subjects"] = [*filter(stays, record["subjects"])]
    part["cells"] = [*filter(stays, record["cells"])]
    part["findings"] = [finding for finding in record["findings"] if stays(finding) and finding["severity"] != "note"]
    return part


def left_out(record: Record, part: Record) -> list[str]:
    """What a part of a record lacks, in a few words each; empty for the whole record."""
    metrics = {cell["metric"] for cell in record["cells"]} - {cell["metric"] for cell in part["cells"]}
    releases = len(record["libraries"]) - len(part["libraries"])
    notes = sum(finding["severity"] == "note" for finding in record["findings"]) if part is not record else 0
    missing = (
        (releases, f"{count(releases, 'release')} predicted from recordings"),
        (len(metrics), count(len(metrics), "less usual metric")),
        (notes, count(notes, "note")),
    )
    return [words for number, words in missing if number]

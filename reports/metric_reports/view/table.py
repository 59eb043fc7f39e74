"""The library x metric table of a record, for the HTML page and the terminal."""

from __future__ import annotations

import math
import string
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from metric_reports.record import from_json_number
from metric_reports.types.common import Who
from metric_reports.types.run import Cell, Library, LibraryFinding, Record
from metric_reports.view.names import label_of, plain_name
from metric_reports.view.words import first_line, in_order, label, short

Key = tuple[str, str, str, str]
"""Library, release, function and claimed metric, which a cell, a subject and a finding all name."""
COLOURS = 8
SEVERITIES = ("error", "warning", "note")


class Variant(NamedTuple):
    """One definition behind a column: its letter (A is the most common), its colour number, its functions."""

    metric: str
    letter: str
    colour: int
    printed: str
    formula: str | None
    keys: tuple[Key, ...]

    @property
    def name(self) -> str:
        """The plain name: ``AP over min(k, relevant)``."""
        return plain_name(self.printed)

    @property
    def label(self) -> str:
        """The plain name below the metric's own: ``over min(k, relevant)``."""
        return label_of(self.printed, self.metric)


class Entry(NamedTuple):
    """One function's number in the table.

    text : the number as printed; variant : None where no variant is known; flag : empty, ``unexplained``, ``error``,
    ``not available`` or ``predicted``; note : why, in a few words; codes : its findings with their severity, the
    gravest first; apart : what the function says it is, where that is not the metric.
    """

    cell: Cell
    text: str
    variant: Variant | None
    flag: str
    note: str
    codes: tuple[tuple[str, str], ...] = ()
    apart: str = ""

    @property
    def severity(self) -> str:
        """The gravest severity of its findings; empty without any."""
        return self.codes[0][1] if self.codes else ""


class Column(NamedTuple):
    """A metric at a cut-off: counts of functions and definitions, the smallest and largest finite value."""

    metric: str
    label: str
    functions: int
    definitions: int
    low: float | None
    high: float | None


class Row(NamedTuple):
    """A release and its entries by metric; ``entries`` has no key for a metric that the release lacks."""

    library: Library
    entries: dict[str, list[Entry]]


class Grid(NamedTuple):
    """The table at one cut-off; apart : functions that do not claim their metric, with their libraries."""

    k: int
    columns: list[Column]
    rows: list[Row]
    apart: list[tuple[Library, Entry]]

    def part(self, metrics: Container[str]) -> Grid:
        """The columns of some metrics, and the rows that have an entry in them or no entry at all."""
        columns = [column for column in self.columns if column.metric in metrics]
        rows = [row for row in self.rows if not row.entries or any(column.metric in row.entries for column in columns)]
        return self._replace(columns=columns, rows=rows)


def without_diagnostic(record: Record) -> Record:
    """The record without diagnostic functions, which are asked only to show something about another function."""
    diagnostic = {key_of(subject) for subject in record["subjects"] if subject.get("diagnostic")}
    subjects = [subject for subject in record["subjects"] if key_of(subject) not in diagnostic]
    cells = [cell for cell in record["cells"] if key_of(cell) not in diagnostic]
    return {**record, "subjects": subjects, "cells": cells}


def apart_of(record: Record) -> dict[Key, str]:
    """The functions that do not claim their metric, and what they say they are."""
    return {key_of(subject): text for subject in record["subjects"] if (text := subject.get("apart"))}


def key_of(thing: Who) -> Key:
    """The key of a cell, a subject or a finding."""
    return thing["library"], thing["release"], thing["function"], thing["metric"]


def unlisted(cell: Who) -> Library:
    """A library entry for a cell or subject whose library is not among the record's."""
    return {
        "name": cell["library"],
        "title": cell["library"],
        "release": cell["release"],
        "homepage": "",
        "licence": "",
        "status": "ran",
        "reason": None,
    }


def short_names(record: Record) -> dict[tuple[str, str], str]:
    """A short name for each release: its library alone, unless the record has several releases of it."""
    entries = [*record["cells"], *record["subjects"], *record["findings"]]
    pairs = {(library["name"], library["release"]) for library in record["libraries"]}
    pairs |= {(entry["library"], entry["release"]) for entry in entries}
    releases = Counter(library for library, _ in pairs)
    return {pair: pair[0] if releases[pair[0]] == 1 else " ".join(pair) for pair in pairs}


def functions(keys: Iterable[Key], names: dict[tuple[str, str], str]) -> str:
    """``recbole Recall, GAUC; rs_metrics recall``: functions by library."""
    return "; ".join(functions_by_library(keys, names))


def functions_by_library(keys: Iterable[Key], names: dict[tuple[str, str], str]) -> list[str]:
    """``recbole Recall, GAUC`` for each library."""
    by_library: dict[str, list[str]] = {}
    for library, release, function, _ in keys:
        by_library.setdefault(names[library, release], []).append(function)
    return [f"{name} {', '.join(dict.fromkeys(members))}" for name, members in by_library.items()]


def cutoffs(record: Record) -> list[int]:
    """The cut-offs of the cells; without any cell, those of the settings."""
    return sorted({cell["k"] for cell in record["cells"]} or set(record["settings"]["ks"]))


def letters() -> Iterator[str]:
    """A, B, ..., Z, AA, AB, ..."""
    yield from string.ascii_uppercase
    yield from (first + second for first in string.ascii_uppercase for second in string.ascii_uppercase)


def variants(record: Record) -> dict[str, dict[str, Variant]]:
    """The variants of each metric by printed form, in the order of their letters.

    A letter stands for the same variant at every cut-off. A is the variant that most libraries compute; ties go to more
    functions, then to the shorter printed form (fewer choices off the default). Functions that do not claim the metric
    are not counted.
    """
    record, apart = without_diagnostic(record), apart_of(record)
    users: dict[str, dict[str, set[Key]]] = defaultdict(lambda: defaultdict(set))
    formulas: dict[str, str] = {}
    for entry in [*record["subjects"], *record["cells"]]:
        if entry["variant"] is not None:
            users[entry["metric"]][entry["variant"]].add(key_of(entry))
    for subject in record["subjects"]:
        if subject["variant"] is not None and (formula := subject.get("formula")):
            formulas.setdefault(subject["variant"], formula)

    def rank(item: tuple[str, set[Key]]) -> tuple[int, int, int, str]:
        printed, keys = item
        claiming = keys - apart.keys()
        return -len({library for library, *_ in claiming}), -len(claiming), len(printed), printed

    by_metric = {}
    for metric in in_order(users):
        ranked = enumerate(zip(letters(), sorted(users[metric].items(), key=rank), strict=False))
        by_metric[metric] = {
            printed: Variant(metric, letter, index % COLOURS, printed, formulas.get(printed), tuple(sorted(keys)))
            for index, (letter, (printed, keys)) in ranked
        }
    return by_metric


def severities(record: Record) -> dict[tuple[str, Key], str]:
    """The gravest severity of each code for each function."""
    gravest: dict[tuple[str, Key], str] = {}
    for finding in sorted(record["findings"], key=lambda finding: SEVERITIES.index(finding["severity"])):
        gravest.setdefault((finding["code"], key_of(finding)), finding["severity"])
    return gravest


def entry_of(cell: Cell, known: dict[str, dict[str, Variant]], gravest: dict[tuple[str, Key], str]) -> Entry:
    """The table's entry for a cell. known : the result of :func:`variants`; gravest : that of :func:`severities`."""
    variant = known.get(cell["metric"], {}).get(cell["variant"]) if cell["variant"] is not None else None
    pairs = [(code, gravest.get((code, key_of(cell)), "note")) for code in cell["findings"]]
    codes = tuple(sorted(pairs, key=lambda pair: SEVERITIES.index(pair[1])))
    text, flag, note = short(cell["value"]), "", first_line(cell["error"])
    if cell["status"] == "unexplained":
        named = variant is not None and cell["predicted"] is not None
        flag, note = "unexplained", f"predicted {short(cell['predicted'])}" if named else "no variant fits"
    elif cell["status"] == "error":
        text, flag, note = "error", "error", note or "no message"
    elif cell["status"] == "not_available":
        text = flag = "not available"
        if cell["predicted"] is not None:
            text, flag = short(cell["predicted"]), "predicted"
        note = note or "not run here"
    return Entry(cell, text, variant, flag, note, codes)


def grid(record: Record, k: int, known: dict[str, dict[str, Variant]] | None = None) -> Grid:
    """The table at one cut-off: a row for every release, a column for every metric that some release offers."""
    record, apart = without_diagnostic(record), apart_of(record)
    known, gravest = variants(record) if known is None else known, severities(record)
    apart_entries: list[tuple[Library, Entry]] = []
    rows = {(library["name"], library["release"]): Row(library, {}) for library in record["libraries"]}
    for cell in record["cells"]:
        row = rows.setdefault((cell["library"], cell["release"]), Row(unlisted(cell), {}))
        if cell["k"] != k:
            continue
        entry = entry_of(cell, known, gravest)
        if key_of(cell) in apart:
            apart_entries.append((row.library, entry._replace(apart=apart[key_of(cell)])))
        else:
            row.entries.setdefault(cell["metric"], []).append(entry)
    for entries in (entries for row in rows.values() for entries in row.entries.values()):
        entries.sort(key=lambda entry: letter_rank(entry.variant))
    metrics = in_order(entry["metric"] for entry in [*record["cells"], *record["subjects"]])
    return Grid(k, [column(metric, k, rows.values()) for metric in metrics], list(rows.values()), apart_entries)


def letter_rank(variant: Variant | None) -> tuple[int, str]:
    """A sort key by letter: A to Z, then AA and on; no variant comes last."""
    return (len(variant.letter), variant.letter) if variant else (9, "")


def signature_of(cell: Cell) -> str:
    """The short form of a cell's signature; empty where no definition explains its number."""
    return cell.get("signature_short") or ""


def number_of(cell: Cell) -> float | None:
    """A cell's measured value, or the predicted one where the release did not run; None if there is none."""
    return from_json_number(cell["predicted"] if cell["status"] == "not_available" else cell["value"])


def column(metric: str, k: int, rows: Iterable[Row]) -> Column:
    """Head and foot of a column."""
    entries = [entry for row in rows for entry in row.entries.get(metric, [])]
    definitions = len({entry.variant.printed for entry in entries if entry.variant})
    return Column(metric, label(metric, k), len(entries), definitions, *extremes(entries))


def extremes(entries: Iterable[Entry]) -> tuple[float | None, float | None]:
    """The smallest and the largest finite value of some entries."""
    numbers = [number_of(entry.cell) for entry in entries]
    finite = [number for number in numbers if number is not None and math.isfinite(number)]
    return min(finite, default=None), max(finite, default=None)


def span(low: float | None, high: float | None, digits: int = 3, between: str = " to ") -> str:
    """``0.0230 to 0.0731``; one number where both print alike; empty where both are None."""
    ends = list(dict.fromkeys(short(end, digits) for end in (low, high) if end is not None))
    return between.join(ends)


def by_code(record: Record) -> dict[str, list[LibraryFinding]]:
    """The findings of each rule code: the gravest severity first, then by code."""
    groups: dict[str, list[LibraryFinding]] = defaultdict(list)
    for finding in record["findings"]:
        groups[finding["code"]].append(finding)
    return dict(sorted(groups.items(), key=lambda item: (severity_rank(item[1]), item[0])))


def severity_rank(findings: list[LibraryFinding]) -> int:
    """0 for a group with an error, 1 for warnings, 2 for notes."""
    return min(SEVERITIES.index(finding["severity"]) for finding in findings)

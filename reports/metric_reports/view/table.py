"""The library x metric table, computed from a record. The HTML page and the terminal share it."""

from __future__ import annotations

import math
import string
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from metric_reports.record import from_json_number
from metric_reports.types.common import Who
from metric_reports.types.run import Cell, Finding, Library, Record
from metric_reports.view.names import label_of, plain_name
from metric_reports.view.words import first_line, in_order, label, short

Key = tuple[str, str, str, str]
"""Library, release, function and claimed metric: what a cell, a subject and a finding have in common."""
COLOURS = 8
SEVERITIES = ("error", "warning", "note")


class Variant(NamedTuple):
    """One definition behind a column: its letter (A is the most common), its colour number, who computes it."""

    metric: str
    letter: str
    colour: int
    printed: str
    formula: str | None
    keys: tuple[Key, ...]

    @property
    def name(self) -> str:
        """In plain words: ``AP over min(k, relevant)``."""
        return plain_name(self.printed)

    @property
    def label(self) -> str:
        """The same below the metric's own name: ``over min(k, relevant)``."""
        return label_of(self.printed, self.metric)


class Entry(NamedTuple):
    """One function's number in the table.

    text : the number as printed; variant : None where no variant is known; flag : empty, or the word that marks the
    entry (``unexplained``, ``error``, ``not available``, ``predicted``); note : why, in a few words; codes : its
    findings with their severity, the gravest first; apart : what the function says it is, where that is not the metric.
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
    """A metric at a cut-off: functions, definitions, the smallest and largest finite value, measured or predicted."""

    metric: str
    label: str
    functions: int
    definitions: int
    low: float | None
    high: float | None


class Row(NamedTuple):
    """A release and its entries by metric; a metric that it lacks is not in ``entries``."""

    library: Library
    entries: dict[str, list[Entry]]


class Grid(NamedTuple):
    """The table at one cut-off; apart : functions that do not claim their metric, with their libraries."""

    k: int
    columns: list[Column]
    rows: list[Row]
    apart: list[tuple[Library, Entry]]

    def part(self, metrics: Container[str]) -> Grid:
        """The columns of some metrics, and the rows that have an entry there or in no other."""
        columns = [column for column in self.columns if column.metric in metrics]
        rows = [row for row in self.rows if not row.entries or any(column.metric in row.entries for column in columns)]
        return self._replace(columns=columns, rows=rows)


def told_apart(record: Record) -> Record:
    """The record without the functions that are asked only to show something about another (``diagnostic``)."""
    left_out = {key_of(subject) for subject in record["subjects"] if subject.get("diagnostic")}
    subjects = [subject for subject in record["subjects"] if key_of(subject) not in left_out]
    cells = [cell for cell in record["cells"] if key_of(cell) not in left_out]
    return {**record, "subjects": subjects, "cells": cells}


def apart_of(record: Record) -> dict[Key, str]:
    """The functions that do not claim their metric, and what they say they are."""
    return {key_of(subject): text for subject in record["subjects"] if (text := subject.get("apart"))}


def key_of(thing: Who) -> Key:
    """The key of a cell, a subject or a finding."""
    return thing["library"], thing["release"], thing["function"], thing["metric"]


def unlisted(cell: Who) -> Library:
    """The library of a cell or subject whose record does not list it."""
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
    """How a release is named in a list: by its library alone, unless several releases of it are in the record."""
    things = [*record["cells"], *record["subjects"], *record["findings"]]
    pairs = {(one["name"], one["release"]) for one in record["libraries"]}
    pairs |= {(one["library"], one["release"]) for one in things}
    releases = Counter(library for library, _ in pairs)
    return {pair: pair[0] if releases[pair[0]] == 1 else " ".join(pair) for pair in pairs}


def functions(keys: Iterable[Key], names: dict[tuple[str, str], str]) -> str:
    """``recbole Recall, GAUC; rs_metrics recall``: functions by library."""
    groups: dict[str, list[str]] = {}
    for library, release, function, _ in keys:
        groups.setdefault(names[library, release], []).append(function)
    return "; ".join(f"{name} {', '.join(dict.fromkeys(those))}" for name, those in groups.items())


def cutoffs(record: Record) -> list[int]:
    """The cut-offs of the cells, or those that were asked for where there is no cell."""
    return sorted({cell["k"] for cell in record["cells"]} or set(record["settings"]["ks"]))


def letters() -> Iterator[str]:
    """A, B, ..., Z, AA, AB, ..."""
    yield from string.ascii_uppercase
    yield from (first + second for first in string.ascii_uppercase for second in string.ascii_uppercase)


def variants(record: Record) -> dict[str, dict[str, Variant]]:
    """The variants of each metric by printed form, in the order of their letters.

    A letter stands for the same variant at every cut-off. A is the variant that most libraries compute; among equals,
    most functions, then the shorter printed form (fewer choices off the default). Functions that do not claim the
    metric do not count for that.
    """
    record, apart = told_apart(record), apart_of(record)
    who: dict[str, dict[str, set[Key]]] = defaultdict(lambda: defaultdict(set))
    formulas: dict[str, str] = {}
    for thing in [*record["subjects"], *record["cells"]]:
        if thing["variant"] is not None:
            who[thing["metric"]][thing["variant"]].add(key_of(thing))
    for subject in record["subjects"]:
        if subject["variant"] is not None and (formula := subject.get("formula")):
            formulas.setdefault(subject["variant"], formula)

    def rank(item: tuple[str, set[Key]]) -> tuple[int, int, int, str]:
        printed, keys = item
        claiming = keys - apart.keys()
        return -len({library for library, *_ in claiming}), -len(claiming), len(printed), printed

    out = {}
    for metric in in_order(who):
        ranked = zip(letters(), enumerate(sorted(who[metric].items(), key=rank)), strict=False)
        out[metric] = {
            printed: Variant(metric, letter, index % COLOURS, printed, formulas.get(printed), tuple(sorted(keys)))
            for letter, (index, (printed, keys)) in ranked
        }
    return out


def severities(record: Record) -> dict[tuple[str, Key], str]:
    """The gravest severity of each code for each function."""
    found: dict[tuple[str, Key], str] = {}
    for finding in sorted(record["findings"], key=lambda finding: SEVERITIES.index(finding["severity"])):
        found.setdefault((finding["code"], key_of(finding)), finding["severity"])
    return found


def entry(cell: Cell, known: dict[str, dict[str, Variant]], found: dict[tuple[str, Key], str]) -> Entry:
    """What the table shows for a cell; ``found`` is what :func:`severities` gives."""
    variant = known.get(cell["metric"], {}).get(cell["variant"]) if cell["variant"] is not None else None
    pairs = [(code, found.get((code, key_of(cell)), "note")) for code in cell["findings"]]
    codes = tuple(sorted(pairs, key=lambda pair: SEVERITIES.index(pair[1])))
    text, flag, note = short(cell["value"]), "", first_line(cell["error"])
    if cell["status"] == "unexplained":
        named = variant is not None and cell["predicted"] is not None
        flag, note = "unexplained", f"predicted {short(cell['predicted'])}" if named else "no variant fits"
    elif cell["status"] == "error":
        text, flag, note = "error", "error", note or "no message"
    elif cell["status"] == "not_available":
        ready = cell["predicted"] is not None
        text, flag = (short(cell["predicted"]), "predicted") if ready else ("not available", "not available")
        note = note or "not run here"
    return Entry(cell, text, variant, flag, note, codes)


def grid(record: Record, k: int, known: dict[str, dict[str, Variant]] | None = None) -> Grid:
    """The table at one cut-off: a row for every release, a column for every metric that some release offers."""
    record, apart = told_apart(record), apart_of(record)
    known, found = variants(record) if known is None else known, severities(record)
    beside: list[tuple[Library, Entry]] = []
    rows = {(library["name"], library["release"]): Row(library, {}) for library in record["libraries"]}
    for cell in record["cells"]:
        row = rows.setdefault((cell["library"], cell["release"]), Row(unlisted(cell), {}))
        if cell["k"] != k:
            continue
        shown = entry(cell, known, found)
        if key_of(cell) in apart:
            beside.append((row.library, shown._replace(apart=apart[key_of(cell)])))
        else:
            row.entries.setdefault(cell["metric"], []).append(shown)
    for entries in (entries for row in rows.values() for entries in row.entries.values()):
        entries.sort(key=lambda one: (len(one.variant.letter), one.variant.letter) if one.variant else (9, ""))
    metrics = in_order(thing["metric"] for thing in [*record["cells"], *record["subjects"]])
    return Grid(k, [column(metric, k, rows.values()) for metric in metrics], list(rows.values()), beside)


def signature_of(cell: Cell) -> str:
    """The short form of a cell's signature; empty where no definition explains its number."""
    return cell.get("signature_short") or ""


def number_of(cell: Cell) -> float | None:
    """What a cell measured or, where it did not run, what is predicted; None where neither is known."""
    return from_json_number(cell["predicted"] if cell["status"] == "not_available" else cell["value"])


def column(metric: str, k: int, rows: Iterable[Row]) -> Column:
    """Head and foot of a column."""
    entries = [shown for row in rows for shown in row.entries.get(metric, [])]
    numbers = [number_of(shown.cell) for shown in entries]
    finite = [number for number in numbers if number is not None and math.isfinite(number)]
    definitions = len({shown.variant.printed for shown in entries if shown.variant})
    return Column(
        metric, label(metric, k), len(entries), definitions, min(finite, default=None), max(finite, default=None)
    )


def span(low: float | None, high: float | None, digits: int = 3) -> str:
    """``0.0230 to 0.0731``, or one number where both print alike, or nothing."""
    ends = list(dict.fromkeys(short(end, digits) for end in (low, high) if end is not None))
    return " to ".join(ends)


def by_code(record: Record) -> dict[str, list[Finding]]:
    """The findings of each rule code: the gravest severity first, then by code."""
    groups: dict[str, list[Finding]] = defaultdict(list)
    for finding in record["findings"]:
        groups[finding["code"]].append(finding)
    return dict(sorted(groups.items(), key=lambda item: (severity_rank(item[1]), item[0])))


def severity_rank(findings: list[Finding]) -> int:
    """0 for a group with an error, 1 for warnings, 2 for notes."""
    return min(SEVERITIES.index(finding["severity"]) for finding in findings)

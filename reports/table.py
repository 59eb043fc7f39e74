"""The library x metric table and the verdict, computed from a record. The HTML page and the terminal share it."""

from __future__ import annotations

import math
import string
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from harness.record import Record, from_json_number
from reports.words import count, first_line, in_order, label, listing, short, words

Key = tuple[str, str, str, str]
"""Library, release, function and claimed metric: what a cell, a subject and a finding have in common."""
COLOURS = 8
SAME = 1e-6
"""Values of a column this close to each other, relative to the largest, count as one value."""
SEVERITIES = ("error", "warning", "note")


class Variant(NamedTuple):
    """One definition behind a column: its letter (A is the most common), its colour number, who computes it."""

    metric: str
    letter: str
    colour: int
    printed: str
    formula: str | None
    keys: tuple[Key, ...]


class Entry(NamedTuple):
    """One function's number in the table.

    text : the number as printed; variant : None where no variant is known; flag : empty, or the word that marks the
    entry (``unexplained``, ``error``, ``not available``, ``predicted``); note : why, in a few words.
    """

    cell: dict[str, Any]
    text: str
    variant: Variant | None
    flag: str
    note: str


class Column(NamedTuple):
    """A metric at a cut-off: functions, their definitions, and the smallest and largest finite value measured."""

    metric: str
    label: str
    functions: int
    definitions: int
    low: float | None
    high: float | None


class Row(NamedTuple):
    """A release and its entries by metric; a metric that it lacks is not in ``entries``."""

    library: dict[str, Any]
    entries: dict[str, list[Entry]]


class Grid(NamedTuple):
    """The table at one cut-off."""

    k: int
    columns: list[Column]
    rows: list[Row]


class Verdict(NamedTuple):
    """What the record says, in words: one line, further sentences, and the number of cells of each kind."""

    headline: str
    sentences: list[str]
    tally: dict[str, int]


def key_of(thing: dict[str, Any]) -> Key:
    """The key of a cell, a subject or a finding."""
    return thing["library"], thing["release"], thing["function"], thing["metric"]


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
    most functions, then the shorter printed form (fewer choices off the default).
    """
    who: dict[str, dict[str, set[Key]]] = defaultdict(lambda: defaultdict(set))
    formulas: dict[str, str] = {}
    for thing in [*record["subjects"], *record["cells"]]:
        if thing["variant"] is not None:
            who[thing["metric"]][thing["variant"]].add(key_of(thing))
            if thing.get("formula"):
                formulas.setdefault(thing["variant"], thing["formula"])

    def rank(item: tuple[str, set[Key]]) -> tuple[int, int, int, str]:
        printed, keys = item
        return -len({library for library, *_ in keys}), -len(keys), len(printed), printed

    out = {}
    for metric in in_order(who):
        ranked = zip(letters(), enumerate(sorted(who[metric].items(), key=rank)), strict=False)
        out[metric] = {
            printed: Variant(metric, letter, index % COLOURS, printed, formulas.get(printed), tuple(sorted(keys)))
            for letter, (index, (printed, keys)) in ranked
        }
    return out


def entry(cell: dict[str, Any], known: dict[str, dict[str, Variant]]) -> Entry:
    """What the table shows for a cell."""
    variant = known.get(cell["metric"], {}).get(cell["variant"]) if cell["variant"] is not None else None
    text, why = short(cell["value"]), first_line(cell["error"])
    if cell["status"] == "explained":
        return Entry(cell, text, variant, "", "")
    if cell["status"] == "unexplained":
        named = variant is not None and cell["predicted"] is not None
        note = f"predicted {short(cell['predicted'])}" if named else "no variant fits"
        return Entry(cell, text, variant, "unexplained", note)
    if cell["status"] == "error":
        return Entry(cell, "error", variant, "error", why or "no message")
    if cell["predicted"] is not None:
        return Entry(cell, short(cell["predicted"]), variant, "predicted", why or "not run here")
    return Entry(cell, "not available", variant, "not available", why or "not run here")


def grid(record: Record, k: int, known: dict[str, dict[str, Variant]] | None = None) -> Grid:
    """The table at one cut-off: a row for every release, a column for every metric that some release offers."""
    known = variants(record) if known is None else known
    rows = {(library["name"], library["release"]): Row(library, {}) for library in record["libraries"]}
    for cell in record["cells"]:
        stranger = {"name": cell["library"], "title": cell["library"], "release": cell["release"]}
        row = rows.setdefault((cell["library"], cell["release"]), Row(stranger, {}))
        if cell["k"] == k:
            row.entries.setdefault(cell["metric"], []).append(entry(cell, known))
    metrics = in_order(thing["metric"] for thing in [*record["cells"], *record["subjects"]])
    return Grid(k, [column(metric, k, rows.values()) for metric in metrics], list(rows.values()))


def column(metric: str, k: int, rows: Iterable[Row]) -> Column:
    """Head and foot of a column."""
    entries = [shown for row in rows for shown in row.entries.get(metric, [])]
    numbers = [from_json_number(shown.cell["value"]) for shown in entries]
    finite = [number for number in numbers if number is not None and math.isfinite(number)]
    definitions = len({shown.variant.printed for shown in entries if shown.variant})
    return Column(
        metric, label(metric, k), len(entries), definitions, min(finite, default=None), max(finite, default=None)
    )


def span(low: float | None, high: float | None, digits: int = 3) -> str:
    """``0.0230 to 0.0731``, or one number where both print alike, or nothing."""
    ends = list(dict.fromkeys(short(end, digits) for end in (low, high) if end is not None))
    return " to ".join(ends)


def verdict(record: Record) -> Verdict:
    """What the record says, in words.

    The headline is the metric with the most definitions; among equals the one whose values lie furthest apart.
    """
    known, ks = variants(record), cutoffs(record)
    tally = dict.fromkeys(("explained", "unexplained", "error", "not_available"), 0)
    for cell in record["cells"]:
        tally[cell["status"]] += 1
    tally["with_findings"] = sum(bool(cell["findings"]) for cell in record["cells"])
    columns = [(k, column) for k in ks for column in grid(record, k, known).columns]
    columns.sort(key=lambda item: (-item[1].definitions, -_spread(item[1])))
    sentences = [_other_metrics(columns) if columns else "", _cells(record, tally), _unknown(record), _absent(record)]
    return Verdict(_headline(record, columns, ks), [text for text in sentences if text], tally)


def _headline(record: Record, columns: list[tuple[int, Column]], ks: list[int]) -> str:
    libraries = count(len({library["name"] for library in record["libraries"]}), "library", "libraries")
    if not columns or not columns[0][1].definitions:
        return f"{libraries}, no definition identified"
    k, first = columns[0]
    if first.definitions == 1:
        metrics = len({column.metric for _, column in columns if column.definitions})
        return f"{libraries}, one definition of {'each of ' if metrics > 1 else ''}{count(metrics, 'metric')}"
    users = {key[0] for variant in variants(record)[first.metric].values() for key in variant.keys}
    start = f"{count(len(users), 'library', 'libraries')}, {first.definitions} definitions of {words(first.metric)}"
    measured = span(first.low, first.high)
    at = f" (k = {k})" if len(ks) > 1 else ""
    return f"{start}; the same lists score {measured}{at}" if measured else start


def _spread(column: Column) -> float:
    return 0.0 if column.low is None or column.high is None else (column.high - column.low) / (abs(column.high) or 1.0)


def _other_metrics(columns: list[tuple[int, Column]]) -> str:
    """The other columns at the headline's cut-off, by whether their definitions and their values agree."""
    here = [column for k, column in columns if k == columns[0][0]]
    named = {column: f"{words(column.metric)} ({span(column.low, column.high)})" for column in here}
    single = [column for column in here if column.definitions == 1 and column.functions > 1]
    text = ""
    if divided := [f"{column.definitions} of {named[column]}" for column in here[1:] if column.definitions > 1]:
        text += f"There are also {listing(divided)}. "
    if alike := [words(column.metric) for column in single if _spread(column) <= SAME]:
        text += f"All agree on {listing(alike)}. "
    if edges := [named[column] for column in single if _spread(column) > SAME]:
        text += f"One definition but several values, by who counts and how ties fall: {listing(edges)}."
    return text.strip()


def _cells(record: Record, tally: dict[str, int]) -> str:
    total = len(record["cells"])
    if not total:
        return "No function was asked."
    same = sum(cell["agreement"] == "same" for cell in record["cells"] if cell["status"] == "explained")
    explained, findings = tally["explained"], tally["with_findings"]
    text = f"{explained} of {count(total, 'cell')} {'is' if explained == 1 else 'are'} explained"
    if explained:
        text += ": the definition that the probes name predicts the measured value"
        text += " to 1e-12" if same == explained else f", {same} to 1e-12 and {explained - same} in float32"
    rest = [
        f"{tally[kind]} {words_for}"
        for kind, words_for in (
            ("unexplained", "unexplained"), ("error", "ended in an error"), ("not_available", "could not run here")
        )
        if tally[kind]
    ]  # fmt: skip
    if rest:
        text += f"; {listing(rest)}"
    return f"{text}. {count(findings, 'cell carries', 'cells carry') if findings else 'No cell carries'} a finding."


def _unknown(record: Record) -> str:
    ran = {(library["name"], library["release"]) for library in record["libraries"] if library["status"] == "ran"}
    lost = [
        f"{subject['library']} {subject['function']}"
        for subject in record["subjects"]
        if not subject["identified"] and (subject["library"], subject["release"]) in ran
    ]
    return f"Not identified: {listing(lost)}." if lost else ""


def _absent(record: Record) -> str:
    gone = [f"{lib['title']} {lib['release']}" for lib in record["libraries"] if lib["status"] == "not_available"]
    return f"Not available here: {listing(gone)}." if gone else ""


def by_code(record: Record) -> dict[str, list[dict[str, Any]]]:
    """The findings of each rule code: the gravest severity first, then by code."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for finding in record["findings"]:
        groups[finding["code"]].append(finding)
    return dict(sorted(groups.items(), key=lambda item: (severity_rank(item[1]), item[0])))


def severity_rank(findings: list[dict[str, Any]]) -> int:
    """0 for a group with an error, 1 for warnings, 2 for notes."""
    return min(SEVERITIES.index(finding["severity"]) for finding in findings)

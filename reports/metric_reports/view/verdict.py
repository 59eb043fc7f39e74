"""The main results of a record, in sentences."""

from __future__ import annotations

from typing import NamedTuple

from metric_reports.tolerances import FLOAT32
from metric_reports.types.common import IN_PART, VERIFIED
from metric_reports.types.run import Record
from metric_reports.view.table import (
    Column,
    apart_of,
    cutoffs,
    functions,
    grid,
    key_of,
    severities,
    short_names,
    span,
    variants,
    without_diagnostic,
)
from metric_reports.view.words import USUAL, count, listing, words

MOST_NAMED = 8
"""More libraries than this are counted, not named."""


class Verdict(NamedTuple):
    """The main results: one line, further sentences, and the number of cells of each kind."""

    headline: str
    sentences: list[str]
    tally: dict[str, int]


def verdict(record: Record) -> Verdict:
    """The main results of a record.

    The headline is about the usual metric with the most definitions (about another one if no usual metric occurs);
    among equals, the one whose values lie furthest apart. Functions that do not claim their metric are not counted.
    """
    record = without_diagnostic(record)
    known, ks = variants(record), cutoffs(record)
    tally = dict.fromkeys(("explained", "unexplained", "error", "predicted", "not_available"), 0)
    for cell in record["cells"]:
        predicted = cell["status"] == "not_available" and cell["predicted"] is not None
        tally["predicted" if predicted else cell["status"]] += 1
    tally["with_findings"] = sum(bool(cell["findings"]) for cell in record["cells"])
    columns = [(k, column) for k in ks for column in grid(record, k, known).columns]
    columns.sort(key=lambda item: (item[1].metric not in USUAL, -item[1].definitions, -_spread(item[1])))
    sentences = [
        _other_metrics(columns) if columns else "",
        _winners(record),
        _apart(record),
        _cells(record, tally),
        _verified(record),
        _sampled(record),
        _unknown(record),
        _absent(record),
    ]
    return Verdict(_headline(record, columns, ks), [text for text in sentences if text], tally)


def _headline(record: Record, columns: list[tuple[int, Column]], ks: list[int]) -> str:
    libraries = count(len({library["name"] for library in record["libraries"]}), "library", "libraries")
    if not columns or not columns[0][1].definitions:
        return f"{libraries}, no definition identified"
    k, column = columns[0]
    if column.definitions == 1:
        metrics = len({column.metric for _, column in columns if column.definitions})
        return f"{libraries}, one definition of {'each of ' if metrics > 1 else ''}{count(metrics, 'metric')}"
    apart = apart_of(record)
    users = {key[0] for variant in variants(record)[column.metric].values() for key in variant.keys if key not in apart}
    start = f"{count(len(users), 'library', 'libraries')}, {column.definitions} definitions of {words(column.metric)}"
    measured = span(column.low, column.high)
    cutoff = f" (k = {k})" if len(ks) > 1 else ""
    return f"{start}; the same lists score {measured}{cutoff}" if measured else start


def _spread(column: Column) -> float:
    return 0.0 if column.low is None or column.high is None else (column.high - column.low) / (abs(column.high) or 1.0)


def _winners(record: Record) -> str:
    """Whether the choice of definition decides which of several models is the best."""
    section = record.get("models")
    compared = [metric for metric in section["metrics"] if len(metric["variants"]) > 1] if section else []
    if section is None or not compared:
        return ""
    models = listing([model["name"] for model in section["models"]], "or")
    changed = [metric for metric in compared if len({tuple(row["order"][0]) for row in metric["variants"]}) > 1]
    if not changed:
        return (
            f"The choice of definition does not decide which model is the best ({models}): each definition of a metric "
            "puts the same one first."
        )
    metrics = listing(dict.fromkeys(words(metric["metric"]) for metric in changed))
    return f"The choice of definition decides which model is the best ({models}): so it does for {metrics}."


def _other_metrics(columns: list[tuple[int, Column]]) -> str:
    """The other columns at the headline's cut-off, by whether their definitions and their values agree."""
    shown = [column for k, column in columns if k == columns[0][0]]
    others = [column for column in shown if column.metric not in USUAL]
    if others and len(others) < len(shown):
        shown = [column for column in shown if column.metric in USUAL]
    else:
        others = []
    named = {
        column: words(column.metric) + (f" ({ends})" if (ends := span(column.low, column.high)) else "")
        for column in shown
    }
    single = [column for column in shown if column.definitions == 1 and column.functions > 1]
    text = ""
    if divided := [f"{column.definitions} of {named[column]}" for column in shown[1:] if column.definitions > 1]:
        text += f"There are also {listing(divided)}. "
    if alike := [words(column.metric) for column in single if _spread(column) <= FLOAT32]:
        text += f"All agree on {listing(alike)}. "
    if edges := [named[column] for column in single if _spread(column) > FLOAT32]:
        text += f"One definition but several values, by who counts and how ties fall: {listing(edges)}. "
    if others:
        several = sum(column.definitions > 1 for column in others)
        text += f"{count(len(others), 'further metric')} {'has' if len(others) == 1 else 'have'} a table of their own"
        text += f"; of {several} of them there are several definitions." if several else "."
    return text.strip()


def _apart(record: Record) -> str:
    """The functions that are in no column, as they do not claim its metric."""
    number = len(apart_of(record))
    if not number:
        return ""
    return (
        f"{count(number, 'function')} of another name or meaning ({listing(sorted(set(apart_of(record).values())))}) "
        f"{'stands' if number == 1 else 'stand'} apart and do{'es' if number == 1 else ''} not count here."
    )


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
    others = [
        f"{tally[kind]} {phrase}"
        for kind, phrase in (
            ("unexplained", "unexplained"),
            ("error", "ended in an error"),
            ("predicted", "predicted from a recording, not run here"),
            ("not_available", "could not run here"),
        )
        if tally[kind]
    ]
    if others:
        text += f"; {listing(others)}"
    return f"{text}. {_findings(record, findings)}"


def _findings(record: Record, findings: int) -> str:
    if not findings:
        return "No cell carries a finding."
    gravest = severities(record)
    grave = sum(
        any(gravest.get((code, key_of(cell))) in ("error", "warning") for code in cell["findings"])
        for cell in record["cells"]
    )
    return f"{count(findings, 'cell carries', 'cells carry')} a finding, {grave} of them an error or a warning."


def _sampled(record: Record) -> str:
    samples = [cell["asked"] for cell in record["cells"] if "asked" in cell]
    if not samples:
        return ""
    cells, users = (
        count(len(samples), "cell was", "cells were"),
        f"{samples[0]['users']:,} of {samples[0]['of']:,} users",
    )
    return f"{cells} asked about a sample of {users}, the same for every library: what needs the scores of all items."


def _unknown(record: Record) -> str:
    ran = {(library["name"], library["release"]) for library in record["libraries"] if library["status"] == "ran"}
    unidentified = [
        key_of(subject)
        for subject in record["subjects"]
        if not subject["identified"] and (subject["library"], subject["release"]) in ran
    ]
    return f"Not identified: {functions(unidentified, short_names(record))}." if unidentified else ""


def _verified(record: Record) -> str:
    evidence = [
        row for subject in record["subjects"] if subject["identified"] and (row := subject.get("evidence")) is not None
    ]
    if not evidence:
        return ""
    verified = sum(row["confidence"] in (VERIFIED, IN_PART) for row in evidence)
    users = max(row["users"] for row in evidence)
    text = f"{verified} of {count(len(evidence), 'name')} {'holds' if verified == 1 else 'hold'} at size too"
    return f"{text}: on random cases with {users:,} users and cut-offs up to 200."


def _absent(record: Record) -> str:
    absent = [library for library in record["libraries"] if library["status"] == "not_available"]
    sentences = []
    for start, recorded in (("Not run here, predicted from recordings", True), ("Not available here", False)):
        names = [f"{row['title']} {row['release']}" for row in absent if bool(row.get("recorded")) == recorded]
        if names:
            few = len(names) <= MOST_NAMED
            sentences.append(f"{start}: {listing(names) if few else count(len(names), 'library', 'libraries')}.")
    return " ".join(sentences)

"""What a record says, in words."""

from __future__ import annotations

from typing import NamedTuple

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
    told_apart,
    variants,
)
from metric_reports.view.words import USUAL, count, listing, words

SAME = 1e-6
"""Values of a column this close to each other, relative to the largest, count as one value."""


NAMED = 8
"""More libraries than this are counted, not named."""


class Verdict(NamedTuple):
    """What the record says, in words: one line, further sentences, and the number of cells of each kind."""

    headline: str
    sentences: list[str]
    tally: dict[str, int]


def verdict(record: Record) -> Verdict:
    """What the record says, in words.

    The headline is the metric with the most definitions, of the usual ones if it has any of them; among equals the one
    whose values lie furthest apart. Functions that do not claim their metric count for none.
    """
    record = told_apart(record)
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
    k, first = columns[0]
    if first.definitions == 1:
        metrics = len({column.metric for _, column in columns if column.definitions})
        return f"{libraries}, one definition of {'each of ' if metrics > 1 else ''}{count(metrics, 'metric')}"
    apart = apart_of(record)
    users = {key[0] for variant in variants(record)[first.metric].values() for key in variant.keys if key not in apart}
    start = f"{count(len(users), 'library', 'libraries')}, {first.definitions} definitions of {words(first.metric)}"
    measured = span(first.low, first.high)
    at = f" (k = {k})" if len(ks) > 1 else ""
    return f"{start}; the same lists score {measured}{at}" if measured else start


def _spread(column: Column) -> float:
    return 0.0 if column.low is None or column.high is None else (column.high - column.low) / (abs(column.high) or 1.0)


def _winners(record: Record) -> str:
    """Whether the choice of definition decides which of several models is the best."""
    section = record.get("models")
    compared = [one for one in section["metrics"] if len(one["variants"]) > 1] if section else []
    if section is None or not compared:
        return ""
    models = listing([model["name"] for model in section["models"]], "or")
    changed = [one for one in compared if len({tuple(row["order"][0]) for row in one["variants"]}) > 1]
    if not changed:
        return (
            f"The choice of definition does not decide which model is the best ({models}): each definition of a metric "
            "puts the same one first."
        )
    metrics = listing(list(dict.fromkeys(words(one["metric"]) for one in changed)))
    return f"The choice of definition decides which model is the best ({models}): so it does for {metrics}."


def _other_metrics(columns: list[tuple[int, Column]]) -> str:
    """The other columns at the headline's cut-off, by whether their definitions and their values agree."""
    here = [column for k, column in columns if k == columns[0][0]]
    others = [column for column in here if column.metric not in USUAL]
    if others and len(others) < len(here):
        here = [column for column in here if column.metric in USUAL]
    else:
        others = []
    named = {
        column: words(column.metric) + (f" ({ends})" if (ends := span(column.low, column.high)) else "")
        for column in here
    }
    single = [column for column in here if column.definitions == 1 and column.functions > 1]
    text = ""
    if divided := [f"{column.definitions} of {named[column]}" for column in here[1:] if column.definitions > 1]:
        text += f"There are also {listing(divided)}. "
    if alike := [words(column.metric) for column in single if _spread(column) <= SAME]:
        text += f"All agree on {listing(alike)}. "
    if edges := [named[column] for column in single if _spread(column) > SAME]:
        text += f"One definition but several values, by who counts and how ties fall: {listing(edges)}. "
    if others:
        several = sum(column.definitions > 1 for column in others)
        text += f"{count(len(others), 'further metric')} {'has' if len(others) == 1 else 'have'} a table of their own"
        text += f"; of {several} of them there are several definitions." if several else "."
    return text.strip()


def _apart(record: Record) -> str:
    """Functions that stand in no column, as they do not claim its metric."""
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
    rest = [
        f"{tally[kind]} {words_for}"
        for kind, words_for in (
            ("unexplained", "unexplained"),
            ("error", "ended in an error"),
            ("predicted", "predicted from a recording, not run here"),
            ("not_available", "could not run here"),
        )
        if tally[kind]
    ]
    if rest:
        text += f"; {listing(rest)}"
    return f"{text}. {_found(record, findings)}"


def _found(record: Record, findings: int) -> str:
    if not findings:
        return "No cell carries a finding."
    found = severities(record)
    grave = sum(
        any(found.get((code, key_of(cell))) in ("error", "warning") for code in cell["findings"])
        for cell in record["cells"]
    )
    return f"{count(findings, 'cell carries', 'cells carry')} a finding, {grave} of them an error or a warning."


def _sampled(record: Record) -> str:
    asked = [cell["asked"] for cell in record["cells"] if "asked" in cell]
    if not asked:
        return ""
    one, many = count(len(asked), "cell was", "cells were"), f"{asked[0]['users']:,} of {asked[0]['of']:,} users"
    return f"{one} asked about a sample of {many}, the same for every library: what needs the scores of all items."


def _unknown(record: Record) -> str:
    ran = {(library["name"], library["release"]) for library in record["libraries"] if library["status"] == "ran"}
    lost = [
        key_of(subject)
        for subject in record["subjects"]
        if not subject["identified"] and (subject["library"], subject["release"]) in ran
    ]
    return f"Not identified: {functions(lost, short_names(record))}." if lost else ""


def _verified(record: Record) -> str:
    held = [
        evidence for one in record["subjects"] if one["identified"] and (evidence := one.get("evidence")) is not None
    ]
    if not held:
        return ""
    sure = sum(one["confidence"] == "verified" for one in held)
    asked = max(one["users"] for one in held)
    text = f"{sure} of {count(len(held), 'name')} {'holds' if sure == 1 else 'hold'} at size too"
    return f"{text}: on random cases with {asked:,} users and cut-offs up to 200."


def _absent(record: Record) -> str:
    away = [lib for lib in record["libraries"] if lib["status"] == "not_available"]
    text = ""
    for start, recorded in (("Not run here, predicted from recordings", True), ("Not available here", False)):
        gone = [f"{lib['title']} {lib['release']}" for lib in away if bool(lib.get("recorded")) == recorded]
        if gone:
            text += f"{start}: {listing(gone) if len(gone) <= NAMED else count(len(gone), 'library', 'libraries')}. "
    return text.strip()

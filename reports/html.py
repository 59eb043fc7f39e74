"""The HTML report: one self-contained page, made from a record alone. No script runs in it and nothing is loaded."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup

from harness.record import Record, from_json_number
from reports import paper, words
from reports.method import method
from reports.table import (
    SEVERITIES,
    Key,
    Variant,
    by_code,
    cutoffs,
    grid,
    key_of,
    severity_rank,
    span,
    variants,
)
from reports.verdict import verdict

TEMPLATES = Path(__file__).parent / "templates"
PROBE_TOLERANCE = 1e-6
SECTIONS = ("results", "paper", "definitions", "findings", "functions", "method", "reading")

SUBJECT: dict[str, Any] = {
    "claim": None, "address": None, "formula": None, "alternatives": [], "answers": [], "source": {},
}  # fmt: skip
LIBRARY: dict[str, Any] = {"note": None, "python": None, "packages": {}, "stderr": ""}


class Box(NamedTuple):
    """One rank of a drawn list; ``beyond``: it lies past the cut-off."""

    rank: int
    item: Any
    hit: bool
    beyond: bool


class Strip(NamedTuple):
    """A user of a small case: the ranked list and the relevant items, each with its gain if gains differ from 1."""

    boxes: list[Box]
    relevant: list[str]


def render_html(record: Record) -> str:
    """The report of a record that fits the schema ``run``: a whole HTML document.

    Every text of the record is escaped; only http(s) addresses become links; the page's own policy forbids scripts and
    loading, so that a library's name or error message cannot act.
    """
    known, names = variants(record), Anchors(record)
    cells: dict[Key, list[dict[str, Any]]] = {}
    for cell in record["cells"]:
        cells.setdefault(key_of(cell), []).append(cell)
    functions: dict[str, list[dict[str, Any]]] = {}
    for subject in record["subjects"]:
        heading = f"{names.title(subject)} {subject['release']}"
        functions.setdefault(heading, []).append(subject_view(subject, cells, known, record, names))
    dataset = record["bundle"].get("dataset")
    page = environment().get_template("report.html.j2")
    return page.render(
        record=record,
        verdict=verdict(record),
        grids=[grid(record, k, known) for k in cutoffs(record)],
        known=known,
        names=names,
        values=values(record, known),
        functions=functions,
        libraries=[{**LIBRARY, **library} for library in record["libraries"]],
        dataset=dataset.get("name") if isinstance(dataset, dict) else dataset,
        findings=[group_view(code, group) for code, group in by_code(record).items()],
        method=method(record["bundle"]),
        probes=[(probe, [strip(user, probe["k"]) for user in probe["users"]]) for probe in record["probes"]],
    )


@cache
def environment() -> jinja2.Environment:
    """Jinja with escaping always on; a template that asks for what is not there fails instead of printing nothing."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        short=words.short, full=words.full, words=words.words, address=words.web_address,
        first_line=words.first_line, moment=words.moment, breakable=breakable, plain=words.plain,
        number_of=lambda things, one, many=None: words.count(len(things), one, many),
    )  # fmt: skip
    made.globals.update(
        basis=paper.basis, told=paper.told, found=paper.found, column_head=paper.head, signs=paper.SIGNS
    )
    made.globals.update(AGREEMENT=words.AGREEMENT, EDGES=words.EDGES, span=span, key_of=key_of)
    return made


def printable(value: Any) -> Any:
    """What Jinja prints: the record's texts without control characters, our own markup as it is."""
    return words.clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def breakable(printed: str) -> Markup:
    """A variant's printed form that may break after a bracket, an equals sign or an underscore; escaped."""
    return Markup("<wbr>").join(re.split(r"(?<=[(=_])", words.clean(printed)))


def slug(*parts: str) -> str:
    """A name fit for an id, made of letters, digits, ``_`` and ``-``."""
    return "-".join(filter(None, (re.sub(r"[^A-Za-z0-9_]+", "-", part).strip("-") for part in parts))) or "x"


class Anchors:
    """The id of every place that the page links to."""

    def __init__(self, record: Record) -> None:
        self.taken: set[str] = set(SECTIONS)
        self.titles = {(one["name"], one["release"]): one["title"] for one in record["libraries"]}
        self.subjects: dict[Key, str] = {}
        self.findings: dict[tuple[str, Key], str] = {}
        self.codes: dict[str, str] = {}
        self.places: dict[int, str] = {}
        for subject in record["subjects"]:
            self.subjects[key_of(subject)] = self.new("function", subject["library"], subject["function"])
        for code, group in by_code(record).items():
            self.codes[code] = self.new(code)
            for finding in group:
                self.places[id(finding)] = self.new(code, finding["library"], finding["function"])
                self.findings.setdefault((code, key_of(finding)), self.places[id(finding)])

    def new(self, *parts: str) -> str:
        """An id that no other place has."""
        name = base = slug(*parts)
        number = 1
        while name in self.taken:
            number += 1
            name = f"{base}-{number}"
        self.taken.add(name)
        return name

    def finding(self, code: str, cell: dict[str, Any]) -> str | None:
        """Where a cell's finding is told: the finding of this function, else its code's section, else nowhere."""
        return self.findings.get((code, key_of(cell))) or self.codes.get(code)

    def place(self, finding: dict[str, Any]) -> str:
        """Where a finding is told."""
        return self.places[id(finding)]

    def title(self, thing: dict[str, Any]) -> str:
        """A library's title."""
        return self.titles.get((thing["library"], thing["release"]), thing["library"])

    def variant(self, variant: Variant) -> str:
        """Where a variant is described."""
        return slug("variant", variant.metric, variant.letter)


def values(record: Record, known: dict[str, dict[str, Variant]]) -> dict[tuple[str, str], list[tuple[int, str]]]:
    """By metric and letter: the cut-offs and the smallest to largest value that the variant's functions returned."""
    numbers: dict[tuple[str, str, int], list[float]] = {}
    for cell in record["cells"]:
        number = from_json_number(cell["value"])
        variant = known.get(cell["metric"], {}).get(cell["variant"])
        if variant and number is not None and math.isfinite(number):
            numbers.setdefault((cell["metric"], variant.letter, cell["k"]), []).append(number)
    out: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for (metric, letter, k), found in sorted(numbers.items(), key=lambda item: item[0][2]):
        out.setdefault((metric, letter), []).append((k, span(min(found), max(found), 4)))
    return out


def subject_view(
    subject: dict[str, Any],
    cells: dict[Key, list[dict[str, Any]]],
    known: dict[str, dict[str, Variant]],
    record: Record,
    names: Anchors,
) -> dict[str, Any]:
    """A subject with its cells, findings and answers, every optional part present."""
    key = key_of(subject)
    own = sorted(cells.get(key, []), key=lambda cell: cell["k"])
    optional: dict[str, Any] = {
        "claim": None,
        "address": None,
        "formula": None,
        "alternatives": [],
        "answers": [],
        "source": {},
    }
    filled = {**optional, **subject}
    return {
        **filled,
        "id": names.subjects[key],
        "answered": any(answer["value"] is not None for answer in filled["answers"]),
        "known": known.get(subject["metric"], {}).get(subject["variant"]),
        "cells": own,
        "warnings": list(dict.fromkeys(text for cell in own for text in cell.get("warnings", []))),
        "findings": [finding for finding in record["findings"] if key_of(finding) == key],
        "answers": [{**answer, "fits": fits(answer)} for answer in filled["answers"]],
    }


def fits(answer: dict[str, Any]) -> bool | None:
    """Whether a probe's answer is the expected one, NaN equal to NaN; None where either is missing."""
    value, expected = from_json_number(answer["value"]), from_json_number(answer["expected"])
    if value is None or expected is None:
        return None
    if math.isnan(value) or math.isnan(expected):
        return math.isnan(value) and math.isnan(expected)
    return value == expected or abs(value - expected) <= PROBE_TOLERANCE * max(1.0, abs(expected))


def group_view(code: str, findings: list[dict[str, Any]]) -> dict[str, Any]:
    """The findings of one code, told so that nothing is said twice.

    Findings that share a small case are one part: the case is drawn once, with a row for every answer to it; findings
    that say the same share one message. Advice that all give stands once for the group.
    """
    parts: dict[str, dict[str, Any]] = {}
    advice = {finding["advice"] for finding in findings}
    for finding in findings:
        case = finding["case"]
        drawn = repr({name: case[name] for name in ("probe", "k", "users")}) if case else ""
        blank = {"case": case, "strips": [], "messages": {}, "rows": {}, "advice": finding["advice"]}
        part = parts.setdefault(repr((drawn, finding["advice"])), blank)
        part["messages"].setdefault((finding["severity"], finding["message"]), []).append(finding)
        if case:
            part["strips"] = [strip(user, case["k"]) for user in case["users"]]
            row = (case["value"], case["standard"], case["standard_value"])
            part["rows"].setdefault(row, []).append(finding)
    return {
        "code": code,
        "severity": SEVERITIES[severity_rank(findings)],
        "title": findings[0]["title"],
        "functions": len({key_of(finding) for finding in findings}),
        "advice": advice.pop() if len(advice) == 1 else None,
        "parts": list(parts.values()),
    }


def strip(user: dict[str, Any], k: int) -> Strip:
    """A user of a probe or of a finding's case, ready to be drawn."""
    listed, hits = user.get("list") or [], user.get("hits") or []
    relevant, gains = user.get("relevant") or [], user.get("gains") or []
    boxes = [
        Box(rank, item, bool(hit), rank > k)
        for rank, (item, hit) in enumerate(zip_longest(listed, hits[: len(listed)], fillvalue=False), start=1)
    ]
    graded = any(gain != 1 for gain in gains)
    texts = [
        f"{item} (gain {gain:g})" if graded else f"{item}" for item, gain in zip_longest(relevant, gains, fillvalue=1)
    ]
    return Strip(boxes, texts[: len(relevant)])

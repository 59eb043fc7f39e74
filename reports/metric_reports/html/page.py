"""The HTML report: one self-contained page, made from a record alone. It loads nothing and runs only our scripts."""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from metric_reports.formats import paper_text as paper
from metric_reports.html.anchors import Anchors, slug
from metric_reports.html.charts import charts
from metric_reports.html.curves import curve_plot
from metric_reports.html.jinja import templates_in
from metric_reports.html.questions import questions
from metric_reports.html.scripts import policy, scripts
from metric_reports.html.strips import strip
from metric_reports.record import from_json_number
from metric_reports.types.run import Cell, Record
from metric_reports.view import words
from metric_reports.view.differences import histogram
from metric_reports.view.groups import group_view
from metric_reports.view.matters import matters
from metric_reports.view.method import method
from metric_reports.view.models import models_view
from metric_reports.view.names import plain_name
from metric_reports.view.overview import families, others, usual_of
from metric_reports.view.page_data import embedded, page_data
from metric_reports.view.remarks import REMARKS
from metric_reports.view.reproduce import reproduce
from metric_reports.view.sampled_view import sampled_view
from metric_reports.view.subjects import LIBRARY_DEFAULTS, subject_view
from metric_reports.view.table import (
    COLOURS,
    Key,
    Variant,
    by_code,
    cutoffs,
    grid,
    key_of,
    number_of,
    span,
    variants,
    without_diagnostic,
)
from metric_reports.view.verdict import verdict

TEMPLATES = Path(__file__).parent / "templates"
BLOCK_BREAK = re.compile(
    r"\s*\n\s*(</?(?:article|div|dd|dl|dt|figure|h[1-6]|li|p|section|table|t[dhr]|tbody|thead|ul)\b)"
)
"""A line break before a block element; without it the page has fewer text nodes and looks the same."""
LAST_WITH_COLOUR = string.ascii_uppercase[COLOURS - 1]


def render_html(record: Record) -> str:
    """The report of a record that fits the schema ``run``, as an HTML document.

    Every text of the record is escaped, and only http(s) addresses become links. The page's Content-Security-Policy
    forbids loading and all scripts but ours, so that a library's name or error message cannot run code.
    """
    known, names = variants(record), Anchors(record)
    cells: dict[Key, list[Cell]] = {}
    for cell in record["cells"]:
        cells.setdefault(key_of(cell), []).append(cell)
    functions: dict[str, list[dict[str, Any]]] = {}
    first_with: dict[tuple[int, str], dict[str, Any]] = {}
    for subject in record["subjects"]:
        heading = f"{names.title(subject)} {subject['release']}"
        view = {**subject_view(subject, cells, known, record), "id": names.subjects[key_of(subject)]}
        of_release = functions.setdefault(heading, [])
        view["gaps"] = [(k, histogram(gaps), first_with.setdefault((k, repr(gaps)), view)) for k, gaps in view["gaps"]]
        view["gaps"] = [(k, drawn, None if first is view else first) for k, drawn, first in view["gaps"]]
        view["called_as"] = next((other for other in of_release if other["call"] == view["call"]), None)
        of_release.append(view)
    tables = [grid(record, k, known) for k in cutoffs(record)]
    usual = usual_of(tables)
    sampled = sampled_view(record)
    page = environment().get_template("report.html.j2")
    text = page.render(
        record=record,
        verdict=verdict(record),
        grids=[table.part(usual) for table in tables],
        usual=usual,
        headline=max(tables[0].columns, key=lambda col: col.definitions).metric if tables and tables[0].columns else "",
        apart=[(table.k, library, entry) for table in tables for library, entry in table.apart],
        others=others(tables[0], usual) if tables else [],
        known=known,
        names=names,
        values=values(record, known),
        signed=signed(record),
        remarks={
            metric: [(remark, [strip(user, remark.k) for user in remark.users]) for remark in remarks]
            for metric, remarks in REMARKS.items()
        },
        charts=charts(without_diagnostic(record), known, usual),
        kinds=kinds(record),
        functions=functions,
        libraries=[{**LIBRARY_DEFAULTS, **library} for library in record["libraries"]],
        dataset=record["bundle"]["dataset"]["name"],
        findings=[group_view(code, group) for code, group in by_code(record).items()],
        method=method(record["bundle"]),
        models=models_view(record, known),
        matters=matters(record),
        sampled=sampled,
        curves=[curve_plot(curve, sampled.models, f"curve-{n}") for n, curve in enumerate(sampled.curves)]
        if sampled is not None
        else [],
        command=reproduce(record),
        data=embedded(page_data(record, known, names.subjects, names.variant)),
        questions=questions(record, known, names),
        publications=record.get("publications", {}),
    )
    markup, tag, script = text.partition("<script")  # the first of our scripts: the record's texts are escaped
    return re.sub(r"\n\s+(?=<)", "\n", BLOCK_BREAK.sub(r"\1", markup)) + tag + script


@cache
def environment() -> jinja2.Environment:
    """The templates of the report."""
    templates = templates_in(TEMPLATES)
    templates.filters.update(
        short=words.short,
        full=words.full,
        words=words.words,
        first_line=words.first_line,
        moment=words.moment,
        plain=words.plain,
        plain_name=plain_name,
        slug=slug,
        host=words.host,
        shade=shade,
        families=families,
        pair=lambda metric: (metric, words.words(metric)),
        code_of=lambda group: (group["code"], f"{group['code']} {group['title']}"),
        number_of=lambda items, singular, plural=None: words.count(len(items), singular, plural),
    )
    templates.globals.update(
        basis=paper.basis, told=paper.told, found=paper.found, column_head=paper.head, signs=paper.SIGNS
    )
    templates.globals.update(scripts=scripts, policy=policy)
    templates.globals.update(AGREEMENT=words.AGREEMENT, EDGES=words.EDGES, span=span, key_of=key_of, number=number)
    return templates


def shade(variant: Variant) -> str:
    """The CSS classes that colour a variant; from a metric's ninth variant on, colours repeat with stripes."""
    return f"v{variant.colour}" + (" again" if len(variant.letter) > 1 or variant.letter > LAST_WITH_COLOUR else "")


def number(cell: Cell) -> str:
    """The sort key of a cell in the page's table: its value or the predicted one; empty if that is no finite number."""
    value = number_of(cell)
    return repr(value) if value is not None and math.isfinite(value) else ""


def kinds(record: Record) -> list[tuple[str, str]]:
    """The releases to choose from above the page's table; empty if all are the newest and none is the paper's."""
    papers = any(library.get("paper") for library in record["libraries"])
    older = any(not library.get("newest", True) for library in record["libraries"])
    options = [("all", "all"), ("newest", "newest")] + ([("paper", "of the paper")] if papers else [])
    return options if papers or older else []


def values(record: Record, known: dict[str, dict[str, Variant]]) -> dict[tuple[str, str], list[tuple[int, str]]]:
    """By metric and letter: each cut-off with the span of the values that the variant's functions returned."""
    numbers: dict[tuple[str, str, int], list[float]] = {}
    for cell in record["cells"]:
        number = from_json_number(cell["value"])
        variant = known.get(cell["metric"], {}).get(cell["variant"] or "")
        if variant and number is not None and math.isfinite(number):
            numbers.setdefault((cell["metric"], variant.letter, cell["k"]), []).append(number)
    spans: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for (metric, letter, k), returned in sorted(numbers.items(), key=lambda item: item[0][2]):
        spans.setdefault((metric, letter), []).append((k, span(min(returned), max(returned), 4)))
    return spans


def signed(record: Record) -> dict[tuple[str, str], Cell]:
    """By metric and printed form: a cell with the most common signature of that definition's functions."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    cells: dict[str, Cell] = {}
    for cell in record["cells"]:
        short = cell.get("signature_short")
        if short and cell["variant"] is not None:
            counts.setdefault((cell["metric"], cell["variant"]), Counter())[short] += 1
            cells.setdefault(short, cell)
    return {pair: cells[counter.most_common(1)[0][0]] for pair, counter in counts.items()}

"""A scan as Markdown: one table of functions, and which of them differ."""

from __future__ import annotations

import re

from metric_reports.types.audit import Subject
from metric_reports.types.scan import Function, Scan
from metric_reports.view.words import clean


def render_scan_markdown(record: Scan) -> str:
    """The functions of a scan in one table, and the definitions of each metric that has several."""
    lines = [f"# Metrics in {cell(record['path'])}", ""]
    lines += ["| where | function | computes | rests on | findings |", "|---|---|---|---|---|"]
    for function in record["functions"]:
        location, state = f"{function['file']}:{function['line']}", function["state"]
        if state in ("left out", "listed"):
            reason = function["reason"] or "; ".join(function["why"])
            lines.append(row(location, function["name"], reason, state, ""))
        elif state == "failed":
            lines.append(row(location, function["name"], function["reason"] or "", state, ""))
        for subject in function["subjects"]:
            codes = " ".join(dict.fromkeys(finding["code"] for finding in subject["findings"]))
            result = subject["variant"] or subject["evidence"]["reason"] or "no known definition"
            lines.append(row(location, name_of(function, subject), result, subject["evidence"]["confidence"], codes))
    differing = [group for group in record["metrics"] if group["differ"]]
    if differing:
        lines += ["", "## Who differs from whom", ""]
    for group in differing:
        lines.append(f"* **{cell(group['metric'].replace('_', ' '))}**")
        for variant in group["variants"]:
            names = ", ".join(cell(member["function"]) for member in variant["functions"])
            lines.append(f"  * `{cell(variant['variant'])}`: {names}")
    return "\n".join(lines) + "\n"


def row(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(cell, cells))} |"


def cell(text: str) -> str:
    """A text escaped for a cell of a Markdown table."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", " ".join(clean(text).split()))


def name_of(function: Function, subject: Subject) -> str:
    """The name of a function, with the element of its return if it returns several metrics."""
    _, bracket, element = subject["target"].rpartition(":")[2].partition("[")
    return f"{function['name']}[{element.replace(']', '')}]" if bracket else function["name"]

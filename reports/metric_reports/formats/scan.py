"""A scan as Markdown: one table of functions, and which of them differ."""

from __future__ import annotations

from metric_reports.types.audit import Subject
from metric_reports.types.scan import Function, Scan
from metric_reports.view.words import clean


def render_scan_markdown(record: Scan) -> str:
    """The functions of a scan in one table, and the definitions of each metric that has several."""
    lines = [f"# Metrics in {cell(record['path'])}", ""]
    lines += ["| where | function | computes | rests on | findings |", "|---|---|---|---|---|"]
    for one in record["functions"]:
        where = f"{one['file']}:{one['line']}"
        if one["state"] in ("left out", "listed"):
            why = one["reason"] or "; ".join(one["why"])
            lines.append(row(where, one["name"], why, one["state"], ""))
        elif one["state"] == "failed":
            lines.append(row(where, one["name"], one["reason"] or "", "failed", ""))
        for subject in one["subjects"]:
            codes = " ".join(dict.fromkeys(found["code"] for found in subject["findings"]))
            said = subject["variant"] or subject["evidence"]["reason"] or "no known definition"
            lines.append(row(where, name_of(one, subject), said, subject["evidence"]["confidence"], codes))
    differing = [group for group in record["metrics"] if group["differ"]]
    if differing:
        lines += ["", "## Who differs from whom", ""]
    for group in differing:
        lines.append(f"* **{cell(group['metric'].replace('_', ' '))}**")
        for each in group["variants"]:
            names = ", ".join(cell(found["function"]) for found in each["functions"])
            lines.append(f"  * `{cell(each['variant'])}`: {names}")
    return "\n".join(lines) + "\n"


def row(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(cell, cells))} |"


def cell(text: str) -> str:
    """A text that cannot leave its cell or become markup."""
    plain = " ".join(clean(text).split())
    for sign in "\\`*_[]<>|":
        plain = plain.replace(sign, f"\\{sign}")
    return plain


def name_of(function: Function, subject: Subject) -> str:
    """The name of a function with the element of its return that a row is about."""
    _, bracket, element = subject["target"].rpartition(":")[2].partition("[")
    return f"{function['name']}[{element.replace(']', '')}]" if bracket else function["name"]

"""An audit for people: an HTML page, and Markdown short enough for a comment on a pull request."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from metric_reports.audit.case_lines import case_lines, named
from metric_reports.audit.table import NOTHING, differs
from metric_reports.audit.text import computed, confidences, foldable, unnamed
from metric_reports.html.page import environment
from metric_reports.html.strips import strip
from metric_reports.types.audit import Audit
from metric_reports.view import words

SIGNS = {"error": "❌", "warning": "⚠️", "note": "ℹ️"}
MOST_NAMED = 8
"""How many functions of a finding are named."""
LONGEST_PAGE = 60_000
"""GitHub refuses a comment of more than 65,536 characters."""


def headline(record: Audit) -> str:
    """The result in a few words."""
    subjects = record["subjects"]
    if "same" in record:
        names = words.listing(subject["target"] for subject in subjects)
        if not record["same"] and all(finding["code"] == "CMP002" for finding in record["findings"]):
            return f"{names} follow the same definition, but they differ at the edges"
        return f"{names} follow {'the same definition' if record['same'] else 'different definitions'}"
    if len(subjects) == 1:
        return f"{subjects[0]['target']} computes {computed(subjects[0])}"
    return f"{words.count(len(subjects), 'function')}, {confidences(record)}"


def evidence(subject: Mapping[str, Any]) -> str:
    """The evidence in one line: the confidence in a word, then the numbers."""
    return f"{subject['evidence']['confidence']}: {subject['evidence']['summary']}"


def worst(subject: Mapping[str, Any]) -> str:
    """Code and title of the most severe finding; a dash if there is none."""
    first = next(iter(subject["findings"]), None)
    return NOTHING if first is None else f"{first['code']} {first['title']}"


def render_audit_html(record: Audit) -> str:
    """An audit as one self-contained page; every text of the record is escaped, no script runs, nothing is loaded."""
    subjects = [*record["subjects"], record]
    severities = [finding["severity"] for subject in subjects for finding in subject.get("findings", [])]
    return (
        environment()
        .get_template("audit.html.j2")
        .render(
            record=record,
            headline=headline(record),
            tally={severity: severities.count(severity) for severity in ("error", "warning", "note")},
            names=[subject["target"] for subject in record["subjects"]],
            compared="same" in record,
            differs=differs,
            worst=worst,
            unnamed=unnamed,
            folded=[
                [finding for finding in subject["findings"][1:] if foldable(finding)] for subject in record["subjects"]
            ],
            strips=lambda case: [strip(user, case["k"]) for user in case["users"]],
        )
    )


def render_markdown(record: Audit) -> str:
    """A heading, a row for each function, a row for each kind of finding, and a folded case of each kind."""
    head = [f"### {escaped(headline(record))}", ""]
    functions, groups, cases = [], grouped(record), []
    if len(record["subjects"]) > 1:
        head += ["| function | computes | differs from the usual | verified | worst finding |", f"|{' --- |' * 5}"]
        functions = [table_row(subject) for subject in record["subjects"]]
    else:
        head += [escaped(evidence(record["subjects"][0])), ""]
    rows = ["", "| | code | function | finding |", "| --- | --- | --- | --- |"] if groups else []
    for (severity, rule, message), group in groups.items():
        names = ", ".join(code(function["target"]) for function in group[:MOST_NAMED])
        more = f" and {len(group) - MOST_NAMED} more" if len(group) > MOST_NAMED else ""
        rows.append(f"| {SIGNS[severity]} {severity} | {rule} | {names}{more} | {escaped(message)} |")
        first = next((function for function in group if function["case"]), None)
        if first is not None:
            cases.append(folded(f"{rule} {first['target']}", case_lines(first["case"])))
    if case := record.get("case"):
        targets = [subject["target"] for subject in record["subjects"]]
        cases.insert(0, folded("The smallest list on which they differ", case_lines(case, targets)))
    if not groups and "same" not in record:
        rows.append("No findings.")
    foot = f"\n<sub>metric-harness {escaped(record['harness']['version'])}</sub>"
    parts = [*head, *within(functions, LONGEST_PAGE // 4, "functions"), *within(rows, LONGEST_PAGE // 4, "findings")]
    return "\n".join([*parts, *within(cases, LONGEST_PAGE // 2, "cases"), foot])


def table_row(subject: Mapping[str, Any]) -> str:
    """The row of a function in the first table."""
    confidence = subject["evidence"]["confidence"]
    cells = [
        code(subject["target"]),
        code(named(subject)) if subject["variant"] else escaped(unnamed(subject)),
        code(differs(subject)) if subject["differs"] else NOTHING,
        "yes" if confidence == "verified" else escaped(confidence),
        escaped(worst(subject)),
    ]
    return f"| {' | '.join(cells)} |"


def grouped(record: Audit) -> dict[tuple[str, str, str], list[dict[str, Any]]]:
    """The functions of each finding, by severity, code and message."""
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for subject in record["subjects"]:
        for finding in subject["findings"]:
            key = (finding["severity"], finding["code"], finding["message"])
            groups.setdefault(key, []).append({"target": subject["target"], "case": finding["case"]})
    return groups


def folded(title: str, lines: list[str]) -> str:
    """A case that unfolds on a click, as one block."""
    fence = "`" * max(3, 1 + longest_run("\n".join(lines)))
    text = "\n".join([f"{fence}text", *map(words.clean, lines), fence])
    name = html.escape(" ".join(words.clean(title).split()))
    return f"\n<details><summary><code>{name}</code></summary>\n\n{text}\n\n</details>"


def within(blocks: list[str], room: int, what: str) -> list[str]:
    """The blocks that fit into ``room`` characters, and a line that counts the others as ``what``."""
    kept: list[str] = []
    for index, block in enumerate(blocks):
        room -= len(block) + 1
        if room < 0:
            return [*kept, "", f"{len(blocks) - index} more {what} are left out; `--format html` shows all.", ""]
        kept.append(block)
    return kept


def escaped(text: str) -> str:
    """Text that Markdown shows literally: no markup, no HTML, no mention of a person, no end of a table's cell."""
    line = html.escape(" ".join(words.clean(text).split()), quote=False)
    return re.sub(r"([\\`*_{}\[\]()#+!|~@-])", r"\\\1", line)


def code(text: str) -> str:
    """Text as code, in a table too."""
    line = " ".join(words.clean(text).split())
    fence = "`" * (1 + longest_run(line))
    pad = " " if line[:1] == "`" or line[-1:] == "`" else ""
    return f"{fence}{pad}{line}{pad}{fence}".replace("|", "\\|")


def longest_run(text: str) -> int:
    """The length of the longest run of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)

"""A scan as text and as Markdown: a table of the functions, and the metrics on which they differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from rich.text import Text

from metric_reports.audit.case_lines import named, safe, where_alone
from metric_reports.audit.table import STYLES
from metric_reports.distributions import distribution_of
from metric_reports.evidence_line import counted
from metric_reports.formats.lines import folded
from metric_reports.types.audit import Subject
from metric_reports.types.scan import Function, Scan
from metric_reports.view.words import SCREEN, WIDTH, aligned, clean, fitted

CONFIDENCE = {
    "verified": "green",
    "verified in part": "yellow",
    "probes only": "yellow",
    "refused": "red",
    "failed": "red",
    "left out": "dim",
    "listed": "",
}
KINDS = {
    "hidden": "hidden folders",
    "environment": "virtual environments and installed packages",
    "tests": "folders and files of tests",
    "built": "build folders",
    "excluded": "excluded by --exclude or not in --include",
    "link": "symbolic links to folders",
    "notebook": "notebooks: export them with `jupyter nbconvert --to script` to scan them",
}
"""Why files and folders are left out without being read."""
MOST_SHOWN = 12
"""How many unread files are named, and how many functions of each definition."""
LEAST_RESULT = 34
"""Columns that the last column of the short table has at least; folders go before it is narrower."""
MAX_ROWS, MAX_DIFFERENCES, MAX_REMARKS = 20, 8, 6
"""How many functions, metrics with several definitions and lines of remarks fit on one screen."""


def scan_lines(record: Scan, width: int = WIDTH, verbose: bool = True) -> list[Text]:
    """A scan as lines, without markup and control characters; all of it if ``verbose``, else at most 40."""
    lines = [Text(heading(record), "bold"), Text()]
    if nothing_run(record):
        lines += candidate_lines(record)
    else:
        full = [*table(record, width), *difference_lines(record, width), *remarks(record, width)]
        lines += full if verbose or len(full) + 4 <= SCREEN else short_lines(record, width)
        return [*lines, Text(summary(record), "bold")]
    return [*lines, *remarks(record, width), Text(summary(record), "bold")]


def nothing_run(record: Scan) -> bool:
    """Whether functions are listed alone, because that was asked or because none can be audited."""
    states = {function["state"] for function in record["functions"]}
    return bool(states) and states <= {"listed", "left out"}


def short_lines(record: Scan, width: int) -> list[Text]:
    """The first functions, unverified ones first; metrics with several variants; the first remarks: a line for each."""
    cells = sorted(rows(record), key=lambda row: row[2] == "verified")
    shown = [tuple(map(safe, row)) for row in cells[:MAX_ROWS]]
    if sum(max((len(row[column]) for row in shown), default=0) + 2 for column in range(3)) > width - LEAST_RESULT:
        shown = [(where.rpartition("/")[2], *rest) for where, *rest in shown]
    lines = []
    for line, (_, _, confidence, _) in zip(aligned(shown), shown, strict=True):
        text, begin = Text(line), line.index(f"  {confidence}  ") + len(confidence) + 4
        text.highlight_words([f"  {confidence}  "], CONFIDENCE[confidence])
        if confidence in ("refused", "failed"):  # a reason is cut, a definition is not
            text.truncate(max(width, begin + LEAST_RESULT), overflow="ellipsis")
        lines.append(text)
    differing = [group for group in record["metrics"] if group["differ"]]
    for group in differing[:MAX_DIFFERENCES]:
        names = [f"{variant['variant']} in {len(variant['functions'])}" for variant in group["variants"]]
        start = f"{safe(group['metric']).replace('_', ' ')}: {len(names)} definitions: "
        lines.append(Text(fitted(start, names, width), STYLES["error"]))
    notes = list(remarks(record, width))
    lines += notes[:MAX_REMARKS]
    hidden = (
        (len(cells) - MAX_ROWS, "function"),
        (len(differing) - MAX_DIFFERENCES, "metric"),
        (len(notes) - MAX_REMARKS, "remark line"),
    )
    if counts := [counted(number, word) for number, word in hidden if number > 0]:
        lines.append(Text(f"Not listed: {', '.join(counts)}; --verbose lists all.", "dim"))
    return lines


def heading(record: Scan) -> str:
    """How many files were read and how many functions look like a metric."""
    metrics = sum(function["state"] != "left out" for function in record["functions"])
    verb = "looks" if metrics == 1 else "look"
    return safe(f"{record['path']}: {counted(record['files']['read'], 'file')}, {metrics} {verb} like a metric")


def candidate_lines(record: Scan) -> Iterator[Text]:
    """The candidates with what makes each look like a metric, file by file."""
    for file, functions in groupby(record["functions"], key=lambda function: function["file"]):
        yield Text(safe(file), "underline")
        for function in functions:
            mark = f"  not audited: {function['reason']}" if function["reason"] else ""
            line = f"{function['line']:6}  {function['name']}  ({'; '.join(function['why'])}){mark}"
            yield Text(safe(line), "dim" if mark else "")
    if record["functions"]:
        yield Text()


def rows(record: Scan) -> Iterator[tuple[str, str, str, str]]:
    """Of each function: file and line, name, confidence, and the variant or the reason why it has none."""
    for function in record["functions"]:
        location = f"{function['file']}:{function['line']}"
        if function["state"] == "left out":
            continue
        if function["state"] == "failed":
            yield location, function["name"], "failed", function["reason"] or ""
        for subject in function["subjects"]:
            codes = list(dict.fromkeys(row["code"] for row in subject["findings"] if row["severity"] != "note"))
            if subject["variant"]:
                confidence, result = subject["evidence"]["confidence"], named(subject)
            else:
                confidence, result = "refused", refused_because(subject)
                codes = [code for code in codes if code in ("VER001", "OLD001", "AMB001", "AMB002")]
            yield location, name_of(function, subject), confidence, f"{result}  {' '.join(codes)}".rstrip()


def refused_because(subject: Mapping[str, Any]) -> str:
    """Why a function has no name, in one sentence."""
    old = next((row["message"] for row in subject["findings"] if row["code"] == "OLD001"), None)
    if old:
        return str(old)
    if alone := where_alone(subject):
        return alone
    if subject["suggested"]:
        return f"{subject['suggested']} on the probes, not at size"
    return str(subject["evidence"]["reason"] or "no known definition fits the probes")


def table(record: Scan, width: int) -> Iterator[Text]:
    """A row for each function."""
    cells = list(rows(record))
    if not cells:
        return
    widths = [min(max(len(row[column]) for row in cells), most) for column, most in ((0, 48), (1, 36), (2, 11))]
    heads = ("where", "function", "rests on", "computes")
    yield Text("  ".join(f"{name:{size}}" for name, size in zip(heads, (*widths, 0), strict=True)), "dim")
    indent = sum(widths) + 6
    for location, name, confidence, result in cells:
        start = f"{safe(location):{widths[0]}}  {safe(name):{widths[1]}}  "
        room = max(width - indent, 60)
        wraps = folded(safe(result), room)[:3]
        style = "bold" if confidence in ("verified", "verified in part", "probes only") else ""
        yield Text.assemble(start, (f"{confidence:{widths[2]}}", CONFIDENCE[confidence]), "  ", (wraps[0], style))
        yield from (Text(" " * indent + line) for line in wraps[1:])
    yield Text()


def difference_lines(record: Scan, width: int) -> Iterator[Text]:
    """For each metric that several functions claim, the definitions that they compute."""
    totals = [sum(len(variant["functions"]) for variant in group["variants"]) for group in record["metrics"]]
    groups = [(group, total) for group, total in zip(record["metrics"], totals, strict=True) if total > 1]
    if not groups:
        return
    yield Text("Who differs from whom", "bold")
    for group, total in groups:
        verdict = f"{len(group['variants'])} definitions" if group["differ"] else "one definition"
        style = STYLES["error"] if group["differ"] else ""
        yield Text.assemble("  ", (f"{safe(group['metric']).replace('_', ' ')}: {verdict} in {total} functions", style))
        for variant in group["variants"] if group["differ"] else []:
            yield Text(f"    {variant['variant']}")
            names = [row["function"] for row in variant["functions"]]
            if len(names) > MOST_SHOWN:
                names[MOST_SHOWN:] = [f"and {len(names) - MOST_SHOWN} more"]
            for line in folded(safe(", ".join(names)), max(width - 8, 60)):
                yield Text(f"        {line}")
    yield Text()


def remarks(record: Scan, width: int) -> Iterator[Text]:
    """What was not read or not audited, and which options would help."""
    left_out = [f"{number} x {KINDS[kind]}" for kind, number in record["files"]["left_out"].items()]
    if left_out:
        yield from wrapped(f"Not read: {'; '.join(left_out)}.", width)
    unread = list(record["files"]["unread"].items())
    for name, reason in unread[:MOST_SHOWN]:
        yield from wrapped(f"Not read: {name}: {reason}", width)
    if len(unread) > MOST_SHOWN:
        yield Text(f"Not read: {len(unread) - MOST_SHOWN} more files; JSON names them all.")
    reasons = Counter(function["reason"] for function in record["functions"] if function["state"] == "left out")
    if reasons and not nothing_run(record):
        shown = ", ".join(f"{number} x {reason}" for reason, number in reasons.most_common(4))
        yield from wrapped(
            f"Not audited: {counted(reasons.total(), 'function')} ({shown}); --list names them all.", width
        )
    absent = (function.get("missing") for function in record["functions"])
    missing = Counter(module.partition(".")[0] for module in absent if module)
    for name, number in missing.most_common(4):
        yield from wrapped(
            f"{counted(number, 'function')} could not be imported without {name}: give --environment with the Python "
            f"of the project, or --with {distribution_of(name)}.",
            width,
        )
    old = Counter(
        requirement
        for function in record["functions"]
        for row in (function, *(row for subject in function["subjects"] for row in subject["findings"]))
        if (requirement := row.get("try_with"))
    )
    for requirement, number in old.items():
        yield from wrapped(
            f"{counted(number, 'function')} may run in an older environment: scan again --with {requirement}.", width
        )


def wrapped(content: str, width: int) -> Iterator[Text]:
    """A paragraph as lines."""
    yield from map(Text, folded(safe(content), width, hanging=2))


def summary(record: Scan) -> str:
    """One sentence: the results by confidence, and how many metrics are computed in several ways."""
    functions = record["functions"]
    if nothing_run(record):
        listed = sum(function["state"] == "listed" for function in functions)
        return f"{counted(listed, 'function')} to audit, {len(functions) - listed} left out; nothing was run."
    subjects = [subject for function in functions for subject in function["subjects"]]
    results = Counter(subject["evidence"]["confidence"] if subject["variant"] else "refused" for subject in subjects)
    failed = sum(function["state"] == "failed" for function in functions)
    differ = sum(group["differ"] for group in record["metrics"])
    errors = f"; {counted(record['errors'], 'error')}" if "errors" in record else ""
    in_part = f"{results['verified in part']} in part, " if results["verified in part"] else ""
    metrics = f"{counted(differ, 'metric')} computed" if differ else "no metric is computed"
    return (
        f"{counted(len(subjects) + failed, 'result')}: {results['verified']} verified, {in_part}"
        f"{results['probes only']} on the probes only, {results['refused']} refused, {failed} failed; "
        f"{metrics} in several ways{errors}."
    )


def render_scan_markdown(record: Scan) -> str:
    """The functions of a scan in one table, and the definitions of each metric that has several."""
    lines = [f"# Metrics in {cell(record['path'])}", ""]
    lines += ["| where | function | computes | rests on | findings |", "|---|---|---|---|---|"]
    for function in record["functions"]:
        location, state = f"{function['file']}:{function['line']}", function["state"]
        if state in ("left out", "listed"):
            reason = function["reason"] or "; ".join(function["why"])
            lines.append(cells(location, function["name"], reason, state, ""))
        elif state == "failed":
            lines.append(cells(location, function["name"], function["reason"] or "", state, ""))
        for subject in function["subjects"]:
            codes = " ".join(dict.fromkeys(finding["code"] for finding in subject["findings"]))
            result = named(subject) or subject["evidence"]["reason"] or "no known definition"
            lines.append(cells(location, name_of(function, subject), result, subject["evidence"]["confidence"], codes))
    differing = [group for group in record["metrics"] if group["differ"]]
    if differing:
        lines += ["", "## Who differs from whom", ""]
    for group in differing:
        lines.append(f"* **{cell(group['metric'].replace('_', ' '))}**")
        for variant in group["variants"]:
            names = ", ".join(cell(member["function"]) for member in variant["functions"])
            lines.append(f"  * `{cell(variant['variant'])}`: {names}")
    return "\n".join(lines) + "\n"


def cells(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(cell, cells))} |"


def cell(text: str) -> str:
    """A text escaped for a cell of a Markdown table."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", " ".join(clean(text).split()))


def name_of(function: Function, subject: Subject) -> str:
    """The name of a function, with the element of its return in brackets if it returns several metrics."""
    element = element_of(subject)
    return f"{function['name']}[{element}]" if element else function["name"]


def element_of(subject: Subject) -> str | None:
    """Which of the metrics that a function returns the subject is: ``ndcg`` for ``file.py:evaluate[ndcg]``."""
    name, bracket, element = subject["target"].rpartition(":")[2].partition("[")
    return element.replace("]", "") if bracket and name else None

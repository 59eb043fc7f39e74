"""A scan as text: one table of functions, then which of them differ, then what was left out."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rich.text import Text

from metric_harness.audit_text.audit import STYLES, WIDTH
from metric_harness.audit_text.cases import safe
from metric_harness.audit_text.evidence import counted
from metric_harness.scanning.files import KINDS
from metric_harness.scanning.groups import counted_findings, element_of
from metric_reports.types.scan import Scan

CONFIDENCE = {
    "verified": "green",
    "probes only": "yellow",
    "refused": "red",
    "failed": "red",
    "left out": "dim",
    "listed": "",
}
DISTRIBUTIONS = {
    "sklearn": "scikit-learn",
    "cv2": "opencv-python-headless",
    "PIL": "pillow",
    "yaml": "pyyaml",
    "bs4": "beautifulsoup4",
    "skimage": "scikit-image",
    "faiss": "faiss-cpu",
}
"""Distributions that are called otherwise than their module."""
MOST_SHOWN = 12
"""Files that could not be read, and functions of a definition, that are named."""


def scan_lines(record: Scan, width: int = WIDTH) -> list[Text]:
    """A scan as lines; nothing in it is read as markup and no control character is printed."""
    listed = any(function["state"] == "listed" for function in record["functions"])
    lines = [Text(heading(record), "bold"), Text()]
    if listed:
        lines += candidate_lines(record)
    else:
        lines += [*table(record, width), *difference_lines(record, width)]
    return [*lines, *remarks(record, width), Text(summary(record), "bold")]


def heading(record: Scan) -> str:
    """What was read."""
    alike = sum(function["state"] != "left out" for function in record["functions"])
    many = "looks" if alike == 1 else "look"
    return safe(f"{record['path']}: {counted(record['files']['read'], 'file')}, {alike} {many} like a metric")


def candidate_lines(record: Scan) -> Iterator[Text]:
    """The candidates with what makes each look like a metric, file by file."""
    for number, function in enumerate(record["functions"]):
        if number == 0 or record["functions"][number - 1]["file"] != function["file"]:
            yield Text(safe(function["file"]), "underline")
        mark = "  not audited: " + function["reason"] if function["reason"] else ""
        yield Text(
            safe(f"{function['line']:6}  {function['name']}  ({'; '.join(function['why'])}){mark}"),
            "dim" if mark else "",
        )
    if record["functions"]:
        yield Text()


def rows(record: Scan) -> Iterator[tuple[str, str, str, str]]:
    """File and line, function, confidence, and the variant or the reason why it has none."""
    for function in record["functions"]:
        where = f"{function['file']}:{function['line']}"
        if function["state"] == "left out":
            continue
        if function["state"] == "failed":
            yield where, function["name"], "failed", function["reason"] or ""
        for subject in function["subjects"]:
            element = element_of(subject)
            codes = list(dict.fromkeys(row["code"] for row in subject["findings"] if row["severity"] != "note"))
            marks = " ".join(
                codes if subject["variant"] else [code for code in codes if code in ("VER001", "OLD001", "AMB001")]
            )
            what = subject["variant"] or refused_because(subject)
            sure = subject["evidence"]["confidence"] if subject["variant"] else "refused"
            yield (
                where,
                f"{function['name']}[{element}]" if element else function["name"],
                sure,
                f"{what}  {marks}".rstrip(),
            )


def refused_because(subject: Mapping[str, Any]) -> str:
    """Why a function has no name, in one sentence."""
    if subject["rivals"]:
        return "one of several definitions, depending on how it is called"
    old = next((row["message"] for row in subject["findings"] if row["code"] == "OLD001"), None)
    if old:
        return str(old)
    if subject["suggested"]:
        return f"{subject['suggested']} on the probes, not at size"
    return str(subject["evidence"]["reason"] or "no known definition fits the probes")


def table(record: Scan, width: int) -> Iterator[Text]:
    """One row a function."""
    given = list(rows(record))
    if not given:
        return
    columns = [min(max(len(row[number]) for row in given), most) for number, most in ((0, 48), (1, 36), (2, 11))]
    heads = ("where", "function", "rests on", "computes")
    yield Text("  ".join(f"{name:{size}}" for name, size in zip(heads, (*columns, 0), strict=True)), "dim")
    indent = sum(columns) + 6
    for where, name, sure, what in given:
        start = f"{safe(where):{columns[0]}}  {safe(name):{columns[1]}}  "
        room = max(width - indent, 60)
        parts = textwrap.wrap(safe(what), room, break_long_words=False, break_on_hyphens=False)[:3] or [""]
        style = "bold" if sure in ("verified", "probes only") else ""
        yield Text.assemble(start, (f"{sure:{columns[2]}}", CONFIDENCE[sure]), "  ", (parts[0], style))
        yield from (Text(" " * indent + line) for line in parts[1:])
    yield Text()


def difference_lines(record: Scan, width: int) -> Iterator[Text]:
    """For each metric that several functions claim, the definitions that they compute."""
    several = [one for one in record["metrics"] if sum(len(variant["functions"]) for variant in one["variants"]) > 1]
    if not several:
        return
    yield Text("Who differs from whom", "bold")
    for group in several:
        total = sum(len(variant["functions"]) for variant in group["variants"])
        verdict = f"{len(group['variants'])} definitions" if group["differ"] else "one definition"
        style = STYLES["error"] if group["differ"] else ""
        yield Text.assemble("  ", (f"{safe(group['metric']).replace('_', ' ')}: {verdict} in {total} functions", style))
        for variant in group["variants"] if group["differ"] else []:
            yield Text(f"    {variant['variant']}")
            names = [row["function"] for row in variant["functions"]]
            more = [f"and {len(names) - MOST_SHOWN} more"] if len(names) > MOST_SHOWN else []
            for line in textwrap.wrap(
                safe(", ".join([*names[:MOST_SHOWN], *more])), max(width - 8, 60), break_long_words=False
            ):
                yield Text(f"        {line}")
    yield Text()


def remarks(record: Scan, width: int) -> Iterator[Text]:
    """What was not read, not audited, and what would help."""
    said = [f"{number} x {KINDS[kind]}" for kind, number in record["files"]["left_out"].items()]
    if said:
        yield from wrapped(f"Not read: {'; '.join(said)}.", width)
    unread = list(record["files"]["unread"].items())
    for name, reason in unread[:MOST_SHOWN]:
        yield from wrapped(f"Not read: {name}: {reason}", width)
    if len(unread) > MOST_SHOWN:
        yield Text(f"Not read: {len(unread) - MOST_SHOWN} more files; JSON names them all.")
    aside = Counter(function["reason"] for function in record["functions"] if function["state"] == "left out")
    if aside and not any(function["state"] == "listed" for function in record["functions"]):
        first = ", ".join(f"{number} x {reason}" for reason, number in aside.most_common(4))
        yield from wrapped(
            f"Not audited: {counted(sum(aside.values()), 'function')} ({first}); --list names them all.", width
        )
    missing = Counter(
        match[1].partition(".")[0]
        for function in record["functions"]
        if function["reason"] and (match := re.search(r"No module named '([\w.]+)'", function["reason"]))
    )
    for name, number in missing.most_common(4):
        yield from wrapped(
            f"{counted(number, 'function')} could not be imported without {name}: give --environment with the Python "
            f"of the project, or --with {DISTRIBUTIONS.get(name, name)}.",
            width,
        )
    old = Counter(
        match[1]
        for function in record["functions"]
        for text in (
            function["reason"] or "",
            *(row["message"] for sub in function["subjects"] for row in sub["findings"]),
        )
        if (match := re.search(r"written for [^:]+: .* try (--with [^\s:]+)", text))
    )
    for option, number in old.items():
        yield from wrapped(
            f"{counted(number, 'function')} may run in an older environment: scan again {option}.", width
        )


def wrapped(content: str, width: int) -> Iterator[Text]:
    """A paragraph as lines."""
    for line in textwrap.wrap(safe(content), width, subsequent_indent="  ", break_long_words=False) or [""]:
        yield Text(line)


def summary(record: Scan) -> str:
    """One sentence: how many functions got a name, and how many metrics are computed in several ways."""
    functions = record["functions"]
    if any(one["state"] == "listed" for one in functions):
        ready = sum(one["state"] == "listed" for one in functions)
        return f"{counted(ready, 'function')} to audit, {len(functions) - ready} left out; nothing was run."
    subjects = [subject for one in functions for subject in one["subjects"]]
    sure = Counter(subject["evidence"]["confidence"] if subject["variant"] else "refused" for subject in subjects)
    failed = sum(one["state"] == "failed" for one in functions)
    differ = sum(one["differ"] for one in record["metrics"])
    errors = sum(row["severity"] == "error" for _, _, row in counted_findings(functions))
    parts = [
        f"{sure['verified']} verified",
        f"{sure['probes only']} on the probes only",
        f"{sure['refused']} refused",
        f"{failed} failed",
    ]
    said = (
        f"{counted(differ, 'metric')} computed in several ways" if differ else "no metric is computed in several ways"
    )
    return f"{counted(len(subjects) + failed, 'result')}: {', '.join(parts)}; {said}; {counted(errors, 'error')}."

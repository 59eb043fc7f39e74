"""A table of several functions: what each computes, with the choices that are unusual, and the gravest finding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from metric_reports.audit.case_lines import safe
from metric_reports.types.audit import Audit, Subject
from metric_reports.view.words import aligned

HEAD = ("function", "computes", "verified", "worst finding")
STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan"}
VERIFIED = {"verified": "yes", "verified in part": "in part"}
NOTHING = "–"
MAX_ROWS, MAX_ERRORS, MAX_CONDITIONS = 25, 5, 2


def table_lines(record: Audit, width: int, most: int | None = None) -> Iterator[Text]:
    """The functions of an audit as a table, a row of at most ``width`` characters for each.

    most : how many rows; if there are more, those without a name, with an error or with a warning come first. Results
    without a name that claim no ranking metric are then only counted, where another has one.
    """
    shared, names = short_names([subject["target"] for subject in record["subjects"]])
    if shared:
        yield Text(safe(shared.rstrip(":[")), "underline")
    rows = list(zip(names, record["subjects"], strict=True))
    if most is not None and any(subject["variant"] for _, subject in rows):
        rows = [row for row in rows if not tells_nothing(row[1])]
    others = len(record["subjects"]) - len(rows)
    if most is not None and len(rows) > most:
        rows = sorted(rows, key=lambda row: urgency(row[1]))[:most]
    cells = [
        (
            safe(name),
            safe(computes(subject)),
            VERIFIED.get(subject["evidence"]["confidence"], subject["evidence"]["confidence"]),
        )
        for name, subject in rows
    ]
    worst = [worst_of(subject) for _, subject in rows]
    head, *lines = aligned([HEAD, *((*row, finding.plain) for row, finding in zip(cells, worst, strict=True))])
    start = head.index(HEAD[-1])
    yield Text(head, "bold")
    for line, finding, (_, subject) in zip(lines, worst, rows, strict=True):
        text = Text(line[:start], "red" if subject["variant"] is None else "").append_text(finding)
        text.truncate(max(width, start + len("ABC001")), overflow="ellipsis")
        yield text
    if hidden := len(record["subjects"]) - len(rows) - others:
        yield Text(f"and {hidden} less severe ones; --verbose shows them", "dim")
    if others:
        yield Text(f"and {others} more without a name that claim no ranking metric; --verbose shows them", "dim")


def condition_lines(record: Audit, width: int) -> Iterator[Text]:
    """The conditions under which functions compute what the table says, a line for each with their names."""
    _, names = short_names([subject["target"] for subject in record["subjects"]])
    groups: dict[str, list[str]] = {}
    for name, subject in zip(names, record["subjects"], strict=True):
        for condition in subject.get("where", ()) if subject["variant"] else ():
            groups.setdefault(condition, []).append(name)
    everyone = sum(subject["variant"] is not None for subject in record["subjects"])
    rows = (
        Text.assemble(("condition ", "dim"), safe(f"{name}: {'all' if len(own) == everyone else ', '.join(own)}"))
        for name, own in groups.items()
    )
    yield from first_lines(list(rows), MAX_CONDITIONS, "conditions", width)


def error_lines(record: Audit, width: int) -> Iterator[Text]:
    """The errors by code, a line for each with the functions that have it."""
    _, names = short_names([subject["target"] for subject in record["subjects"]])
    groups: dict[str, tuple[str, list[str]]] = {}
    for name, subject in zip(names, record["subjects"], strict=True):
        for finding in subject["findings"]:
            if finding["severity"] == "error":
                groups.setdefault(finding["code"], (finding["title"], []))[1].append(name)
    rows = (
        Text.assemble((code, STYLES["error"]), f" {safe(title)}: {safe(', '.join(dict.fromkeys(members)))}")
        for code, (title, members) in groups.items()
    )
    yield from first_lines(list(rows), MAX_ERRORS, "kinds of error", width)


def first_lines(lines: Sequence[Text], most: int, what: str, width: int) -> Iterator[Text]:
    """The first lines, cut at the width, and a line that counts the others as ``what``."""
    for line in lines[:most]:
        line.truncate(width, overflow="ellipsis")
        yield line
    if len(lines) > most:
        yield Text(f"and {len(lines) - most} more {what}; --verbose shows them", "dim")


def worst_of(subject: Subject) -> Text:
    """The code and the title of the gravest finding."""
    worst = next(iter(subject["findings"]), None)
    if worst is None:
        return Text(NOTHING)
    return Text.assemble((worst["code"], STYLES[worst["severity"]]), f" {safe(worst['title'])}")


def tells_nothing(subject: Subject) -> bool:
    """Whether a result has no name, and notes as its only findings, as it claims no ranking metric."""
    grades = {finding["severity"] for finding in subject["findings"]}
    return subject["variant"] is None and grades == {"note"}


def urgency(subject: Subject) -> int:
    """0 for a function without a name or with an error, 1 with a warning, 2 with a note, 3 without a finding."""
    grades = [list(STYLES).index(finding["severity"]) for finding in subject["findings"]]
    return 0 if subject["variant"] is None else min(grades, default=len(STYLES))


def short_names(targets: Sequence[str]) -> tuple[str, list[str]]:
    """The common beginning of all targets, up to a colon or bracket, and the rest of each."""
    for mark in (":", "["):
        heads = {target[: target.rfind(mark) + 1] for target in targets}
        (head, *others) = heads
        if head and not others and len(targets) > 1:
            return head, [target[len(head) :].rstrip("]" if mark == "[" else "") for target in targets]
    return "", list(targets)


def computes(subject: Mapping[str, Any]) -> str:
    """The metric that a function computes, with the choices that differ from the standard ones."""
    if subject["variant"] is None:
        return "no known definition" if subject["evidence"]["probes"]["answered"] else "gave no number"
    metric = str(subject["variant"]).partition("(")[0]
    return metric if (unusual := differs(subject)) == NOTHING else f"{metric}({unusual})"


def differs(subject: Mapping[str, Any]) -> str:
    """The choices that differ from the standard ones, as the variant prints them."""
    return ", ".join(f"{name}={own}" for name, (own, _) in subject["differs"].items()) or NOTHING

"""A table of several functions: what each computes, how that differs from the standard, the gravest finding."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from metric_reports.audit.case_lines import safe
from metric_reports.types.audit import Audit

HEAD = ("function", "computes", "differs from the usual", "verified", "worst finding")
STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan"}
VERIFIED = {"verified": "yes"}
NOTHING = "–"


def table_lines(record: Audit, width: int) -> Iterator[Text]:
    """The functions of an audit as a table of at most ``width`` characters, a row for each."""
    shared, names = short_names([subject["target"] for subject in record["subjects"]])
    if shared:
        yield Text(safe(shared.rstrip(":[")), "underline")
    table = Table(*HEAD, box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for column in table.columns:
        column.overflow = "fold"
    table.columns[3].no_wrap = True
    for name, subject in zip(names, record["subjects"], strict=True):
        style = "" if subject["variant"] else "red"
        worst = next(iter(subject["findings"]), None)
        table.add_row(
            Text(safe(name)),
            Text(safe(computes(subject)), style),
            Text(safe(differs(subject))),
            Text(VERIFIED.get(subject["evidence"]["confidence"], subject["evidence"]["confidence"])),
            Text(NOTHING)
            if worst is None
            else Text.assemble((worst["code"], STYLES[worst["severity"]]), f" {safe(worst['title'])}"),
        )
    console = Console(file=io.StringIO(), width=width, color_system="truecolor", force_terminal=True, no_color=False)
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        text = Text.from_ansi(line)
        text.rstrip()
        yield text


def short_names(targets: list[str]) -> tuple[str, list[str]]:
    """The common beginning of all targets, up to a colon or bracket, and the rest of each."""
    for mark in (":", "["):
        heads = {target[: target.rfind(mark) + 1] for target in targets}
        (head, *others) = heads
        if head and not others and len(targets) > 1:
            return head, [target[len(head) :].rstrip("]" if mark == "[" else "") for target in targets]
    return "", targets


def computes(subject: Mapping[str, Any]) -> str:
    """The metric that a function computes, in words."""
    if subject["variant"] is None:
        return "no known definition" if subject["evidence"]["probes"]["answered"] else "gave no number"
    return str(subject["variant"]).partition("(")[0].replace("_", " ")


def differs(subject: Mapping[str, Any]) -> str:
    """The choices that differ from the standard ones, as the variant prints them."""
    return ", ".join(f"{name}={own}" for name, (own, _) in subject["differs"].items()) or NOTHING

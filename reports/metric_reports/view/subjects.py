"""The section of one function: everything that the record holds about it, with defaults for optional keys."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlsplit

from metric_reports.html.strips import strip
from metric_reports.record import from_json_number
from metric_reports.tolerances import near
from metric_reports.types.run import Answer, Cell, Library, LibraryFinding, Record, Source, Subject
from metric_reports.view.table import SEVERITIES, Key, Variant, key_of, unlisted
from metric_reports.view.words import web_address

SUBJECT_DEFAULTS: dict[str, Any] = {
    "claim": None,
    "claims": None,
    "address": None,
    "formula": None,
    "alternatives": [],
    "answers": [],
    "source": {},
    "call": None,
    "diagnostic": False,
    "apart": None,
    "evidence": None,
}
LIBRARY_DEFAULTS: dict[str, Any] = {
    "note": None,
    "python": None,
    "packages": {},
    "stderr": "",
    "commit": None,
    "repository": None,
    "date": None,
    "paper": False,
    "newest": True,
    "shims": [],
    "recorded": None,
}


def subject_view(
    subject: Subject,
    cells: dict[Key, list[Cell]],
    known: dict[str, dict[str, Variant]],
    record: Record,
) -> dict[str, Any]:
    """A subject with its cells, findings and answers. cells : of all subjects, by key.

    Keys that the record does not have: ``home``, its library's row; ``blob``, the address of its source; ``shown``, the
    smallest case of a finding; ``agrees``, whether it computes what the documentation describes (None if unknown).
    """
    key = key_of(subject)
    own_cells = sorted(cells.get(key, []), key=lambda cell: cell["k"])
    filled = {**SUBJECT_DEFAULTS, **subject}
    findings = [finding for finding in record["findings"] if key_of(finding) == key]
    library = next((row for row in record["libraries"] if (row["name"], row["release"]) == key[:2]), unlisted(subject))
    described = filled["claims"] is not None and subject["variant"] is not None
    return {
        **filled,
        "home": {**LIBRARY_DEFAULTS, **library},
        "answered": any(answer["value"] is not None for answer in filled["answers"]),
        "known": known.get(subject["metric"], {}).get(subject["variant"] or ""),
        "cells": own_cells,
        "gaps": [(cell["k"], gaps) for cell in own_cells if (gaps := cell.get("difference_to_standard"))],
        "warnings": list(dict.fromkeys(text for cell in own_cells for text in cell.get("warnings", []))),
        "findings": findings,
        "shown": shown(findings),
        "agrees": (filled["claims"] == subject["variant"]) if described else None,
        "blob": blob(library, filled["source"]),
        "answers": [{**answer, "fits": fits(answer)} for answer in filled["answers"]],
    }


def shown(findings: list[LibraryFinding]) -> dict[str, Any] | None:
    """The findings' case with the fewest users, the gravest finding's among equals, with its strips."""
    cases = [(finding, case) for finding in findings if (case := finding["case"])]
    if not cases:
        return None
    finding, case = min(cases, key=lambda pair: (len(pair[1]["users"]), SEVERITIES.index(pair[0]["severity"])))
    return {"finding": finding, "case": case, "strips": [strip(user, case["k"]) for user in case["users"]]}


def fits(answer: Answer) -> bool | None:
    """Whether a probe's answer is the expected one, NaN equal to NaN; None where either is missing."""
    value, expected = from_json_number(answer["value"]), from_json_number(answer["expected"])
    if value is None or expected is None:
        return None
    return near(value, expected)


def blob(library: Library, source: Source) -> str | None:
    """The address of a function's line at its release's commit, on GitHub or GitLab; else None."""
    repository, commit, file = web_address(library.get("repository")), library.get("commit"), source.get("file")
    if not repository or not commit or not file:
        return None
    folder = {"github.com": "blob", "gitlab.com": "-/blob"}.get(urlsplit(repository).hostname or "")
    if folder is None:
        return None
    line = f"#L{source['line']}" if source.get("line") else ""
    base = repository.rstrip("/").removesuffix(".git")
    return web_address(f"{base}/{folder}/{quote(str(commit), safe='')}/{quote(str(file))}{line}")

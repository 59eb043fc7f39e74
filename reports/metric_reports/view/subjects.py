"""The section of one function: everything that the record holds about it, every optional part present."""

from __future__ import annotations

import math
from typing import Any
from urllib.parse import quote, urlsplit

from metric_reports.html.strips import strip
from metric_reports.record import from_json_number
from metric_reports.types.run import Answer, Cell, Finding, Library, Record, Source, Subject
from metric_reports.view.table import SEVERITIES, Key, Variant, key_of, unlisted
from metric_reports.view.words import web_address

PROBE_TOLERANCE = 1e-6
SUBJECT: dict[str, Any] = {
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
LIBRARY: dict[str, Any] = {
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
    """A subject with its cells, findings and answers.

    cells : those of every subject, by key. Besides what the record holds: ``home``, its library's row; ``blob``, where
    the source can be read; ``shown``, the smallest case of a finding; ``agrees``, whether the documentation describes
    what it computes (None where that is not known).
    """
    key = key_of(subject)
    own = sorted(cells.get(key, []), key=lambda cell: cell["k"])
    filled = {**SUBJECT, **subject}
    found = [finding for finding in record["findings"] if key_of(finding) == key]
    pair = (subject["library"], subject["release"])
    home = next((one for one in record["libraries"] if (one["name"], one["release"]) == pair), unlisted(subject))
    described = filled["claims"] is not None and subject["variant"] is not None
    return {
        **filled,
        "home": {**LIBRARY, **home},
        "answered": any(answer["value"] is not None for answer in filled["answers"]),
        "known": known.get(subject["metric"], {}).get(subject["variant"] or ""),
        "cells": own,
        "gaps": [(cell["k"], gaps) for cell in own if (gaps := cell.get("difference_to_standard"))],
        "warnings": list(dict.fromkeys(text for cell in own for text in cell.get("warnings", []))),
        "findings": found,
        "shown": shown(found),
        "agrees": (filled["claims"] == subject["variant"]) if described else None,
        "blob": blob(home, filled["source"]),
        "answers": [{**answer, "fits": fits(answer)} for answer in filled["answers"]],
    }


def shown(findings: list[Finding]) -> dict[str, Any] | None:
    """The smallest case of its findings, of the gravest one among equals, with its strips."""
    ready = [(finding, case) for finding in findings if (case := finding["case"])]
    if not ready:
        return None
    first, case = min(ready, key=lambda pair: (len(pair[1]["users"]), SEVERITIES.index(pair[0]["severity"])))
    return {"finding": first, "case": case, "strips": [strip(user, case["k"]) for user in case["users"]]}


def fits(answer: Answer) -> bool | None:
    """Whether a probe's answer is the expected one, NaN equal to NaN; None where either is missing."""
    value, expected = from_json_number(answer["value"]), from_json_number(answer["expected"])
    if value is None or expected is None:
        return None
    if math.isnan(value) or math.isnan(expected):
        return math.isnan(value) and math.isnan(expected)
    return value == expected or abs(value - expected) <= PROBE_TOLERANCE * max(1.0, abs(expected))


def blob(library: Library, source: Source) -> str | None:
    """Where the line of a release that is a commit can be read, on the sites whose addresses are known; else None."""
    repository, commit, file = web_address(library.get("repository")), library.get("commit"), source.get("file")
    if not repository or not commit or not file:
        return None
    between = {"github.com": "blob", "gitlab.com": "-/blob"}.get(urlsplit(repository).hostname or "")
    if between is None:
        return None
    line = f"#L{source['line']}" if source.get("line") else ""
    base = repository.rstrip("/").removesuffix(".git")
    return web_address(f"{base}/{between}/{quote(str(commit), safe='')}/{quote(str(file))}{line}")

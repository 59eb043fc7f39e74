"""Recordings of the releases on both sides of each change: the answers that a history rests on, kept beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from metric_harness.history.ask import Answers, Asked
from metric_harness.history.page import change
from metric_harness.history.search import differing
from metric_harness.identification.probes import library_probes
from metric_harness.libraries.describe import Library
from metric_harness.recordings.read import mark, read_answer, written_answer
from metric_harness.system.errors import HarnessError
from metric_reports.record import write_atomically
from metric_reports.types.history import Change, History

FILE = "history_recordings.json"
SCHEMA_VERSION = 1


def sides(changes: Iterable[Change]) -> dict[str, list[str]]:
    """The versions on both sides of changes, each with the functions that changed there."""
    out: dict[str, list[str]] = {}
    for one in changes:
        for version in (one["before"], one["after"]):
            if one["function"] not in out.setdefault(version, []):
                out[version].append(one["function"])
    return out


def write_sides(folder: Path, history: History, asked: Mapping[str, Asked]) -> Path | None:
    """Write what the releases on both sides of each change answered, one line an answer; returns the file.

    asked : by version. None where the history has no change; a file of an earlier history is removed then.
    """
    path = folder / FILE
    wanted = sides(history["changes"])
    if not wanted:
        path.unlink(missing_ok=True)
        return None
    marks = {probe.name: mark(probe) for probe in library_probes()}
    used = {probe for version, names in wanted.items() for name in names for probe in asked[version].answers[name]}
    page: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "library": history["library"],
        "distribution": history["distribution"],
        "probes": {name: digest for name, digest in marks.items() if name in used},
        "releases": {
            version: {
                "day": asked[version].day,
                "packages": dict(asked[version].packages),
                "answers": {
                    name: [written_answer(probe, one) for probe, one in asked[version].answers[name].items()]
                    for name in names
                },
            }
            for version, names in wanted.items()
        },
    }
    write_atomically(path, _printed(page))
    return path


def _printed(page: dict[str, Any]) -> str:
    """JSON with an answer, and what is no deeper than one, on a line of its own."""
    lines = [f' "{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in page.items() if key != "releases"]
    releases = []
    for version, release in page["releases"].items():
        functions = []
        for name, rows in release["answers"].items():
            answers = ",\n     ".join(json.dumps(row, ensure_ascii=False) for row in rows)
            functions.append(f"    {json.dumps(name)}: [\n     {answers}\n    ]")
        head = f'   "day": {json.dumps(release["day"])},\n   "packages": {json.dumps(release["packages"])}'
        answered = ",\n".join(functions)
        releases.append(f'  {json.dumps(version)}: {{\n{head},\n   "answers": {{\n{answered}\n   }}\n  }}')
    inside = ",\n".join(releases)
    return "{\n" + ",\n".join([*lines, f' "releases": {{\n{inside}\n }}']) + "\n}\n"


def read_sides(folder: Path) -> dict[str, Asked]:
    """The recorded releases by version, empty where there are none; HarnessError where the file cannot be read."""
    path = folder / FILE
    try:
        page = json.loads(path.read_text(encoding="utf-8"))
        if page["schema_version"] != SCHEMA_VERSION:
            raise ValueError(f"schema_version {page['schema_version']}, expected {SCHEMA_VERSION}")
        return {
            version: Asked(version, release["day"], _answers(release["answers"]), release["packages"])
            for version, release in page["releases"].items()
        }
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError) as error:
        raise HarnessError(f"{path}: no recordings ({error!r}); `metric-harness history --write` makes them") from None


def _answers(page: Mapping[str, list[dict[str, Any]]]) -> Answers:
    return {name: {row["probe"]: read_answer(row) for row in rows} for name, rows in page.items()}


def told_by(library: Library, history: History, asked: Mapping[str, Asked]) -> list[Change]:
    """The changes of a history as these answers tell them, without those of which they show none."""
    out = []
    for known in history["changes"]:
        name, (before, after) = known["function"], (asked[known[side]] for side in ("before", "after"))
        if name in before.answers and name in after.answers and differing(before.answers[name], after.answers[name]):
            between = [known["before"], *known["untried"], known["after"]]
            out.append(change(library, name, between, before, after))
    return out


def otherwise(history: History, told: Iterable[Change]) -> list[str]:
    """The changes that these answers do not tell as the history does, a line each."""
    now = {(one["function"], one["after"]): one for one in told}
    lines = []
    for known in history["changes"]:
        one = now.get((known["function"], known["after"]))
        parts = ("variants", "edges", "probe", "values")
        if one is None or any(one[part] != known[part] for part in parts):  # type: ignore[literal-required]
            lines.append(f"{known['function']} {known['before']} -> {known['after']}: {_said(known)}; now {_said(one)}")
    return lines


def _said(one: Change | None) -> str:
    if one is None:
        return "not asked"
    return " -> ".join(one["variants"]) or f"{one['probe']}: {one['values'][0]} -> {one['values'][1]}"

"""Recordings of the releases before and after each change: the answers that a history rests on, kept beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from metric_harness.history.ask import Answers, Asked
from metric_harness.history.changes import change
from metric_harness.history.search import differing
from metric_harness.libraries.describe import Library
from metric_harness.naming.probes.probe import library_probes
from metric_harness.recordings.read import mark, read_answer, written_answer
from metric_harness.system.errors import HarnessError
from metric_reports.files import write_atomically
from metric_reports.types.history import Change, History
from metric_reports.versions import SCHEMA_VERSION, up_to_date

FILE = "history_recordings.json"


def sides(changes: Iterable[Change]) -> dict[str, list[str]]:
    """The versions before and after changes, each with the functions that changed there."""
    functions: dict[str, list[str]] = {}
    for row in changes:
        for version in (row["before"], row["after"]):
            if row["function"] not in functions.setdefault(version, []):
                functions[version].append(row["function"])
    return functions


def write_sides(folder: Path, history: History, asked: Mapping[str, Asked]) -> Path | None:
    """Write the answers of the releases before and after each change, each answer on one line; returns the file.

    asked : by version. Without a change, removes the file of an earlier history and returns None.
    """
    path = folder / FILE
    functions = sides(history["changes"])
    if not functions:
        path.unlink(missing_ok=True)
        return None
    marks = {probe.name: mark(probe) for probe in library_probes()}
    used = {probe for version, names in functions.items() for name in names for probe in asked[version].answers[name]}
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
                    name: [written_answer(probe, answer) for probe, answer in asked[version].answers[name].items()]
                    for name in names
                },
            }
            for version, names in functions.items()
        },
    }
    write_atomically(path, _printed(page))
    return path


def _printed(page: dict[str, Any]) -> str:
    """JSON with each answer on a line of its own."""
    lines = [f' "{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in page.items() if key != "releases"]
    releases = []
    for version, release in page["releases"].items():
        functions = []
        for name, rows in release["answers"].items():
            answers = ",\n     ".join(json.dumps(row, ensure_ascii=False) for row in rows)
            functions.append(f"    {json.dumps(name)}: [\n     {answers}\n    ]")
        head = f'   "day": {json.dumps(release["day"])},\n   "packages": {json.dumps(release["packages"])}'
        all_answers = ",\n".join(functions)
        releases.append(f'  {json.dumps(version)}: {{\n{head},\n   "answers": {{\n{all_answers}\n   }}\n  }}')
    all_releases = ",\n".join(releases)
    return "{\n" + ",\n".join([*lines, f' "releases": {{\n{all_releases}\n }}']) + "\n}\n"


def read_sides(folder: Path) -> dict[str, Asked]:
    """The recorded releases by version, empty if there are none; HarnessError if the file cannot be read."""
    path = folder / FILE
    try:
        page = up_to_date(json.loads(path.read_text(encoding="utf-8")), "sides")
        return {
            version: Asked(version, release["day"], _answers(release["answers"]), release["packages"])
            for version, release in page["releases"].items()
        }
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError) as error:
        raise HarnessError(
            f"{path}: no recordings ({error!r}); `metric-harness library history --write` makes them"
        ) from None


def _answers(page: Mapping[str, list[dict[str, Any]]]) -> Answers:
    return {name: {row["probe"]: read_answer(row) for row in rows} for name, rows in page.items()}


def told_by(library: Library, history: History, asked: Mapping[str, Asked]) -> list[Change]:
    """The changes of a history that these answers show, as they show them."""
    changes = []
    for known in history["changes"]:
        name, (before, after) = known["function"], (asked[known[side]] for side in ("before", "after"))
        if name in before.answers and name in after.answers and differing(before.answers[name], after.answers[name]):
            versions = [known["before"], *known["untried"], known["after"]]
            changes.append(change(library, name, versions, before, after))
    return changes


def otherwise(history: History, told: Iterable[Change]) -> list[str]:
    """The changes that these answers do not show as the history does, each as a line."""
    shown = {(row["function"], row["after"]): row for row in told}
    lines = []
    for known in history["changes"]:
        new = shown.get((known["function"], known["after"]))
        keys = ("variants", "edges", "probe", "values")
        if new is None or any(new[key] != known[key] for key in keys):  # type: ignore[literal-required]
            start = f"{known['function']} {known['before']} -> {known['after']}"
            lines.append(f"{start}: {_in_short(known)}; now {_in_short(new)}")
    return lines


def _in_short(row: Change | None) -> str:
    """What changed, on one line."""
    if row is None:
        return "not asked"
    return " -> ".join(row["variants"]) or f"{row['probe']}: {row['values'][0]} -> {row['values'][1]}"

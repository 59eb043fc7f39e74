"""The command that makes a report again, without the paths of one computer."""

from __future__ import annotations

import shlex
from pathlib import PurePath

from metric_reports.types.run import Record

DROPPED = {"--out": 1, "--jobs": 1, "--quiet": 0, "-q": 0, "--fresh": 0, "--source": 1, "--memory": 1, "--timeout": 1}
"""Options that change no number, each with how many words of value it takes."""


def reproduce(record: Record) -> str:
    """Lines for a terminal: the versions as comments, and the command; files are named without their folders."""
    try:
        words = shlex.split(record["command"])
    except ValueError:
        words = record["command"].split()
    kept: list[str] = []
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if name in DROPPED:
            if not equals:
                del words[: DROPPED[name]]
            continue
        kept.append(f"{name}={bare(value)}" if equals and name.startswith("--") else bare(word))
    releases = ", ".join(
        f"{library['name']} {library['release']}"
        for library in record["libraries"]
        if library["status"] == "ran" or library.get("recorded")
    )
    harness = record["harness"]
    head = f"# metric-harness {harness['version']}, Python {harness['python']}, numpy {harness['numpy']}"
    return "\n".join([head, f"# at these releases: {releases}", shlex.join(kept)])


def bare(word: str) -> str:
    """A word without the folders of a path; an address stays as it is."""
    return word if "://" in word or "/" not in word else PurePath(word).name or word

"""Every command of the tutorials is run, and prints what the page shows.

``python -m tests.docs.test_tutorials [NAME ...]`` writes what they print into the pages.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import run
from tests.support.places import ROOT

DOCS = ROOT / "docs"
TUTORIALS = ("half-the-map", "adopt-a-library", "move-libraries")
OF_LIBRARIES = ("adopt-a-library",)
"""Tutorials that build the environment of a library."""
SESSION = re.compile(r"(?ms)^```console\n\$ metric-harness ([^\n]*)\n(.*?)^```$")
FILE = re.compile(r"(?ms)`(\w+\.py)`[^`]*\n\n```python\n(.*?)^```$")
DURATION = re.compile(r"[\d.]+ s, [\d,]+ rows a second")


def text_of(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def in_process(words: list[str], folder: Path) -> str:
    return run(*words, cwd=folder).stdout


def shown(text: str, folder: Path, printed_by: Callable[[list[str], Path], str] = in_process) -> str:
    """A page with what its commands print today, in a folder that holds the page's files."""
    for path in (DOCS / "examples/footnote").iterdir():
        shutil.copy(path, folder)
    for name, code in FILE.findall(text):
        (folder / name).write_text(code, encoding="utf-8")

    def session(match: re.Match[str]) -> str:
        return f"```console\n$ metric-harness {match[1]}\n{printed_by(shlex.split(match[1]), folder)}```"

    return SESSION.sub(session, text)


def without_durations(text: str) -> str:
    return DURATION.sub("N s, N rows a second", text)


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_shows_what_its_commands_print(name: str) -> None:
    printed = [output for _, output in SESSION.findall(text_of(name))]
    assert printed
    assert all(printed)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.live] if name in OF_LIBRARIES else []) for name in TUTORIALS]
)
def test_a_tutorial_is_true(name: str, tmp_path: Path) -> None:
    """Made by: python -m tests.docs.test_tutorials."""
    assert without_durations(shown(text_of(name), tmp_path)) == without_durations(text_of(name))


if __name__ == "__main__":
    for each in sys.argv[1:] or TUTORIALS:
        with tempfile.TemporaryDirectory() as folder:
            (DOCS / f"{each}.md").write_text(shown(text_of(each), Path(folder)), encoding="utf-8")

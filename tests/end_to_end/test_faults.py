"""Every row of faults/*.toml: an input or a fault, the command that meets it, and what is said, with its exit code.

A row has ``run`` (the command, whose first word may be one of the file's ``commands``), ``files`` (what is planted: see
tests/support/planting.py), ``says`` (one text or several, in this order on the terminal), ``code`` (2 if it has none)
and ``lines`` (of the message, 1 if not given; 0: any number).
"""

import shlex
import shutil
import tomllib
import unicodedata
from pathlib import Path

import pytest

from metric_reports.view.words import BIDI_CONTROLS
from tests.support import command
from tests.support.planting import good_files, plant

pytestmark = pytest.mark.thorough

FOLDER = Path(__file__).with_name("faults")
FEWEST = 300


def rows():
    for file in sorted(FOLDER.glob("*.toml")):
        page = tomllib.loads(file.read_text(encoding="utf-8"))
        for number, row in enumerate(page["fault"], 1):
            marks = [pytest.mark.slow] if row.get("slow") else []
            first, _, rest = row["run"].partition(" ")
            run = f"{page.get('commands', {}).get(first, first)} {rest}"
            yield pytest.param({**row, "run": run}, id=f"{file.stem}-{number}", marks=marks)


ROWS = list(rows())


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    good_files(folder)
    return folder


def test_there_are_enough_rows_and_each_command_has_some():
    assert len(ROWS) >= FEWEST
    commands = {" ".join(shlex.split(row.values[0]["run"])[:2]) for row in ROWS}
    assert {command.split()[0] for command in commands} >= {"compare", "audit", "evaluate", "paper", "report", "scan"}
    assert commands >= {
        "report diff", "library list", "library record", "library new", "library check", "explain variants",
        "explain rules", "explain conventions",
    }  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_it_says_what_is_wrong_and_what_to_do(row, good, tmp_path, monkeypatch):
    shutil.copytree(good, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    plant(tmp_path, row.get("files", {}))
    done = command.run(*shlex.split(row["run"]))
    shown, code = done.stdout + done.stderr, done.returncode
    assert code == row.get("code", 2), shown
    at = 0
    for text in [row["says"]] if isinstance(row["says"], str) else row["says"]:
        assert text in shown[at:], shown
        at = shown.index(text, at)
    assert "Traceback" not in shown
    assert [char for char in shown if steers(char)] == []
    if code == 2 and row.get("lines", 1):
        assert done.stderr.count("\n") == row.get("lines", 1), done.stderr


def steers(char):
    return char in BIDI_CONTROLS or (char not in "\n\t" and unicodedata.category(char) == "Cc")

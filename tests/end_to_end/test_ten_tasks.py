"""Ten questions that people asked in public are answered, each in under five commands."""

from __future__ import annotations

import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import run
from tests.support.places import ROOT

ASKED = tomllib.loads(Path(__file__).with_name("ten_tasks.toml").read_text(encoding="utf-8"))
MOST_COMMANDS = 4


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in ASKED["files"].items():
        (tmp_path / name).write_text(text.lstrip("\n"), encoding="utf-8")
    for path in (ROOT / "docs/examples/footnote").iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path


def test_there_are_ten() -> None:
    assert len({task["question"] for task in ASKED["task"]}) == 10
    assert all(0 < len(task["commands"]) <= MOST_COMMANDS for task in ASKED["task"])


@pytest.mark.parametrize(
    "task",
    [
        pytest.param(task, id=task["asked"].split(",")[0], marks=[pytest.mark.slow] if task.get("slow") else [])
        for task in ASKED["task"]
    ],
)
def test_a_question_is_answered(task: dict[str, Any], project: Path) -> None:
    ended = [run(*shlex.split(command), cwd=project) for command in task["commands"]]
    printed = "\n".join(each.stdout + each.stderr for each in ended)
    assert [each.returncode for each in ended] == task.get("exits", [0] * len(ended)), printed
    assert [words for words in task["holds"] if words not in printed] == [], printed

"""Sentences of docs/running-foreign-code.md that no other test holds."""

import re
from pathlib import Path

import pytest

from metric_harness.cli.tree import Root, Tree, loaded
from tests.support.command import run
from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "running-foreign-code.md").read_text(encoding="utf-8")
OWN = """
{first}
def recall(recommended, relevant, k):
    {body}
    return len(set(recommended[:k]) & set(relevant)) / max(len(relevant), 1)
"""


def own(folder: Path, first: str = "", body: str = "pass") -> str:
    (folder / "own.py").write_text(OWN.format(first=first, body=body))
    return f"{folder / 'own.py'}:recall"


def running(tree=Root, prefix=""):
    """The commands that start code of others: they choose its Python or limit its memory."""
    for row in tree.rows:
        command = loaded(row)
        if isinstance(command, Tree):
            yield from running(type(command), f"{row.name} ")
        elif {"environment", "memory"} & {param.name for param in command.params} and row.name != "evaluate":
            yield prefix + row.name


def test_the_page_lists_the_commands_that_run_code():
    listed = re.findall("`([^`]+)`", PAGE.partition(" run code that")[0])
    assert sorted(listed) == sorted(running())


@pytest.mark.parametrize(
    ("body", "code"), [("mmap.mmap(-1, 600 << 20)", 0), ("bytearray(600 << 20)", 2)], ids=["shared", "private"]
)
def test_memory_that_is_mapped_as_shared_does_not_count(tmp_path, body, code):
    done = run("audit", own(tmp_path, "import mmap", body), "--memory", "0.5", "--metric", "recall", "-q")
    assert done.returncode == code, done.stdout + done.stderr
    assert "mapped as shared does not count" in PAGE


def test_pythonpath_is_searched_for_imports_of_an_own_function(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "shop_helper.py").write_text("ONE = 1\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "elsewhere"))
    target = own(tmp_path, "import os, shop_helper", "assert shop_helper.ONE and 'PYTHONPATH' not in os.environ")
    assert run("audit", target, "-q").returncode == 0
    assert "the folders of `PYTHONPATH` are searched" in PAGE


def test_less_than_a_mebibyte_is_no_limit_of_memory(tmp_path):
    done = run("audit", own(tmp_path), "--memory", "1e-12")
    assert (done.returncode, "no number of GiB" in done.stderr) == (2, True)

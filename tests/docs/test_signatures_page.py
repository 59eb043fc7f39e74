"""What a reader of a paper's footnote does, as the documentation tells it: the commands run and print what is there."""

from __future__ import annotations

import re
import shlex

import pytest
from typer.testing import CliRunner

from metric_harness.cli.app import app
from metric_reference.signatures.differences import compare
from metric_reference.signatures.read import parse
from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "from-a-footnote.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"(?ms)^```console\n\$ (.*?)\n(.*?)^```$", PAGE)


@pytest.mark.parametrize(("command", "printed", "code"), [(*SESSIONS[0], 0), (*SESSIONS[1], 1)])
def test_a_footnote_alone_gives_the_number(command: str, printed: str, code: int, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path))
    program, *arguments = shlex.split(command)
    ran = CliRunner().invoke(app, arguments)
    assert program == "metric-harness"
    assert (ran.exit_code, ran.stdout) == (code, printed)


def test_the_commands_hold_the_footnote_of_the_page() -> None:
    footnote = re.search(r"^> ¹ (.*)$", PAGE, re.MULTILINE)
    assert footnote is not None
    for command, _ in SESSIONS:
        assert parse(shlex.split(command)[3]) == parse(footnote[1])


def test_the_signatures_of_the_grammar_are_read() -> None:
    text = (ROOT / "docs" / "signatures.md").read_text(encoding="utf-8")
    full, short = (parse(line) for line in re.findall(r"(?m)^ndcg@\S+$", text))
    assert full == short
    for quoted in re.findall(r'parse\("([^"]+)"\)', text):
        parse(quoted)
    assert compare(full, short).verdict == "same"

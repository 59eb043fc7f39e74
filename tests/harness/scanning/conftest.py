"""A tree to scan, and the command that scans it."""

import shutil
import sys
from pathlib import Path

import pytest

from metric_harness.cli import app as cli
from tests.support.places import SUPPORT


@pytest.fixture
def shop(tmp_path):
    """A copy of tests/support/scanned/shop."""
    return Path(shutil.copytree(SUPPORT / "scanned" / "shop", tmp_path / "shop"))


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run the command line in an empty cache; its exit code, standard output and standard error."""
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["metric-harness", "scan", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return ended.value.code, said.out, said.err

    return command

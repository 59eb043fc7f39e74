"""A user's file of metrics to audit, and the command that audits it."""

import importlib.util
import shutil
import sys

import pytest

from metric_harness.cli import app as cli
from tests.support.places import SUPPORT


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A working folder with the file metrics.py; the functions in it, to call by hand."""
    shutil.copy(SUPPORT / "own_metrics.py", tmp_path / "metrics.py")
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location("metrics", tmp_path / "metrics.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "metrics", module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command line; its exit code, standard output and standard error."""

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["metric-harness", "audit", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return ended.value.code, said.out, said.err

    return command

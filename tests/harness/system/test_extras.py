"""What the light install can do, and what a command says that needs more."""

import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement

from metric_harness.system.failures import EXTRAS
from tests.support.places import ROOT, SUPPORT

BLOCKED = f"import sys; sys.modules.update(dict.fromkeys({list(EXTRAS)!r}))\n"
"""An import of a package whose module is None fails as if it were not installed."""


def without_extras(code, *arguments):
    command = [sys.executable, "-c", BLOCKED + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_each_package_is_in_the_extra_that_is_named_and_in_no_other():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = {Requirement(line).name for line in project["dependencies"]}
    brought = {
        name: extra
        for extra in ("evaluate", "report", "compare")
        for name in (Requirement(line).name for line in project["optional-dependencies"][extra])
        if name != "metric-harness"
    }
    assert brought == EXTRAS
    assert not required & set(EXTRAS)


def test_a_function_is_held_against_its_definition_without_any_extra():
    code = "from metric_harness import assert_computes\nassert_computes(sys.argv[1], 'recall')"
    ended = without_extras(code, f"{SUPPORT / 'styles' / 'between.py'}:faithful_recall_counted")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["explain", "AP004"], 0, ""),
        (["signature", "cite", "ndcg@20|rel:>=4|mh:1.0#d4676305"], 0, ""),
        (["evaluate", "--recommendations", "a.csv", "--truth", "b.csv"], 2, "pip install 'metric-harness[evaluate]'"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_command_that_lacks_a_package_names_its_extra(arguments, code, words):
    ended = without_extras("from metric_harness.cli import app\napp.main()", *arguments)
    assert ended.returncode == code, ended.stderr
    assert words in ended.stderr
    assert "mistake of metric-harness" not in ended.stderr

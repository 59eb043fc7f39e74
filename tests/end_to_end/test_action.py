"""The steps of action.yml and of the pre-commit hook, run as their services run them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import ROOT

pytestmark = pytest.mark.slow
RIGHT = "def precision(recommended, relevant, k):\n    return len(set(recommended[:k]) & set(relevant)) / k\n"
SIGNATURE = "precision@k|divide_by:k|cut:k|mean:users|users:all|norel:0|nolist:0|dup:once|ties:input|rel:>0|mh:1.0"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "own.py").write_text(RIGHT, encoding="utf-8")
    declared = f'[functions."own.py:precision"]\nsignature = "{SIGNATURE}"\n'
    (tmp_path / "metrics.toml").write_text(declared, encoding="utf-8")
    return tmp_path


def run(command: str, project: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    if shutil.which("metric-harness", path=path) is None:
        pytest.skip("the package is not installed: there is no metric-harness beside this Python")
    environment = {**os.environ, "PATH": path, **variables}
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", command], cwd=project, env=environment, capture_output=True, text=True
    )


def step(name: str) -> str:
    """The script of a step of action.yml."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8").partition(f"- name: {name}\n")[2]
    found = re.search(r"run: (?:\|\n((?: {8}.*\n)+)|(.*)\n)", text)
    assert found is not None
    return found[1] or found[2]


def test_the_action_passes_and_fails(project):
    variables = {"DECLARATION": "metrics.toml", "ENVIRONMENT": "current", "BADGE": "badges"}
    ended = run(step("Conform"), project, **variables)
    assert ended.returncode == 0, ended.stderr
    assert (project / "badges" / "metrics.svg").is_file()
    (project / "own.py").write_text(RIGHT.replace("/ k", "/ len(relevant)"), encoding="utf-8")
    assert run(step("Conform"), project, **{**variables, "BADGE": ""}).returncode == 1


def test_the_action_installs_what_is_asked_for():
    assert step("Install") == 'python -m pip install "$METRIC_HARNESS_REQUIREMENT"'


def test_the_hook_passes(project):
    (entry,) = re.findall(r"entry: (.*)", (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert run(entry, project).returncode == 0

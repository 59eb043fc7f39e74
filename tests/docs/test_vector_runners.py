"""The runners of the test vectors in other languages, where their tools are: right, and with a planted mistake."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from metric_reference.vectors.build import FILE
from tests.support.places import ROOT

EXAMPLES = ROOT / "docs" / "examples" / "vectors"
GSON, CRATES = Path("/usr/share/java/gson.jar"), Path("/usr/share/cargo/registry")
"""Where Debian's libgoogle-gson-java and librust-serde-json-dev put their files."""
OFFLINE = ["--offline", "--config", 'source.crates-io.replace-with="debian"']
LOCAL = ["--config", f'source.debian.directory="{CRATES}"']
RUNNERS = {
    "javascript": (["node", "check.mjs"], "check.mjs", "Math.min(k, relevant.length)", "relevant.length"),
    "java": (
        ["java", "-cp", str(GSON), "Check.java"],
        "Check.java",
        "Math.min(k, relevant.size())",
        "relevant.size()",
    ),
    "go": (
        ["go", "run", "check.go"],
        "check.go",
        "precisions / most",
        "precisions / float64(len(relevant))",
    ),
    "rust": (
        ["cargo", "run", "-q", *OFFLINE, *LOCAL, "--"],
        "src/main.rs",
        "k.min(relevant.len()) as f64",
        "relevant.len() as f64",
    ),
    "r": (["Rscript", "check.R"], "check.R", "min(k, length(relevant))", "length(relevant)"),
    "julia": (["julia", "check.jl"], "check.jl", "min(k, length(relevant))", "length(relevant)"),
}
NEEDS = {"java": GSON, "rust": CRATES / "serde_json-1.0.87"}


def five_lines(language: str) -> list[str]:
    """The lines with which the section of a language begins on the page."""
    page = (ROOT / "docs" / "vectors.md").read_text(encoding="utf-8")
    sections = re.findall(r"(?ms)^### (\w+)\n\n```sh\n(.*?)^```$", page)
    return {title.lower(): lines.splitlines() for title, lines in sections}[language]


def run(language: str, folder: Path) -> subprocess.CompletedProcess[str]:
    require(language)
    command = RUNNERS[language][0]
    own = {"GOCACHE": str(folder / "cache"), "CARGO_TARGET_DIR": str(folder / "target")}
    return subprocess.run(
        [*command, str(FILE)], cwd=folder, env={**os.environ, **own}, capture_output=True, text=True, timeout=300
    )


def require(language: str) -> None:
    """Skip where the tools of a language are not on this machine."""
    command = RUNNERS[language][0]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    if language in NEEDS and not NEEDS[language].exists():
        pytest.skip(f"{NEEDS[language]} is not there")
    if language == "r" and subprocess.run(["Rscript", "-e", "library(jsonlite)"], capture_output=True).returncode:
        pytest.skip("R has no jsonlite")


@pytest.fixture
def folder(request, tmp_path):
    return shutil.copytree(EXAMPLES / request.param, tmp_path / request.param)


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "language"), [(one, one) for one in RUNNERS], indirect=["folder"])
def test_a_right_implementation_passes(folder, language):
    ended = run(language, folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert re.fullmatch(r"(108|138) right, 0 wrong; other definitions and .* are skipped\n", ended.stdout), ended.stdout


@pytest.mark.parametrize("language", RUNNERS)
def test_a_runner_is_short(language):
    """Go's formatter gives every condition three lines."""
    most = 61 if language == "go" else 46
    text = (EXAMPLES / language / RUNNERS[language][1]).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= most
    assert max(len(line.expandtabs(4)) for line in text.splitlines()) <= 120


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "language"), [(one, one) for one in RUNNERS], indirect=["folder"])
def test_a_wrong_implementation_fails_with_the_name_of_the_case(folder, language):
    """The planted mistake: average precision over all relevant items instead of at most k."""
    _, file, right, wrong = RUNNERS[language]
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(right) == 1
    (folder / file).write_text(text.replace(right, wrong), encoding="utf-8")
    ended = run(language, folder)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "plain: average_precision(divide_by=min_k_relevant) is " in ended.stdout


@pytest.mark.parametrize("language", RUNNERS)
def test_a_section_begins_with_five_lines(language):
    lines = five_lines(language)
    assert len(lines) == 5
    assert lines[0].startswith("sudo apt-get install ")
    assert lines[4].endswith(" ../vectors.json")
    assert lines[4].split()[0] == RUNNERS[language][0][0]


@pytest.mark.slow
@pytest.mark.parametrize("language", RUNNERS)
def test_the_lines_of_a_section_run_as_they_are(language, tmp_path):
    """All but the first, which installs."""
    if language == "rust":
        pytest.skip("the line fetches serde_json; the runner is run offline above")
    require(language)
    shutil.copytree(EXAMPLES, tmp_path / "docs" / "examples" / "vectors")
    command = tmp_path / "metric-harness"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m metric_harness "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    own = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "GOCACHE": str(tmp_path / "cache")}
    script = "set -e\n" + "\n".join(five_lines(language)[1:])
    ended = subprocess.run(
        ["sh", "-c", script], cwd=tmp_path, env={**os.environ, **own}, capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert re.search(r"(?m)^(108|138) right, 0 wrong; other definitions and .* are skipped$", ended.stdout)

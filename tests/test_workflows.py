"""The workflows and issue forms: of the right form, without a known danger, pinned by hash, asking for the record."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.places import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = [path for path in sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")) if path.name != "config.yml"]
SCHEMAS = {
    "github-workflows": WORKFLOWS,
    "github-actions": [ROOT / "action.yml"],
    "github-issue-forms": FORMS,
    "github-issue-config": [ROOT / ".github/ISSUE_TEMPLATE/config.yml"],
}


def program(tool: str) -> str:
    beside = Path(sys.executable).with_name(tool)
    found = str(beside) if beside.exists() else shutil.which(tool)
    if found is None:
        pytest.skip(f"{tool} is not installed; the extra test brings it, where it has a wheel for this machine")
    return found


def checked(tool: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program(tool), *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)


def linted(*workflows: Path) -> subprocess.CompletedProcess[str]:
    """Actionlint, which gives the scripts of the steps to shellcheck."""
    return checked("actionlint", "-shellcheck", program("shellcheck"), *workflows)


def test_zizmor_finds_nothing() -> None:
    ended = checked("zizmor", "--offline", "--pedantic", ".github", "action.yml")
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_zizmor_would_find_something(tmp_path: Path) -> None:
    (folder := tmp_path / ".github/workflows").mkdir(parents=True)
    loose = re.sub(r"@[0-9a-f]{40} # (\S+)", r"@\1", (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
    (folder / "tests.yml").write_text(loose, encoding="utf-8")
    assert "unpinned-uses" in checked("zizmor", "--offline", "--pedantic", tmp_path).stdout


def test_actionlint_finds_nothing() -> None:
    ended = linted(*WORKFLOWS)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("right", "wrong", "kind"),
    [
        ("github.ref_name", "github.reff_name", "[expression]"),
        ("needs: build", "needs: built", "[job-needs]"),
        ('"dist/metric_harness-${TAG#v}-py3-none-any.whl"', "dist/metric_harness-$TAG", "[shellcheck]"),
    ],
    ids=["an expression", "a job's name", "a script"],
)
def test_actionlint_would_find_something(right: str, wrong: str, kind: str, tmp_path: Path) -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert right in text
    (broken := tmp_path / "release.yml").write_text(text.replace(right, wrong), encoding="utf-8")
    ended = linted(broken)
    assert ended.returncode == 1
    assert kind in ended.stdout


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_have_the_form_of_their_schema(schema: str) -> None:
    ended = checked("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *SCHEMAS[schema])
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_an_action_is_pinned_by_a_hash_with_its_version_and_in_one_version() -> None:
    lines = [line for path in WORKFLOWS for line in path.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    pins = [re.fullmatch(r" +(?:- )?uses: (\S+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)", line) for line in lines]
    assert pins
    assert [line for line, pin in zip(lines, pins, strict=True) if pin is None] == []
    versions = {pin.groups() for pin in pins if pin}
    assert len(versions) == len({name for name, _, _ in versions})


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_has_no_right_but_what_its_jobs_name(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.search(r"(?m)^permissions: \{\}$", text)
    assert text.count("\n    permissions:\n") == text.count("\n    runs-on:") == text.count("\n    timeout-minutes:")


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_for_the_record(path: Path) -> None:
    assert re.search(r"\n    id: record\n", path.read_text(encoding="utf-8"))


def test_a_release_carries_the_addresses_of_the_repository_that_builds_it(tmp_path: Path) -> None:
    """It is written once, however often it is asked; an address of another form is refused."""
    for name in (".ci/addresses", "pyproject.toml", "CITATION.cff"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    address = "https://forge.example/team/metric-harness"
    for _ in range(2):
        subprocess.run([tmp_path / ".ci/addresses", address], check=True)
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    assert urls == {
        "Repository": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
        "Paper": "https://doi.org/10.1145/3460231.3478848",
    }
    assert (tmp_path / "CITATION.cff").read_text(encoding="utf-8").count(f"\nrepository-code: {address}\n") == 1
    assert subprocess.run([tmp_path / ".ci/addresses", "forge.example"], capture_output=True).returncode == 2

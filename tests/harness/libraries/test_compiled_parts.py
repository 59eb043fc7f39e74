"""The compiled part of a release: built once, missing, failing, or stood in for by a recording."""

from pathlib import Path

import pytest

from metric_harness import audit
from metric_harness.comparison.compare import compare
from metric_harness.libraries.git_sources import source_for
from metric_harness.recordings.record import record_release
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.variant import Variant
from metric_reports.record import validate
from tests.harness.libraries.git_toy import git, settings

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("folder", [None, "empty"])
def test_without_its_compiled_part_one_subject_alone_is_missing(toy, repository, bundle, tmp_path, monkeypatch, folder):
    monkeypatch.delenv("METRIC_HARNESS_COMPILED")
    monkeypatch.setenv("CXX", "c++")
    if folder:
        monkeypatch.setenv("METRIC_HARNESS_COMPILED", str(tmp_path / folder))
    record = compare(bundle, [(toy, toy.newest())], settings(repository), tmp_path / "out")
    cells = {cell["function"]: cell for cell in record["cells"]}
    assert cells["map"]["status"] == "explained"
    assert cells["compiled"]["status"] == "not_available"
    assert cells["compiled"]["error"].startswith("needs its compiled part, for which a C++ compiler is needed")


def test_the_recording_stands_in_for_a_compiled_part(toy, repository, bundle, tmp_path, monkeypatch):
    record_release(toy, toy.newest(), "current", {"toy": repository[0]}, 2 << 30, Reporter())
    monkeypatch.delenv("METRIC_HARNESS_COMPILED")
    monkeypatch.setenv("CXX", "c++")
    record = validate(compare(bundle, [(toy, toy.newest())], settings(repository), tmp_path / "out"))
    cells = {cell["function"]: cell for cell in record["cells"]}
    assert cells["map"]["status"] == "explained"
    assert cells["compiled"]["variant"] == "precision(divide_by=k)"
    assert cells["compiled"]["value"] is None
    assert cells["compiled"]["predicted"] == pytest.approx(Variant.parse("precision").value(bundle.case, k=5))
    assert "needs its compiled part" in cells["compiled"]["error"]


def test_a_recording_is_not_replaced_by_one_with_fewer_functions(toy, repository, monkeypatch):
    asked = toy, toy.newest(), "current", {"toy": repository[0]}, 2 << 30, Reporter()
    path = record_release(*asked)
    before = path.read_bytes()
    monkeypatch.delenv("METRIC_HARNESS_COMPILED")
    monkeypatch.setenv("CXX", "c++")
    with pytest.raises(HarnessError, match=r"^compiled is recorded and cannot be asked here: needs its compiled part"):
        record_release(*asked)
    assert path.read_bytes() == before


def test_an_audit_leaves_out_what_needs_a_compiled_part(toy, repository, monkeypatch, capsys):
    monkeypatch.delenv("METRIC_HARNESS_COMPILED")
    monkeypatch.setenv("CXX", "c++")
    settings = {"environment": "current", "adapters": (toy.folder.parent,), "sources": (f"toy={repository[0]}",)}
    assert [row.target for row in audit("toy==2.0", **settings).subjects] == ["toy==2.0:map"]
    with pytest.raises(HarnessError, match=r"toy==2\.0:compiled needs its compiled part"):
        audit("toy==2.0:compiled", **settings)


@pytest.fixture
def script(toy, tmp_path, monkeypatch) -> Path:
    """A script that builds the toy's compiled part, and counts how often it runs."""
    monkeypatch.delenv("METRIC_HARNESS_COMPILED")
    monkeypatch.setenv("METRIC_HARNESS_BUILD", str(tmp_path / "scripts"))
    monkeypatch.setenv("CXX", "c++")
    path = tmp_path / "scripts" / "toy"
    path.parent.mkdir()
    path.write_text(f"test -f data.bin && printf precision > name.txt && echo run >> '{tmp_path / 'runs'}'\n")
    return path


def test_a_compiled_part_is_built_once(toy, script, repository, bundle, tmp_path):
    for name in ("one", "two"):
        record = compare(bundle, [(toy, toy.newest())], settings(repository), tmp_path / name)
        assert {cell["function"]: cell["status"] for cell in record["cells"]} == dict.fromkeys(
            ("map", "compiled"), "explained"
        )
    assert (tmp_path / "runs").read_text() == "run\n"
    assert not (source_for(toy, toy.newest(), {"toy": repository[0]}, Reporter()) / "name.txt").exists()
    script.write_text("printf recall > name.txt\n")
    record = compare(bundle, [(toy, toy.newest())], settings(repository), tmp_path / "three")
    assert {row["function"]: row["variant"] for row in record["subjects"]}["compiled"] == "recall(divide_by=relevant)"


def test_a_repository_may_lack_what_no_build_needs(toy, script, repository, bundle, tmp_path):
    folder, commits = repository
    blob = git(folder, "rev-parse", f"{commits[1]}:data.bin")
    (folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    script.write_text("test ! -e data.bin && test -f pkg/toy.py && printf precision > name.txt")
    record = compare(bundle, [(toy, toy.newest())], settings(repository), tmp_path / "out")
    assert {cell["status"] for cell in record["cells"]} == {"explained"}


@pytest.mark.parametrize(
    ("compiler", "said"),
    [
        ("c++", "no such header"),
        (None, "needs a C++ compiler for its compiled part: none of a-compiler-that-is-not-here is on PATH"),
    ],
)
def test_a_build_that_fails_costs_its_own_subjects(
    toy, script, repository, bundle, tmp_path, monkeypatch, compiler, said
):
    script.write_text("echo no such header; exit 3")
    if compiler is None:
        monkeypatch.delenv("CXX")
        monkeypatch.setattr("metric_harness.libraries.compiled.COMPILERS", ("a-compiler-that-is-not-here",))
    record = compare(bundle, [(toy, toy.newest())], settings(repository), tmp_path / "out")
    cells = {cell["function"]: cell for cell in record["cells"]}
    assert cells["map"]["status"] == "explained"
    assert cells["compiled"]["status"] == "not_available"
    assert said in cells["compiled"]["error"]

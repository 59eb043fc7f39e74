"""Releases that are git commits: their source, what changed between them, and how releases are chosen."""

import os

import pytest

from metric_harness.cli.libraries import asked_live, choose, pick
from metric_harness.comparison.compare import compare
from metric_harness.libraries.describe import find_libraries
from metric_harness.libraries.environments import EnvironmentFailure
from metric_harness.libraries.git_sources import parse_sources, source_for
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reports.record import validate
from tests.harness.libraries.git_toy import settings

pytestmark = pytest.mark.thorough


def test_the_files_of_a_commit(toy, repository):
    old = source_for(toy, toy.release("1.0"), {"toy": repository[0]}, Reporter())
    assert "/ k\n" in (old / "pkg" / "toy.py").read_text()
    assert not (old / "data.bin").exists()
    (repository[0] / "pkg" / "toy.py").write_text("a working copy's own change")
    new = source_for(toy, toy.release("2.0"), {"toy": repository[0]}, Reporter())
    assert "min(k, len(r))" in (new / "pkg" / "toy.py").read_text()


def test_a_changed_source_is_made_anew(toy, repository):
    folder = source_for(toy, toy.release("1.0"), {"toy": repository[0]}, Reporter())
    file = folder / "pkg" / "toy.py"
    before = file.read_text()
    file.chmod(0o644)
    file.write_text("tampered")
    assert source_for(toy, toy.release("1.0"), {"toy": repository[0]}, Reporter()) == folder
    assert file.read_text() == before
    assert not os.stat(file).st_mode & 0o222


def test_a_folder_of_sources(toy, repository, monkeypatch):
    monkeypatch.setenv("METRIC_HARNESS_SOURCES", str(repository[0].parent))
    (repository[0].parent / "toy").symlink_to(repository[0])
    assert (source_for(toy, toy.release("1.0"), {}, Reporter()) / "pkg" / "toy.py").is_file()
    monkeypatch.setenv("METRIC_HARNESS_SOURCES", "/no/such/folder")
    with pytest.raises(HarnessError, match="METRIC_HARNESS_SOURCES=/no/such/folder: no such folder"):
        source_for(toy, toy.release("2.0"), {}, Reporter())


def test_a_source_that_cannot_be_had_says_what_to_do(toy, repository, tmp_path):
    with pytest.raises(EnvironmentFailure, match=r"cannot be fetched from .*give a local clone with --source toy=PATH"):
        source_for(toy, toy.release("1.0"), {}, Reporter())
    (tmp_path / "empty").mkdir()
    with pytest.raises(EnvironmentFailure, match="holds no commit"):
        source_for(toy, toy.release("1.0"), {"toy": tmp_path / "empty"}, Reporter())
    with pytest.raises(EnvironmentFailure, match="no such folder"):
        source_for(toy, toy.release("1.0"), {"toy": tmp_path / "nowhere"}, Reporter())
    for wrong, words in (("toy", "write NAME=PATH"), ("toi=x", "there is no library 'toi'")):
        with pytest.raises(HarnessError, match=words):
            parse_sources([wrong], {"toy": toy})


def test_two_releases_are_told_apart(toy, repository, bundle, tmp_path):
    record = validate(compare(bundle, pick([toy], "all"), settings(repository), tmp_path / "out"))
    variants = {row["release"]: row["variant"] for row in record["subjects"] if row["function"] == "map"}
    assert variants == {"1.0": "average_precision(divide_by=k)", "2.0": "average_precision(divide_by=min_k_relevant)"}
    by_code = {row["code"]: row for row in record["findings"]}
    assert by_code["REL001"]["release"] == "2.0"
    case = by_code["REL001"]["case"]
    assert case["candidates"][0]["variant"] == "average_precision(divide_by=k)"
    assert case["value"] != pytest.approx(case["candidates"][0]["value"])
    assert "1.0 (map) computes average_precision(divide_by=k)" in by_code["REL001"]["message"]
    documented = [(row["release"], row["case"]["probe"]) for row in record["findings"] if row["code"] == "DOC001"]
    assert documented == [("2.0", documented[0][1])]
    explained = [cell for cell in record["cells"] if cell["status"] == "explained"]
    assert {(cell["release"], cell["function"]) for cell in explained} == {
        (release, function) for release in ("1.0", "2.0") for function in ("map", "compiled")
    }  # fmt: skip
    source = next(row["source"] for row in record["subjects"] if row["function"] == "map")
    assert source["file"] == "pkg/toy.py"
    assert [row["commit"] for row in record["libraries"]] == repository[1]
    compiled = {path.parent.name for path in (tmp_path / "cache" / "sources").rglob("toy*.pyc")}
    assert compiled == {"pkg"}, "the next start compiles nothing"
    assert not list((tmp_path / "cache" / "sources").glob("*/files/**/*.pyc")), "the commit's files are as they were"


def test_releases_are_chosen(toy):
    known = {"toy": toy}
    old, new = toy.releases
    assert choose(known, None) == [(toy, new)]
    assert choose(known, "toy", "paper") == [(toy, old)]
    assert choose(known, "toy,toy==2.0", "all") == [(toy, old), (toy, new)]
    assert choose(known, "toy==1.0") == [(toy, old)]
    for wanted, which, words in (
        ("toy==3", "newest", "no release '3'"), ("toi", "newest", "there is no tois?"), (None, "latest", "give one of"),
    ):  # fmt: skip
        with pytest.raises(HarnessError, match=words):
            choose(known, wanted, which)


def test_families_are_chosen_and_asked():
    known = find_libraries()
    assert {library.family for library, _ in choose(known, "rec")} == {"rec"}
    assert [library.key for library, _ in choose(known, "all")] == list(known)
    assert {library.key for library, _ in choose(known, "paper", "paper")} >= {"recbole", "elliot", "neurec"}
    assert asked_live(known, "recbole", None) == frozenset(known)
    usual = asked_live(known, None, None)
    assert {"recbole", "recommenders"} <= usual == {key for key, library in known.items() if library.live}
    assert asked_live(known, None, "all") == frozenset(known)
    with pytest.raises(HarnessError, match="families rec, ir, rag, ltr, ml, paper, all"):
        choose(known, "retrieval")

"""Releases that are git commits: their source, their compiled part, what changed between them, and their recordings."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from metric_harness import audit
from metric_harness.bundles.build import bundle_from_files
from metric_harness.cli.libraries import asked_live, choose, pick
from metric_harness.comparison.compare import Settings, compare
from metric_harness.libraries.describe import Library, find_libraries, read_library
from metric_harness.libraries.environments import EnvironmentFailure
from metric_harness.libraries.git_sources import parse_sources, source_for
from metric_harness.recordings.read import path_of, read_recording
from metric_harness.recordings.record import record_release
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.variant import Variant
from metric_reports.record import validate

pytestmark = pytest.mark.thorough

PAGE = """
name = "Toy"
homepage = "https://example.org"
licence = "MIT"
summary = "Average precision, once over k and once over min(k, r)."
repository = "{repository}"
[[releases]]
version = "1.0"
python = ">=3.8"
commit = "{old}"
paths = ["pkg"]
paper = true
shims = ["nothing is put right"]
[[releases]]
version = "2.0"
python = ">=3.8"
commit = "{new}"
paths = ["pkg"]
[subjects.map]
metric = "average_precision"
claim = "Average precision over k."
claims = "average_precision(divide_by=k)"
address = "https://example.org/map"
[subjects.compiled]
metric = "precision"
needs = ["compiled"]
claim = "Precision."
address = "https://example.org/precision"
"""

ADAPTER = """
from metric_adapters import checkout
from metric_adapters.subject import Answer, Subject
from metric_reference.variant import Variant
checkout.on_path("pkg")
import toy

def ask(case, k):
    lists = [case.list_of(user).tolist() for user in range(case.users)]
    return Answer(toy.map_at_k([set(case.relevant_of(user).tolist()) for user in range(case.users)], lists, k))

def compiled(case, k):
    return Answer(Variant.parse((checkout.compiled() / "name.txt").read_text()).value(case, k=k))

def version():
    return checkout.version()

SUBJECTS = {"map": Subject(ask, toy.map_at_k), "compiled": Subject(compiled)}
"""

TOY = """
def map_at_k(relevant, lists, k):
    total, users = 0.0, 0
    for r, ranked in zip(relevant, lists):
        if not r:
            continue
        users += 1
        hits = 0
        for rank, item in enumerate(ranked[:k], 1):
            if item in r:
                hits += 1
                total += hits / rank / {divisor}
    return total / users if users else 0.0
"""


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, list[str]]:
    """A repository with two commits, and their names."""
    folder = tmp_path / "clone"
    (folder / "pkg").mkdir(parents=True)
    git(folder, "init", "--quiet")
    (folder / "data.bin").write_bytes(b"large")
    commits = []
    for divisor in ("k", "min(k, len(r))"):
        (folder / "pkg" / "toy.py").write_text(TOY.format(divisor=divisor))
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", divisor)
        commits.append(git(folder, "rev-parse", "HEAD"))
    return folder, commits


@pytest.fixture
def toy(repository, tmp_path, monkeypatch) -> Library:
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("METRIC_HARNESS_SOURCES", raising=False)
    folder = tmp_path / "library" / "toy"
    folder.mkdir(parents=True)
    old, new = repository[1]
    # The address is one that git cannot reach, wherever this runs.
    page = PAGE.format(repository="https://example.invalid/toy", old=old, new=new)
    (folder / "library.toml").write_text(page)
    (folder / "adapter.py").write_text(ADAPTER)
    (tmp_path / "compiled" / "toy").mkdir(parents=True)
    (tmp_path / "compiled" / "toy" / "name.txt").write_text("precision")
    monkeypatch.setenv("METRIC_HARNESS_COMPILED", str(tmp_path / "compiled"))
    return read_library(folder)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundle")
    lists = [(u, (7 * u + 3 * r) % 40, 10 - r) for u in range(20) for r in range(8)]
    truth = [(u, (7 * u + 3 * r) % 40) for u in range(20) for r in range(1, 9, 2 + u % 3)]
    for name, rows in (("pred.csv", lists), ("test.csv", truth)):
        head = "user_id,item_id,score" if name == "pred.csv" else "user_id,item_id"
        (folder / name).write_text("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return bundle_from_files(folder / "pred.csv", folder / "test.csv", folder / "bundle", threshold=None, depth=8)


def settings(repository, **more) -> Settings:
    return Settings(ks=(5,), environment="current", sources={"toy": repository[0]}, **more)


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
    assert case["standard"] == "average_precision(divide_by=k)"
    assert case["value"] != pytest.approx(case["standard_value"])
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


def test_a_recording_stands_in_for_a_release_that_cannot_run(toy, repository, bundle, tmp_path):
    live = compare(bundle, [(toy, toy.newest())], settings(repository), tmp_path / "live")
    path = record_release(toy, toy.newest(), "current", {"toy": repository[0]}, 2 << 30, Reporter())
    assert path == path_of(toy, toy.newest())
    assert path.stat().st_size < 40_000
    (tmp_path / "cache").rename(tmp_path / "gone")
    record = validate(
        compare(bundle, [(toy, toy.newest())], Settings(ks=(5,), environment="current"), tmp_path / "out")
    )
    [row] = record["libraries"]
    assert (row["status"], row["recorded"]) == ("not_available", read_recording(toy, toy.newest()).date)
    for there, here in zip(live["cells"], record["cells"], strict=True):
        assert here["status"] == "not_available"
        assert here["value"] is None
        assert here["variant"] == there["variant"]
        assert here["predicted"] == pytest.approx(there["value"], abs=1e-12)
        assert "predicted from the recording of" in here["error"]
        assert "cannot be fetched" in here["error"]
    assert {f["code"] for f in live["findings"]} == {f["code"] for f in record["findings"]}


def test_a_stale_recording_is_named_and_not_used(toy, repository, bundle, tmp_path):
    path = record_release(toy, toy.newest(), "current", {"toy": repository[0]}, 2 << 30, Reporter())
    page = json.loads(path.read_text())
    page["probes"][0]["mark"] = "0" * 16
    path.write_text(json.dumps(page))
    (tmp_path / "cache").rename(tmp_path / "gone")
    record = compare(bundle, [(toy, toy.newest())], Settings(ks=(5,), environment="current"), tmp_path / "out")
    [row] = record["libraries"]
    assert row["recorded"] is None
    assert f"its recording is stale (changed since: {page['probes'][0]['probe']})" in row["reason"]
    assert {cell["predicted"] for cell in record["cells"]} == {None}


def test_a_broken_recording_is_named(toy):
    path = path_of(toy, toy.newest())
    path.parent.mkdir()
    path.write_text("{}")
    with pytest.raises(HarnessError, match=r"2\.0\.json: no recording .*metric-harness record"):
        read_recording(toy, toy.newest())


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

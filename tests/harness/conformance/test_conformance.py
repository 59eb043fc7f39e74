"""Declarations: what is within them, what has left them, and what of them is read, shown and refused."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from metric_harness.conformance.badge import endpoint, svg, table
from metric_harness.conformance.check import Conformance
from metric_harness.conformance.declaration import read_declaration
from metric_harness.libraries.describe import find_libraries
from metric_harness.system.errors import HarnessError
from tests.support.command import run
from tests.support.places import ROOT
from tests.support.recorded import recorded_signature

EXAMPLES = ROOT / "docs" / "examples" / "conformance"
USUAL = "precision@k|divide_by:k|cut:k|mean:users|users:all|norel:0|nolist:0|dup:?|ties:input|rel:>0|mh:1.0"
RIGHT = """
def precision(recommended, relevant, k):
    return len(set(recommended[:k]) & set(relevant)) / k
"""
WRONG = RIGHT.replace("/ k", "/ max(1, len(recommended[:k]))")


def declared(folder: Path, text: str) -> Path:
    (folder / "metrics.toml").write_text(text, encoding="utf-8")
    return folder / "metrics.toml"


def verdict(folder: Path, signature: str, found: str | None, deviations: str = ""):
    from metric_harness.conformance.declaration import judged

    text = f'[functions.f]\nsignature = "{signature}"\n{deviations}'
    (one,) = read_declaration(declared(folder, text)).functions
    return judged(one, found, "no answer")


def test_what_is_declared_is_within(tmp_path):
    assert verdict(tmp_path, USUAL, USUAL).within
    assert verdict(tmp_path, USUAL.replace("@k", "@10"), USUAL).within


def test_another_definition_has_left(tmp_path):
    found = verdict(tmp_path, USUAL, USUAL.replace("divide_by:k", "divide_by:list"))
    assert not found.within
    assert "differ in divide_by (k, list)" in found.sentence


def test_another_edge_has_left_and_an_unknown_one_has_not(tmp_path):
    assert not verdict(tmp_path, USUAL, USUAL.replace("norel:0", "norel:1")).within
    unknown = verdict(tmp_path, USUAL.replace("dup:?", "dup:once"), USUAL)
    assert unknown.within
    assert "unknown for lists that name an item twice" in unknown.sentence
    both = verdict(tmp_path, USUAL.replace("dup:?", "dup:once"), USUAL.replace("norel:0", "norel:1"))
    assert not both.within


def test_a_known_deviation_is_within_and_is_noticed_when_it_is_gone(tmp_path):
    deviation = 'deviations = { divide_by = "list" }'
    assert verdict(tmp_path, USUAL, USUAL.replace("divide_by:k", "divide_by:list"), deviation).within
    mended = verdict(tmp_path, USUAL, USUAL, deviation)
    assert (mended.within, mended.mended) == (True, ("divide_by",))
    third = verdict(tmp_path, USUAL, USUAL.replace("divide_by:k", "divide_by:min(k,r)"), deviation)
    assert not third.within


def test_without_a_verified_definition_it_has_left(tmp_path):
    found = verdict(tmp_path, USUAL, None)
    assert (found.within, found.sentence) == (False, "no definition is verified: no answer")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[functions", "no TOML in UTF-8"),
        ("x = 1", "'functions' is a required property"),
        ("[functions.f]", "functions.f: 'signature' is a required property"),
        ("[functions.f]\nsignature = 'precision@k|divide_by:kk'", "functions.f.signature: "),
        (f"[functions.f]\nsignature = '{USUAL}'\ndeviations = {{ ideal = 'k' }}", "'ideal' is no part of it"),
        (f"[functions.f]\nsignature = '{USUAL}'\ndeviations = {{ divide_by = 'x' }}", "functions.f.deviations: "),
        (f"[functions.f]\nsignature = '{USUAL}'\nlist = 1", "Additional properties are not allowed"),
    ],
)
def test_a_mistake_is_named(tmp_path, text, said):
    with pytest.raises(HarnessError) as refused:
        read_declaration(declared(tmp_path, text))
    assert said in str(refused.value)
    assert "metrics.toml" in str(refused.value)


def test_a_missing_declaration_says_how_to_write_one(tmp_path):
    ended = run("library", "conform", tmp_path / "metrics.toml")
    assert ended.returncode == 2
    assert "--declare TARGET" in ended.stderr


def test_a_declaration_of_a_library_and_of_a_function_is_refused_before_any_is_asked():
    ended = run("library", "conform", "--declare", "nowhere.py:precision", "--declare", "recbole==1.2.1")
    assert (ended.returncode, "of one library, or of functions" in ended.stderr) == (2, True)


@pytest.mark.parametrize(
    ("source", "code", "mark"),
    [
        (RIGHT, 0, "ok  "),
        (WRONG, 1, "LEFT"),
        ("", 2, "??  "),
        ("def precision(recommended, relevant, k):\n    raise OSError(28)\n", 2, "??  "),
        ("while True: pass\ndef precision(recommended, relevant, k): return 1.0\n", 2, "??  "),
    ],
    ids=["right", "wrong", "gone", "no number", "hangs"],
)
@pytest.mark.slow
def test_what_could_not_be_asked_has_not_left(tmp_path, source, code, mark):
    (tmp_path / "own.py").write_text(source, encoding="utf-8")
    declared(tmp_path, f'[functions."own.py:precision"]\nsignature = "{USUAL.replace("dup:?", "dup:once")}"\n')
    ended = run("library", "conform", "-q", "--timeout", "2", cwd=tmp_path)
    assert (ended.returncode, ended.stdout[:4]) == (code, mark), ended.stdout + ended.stderr


def test_a_program_is_run_only_if_told_so(tmp_path):
    declared(tmp_path, f'[functions."exec:touch ran"]\nsignature = "{USUAL}"\n')
    refused = run("library", "conform", "-q", cwd=tmp_path)
    assert (refused.returncode, "give --programs" in refused.stderr) == (2, True)
    assert not (tmp_path / "ran").exists()
    assert run("library", "conform", "-q", "--programs", cwd=tmp_path).returncode == 2  # it ran, and did not answer
    assert (tmp_path / "ran").exists()


def held_against_recording(file: Path, version: str = "") -> dict[str, bool]:
    """Whether each declared function is within, by the recorded answers of a release; of the newest if empty."""
    from metric_harness.conformance.declaration import judged

    declaration = read_declaration(file)
    library = find_libraries()[declaration.library]
    release = library.release(version) if version else library.newest()
    return {
        one.function: judged(one, recorded_signature(library, release, one.function), "not recorded").within
        for one in declaration.functions
    }


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_the_examples_hold_for_the_recorded_answers(file):
    assert all(held_against_recording(file, file.stem.partition("-")[2]).values())


def test_a_declaration_alone_catches_the_change_of_haystack():
    """Release 3 divides average precision by the relevant documents instead of by the hits, and says so nowhere."""
    after = held_against_recording(EXAMPLES / "haystack-2.20.0.toml", "3.4.0")
    assert [name for name, within in after.items() if not within] == [
        "DocumentMAPEvaluator",
        "DocumentNDCGEvaluator",
        "DocumentNDCGEvaluator[scores]",
    ]


@pytest.mark.slow
@pytest.mark.live
@pytest.mark.parametrize(("release", "code"), [("2.20.0", 0), ("3.4.0", 1)])
def test_the_command_catches_it_in_the_library_itself(release, code):
    file = EXAMPLES / "haystack-2.20.0.toml"
    ended = run("library", "conform", file, "--environment", "isolated", "--release", release, "--quiet")
    assert ended.returncode == code, ended.stdout + ended.stderr
    assert ("LEFT  DocumentMAPEvaluator" in ended.stdout) == bool(code)
    assert code == 0 or "divide_by (hits, relevant)" in ended.stdout


def test_there_are_five_examples():
    assert len(list(EXAMPLES.glob("*.toml"))) >= 5


@pytest.mark.slow
def test_a_function_of_ones_own_from_declaration_to_departure(tmp_path):
    (tmp_path / "own.py").write_text(RIGHT, encoding="utf-8")
    written = run("library", "conform", "--declare", "own.py:precision", "--out", "metrics.toml", cwd=tmp_path)
    assert written.returncode == 0, written.stderr
    (row,) = tomllib.loads((tmp_path / "metrics.toml").read_text(encoding="utf-8"))["functions"].values()
    assert row["signature"].startswith("precision@k|divide_by:k")
    assert run("library", "conform", "--badge", "badges", "--table", "table.md", cwd=tmp_path).returncode == 0
    assert json.loads((tmp_path / "badges" / "metrics.json").read_text())["message"] == "1 of 1 as declared"
    assert "own.py:precision" in (tmp_path / "table.md").read_text(encoding="utf-8")
    (tmp_path / "own.py").write_text(WRONG, encoding="utf-8")
    left = run("library", "conform", "--json", cwd=tmp_path)
    assert left.returncode == 1
    page = json.loads(left.stdout)
    assert (page["within"], page["functions"][0]["within"]) == (False, False)
    assert "divide_by (k, list)" in page["functions"][0]["sentence"]


@pytest.mark.slow
@pytest.mark.parametrize(("source", "outcome"), [(RIGHT, "1 passed"), (WRONG, "1 failed")])
def test_the_pytest_plugin(tmp_path, source, outcome):
    (tmp_path / "own.py").write_text(source, encoding="utf-8")
    declared(tmp_path, f'[functions."own.py:precision"]\nsignature = "{USUAL.replace("dup:?", "dup:once")}"\n')
    plugin = ["-p", "metric_harness.conformance.pytest_plugin", "-p", "no:cacheprovider"]
    words = [sys.executable, "-m", "pytest", "-q", *plugin, "--metrics", "metrics.toml", "own.py"]
    paths = os.pathsep.join(str(ROOT / one) for one in ("harness", "reference", "reports", "adapters/kit"))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ended = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert outcome in ended.stdout, ended.stdout + ended.stderr
    assert ("divide_by (k, list)" in ended.stdout) == (source is WRONG)


def test_badge_and_table(tmp_path):
    found = Conformance((verdict(tmp_path, USUAL, USUAL), verdict(tmp_path, USUAL, None)))
    assert json.loads(endpoint(found)) == {
        "schemaVersion": 1,
        "label": "metrics",
        "message": "1 of 2 as declared",
        "color": "red",
    }
    assert ElementTree.fromstring(svg(found)).get("aria-label") == "metrics: 1 of 2 as declared"
    lines = table(found).splitlines()
    assert len(lines) == 4
    assert "Not as declared" in lines[3]

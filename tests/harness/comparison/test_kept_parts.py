"""What a finished run leaves for its rerun: the same rows, as long as nothing has changed that they depend on."""

import json
import shutil

import pytest

from metric_harness.comparison import release_run
from metric_harness.comparison.compare import Settings, compare
from metric_harness.comparison.kept_parts import KeptParts
from metric_harness.libraries.describe import find_libraries
from tests.harness.comparison.test_side_by_side import lists
from tests.support.places import ROOT, SUPPORT

DAMAGES = {
    "cut off": lambda text: text[: len(text) // 2],
    "another value": lambda text: text.replace("0.25", "0.75"),
    "no JSON": lambda text: "\x00",
    "a list": lambda text: "[]",
    "too deep": lambda text: "[" * 100_000,
}


def never():
    raise AssertionError("it was kept")


def test_a_part_is_computed_once(tmp_path):
    kept = KeptParts(tmp_path)
    assert kept.once("models", ["on this", 1], lambda: {"value": 0.25}) == {"value": 0.25}
    assert kept.once("models", ["on this", 1], never) == {"value": 0.25}
    assert KeptParts(tmp_path).once("models", ["on this", 1], never) == {"value": 0.25}


def test_a_part_of_other_dependencies_is_computed_again(tmp_path):
    kept = KeptParts(tmp_path)
    kept.put("models", 1, "on this")
    assert kept.get("models", "on that") is None
    assert kept.get("pairs", "on this") is None
    assert KeptParts(tmp_path, fresh=True).get("models", "on this") is None
    assert kept.get("models", "on this") == 1


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_part_is_computed_again(tmp_path, damage):
    kept = KeptParts(tmp_path)
    kept.put("models", {"value": 0.25}, "on this")
    (file,) = tmp_path.iterdir()
    file.write_text(DAMAGES[damage](file.read_text()))
    assert kept.get("models", "on this") is None
    assert kept.once("models", "on this", lambda: 2) == 2


@pytest.fixture
def work(monkeypatch):
    """The functions that were identified, one entry for each time."""
    done = []
    identify = release_run.identify

    def counted(metric, answers):
        done.append(metric)
        return identify(metric, answers)

    monkeypatch.setattr(release_run, "identify", counted)
    return done


def test_a_rerun_takes_the_rows_of_a_recorded_library(tmp_path, work):
    """The folder of a library stands for itself: its description, its adapter and its recordings."""
    shutil.copytree(ROOT / "adapters" / "rs_metrics", tmp_path / "libraries" / "kept_metrics")
    bundle = lists(tmp_path / "lists", 3)

    def run(**settings):
        work.clear()
        library = find_libraries([tmp_path / "libraries"])["kept_metrics"]
        out, settings = tmp_path / "out", Settings(**{"ks": (5,), "live": frozenset(), **settings})
        record = compare(bundle, [(library, library.newest())], settings, out)
        return json.dumps({**record, "created": "", "seconds": 0}), len(work)

    first, functions = run()
    assert functions > 3
    assert run() == (first, 0)
    assert run(fresh=True) == (first, functions)
    assert run(ks=(3,))[1] == functions
    assert run()[1] == functions, "one run is kept, the last"
    recording = tmp_path / "libraries" / "kept_metrics" / "recordings" / "0.5.0.json"
    recording.write_text(recording.read_text() + "\n")
    assert run() == (first, functions)


@pytest.mark.slow
def test_a_rerun_starts_no_worker_unless_an_answer_was_lost(tmp_path, monkeypatch):
    """In an isolated environment; the log names every question."""
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))
    whole, sound = SUPPORT / "planted" / "planted", tmp_path / "libraries" / "planted"
    shutil.copytree(whole, sound)
    head, *subjects = (whole / "library.toml").read_text().split("\n[subjects.")
    kept = [text for text in subjects if not text.startswith("crashes")]
    assert len(kept) == len(subjects) - 1
    (sound / "library.toml").write_text("\n[subjects.".join([head, *kept]))
    bundle = lists(tmp_path / "lists", 3)

    def questions(folder):
        library, out = find_libraries([folder])["planted"], tmp_path / folder.parent.name
        log = out / "logs" / "planted-1.0.txt"
        log.unlink(missing_ok=True)
        record = compare(bundle, [(library, library.newest())], Settings(ks=(5,)), out)
        return record["cells"], log.read_text().count("== planted:") if log.exists() else 0

    first, asked = questions(sound)
    assert asked > 20
    assert questions(sound) == (first, 0)
    _, asked = questions(whole)
    assert questions(whole)[1] <= 3 < asked, "what crashed is asked again"

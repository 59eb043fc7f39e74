"""Libraries asked side by side, and answers kept for all runs: the same record, fewer questions."""

import json
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest

from metric_harness.bundles.own_lists import bundle_from_files
from metric_harness.cli.records import write_all
from metric_harness.comparison.compare import Settings, compare
from metric_harness.libraries.describe import find_libraries
from metric_harness.system import side_by_side as work
from metric_harness.system import store
from metric_harness.system.errors import HarnessError
from metric_harness.system.outputs import MARKER
from metric_harness.system.processes import run_logged
from metric_harness.system.progress import Reporter
from metric_harness.system.side_by_side import CalledOff, heed_calling_off, jobs_within, side_by_side
from metric_harness.worker.answer_store import AnswerStore
from metric_harness.worker.case_folders import CaseFolders, digest_of
from metric_harness.worker.reply import Reply
from tests.support.places import SUPPORT
from tests.support.random_cases import random_case


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))


def lists(folder, shift):
    """A bundle of 20 users, whose relevant items move with ``shift``."""
    folder.mkdir()
    rows = [(u, (7 * u + 3 * r) % 40, 10 - r) for u in range(20) for r in range(8)]
    truth = [(u, (7 * u + shift * r + r // 5) % 40, 5.0) for u in range(20) for r in range(1, 9, 2 + u % 3)]
    pd.DataFrame(rows, columns=["user_id", "item_id", "score"]).to_csv(folder / "pred.csv", index=False)
    pd.DataFrame(truth, columns=["user_id", "item_id", "rating"]).to_csv(folder / "test.csv", index=False)
    return bundle_from_files(folder / "pred.csv", folder / "test.csv", folder / "bundle", threshold=None, depth=8)


def chosen(*names):
    found = find_libraries([SUPPORT / "planted", SUPPORT / "fakes"])
    return [(found[name], found[name].newest()) for name in names]


def timeless(record):
    """A record without what the clock decides."""
    record = json.loads(json.dumps({**record, "created": "", "seconds": 0}))
    for cell in record["cells"]:
        cell["seconds"] = None
    for library in record["libraries"]:
        assert library.pop("stderr", "") is not None
    return record


@pytest.mark.slow
def test_the_record_is_the_same_whatever_jobs_is(tmp_path):
    asked = chosen("planted", "unimportable", "dies_on_import", "planted")
    bundle = lists(tmp_path / "lists", 3)
    records = [
        timeless(compare(bundle, asked, Settings(ks=(3, 5), environment="current", jobs=jobs), tmp_path / str(jobs)))
        for jobs in (1, 4)
    ]
    assert [row["name"] for row in records[1]["libraries"]] == ["planted", "unimportable", "dies_on_import", "planted"]
    assert records[0] == records[1]


@pytest.mark.slow
def test_another_data_set_asks_only_the_split(tmp_path, cache):
    """In an isolated environment; the log names every case that the worker is asked about."""

    def asked(name, shift, **settings):
        bundle = lists(tmp_path / name, shift)
        record = compare(bundle, chosen("planted"), Settings(ks=(5,), **settings), tmp_path / name)
        log = tmp_path / name / "logs" / "planted-1.0.txt"
        words = log.read_text().splitlines() if log.exists() else []
        return record, [line.split()[-1] for line in words if line.startswith("== planted:")]

    first, everything = asked("first", 3)
    assert {"threshold", "late_hit", "bundle"} <= set(everything)
    again, questions = asked("second", 4)
    kept = set(questions) - {"bundle"}
    assert questions.count("bundle") == everything.count("bundle")
    assert len(kept) <= 2, "only what crashed is asked again"
    assert [row["variant"] for row in again["subjects"]] == [row["variant"] for row in first["subjects"]]
    assert [cell["value"] for cell in again["cells"]] != [cell["value"] for cell in first["cells"]]
    _, anew = asked("third", 4, fresh=True)
    assert anew == everything
    _, limited = asked("fourth", 4, memory=2 << 30)
    assert limited == everything


@pytest.mark.slow
def test_what_took_longest_starts_first(tmp_path, cache):
    """The rows of the record keep their order; what never ran is first, damaged durations are none."""
    kept = tmp_path / "cache" / "answers" / "durations.json"
    kept.parent.mkdir(parents=True)
    kept.write_text("[")
    begun = []

    class Noted(Reporter):
        def say(self, text):
            if ": not available" in text:
                begun.append(text.partition(" 1.0")[0])

    def run(name):
        begun.clear()
        asked = chosen("unimportable", "dies_on_import")
        settings = Settings(ks=(5,), environment="current", jobs=1)
        record = compare(
            lists(tmp_path / name, 3), asked, settings, tmp_path / name, reporter=Noted(quiet=True, verbose=True)
        )
        assert [row["name"] for row in record["libraries"]] == ["unimportable", "dies_on_import"]
        return list(begun)

    assert run("first") == ["Unimportable", "Dies on import"]
    assert set(store.kept(kept)) == {"Unimportable 1.0", "Dies on import 1.0"}
    store.keep(kept, {"Unimportable 1.0": 1.0, "Dies on import 1.0": 2.0})
    assert run("second") == ["Dies on import", "Unimportable"]
    store.keep(kept, {"Dies on import 1.0": 2.0})
    assert run("third") == ["Unimportable", "Dies on import"]


def test_pieces_of_work_come_back_in_their_order():
    begun = threading.Barrier(2, timeout=20)

    def piece(number):
        if number < 2:
            begun.wait()  # two at once
        return number

    assert side_by_side([lambda number=number: piece(number) for number in range(5)], 2) == [0, 1, 2, 3, 4]


def test_the_first_failure_calls_the_others_off():
    ended = []

    def fails():
        time.sleep(0.1)
        raise ValueError("no")

    def waits():
        try:
            while True:
                heed_calling_off()
                time.sleep(0.01)
        except CalledOff:
            ended.append("called off")
            raise

    with pytest.raises(ValueError, match="no"):
        side_by_side([waits, fails, waits], 2)
    assert set(ended) == {"called off"}


def test_nobody_calls_off_the_work_of_one_thread():
    heed_calling_off()


@pytest.mark.parametrize(
    ("jobs", "memory", "expected"), [(4, 8 << 30, 2), (2, 8 << 30, 2), (4, 1 << 30, 4), (4, 64 << 30, 1), (4, 0, 4)]
)
def test_workers_hold_no_more_than_the_computer_together(monkeypatch, jobs, memory, expected):
    monkeypatch.setattr(work, "memory_of_computer", lambda: 23 << 30)
    assert jobs_within(jobs, memory) == expected


def test_a_container_has_the_memory_of_its_limit(monkeypatch, tmp_path):
    whole = work.memory_of_computer()
    monkeypatch.setattr(work, "CGROUP", tmp_path / "memory.max")
    assert work.memory_of_computer() >= whole
    (tmp_path / "memory.max").write_text("1048576\n")
    assert work.memory_of_computer() == 1 << 20
    (tmp_path / "memory.max").write_text("max\n")
    assert work.memory_of_computer() > 1 << 20


def test_several_threads_put_answers_into_one_store(tmp_path):
    store = AnswerStore(tmp_path)

    def put(number):
        for step in range(50):
            store.put(f"{number}-{step}", Reply(value=number + step / 64))

    side_by_side([lambda number=number: put(number) for number in range(4)], 4)
    again = AnswerStore(tmp_path)
    assert {key: again.get(key).value for key in again.known} == {
        f"{number}-{step}": number + step / 64 for number in range(4) for step in range(50)
    }


def test_a_case_is_known_by_its_content(tmp_path):
    one, same, other = (random_case(np.random.default_rng(seed), 3) for seed in (1, 1, 2))
    assert digest_of(one) == digest_of(same) != digest_of(other)
    cases = CaseFolders(tmp_path, {"named": one})
    assert not list(tmp_path.iterdir())
    assert (cases.folder(one), cases.folder(other)) == (tmp_path / "named", tmp_path / digest_of(other))


def test_files_of_the_same_findings_are_left_as_they_are(tmp_path):
    record = compare(lists(tmp_path / "lists", 3), chosen("planted"), Settings((5,), live=frozenset()), tmp_path)
    write_all(record, tmp_path, force=False)
    before = (tmp_path / "run.json").read_bytes()
    write_all({**record, "created": "2026-01-01T00:00:00+00:00", "seconds": 1e6}, tmp_path, force=False)
    assert (tmp_path / "run.json").read_bytes() == before
    (tmp_path / "report.html").write_text("by hand")
    with pytest.raises(HarnessError, match="changed since"):
        write_all(record, tmp_path, force=False)
    write_all(record, tmp_path, force=True)
    assert "by hand" not in (tmp_path / "report.html").read_text()
    write_all({**record, "command": "another"}, tmp_path, force=False)
    assert json.loads((tmp_path / "run.json").read_text())["command"] == "another"
    assert (tmp_path / MARKER).exists()


def test_a_process_of_a_thread_that_is_called_off_ends(tmp_path):
    def sleeps():
        command = [sys.executable, "-c", "import time; time.sleep(60)"]
        run_logged([command], {}, tmp_path, tmp_path / "log", "sleeping", Reporter())

    def fails():
        time.sleep(0.5)
        raise ValueError("no")

    begun = time.monotonic()
    with pytest.raises(ValueError, match="no"):
        side_by_side([sleeps, fails], 2)
    assert time.monotonic() - begun < 20

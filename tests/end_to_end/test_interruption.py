"""Signals at random moments and several runs at once: nothing is left, and the results are right or refused.

METRIC_HARNESS_SIGNALS and METRIC_HARNESS_KILLS say how many are sent; few in the daily run.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter

import filelock
import pytest

from metric_harness.libraries.new import new_library
from metric_harness.system.scratch import PREFIX
from metric_reports.record import read_record
from tests.support.places import SUPPORT
from tests.support.processes import ended_within, marked

SIGNALS = int(os.environ.get("METRIC_HARNESS_SIGNALS", "6"))
KILLS = int(os.environ.get("METRIC_HARNESS_KILLS", "3"))
COMMANDS = ("compare", "evaluate", "audit", "scan")
RECALL = """
def recall_{}(actual, predicted, k):
    return len(set(actual) & set(predicted[:k])) / len(actual)
"""
LIMIT = 5.0
"""Seconds in which a signal ends a command."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="looks through /proc")]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pred.csv").write_text(
        "user_id,item_id,score\n" + "".join(f"{user},{item},{100 - item}\n" for user in range(40) for item in range(20))
    )
    (tmp_path / "test.csv").write_text(
        "user_id,item_id,rating\n"
        + "".join(
            f"{user},{(3 * user + step) % 40},{1 + (user + step) % 5}\n" for user in range(40) for step in range(5)
        )
    )
    (tmp_path / "own.py").write_text("".join(RECALL.format(number) for number in range(2)))
    new_library("mine", tmp_path / "lib")
    (tmp_path / "tmp").mkdir()
    return tmp_path


def start(folder, mark, *more, out="out", cache="cache", name="planted"):
    """A command in a process of its own, whose descendants carry a mark."""
    lists = ("--recommendations", "pred.csv", "--truth", "test.csv")
    mine = ("--adapters", "lib", "--libraries", "mine", "--environment", "current")
    planted = ("--adapters", str(SUPPORT / "planted"), "--libraries", "planted", "--environment", "current")
    fakes = ("--adapters", str(SUPPORT / "fakes"), "--libraries", "misbehaving", "--jobs", "2", "--memory", "1")
    words = {
        "planted": ("compare", *lists, *planted, "--k", "5", "--out", out),
        "both": ("compare", *lists, *planted, *fakes, "--k", "5", "--out", out),
        "compare": ("compare", *lists, *mine, "--k", "5", "--out", out),
        "evaluate": ("evaluate", *lists, "--variants", "ndcg", "--json", f"{out}.evaluate.json"),
        "audit": ("audit", f"{SUPPORT / 'own_metrics.py'}:recall", "--environment", "current", "--format", "json"),
        "scan": ("scan", "own.py", "--yes", "--jobs", "2", "--out", f"{out}.scan", "--format", "json"),
    }
    environment = {**os.environ, "METRIC_HARNESS_CACHE": str(folder / cache), "TMPDIR": str(folder / "tmp")}
    return subprocess.Popen(
        [sys.executable, "-m", "metric_harness", *words[name], *more],
        cwd=folder,
        env={**environment, "METRIC_HARNESS_TEST": mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
        text=True,
    )


def values(folder, out="out"):
    record = read_record(folder / out / "run.json")
    return {(cell["function"], cell["k"]): (cell["value"], cell["variant"]) for cell in record["cells"]}


def result_of(folder, name, printed, out="out"):
    """What a command found, without what differs from run to run."""
    if name in ("compare", "planted"):
        return values(folder, out)
    if name == "evaluate":
        return json.loads((folder / f"{out}.evaluate.json").read_text())["metrics"]
    record = json.loads(printed)
    rows = record["functions"] if name == "scan" else [record]
    return [(row.get("state"), [(one["variant"], one["signature"]) for one in row["subjects"]]) for row in rows]


def undisturbed(folder, *more, out, name="planted"):
    """What a run finds that nothing disturbs, and its seconds."""
    begun = time.monotonic()
    process = start(folder, "undisturbed", *more, out=out, cache=f"cache-{out}", name=name)
    printed, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return result_of(folder, name, printed, out), time.monotonic() - begun


def nothing_is_left(folder, mark):
    assert ended_within(LIMIT, mark, environment=True), marked(mark, environment=True)
    for at in (folder / "out", folder / "out.scan"):
        with filelock.FileLock(at / ".lock", timeout=1) if at.exists() else open(os.devnull):
            pass


def same_results_afterwards(folder, right):
    for name in right:
        printed, said = start(folder, "after", name=name).communicate(timeout=300)
        assert result_of(folder, name, printed) == right[name][0], said
    assert not list((folder / "tmp").glob(f"{PREFIX}*")), "the folders of killed runs are swept at the next start"


@pytest.fixture
def right(folder):
    """What each command finds undisturbed, and its seconds."""
    return {name: undisturbed(folder, out="undisturbed", name=name) for name in COMMANDS}


def test_signals_at_random_moments(folder, right):
    codes, ends = Counter(), []
    chance = random.Random(SIGNALS)
    for number in range(SIGNALS):
        sent = signal.SIGTERM if number % 2 else signal.SIGINT
        name = COMMANDS[number // 2 % len(COMMANDS)]
        process = start(folder, f"signal-{number}-", name=name)
        time.sleep(chance.uniform(0.05, 1.0 if number % 3 == 0 else right[name][1]))
        if number % 4:
            process.send_signal(sent)
        else:  # as a terminal sends Ctrl-C
            os.killpg(process.pid, sent)
        begun = time.monotonic()
        _, said = process.communicate(timeout=60)
        ends.append((time.monotonic() - begun, name, sent.name, process.returncode))
        codes[name, process.returncode] += 1
        # Ctrl-C before Python has loaded a line of ours: Python's own traceback, which no code of ours can prevent
        before_us = sent == signal.SIGINT and "KeyboardInterrupt" in said and "metric_harness" not in said
        assert process.returncode in (0, 128 + sent, -sent) or before_us, (name, process.returncode, said)
        assert "Traceback" not in said or before_us, said
        nothing_is_left(folder, f"signal-{number}-")
        if number % 10 == 9:
            shutil.rmtree(folder / "out", ignore_errors=True)
            shutil.rmtree(folder / "out.scan", ignore_errors=True)
    print(f"{SIGNALS} signals: {dict(codes)}, the slowest ends {sorted(ends)[-3:]} s")
    assert max(ends)[0] < LIMIT, sorted(ends)[-3:]
    same_results_afterwards(folder, right)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_every_worker_of_libraries_asked_side_by_side(folder, sent):
    process = start(folder, "side by side", name="both")
    logs = [folder / "out" / "logs" / f"{name}-1.0.txt" for name in ("planted", "misbehaving")]
    while not all(log.exists() and b"== " in log.read_bytes() for log in logs):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    process.send_signal(sent)
    begun = time.monotonic()
    _, said = process.communicate(timeout=60)
    assert time.monotonic() - begun < LIMIT
    assert process.returncode == 128 + sent, said
    assert "goes on from" in said
    assert "Traceback" not in said
    nothing_is_left(folder, "side by side")


def test_kills_at_random_moments(folder, right):
    chance = random.Random(KILLS)
    for number in range(KILLS):
        name = COMMANDS[number % len(COMMANDS)]
        process = start(folder, f"kill-{number}-", name=name)
        time.sleep(chance.uniform(0.2, right[name][1]))
        process.kill()
        process.communicate(timeout=60)
        nothing_is_left(folder, f"kill-{number}-")
    same_results_afterwards(folder, right)


@pytest.mark.parametrize("count", [2, 4, 8])
@pytest.mark.parametrize("several", ["equal settings", "different settings"])
def test_runs_at_once_in_one_folder(folder, count, several):
    """One works, the others are refused; every run afterwards has the numbers of its own settings."""
    thresholds = ["4", "5"] if several == "different settings" else ["4"]
    right = {one: undisturbed(folder, "--threshold", one, out=f"right-{one}")[0] for one in thresholds}
    assert len({str(one) for one in right.values()}) == len(thresholds)
    given = [thresholds[number % len(thresholds)] for number in range(count)]
    runs = [start(folder, "at-once", "--threshold", one) for one in given]
    ended = [(run.communicate(timeout=600)[1], run.returncode) for run in runs]
    assert {code for _, code in ended} <= {0, 2}
    assert any(code == 0 for _, code in ended)
    for said, code in ended:
        if code == 2:
            assert "another run is under way there (" in said
            assert said.count("error:") == 1
    for one in (*thresholds, *thresholds):
        _, said = start(folder, "later", "--threshold", one).communicate(timeout=300)
        assert values(folder) == right[one], said


@pytest.mark.parametrize("count", [2, 4, 8])
def test_runs_at_once_in_one_cache(folder, count):
    right, _ = undisturbed(folder, out="right")
    runs = [start(folder, "at-once", out=f"out-{number}") for number in range(count)]
    for number, run in enumerate(runs):
        _, said = run.communicate(timeout=600)
        assert run.returncode == 0, said
        assert values(folder, f"out-{number}") == right


@pytest.mark.parametrize("count", [2, 4, 8])
@pytest.mark.parametrize("more", [("10", "10"), ("10", "11")], ids=["equal settings", "different settings"])
def test_scans_at_once_in_one_folder(folder, count, more):
    """Results are kept by all that they depend on and written whole, so that nobody has to be refused."""
    right, _ = undisturbed(folder, out="right", name="scan")
    runs = [start(folder, "at-once", "--timeout", more[number % 2], name="scan") for number in range(count)]
    for run in runs:
        printed, said = run.communicate(timeout=600)
        assert run.returncode == 0, said
        assert result_of(folder, "scan", printed) == right
    printed, said = start(folder, "later", name="scan").communicate(timeout=300)
    assert result_of(folder, "scan", printed) == right
    assert "[1/" not in said, "all is kept"

"""Signals at random moments and several runs at once: nothing is left, and the results are right or refused.

METRIC_HARNESS_SIGNALS and METRIC_HARNESS_KILLS say how many are sent; few in the daily run.
"""

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

from metric_harness.system.scratch import PREFIX
from metric_reports.record import read_record
from tests.support.places import SUPPORT
from tests.support.processes import ended_within, marked

SIGNALS = int(os.environ.get("METRIC_HARNESS_SIGNALS", "6"))
KILLS = int(os.environ.get("METRIC_HARNESS_KILLS", "3"))
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
    (tmp_path / "tmp").mkdir()
    return tmp_path


def start(folder, mark, *more, out="out", cache="cache"):
    """compare in a process of its own, whose descendants carry a mark."""
    command = [
        *(sys.executable, "-m", "metric_harness", "compare", "--environment", "current", "--k", "5", "--out", out),
        *("--adapters", str(SUPPORT / "planted"), "--libraries", "planted"),
        *("--recommendations", "pred.csv", "--truth", "test.csv", *more),
    ]
    environment = {**os.environ, "METRIC_HARNESS_CACHE": str(folder / cache), "TMPDIR": str(folder / "tmp")}
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**environment, "METRIC_HARNESS_TEST": mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def values(folder, out="out"):
    record = read_record(folder / out / "run.json")
    return {(cell["function"], cell["k"]): (cell["value"], cell["variant"]) for cell in record["cells"]}


def undisturbed(folder, *more, out):
    """The values of a run that nothing disturbs, and its seconds."""
    begun = time.monotonic()
    process = start(folder, "undisturbed", *more, out=out, cache=f"cache-{out}")
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return values(folder, out), time.monotonic() - begun


def nothing_is_left(folder, mark):
    assert ended_within(LIMIT, mark, environment=True), marked(mark, environment=True)
    with filelock.FileLock(folder / "out" / ".lock", timeout=1) if (folder / "out").exists() else open(os.devnull):
        pass


def test_signals_at_random_moments(folder):
    right, seconds = undisturbed(folder, out="undisturbed")
    codes, slowest = Counter(), 0.0
    chance = random.Random(14)
    for number in range(SIGNALS):
        sent = signal.SIGTERM if number % 2 else signal.SIGINT
        process = start(folder, f"signal-{number}")
        time.sleep(chance.uniform(0.05, 1.0 if number % 3 == 0 else seconds))
        process.send_signal(sent)
        begun = time.monotonic()
        _, said = process.communicate(timeout=60)
        slowest = max(slowest, time.monotonic() - begun)
        codes[process.returncode] += 1
        # Ctrl-C before Python has loaded a line of ours: Python's own traceback, which no code of ours can prevent
        before_us = sent == signal.SIGINT and "KeyboardInterrupt" in said and "metric_harness" not in said
        assert process.returncode in (0, 128 + sent, -sent) or before_us, (process.returncode, said)
        assert "Traceback" not in said or before_us, said
        nothing_is_left(folder, f"signal-{number}")
        if number % 4 == 3:
            shutil.rmtree(folder / "out", ignore_errors=True)
    assert slowest < LIMIT, slowest
    _, said = start(folder, "after").communicate(timeout=300)
    assert values(folder) == right, said
    assert not list((folder / "tmp").glob(f"{PREFIX}*"))
    print(f"{SIGNALS} signals: exit codes {dict(codes)}, the slowest end {slowest:.2f} s")


def test_kills_at_random_moments(folder):
    right, seconds = undisturbed(folder, out="undisturbed")
    chance = random.Random(15)
    for number in range(KILLS):
        process = start(folder, f"kill-{number}")
        time.sleep(chance.uniform(0.2, seconds))
        process.kill()
        process.communicate(timeout=60)
        nothing_is_left(folder, f"kill-{number}")
    _, said = start(folder, "after").communicate(timeout=300)
    assert values(folder) == right, said
    assert not list((folder / "tmp").glob(f"{PREFIX}*")), "the folders of killed runs are swept at the next start"


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

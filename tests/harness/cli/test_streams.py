"""Whatever happens to the streams, the exit code says what happened."""

import os
import subprocess
import sys

import pytest

from metric_reports.files import LARGEST_DOCUMENT
from tests.support.command import run


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "streams", "code"),
    [
        ("audit nope", "2>/dev/full", 2),
        ("audit nope", "2>&-", 2),
        ("explain AP003", ">&-", 2),
        ("explain AP003", ">/dev/full", 2),
        ("explain AP003", "2>&-", 0),
        ("compare --dry-run", ">&-", 2),
        ("library conform nowhere.toml", "2>/dev/full", 2),
        ("explain rules", ">&- 2>&-", 2),
    ],
)
def test_the_exit_code_survives_the_streams(command, streams, code, tmp_path):
    words = f"{sys.executable} -m metric_harness {command} {streams}"
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert "mistake of metric-harness" not in done.stderr
    assert "Traceback" not in done.stderr


P, R = "precision@10|divide_by:k|cut:k", "recall@10|divide_by:relevant|cut:k"
REST = "|mean:users|users:all|norel:0|nolist:0|dup:once|ties:input|rel:>0|mh:1.0"
MANY = "1" * 5000
CONVERT = (
    "signature",
    "convert",
    "0.5",
    "--from",
    (P + REST).replace("@k", "@10"),
    "--to",
    (R + REST).replace("@k", "@10"),
)


@pytest.mark.parametrize(
    "words",
    [
        *(("signature", name, f"ndcg@{MANY}") for name in ("cite", "find", "translate")),
        ("signature", "cite", (P + REST).replace("@10", "@999999999")),
        (*CONVERT, "--relevant-per-user", MANY),
        (*CONVERT, "--relevant-per-user", "\u00b2"),
        (*CONVERT, "--relevant-per-user", "1" + "0" * 20),
        ("evaluate", "--recommendations", "a", "--truth", "b", "--k", MANY),
        ("evaluate", "--recommendations", "a", "--truth", "b", "--k", "1_0"),
        ("audit", "own.py:f", "--expect", "recall@1000000000000"),
        ("report", "pipe"),
        ("report", "endless"),
        ("report", "large"),
        ("library", "conform", "pipe"),
        ("library", "conform", "large"),
        ("vectors", "--check", "pipe"),
        ("vectors", "--check", "large"),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_what_a_user_can_type_is_no_mistake_of_ours(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    os.symlink("/dev/zero", "endless")
    with open("large", "wb") as file:
        file.truncate(LARGEST_DOCUMENT + 1)
    done = run(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "mistake of metric-harness" not in done.stderr

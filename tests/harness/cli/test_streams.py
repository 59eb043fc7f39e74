"""Whatever happens to the streams, the exit code says what happened."""

import subprocess
import sys

import pytest


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
    ],
)
def test_the_exit_code_survives_the_streams(command, streams, code, tmp_path):
    words = f"{sys.executable} -m metric_harness {command} {streams}"
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert "mistake of metric-harness" not in done.stderr
    assert "Traceback" not in done.stderr

"""The sizes that uv names before it downloads, of a real download and of its lines."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest
import uv

from metric_harness.system.downloads import downloads
from metric_harness.system.pip_settings import uv_environment
from metric_harness.system.processes import run_logged
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import Console

LINES = """Resolved 6 packages in 468ms
Downloading pandas (12.2MiB)
Downloading numpy (16.1MiB)
 Downloaded pandas
Downloading scipy (34.2MiB)
Downloading torch (1.5GiB)
Downloading tiny (512.0KiB)
Downloading scipy (34.2MiB)
"""


def test_sizes_are_added_and_the_largest_named(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(LINES)
    assert downloads(log) == "1599 MiB (torch 1.5 GiB, scipy 34.2 MiB, numpy 16.1 MiB and 2 more)"
    log.write_text("Resolved 6 packages in 468ms\nDownloading is what it does (12.2MiB)\n")
    assert downloads(log) == ""


@pytest.mark.slow
def test_a_download_is_told_of_while_it_goes_on(tmp_path: Path) -> None:
    program = uv.find_uv_bin()
    subprocess.run([program, "venv", "-q", tmp_path / "venv"], check=True)
    install = [
        program,
        "pip",
        "install",
        "--no-cache",
        "--python",
        str(tmp_path / "venv"),
        "--no-deps",
        "scipy==1.16.2",
    ]
    wait = ["sh", "-c", "echo 'Downloading afterwards (3.0MiB)'; sleep 2"]
    stream = io.StringIO()
    reporter = Reporter(quiet=False, console=Console(file=stream, width=200))
    environment = {**uv_environment(), "NO_COLOR": "1", "UV_NO_PROGRESS": "1"}  # as environments are built
    run_logged([install, wait], environment, tmp_path, tmp_path / "log", "Small", reporter)
    said = stream.getvalue()
    assert "Small: downloading" in said, (tmp_path / "log").read_text()
    assert "scipy 3" in said
    assert "afterwards 3.0 MiB" in said

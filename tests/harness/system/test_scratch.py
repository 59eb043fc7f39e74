"""Temporary folders of many runs at once: none takes away another's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.places import ROOT

OPENING = """
import sys
from pathlib import Path
from metric_harness.system.scratch import locked_folder, remove
for _ in range(150):
    folder, lock = locked_folder(Path(sys.argv[1]))
    (folder / "file").touch()
    assert (folder / "file").exists()
    remove(folder, lock)
"""


def test_runs_that_start_at_the_same_time(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPENING, str(tmp_path / "root")]
    running = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(6)]
    said = [process.communicate()[1] for process in running]
    assert [process.returncode for process in running] == [0] * 6, said
    assert list((tmp_path / "root").iterdir()) == []

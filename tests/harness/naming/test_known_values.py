"""What definitions give for the probes is kept between runs, and a cache that is broken costs no more than time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import numpy as np
from metric_harness.naming.probes.known_values import file, kept

def compute():
    print("computed")
    return np.arange(1000) / 7

assert kept("a name", compute)[6] == 6 / 7
assert kept("a name", compute).shape == (1000,)
print(file())
"""


def run(cache: Path, program: str = PROGRAM, damaged: int = 0) -> list[str]:
    environment = {**os.environ, "METRIC_HARNESS_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stderr.count("set aside") == damaged == len(done.stderr.splitlines())
    return done.stdout.split()


def test_what_one_run_computes_the_next_one_reads(tmp_path: Path) -> None:
    first, second = run(tmp_path), run(tmp_path)
    assert (first[0], len(first)) == ("computed", 2)
    assert second == first[1:]
    assert [path.name for path in (tmp_path / "predictions").iterdir()] == [Path(first[1]).name]


@pytest.mark.parametrize("damage", [b"", b"PK", None])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, damage: bytes | None) -> None:
    file = Path(run(tmp_path)[1])
    whole = file.read_bytes()
    middle = len(whole) // 2
    file.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :] if damage is None else damage)
    assert run(tmp_path, damaged=1) == ["computed", str(file)]
    assert run(tmp_path) == [str(file)]


def test_a_cache_that_cannot_be_written_costs_nothing_else(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    assert run(in_the_way) == ["computed", "None"]
    (tmp_path / "predictions").write_text("no folder")
    assert run(tmp_path) == ["computed", "None"]


def test_runs_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    environment = {**os.environ, "METRIC_HARNESS_CACHE": str(tmp_path)}
    runs = [subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, text=True) for _ in range(4)]
    assert [one.wait() for one in runs] == [0] * 4
    (file,) = (tmp_path / "predictions").iterdir()
    assert run(tmp_path) == [str(file)]


def test_numbers_of_other_code_are_not_taken(tmp_path: Path) -> None:
    """The file is named by a digest of the code: a changed source gives another name."""
    changed = PROGRAM.replace(
        "def compute",
        "from pathlib import Path\nread = Path.read_bytes\n"
        "Path.read_bytes = lambda self: read(self) + (b' ' if self.name == 'ndcg.py' else b'')\n\ndef compute",
    )
    first, other = run(tmp_path), run(tmp_path, changed)
    assert other[0] == "computed"
    assert other[1] != first[1]

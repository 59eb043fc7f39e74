"""Every row of machine_faults.toml: what disks, caches, processes and damaged files do to a command."""

import os
import resource
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from metric_harness.libraries.new import new_library
from metric_reports.record import read_record
from tests.support.places import SUPPORT

pytestmark = pytest.mark.slow

PAGE = tomllib.loads(Path(__file__).with_name("machine_faults.toml").read_text(encoding="utf-8"))


USUAL = {"limit": resource.RLIM_INFINITY, "environment": {}}


def command(folder, text, environment, limit):
    """Run a command of the table in a folder, in a process of its own."""
    first, _, rest = text.partition(" ")
    words = f"{PAGE['commands'].get(first, first)} {rest}"
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} -m metric_harness {words}"],
        cwd=folder,
        env={**os.environ, "METRIC_HARNESS_CACHE": str(folder / "usual"), **environment},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        check=False,
    )


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A folder with two users' lists and a library of two functions, and one where compare ran."""
    fresh = tmp_path_factory.mktemp("fresh") / "here"
    fresh.mkdir()
    (fresh / "pred.csv").write_text("user_id,item_id,score\n1,10,3\n1,11,2\n1,12,1\n2,10,3\n2,13,2\n2,11,1\n")
    (fresh / "test.csv").write_text("user_id,item_id\n1,11\n1,13\n2,10\n")
    new_library("mine", fresh / "lib")
    done = shutil.copytree(fresh, fresh.parent / "done")
    ran = command(done, "compare", **USUAL)
    assert ran.returncode == 0, ran.stderr
    return {None: fresh, "compare": done}


def cells(folder):
    return [{**cell, "seconds": None} for cell in read_record(folder / "out" / "run.json")["cells"]]


@pytest.mark.parametrize("row", PAGE["fault"], ids=lambda row: row["name"])
def test_a_fault_is_one_line_or_no_harm(row, planted, tmp_path):
    folder = shutil.copytree(planted[row.get("after")], tmp_path / "here")
    script = row.get("damage", "true").replace("SUPPORT", str(SUPPORT))
    subprocess.run(["bash", "-c", script], cwd=folder, check=True)
    done = command(folder, row["run"], **{name: row.get(name, usual) for name, usual in USUAL.items()})
    assert done.returncode == row.get("code", 2), done.stdout + done.stderr
    at = 0
    for text in row["says"]:
        assert text in done.stderr[at:], done.stderr
        at = done.stderr.index(text, at)
    assert row.get("shows", "") in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == (row.get("code", 2) == 2 and bool(row["says"]))
    if row.get("equal"):
        assert cells(folder) == cells(planted["compare"])

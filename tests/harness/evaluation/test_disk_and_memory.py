"""A full disk leaves nothing that looks whole, and memory stays near the setting."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from tests.harness.evaluation.made_files import KS, VARIANTS, files
from tests.support.evaluated import evaluate_files
from tests.support.places import ROOT


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no limit on the size of files here")
@pytest.mark.parametrize("text", [False, True])
def test_a_full_disk_leaves_nothing_that_looks_whole(text: bool, tmp_path: Path) -> None:
    """No file may grow beyond 20 kB there: the run stops, says so, and leaves nothing behind."""
    lists, truth = files(tmp_path, ids="text", users=2000)
    if text:
        pa.csv.write_csv(pq.read_table(lists), tmp_path / "lists.csv")
        lists = tmp_path / "lists.csv"
    work, target = tmp_path / "work", tmp_path / "users.parquet"
    call = f"""
import resource, sys
from pathlib import Path
from metric_harness.system.errors import HarnessError
from tests.support.evaluated import evaluate_files
from metric_reference.catalogue import CATALOGUE
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    evaluate_files(Path({str(lists)!r}), Path({str(truth)!r}), [e.variant for e in CATALOGUE], {KS},
        work=Path({str(work)!r}), by_user=Path({str(target)!r}))
except HarnessError as error:
    sys.exit(str(error))
"""
    done = subprocess.run([sys.executable, "-c", call], cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    said = (
        "another folder with --work" if text else "cannot be written, no file may grow so large; nothing of it was kept"
    )
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not target.exists()
    assert not list(tmp_path.rglob("*.part"))
    assert not list(work.iterdir())
    found = evaluate_files(lists, truth, VARIANTS, KS, work=work, by_user=target)
    assert pq.read_metadata(target).num_rows == found.counts["users"]


PEAK = """
import resource, sys
from pathlib import Path
import pyarrow.parquet as pq
from tests.support.evaluated import evaluate_files
from metric_reference.catalogue import CATALOGUE
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
lists, truth, work = map(Path, sys.argv[1:4])
found = evaluate_files(lists, truth, [e.variant for e in CATALOGUE], [10], work=work, memory=int(sys.argv[4]))
print(before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.large
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is told in other units here")
@pytest.mark.parametrize(
    ("shuffled", "users", "listed"), [(False, 300_000, 20), (True, 300_000, 20), (False, 10**6, 1)]
)
def test_memory_stays_near_the_setting(shuffled: bool, users: int, listed: int, tmp_path: Path) -> None:
    """Six million rows are 144 MB as arrays: with 256 MiB of buffers the process takes at most 512 MiB more."""
    rng, items = np.random.default_rng(5), 5_000
    step = rng.integers(0, items, (users, 1)) + np.arange(listed) * 37
    lists = pa.table({
        "user": np.repeat(np.arange(users), listed), "item": (step % items).ravel(),
        "score": np.tile(np.arange(listed, 0, -1.0), users),
    })  # fmt: skip
    liked = (step[:, :3] + 37) % items
    truth = pa.table({"user": np.repeat(np.arange(users), liked.shape[1]), "item": liked.ravel()})
    if shuffled:
        lists, truth = (table.take(pa.array(rng.permutation(table.num_rows))) for table in (lists, truth))
    for name, table in (("lists", lists), ("truth", truth)):
        pq.write_table(table, tmp_path / f"{name}.parquet", row_group_size=200_000)
    memory = 256 << 20
    words = [tmp_path / "lists.parquet", tmp_path / "truth.parquet", tmp_path / "work", memory]
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *map(str, words)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    before, peak = map(int, done.stdout.split())
    assert (peak - before) * 1024 <= 2 * memory, done.stdout

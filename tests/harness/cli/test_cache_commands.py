"""``cache prune`` removes what no release needs and nothing else, in a cache of its own."""

import subprocess
import sys

import pytest

from metric_harness.cli import machine
from metric_harness.libraries.describe import find_libraries
from metric_harness.libraries.environments import planned
from metric_harness.system.pip_settings import uv_environment
from tests.support.command import run


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache with entries that releases need, and others: its folder, those kept and those not."""
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))
    root, known = tmp_path / "cache", find_libraries([]).values()
    mine, release = next((one, release) for one in known for release in one.releases if release.commit)
    name = planned(mine, release, uv_environment())[0].name
    source = f"{mine.key}-{release.commit[:12]}"
    kept = [f"environments/{name}/bin/python", f"environments/{name}.log"]
    kept += [f"sources/{source}-abcdef/file", f"compiled/{source}-abcdef/file"]
    kept += ["datasets/ml-100k.zip", "repositories/mine.git/HEAD", "scans/tree/results/a.json"]
    gone = [f"environments/{name[:-1]}z/bin/python", f"environments/{name[:-1]}z.log", "staged/abc/worker.py"]
    gone += [f"sources/{source[:-1]}z-abcdef/file", f"compiled/other-{source}-abcdef/file", "logs/error.log"]
    for name in kept + gone:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"x" * 1000)
    return root, kept, gone


def there(root, names):
    return [name for name in names if (root / name).exists()]


def entries(root, names):
    """The entries of the cache that hold files, as prune names them."""
    return {"/".join(name.split("/")[:2]) for name in names}


def test_prune_removes_what_no_release_needs_and_keeps_the_rest(cache):
    root, kept, gone = cache
    done = run("doctor", "cache", "prune", "--yes")
    assert done.returncode == 0, done.stderr
    assert there(root, kept) == kept
    assert there(root, gone) == []
    assert not any((root / name).exists() for name in entries(root, gone))
    assert {line.split(" MB  ")[1] for line in done.stdout.splitlines() if " MB  " in line} == entries(root, gone)
    assert f"Removed {len(entries(root, gone))} entries" in done.stdout
    assert "nothing to remove" in run("doctor", "cache", "prune", "--yes").stdout


@pytest.mark.parametrize(("more", "code"), [(["--dry-run"], 0), (["--dry-run", "--yes"], 0), ([], 2)])
def test_prune_removes_nothing_in_a_dry_run_or_unasked(cache, more, code):
    root, kept, gone = cache
    done = run("doctor", "cache", "prune", *more)
    assert done.returncode == code, done.stderr
    assert there(root, kept + gone) == kept + gone
    assert {line.split(" MB  ")[1] for line in done.stdout.splitlines() if " MB  " in line} == entries(root, gone)


HOLDS = "from metric_harness.system.caches import cache_dir; cache_dir(); print('ready', flush=True); input()"


def test_prune_removes_nothing_while_another_run_uses_the_cache(cache):
    root, kept, gone = cache
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", HOLDS], **pipes) as other:
        assert other.stdout.readline() == b"ready\n"
        done = run("doctor", "cache", "prune", "--yes")
        other.communicate(b"\n")
    assert done.returncode == 2
    assert "another run uses the cache; nothing was removed" in done.stderr
    assert there(root, kept + gone) == kept + gone
    assert run("doctor", "cache", "prune", "--yes").returncode == 0
    assert there(root, kept + gone) == kept


def test_the_cache_shows_what_it_holds(cache):
    root, kept, _ = cache
    shown = run("doctor", "cache").stdout
    assert str(root) in shown
    assert all(machine.WHAT[name.split("/")[0]] in shown for name in kept)

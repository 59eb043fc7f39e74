"""What a worker's path holds: whole, repeatable, safe under two processes."""

import multiprocessing
import shutil
import sys
import time

import pytest

from metric_harness.libraries.describe import find_libraries
from metric_harness.libraries.staging import stage
from tests.support.places import SUPPORT

FAKES = SUPPORT / "fakes"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def fakes():
    return list(find_libraries([FAKES]).values())


def test_staged_is_what_a_worker_needs_and_no_more(cache):
    folder = stage(fakes())
    assert folder.parent == cache / "staged"
    packages = {"metric_adapters", "metric_reference", "libraries"}
    assert {path.name for path in folder.iterdir()} == {*packages, "compiled.json"}
    assert (folder / "libraries" / "misbehaving" / "adapter.py").is_file()
    assert (folder / "metric_adapters" / "worker.py").is_file()
    assert (folder / "metric_reference" / "case.py").is_file()
    files = (path for package in packages for path in (folder / package).rglob("*") if path.is_file())
    assert {path.suffix for path in files} == {".py", ".pyc"}
    alone = stage([one for one in fakes() if one.key == "misbehaving"])
    assert alone != folder
    assert not (alone / "libraries" / "unimportable").exists()


def test_staging_is_repeatable_and_repairs_what_was_changed():
    folder = stage(fakes())
    inode = folder.stat().st_ino
    assert stage(fakes()) == folder
    assert folder.stat().st_ino == inode, "an unchanged folder was written again"
    worker = folder / "metric_adapters" / "worker.py"
    code = worker.read_bytes()
    for damage in (worker.unlink, lambda: worker.write_text("")):
        damage()
        assert stage(fakes()) == folder
        assert worker.read_bytes() == code
    assert not [path for path in folder.parent.iterdir() if path.name.startswith(".")]


def test_nothing_but_the_sources_is_believed():
    folder = stage(fakes())
    compiled = folder / "metric_adapters" / "__pycache__" / f"worker.{sys.implementation.cache_tag}.pyc"
    made = compiled.read_bytes()
    assert stage(fakes()) == folder
    assert compiled.read_bytes() == made
    others = compiled.with_name("worker.cpython-38.pyc")
    for damaged in (compiled, others):
        damaged.write_bytes(b"cut off")
        assert stage(fakes()) == folder
        assert not damaged.exists()
    (folder / "numpy.py").write_text("")
    assert not (stage(fakes()) / "numpy.py").exists()


def test_a_changed_adapter_is_staged_elsewhere(tmp_path):
    shutil.copytree(FAKES / "unimportable", tmp_path / "unimportable")
    (one,) = (one for one in find_libraries([tmp_path]).values() if one.folder.parent == tmp_path)
    before = stage([one])
    with (tmp_path / "unimportable" / "adapter.py").open("a") as file:
        file.write("# changed\n")
    after = stage([one])
    assert before != after
    assert (after / "libraries" / "unimportable" / "adapter.py").read_text().endswith("# changed\n")


def stage_fakes(queue):
    until = time.monotonic() + 1
    folders = set()
    while time.monotonic() < until:
        folder = stage(fakes())
        folders.add(str(folder))
        assert (folder / "metric_adapters" / "worker.py").read_bytes()
    queue.put(sorted(folders))


def test_two_processes_stage_one_folder():
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    processes = [context.Process(target=stage_fakes, args=(queue,)) for _ in range(2)]
    for process in processes:
        process.start()
    first, second = (queue.get(timeout=120) for _ in processes)
    for process in processes:
        process.join(30)
        assert process.exitcode == 0
    assert first == second
    assert len(first) == 1

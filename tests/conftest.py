"""What several test files share."""

import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.live import CHOICE, Live
from tests.support.places import ROOT

settings.register_profile("reproducible", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("reproducible")


def pytest_addoption(parser):
    parser.addoption(
        "--libraries",
        choices=("core", "rest", "all"),
        default="core",
        help="the libraries that live tests ask: those that are quick to build (the default), the others, or all",
    )

    parser.addoption("--part", default="1/1", metavar="I/N", help="only the I-th of N parts of the files of tests")


def pytest_configure(config):
    os.environ[CHOICE] = config.getoption("--libraries")


@pytest.hookimpl(tryfirst=True)  # before -m chooses by marks
def pytest_collection_modifyitems(config, items):
    """Mark what asks every variant of NDCG slow, and leave out the files that ``--part`` does not name.

    NDCG has most of all variants. The name of a file decides its part, so the N parts together are all files.
    """
    for item in items:
        first = item.callspec.id.split("-")[0] if hasattr(item, "callspec") else ""
        if first == "ndcg" and item.get_closest_marker("thorough"):
            item.add_marker(pytest.mark.slow)
    part, parts = map(int, config.getoption("--part").split("/"))
    if not 1 <= part <= parts:
        raise pytest.UsageError(f"--part {part}/{parts}: the first number is from 1 to the second")
    names = {item: item.path.relative_to(config.rootpath).as_posix() for item in items}
    left = [item for item in items if zlib.crc32(names[item].encode()) % parts != part - 1]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]


@pytest.fixture(scope="session")
def movielens():
    """The path of a MovieLens file below METRIC_HARNESS_DATA; the test is skipped, saying so, where it is not there."""

    def find(*parts: str) -> Path:
        folder = os.environ.get("METRIC_HARNESS_DATA")
        if not folder:
            pytest.skip("METRIC_HARNESS_DATA names no folder with MovieLens files")
        path = Path(folder, *parts)
        if not path.exists():
            pytest.skip(f"METRIC_HARNESS_DATA has no {'/'.join(parts)}")
        return path

    return find


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """Real libraries, asked in their own environments; see tests/support/live.py."""
    asked = Live(tmp_path_factory.mktemp("asked"))
    yield asked
    asked.close()

"""What several test files share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.live import CHOICE, Live

settings.register_profile("reproducible", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("reproducible")


def pytest_addoption(parser):
    parser.addoption(
        "--libraries",
        choices=("core", "rest", "all"),
        default="core",
        help="the libraries that live tests ask: those that are quick to build (the default), the others, or all",
    )


def pytest_configure(config):
    os.environ[CHOICE] = config.getoption("--libraries")


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


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """Real libraries, asked in their own environments; see tests/support/live.py."""
    asked = Live(tmp_path_factory.mktemp("asked"))
    yield asked
    asked.close()

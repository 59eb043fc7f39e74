"""The worker that asks a user's own function or program."""

import sys
from pathlib import Path

import pytest

from metric_harness.libraries.staging import stage
from metric_harness.worker.launch import Launch
from metric_harness.worker.process import Worker

LIMIT = 2 << 30


@pytest.fixture(scope="session")
def staged(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("METRIC_HARNESS_CACHE", str(tmp_path_factory.mktemp("cache")))
        return stage([])


@pytest.fixture
def worker_for(staged, tmp_path):
    def make(target=None, **settings):
        python = Path(settings.pop("python", sys.executable))
        settings = {"memory": LIMIT, "target": target, **settings}
        return Worker(Launch(python=python, staged=staged, name="own", log=tmp_path / "log.txt", **settings))

    return make

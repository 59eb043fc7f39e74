"""Generated ratings in the shape of MovieLens, small enough for tests."""

import pytest

from metric_harness.data.datasets import read_ratings
from metric_harness.data.split import Protocol
from tests.benchmarks import ml20m
from tests.benchmarks.ml20m import Shape, make

SMALL = Shape(users=1_200, items=900, ratings=60_000)
BY_USER = Protocol(threshold=4.0, method="user_time", test_fraction=0.2)


@pytest.fixture(scope="session")
def made():
    return make(SMALL)


@pytest.fixture(scope="session")
def ratings(made, tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "ml-20m"
    ml20m.write(made, folder)
    return read_ratings(folder)

"""Means over many items: the same as one by one, in time and memory that ten million ranks leave."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time

import numpy as np
import pytest

from metric_reference.candidates.grouped import distinct, mean_over_items
from metric_reference.candidates.moments import moments
from metric_reference.candidates.over_users import of_mean
from metric_reference.candidates.places import Places, of_ranks
from metric_reference.candidates.scheme import Scheme

TEXTS = (
    "hit_rate@10", "recall@20", "precision@10", "ndcg@10", "ndcg", "reciprocal_rank@10", "reciprocal_rank",
    "average_precision@10", "auc",
)  # fmt: skip
ITEMS = 26_744


def ranks(rows: int) -> np.ndarray:
    """A few thousand distinct ones among the items of MovieLens-20M."""
    return np.clip(np.random.default_rng(0).lognormal(5, 2, rows), 1, ITEMS).astype(np.int64)


def rows_of(kind: str, rng: np.random.Generator) -> tuple[Scheme, Places]:
    above = rng.integers(0, 40, 500)
    if kind == "one pool":
        return Scheme(9), Places(above, 60)
    if kind == "as floats":
        return Scheme(9), Places(above.astype(float), 60.0)
    if kind == "many pools":
        return Scheme(9, replacement=True), Places(above, rng.integers(45, 60, 500))
    if kind == "tied":
        return Scheme(9, ties="expected"), Places(above, 60, rng.integers(0, 4, 500))
    if kind == "keys that need sorting":
        return Scheme(9), Places(above, 10**12 + rng.integers(0, 10**6, 500))
    if kind == "no room for keys":
        return Scheme(9), Places(above * 10**12, 10**17 + rng.integers(0, 10**8, 500))
    if kind == "weights":
        return Scheme(9, "popularity", True), Places(above * 0.37, 60.0)
    return Scheme(9, "popularity", True, ties="random"), Places(above * 0.37, 60.0, rng.random(500))


KINDS = (
    "one pool", "as floats", "many pools", "tied", "keys that need sorting", "no room for keys", "weights",
    "tied weights",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_mean_is_that_of_all_rows(kind):
    scheme, places = rows_of(kind, np.random.default_rng(2))
    alone = moments(scheme, places, TEXTS)
    for text, found in mean_over_items(scheme, places, TEXTS).items():
        assert tuple(found) == pytest.approx(of_mean(alone[text]), abs=1e-13)


def test_what_is_alike_is_counted():
    places, counts = distinct(Places(np.array([3, 1, 3, 3]), np.array([9, 9, 8, 9]), np.array([0, 1, 0, 0])))
    found = sorted(zip(places.pool.tolist(), places.above.tolist(), places.tied.tolist(), counts.tolist(), strict=True))
    assert found == [(8, 3, 0, 1), (9, 1, 1, 1), (9, 3, 0, 2)]
    assert len(distinct(of_ranks(ranks(10**5), ITEMS))[0]) < 10**4


def test_a_mean_needs_rows():
    with pytest.raises(ValueError, match="a mean needs at least one row"):
        mean_over_items(Scheme(3), Places(np.zeros(0, int), 9), ["auc"])


def test_a_million_ranks():
    places = of_ranks(ranks(10**6), ITEMS)
    began = time.process_time()
    found = mean_over_items(Scheme(99), places, TEXTS)
    assert time.process_time() - began < 5
    assert found["hit_rate@10"].mean > (places.above < 10).mean()


LARGE = """
import sys
import numpy as np
from metric_reference.candidates.grouped import mean_over_items
from metric_reference.candidates.places import Places, of_ranks
from metric_reference.candidates.scheme import Scheme
from tests.reference.candidates.test_grouped import ITEMS, TEXTS, ranks
if sys.argv[1] == "uniform":
    for scheme in (Scheme(99), Scheme(100), Scheme(99, replacement=True)):
        print(mean_over_items(scheme, of_ranks(ranks(10**7), ITEMS), TEXTS)["auc"].mean)
else:
    share = np.random.default_rng(0).random(10**7) ** 3
    print(mean_over_items(Scheme(100, "popularity", True), Places(share * 2e7, 2e7), TEXTS)["auc"].mean)
"""


@pytest.mark.large
@pytest.mark.parametrize("kind", ["uniform", "popularity"])
def test_ten_million_ranks(kind):
    """Under 20 s of processor time on one core and 4 GiB, in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", LARGE, kind], check=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime - before.ru_utime < 20
    assert after.ru_maxrss < 4 * 2**20

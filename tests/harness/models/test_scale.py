"""At size: the generated ratings, and EASE in single precision and in blocks."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

from metric_harness.bundles.build import build_bundle
from metric_harness.data.datasets import read_ratings
from metric_harness.models.ease import fit_ease, rank, scoring
from metric_harness.models.inverse import invert_lower, mirror_lower
from metric_harness.models.simple import ease
from tests.benchmarks import ml20m
from tests.benchmarks.ml20m import GIVEN, Shape, make
from tests.harness.models.conftest import BY_USER, SMALL
from tests.support.places import ROOT

pytestmark = pytest.mark.thorough

# --- the generated ratings -------------------------------------------------------------------------------------------


def test_the_shape_is_exact(made):
    pairs = made.user.astype(np.int64) * SMALL.items + made.item
    assert len(np.unique(pairs)) == len(pairs) == SMALL.ratings
    assert np.array_equal(pairs, np.sort(pairs))
    counts = np.bincount(made.user)
    assert len(counts) == SMALL.users
    assert counts.min() >= 20
    assert len(np.unique(made.item)) == SMALL.items
    assert (made.timestamp.min(), made.timestamp.max()) == (789_652_009, 1_427_784_002)  # January 1995, March 2015
    wanted = GIVEN / GIVEN.sum() * SMALL.ratings
    assert np.abs(np.bincount(made.rating, minlength=11)[1:] - wanted).max() <= 1
    popular = np.sort(np.bincount(made.item))[::-1]
    assert popular[: SMALL.items // 10].sum() > 0.4 * SMALL.ratings  # a tenth of the items has most of the ratings


def test_the_whole_is_movielens_20m():
    assert Shape() == Shape(users=138_493, items=26_744, ratings=20_000_263)  # its README
    assert GIVEN.sum() == 20_000_263


def test_the_same_seed_gives_the_same_bytes_in_another_process(made, tmp_path):
    ml20m.write(made, tmp_path / "here")
    words = [f"--{name}={value}" for name, value in vars(SMALL).items()]
    command = [sys.executable, "-m", "tests.benchmarks.ml20m", "--out", str(tmp_path / "there"), *words, "--zip"]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    names = ("ratings.csv", "movies.csv", "README.txt")
    assert [(tmp_path / "here" / n).read_bytes() for n in names] == [
        (tmp_path / "there" / n).read_bytes() for n in names
    ]
    assert not np.array_equal(make(SMALL, seed=1).item, made.item)
    assert read_ratings(tmp_path / "there.zip").sha256 == read_ratings(tmp_path / "here").sha256


def test_the_file_is_read_back_as_made(made, ratings):
    frame = ratings.frame
    assert np.array_equal(frame["user_id"], made.user + 1)
    assert np.array_equal(frame["rating"], made.rating / 2)
    assert np.array_equal(frame["timestamp"], made.timestamp)
    assert np.array_equal(np.unique(frame["item_id"], return_inverse=True)[1], made.item)


def test_an_impossible_shape_is_refused():
    with pytest.raises(ValueError, match="a user gives 20 to"):
        make(Shape(users=100, items=100, ratings=1_999))


# --- EASE ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def matrix(made):
    return sp.csr_array((np.ones(len(made.user)), (made.user, made.item)))


def test_single_precision_is_as_exact_as_the_docs_say(matrix):
    """docs/at-your-size.md: weights within 1e-3 and scores within 1e-2 of float64."""
    users = np.arange(300)
    exact, single = fit_ease(matrix), fit_ease(matrix, dtype=np.float32)
    assert single.dtype == np.float32
    gaps = np.abs(single - exact)
    assert 0 < gaps.max() < 1e-3
    items, _, scores = rank(matrix, scoring(exact), users, 20, full_scores=True)
    theirs, _, approximate = rank(matrix, scoring(single), users, 20, True, decimals=5)
    candidate = np.isfinite(scores)
    assert np.array_equal(candidate, np.isfinite(approximate))
    assert np.abs(scores[candidate] - approximate[candidate]).max() < 1e-2
    shared = [len(np.intersect1d(ours, other)) for ours, other in zip(items, theirs, strict=True)]
    assert np.mean(shared) > 0.98 * 20


def test_single_precision_is_in_the_recipe_and_the_manifest(ratings, tmp_path):
    bundle = build_bundle(ratings, BY_USER, tmp_path / "single", depth=20, model=ease(float32=True))
    model = bundle.manifest["model"]
    assert model["parameters"] == {"regularisation": 0.5, "precision": "float32", "score_decimals": 5}
    assert "rounded to 5 decimals" in model["tie_rule"]
    assert np.array_equal(bundle.case.scores, np.round(bundle.case.scores, 5))
    assert "precision" not in ease().recipe()["parameters"]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_blocks_of_users_change_nothing(matrix, dtype):
    users = np.random.RandomState(1).permutation(matrix.shape[0])[:150]
    weights = fit_ease(matrix, dtype=dtype)
    whole = rank(matrix, scoring(weights), users, 20, full_scores=True, block=len(users))
    for block in (1, 7, None):
        for ours, other in zip(
            whole, rank(matrix, scoring(weights), users, 20, full_scores=True, block=block), strict=True
        ):
            assert np.array_equal(ours, other, equal_nan=True)
    kept = np.array([0, 6, 7, 8, 149])
    items, _, scores = rank(matrix, scoring(weights), users, 20, full_scores=kept, block=7)
    assert np.array_equal(items, whole[0])
    assert np.array_equal(scores, whole[2][kept])


def test_threads_change_nothing(matrix, monkeypatch):
    several = fit_ease(matrix)
    monkeypatch.setattr("metric_harness.models.ease.THREADS", 1)
    assert np.array_equal(several, fit_ease(matrix))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("size", [101, 64, 65])
def test_the_inverse_in_halves_is_the_inverse(monkeypatch, size, dtype):
    monkeypatch.setattr("metric_harness.models.inverse.LARGEST_FOR_LAPACK", 16)  # halves of halves
    monkeypatch.setattr("metric_harness.models.inverse.COLUMNS_AT_ONCE", 7)
    monkeypatch.setattr("metric_harness.models.inverse.MIRRORED_AT_ONCE", 5)
    random = np.random.RandomState(size)
    root = random.rand(200, size)
    whole = np.asfortranarray(root.T @ root + np.eye(size), dtype=dtype)
    expected = np.linalg.inv(whole.astype(np.float64))
    lower = np.asfortranarray(np.tril(whole) + np.triu(random.rand(size, size), 1), dtype=dtype)  # above: anything
    assert invert_lower(lower) == 0
    mirror_lower(lower)
    np.testing.assert_allclose(lower, expected, atol=1e-13 if dtype is np.float64 else 1e-4)


def test_the_inverse_in_halves_finds_what_is_not_positive_definite(monkeypatch):
    monkeypatch.setattr("metric_harness.models.inverse.LARGEST_FOR_LAPACK", 4)
    for at in (2, 9):
        square = np.asfortranarray(np.eye(12))
        square[at, at] = -1.0
        assert invert_lower(square) == at + 1

"""At size: the generated ratings, EASE in single precision and in blocks, and the sample of users for AUC."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from metric_adapters.case_files import ARRAYS
from metric_harness.bundles.build import FULL_SCORES_LIMIT, build_bundle, load_bundle
from metric_harness.bundles.user_sample import case_of, draw_users
from metric_harness.comparison.compare import Settings, compare
from metric_harness.data.datasets import read_ratings
from metric_harness.data.split import Protocol
from metric_harness.identification.probes import all_probes
from metric_harness.libraries.describe import find_libraries
from metric_harness.models.ease import fit_ease, rank, scoring
from metric_harness.models.inverse import invert_lower, mirror_lower
from metric_harness.models.simple import ease, popularity
from metric_harness.system.errors import HarnessError
from metric_harness.verification import cases as size_cases
from metric_reference.variant import Variant
from metric_reports.html.page import render_html
from metric_reports.record import validate
from tests.benchmarks import ml20m
from tests.benchmarks.ml20m import GIVEN, Shape, make
from tests.support.places import ROOT

pytestmark = pytest.mark.thorough

SMALL = Shape(users=1_200, items=900, ratings=60_000)
BY_USER = Protocol(threshold=4.0, method="user_time", test_fraction=0.2)


@pytest.fixture(scope="module")
def made():
    return make(SMALL)


@pytest.fixture(scope="module")
def ratings(made, tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "ml-20m"
    ml20m.write(made, folder)
    return read_ratings(folder)


@pytest.fixture(scope="module")
def bundles(ratings, tmp_path_factory):
    """The bundle with the scores of all users, and that with a sample of 100."""
    folder = tmp_path_factory.mktemp("bundles")
    full = build_bundle(ratings, BY_USER, folder / "full", depth=20)
    limit = 100 * 8 * full.case.n_items
    return full, build_bundle(ratings, BY_USER, folder / "sampled", depth=20, full_scores_limit=limit)


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


def test_ease_beats_popularity(bundles, ratings, tmp_path):
    popular = build_bundle(ratings, BY_USER, tmp_path / "popular", depth=20, model=popularity())
    for metric in ("ndcg", "recall"):
        variant = Variant.parse(metric)
        assert variant.value(bundles[0].case, k=20) > 1.1 * variant.value(popular.case, k=20)


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


# --- the sample of users for AUC -------------------------------------------------------------------------------------


def test_the_sample_is_some_users_of_the_whole(bundles):
    full, sampled = bundles
    assert full.sample is None
    sample = sampled.sample
    assert sampled.case.candidate_scores is None
    assert len(sample.users) == sample.case.users == 100
    assert np.array_equal(sample.users, draw_users(full.case.users, 100))
    assert np.array_equal(sampled.case.recommended, full.case.recommended)
    assert np.array_equal(sample.case.candidate_scores, full.case.candidate_scores[sample.users])
    for place, user in enumerate(sample.users):
        assert np.array_equal(sample.case.recommended[place], full.case.recommended[user])
        assert np.array_equal(sample.case.relevant_of(place), full.case.relevant_of(user))
        trained = [slice(*case.train_indptr[n : n + 2]) for case, n in ((sample.case, place), (full.case, user))]
        assert np.array_equal(sample.case.train_items[trained[0]], full.case.train_items[trained[1]])
    assert any("100 of the" in note and "every library the same" in note for note in sampled.manifest["notes"])


def test_auc_of_the_sample_is_the_auc_of_these_users(bundles):
    full, sampled = bundles
    variant = Variant.parse("auc(scope=stacked)")
    theirs = replace(case_of(full.case, sampled.sample.users, full.case.candidate_scores[sampled.sample.users]))
    assert variant.value(sampled.sample.case, k=20) == variant.value(theirs, k=20)
    scores, labels = [], []
    for user in sampled.sample.users:
        row = full.case.candidate_scores[user]
        candidates = np.flatnonzero(row > -np.inf)
        scores.append(row[candidates])
        labels.append(np.isin(candidates, full.case.relevant_of(user)))
    assert variant.value(sampled.sample.case, k=20) == pytest.approx(mann_whitney(scores, labels), abs=1e-12)


def mann_whitney(scores, labels):
    from scipy.stats import mannwhitneyu

    scores, labels = np.concatenate(scores), np.concatenate(labels)
    wins = mannwhitneyu(scores[labels], scores[~labels]).statistic
    return wins / (labels.sum() * (~labels).sum())


def test_a_sampled_bundle_is_reused_checked_and_replaced(bundles, ratings, tmp_path):
    _, sampled = bundles
    again = load_bundle(sampled.folder)
    assert np.array_equal(again.sample.case.candidate_scores, sampled.sample.case.candidate_scores)
    folder = tmp_path / "b"
    limit = 50 * 8 * sampled.case.n_items
    build_bundle(ratings, BY_USER, folder, depth=20, full_scores_limit=limit)
    path = folder / "auc_sample" / "candidate_scores.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    with pytest.raises(HarnessError, match=r"auc_sample/candidate_scores\.npy: the file has changed"):
        load_bundle(folder)
    build_bundle(ratings, BY_USER, folder, depth=20, full_scores_limit=FULL_SCORES_LIMIT)
    assert not (folder / "auc_sample").exists()
    assert load_bundle(folder).sample is None


LIBRARY = """
name = "{name}"
distribution = "numpy"
homepage = "https://example.org/{name}"
licence = "MIT"
summary = "planted"
[[releases]]
version = "1.0"
python = ">=3.11"
requirements = ["numpy>=1.23"]
{subjects}
"""
SUBJECT = """
[subjects.{name}]
metric = "{metric}"
claim = "as planted"
address = "https://example.org"
{needs}
"""
ADAPTER = """
import json
from pathlib import Path

import numpy as np

from metric_adapters.subject import Answer, Subject
from metric_reference.averaging import user_values
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant, prepare

def asking(text):
    variant = Variant.parse(text)
    def ask(case, k):
        with open({seen!r}, "a") as file:
            file.write(json.dumps([__file__, text, case.users, int(case.judged_items.sum())]) + "\\n")
        if variant.metric.of_whole_case():
            return Answer(variant.value(case, k=k))
        values, counted = user_values(variant.metric, prepare(case, STANDARD), k, STANDARD)
        return Answer(variant.value(case, k=k), np.flatnonzero(counted), values[counted])
    return Subject(ask, Variant.parse)

SUBJECTS = {{"stacked": asking("auc(scope=stacked)"), "by_user": asking("auc(scope=per_user)"), "ndcg": asking("ndcg")}}

def version():
    return "1.0"
"""


@pytest.fixture(scope="module")
def compared(bundles, tmp_path_factory):
    """A comparison of two planted libraries on the sampled bundle, and the lines in which they tell what they got."""
    folder = tmp_path_factory.mktemp("libraries")
    needs = 'needs = ["candidate_scores"]'
    subjects = "".join(
        SUBJECT.format(name=name, metric=metric, needs=wanted)
        for name, metric, wanted in (("stacked", "auc", needs), ("by_user", "auc", needs), ("ndcg", "ndcg", ""))
    )
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("")
        (folder / name / "library.toml").write_text(LIBRARY.format(name=name, subjects=subjects))
        (folder / name / "adapter.py").write_text(ADAPTER.format(seen=str(folder / "seen")))
    found = find_libraries([folder])
    chosen = [(found[name], found[name].newest()) for name in ("one", "two")]
    record = compare(bundles[1], chosen, Settings(ks=(20,), environment="current"), tmp_path_factory.mktemp("out"))
    return record, [json.loads(line) for line in (folder / "seen").read_text().splitlines()]


def test_every_library_is_asked_about_the_same_sample(compared, bundles):
    _, seen = compared
    sampled = bundles[1]
    cases = [*all_probes(), *size_cases.verification_cases(size_cases.Limits(size=size_cases.LIBRARY))]
    largest = max(one.case.users for one in cases)
    asked = {tuple(line) for line in seen if line[2] > largest}
    sums = [int(case.judged_items.sum()) for case in (sampled.sample.case, sampled.case)]
    of_sample = {("auc(scope=stacked)", 100, sums[0]), ("auc(scope=per_user)", 100, sums[0])}
    for library in ("one", "two"):
        mine = {line[1:] for line in asked if Path(line[0]).parent.name == library}
        assert mine == of_sample | {("ndcg", sampled.case.users, sums[1])}


def test_cells_say_whom_they_are_about_and_are_predicted_on_the_same_users(compared, bundles):
    record, _ = compared
    validate(record)
    sampled = bundles[1]
    cells = {(cell["library"], cell["function"]): cell for cell in record["cells"]}
    for (_, function), cell in cells.items():
        assert (cell["status"], cell["agreement"]) == ("explained", "same")
        if function == "ndcg":
            assert "asked" not in cell
        else:
            assert cell["asked"] == {"users": 100, "of": sampled.case.users, "why": "sample"}
    expected = Variant.parse("auc(scope=stacked)").value(sampled.sample.case, k=20)
    assert cells["one", "stacked"]["value"] == cells["two", "stacked"]["predicted"] == expected
    assert cells["one", "by_user"]["users"]["answered"] == 100
    assert cells["one", "by_user"]["users"]["equal"] == 100


def test_the_report_says_it(compared, bundles):
    page = render_html(compared[0])
    assert f"users asked: 100 of {bundles[1].case.users} (sample)" in page
    assert f"kept for 100 of the {bundles[1].case.users} users" in page


def test_the_stored_sample_holds_every_array_of_a_case(bundles):
    described = bundles[1].manifest["sample"]
    whole = set(bundles[0].manifest["arrays"]) & set(ARRAYS)
    assert set(described["arrays"]) == whole | {"users"}
    assert (described["users"], described["of"], described["seed"]) == (100, bundles[1].case.users, 0)

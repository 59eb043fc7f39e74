"""Bundles: what they hold, when they are reused, rebuilt or refused, and bundles of a user's own lists."""

import hashlib
import json
import subprocess
import sys

import jsonschema
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from metric_adapters.case_files import ARRAYS
from metric_harness.bundles.build import build_bundle, bundle_from_files, load_bundle
from metric_harness.data.datasets import Ratings
from metric_harness.data.split import PAPER, Protocol, split
from metric_harness.models.ease import fit_ease, rank, scoring
from metric_harness.models.simple import ease
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reports.record import schema
from tests.support.places import ROOT

STORED = [name for name in ARRAYS if name not in ("item_vectors", "predicted_ratings")]
"""The arrays of a bundle made by EASE: the data has no features of items, and the model predicts no ratings."""


class Heard(Reporter):
    """A reporter that keeps what it is told."""

    def __init__(self):
        super().__init__(quiet=True)
        self.lines = []

    def say(self, text):
        self.lines.append(text)


def make_ratings(text_ids=False, sha256="0" * 64):
    random = np.random.RandomState(0)
    chosen = np.flatnonzero(random.rand(40, 30) < 0.4)
    frame = pd.DataFrame(
        {
            "user_id": chosen // 30 + 100,
            "item_id": chosen % 30 * 10,
            "rating": random.choice([3.0, 4.5, 5.0], len(chosen)),
            "timestamp": random.randint(0, 1000, len(chosen)),
        }
    )
    if text_ids:
        frame["user_id"] = "u" + frame["user_id"].astype(str)
        frame["item_id"] = "i" + frame["item_id"].astype(str).str.zfill(3)
    return Ratings(frame, "toy", "made up", sha256)


def build(folder, ratings=None, protocol=PAPER, **options):
    return build_bundle(ratings or make_ratings(), protocol, folder, **{"depth": 6, **options})


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.suffix}


def test_the_case_is_the_split_and_the_model(tmp_path):
    ratings = make_ratings()
    bundle = build(tmp_path / "b", ratings)
    case, parts = bundle.case, split(ratings.frame, PAPER)
    case.check()
    assert bundle.user_ids.tolist() == sorted(set(parts.test["user_id"]))
    assert bundle.item_ids.tolist() == sorted(set(parts.train["item_id"]))
    assert case.threshold == 4.5
    train_users = sorted(set(parts.train["user_id"]))
    dense = np.zeros((len(train_users), case.n_items))
    for user, item in zip(parts.train["user_id"], parts.train["item_id"], strict=True):
        dense[train_users.index(user), bundle.item_ids.tolist().index(item)] = 1
    matrix = sp.csr_array(dense)
    rows = np.array([train_users.index(user) for user in bundle.user_ids])
    items, scores, everything = rank(matrix, scoring(fit_ease(matrix)), rows, 6, full_scores=True)
    np.testing.assert_array_equal(case.recommended, items)
    np.testing.assert_array_equal(case.scores, scores)
    np.testing.assert_array_equal(case.candidate_scores, everything)
    for number, user in enumerate(bundle.user_ids):
        mine = parts.test[parts.test["user_id"] == user]
        judged = slice(*case.judged_indptr[number : number + 2])
        assert bundle.item_ids[case.judged_items[judged]].tolist() == mine["item_id"].tolist()
        assert case.judged_gains[judged].tolist() == mine["rating"].tolist()
        trained = case.train_items[slice(*case.train_indptr[number : number + 2])]
        assert trained.tolist() == np.flatnonzero(dense[rows[number]]).tolist()
        assert not set(case.list_of(number)) & set(trained.tolist())
    assert case.item_counts.tolist() == dense.sum(axis=0).tolist()
    assert case.n_train_users == len(train_users)
    assert bundle.manifest["steps"] == parts.steps
    assert bundle.manifest["counts"] == {
        "users": case.users, "items": case.n_items, "judged": len(parts.test), "relevant": len(parts.test),
        "recommended": int((items >= 0).sum()),
    }  # fmt: skip


def test_text_ids_give_the_same_case(tmp_path):
    numbers, texts = build(tmp_path / "n"), build(tmp_path / "t", make_ratings(text_ids=True))
    assert texts.user_ids.tolist() == [f"u{user}" for user in numbers.user_ids]
    assert texts.item_ids.tolist() == [f"i{item:03}" for item in numbers.item_ids]
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(numbers.case, name), getattr(texts.case, name))


def test_manifest_fits_its_schema_and_depends_on_nothing_else(tmp_path):
    one, other = build(tmp_path / "one"), build(tmp_path / "elsewhere" / "other")
    assert (one.folder / "manifest.json").read_bytes() == (other.folder / "manifest.json").read_bytes()
    assert digests(one.folder) == digests(other.folder)
    manifest = json.loads((one.folder / "manifest.json").read_text())
    jsonschema.validate(manifest, schema("manifest"), jsonschema.Draft202012Validator)
    assert str(tmp_path) not in json.dumps(manifest)
    for name, entry in manifest["arrays"].items():
        array = np.load(one.folder / entry["file"])
        assert (list(array.shape), str(array.dtype)) == (entry["shape"], entry["dtype"]), name
        assert digests(one.folder)[entry["file"]] == entry["sha256"]
    assert set(manifest["arrays"]) == {*STORED, "user_ids", "item_ids"}
    assert manifest["dataset"]["sha256"] == "0" * 64
    assert manifest["protocol"]["description"] == PAPER.describe()


def test_the_same_recipe_is_reused(tmp_path):
    heard = Heard()
    build(tmp_path / "b", reporter=heard)
    times = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "b").iterdir()}
    again = build(tmp_path / "b", reporter=heard)
    assert "reused" in heard.lines[-1]
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "b").iterdir()} == times
    again.case.check()


@pytest.mark.parametrize(
    "change",
    [
        {"ratings": make_ratings(sha256="1" * 64)},
        {"protocol": Protocol(4.5, "user_time")},
        {"protocol": Protocol(4.5, "global_time", 0.3)},
        {"depth": 5},
        {"model": ease(5.0)},
        {"full_scores": False},
    ],
    ids=["data", "method", "fraction", "depth", "regularisation", "full scores"],
)
def test_another_recipe_is_rebuilt_as_if_the_folder_were_new(tmp_path, change):
    build(tmp_path / "b")
    build(tmp_path / "b", **change)
    build(tmp_path / "new", **change)
    assert digests(tmp_path / "b") == digests(tmp_path / "new")  # nothing of the earlier bundle stays either
    load_bundle(tmp_path / "b")


def test_a_recipe_that_fails_leaves_the_earlier_bundle(tmp_path):
    build(tmp_path / "b")
    before = digests(tmp_path / "b")
    with pytest.raises(HarnessError, match="no rating is at least 6"):
        build(tmp_path / "b", protocol=Protocol(6, "global_time"))
    assert digests(tmp_path / "b") == before


@pytest.mark.parametrize("name", [*(f"{name}.npy" for name in STORED), "user_ids.npy", "item_ids.npy", "case.json"])
def test_a_changed_byte_is_an_error_that_names_the_file(tmp_path, name):
    build(tmp_path / "b")
    content = bytearray((tmp_path / "b" / name).read_bytes())
    content[-1] ^= 1
    (tmp_path / "b" / name).write_bytes(content)
    for read in (load_bundle, build):
        with pytest.raises(HarnessError, match=rf"{name}: the file has changed .* delete the folder"):
            read(tmp_path / "b")


def test_missing_added_and_unreadable_files_are_named(tmp_path):
    folder = build(tmp_path / "b", full_scores=False).folder
    np.save(folder / "candidate_scores.npy", np.zeros(3))
    with pytest.raises(HarnessError, match=r"candidate_scores\.npy: the file is not part of the bundle; remove it"):
        load_bundle(folder)
    (folder / "candidate_scores.npy").unlink()
    (folder / "scores.npy").unlink()
    with pytest.raises(HarnessError, match=r"scores\.npy: the file is missing"):
        load_bundle(folder)
    (folder / "manifest.json").write_text("{")
    with pytest.raises(HarnessError, match=r"manifest\.json: not JSON"):
        load_bundle(folder)
    (folder / "manifest.json").write_text("{}")
    with pytest.raises(HarnessError, match=r"manifest\.json: .*required"):
        load_bundle(folder)
    (folder / "manifest.json").unlink()  # a build that was killed
    with pytest.raises(HarnessError, match="no finished bundle"):
        load_bundle(folder)
    build(folder).case.check()


def test_a_killed_build_is_built_anew(tmp_path):
    code = (
        "import os, pathlib, numpy, metric_harness.bundles.store as store\n"
        "from tests.harness.bundles.test_bundle import build\n"
        "saved = []\n"
        "real = numpy.save\n"
        "def save(path, array):\n"
        "    real(path, array)\n"
        "    saved.append(path)\n"
        "    if len(saved) == 4: os._exit(9)\n"
        "numpy.save = save\n"
        f"build(pathlib.Path({str(tmp_path / 'b')!r}))\n"
    )
    root = ROOT
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.returncode == 9, done.stderr
    assert not (tmp_path / "b" / "manifest.json").exists()
    assert len(list((tmp_path / "b").glob("*.npy"))) == 4
    build(tmp_path / "b")
    build(tmp_path / "new")
    assert digests(tmp_path / "b") == digests(tmp_path / "new")


def test_full_scores_over_the_limit_are_left_out_and_the_manifest_says_so(tmp_path):
    full = build(tmp_path / "full")
    size = full.case.candidate_scores.size * 8
    assert build(tmp_path / "just", full_scores_limit=size).case.candidate_scores is not None
    over = build(tmp_path / "over", full_scores_limit=size - 1)
    assert over.case.candidate_scores is None
    assert any("over the limit" in note for note in over.manifest["notes"])
    np.testing.assert_array_equal(over.case.recommended, full.case.recommended)


def test_depths(tmp_path):
    deep = build(tmp_path / "deep", depth=100)
    assert deep.case.width == 100
    assert any("fewer than 100 candidates" in note for note in deep.manifest["notes"])
    with pytest.raises(HarnessError, match="at least 1"):
        build(tmp_path / "none", depth=0)


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(HarnessError, match="cannot be written"):
        build(tmp_path / "file" / "b")


# --- lists of the user's own ---------------------------------------------------------------------------------------

LISTS = """user_id,item_id,score
1,10,0.5
1,30,0.9
1,20,0.5
2,10,0.1
3,40,0.7
"""
TRUTH = """user_id,item_id,rating
1,20,4
1,50,5
2,30,3
4,10,5
"""


def files(folder, lists=LISTS, truth=TRUTH, suffix=".csv"):
    paths = folder / f"pred{suffix}", folder / f"test{suffix}"
    for path, content in zip(paths, (lists, truth), strict=True):
        path.write_text(content)
    return paths


def from_files(folder, *contents, **options):
    return bundle_from_files(*files(folder, *contents), folder / "b", **options)


def test_lists_by_hand(tmp_path):
    bundle = from_files(tmp_path)
    case = bundle.case
    assert bundle.user_ids.tolist() == [1, 2]
    assert bundle.item_ids.tolist() == [10, 20, 30, 40, 50]  # of both files
    assert case.recommended.tolist() == [[2, 0, 1], [0, -1, -1]]  # 30, then 10 before 20 of the same score
    np.testing.assert_array_equal(case.scores, [[0.9, 0.5, 0.5], [0.1, np.nan, np.nan]])
    assert case.judged_items.tolist() == [1, 4, 2]
    assert case.judged_gains.tolist() == [4.0, 5.0, 3.0]
    assert case.threshold == 3.0
    assert case.candidate_scores is None
    manifest = bundle.manifest
    assert manifest["lists"]["threshold_rule"] == "every row with a positive rating is relevant"
    assert (manifest["counts"]["users_with_list_only"], manifest["counts"]["users_with_truth_only"]) == (1, 1)
    assert manifest["notes"] == [
        "1 users with a list but no test interactions are left out; "
        "1 users with test interactions but no list are left out."
    ]
    assert (manifest["protocol"], manifest["model"]) == (None, None)
    jsonschema.validate(manifest, schema("manifest"), jsonschema.Draft202012Validator)
    assert str(tmp_path) not in json.dumps(manifest)


@pytest.mark.parametrize(
    ("users", "ids", "lengths", "judged"),
    [
        ("both", [1, 2], [3, 1], [2, 1]),
        ("truth", [1, 2, 4], [3, 1, 0], [2, 1, 1]),
        ("recommended", [1, 2, 3], [3, 1, 1], [2, 1, 0]),
        ("all", [1, 2, 3, 4], [3, 1, 1, 0], [2, 1, 0, 1]),
    ],
)
def test_whose_lists_are_kept(tmp_path, users, ids, lengths, judged):
    bundle = from_files(tmp_path, users=users)
    assert bundle.user_ids.tolist() == ids
    assert bundle.case.list_lengths.tolist() == lengths
    assert np.diff(bundle.case.judged_indptr).tolist() == judged


def test_ranks_thresholds_depths_and_gains(tmp_path):
    ranks = "user,item,rank\n1,a,3\n1,b,1\n1,c,20\n"
    bundle = from_files(tmp_path, ranks, "user,item\n1,c\n1,b\n", depth=2)
    assert bundle.item_ids.tolist() == ["a", "b", "c"]
    assert bundle.case.recommended.tolist() == [[1, 0]]
    assert bundle.case.scores is None
    assert bundle.case.judged_gains.tolist() == [1.0, 1.0]
    assert bundle.case.threshold == 1.0
    strict = bundle_from_files(*files(tmp_path), tmp_path / "s", threshold=4)
    assert strict.case.relevant.tolist() == [True, True, False]
    assert strict.manifest["counts"]["users_without_relevant"] == 1


def test_numbers_in_one_file_and_text_in_the_other_are_both_text(tmp_path):
    bundle = from_files(tmp_path, "user,item,score\n9,1,1\n10,2,1\n", "user,item\n9,x\n10,2\n")
    assert bundle.user_ids.tolist() == [9, 10]
    assert bundle.item_ids.tolist() == ["1", "2", "x"]
    assert bundle.case.recommended.tolist() == [[0], [1]]
    assert bundle.case.judged_items.tolist() == [2, 1]


def test_parquet_is_the_same_as_csv(tmp_path):
    csv = from_files(tmp_path)
    for path in (tmp_path / "pred.csv", tmp_path / "test.csv"):
        pd.read_csv(path).to_parquet(path.with_suffix(".parquet"))
    parquet = bundle_from_files(tmp_path / "pred.parquet", tmp_path / "test.parquet", tmp_path / "p")
    assert parquet.manifest["arrays"] == csv.manifest["arrays"]


def test_lists_are_reused_and_rebuilt_when_a_file_changes(tmp_path):
    heard = Heard()
    from_files(tmp_path)
    from_files(tmp_path, reporter=heard)
    assert "reused" in heard.lines[-1]
    changed = from_files(tmp_path, LISTS + "2,50,0.3\n", reporter=heard)
    assert "built" in heard.lines[-1]
    assert changed.case.recommended[1].tolist() == [4, 0, -1]


BAD = {
    "no order": (("user,item\n1,2\n", TRUTH), ["pred.csv", "score or the rank"]),
    "no item": (("user,score\n1,2\n", TRUTH), ["pred.csv", "no column for the item"]),
    "NaN score": ((LISTS + "5,10,nan\n", TRUTH), ["pred.csv: line 7, column score", "empty or NaN"]),
    "text score": ((LISTS + "5,10,high\n", TRUTH), ["pred.csv: line 7, column score", "'high' is not a number"]),
    "item twice": ((LISTS + "1,20,0.1\n", TRUTH), ["pred.csv: line 7", "user 1 and item 20", "line 4"]),
    "truth twice": ((LISTS, TRUTH + "2,30,5\n"), ["test.csv: line 6", "user 2 and item 30", "line 4"]),
    "NaN rating": ((LISTS, TRUTH + "2,40,\n"), ["test.csv: line 6, column rating", "empty or NaN"]),
    "rank twice": (("user,item,rank\n1,10,1\n1,20,1\n", TRUTH), ["pred.csv: line 3", "user 1 and rank 1", "line 2"]),
    "rank against score": (
        ("user,item,rank,score\n1,10,1,0.5\n1,20,2,0.6\n", TRUTH), ["pred.csv: line 3, column score", "disagree"],
    ),
    "other users": (("user,item,score\nann,10,1\n", TRUTH), ["no user stands in both", "such as ann", "such as 1"]),
    "nothing positive": ((LISTS, "user,item,rating\n1,10,0\n2,10,-1\n"), ["test.csv", "no rating is above 0"]),
    "empty lists": (("user,item,score\n", TRUTH), ["pred.csv", "no row below"]),
    "empty truth": ((LISTS, ""), ["test.csv", "the file is empty"]),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_malformed_lists_name_file_place_and_remedy(tmp_path, case):
    contents, expected = BAD[case]
    with pytest.raises(HarnessError) as caught:
        from_files(tmp_path, *contents)
    for part in expected:
        assert part in str(caught.value)


def test_options_and_paths_that_make_no_sense(tmp_path):
    with pytest.raises(HarnessError, match="rating of at least 6; use a lower threshold"):
        from_files(tmp_path, threshold=6)
    with pytest.raises(HarnessError, match="users 'mine': use one of both, truth"):
        from_files(tmp_path, users="mine")
    with pytest.raises(HarnessError, match="depth 0"):
        from_files(tmp_path, depth=0)
    with pytest.raises(HarnessError, match="the folder holds none of"):
        bundle_from_files(tmp_path, tmp_path / "test.csv", tmp_path / "b")
    with pytest.raises(HarnessError, match="no such file"):
        bundle_from_files(tmp_path / "absent.csv", tmp_path / "test.csv", tmp_path / "b")


@pytest.mark.large
def test_the_papers_own_lists(movielens, tmp_path):
    paths = movielens("paper-sample", "pred.csv"), movielens("paper-sample", "test.csv")
    bundle = bundle_from_files(*paths, tmp_path / "b", depth=20)
    case = bundle.case
    assert (case.users, case.width, int(case.relevant.sum())) == (1_000, 20, 14_700)
    assert bundle.manifest["counts"]["users_with_truth_only"] == 2_733 - 1_000
    assert case.threshold == 4.5
    hits = [len(set(case.list_of(user)) & set(case.relevant_of(user))) for user in range(case.users)]
    # of all 2,733 users the paper's hit rate at 20 is 0.4746 and its precision 0.0575
    assert np.mean(np.array(hits) > 0) == 0.471
    assert np.mean(hits) / 20 == pytest.approx(0.0557, abs=1e-12)

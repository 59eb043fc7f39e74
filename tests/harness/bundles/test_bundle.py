"""Bundles of a model's lists: what they hold, when they are reused, rebuilt or refused."""

import hashlib
import json
import subprocess
import sys

import jsonschema
import numpy as np
import pytest
import scipy.sparse as sp

from metric_adapters.case_files import ARRAYS
from metric_harness.bundles.build import load_bundle
from metric_harness.data.split import PAPER, Protocol, split
from metric_harness.models.ease import fit_ease, rank, scoring
from metric_harness.models.simple import ease
from metric_harness.system.errors import HarnessError
from metric_reports.record import schema
from tests.harness.bundles.toy_bundles import Heard, build, make_ratings
from tests.support.places import ROOT

STORED = [name for name in ARRAYS if name not in ("item_vectors", "predicted_ratings")]
"""The arrays of a bundle made by EASE: the data has no features of items, and the model predicts no ratings."""


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
        "from tests.harness.bundles.toy_bundles import build\n"
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

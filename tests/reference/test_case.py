"""The case says what is wrong with it, and survives the disk."""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from metric_adapters.case_files import load_case, save_case, save_small_case
from metric_reference.case import NOTHING, Case, case_from_lists
from tests.support.random_cases import HELD, cases


def small() -> Case:
    return case_from_lists(
        [[3, 1], [0, 2, 4], []], [[1, 5], [2], [0, 3, 4]], 6,
        gains=[[4.0, 5.0], [3.5], [1.0, 4.0, 5.0]], scores=[[0.9, 0.5], [0.8, 0.8, 0.1], []],
        candidate_scores=np.arange(18.0).reshape(3, 6), train=[[0], [], [1, 2]], threshold=4.0,
    )  # fmt: skip


def changed(name: str, index: object, value: float) -> np.ndarray:
    array = getattr(small(), name).copy()
    array[index] = value
    return array


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"recommended": np.array([1, 2, 3])}, r"recommended: expected users x ranks, got shape \(3,\)"),
        ({"judged_indptr": np.array([0, 2, 6])}, r"judged_indptr: expected 4 entries for 3 users, got \(3,\)"),
        ({"judged_indptr": np.array([1, 2, 3, 6])}, "judged_indptr: must start at 0"),
        ({"judged_indptr": np.array([0, 2, 3, 5])}, "judged_indptr: must .* end at the number of judgements"),
        ({"judged_indptr": np.array([0, 3, 2, 6])}, "judged_indptr: must not decrease"),
        ({"judged_gains": np.ones(5)}, "judged_gains: expected one gain for each judgement"),
        ({"recommended": changed("recommended", (0, 0), 6)}, r"recommended: item numbers must lie in 0\.\.5"),
        ({"recommended": changed("recommended", (0, 0), -2)}, r"recommended: item numbers must lie in 0\.\.5"),
        ({"judged_items": changed("judged_items", 0, 6)}, r"judged_items: item numbers must lie in 0\.\.5"),
        ({"judged_items": changed("judged_items", 0, -1)}, r"judged_items: item numbers must lie in 0\.\.5"),
        ({"recommended": changed("recommended", (1, 1), NOTHING)}, "user 1 has an item after an empty rank"),
        ({"judged_gains": changed("judged_gains", 4, np.nan)}, "judged_gains: user 2 has a gain that is no finite"),
        ({"judged_gains": changed("judged_gains", 2, np.inf)}, "judged_gains: user 1 has a gain that is no finite"),
        ({"scores": np.ones((3, 2))}, r"scores: expected shape \(3, 3\), got \(3, 2\)"),
        ({"candidate_scores": np.ones((3, 5))}, r"candidate_scores: expected shape \(3, 6\), got \(3, 5\)"),
        ({"item_counts": np.ones(5)}, r"item_counts: expected shape \(6,\), got \(5,\)"),
        ({"predicted_ratings": np.ones(5)}, r"predicted_ratings: expected shape \(6,\), got \(5,\)"),
        ({"item_vectors": np.ones(6)}, r"item_vectors: expected 6 rows, got shape \(6,\)"),
        ({"item_vectors": np.ones((5, 2))}, r"item_vectors: expected 6 rows, got shape \(5, 2\)"),
        ({"judged_items": changed("judged_items", 4, 0)}, "judged_items: user 2 judged item 0 twice"),
    ],
)
def test_check_names_what_is_wrong(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        replace(small(), **change).check()


def test_check_returns_the_case() -> None:
    case = small()
    assert case.check() is case


def test_case_from_lists_pads_and_counts() -> None:
    case = small()
    assert case.recommended.tolist() == [[3, 1, -1], [0, 2, 4], [-1, -1, -1]]
    assert case.recommended.dtype == np.int64
    assert case.list_lengths.tolist() == [2, 3, 0]
    assert case.judged_indptr.tolist() == [0, 2, 3, 6]
    assert case.judged_users.tolist() == [0, 0, 1, 2, 2, 2]
    assert case.scores is not None
    assert np.isnan(case.scores[0, 2])
    assert np.isnan(case.scores[2]).all()
    assert (case.users, case.width, case.n_items) == (3, 3, 6)
    assert case.train_indptr is not None
    assert case.train_indptr.tolist() == [0, 1, 1, 3]
    assert case.train_items is not None
    assert case.train_items.tolist() == [0, 1, 2]


def test_case_from_lists_defaults() -> None:
    case = case_from_lists([[], []], [[], [0]], 1)
    assert case.recommended.tolist() == [[-1], [-1]]
    assert case.judged_gains.tolist() == [1.0]
    assert case.threshold == 1.0
    assert case.scores is None
    assert case.candidate_scores is None
    assert case.train_items is None
    assert case_from_lists([[0]], [[0]], 3, width=4).recommended.tolist() == [[0, -1, -1, -1]]


def test_case_from_lists_checks() -> None:
    with pytest.raises(ValueError, match=r"recommended: item numbers must lie in 0\.\.2"):
        case_from_lists([[3]], [[0]], 3)
    with pytest.raises(ValueError, match="one gain for each judgement"):
        case_from_lists([[0]], [[0, 1]], 3, gains=[[1.0]])


def test_relevant_is_above_zero_and_at_least_the_threshold() -> None:
    case = case_from_lists([[0]], [[0, 1, 2, 3, 4]], 5, gains=[[4.0, 3.9, 0.0, -1.0, 5.0]], threshold=4.0)
    assert case.relevant_of(0).tolist() == [0, 4]
    assert replace(case, threshold=0.0).relevant_of(0).tolist() == [0, 1, 4]
    assert replace(case, threshold=-2.0).relevant_of(0).tolist() == [0, 1, 4]


def test_list_of() -> None:
    assert small().list_of(0).tolist() == [3, 1]
    assert small().list_of(1, 2).tolist() == [0, 2]
    assert small().list_of(2, 2).tolist() == []


@given(case=cases())
@HELD
def test_a_case_survives_the_disk(case: Case, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("case")
    save_case(case, folder)
    assert_equal(load_case(folder).check(), case)
    save_small_case(case, folder / "small")
    assert_equal(load_case(folder / "small").check(), case)
    assert [path.name for path in (folder / "small").iterdir()] == ["case.json"]


def test_everything_in_a_case_survives_the_disk(tmp_path: Path) -> None:
    full = replace(
        small(),
        item_counts=np.array([3, 0, 1, 2, 5, 1]),
        n_train_users=7,
        item_vectors=np.arange(12.0).reshape(6, 2),
        predicted_ratings=np.array([4.5, np.nan, 3.0, 1.0, 2.0, 5.0]),
    ).check()
    empty = [field.name for field in fields(full) if getattr(full, field.name) is None]
    assert not empty, "this test must give every field a value"
    save_case(full, tmp_path / "new" / "folder")
    assert_equal(load_case(tmp_path / "new" / "folder"), full)
    save_small_case(small(), tmp_path / "small" / "folder")
    save_small_case(full, tmp_path / "small" / "folder")
    assert_equal(load_case(tmp_path / "small" / "folder"), full)


def test_save_case_names_the_arrays_it_wrote(tmp_path: Path) -> None:
    case = replace(small(), candidate_scores=None)
    written = save_case(case, tmp_path)
    assert "candidate_scores" not in written
    assert {"recommended", "judged_indptr", "judged_items", "judged_gains", "scores"} <= set(written)
    for name, path in written.items():
        assert np.array_equal(np.load(path), getattr(case, name), equal_nan=True)


@pytest.mark.parametrize("n_items", [6, 60_000])
def test_writing_into_a_loaded_array_changes_no_file(tmp_path: Path, n_items: int) -> None:
    """Small arrays are read, large ones mapped; a library may write into either."""
    case = replace(small(), n_items=n_items, candidate_scores=np.zeros((3, n_items)))
    written = save_case(case, tmp_path)
    before = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in written.values()}
    loaded = load_case(tmp_path)
    for name in written:
        array = getattr(loaded, name)
        array[...] = 1
        assert (array == 1).all()
    del loaded, array
    assert {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in written.values()} == before
    assert_equal(load_case(tmp_path), case)


def assert_equal(here: Case, there: Case) -> None:
    for field in fields(Case):
        mine, other = getattr(here, field.name), getattr(there, field.name)
        if isinstance(other, np.ndarray):
            assert isinstance(mine, np.ndarray), field.name
            assert mine.dtype == other.dtype, field.name
            assert np.array_equal(mine, other, equal_nan=other.dtype.kind == "f"), field.name
        else:
            assert mine == other, field.name

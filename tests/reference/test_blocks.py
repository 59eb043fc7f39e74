"""What the reference does in blocks or in two ways, by size: small blocks and both ways give the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from metric_reference import grades, matching
from metric_reference.case import Case
from metric_reference.catalogue import ranking_variants
from metric_reference.evaluate import evaluate
from metric_reference.grades import count_grades, rows_by_count
from metric_reference.matching import match
from metric_reference.metrics.areas import auc, standing
from metric_reference.metrics.areas.auc import count_pairs
from metric_reference.metrics.areas.standing import places_by_scan, places_by_sort
from metric_reference.variant import Variant, prepare, space
from tests.support.random_cases import random_case

INFINITE = np.inf


def brute(scores: np.ndarray, points: np.ndarray) -> tuple[int, int, int]:
    values = scores[scores > -INFINITE]
    return len(values), int((values[:, None] < points).sum()), int((values[:, None] == points).sum())


def score_tables() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    normal = rng.normal(size=(7, 40))
    holes = np.where(rng.random((7, 40)) < 0.3, -INFINITE, normal)
    return {
        "normal": normal,
        "float32": normal.astype(np.float32),
        "float16": normal.astype(np.float16),
        "tied": np.round(normal),
        "one value": np.zeros((7, 40)),
        "no candidates": np.full((7, 40), -INFINITE),
        "not all candidates": holes,
        "long tail": np.exp(50 * normal),
        "largest there are": np.sign(normal) * np.finfo(np.float64).max,
        "largest in float32": (np.sign(normal) * np.finfo(np.float32).max).astype(np.float32),
        "smallest there are": normal.round() * 5e-324,
        "infinite": np.where(holes > 1.5, INFINITE, holes),
    }


@pytest.mark.parametrize("name", score_tables())
@pytest.mark.parametrize("positives", [0, 1, 30, 200])
@pytest.mark.parametrize(("block", "cells"), [(1, 4), (80, 64), (1 << 20, 1 << 21)])
def test_pairs_are_counted_right_in_blocks_of_any_size(
    name: str, positives: int, block: int, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auc, "BLOCK_SCORES", block)
    monkeypatch.setattr(auc, "MOST_CELLS", cells)
    scores = score_tables()[name]
    points = np.sort(np.random.default_rng(positives).choice(scores.ravel(), positives))
    points = points[points > -INFINITE]
    assert count_pairs(scores, points) == brute(scores, points)


@pytest.mark.parametrize("name", score_tables())
def test_reading_and_sorting_find_the_same_places(name: str) -> None:
    values = score_tables()[name][0]
    for points in (values[:5], values, np.append(values, -INFINITE).astype(values.dtype), values[:0]):
        scanned, ordered = places_by_scan(values, points), places_by_sort(values, points)
        assert np.array_equal(scanned[0], ordered[0])
        assert np.array_equal(scanned[1], ordered[1])


def test_auc_is_the_same_whichever_way_a_user_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(11)
    case = replace(
        random_case(rng, 30, n_items=120), candidate_scores=rng.choice([-INFINITE, 0.0, 0.5, 1.0], (30, 120))
    )
    variants = [Variant.parse(f"auc(scope={scope})@5") for scope in ("per_user", "per_positive", "limited")]
    assert case.relevant.sum() > 30 * standing.SCANS / 2
    found = []
    for scans in (0, standing.SCANS, 1000):
        monkeypatch.setattr(standing, "SCANS", scans)
        found.append([variant.value(case) for variant in variants])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("users_a_block", [1, 2, 7, 1000])
@pytest.mark.parametrize("duplicates", ["counted", "once"])
def test_users_are_matched_the_same_in_blocks_of_any_size(
    users_a_block: int, duplicates: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same table serves every block: nothing of one may be found in the next."""
    rng = np.random.default_rng(3)
    case = random_case(rng, 50, n_items=9)
    recommended = np.where(case.recommended == -1, -1, rng.integers(0, 9, case.recommended.shape))
    case = replace(case, recommended=recommended).check()
    monkeypatch.setattr(matching, "BLOCK_CELLS", users_a_block * (case.n_items + 1))
    matches = match(case, duplicates)
    for user in range(case.users):
        relevant, seen = case.relevant_of(user).tolist(), []
        for rank, item in enumerate(case.recommended[user].tolist()):
            hit = item in relevant and not (duplicates == "once" and item in seen)
            seen.append(item)
            assert matches.hits[user, rank] == hit
            gain = case.judged_gains[case.judged_indptr[user] :][list(judged(case, user)).index(item)] if hit else 0.0
            assert matches.gains[user, rank] == gain


def judged(case: Case, user: int) -> np.ndarray:
    return case.judged_items[case.judged_indptr[user] : case.judged_indptr[user + 1]]


def test_rows_hold_the_gains_of_their_users_largest_first() -> None:
    counts, gains = np.array([2, 0, 3, 2, 0, 1]), np.array([1.0, 5.0, 2.0, 4.0, 3.0, 2.0, 2.0, 7.0])
    found = {
        user: row.tolist()
        for users, rows in rows_by_count(gains, counts)
        for user, row in zip(users, rows, strict=True)
    }
    assert found == {0: [5.0, 1.0], 2: [4.0, 3.0, 2.0], 3: [2.0, 2.0], 5: [7.0]}
    assert not any(len(users) for users, _ in rows_by_count(np.empty(0), np.zeros(4, dtype=np.int64)))


def test_grades_are_counted_from_the_largest_down() -> None:
    found = count_grades(np.array([1.0, 5.0, 2.5, 5.0, 5.0, 1.0]), np.array([2, 0, 3, 1]))
    assert found is not None
    assert found[0].tolist() == [1.0, 2.5, 5.0]
    assert found[1].tolist() == [[2, 0, 3, 1], [1, 0, 3, 0], [1, 0, 2, 0]]
    nothing = count_grades(np.empty(0), np.zeros(4, dtype=np.int64))
    assert nothing is not None
    assert nothing[1].shape == (0, 4)
    assert count_grades(np.arange(grades.MOST_GRADES + 1.0), np.array([grades.MOST_GRADES + 1])) is None


@pytest.mark.parametrize("largest", [5.0, 3000.0])
def test_ideal_lists_are_the_same_whether_grades_are_counted_or_sorted(
    largest: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2^3000 is no finite number: only users with such a gain may notice."""
    case = random_case(np.random.default_rng(8), 40)
    case = replace(case, judged_gains=np.where(case.judged_gains == 5.0, largest, case.judged_gains))
    found = []
    for most in (0, grades.MOST_GRADES):
        monkeypatch.setattr(grades, "MOST_GRADES", most)
        with np.errstate(all="ignore"):
            matches = match(case)
            assert (matches.grades is None) == (most == 0)
            found.append([v.metric.per_user(matches, k) for v in space("ndcg") for k in (1, 3, 12)])
    assert np.allclose(*found, rtol=1e-13, atol=0, equal_nan=True)
    assert np.isfinite(found[0]).sum() > 100


def test_many_variants_at_many_cut_offs_are_what_each_is_alone() -> None:
    """They share sums; what is left of one cut-off or variant may not enter another."""
    case, ks = random_case(np.random.default_rng(5), 40), (1, 3, 8, 20)
    together = evaluate(case, ranking_variants(), ks)
    assert list(together) == [str(variant.at(k)) for variant in ranking_variants() for k in ks]
    for name, value in together.items():
        alone = Variant.parse(name).value(case)
        assert np.array_equal(value, alone, equal_nan=True), name


def test_what_is_shared_cannot_be_written_to() -> None:
    matches = prepare(random_case(np.random.default_rng(5), 4))
    with pytest.raises(ValueError, match="read-only"):
        matches.hit_count(3)[:] = 0

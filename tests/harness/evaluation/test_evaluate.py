"""``evaluate`` on files gives the numbers of one case in memory, whoever counts and however it is cut."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_harness.bundles.own_lists import bundle_from_files
from metric_harness.evaluation import counted_users, local
from metric_harness.evaluation.partial_sums import exact_sum, merge
from metric_reference.averaging import user_values
from metric_reference.edges import STANDARD
from metric_reference.matching import match
from metric_reference.variant import Variant
from tests.harness.evaluation.made_files import IDS, KS, VARIANTS, columns, files, in_memory, same, write
from tests.support.evaluated import evaluate_files


@pytest.mark.thorough
@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("rank", [False, True])
@pytest.mark.parametrize("shuffled", [False, True])
def test_files_give_the_numbers_of_one_case(
    ids: str, rank: bool, shuffled: bool, tmp_path: Path, small_batches: None
) -> None:
    lists, truth = files(tmp_path, ids=ids, rank=rank, shuffled=shuffled)
    found = evaluate_files(lists, truth, VARIANTS, KS, work=tmp_path / "work")
    same(found, in_memory(lists, truth, tmp_path / "bundle"))


@pytest.mark.thorough
@pytest.mark.parametrize("users", ["both", "truth", "recommended", "all"])
@pytest.mark.parametrize("ratings", [False, True])
def test_whoever_counts(users: str, ratings: bool, tmp_path: Path, small_batches: None) -> None:
    lists, truth = files(tmp_path, ids="text", ratings=ratings)
    found = evaluate_files(lists, truth, VARIANTS, KS, users=users, work=tmp_path / "work")
    same(found, in_memory(lists, truth, tmp_path / "bundle", users=users))


@pytest.mark.parametrize("threshold", [0.5, 3.0, 5.0])
def test_the_threshold(threshold: float, tmp_path: Path, small_batches: None) -> None:
    lists, truth = files(tmp_path)
    found = evaluate_files(lists, truth, VARIANTS, KS, threshold=threshold, work=tmp_path / "work")
    same(found, in_memory(lists, truth, tmp_path / "bundle", threshold=threshold))
    assert found.threshold == threshold


def test_precision_and_hit_rate_by_pandas(tmp_path: Path, small_batches: None) -> None:
    """Held against a join and a group-by that know nothing of cases."""
    lists, truth = columns(ids="uuid", users=300)
    written = write(tmp_path, lists, truth)
    found = evaluate_files(*written, [Variant.parse("precision"), Variant.parse("hit_rate")], [5], work=tmp_path / "w")
    liked = pd.DataFrame(truth).query("rating > 0")
    top = pd.DataFrame(lists).groupby("user_id").head(5).merge(liked, on=["user_id", "item_id"])
    who = set(lists["user_id"]) & set(liked["user_id"])
    hits = top.groupby("user_id").size().reindex(sorted(who), fill_value=0)
    assert found.numbers["precision(divide_by=k)@5"] == pytest.approx((hits / 5).mean(), abs=1e-12)
    assert found.numbers["hit_rate(value=any)@5"] == pytest.approx((hits > 0).mean(), abs=1e-12)


def test_a_definition_of_a_part_of_the_lists_is_refused_with_the_reason(tmp_path: Path) -> None:
    texts = ["precision(divide_by=k)", "precision(divide_by=k, only=judged)"]
    result = evaluate_files(*files(tmp_path), list(map(Variant.parse, texts)), [3])
    assert list(result.numbers) == ["precision(divide_by=k)@3"]
    assert result.not_available == {
        "precision(divide_by=k, only=judged)@3": "not available at this size: it needs each list, not the ranks of its "
        "hits"
    }


@pytest.mark.slow
def test_the_batches_do_not_show_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = columns(ids="text", users=400, items=300, longest=120, seed=14)
    made[1]["rating"] = [number / 7 for number in range(len(made[1]["rating"]))]  # too many grades to count
    lists, truth = write(tmp_path, *made)
    values = []
    for rows, cells in ((1 << 16, 1 << 22), (50, 2048), (7, 256)):
        monkeypatch.setattr(local, "BATCH_ROWS", rows)
        monkeypatch.setattr(counted_users, "MOST_CELLS", cells)
        values.append(evaluate_files(lists, truth, VARIANTS, (3, 50), work=tmp_path / "work").numbers)
    hexadecimal = [{name: value.hex() for name, value in numbers.items()} for numbers in values]
    assert hexadecimal[0] == hexadecimal[1] == hexadecimal[2]


def test_long_and_short_lists_together(tmp_path: Path) -> None:
    lists, truth = columns(users=60, items=700, longest=600, seed=3)
    short, _ = columns(users=60, items=700, longest=3, seed=4)
    for role in ("user_id", "item_id", "score"):
        lists[role] += [one + 1000 if role == "user_id" else one for one in short[role]]
    written = write(tmp_path, lists, truth)
    same(evaluate_files(*written, VARIANTS, KS, work=tmp_path / "work", users="all"),
         in_memory(*written, tmp_path / "bundle", users="all"))  # fmt: skip


@pytest.mark.parametrize("ids", ["int", "text"])
def test_values_by_user(ids: str, tmp_path: Path, small_batches: None) -> None:
    lists, truth = files(tmp_path, ids=ids)
    target = tmp_path / "users.parquet"
    asked = [Variant.parse(one) for one in ("ndcg", "average_precision(divide_by=hits)", "recall(weight=micro)")]
    evaluate_files(lists, truth, asked, KS, work=tmp_path / "work", by_user=target, users="all")
    table = pd.read_parquet(target).set_index("user")
    bundle = bundle_from_files(lists, truth, tmp_path / "bundle", users="all")
    assert sorted(table.index) == sorted(bundle.user_ids.tolist())
    table = table.loc[bundle.user_ids.tolist()]
    for variant, k in itertools.product(asked[:2], KS):
        values, counted = user_values(variant.metric, match(bundle.case), k, STANDARD)
        np.testing.assert_allclose(table[str(variant.at(k))], np.where(counted, values, np.nan), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(table["listed"], bundle.case.list_lengths)
    assert list(table.columns)[2:] == [str(v.at(k)) for k in KS for v in asked[:2]]


@given(st.lists(st.floats(-1e300, 1e300), max_size=60))
def test_exact_sums_are_exact(values: list[float]) -> None:
    total = sum(map(Fraction, values), Fraction())
    assert sum(map(Fraction, exact_sum(np.array(values))), Fraction()) == total
    assert sum(map(Fraction, merge(merge([], values[:20]), values[20:])), Fraction()) == total

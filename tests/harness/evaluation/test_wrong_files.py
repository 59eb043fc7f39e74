"""What is wrong with the files of ``evaluate`` is named, with its place; what only looks wrong is not."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metric_harness.data import interactions
from metric_harness.system.errors import HarnessError
from metric_harness.system.limits import largest_file
from tests.harness.evaluation.made_files import KS, VARIANTS, columns, write
from tests.support.evaluated import evaluate_files


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    lists, truth = columns(users=400)
    _, judged = write(tmp_path, lists, truth)
    parts = tmp_path / "parts"
    parts.mkdir()
    whole = pa.table(lists)
    half = whole.num_rows // 2
    pq.write_table(whole.slice(0, half), parts / "a.parquet")
    pq.write_table(whole.slice(half), parts / "b.parquet", compression="snappy")
    good = (parts / "b.parquet").read_bytes()
    (parts / "b.parquet").write_bytes(good[: len(good) * 2 // 3])
    with pytest.raises(HarnessError, match=r"b\.parquet: not a readable parquet file .* cut off or damaged"):
        evaluate_files(parts, judged, VARIANTS, KS, work=tmp_path / "work")
    column = pq.ParquetFile(parts / "a.parquet").metadata.row_group(0).column(0)
    start = column.dictionary_page_offset or column.data_page_offset
    broken = bytearray(good)
    broken[start : start + 200] = b"\xff" * 200
    (parts / "b.parquet").write_bytes(broken)
    with pytest.raises(HarnessError, match=r"b\.parquet: cannot be read .* cut off or damaged"):
        evaluate_files(parts, judged, VARIANTS, KS, work=tmp_path / "work")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lists, truth: lists["user_id"].__setitem__(7, None), r"row 8, column user_id: the user is empty"),
        (lambda lists, truth: lists["score"].__setitem__(70, math.nan), r"row 71, column score: the score is empty or"),
        (lambda lists, truth: truth["rating"].__setitem__(60, math.inf), r"row 61, column rating: the rating is inf"),
        (lambda lists, truth: lists["item_id"].__setitem__(-1, lists["item_id"][-2]), r"item \d+ stand in row \d+"),
        (lambda lists, truth: lists.pop("score"), r"no column for the score or the rank"),
        (lambda lists, truth: truth.pop("item_id"), r"truth\.parquet: no column for the item"),
        (lambda lists, truth: truth.update(rating=[0.0] * len(truth["rating"])), r"no rating is above 0"),
        (lambda lists, truth: truth.update(user_id=[u + 10**6 for u in truth["user_id"]]), r"no user stands in both"),
        (lambda lists, truth: [truth[c].append(truth[c][5]) for c in truth], r"truth\.parquet: .* in row 6 already"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(change: Any, message: str, tmp_path: Path) -> None:
    lists, truth = columns(seed=2)
    while lists["user_id"][-1] != lists["user_id"][-2] or lists["user_id"][-1] not in truth["user_id"]:
        for column in lists.values():
            column.pop()
    change(lists, truth)
    with pytest.raises(HarnessError, match=message):
        evaluate_files(*write(tmp_path, lists, truth), VARIANTS, KS, work=tmp_path / "work")


def test_pairs_that_share_a_hash_are_not_taken_for_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = write(tmp_path, *columns())
    numbers = evaluate_files(*files, VARIANTS, KS, work=tmp_path / "work").numbers
    monkeypatch.setattr(interactions, "hashes_differ", lambda database, table, by: False)
    assert evaluate_files(*files, VARIANTS, KS, work=tmp_path / "work").numbers == numbers


def test_ranks_are_checked(tmp_path: Path) -> None:
    lists, truth = columns(rank=True)
    twice = {**lists, "rank": [1] * len(lists["rank"])}
    with pytest.raises(HarnessError, match=r"row 2, .*: user .* and rank 1 stand in row 1 already"):
        evaluate_files(*write(tmp_path, twice, truth), VARIANTS, KS, work=tmp_path / "work")
    rising = {**lists, "score": [float(rank) for rank in lists["rank"]]}
    with pytest.raises(HarnessError, match=r"rank and score disagree"):
        evaluate_files(*write(tmp_path, rising, truth), VARIANTS, KS, work=tmp_path / "work")


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """The file has a hole: it takes no space on the disk."""
    _, judged = write(tmp_path, *columns(users=3))
    large = tmp_path / "large.csv"
    with large.open("wb") as file:
        file.truncate(largest_file() + 1)
    with pytest.raises(HarnessError, match=r"large\.csv: it holds 1,024\.000 GiB, and at most 1,024\.000 are read"):
        evaluate_files(large, judged, VARIANTS, KS, work=tmp_path / "work")

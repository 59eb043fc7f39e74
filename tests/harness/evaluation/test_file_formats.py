"""The format of the files, their parts and the types of their ids do not show in the numbers."""

from __future__ import annotations

import uuid
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from metric_harness.data import staging
from tests.harness.evaluation.made_files import KS, VARIANTS, columns, in_memory, same, write
from tests.support.evaluated import evaluate_files


def test_text_files_and_folders_of_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lists, truth = columns(ids="digits")
    plain = in_memory(*write(tmp_path, lists, truth), tmp_path / "bundle")
    for name, table in (("lists", lists), ("truth", truth)):
        pa.csv.write_csv(pa.table(table), tmp_path / f"{name}.csv")
    monkeypatch.setattr(staging, "PART_BYTES", 2000)
    monkeypatch.setattr(staging, "BLOCK_BYTES", 1000)
    found = evaluate_files(tmp_path / "lists.csv", tmp_path / "truth.csv", VARIANTS, KS, work=tmp_path / "work")
    same(found, plain)
    parts = tmp_path / "parts"
    (parts / "day=1").mkdir(parents=True)
    whole = pa.table(lists)
    pq.write_table(whole.slice(0, 111), parts / "day=1" / "part-0.parquet")
    pq.write_table(whole.slice(111), parts / "part-1.parquet")
    (parts / "_SUCCESS").touch()
    same(evaluate_files(parts, tmp_path / "truth.csv", VARIANTS, KS, work=tmp_path / "work"), plain)


def test_ids_of_other_types(tmp_path: Path) -> None:
    """16 bytes are the UUID that the other file writes as text; dictionaries and unsigned numbers are ids as well."""
    lists, truth = columns(ids="uuid")
    plain = in_memory(*write(tmp_path, lists, truth), tmp_path / "bundle")
    raw = pa.array([uuid.UUID(one).bytes for one in lists["user_id"]], pa.binary(16))
    table = pa.table({**lists, "user_id": raw, "item_id": pa.array(lists["item_id"]).dictionary_encode()})
    pq.write_table(table, tmp_path / "bytes.parquet")
    same(
        evaluate_files(tmp_path / "bytes.parquet", tmp_path / "truth.parquet", VARIANTS, KS, work=tmp_path / "w"), plain
    )
    numbers, judged = columns(ids="int")
    plain = in_memory(*write(tmp_path, numbers, judged), tmp_path / "second")
    as_text = {**judged, "user_id": [str(user) for user in judged["user_id"]]}
    pq.write_table(pa.table(as_text), tmp_path / "text.parquet")
    same(
        evaluate_files(tmp_path / "lists.parquet", tmp_path / "text.parquet", VARIANTS, KS, work=tmp_path / "w"), plain
    )


def test_text_after_many_numbers(tmp_path: Path) -> None:
    """Ids that look like numbers at first and are text later on: all of them are text."""
    lists, truth = columns(ids="int", users=200)
    lists["user_id"] = [str(u) if u < 150 else f"user {u}" for u in lists["user_id"]]
    truth["user_id"] = [str(u) if u < 150 else f"user {u}" for u in truth["user_id"]]
    written = write(tmp_path, lists, truth)
    same(evaluate_files(*written, VARIANTS, KS, work=tmp_path / "work"), in_memory(*written, tmp_path / "bundle"))

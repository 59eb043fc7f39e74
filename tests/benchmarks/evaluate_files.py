"""Seeded recommendations and ratings of any size, as the parquet files that ``evaluate`` is measured on."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

LISTED, ITEMS, USERS_AT_ONCE = 20, 26_744, 50_000


def generate(folder: Path, rows: int, kind: str, shuffled: bool = False, seed: int = 20210927) -> None:
    """``recs.parquet`` with ``rows`` rows of user, item, score, and ``truth.parquet`` with one to seven ratings a user.

    kind : ``int`` for int64 ids, ``uuid`` for users who are UUIDs and items that are text; shuffled : all rows are put
    into the order of a hash of their ids.
    """
    rng = np.random.default_rng(seed)
    names = pa.array(range(ITEMS)) if kind == "int" else pa.array([f"item-{item}" for item in range(ITEMS)])
    popular = np.cumsum(rng.permutation(1.0 / (np.arange(ITEMS) + 20.0)))
    writers: dict[str, pq.ParquetWriter] = {}
    for low in range(0, rows // LISTED, USERS_AT_ONCE):
        count = min(USERS_AT_ONCE, rows // LISTED - low)
        users = user_ids(rng, low, count, kind)
        steps = np.cumsum(rng.integers(1, ITEMS // LISTED - 400, (count, LISTED)), axis=1)
        listed = rng.permuted((steps + rng.integers(0, ITEMS, (count, 1))) % ITEMS, axis=1)
        owner = np.repeat(np.arange(count), rng.integers(1, 8, count))
        liked = np.searchsorted(popular, rng.random(len(owner)) * popular[-1])
        hit = rng.random(len(owner)) < 0.15
        liked[hit] = listed[owner[hit], rng.integers(0, LISTED, int(hit.sum()))]
        owner, liked = np.divmod(np.unique(owner * ITEMS + liked), ITEMS)
        tables = {
            "recs": {
                "user_id": users.take(pa.array(np.repeat(np.arange(count), LISTED))),
                "item_id": names.take(pa.array(listed.ravel())),
                "score": -np.sort(-rng.random((count, LISTED)), axis=1).ravel(),
            },
            "truth": {
                "user_id": users.take(pa.array(owner)), "item_id": names.take(pa.array(liked)),
                "rating": rng.integers(1, 11, len(owner)) / 2,
            },
        }  # fmt: skip
        for name, columns in tables.items():
            table = pa.table(columns)
            if name not in writers:
                writers[name] = pq.ParquetWriter(folder / f"{name}.parquet", table.schema)
            writers[name].write_table(table)
    for writer in writers.values():
        writer.close()
    if shuffled:
        with duckdb.connect(config={"memory_limit": "4GB", "temp_directory": str(folder / "sort")}) as database:
            for name in writers:
                ordered, mixed = folder / f"{name}.parquet", folder / "mixed.parquet"
                query = f"SELECT * FROM '{ordered}' ORDER BY hash(user_id, item_id)"
                database.execute(f"COPY ({query}) TO '{mixed}' (FORMAT parquet, COMPRESSION snappy)")
                mixed.replace(ordered)


def user_ids(rng: np.random.Generator, low: int, count: int, kind: str) -> pa.Array:
    """``count`` different users: numbers from ``low`` up, or random UUIDs as text."""
    if kind == "int":
        return pa.array(np.arange(low, low + count))
    digits = rng.bytes(16 * count).hex()
    parts = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)]
    return pa.array(
        ["-".join(digits[at + start : at + end] for start, end in parts) for at in range(0, 32 * count, 32)]
    )

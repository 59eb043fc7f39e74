"""Each user's own values as tables, and files that appear when they are complete."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa

from metric_harness.evaluation.counted_users import counted_users
from metric_harness.evaluation.partial_sums import Asked, by_user_names, sums_of
from metric_harness.system.errors import HarnessError

NO_SPACE = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the quota is used up",
    errno.EFBIG: "no file may grow so large",
}


def user_schema(asked: Sequence[Asked], kind: str) -> pa.Schema:
    """The columns of the users' own values."""
    ids = pa.int64() if kind == "whole" else pa.string()
    counts = [("relevant", pa.int64()), ("listed", pa.int64())]
    return pa.schema([("user", ids), *counts, *((name, pa.float64()) for name in by_user_names(asked))])


def user_tables(
    batch: pa.RecordBatch, asked: Sequence[Asked], threshold: float, gains: np.ndarray | None, schema: pa.Schema
) -> Iterator[pa.Table]:
    """The users' own values of a batch of ``users``."""
    for users, rows in counted_users(batch, threshold, gains):
        _, values = sums_of(users, asked, own=True)
        counts = {"relevant": users.matches.n_relevant, "listed": users.matches.lengths}
        ids = batch.column("user").take(pa.array(rows))
        yield pa.table({"user": ids, **counts, **values}).select(schema.names).cast(schema)


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """A temporary path to write to, renamed to ``path`` at the end of the block, or removed if it raises.

    HarnessError if the disk is full.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield unfinished
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except OSError as error:
        reason = next(
            (text for code, text in NO_SPACE.items() if code == error.errno or os.strerror(code) in str(error)), None
        )
        if reason is None:
            raise
        raise HarnessError(
            f"{path}: cannot be written, {reason}; nothing of it was kept. Free space and give the same command again"
        ) from None
    finally:
        unfinished.unlink(missing_ok=True)

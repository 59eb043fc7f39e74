"""Numbers of users from a file: their values or sampled ranks, and their counts of relevant items."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from metric_harness.system.errors import HarnessError

WHOLE = ("rank", "relevant")
"""Columns of whole numbers from 1 on."""


def read_users(path: Path, usual: str) -> dict[str, np.ndarray]:
    """The column ``usual`` (the last one if there is none of that name), and ``relevant`` if there is one.

    Shape (users,) each; int64 for ``rank`` and ``relevant``, else float64, all finite. HarnessError for a file that
    cannot be read, has no rows, or has another number.
    """
    try:
        table = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)
        names = {usual: usual if usual in table else table.columns[-1]}
        names |= {"relevant": "relevant"} if "relevant" in table else {}
        columns = {name: table[own].to_numpy(dtype=np.float64) for name, own in names.items()}
    except (OSError, ValueError, IndexError) as error:
        raise HarnessError(
            f"{path}: {' '.join(str(error).split())[:200]}; give a table with a column {usual}"
        ) from None
    if not len(table):
        raise HarnessError(f"{path}: it has no rows")
    for name, numbers in columns.items():
        if (invalid := np.flatnonzero(~np.isfinite(numbers))).size:
            raise HarnessError(f"{path}: row {invalid[0] + 1} has no finite {name}")
        if name in WHOLE:
            if (invalid := np.flatnonzero((numbers < 1) | (numbers % 1 != 0))).size:
                raise HarnessError(f"{path}: row {invalid[0] + 1}: {name} must be a whole number from 1 on")
            columns[name] = numbers.astype(np.int64)
    return columns

"""DuckDB with bounded memory, a temporary folder of its own, and errors that say what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from metric_harness.data.sources import Source, first_line
from metric_harness.data.sql_types import quoted
from metric_harness.data.staging import MORE_SPACE
from metric_harness.system.errors import HarnessError
from metric_harness.system.limits import BUFFERS
from metric_harness.system.scratch import locked_folder, remove

THREAD_BYTES = 128 << 20
"""The memory for each thread that DuckDB's documentation recommends."""

QUERY_ERRORS = (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException, duckdb.SyntaxException)
"""Errors in a query itself; other errors are in the data it reads."""
DAMAGED = "{}: cannot be read ({}); it is cut off or damaged, write it again"


class OutOfMemory(HarnessError):
    """DuckDB has too little memory for a query."""


class Database:
    """A connection. ``sources`` are the tables that its views read; if reading fails, they are checked for damage."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, folder: Path, memory: int) -> None:
        self.connection, self.folder, self.memory = connection, folder, memory
        self.sources: list[Source] = []

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """All rows of a query's result."""
        with self._errors():
            return self.connection.execute(query).fetchall()

    def first(self, query: str) -> tuple[Any, ...] | None:
        """The first row of a query's result, or None."""
        with self._errors():
            return self.connection.execute(query).fetchone()

    def arrays(self, query: str) -> dict[str, np.ndarray]:
        """The columns of a query's result; text is an array of objects."""
        with self._errors():
            columns = self.connection.execute(query).fetchnumpy()
        return {name: np.asarray(column) for name, column in columns.items()}

    def frame(self, query: str) -> pd.DataFrame:
        """The result of a query as a DataFrame."""
        with self._errors():
            return self.connection.sql(query).to_arrow_table().to_pandas()

    def table(self, name: str, query: str) -> None:
        """Store the result of a query as a table, which DuckDB moves to disk if memory is short."""
        self.rows(f'CREATE OR REPLACE TEMP TABLE "{name}" AS {query}')

    def view(self, name: str, query: str) -> None:
        """Make a view of a query."""
        self.rows(f'CREATE OR REPLACE TEMP VIEW "{name}" AS {query}')

    def batches(self, query: str, rows: int) -> Iterator[pa.RecordBatch]:
        """The result of a query, in batches of about this many rows."""
        with self._errors():
            yield from self.connection.sql(query).to_arrow_reader(rows)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise DuckDB's errors as HarnessErrors that name the file or folder and the remedy."""
        try:
            yield
        except duckdb.InterruptException:
            raise KeyboardInterrupt from None
        except duckdb.OutOfMemoryException as error:
            if "max_temp_directory_size" in str(error) or "disk" in str(error).lower():
                raise self._cannot_spill(error) from None
            raise OutOfMemory(
                f"{self.memory / 2**20:,.0f} MiB are too little for DuckDB here; give more with --memory"
            ) from None
        except duckdb.Error as error:
            for source in self.sources:
                require_readable(source)
            if isinstance(error, duckdb.IOException):
                raise self._cannot_spill(error) from None
            if self.sources and not isinstance(error, QUERY_ERRORS):
                labels = " or ".join(source.label for source in self.sources)
                raise HarnessError(DAMAGED.format(labels, first_line(error))) from None
            raise

    def _cannot_spill(self, error: BaseException) -> HarnessError:
        """The error of temporary files that cannot be written."""
        return HarnessError(
            f"{self.folder}: temporary files cannot be written there ({first_line(error)}). {MORE_SPACE}"
        )


def require_readable(source: Source) -> None:
    """HarnessError that names the first part with a column that cannot be read."""
    for part in source.parts:
        try:
            with pq.ParquetFile(part.path) as file:
                for _ in file.iter_batches(1 << 16, columns=list(source.stored.values())):
                    pass
        except (pa.ArrowException, OSError, ValueError) as error:
            raise HarnessError(DAMAGED.format(part.label, first_line(error))) from None


@contextmanager
def open_database(root: Path, memory: int = BUFFERS) -> Iterator[Database]:
    """A database in memory that uses a temporary folder below ``root``; the folder is removed at the end.

    memory : bytes for DuckDB's buffers. It does not bound what DuckDB keeps besides (such as hash tables of one
    operator, and results).
    """
    folder, lock = locked_folder(root)
    try:
        with duckdb.connect() as connection:
            threads = max(1, min(os.cpu_count() or 1, memory // THREAD_BYTES))
            for name, value in (
                ("memory_limit", f"'{memory}B'"),
                ("temp_directory", quoted(str(folder / "duckdb"))),
                ("threads", str(threads)),
                ("preserve_insertion_order", "false"),
                ("enable_progress_bar", "false"),
                ("TimeZone", "'UTC'"),
                ("autoinstall_known_extensions", "false"),
            ):
                connection.execute(f"SET {name} = {value}")
            yield Database(connection, folder, memory)
    finally:
        remove(folder, lock)

"""Writes a text file as parquet parts, all fields as text: pyarrow parses it in blocks, DuckDB reads the parts."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from metric_harness.data.delimited import Layout, explain, explain_break
from metric_harness.data.files import TableFile
from metric_harness.system.errors import HarnessError

PART_BYTES = 1 << 28
"""Bytes of a part in memory."""

MORE_SPACE = (
    "Free space, or name another folder with --work (METRIC_HARNESS_CACHE where there is no such option), and give the "
    "same command again"
)

BLOCK_BYTES = 16 << 20
"""Bytes of a text file that are parsed at a time."""


def stage_text(file: TableFile, layout: Layout, columns: dict[str, int], folder: Path) -> list[Path]:
    """Parquet parts in ``folder`` with the columns of a text file, named by role.

    HarnessError names the first line with too few or too many fields.
    """
    names = [str(position) for position in range(len(layout.names))]
    selected = [names[position] for position in columns.values()]
    schema = pa.schema([(role, pa.string()) for role in columns])
    written: list[Path] = []
    writer: pq.ParquetWriter | None = None
    size = 0
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with (
            file.open() as stream,
            pa.csv.open_csv(
                stream,
                pa.csv.ReadOptions(
                    column_names=names, skip_rows=layout.skip, block_size=BLOCK_BYTES, encoding=layout.arrow_encoding
                ),
                pa.csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=True),
                pa.csv.ConvertOptions(
                    column_types=dict.fromkeys(selected, pa.string()),
                    include_columns=selected,
                    null_values=[""],
                    strings_can_be_null=True,
                ),
            ) as reader,
        ):
            for batch in reader:
                if any(pc.any(pc.match_substring(field, "\n")).as_py() for field in batch.columns):
                    explain_break(file, layout, columns)
                if writer is None or size > PART_BYTES:
                    if writer is not None:
                        writer.close()
                    written.append(folder / f"{len(written):06d}.parquet")
                    writer, size = pq.ParquetWriter(written[-1], schema, compression="lz4"), 0
                writer.write_batch(batch.rename_columns(list(columns)).cast(schema))
                size += batch.nbytes
    except (pa.ArrowInvalid, UnicodeError) as error:
        explain(file, layout, columns)
        raise HarnessError(f"{file.label}: cannot be read: {str(error).partition(chr(10))[0]}") from None
    except OSError as error:
        raise HarnessError(
            f"{folder}: {file.label} cannot be written there as parquet ({error}). {MORE_SPACE}"
        ) from None
    finally:
        if writer is not None:
            with suppress(OSError):
                writer.close()
    if not written:
        raise HarnessError(f"{file.label}: there is no row below the column names; it must hold interactions")
    return written

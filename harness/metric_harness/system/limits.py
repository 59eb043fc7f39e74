"""Limits and defaults of options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from metric_harness.system.errors import HarnessError

LARGEST_K = 1_000_000
"""The largest cut-off: some metrics hold a weight for each rank up to it."""

MOST_RELEVANT = 10_000
"""The most relevant items of a user that a conversion assumes."""

MOST_GIB, LEAST_GIB = 2.0**20, 2.0**-10
"""Limits of memory: less than a MiB holds nothing, and 0 bytes would be no limit."""

MOST_SECONDS = 1e7
"""About four months, the most that the timers of some systems take."""

LARGEST_FILE = "--largest-file"
"""The option for the size of the largest file of interactions, or member of a zip, that is read."""

_largest_file = [1 << 40]
"""Bytes; one number for the process, as files are opened far below the command that has the option."""

MOST_JOBS = 1024
MOST_DIGITS = 30
"""A whole number with more digits is refused before it is read: Python refuses some, and none is meant."""

BUFFERS = 2 << 30
"""Bytes of DuckDB's buffers by default."""


def largest_file() -> int:
    """Bytes of the largest file that is read."""
    return _largest_file[0]


@contextmanager
def limited_files(largest: int) -> Iterator[None]:
    """Refuse larger files inside the block, in the whole process. largest : in bytes."""
    before, _largest_file[0] = _largest_file[0], largest
    try:
        yield
    finally:
        _largest_file[0] = before


def require_size(label: str, size: int, inside: bool = False) -> None:
    """HarnessError for a file, or a file inside a zip, that holds more bytes than are read."""
    if size > largest_file():
        what = "unpacks to" if inside else "holds"
        raise HarnessError(
            f"{label}: it {what} {size / 2**30:,.3f} GiB, and at most {largest_file() / 2**30:,.3f} are read; "
            f"give {LARGEST_FILE} GIB before the name of the command, or name a folder of smaller parquet parts"
        )


def whole_number(text: str) -> int | None:
    """A whole number in ASCII digits; None for any other text, or one of more than ``MOST_DIGITS``."""
    return int(text) if re.fullmatch(rf"\s*[+-]?[0-9]{{1,{MOST_DIGITS}}}\s*", text) else None


def require_cutoffs(ks: Iterable[int], name: str = "k") -> None:
    """HarnessError for a cut-off that is below 1 or beyond ``LARGEST_K``."""
    for k in ks:
        if not 1 <= k <= LARGEST_K:
            what = "a cut-off is at least 1" if k < 1 else "no list is that long"
            raise HarnessError(f"{name} = {k}: {what}; give a whole number from 1 to {LARGEST_K:,}")

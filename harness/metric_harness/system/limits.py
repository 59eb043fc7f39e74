"""Limits and defaults of options."""

from __future__ import annotations

import re
from collections.abc import Iterable

from metric_harness.system.errors import HarnessError

LARGEST_K = 1_000_000
"""The largest cut-off: some metrics hold a weight for each rank up to it."""

MOST_RELEVANT = 10_000
"""The most relevant items of a user that a conversion assumes."""

MOST_GIB, LEAST_GIB = 2.0**20, 2.0**-10
"""Limits of memory: less than a MiB holds nothing, and 0 bytes would be no limit."""

MOST_SECONDS = 1e7
"""About four months, the most that the timers of some systems take."""

LARGEST_FILE = 1 << 40
"""Bytes of the largest file of interactions that is read; a larger table is a folder of parts."""

MOST_JOBS = 1024
MOST_DIGITS = 30
"""A whole number with more digits is refused before it is read: Python refuses some, and none is meant."""

BUFFERS = 2 << 30
"""Bytes of DuckDB's buffers by default."""


def whole_number(text: str) -> int | None:
    """A whole number in ASCII digits; None for any other text, or one of more than ``MOST_DIGITS``."""
    return int(text) if re.fullmatch(rf"\s*[+-]?[0-9]{{1,{MOST_DIGITS}}}\s*", text) else None


def require_cutoffs(ks: Iterable[int], name: str = "k") -> None:
    """HarnessError for a cut-off that is below 1 or beyond ``LARGEST_K``."""
    for k in ks:
        if not 1 <= k <= LARGEST_K:
            what = "a cut-off is at least 1" if k < 1 else "no list is that long"
            raise HarnessError(f"{name} = {k}: {what}; give a whole number from 1 to {LARGEST_K:,}")

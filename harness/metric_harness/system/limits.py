"""Limits and defaults of options."""

from __future__ import annotations

from collections.abc import Iterable

from metric_harness.system.errors import HarnessError

LARGEST_K = 1_000_000
"""The largest cut-off: some metrics hold a weight for each rank up to it."""

BUFFERS = 2 << 30
"""Bytes of DuckDB's buffers by default."""


def require_cutoffs(ks: Iterable[int], name: str = "k") -> None:
    """HarnessError for a cut-off that is below 1 or beyond ``LARGEST_K``."""
    for k in ks:
        if not 1 <= k <= LARGEST_K:
            what = "a cut-off is at least 1" if k < 1 else "no list is that long"
            raise HarnessError(f"{name} = {k}: {what}; give a whole number from 1 to {LARGEST_K:,}")

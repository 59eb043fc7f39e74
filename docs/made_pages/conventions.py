"""The page of the calling conventions."""

from __future__ import annotations

from metric_adapters.calls.table import entries
from metric_harness.cli.conventions import as_markdown


def conventions_page() -> str:
    """The same as ``metric-harness explain conventions --format markdown``."""
    return as_markdown(entries())

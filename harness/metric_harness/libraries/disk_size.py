"""The disk space of an environment: measured once, then kept in the file that marks it complete."""

from __future__ import annotations

import json
from pathlib import Path

from metric_harness.libraries.cached import size_of
from metric_harness.libraries.environments import MARKER
from metric_reports.files import write_atomically


def megabytes(folder: Path) -> int:
    """Megabytes that a complete environment takes on disk."""
    marker = folder / MARKER
    description = json.loads(marker.read_text(encoding="utf-8"))
    if "megabytes" not in description:
        description["megabytes"] = round(size_of(folder) / 1e6)
        write_atomically(marker, json.dumps(description, indent=1) + "\n")
    return int(description["megabytes"])

"""How much disk an environment takes: measured once, and kept in the file that marks it complete."""

from __future__ import annotations

import json
import os
from pathlib import Path

from metric_harness.libraries.environments import MARKER
from metric_reports.record import write_atomically


def megabytes(folder: Path) -> int:
    """Megabytes that a complete environment takes; a file with several names counts once."""
    marker = folder / MARKER
    about = json.loads(marker.read_text(encoding="utf-8"))
    if "megabytes" not in about:
        about["megabytes"] = measured(folder)
        write_atomically(marker, json.dumps(about, indent=1) + "\n")
    return int(about["megabytes"])


def measured(folder: Path) -> int:
    """The same for any folder, from a look at each of its files."""
    files = {}
    for root, _, names in os.walk(folder):
        for name in names:
            at = os.lstat(os.path.join(root, name))
            files[at.st_dev, at.st_ino] = at.st_size
    return round(sum(files.values()) / 1e6)

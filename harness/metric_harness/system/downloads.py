"""What uv says that it downloads, and how much that is."""

from __future__ import annotations

import re
from pathlib import Path

DOWNLOAD = re.compile(r"^Downloading (?P<name>\S+) \((?P<size>[0-9.]+) ?(?P<unit>[KMG]iB)\)$", re.MULTILINE)
UNITS = {"KiB": 2.0**-10, "MiB": 1.0, "GiB": 2.0**10}
LARGEST = 3
"""Files that are named."""


def downloads(log: Path) -> str:
    """What uv says in a log that it downloads: ``50 MiB (scipy 34.2 MiB, numpy 16.1 MiB)``; empty without any.

    uv names a file and its size before it fetches it, if that has at least 1 MiB.
    """
    text = log.read_text(encoding="utf-8", errors="replace")
    sizes = {found["name"]: (float(found["size"]) * UNITS[found["unit"]], found) for found in DOWNLOAD.finditer(text)}
    largest = sorted(sizes.values(), key=lambda one: -one[0])
    named = ", ".join(f"{found['name']} {found['size']} {found['unit']}" for _, found in largest[:LARGEST])
    more = f" and {len(largest) - LARGEST} more" if len(largest) > LARGEST else ""
    return f"{sum(size for size, _ in largest):.0f} MiB ({named}{more})" if sizes else ""

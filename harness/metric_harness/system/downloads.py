"""The files that uv downloads, and their size, from its log."""

from __future__ import annotations

import re
from pathlib import Path

DOWNLOAD = re.compile(r"^Downloading (?P<name>\S+) \((?P<size>[0-9.]+) ?(?P<unit>[KMG]iB)\)$", re.MULTILINE)
UNITS = {"KiB": 2.0**-10, "MiB": 1.0, "GiB": 2.0**10}
FILES_NAMED = 3
"""How many of the files, the largest, are named."""


def downloads(log: Path) -> str:
    """The downloads that uv's log names: ``50 MiB (scipy 34.2 MiB, numpy 16.1 MiB)``; empty without any.

    uv names a file and its size before it downloads it, if it has at least 1 MiB.
    """
    text = log.read_text(encoding="utf-8", errors="replace")
    files = {file["name"]: (float(file["size"]) * UNITS[file["unit"]], file) for file in DOWNLOAD.finditer(text)}
    largest = sorted(files.values(), key=lambda size_and_file: -size_and_file[0])
    named = ", ".join(f"{file['name']} {file['size']} {file['unit']}" for _, file in largest[:FILES_NAMED])
    more = f" and {len(largest) - FILES_NAMED} more" if len(largest) > FILES_NAMED else ""
    return f"{sum(size for size, _ in largest):.0f} MiB ({named}{more})" if files else ""

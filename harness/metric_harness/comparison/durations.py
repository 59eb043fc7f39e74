"""How long each release took when it was last asked: the longest starts first, so that no other waits for it.

Without a cache that can be read and written, releases start in any order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_reports.files import write_atomically


def durations() -> dict[str, float]:
    """Seconds by release, from the runs on this computer."""
    try:
        page = json.loads(_file().read_text(encoding="utf-8"))
        return {str(name): float(seconds) for name, seconds in page.items()}
    except (HarnessError, OSError, ValueError, TypeError, AttributeError, RecursionError):  # no file, or damaged
        return {}


def keep_durations(new: Mapping[str, float]) -> None:
    """Add the seconds of a run; of two runs that end at once, the later one's file stays."""
    with suppress(HarnessError):
        write_atomically(_file(), json.dumps({**durations(), **new}) + "\n")


def _file() -> Path:
    return cache_dir("answers") / "durations.json"

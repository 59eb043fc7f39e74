"""How long each release took when it was last asked: the longest starts first, so that no other waits for it.

Without a cache that can be read and written, releases start in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from metric_harness.system import store
from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError


def durations() -> dict[str, float]:
    """Seconds by release, from the runs on this computer."""
    try:
        return dict(store.kept(_file()) or {})
    except HarnessError:
        return {}


def keep_durations(new: Mapping[str, float]) -> None:
    """Add the seconds of a run; of two runs that end at once, the later one's file stays."""
    with suppress(HarnessError):
        store.keep(_file(), {**durations(), **new})


def _file() -> Path:
    return cache_dir("answers") / "durations.json"

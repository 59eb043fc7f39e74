"""Where things are kept between runs: the platform's cache folder, or METRIC_HARNESS_CACHE."""

import os
from pathlib import Path

import platformdirs


def cache_dir(*parts: str) -> Path:
    """A folder below the cache, made if needed: ``cache_dir("environments")``."""
    root = os.environ.get("METRIC_HARNESS_CACHE") or platformdirs.user_cache_dir("metric-harness")
    folder = Path(root, *parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder

"""Folders of third-party libraries: from installed plug-ins, and from an environment variable."""

from __future__ import annotations

import os
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from metric_harness.system.errors import HarnessError

GROUP = "metric_harness.adapters"
"""The entry points of plug-ins: each names a package that holds folders with a library.toml."""
VARIABLE = "METRIC_HARNESS_ADAPTERS"
"""Further folders, separated as in PATH."""


def brought_folders() -> list[Path]:
    """The folders of plug-ins and of the variable; HarnessError for a plug-in or a folder that does not exist.

    To find a package its parents are imported, but not the package itself.
    """
    named = [Path(text) for text in os.environ.get(VARIABLE, "").split(os.pathsep) if text]
    for folder in named:
        if not folder.is_dir():
            raise HarnessError(f"{VARIABLE}: {folder} is no folder; name folders that hold a library.toml, or unset it")
    return [*named, *(folder for point in entry_points(group=GROUP) for folder in _plugin_folders(point))]


def _plugin_folders(point: EntryPoint) -> list[Path]:
    owner = "" if point.dist is None else f" of {point.dist.name} {point.dist.version}"
    try:
        spec = find_spec(point.value)
    except (ImportError, ValueError) as error:
        raise HarnessError(f"the plug-in {point.name}{owner}: {error}; install it anew or uninstall it") from None
    if spec is None or not spec.submodule_search_locations:
        raise HarnessError(f"the plug-in {point.name}{owner}: there is no package {point.value}; uninstall it")
    return [Path(folder) for folder in spec.submodule_search_locations]

"""Where the files of a release lie that is a git commit; set by the worker before the adapter is imported."""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Optional

SOURCE: Optional[Path] = None
COMPILED: Optional[Path] = None
RELEASE: Optional[str] = None


def source() -> Path:
    """The folder with the commit's files; RuntimeError for a release that is a distribution."""
    if SOURCE is None:
        raise RuntimeError("this release has no source folder: library.toml names no commit for it")
    return SOURCE


def compiled() -> Path:
    """The folder with the library's compiled part; RuntimeError where there is none."""
    if COMPILED is None:
        raise RuntimeError("the library's compiled part is not there")
    return COMPILED


def on_path(*parts: str) -> None:
    """Let a folder of the source be imported from."""
    sys.path.insert(1, str(source().joinpath(*parts)))


def version(distribution: str = "") -> str:
    """The release asked: as library.toml names it for a commit, else as the distribution's metadata says."""
    return RELEASE if SOURCE is not None and RELEASE is not None else version_of(distribution)

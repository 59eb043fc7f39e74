"""The files of a release that is a git commit; the worker sets their folders before it imports the adapter."""

from __future__ import annotations

import sys
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
    """The folder with the library's compiled part; RuntimeError if there is none."""
    if COMPILED is None:
        raise RuntimeError("the library's compiled part is not there")
    return COMPILED


def on_path(*parts: str) -> None:
    """Put a folder of the source on the import path."""
    sys.path.insert(1, str(source().joinpath(*parts)))


def version(distribution: str = "") -> str:
    """The version of the release: library.toml's name for a commit, else the version in the distribution's metadata."""
    from importlib.metadata import version as version_of  # slow, and a user's function needs no version

    return RELEASE if SOURCE is not None and RELEASE is not None else version_of(distribution)

"""A digest of our packages: results of other code are computed again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def code_digest(folders: Iterable[Path]) -> str:
    """A digest of the names and contents of all files below some folders, without compiled Python."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:32]

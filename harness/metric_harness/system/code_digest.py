"""A digest of packages of ours: what was computed with other code is computed again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def code_digest(folders: Iterable[Path]) -> str:
    """A digest of the names and contents of all files below folders, compiled Python left out."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(one for one in folder.rglob("*") if one.is_file() and one.suffix != ".pyc"):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:32]

"""What a worker's path holds: our two packages and the adapters asked, copied beside the environment."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

import metric_adapters
import metric_reference
from metric_harness.system.caches import cache_dir

if TYPE_CHECKING:
    from metric_harness.libraries.describe import Library


def stage(libraries: Sequence[Library]) -> Path:
    """A folder with the packages metric_adapters and metric_reference and the given libraries' adapters, nothing else.

    On a worker's path it adds our two packages to the library's environment and keeps the harness's own numpy and
    pandas out. The folder is named by its content: made once, whole or not at all, also by two processes at once.
    """
    files = dict(sorted(_files(libraries)))
    folder = cache_dir("staged") / _digest(files)
    with FileLock(folder.with_name(folder.name + ".lock")):
        if not _holds(folder, files):
            _write(folder, files)
    return folder


@cache
def kit_digest() -> str:
    """A digest of our two packages: what they make of a case may change with them."""
    return _digest(dict(sorted(_files(()))))


def _digest(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def _files(libraries: Sequence[Library]) -> Iterator[tuple[str, bytes]]:
    for package in (metric_adapters, metric_reference):
        root = Path(package.__path__[0])
        for path in root.rglob("*.py"):
            yield f"{package.__name__}/{path.relative_to(root).as_posix()}", path.read_bytes()
    for library in libraries:
        for path in library.folder.rglob("*.py"):
            yield f"libraries/{library.key}/{path.relative_to(library.folder).as_posix()}", path.read_bytes()


def _holds(folder: Path, files: dict[str, bytes]) -> bool:
    """Whether every file is there unchanged; something may have cleaned or edited the cache."""
    return all((path := folder / name).is_file() and path.read_bytes() == content for name, content in files.items())


def _write(folder: Path, files: dict[str, bytes]) -> None:
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        for name, content in files.items():
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            (part / name).write_bytes(content)
        part.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        os.replace(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)

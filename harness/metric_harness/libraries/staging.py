"""The folder on a worker's path: our two packages and the adapters of some libraries."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

import metric_adapters
import metric_reference
from metric_harness.system.caches import cache_dir
from metric_harness.system.scratch import replaced_folder

if TYPE_CHECKING:
    from metric_harness.libraries.describe import Library


def stage(libraries: Sequence[Library]) -> Path:
    """A folder with the packages metric_adapters and metric_reference and the given libraries' adapters, nothing else.

    On a worker's path it adds our two packages to the library's environment, but not the harness's own numpy and
    pandas. Its name is a digest of its content. It is complete when it appears, also if two processes make it at once.
    """
    files = dict(sorted(_staged_files(libraries)))
    folder = cache_dir("staged") / _digest(files)
    with FileLock(folder.with_name(folder.name + ".lock")):
        if not _holds(folder, files):
            with replaced_folder(folder) as new:
                for name, content in files.items():
                    (new / name).parent.mkdir(parents=True, exist_ok=True)
                    (new / name).write_bytes(content)
    return folder


@cache
def kit_digest() -> str:
    """A digest of our two packages, on which the libraries' answers depend too."""
    return _digest(dict(sorted(_staged_files(()))))


def _digest(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def _staged_files(libraries: Sequence[Library]) -> Iterator[tuple[str, bytes]]:
    for package in (metric_adapters, metric_reference):
        root = Path(package.__path__[0])
        for path in root.rglob("*.py"):
            yield f"{package.__name__}/{path.relative_to(root).as_posix()}", path.read_bytes()
    for library in libraries:
        for path in filter(Path.is_file, library.folder.rglob("*.py")):
            yield f"libraries/{library.key}/{path.relative_to(library.folder).as_posix()}", path.read_bytes()


def _holds(folder: Path, files: dict[str, bytes]) -> bool:
    """Whether a folder holds these files unchanged and no others; someone may have cleaned or edited the cache.

    Compiled files are removed: Python believes one that is damaged. A worker makes them anew in a tenth of a second;
    one that is being made by another worker at this moment is no reason to make the folder anew.
    """
    for compiled in list(folder.rglob("__pycache__")):
        shutil.rmtree(compiled, ignore_errors=True)
    there = (path for path in folder.rglob("*") if not path.is_dir() and path.parent.name != "__pycache__")
    found = {path.relative_to(folder).as_posix(): path for path in there}
    return found.keys() == files.keys() and all(path.read_bytes() == files[name] for name, path in found.items())

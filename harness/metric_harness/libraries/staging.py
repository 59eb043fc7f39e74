"""The folder on a worker's path: our two packages and the adapters of some libraries."""

from __future__ import annotations

import hashlib
import json
import py_compile
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from filelock import FileLock

import metric_adapters
import metric_reference
from metric_harness.system.caches import cache_dir
from metric_harness.system.scratch import replaced_folder

if TYPE_CHECKING:
    from metric_harness.libraries.describe import Library

COMPILED = "compiled.json"
"""In a staged folder: the digest of each compiled file that was made with it."""


def stage(libraries: Sequence[Library]) -> Path:
    """A folder with the packages metric_adapters and metric_reference and the given libraries' adapters, nothing else.

    On a worker's path it adds our two packages to the library's environment, but not the harness's own numpy and
    pandas. Its name is a digest of its content. It is complete when it appears, also if two processes make it at once.
    Its files are compiled for this Python.
    """
    files = dict(sorted(_staged_files(libraries)))
    folder = cache_dir("staged") / f"{_digest(files)}-{sys.implementation.cache_tag}"
    with FileLock(folder.with_name(folder.name + ".lock")):
        if not _holds(folder, files):
            with replaced_folder(folder) as new:
                for name, content in files.items():
                    (new / name).parent.mkdir(parents=True, exist_ok=True)
                    (new / name).write_bytes(content)
                (new / COMPILED).write_text(json.dumps(dict(_compiled(new, folder, files))))
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


def _compiled(new: Path, folder: Path, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Compile files of a new folder that will be ``folder``; the name and the digest of each compiled file."""
    for name in map(PurePosixPath, names):
        place = name.parent / "__pycache__" / f"{name.stem}.{sys.implementation.cache_tag}.pyc"
        trusted = py_compile.PycInvalidationMode.UNCHECKED_HASH
        files = (str(new / name), str(new / place), str(folder / name))
        if py_compile.compile(*files, quiet=2, invalidation_mode=trusted):
            yield str(place), _digest_of(new / place)


def _digest_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _holds(folder: Path, files: dict[str, bytes]) -> bool:
    """Whether a folder holds these files unchanged and no others; someone may have cleaned or edited the cache.

    Python believes a compiled file that is damaged: those are removed that are not as they were made with the folder,
    such as another Python's, which its worker makes anew. One that is being made by another worker at this moment is no
    reason to make the folder anew.
    """
    try:
        compiled = json.loads((folder / COMPILED).read_bytes())
    except (OSError, ValueError):
        return False
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if not path.is_dir()}
    for name in [name for name, path in found.items() if path.parent.name == "__pycache__"]:
        path = found.pop(name)
        with suppress(OSError):  # another worker's part of one
            if compiled.get(name) != _digest_of(path):
                path.unlink()
    same = found.keys() == {*files, COMPILED}
    return same and all(found[name].read_bytes() == content for name, content in files.items())

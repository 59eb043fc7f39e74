"""The source of a release that is a git commit: cloned on demand, verified, never changed where it lies."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from filelock import FileLock

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import EnvironmentFailure
from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.system.processes import captured
from metric_harness.system.progress import Reporter
from metric_reports.record import write_atomically

VARIABLE = "METRIC_HARNESS_SOURCES"
SPELL = 600
"""Seconds that a clone may take."""


def parse_sources(given: Sequence[str], libraries: Iterable[str]) -> dict[str, Path]:
    """The repositories of ``--source NAME=PATH``, by library; HarnessError names a wrong entry."""
    found: dict[str, Path] = {}
    for text in given:
        name, equals, place = text.partition("=")
        if not equals or not place:
            raise HarnessError(f"--source {text}: write NAME=PATH, for example elliot=../elliot")
        if name not in libraries:
            raise HarnessError(f"--source {text}: there is no library {name!r}; known: {', '.join(libraries)}")
        found[name] = Path(place).expanduser()
    return found


def source_for(library: Library, release: Release, given: Mapping[str, Path], reporter: Reporter) -> Path:
    """The folder with the files of a release's commit.

    The repository is the one of ``given``, else one below the folder METRIC_HARNESS_SOURCES that is called like the
    library or its repository (also with .git), else a clone in the cache. Whatever a working copy there holds plays no
    part: the files come out of the commit, whose name git computes from them, into a folder of the cache that is
    checked against the digests of its files each time and made anew where it was changed.

    Raises EnvironmentFailure where there is no such repository or it lacks the commit.
    """
    wanted = hashlib.sha256(json.dumps([release.commit, release.paths]).encode()).hexdigest()[:8]
    folder = cache_dir("sources") / f"{library.key}-{release.commit[:12]}-{wanted}"
    with FileLock(folder.with_name(folder.name + ".lock")):
        if not _unchanged(folder):
            repository = local_repository(library, given) or _clone(library, release, reporter)
            _export(repository, library, release, folder)
    return folder / "files"


def local_repository(library: Library, given: Mapping[str, Path]) -> Path | None:
    """The repository on this machine that a person points to, or None."""
    if library.key in given:
        if (path := given[library.key]).is_dir():
            return path
        raise EnvironmentFailure(f"--source {library.key}={path}: no such folder")
    root = os.environ.get(VARIABLE)
    if not root:
        return None
    if not Path(root).is_dir():
        raise HarnessError(f"{VARIABLE}={root}: no such folder")
    name = PurePosixPath(library.repository).name.removesuffix(".git")
    tried = (Path(root, f"{stem}{end}") for stem in (library.key, name) for end in ("", ".git"))
    return next((path for path in tried if path.is_dir()), None)


def unpack_whole(
    library: Library, release: Release, given: Mapping[str, Path], reporter: Reporter, folder: Path
) -> None:
    """Unpack all files of a release's commit into a folder, from the same repository as :func:`source_for`.

    Raises EnvironmentFailure where there is no such repository or it lacks the commit.
    """
    _unpack(local_repository(library, given) or _clone(library, release, reporter), library, release, (), folder)


def _git(repository: Path, *words: str, timeout: float = SPELL) -> bytes:
    """What git prints; EnvironmentFailure with its last line where it fails or is not there."""
    program = shutil.which("git")
    if program is None:
        raise EnvironmentFailure("needs git, which is not on PATH")
    command = [program, "-c", "safe.directory=*", "-C", str(repository), *words]
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
    try:
        run = captured(command, timeout, env=environment)
    except subprocess.TimeoutExpired:
        raise EnvironmentFailure(f"git {words[0]} did not end within {timeout:g} s") from None
    if run.returncode:
        said = run.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        verb = next(word for word in words if not word.startswith("-") and "=" not in word)
        raise EnvironmentFailure(f"git {verb}: {said[-1]}")
    return run.stdout


def _clone(library: Library, release: Release, reporter: Reporter) -> Path:
    """The cached repository with a release's commit, and that commit alone, fetched if it is not there yet."""
    repository = cache_dir("repositories") / f"{library.key}.git"
    with FileLock(repository.with_name(repository.name + ".lock")):
        try:
            if not repository.is_dir():
                part = Path(tempfile.mkdtemp(prefix=".new-", dir=repository.parent))
                _git(part, "init", "--quiet", "--bare")
                os.replace(part, repository)
            if not _has(repository, release.commit):
                reporter.say(f"{library.name} {release.version}: fetching its source from {library.repository}")
                speed = ("-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=20", "-c", "transfer.fsckObjects=1")
                _git(repository, *speed, "fetch", "--quiet", "--depth", "1", library.repository, release.commit)
        except EnvironmentFailure as failure:
            raise EnvironmentFailure(
                f"its source cannot be fetched from {library.repository} ({failure}); give a local clone with "
                f"--source {library.key}=PATH"
            ) from None
    return repository


def _has(repository: Path, commit: str) -> bool:
    try:
        _git(repository, "cat-file", "-e", f"{commit}^{{commit}}")
    except EnvironmentFailure:
        return False
    return True


def _unpack(repository: Path, library: Library, release: Release, paths: Sequence[str], folder: Path) -> None:
    """Unpack files of a commit; if ``paths`` is empty, all that the repository holds (some leave out large ones)."""
    if not _has(repository, release.commit):
        raise EnvironmentFailure(
            f"{repository}: holds no commit {release.commit} of {library.name}; it is no git repository, or a shallow "
            f"clone: clone {library.repository} whole"
        )
    paths = paths or [".", *(f":(exclude){path}" for path in _absent(repository, release.commit))]
    packed = _git(repository, "archive", "--format=tar", release.commit, *paths)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


def _absent(repository: Path, commit: str) -> list[str]:
    """The files of a commit whose content the repository does not have."""
    listed = _git(repository, "rev-list", "--objects", "--no-walk", "--missing=print", commit).decode().splitlines()
    if not (absent := {line[1:] for line in listed if line.startswith("?")}):
        return []
    tree = _git(repository, "ls-tree", "-r", "-z", commit).decode(errors="surrogateescape").rstrip("\0").split("\0")
    return [path for entry, path in (line.split("\t", 1) for line in tree) if entry.split()[2] in absent]


def _export(repository: Path, library: Library, release: Release, folder: Path) -> None:
    """Unpack a commit's files, read-only, and write down their digests."""
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        _unpack(repository, library, release, release.paths, part / "files")
        marker = {"commit": release.commit, "files": _digests(part / "files")}
        for path in (part / "files").rglob("*"):
            if path.is_file() and not path.is_symlink():
                path.chmod(0o444)
        write_atomically(part / "complete.json", json.dumps(marker, indent=1) + "\n")
        if folder.exists():
            shutil.rmtree(folder)
        part.chmod(0o755)
        os.replace(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _digests(root: Path) -> dict[str, str]:
    paths = sorted(path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def _unchanged(folder: Path) -> bool:
    """Whether a folder holds just what was unpacked there."""
    try:
        marker = json.loads((folder / "complete.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):  # never unpacked, or cut off: unpack it
        return False
    return marker.get("files") == _digests(folder / "files")

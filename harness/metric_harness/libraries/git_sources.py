"""The source of a release that is a git commit: cloned on demand and verified; the user's clone is never changed."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from filelock import FileLock

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import EnvironmentFailure
from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.system.processes import captured
from metric_harness.system.progress import Reporter
from metric_harness.system.scratch import replaced_folder
from metric_reports.files import write_atomically

VARIABLE = "METRIC_HARNESS_SOURCES"
GIT_TIMEOUT = 600
"""Seconds that one git command may take."""


def parse_sources(options: Sequence[str], libraries: Iterable[str]) -> dict[str, Path]:
    """The repositories that options ``--source NAME=PATH`` name, by library; HarnessError names a wrong option."""
    repositories: dict[str, Path] = {}
    for option in options:
        name, equals, path = option.partition("=")
        if not equals or not path:
            raise HarnessError(f"--source {option}: write NAME=PATH, for example elliot=../elliot")
        if name not in libraries:
            raise HarnessError(f"--source {option}: there is no library {name!r}; known: {', '.join(libraries)}")
        repositories[name] = Path(path).expanduser()
    return repositories


def source_for(library: Library, release: Release, sources: Mapping[str, Path], reporter: Reporter) -> Path:
    """The folder with the files of a release's commit.

    The repository is the one in ``sources``, else one in the folder METRIC_HARNESS_SOURCES named after the library or
    its repository (with or without .git), else a clone in the cache. Its working copy is ignored: the files come from
    the commit, whose name git computes from their content. They are unpacked into a folder of the cache, which is
    checked against their digests at each use and unpacked anew if it was changed.

    Raises EnvironmentFailure if there is no such repository or it lacks the commit.
    """
    digest = hashlib.sha256(json.dumps([release.commit, release.paths]).encode()).hexdigest()[:8]
    folder = cache_dir("sources") / f"{library.key}-{release.commit[:12]}-{digest}"
    with FileLock(folder.with_name(folder.name + ".lock")):
        if not _unchanged(folder):
            repository = local_repository(library, sources) or _clone(library, release, reporter)
            _export(repository, library, release, folder)
    return folder / "files"


def local_repository(library: Library, sources: Mapping[str, Path]) -> Path | None:
    """The repository on this machine that the user names, or None."""
    if library.key in sources:
        if (path := sources[library.key]).is_dir():
            return path
        raise EnvironmentFailure(f"--source {library.key}={path}: no such folder")
    root = os.environ.get(VARIABLE)
    if not root:
        return None
    if not Path(root).is_dir():
        raise HarnessError(f"{VARIABLE}={root}: no such folder")
    name = PurePosixPath(library.repository).name.removesuffix(".git")
    candidates = (Path(root, f"{stem}{suffix}") for stem in (library.key, name) for suffix in ("", ".git"))
    return next((path for path in candidates if path.is_dir()), None)


def unpack_whole(
    library: Library, release: Release, sources: Mapping[str, Path], reporter: Reporter, folder: Path
) -> None:
    """Unpack all files of a release's commit into a folder, from the same repository as :func:`source_for`.

    Raises EnvironmentFailure if there is no such repository or it lacks the commit.
    """
    _unpack(local_repository(library, sources) or _clone(library, release, reporter), library, release, (), folder)


def _git(repository: Path, *arguments: str, timeout: float = GIT_TIMEOUT) -> bytes:
    """The output of a git command; EnvironmentFailure with its last error line if it fails, or without git."""
    program = shutil.which("git")
    if program is None:
        raise EnvironmentFailure("needs git, which is not on PATH")
    command = [program, "-c", "safe.directory=*", "-C", str(repository), *arguments]
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
    try:
        run = captured(command, timeout, env=environment)
    except subprocess.TimeoutExpired:
        raise EnvironmentFailure(f"git {arguments[0]} did not end within {timeout:g} s") from None
    if run.returncode:
        errors = run.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        verb = next(word for word in arguments if not word.startswith("-") and "=" not in word)
        raise EnvironmentFailure(f"git {verb}: {errors[-1]}")
    return run.stdout


def _clone(library: Library, release: Release, reporter: Reporter) -> Path:
    """The cached repository of a library; the release's commit, and no other, is fetched if it is missing."""
    repository = cache_dir("repositories") / f"{library.key}.git"
    with FileLock(repository.with_name(repository.name + ".lock")):
        try:
            if not repository.is_dir():
                new = repository.with_name(f".new-{repository.name}")
                shutil.rmtree(new, ignore_errors=True)  # of a run that was interrupted here
                new.mkdir()
                _git(new, "init", "--quiet", "--bare")
                os.replace(new, repository)
            if not _has_commit(repository, release.commit):
                reporter.detail(f"{library.name} {release.version}: fetching its source from {library.repository}")
                config = ("-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=20", "-c", "transfer.fsckObjects=1")
                _git(repository, *config, "fetch", "--quiet", "--depth", "1", library.repository, release.commit)
        except EnvironmentFailure as failure:
            raise EnvironmentFailure(
                f"its source cannot be fetched from {library.repository} ({failure}); give a local clone with "
                f"--source {library.key}=PATH"
            ) from None
    return repository


def _has_commit(repository: Path, commit: str) -> bool:
    try:
        _git(repository, "cat-file", "-e", f"{commit}^{{commit}}")
    except EnvironmentFailure:
        return False
    return True


def _unpack(repository: Path, library: Library, release: Release, paths: Sequence[str], folder: Path) -> None:
    """Unpack files of a commit; without ``paths`` all that the repository has (a partial clone lacks some)."""
    if not _has_commit(repository, release.commit):
        raise EnvironmentFailure(
            f"{repository}: holds no commit {release.commit} of {library.name}; it is no git repository, or a shallow "
            f"clone: clone {library.repository} whole"
        )
    paths = paths or [".", *(f":(exclude){path}" for path in _absent_files(repository, release.commit))]
    tar = _git(repository, "archive", "--format=tar", release.commit, *paths)
    with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
        archive.extractall(folder, filter="data")


def _absent_files(repository: Path, commit: str) -> list[str]:
    """The files of a commit whose content the repository does not have."""
    objects = _git(repository, "rev-list", "--objects", "--no-walk", "--missing=print", commit).decode().splitlines()
    if not (absent := {line[1:] for line in objects if line.startswith("?")}):
        return []
    tree = _git(repository, "ls-tree", "-r", "-z", commit).decode(errors="surrogateescape").rstrip("\0").split("\0")
    return [path for entry, path in (line.split("\t", 1) for line in tree) if entry.split()[2] in absent]


def _export(repository: Path, library: Library, release: Release, folder: Path) -> None:
    """Unpack a commit's files read-only into a folder, with a list of their digests."""
    with replaced_folder(folder) as new:
        _unpack(repository, library, release, release.paths, new / "files")
        marker = {"commit": release.commit, "files": _digests(new / "files")}
        for path in (new / "files").rglob("*"):
            if path.is_file() and not path.is_symlink():
                path.chmod(0o444)
        write_atomically(new / "complete.json", json.dumps(marker, indent=1) + "\n")


def _digests(root: Path) -> dict[str, str]:
    paths = sorted(path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def _unchanged(folder: Path) -> bool:
    """Whether a folder holds exactly the files that were unpacked there."""
    try:
        marker = json.loads((folder / "complete.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):  # never unpacked, or cut off: unpack it
        return False
    return marker.get("files") == _digests(folder / "files")

"""The compiled part of a library: used as given, or built in the cache by the user's own script.

The harness has no build script of any library: how one is built is for its own documentation to say.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from filelock import FileLock

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import EnvironmentFailure
from metric_harness.libraries.git_sources import unpack_whole
from metric_harness.system.caches import cache_dir
from metric_harness.system.processes import BuildError, run_logged
from metric_harness.system.progress import Reporter
from metric_reports.record import write_atomically

COMPILED = "METRIC_HARNESS_COMPILED"
BUILD = "METRIC_HARNESS_BUILD"
COMPILERS = ("c++", "g++", "clang++", "cl")
MARKER = "complete.json"


def compiled_for(
    library: Library, release: Release, python: Path, given: Mapping[str, Path], reporter: Reporter
) -> Path:
    """The folder with the compiled part of a release.

    It is the one called like the library below the folder METRIC_HARNESS_COMPILED, else what the script called like the
    library in the folder METRIC_HARNESS_BUILD makes. The script runs once, by ``sh``, in the cache, inside a copy of
    all files of the commit, with the Python of the release's environment first on PATH; that copy is the compiled part.

    Raises EnvironmentFailure without either, without a compiler, or where the script fails (with its last lines).
    """
    if handed := handed_over(library):
        return handed
    script = build_script(library)
    wanted = hashlib.sha256(json.dumps([release.commit, str(python), script.read_text()]).encode()).hexdigest()[:12]
    folder = cache_dir("compiled") / f"{library.key}-{release.commit[:12]}-{wanted}"
    with FileLock(folder.with_name(f"{folder.name}.lock")):
        if not (folder / MARKER).exists():
            _build(library, release, python, script, given, reporter, folder)
    return folder / "files"


def handed_over(library: Library) -> Path | None:
    """The compiled part that a person points to, or None."""
    root = os.environ.get(COMPILED)
    folder = Path(root or "", library.key)
    return folder.absolute() if root and folder.is_dir() else None


def build_script(library: Library) -> Path:
    """The user's build script; EnvironmentFailure without a script or a compiler."""
    if not (os.environ.get("CXX") or any(map(shutil.which, COMPILERS))):
        raise EnvironmentFailure(
            f"needs a C++ compiler for its compiled part: none of {', '.join(COMPILERS)} is on PATH, and CXX is not set"
        )
    if not (scripts := os.environ.get(BUILD)) or not (script := Path(scripts, library.key)).is_file():
        raise EnvironmentFailure(
            f"needs its compiled part, for which a C++ compiler is needed: build it as {library.name} itself says, by "
            f"a shell script {library.key} in a folder named by {BUILD}, or by hand in {library.key}/ below one "
            f"named by {COMPILED}"
        )
    return script.absolute()


def _build(
    library: Library,
    release: Release,
    python: Path,
    script: Path,
    given: Mapping[str, Path],
    reporter: Reporter,
    folder: Path,
) -> None:
    """Run a script in a fresh copy of the commit; its output is kept beside the folder, which takes its place whole."""
    shutil.rmtree(folder, ignore_errors=True)
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    log = folder.with_name(f"{folder.name}.log")
    log.write_bytes(b"")
    path = os.pathsep.join([str(python.parent), os.environ.get("PATH", "")])
    try:
        unpack_whole(library, release, given, reporter, part / "files")
        title = f"{library.name} {release.version}: building its compiled part"
        seconds = run_logged([["sh", str(script)]], {**os.environ, "PATH": path}, part / "files", log, title, reporter)
        write_atomically(part / MARKER, json.dumps({"commit": release.commit, "seconds": round(seconds, 1)}) + "\n")
        part.chmod(0o755)
        os.replace(part, folder)
    except BuildError as error:
        raise EnvironmentFailure(f"its compiled part could not be built: {error}\nAll of the output: {log}") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)

"""The compiled part of a library: used as given, or built in the cache by the user's own script.

The harness ships no build scripts: each library's documentation says how to build it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from filelock import FileLock

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import EnvironmentFailure
from metric_harness.libraries.git_sources import unpack_whole
from metric_harness.system.caches import cache_dir
from metric_harness.system.doctor import COMPILERS
from metric_harness.system.processes import BuildError, run_logged
from metric_harness.system.progress import Reporter
from metric_harness.system.scratch import replaced_folder
from metric_reports.files import write_atomically

COMPILED_VARIABLE = "METRIC_HARNESS_COMPILED"
BUILD_VARIABLE = "METRIC_HARNESS_BUILD"
MARKER = "complete.json"


def compiled_for(
    library: Library, release: Release, python: Path, sources: Mapping[str, Path], reporter: Reporter
) -> Path:
    """The folder with the compiled part of a release.

    It is the folder named after the library in METRIC_HARNESS_COMPILED, else the result of the script named after the
    library in METRIC_HARNESS_BUILD. ``sh`` runs the script once, in a copy of all files of the commit in the cache,
    with the Python of the release's environment first on PATH; that copy is the compiled part.

    Raises EnvironmentFailure without both, without a compiler, or if the script fails (with its last lines).
    """
    if prebuilt := handed_over(library):
        return prebuilt
    script = build_script(library)
    digest = hashlib.sha256(json.dumps([release.commit, str(python), script.read_text()]).encode()).hexdigest()[:12]
    folder = cache_dir("compiled") / f"{library.key}-{release.commit[:12]}-{digest}"
    with FileLock(folder.with_name(f"{folder.name}.lock")):
        if not (folder / MARKER).exists():
            _build(library, release, python, script, sources, reporter, folder)
    return folder / "files"


def handed_over(library: Library) -> Path | None:
    """The compiled part that the user built and METRIC_HARNESS_COMPILED holds, or None."""
    root = os.environ.get(COMPILED_VARIABLE)
    folder = Path(root or "", library.key)
    return folder.absolute() if root and folder.is_dir() else None


def build_script(library: Library) -> Path:
    """The user's build script; EnvironmentFailure without a script or a compiler."""
    if not (os.environ.get("CXX") or any(map(shutil.which, COMPILERS))):
        raise EnvironmentFailure(
            f"needs a C++ compiler for its compiled part: none of {', '.join(COMPILERS)} is on PATH, and CXX is not set"
        )
    if not (scripts := os.environ.get(BUILD_VARIABLE)) or not (script := Path(scripts, library.key)).is_file():
        raise EnvironmentFailure(
            f"needs its compiled part, for which a C++ compiler is needed: build it as {library.name} itself says, by "
            f"a shell script {library.key} in a folder named by {BUILD_VARIABLE}, or by hand in {library.key}/ below "
            f"one named by {COMPILED_VARIABLE}"
        )
    return script.absolute()


def _build(
    library: Library,
    release: Release,
    python: Path,
    script: Path,
    sources: Mapping[str, Path],
    reporter: Reporter,
    folder: Path,
) -> None:
    """Run a script in a fresh copy of the commit, which becomes ``folder``; the log is kept beside it."""
    shutil.rmtree(folder, ignore_errors=True)
    log = folder.with_name(f"{folder.name}.log")
    log.write_bytes(b"")
    path = os.pathsep.join([str(python.parent), os.environ.get("PATH", "")])
    try:
        with replaced_folder(folder) as new:
            unpack_whole(library, release, sources, reporter, new / "files")
            title = f"{library.name} {release.version}: building its compiled part"
            command, variables = ["sh", str(script)], {**os.environ, "PATH": path}
            seconds = run_logged([command], variables, new / "files", log, title, reporter)
            write_atomically(new / MARKER, json.dumps({"commit": release.commit, "seconds": round(seconds, 1)}) + "\n")
    except BuildError as error:
        raise EnvironmentFailure(f"its compiled part could not be built: {error}\nAll of the output: {log}") from None

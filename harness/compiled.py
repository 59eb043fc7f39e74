"""The compiled part of a release: built once with the adapter's build.py, kept in the cache."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from pathlib import Path

from filelock import FileLock

from harness.build import BuildError, run_logged
from harness.caches import cache_dir
from harness.environments import EnvironmentFailure
from harness.libraries import Library, Release
from harness.progress import Reporter
from harness.record import write_atomically

COMPILERS = ("c++", "g++", "clang++")
MARKER = "complete.json"


def compiled_for(library: Library, release: Release, python: Path, source: Path | None, reporter: Reporter) -> Path:
    """The folder that the adapter's ``build.py SOURCE OUT`` filled, run by the Python of the library's environment.

    Raises EnvironmentFailure without a C++ compiler, or with the last lines of what the build said.
    """
    script = library.folder / "build.py"
    parts = [release.commit, release.version, str(python), script.read_text(encoding="utf-8")]
    wanted = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]
    folder = cache_dir("compiled") / f"{library.key}-{wanted}"
    with FileLock(folder.with_name(folder.name + ".lock")):
        if (folder / MARKER).is_file():
            return folder / "out"
        if not os.environ.get("CXX") and not any(map(shutil.which, COMPILERS)):
            raise EnvironmentFailure("needs a C++ compiler")
        part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        log = folder.with_name(f"{folder.name}.log")
        log.write_bytes(b"")
        try:
            (part / "out").mkdir()
            command = [str(python), "-B", str(script), str(source or ""), str(part / "out")]
            title = f"{library.name} {release.version}: compiling"
            seconds = run_logged([command], os.environ, part, log, title, reporter)
            write_atomically(part / MARKER, json.dumps({"seconds": round(seconds, 1)}) + "\n")
            shutil.rmtree(folder, ignore_errors=True)
            part.chmod(0o755)
            os.replace(part, folder)
        except BuildError as error:
            raise EnvironmentFailure(f"its C++ part could not be compiled: {error}\nAll of its output: {log}") from None
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return folder / "out"

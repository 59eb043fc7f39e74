"""One isolated Python environment for each library release, built with uv, kept between runs."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.intact import damage_of, fingerprint, python_of, python_version
from metric_harness.system.caches import cache_dir, cache_root
from metric_harness.system.downloads import downloads
from metric_harness.system.errors import HarnessError
from metric_harness.system.pip_settings import local_path, uv_environment
from metric_harness.system.processes import BuildError, captured, run_logged
from metric_harness.system.progress import Reporter
from metric_reports.files import write_atomically

TORCH_VARIABLE = "METRIC_HARNESS_TORCH_BACKEND"
MARKER = "complete.json"
OLD_BUILDS = "setuptools<58"
"""What builds packages from before 2021 that ask setup.py for ``use_2to3``; tried where a build fails."""
LOOK_UP = 600
"""Seconds that a query of uv (packages, interpreters, releases) may take."""

__all__ = ["EnvironmentFailure", "environment_for", "resolve_python", "torch_arguments", "uv_environment"]


class EnvironmentFailure(HarnessError):
    """A library's environment cannot be provided here; other libraries are not affected."""

    passing = True


class NoFittingPython(EnvironmentFailure):
    """No Python here fits the release; one that is installed later may."""


def resolve_python(environment: str, library: Library, release: Release, reporter: Reporter | None = None) -> Path:
    """The Python that answers for a library.

    environment : ``isolated`` for an environment of its own (built on first use), ``current`` for the running Python
        with the release that is installed there, else the path of a Python executable or of a virtual environment.
    """
    if environment == "isolated":
        return environment_for(library, release, reporter)
    if environment == "current":
        return Path(sys.executable)
    path = Path(environment).expanduser().absolute()  # not resolved: a venv's python is a link
    python = python_of(path) if path.is_dir() else path
    if not python.exists():
        raise HarnessError(
            f"--environment {environment}: no {python}; expected 'isolated', 'current', a Python executable or the "
            "folder of a virtual environment"
        )
    if python_version(python) is None:
        raise HarnessError(f"--environment {environment}: {python} does not run as a Python interpreter")
    return python


def environment_for(library: Library, release: Release, reporter: Reporter | None = None) -> Path:
    """The Python of the environment with a release's requirements; built if it is missing or incomplete.

    Its folder in the cache is named after the hash of the requirements and the Python version. ``complete.json`` is
    written last: a folder without it is half-built and is built anew, as is one whose Python is gone or whose packages
    are damaged.

    Raises EnvironmentFailure without a fitting Python, or if uv could not install the requirements (with the last lines
    of its output).
    """
    reporter = reporter or Reporter()
    variables = uv_environment()
    folder, base, recipe = planned(library, release, variables)
    if python := sound_python(folder, library, release, Reporter(quiet=True)):
        return python
    cache_dir("environments")
    lock = FileLock(folder.with_name(f"{folder.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        reporter.say(f"{library.name} {release.version}: another process is building its environment; waiting for it")
        lock.acquire()
    try:
        python = sound_python(folder, library, release, reporter)
        return python or _built_soundly(folder, library, release, base, recipe, variables, reporter)
    finally:
        lock.release()


def _built_soundly(
    folder: Path,
    library: Library,
    release: Release,
    base: Path,
    recipe: dict[str, Any],
    variables: dict[str, str],
    reporter: Reporter,
) -> Path:
    """Build an environment whose files have the hashes of their RECORD; uv's cache, which it links to, may be damaged.

    Raises EnvironmentFailure if they do not have them after all packages were fetched anew either.
    """
    for arguments in ([], ["--no-cache"]):
        build(folder, library, release, base, recipe, variables, reporter, arguments)
        if python := sound_python(folder, library, release, reporter):
            return python
        if not arguments:
            reporter.say(
                f"{library.name} {release.version}: uv's own copy is damaged (`uv cache clean` mends it); its packages "
                "are fetched anew"
            )
    raise EnvironmentFailure(
        f"{library.name} {release.version}: its packages, fetched anew, are not what their RECORD says; their index or "
        "find-links folder is damaged"
    )


def planned(library: Library, release: Release, variables: Mapping[str, str]) -> tuple[Path, Path, dict[str, Any]]:
    """The folder of a release's environment, the Python to make it with, and the recipe of what goes into it."""
    base, version = find_python(library, release)
    torch = torch_arguments((*release.requirements, *release.without_dependencies), version, variables)
    recipe = {
        "requirements": list(release.requirements),
        "without_dependencies": list(release.without_dependencies),
        "python": version,
        "arguments": torch,
    }
    digest = hashlib.sha256(json.dumps(recipe).encode()).hexdigest()[:12]
    name = f"{library.key}-{re.sub(r'[^A-Za-z0-9._-]+', '-', release.version)}-{digest}"
    return cache_root() / "environments" / name, base, recipe


def find_environment(library: Library, release: Release) -> Path | None:
    """The folder of a release's environment if it is complete; EnvironmentFailure without a fitting Python."""
    folder = planned(library, release, uv_environment())[0]
    return folder if complete_python(folder) else None


def build(
    folder: Path,
    library: Library,
    release: Release,
    base: Path,
    recipe: dict[str, Any],
    variables: dict[str, str],
    reporter: Reporter,
    arguments: Sequence[str] = (),
) -> Path:
    """Build the environment of a recipe in a folder and mark it complete; uv's output is kept beside the folder.

    arguments : more of them for ``uv pip install``.

    Each attempt gets a new subfolder, so that a uv left over from a killed run cannot write into it.
    """
    if folder.exists():
        reporter.say(f"{library.name} {release.version}: its environment is incomplete or broken; building it anew")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    venv = Path(tempfile.mkdtemp(prefix="venv-", dir=folder))
    python = python_of(venv)
    log = folder.with_name(f"{folder.name}.log")
    log.write_bytes(b"")
    title = f"{library.name} {release.version}: building its environment"
    dropped = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX", "UV_PYTHON", "UV_SYSTEM_PYTHON", "UV_TARGET"}
    added = {"NO_COLOR": "1", "UV_NO_PROGRESS": "1", "UV_PYTHON_DOWNLOADS": "never"}
    environment = {key: value for key, value in variables.items() if key not in dropped} | added
    import uv  # imported here: functions of the user need no environment

    uv_program = uv.find_uv_bin()
    install = [uv_program, "pip", "install", "--python", str(python), *no_index(variables), *recipe["arguments"]]
    install += arguments
    commands = [[uv_program, "venv", "--python", str(base), str(venv)]]
    if release.requirements:
        commands.append([*install, *release.requirements])
    if release.without_dependencies:
        commands.append([*install, "--no-deps", *release.without_dependencies])
    try:
        seconds = run_logged(commands, environment, folder, log, title, reporter)
    except BuildError as error:
        old = folder / "build-constraints.txt"
        old.write_text(f"{OLD_BUILDS}\n", encoding="utf-8")
        again = [[*command, "--build-constraints", str(old)] for command in commands[1:]]
        try:
            if not again:
                raise
            seconds = run_logged(again, environment, folder, log, title, reporter)
        except BuildError:
            raise EnvironmentFailure(
                f"{library.name} {release.version}: its environment could not be built: {error}\n"
                f"All of uv's output: {log}"
            ) from None
    list_packages = [uv_program, "pip", "list", "--format", "json", "--python", str(python)]
    listed = captured(list_packages, LOOK_UP, env=environment, cwd=folder)
    if listed.returncode:
        reason = listed.stderr.decode(errors="replace").strip()
        raise EnvironmentFailure(f"{library.name} {release.version}: its packages cannot be listed: {reason}")
    marker = {
        **recipe,
        "library": library.name,
        "release": release.version,
        "executable": python.relative_to(folder).as_posix(),
        "uv": version_of("uv"),
        "seconds": round(seconds, 1),
        "packages": {package["name"]: package["version"] for package in json.loads(listed.stdout)},
    }
    write_atomically(folder / MARKER, json.dumps(marker, indent=1) + "\n")
    for other in folder.glob("venv-*"):
        if other != venv:  # written by the uv of a killed run
            shutil.rmtree(other, ignore_errors=True)
    downloaded = f", {size} downloaded" if (size := downloads(log).partition(" (")[0]) else ""
    reporter.detail(f"{library.name} {release.version}: environment built in {seconds:.0f} s{downloaded}")
    return python


def complete_python(folder: Path) -> Path | None:
    """The Python of a complete environment; None if it is incomplete or the Python that it was made with is gone."""
    try:
        python = folder / json.loads((folder / MARKER).read_text(encoding="utf-8"))["executable"]
    except (OSError, ValueError, KeyError, TypeError):  # not built, half-built, or an unreadable marker
        return None
    return python if os.access(python, os.X_OK) else None


def sound_python(folder: Path, library: Library, release: Release, reporter: Reporter) -> Path | None:
    """The Python of a complete environment whose packages are unchanged since they were installed, else None."""
    python = complete_python(folder)
    if python is None or folder not in python.parents:
        return python
    try:
        damage = damage_of(python.parents[1], folder / MARKER)
    except OSError as error:
        damage = str(error)
    if damage is not None:
        reporter.say(f"{library.name} {release.version}: its environment is damaged ({damage})")
    return python if damage is None else None


def fingerprint_of(python: Path) -> str:
    """A digest of what is installed in an interpreter's isolated environment; :func:`sound_python` stores it."""
    venv = python.parents[1]
    try:
        stored = json.loads((venv.parent / MARKER).read_text(encoding="utf-8")).get("fingerprint")
    except OSError:
        stored = None
    return stored or fingerprint(venv)


def find_python(library: Library, release: Release) -> tuple[Path, str]:
    """A Python that fits the release, and its version: the running one, else one that uv or pyenv has installed."""
    specifier = SpecifierSet(release.python)
    running = ".".join(map(str, sys.version_info[:3]))
    if specifier.contains(running, prereleases=True):
        return Path(sys.executable), running
    import uv

    command = [uv.find_uv_bin(), "python", "find", "--system", "--no-python-downloads", release.python]
    path_variable = os.pathsep.join([*map(str, pythons_of_pyenv()), os.environ.get("PATH", "")])
    search = captured(command, LOOK_UP, env={**os.environ, "PATH": path_variable})
    path = Path(os.fsdecode(search.stdout).strip())
    version = python_version(path) if search.returncode == 0 else None
    if version is None:
        raise NoFittingPython(
            f"{library.name} {release.version} needs Python {release.python}, none found (this one is {running}): "
            "install one and put it on PATH (for example `uv python install`), or leave the library out"
        )
    return path, version


def pythons_of_pyenv() -> list[Path]:
    """The folders of the Pythons that pyenv has, newest first.

    They go before its shims on PATH: the shim of a Python that is installed and not chosen fails, and ends uv's search.
    """
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    return sorted(root.glob("versions/3.*/bin"), key=lambda path: list(map(int, re.findall(r"\d+", path.parent.name))))[
        ::-1
    ]


def no_index(variables: Mapping[str, str]) -> list[str]:
    """``--no-index`` where UV_NO_INDEX asks for it: uv itself has no such variable."""
    return ["--no-index"] if variables.get("UV_NO_INDEX", "").lower() in {"1", "true", "yes", "on"} else []


def torch_arguments(
    requirements: Sequence[str], python: str, variables: Mapping[str, str], platform: str = sys.platform
) -> list[str]:
    """uv's arguments that choose the build of torch, for requirements that name it.

    METRIC_HARNESS_TORCH_BACKEND (uv's --torch-backend, or ``index`` for the configured index as it is) decides. Without
    it, a wheel of torch in a find-links folder is taken if it fits the requirement and the Python; else Linux gets the
    CPU build, because the index's own brings several gigabytes of CUDA.
    """
    torch = next((r for r in map(_parsed, requirements) if r and canonicalize_name(r.name) == "torch"), None)
    if torch is None:
        return []
    backend = variables.get(TORCH_VARIABLE) or variables.get("UV_TORCH_BACKEND")
    if backend:
        return [] if backend == "index" else ["--torch-backend", backend]
    if not platform.startswith("linux") or torch.url or _has_torch_wheel(torch, python, variables):
        return []
    return ["--torch-backend", "cpu"]


def _has_torch_wheel(torch: Requirement, python: str, variables: Mapping[str, str]) -> bool:
    """Whether a find-links folder has a wheel of torch that fits a requirement and a Python version."""
    python_tags = {"cp" + "".join(python.split(".")[:2]), "py3"}
    folders = (local_path(link) for link in variables.get("UV_FIND_LINKS", "").split(",") if link)
    for path in (path for folder in folders if folder for path in folder.glob("torch-*.whl")):
        try:
            _, version, _, tags = parse_wheel_filename(path.name)
        except InvalidWheelFilename:
            continue
        if torch.specifier.contains(version, prereleases=True) and python_tags & {tag.interpreter for tag in tags}:
            return True
    return False


def _parsed(requirement: str) -> Requirement | None:
    try:
        return Requirement(requirement)
    except InvalidRequirement:  # a path or an address without a name
        return None

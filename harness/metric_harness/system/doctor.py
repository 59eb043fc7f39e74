"""Checks whether this machine has what the commands need, and says what does not work without it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.system.processes import captured

COMPILERS = ("c++", "g++", "clang++", "cl")
DISK_NEEDED = 10e9
"""Bytes that the environments of all libraries take, approximately."""
CHECK_TIMEOUT = 20.0
"""Seconds that one call of uv may take."""

State = Literal["ok", "lacking", "needed"]


@dataclass(frozen=True, kw_only=True)
class Check:
    """The result of one check. ``needed``: no command works without it; ``costs``: what does not work without it."""

    name: str
    state: State
    found: str
    costs: str = ""


def check_all(variables: Mapping[str, str]) -> list[Check]:
    """The results of all checks. ``variables`` : the environment in which uv runs."""
    checks = (_python, _uv, _cache, _disk, _temporary, _git, _compiler, _java, _network)
    return [check(variables) for check in checks]


def _python(variables: Mapping[str, str]) -> Check:
    return Check(name="Python", state="ok", found=f"{platform.python_version()} at {sys.executable}")


def _uv(variables: Mapping[str, str]) -> Check:
    costs = "no environment can be built: --environment current, or libraries from their recordings"
    try:
        import uv

        run = captured([uv.find_uv_bin(), "--version"], CHECK_TIMEOUT, env=dict(variables))
    except (ImportError, OSError, subprocess.TimeoutExpired) as error:
        return Check(name="uv", state="lacking", found=f"not found ({error})", costs=costs)
    if run.returncode:
        return Check(name="uv", state="lacking", found=f"ends with exit code {run.returncode}", costs=costs)
    return Check(name="uv", state="ok", found=run.stdout.decode(errors="replace").strip())


def _cache(variables: Mapping[str, str]) -> Check:
    try:
        root = cache_dir()
        with tempfile.TemporaryFile(dir=root):
            pass
    except (HarnessError, OSError) as error:
        return Check(name="cache", state="needed", found=str(error), costs="nothing that asks a function runs")
    return Check(name="cache", state="ok", found=f"{root} can be written to")


def _disk(variables: Mapping[str, str]) -> Check:
    try:
        free = shutil.disk_usage(cache_dir()).free
    except (HarnessError, OSError) as error:
        return Check(name="disk", state="lacking", found=str(error), costs="unknown")
    state: State = "ok" if free >= DISK_NEEDED else "lacking"
    size = f"{DISK_NEEDED / 1e9:g} GB"
    costs = f"the environments of all libraries take about {size}; `metric-harness doctor cache prune` frees some"
    return Check(name="disk", state=state, found=f"{free / 1e9:.1f} GB free for the cache", costs=costs)


def _temporary(variables: Mapping[str, str]) -> Check:
    try:
        with tempfile.TemporaryFile():
            return Check(name="temporary files", state="ok", found=f"{tempfile.gettempdir()} can be written to")
    except OSError as error:
        costs = "nothing that asks a function runs; let TMPDIR name a folder"
        return Check(name="temporary files", state="needed", found=str(error), costs=costs)


def _program(name: str, programs: tuple[str, ...], variable: str, costs: str) -> Check:
    """Whether ``variable`` is set, if one is named, or one of the programs is on PATH."""
    path = os.environ.get(variable) or next(filter(None, map(shutil.which, programs)), None)
    if path is None:
        return Check(name=name, state="lacking", found=f"none of {', '.join(programs)} on PATH", costs=costs)
    return Check(name=name, state="ok", found=path)


def _git(variables: Mapping[str, str]) -> Check:
    costs = "releases that are git commits (Elliot, DaisyRec 1, NeuRec, ...) are predicted from their recordings"
    return _program("git", ("git",), "", costs)


def _compiler(variables: Mapping[str, str]) -> Check:
    costs = "the compiled parts of NeuRec and RecSys_PyTorch are predicted from their recordings"
    return _program("C++ compiler", COMPILERS, "CXX", costs)


def _java(variables: Mapping[str, str]) -> Check:
    return _program("Java", ("java",), "JAVA_HOME", "evaluate on Spark, and functions of libraries that use Spark")


def _network(variables: Mapping[str, str]) -> Check:
    """Whether the configured package index answers; nothing is downloaded or installed."""
    costs = "what is in the cache still runs; environments, sources and data sets that are not there cannot be fetched"
    try:
        import uv

        with tempfile.TemporaryDirectory() as folder:
            requirements = Path(folder, "requirements.in")
            requirements.write_text("packaging\n")
            command = [uv.find_uv_bin(), "pip", "compile", "--quiet", "--no-cache", "--no-deps", str(requirements)]
            settings = {"UV_HTTP_TIMEOUT": "5", "UV_HTTP_RETRIES": "0", "UV_PYTHON_DOWNLOADS": "never"}
            run = captured(command, CHECK_TIMEOUT, env={**variables, **settings}, cwd=folder)
    except (ImportError, OSError, subprocess.TimeoutExpired) as error:
        return Check(name="network", state="lacking", found=f"not reached ({type(error).__name__})", costs=costs)
    if run.returncode:
        return Check(name="network", state="lacking", found="the package index does not answer", costs=costs)
    return Check(name="network", state="ok", found="the package index answers")

"""What this machine has of what the commands need, and what each lack costs."""

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
ROOM = 10e9
"""Bytes that the environments of all libraries take, roughly."""
PATIENCE = 20.0
"""Seconds for one look at the network."""

State = Literal["ok", "lacking", "needed"]


@dataclass(frozen=True, kw_only=True)
class Check:
    """One look. ``needed``: no command works without it; ``costs``: what does not work without it."""

    name: str
    state: State
    found: str
    costs: str = ""


def check_all(variables: Mapping[str, str]) -> list[Check]:
    """Every check, in order. ``variables`` : the environment in which uv runs."""
    looks = (_python, _uv, _cache, _disk, _temporary, _git, _compiler, _java, _network)
    return [look(variables) for look in looks]


def _python(variables: Mapping[str, str]) -> Check:
    return Check(name="Python", state="ok", found=f"{platform.python_version()} at {sys.executable}")


def _uv(variables: Mapping[str, str]) -> Check:
    costs = "no environment can be built: --environment current, or libraries from their recordings"
    try:
        import uv

        done = captured([uv.find_uv_bin(), "--version"], PATIENCE, env=dict(variables))
    except (ImportError, OSError, subprocess.TimeoutExpired) as error:
        return Check(name="uv", state="lacking", found=f"not found ({error})", costs=costs)
    if done.returncode:
        return Check(name="uv", state="lacking", found=f"ends with exit code {done.returncode}", costs=costs)
    return Check(name="uv", state="ok", found=done.stdout.decode(errors="replace").strip())


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
    state: State = "ok" if free >= ROOM else "lacking"
    costs = f"the environments of all libraries take about {ROOM / 1e9:g} GB; `metric-harness cache prune` frees some"
    return Check(name="disk", state=state, found=f"{free / 1e9:.1f} GB free for the cache", costs=costs)


def _temporary(variables: Mapping[str, str]) -> Check:
    try:
        with tempfile.TemporaryFile():
            return Check(name="temporary files", state="ok", found=f"{tempfile.gettempdir()} can be written to")
    except OSError as error:
        costs = "nothing that asks a function runs; let TMPDIR name a folder"
        return Check(name="temporary files", state="needed", found=str(error), costs=costs)


def _program(name: str, programs: tuple[str, ...], variable: str, costs: str) -> Check:
    given = os.environ.get(variable) if variable else None
    found = given or next(filter(None, map(shutil.which, programs)), None)
    if found is None:
        return Check(name=name, state="lacking", found=f"none of {', '.join(programs)} on PATH", costs=costs)
    return Check(name=name, state="ok", found=found)


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
            wanted = Path(folder, "wanted.in")
            wanted.write_text("packaging\n")
            command = [uv.find_uv_bin(), "pip", "compile", "--quiet", "--no-cache", "--no-deps", str(wanted)]
            few = {"UV_HTTP_TIMEOUT": "5", "UV_HTTP_RETRIES": "0", "UV_PYTHON_DOWNLOADS": "never"}
            done = captured(command, PATIENCE, env={**variables, **few}, cwd=folder)
    except (ImportError, OSError, subprocess.TimeoutExpired) as error:
        return Check(name="network", state="lacking", found=f"not reached ({type(error).__name__})", costs=costs)
    if done.returncode:
        return Check(name="network", state="lacking", found="the package index does not answer", costs=costs)
    return Check(name="network", state="ok", found="the package index answers")

"""The releases of a distribution on the package index, and their dates, from the user's own pip and uv settings."""

from __future__ import annotations

import re
import sys
import tomllib
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import uv
from packaging.version import InvalidVersion, Version

from metric_harness.libraries.environments import LOOK_UP, no_index
from metric_harness.system.errors import HarnessError
from metric_harness.system.pip_settings import uv_environment
from metric_harness.system.processes import captured
from metric_harness.system.scratch import scratch

AVAILABLE = "Available versions:"
OLD_PYTHON = "3.8"
"""Asked for the dates of releases that newer Pythons cannot install."""


def releases_of(distribution: str, python: str, first: str | None = None, last: str | None = None) -> list[str]:
    """The versions that the index has, oldest first, whatever Python they require.

    Pre-releases are left out, and releases whose only files are compiled for other Pythons. python : such as
    ``3.11.7``. first, last : the oldest and the newest version, which need not exist. HarnessError if there are none.
    """
    versions = sorted(set(_listed(distribution, python)), key=Version)
    oldest, newest = _parsed(first, "--from"), _parsed(last, "--to")
    kept = [
        text
        for text in versions
        if (oldest is None or Version(text) >= oldest) and (newest is None or Version(text) <= newest)
    ]
    if not kept:
        raise HarnessError(f"{distribution}: the index has no release from {first or 'the first'} to {last or 'now'}")
    return kept


def _parsed(text: str | None, option: str) -> Version | None:
    try:
        return None if text is None else Version(text)
    except InvalidVersion:
        raise HarnessError(f"{option} {text}: that is no version; write for example 1.2.0") from None


def _listed(distribution: str, python: str) -> list[str]:
    """What ``pip index versions`` lists, by the pip of this environment, else that of its base Python."""
    error = ""
    for program in dict.fromkeys((sys.executable, getattr(sys, "_base_executable", sys.executable))):
        command = [program, "-I", "-m", "pip", "index", "versions", distribution, "--python-version", python]
        listed = captured([*command, "--ignore-requires-python"], LOOK_UP)
        lines = listed.stdout.decode(errors="replace").splitlines()
        if line := next((line for line in lines if line.startswith(AVAILABLE)), None):
            return re.split(r",\s*", line.removeprefix(AVAILABLE).strip())
        errors = listed.stderr.decode(errors="replace").strip().splitlines()
        error = errors[-1].strip() if errors else f"exit code {listed.returncode}"
    raise HarnessError(f"{distribution}: pip lists no releases: {error}")


def date_of(distribution: str, version: str, python: str) -> str:
    """The day on which a release was uploaded, as ``2025-11-13``; empty where the index does not say."""
    arguments = ["--no-deps", "--format", "pylock.toml"]
    pylocks = (_compiled([f"{distribution}=={version}"], minor, arguments) for minor in (python, OLD_PYTHON))
    page = tomllib.loads(next(filter(None, pylocks), ""))
    for package in page.get("packages", ()):
        files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
        times = [at for file in files if isinstance(at := file.get("upload-time"), datetime)]
        if times:
            return min(times).astimezone(UTC).date().isoformat()
    return ""


def pins_of(requirements: list[str], python: str, day: str) -> list[str]:
    """The requirements and their dependencies, pinned to what the index had two days after ``day``; empty where uv
    finds no solution."""
    until = (date.fromisoformat(day) + timedelta(days=2)).isoformat()
    text = _compiled(requirements, python, ["--exclude-newer", until, "--no-annotate", "--no-header"])
    return [line.strip() for line in text.splitlines() if re.match(r"[A-Za-z0-9]", line)]


def _compiled(requirements: list[str], python: str, arguments: list[str]) -> str:
    """What ``uv pip compile`` prints for requirements; empty where it fails."""
    variables = uv_environment()
    with scratch("compile-") as name:
        file = Path(name) / "requirements.in"
        file.write_text("\n".join(requirements) + "\n", encoding="utf-8")
        command = [uv.find_uv_bin(), "pip", "compile", str(file), "--quiet", "--python-version", python]
        compiled = captured([*command, *no_index(variables), *arguments], LOOK_UP, env=variables, cwd=name)
    return compiled.stdout.decode(errors="replace") if compiled.returncode == 0 else ""

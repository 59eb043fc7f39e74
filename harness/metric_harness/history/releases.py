"""The releases of a distribution on the package index, and their dates, asked through pip and uv as they are set up."""

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
"""For the dates of releases that do not go with newer ones."""


def releases_of(distribution: str, python: str, first: str | None = None, last: str | None = None) -> list[str]:
    """The versions that the index has, oldest first, whatever Python they ask for; pre-releases are left out, and so
    are those that have compiled files for other Pythons alone.

    python : such as ``3.11.7``. first, last : the oldest and the newest to be had, which need not exist.

    HarnessError where there are none.
    """
    versions = sorted(set(_listed(distribution, python)), key=Version)
    oldest, newest = _parsed(first, "--from"), _parsed(last, "--to")
    kept = [
        each
        for each in versions
        if (oldest is None or Version(each) >= oldest) and (newest is None or Version(each) <= newest)
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
    """What ``pip index versions`` lists, with the pip beside this Python, else the one that this Python came with."""
    said = ""
    for program in dict.fromkeys((sys.executable, getattr(sys, "_base_executable", sys.executable))):
        command = [program, "-I", "-m", "pip", "index", "versions", distribution, "--python-version", python]
        listed = captured([*command, "--ignore-requires-python"], LOOK_UP)
        lines = listed.stdout.decode(errors="replace").splitlines()
        if found := [line for line in lines if line.startswith(AVAILABLE)]:
            return re.split(r",\s*", found[0].removeprefix(AVAILABLE).strip())
        errors = [line for line in listed.stderr.decode(errors="replace").splitlines() if line.strip()]
        said = errors[-1].strip() if errors else f"exit code {listed.returncode}"
    raise HarnessError(f"{distribution}: pip lists no releases: {said}")


def date_of(distribution: str, version: str, python: str) -> str:
    """The day on which a release was uploaded, as ``2025-11-13``; empty where the index does not say."""
    arguments = ["--no-deps", "--format", "pylock.toml"]
    texts = (_compiled([f"{distribution}=={version}"], each, arguments) for each in (python, OLD_PYTHON))
    page = tomllib.loads(next(filter(None, texts), ""))
    for package in page.get("packages", ()):
        files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
        times = [at for file in files if isinstance(at := file.get("upload-time"), datetime)]
        if times:
            return min(times).astimezone(UTC).date().isoformat()
    return ""


def pins_of(requirements: list[str], python: str, day: str) -> list[str]:
    """The requirements and all that they need, pinned to what the index had two days after ``day``; empty where uv
    finds none."""
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
        ran = captured([*command, *no_index(variables), *arguments], LOOK_UP, env=variables, cwd=name)
    return ran.stdout.decode(errors="replace") if ran.returncode == 0 else ""

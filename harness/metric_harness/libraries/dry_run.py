"""What asking releases would build, fetch and run; nothing of it is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from metric_harness.libraries.compiled import build_script, handed_over
from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import EnvironmentFailure, complete_python, planned, resolve_python
from metric_harness.libraries.git_sources import local_repository
from metric_harness.system.pip_settings import uv_environment


def release_lines(
    library: Library,
    release: Release,
    environment: str,
    sources: Mapping[str, Path],
    functions: Iterable[str] | None = None,
) -> list[str]:
    """What a release needs and what of it is there, one line each.

    functions : those that would be asked; None: all of the release. HarnessError for an environment that is not there.
    """
    asked = list(library.subjects_of(release)) if functions is None else list(functions)
    lines = [f"{library.name} {release.version}", f"    environment  {environment_line(library, release, environment)}"]
    if release.commit:
        lines.append(f"    source       {source_line(library, release, sources)}")
    if any("compiled" in library.subjects[name].needs for name in asked if name in library.subjects):
        lines.append(f"    compiled     {compiled_line(library)}")
    return [*lines, f"    would run    {', '.join(asked)}"]


def environment_line(library: Library, release: Release, environment: str) -> str:
    """The environment that would answer."""
    if environment != "isolated":
        return f"{resolve_python(environment, library, release)}, as it is"
    try:
        folder, python, recipe = planned(library, release, uv_environment())
    except EnvironmentFailure as failure:
        return f"cannot be built here: {failure}"
    if complete_python(folder):
        return f"is there: {folder}"
    wanted = ", ".join([*recipe["requirements"], *recipe["without_dependencies"]])
    return f"would be built with {python}, and downloaded from the package index: {wanted}"


def source_line(library: Library, release: Release, sources: Mapping[str, Path]) -> str:
    """Where the files of a commit would come from, unless they are in the cache."""
    try:
        there = local_repository(library, sources)
    except EnvironmentFailure as failure:
        return str(failure)
    return f"commit {release.commit[:12]} of {there or f'{library.repository}, fetched unless it is in the cache'}"


def compiled_line(library: Library) -> str:
    """Where the compiled part would come from."""
    try:
        handed = handed_over(library)
        return f"handed over in {handed}" if handed else f"would be built by {build_script(library)}, unless it was"
    except EnvironmentFailure as failure:
        return str(failure)

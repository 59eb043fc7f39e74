"""What asking releases would build, fetch and run, without doing any of it."""

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
    """What a release needs and whether it is present, one line each.

    functions : those that would be asked; None: all of the release. HarnessError for an environment that is missing.
    """
    asked = list(library.subjects_of(release) if functions is None else functions)
    lines = [f"{library.name} {release.version}", f"    environment  {environment_line(library, release, environment)}"]
    if release.commit:
        lines.append(f"    source       {source_line(library, release, sources)}")
    if any("compiled" in library.subjects[name].needs for name in asked if name in library.subjects):
        lines.append(f"    compiled     {compiled_line(library)}")
    return [*lines, f"    would run    {', '.join(asked)}"]


def environment_line(library: Library, release: Release, environment: str) -> str:
    """The environment that would be used."""
    if environment != "isolated":
        return f"{resolve_python(environment, library, release)}, as it is"
    try:
        folder, python, recipe = planned(library, release, uv_environment())
    except EnvironmentFailure as failure:
        return f"cannot be built here: {failure}"
    if complete_python(folder):
        return f"is there: {folder}"
    requirements = ", ".join([*recipe["requirements"], *recipe["without_dependencies"]])
    return f"would be built with {python}, and downloaded from the package index: {requirements}"


def source_line(library: Library, release: Release, sources: Mapping[str, Path]) -> str:
    """The repository that the files of a commit would come from, unless they are in the cache."""
    try:
        repository = local_repository(library, sources)
    except EnvironmentFailure as failure:
        return str(failure)
    return f"commit {release.commit[:12]} of {repository or f'{library.repository}, fetched unless it is in the cache'}"


def compiled_line(library: Library) -> str:
    """Where the compiled part would come from."""
    try:
        folder = handed_over(library)
        return f"handed over in {folder}" if folder else f"would be built by {build_script(library)}, unless it was"
    except EnvironmentFailure as failure:
        return str(failure)

"""An environment with packages that the user names, for a function that does not run beside the harness's own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import environment_for
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter

ALWAYS = ("numpy",)
"""What a worker needs."""
USUAL = ("pandas", "scipy")
"""What metric functions often import; uv chooses versions that fit the requirements given."""

FOR_NEW_PYTHON = ("1.26.0", "1.26.4", "2.0.2", "2.1.3", "2.2.6", "2.3.5", "2.4.0", "2.99")
"""Versions of numpy that run on Python 3.12: a requirement that allows one of them needs no older Python."""


def python_with(requirements: Sequence[str], reporter: Reporter | None = None) -> Path:
    """The Python of an environment with these requirements, numpy, pandas and scipy; built once and kept in the cache.

    Raises HarnessError for text that is not a requirement or is given twice, and if the environment cannot be built.
    """
    return environment_for(*release_with(requirements), reporter)


def release_with(requirements: Sequence[str]) -> tuple[Library, Release]:
    """The library and release that stand for such an environment; HarnessError as for :func:`python_with`."""
    names: set[str] = set()
    for text in requirements:
        name = named(text)
        if name in names:
            raise HarnessError(f"--with {text}: {name} is given twice")
        names.add(name)
    others = [name for name in (*ALWAYS, *USUAL) if name not in names]
    wanted = (*(text.strip() for text in requirements), *others)
    version = " ".join(text.strip() for text in requirements)
    release = Release(
        version=version,
        python=fitting_python(requirements),
        requirements=wanted,
        without_dependencies=(),
        note="built for --with",
    )
    library = Library(
        folder=Path("own"),
        key="own",
        name="--with",
        distribution="",
        homepage="",
        licence="",
        summary="",
        releases=(release,),
        subjects={},
    )
    return library, release


def named(requirement: str) -> str:
    """The name of the distribution of a requirement; HarnessError for a text that is no requirement."""
    try:
        return str(canonicalize_name(Requirement(requirement).name))
    except InvalidRequirement as error:
        problem = str(error).splitlines()[0]
        raise HarnessError(
            f"--with {requirement}: {problem}; give a requirement as pip takes it, for example numpy==1.26.4"
        ) from None


def fitting_python(requirements: Sequence[str]) -> str:
    """The versions of Python for an environment: the running one, or one before 3.12 for a numpy before 1.26."""
    numpy = next((Requirement(text) for text in requirements if named(text) == "numpy"), None)
    if numpy is not None and not any(numpy.specifier.contains(version) for version in FOR_NEW_PYTHON):
        return ">=3.9,<3.12"
    return f"=={sys.version_info.major}.{sys.version_info.minor}.*"

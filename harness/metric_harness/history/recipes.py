"""How to install a release that library.toml does not describe: like the described releases nearest to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from metric_harness.history.releases import pins_of
from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.environments import EnvironmentFailure, find_python
from metric_harness.system.errors import HarnessError

SETTLED = {"3.8": "2020-06", "3.9": "2021-06", "3.10": "2022-06", "3.11": "2023-06"}
"""Pythons, and since when most distributions had wheels for them; from the last month on the described one is taken."""

SETUPTOOLS = "setuptools"
"""Environments once came with it, and libraries import its pkg_resources, which it has up to version 80."""


def ways(library: Library, version: str, day: str, others: Iterable[Library]) -> Iterator[Release]:
    """The ways to install a release, in the order to try them until one can be built, starts and gives a number.

    First with the pins, the adapter and the functions of the next newer described release; then with those of the next
    older one; then as the first way, but with the requirements as of the day of the release and a Python of that time,
    so that an old release gets the numpy that it was written for.

    day : of the release, empty if it is not known. others : all libraries; where one of them shares the environment of
    a described release, its own distribution is left out.
    """
    nearest = neighbours(library, version)
    if not nearest:
        raise HarnessError(f"{library.key}: no described release installs {library.distribution!r} from the index")
    for described in nearest:
        yield described if described.version == version else with_pins(library, described, version, others)
    yield from of_its_time(library, with_pins(library, nearest[0], version, others), day)


def neighbours(library: Library, version: str) -> list[Release]:
    """The described release of this version or the next newer one, then the next older one; commits are left out."""
    described = [release for release in library.releases if pinned(library, release) is not None]
    newer = [release for release in described if _version(release.version) >= _version(version)]
    older = [release for release in described if _version(release.version) < _version(version)]
    return [*newer[:1], *older[-1:]]


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0")


def pinned(library: Library, release: Release) -> str | None:
    """The requirement by which a described release installs the library itself."""
    name = canonicalize_name(library.distribution) if library.distribution else None
    requirements = (*release.requirements, *release.without_dependencies)
    return next((requirement for requirement in requirements if name_of(requirement) == name), None)


def name_of(requirement: str) -> str:
    """The name of a requirement in its canonical form."""
    match = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", requirement)
    return canonicalize_name(match[0]) if match else ""


def with_pins(library: Library, described: Release, version: str, others: Iterable[Library]) -> Release:
    """A described release with another version of the library, without the libraries that share its environment."""
    guests = {
        canonicalize_name(other.distribution)
        for other in others
        if other.key != library.key and other.distribution
        if any(pinned(library, described) in release.requirements for release in other.releases)
    }
    own = canonicalize_name(library.distribution)

    def repinned(requirements: tuple[str, ...]) -> tuple[str, ...]:
        kept = [text for text in requirements if name_of(text) not in guests]
        return tuple(_pin(text, version) if name_of(text) == own else text for text in kept)

    return replace(
        described,
        version=version,
        requirements=repinned(described.requirements),
        without_dependencies=repinned(described.without_dependencies),
        paper=False,
        date="",
        note="",
    )


def _pin(requirement: str, version: str) -> str:
    """A requirement with its extras, pinned to a version."""
    parsed = Requirement(requirement)
    extras = f"[{','.join(sorted(parsed.extras))}]" if parsed.extras else ""
    return f"{parsed.name}{extras}=={version}"


def of_its_time(library: Library, release: Release, day: str) -> Iterator[Release]:
    """The release with its requirements as of a day. With torch, which may come from a find-links folder without dates,
    the newest versions that fit it are taken instead."""
    version = f"=={release.version}"
    unpinned = [text if text.endswith(version) else Requirement(text).name for text in release.requirements]
    torch = [text for text in release.requirements if name_of(text) == "torch"]
    if torch:
        others = tuple(text for text in unpinned if name_of(text) != "torch")
        yield replace(release, requirements=(*others, *torch, f"{SETUPTOOLS}<81"))
    elif day:
        for python in pythons_of(release, day):
            dated = replace(release, python=python)
            try:
                pins = pins_of([*unpinned, SETUPTOOLS], find_python(library, dated)[1], day)
            except EnvironmentFailure:  # no such Python here
                continue
            if pins:
                yield replace(dated, requirements=tuple(pins))
                return


def pythons_of(release: Release, day: str) -> Iterator[str]:
    """Specifiers of the Pythons on which a release may run: the one of its time, then the described one."""
    settled = [minor for minor, since in SETTLED.items() if since <= day] or list(SETTLED)[:1]
    if settled[-1] != list(SETTLED)[-1] and not SpecifierSet(release.python).contains(settled[-1]):
        yield f"=={settled[-1]}.*"
    yield release.python

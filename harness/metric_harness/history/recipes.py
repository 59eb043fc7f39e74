"""How a release that no library.toml describes is put together: as the described ones nearest to it."""

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
"""Pythons, and when most distributions had wheels for them; from the last day on the described Python is taken."""

SETUPTOOLS = "setuptools"
"""Environments had it once, and libraries import its pkg_resources; from 81 on it has none."""


def ways(library: Library, version: str, day: str, others: Iterable[Library]) -> Iterator[Release]:
    """The ways in which a release may be asked, those that hold most alike first.

    The described release next above it lends its pins, its adapter and its functions; then the one next below; then
    the first of them again with what its requirements were on the day of the release, on a Python of that time, so
    that an old release finds the numpy that it was written for. A way is worth trying where the one before could not
    be built, did not start or gave no number.

    day : of the release, empty if it is not known. others : all libraries; where one of them shares the environment of
    a described release, its own distribution is left out.
    """
    near = neighbours(library, version)
    if not near:
        raise HarnessError(f"{library.key}: no described release installs {library.distribution!r} from the index")
    for described in near:
        yield described if described.version == version else with_pins(library, described, version, others)
    yield from of_its_time(library, with_pins(library, near[0], version, others), day)


def neighbours(library: Library, version: str) -> list[Release]:
    """The described release of this version or next above it, then the one next below; commits are passed over."""
    described = [each for each in library.releases if pinned(library, each) is not None]
    above = [each for each in described if _version(each.version) >= _version(version)]
    below = [each for each in described if _version(each.version) < _version(version)]
    return [*above[:1], *below[-1:]]


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0")


def pinned(library: Library, release: Release) -> str | None:
    """The requirement by which a described release installs the library itself."""
    named = canonicalize_name(library.distribution) if library.distribution else None
    for each in (*release.requirements, *release.without_dependencies):
        if name_of(each) == named:
            return each
    return None


def name_of(requirement: str) -> str:
    """The name of a requirement in its canonical form."""
    found = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", requirement)
    return canonicalize_name(found[0]) if found else ""


def with_pins(library: Library, described: Release, version: str, others: Iterable[Library]) -> Release:
    """A described release with another version of the library, without the libraries that share its environment."""
    guests = {
        canonicalize_name(other.distribution)
        for other in others
        if other.key != library.key and other.distribution
        if any(pinned(library, described) in release.requirements for release in other.releases)
    }
    own = canonicalize_name(library.distribution)

    def turned(requirements: tuple[str, ...]) -> tuple[str, ...]:
        kept = [each for each in requirements if name_of(each) not in guests]
        return tuple(_at(each, version) if name_of(each) == own else each for each in kept)

    return replace(
        described,
        version=version,
        requirements=turned(described.requirements),
        without_dependencies=turned(described.without_dependencies),
        paper=False,
        date="",
        note="",
    )


def _at(requirement: str, version: str) -> str:
    parsed = Requirement(requirement)
    extras = f"[{','.join(sorted(parsed.extras))}]" if parsed.extras else ""
    return f"{parsed.name}{extras}=={version}"


def of_its_time(library: Library, release: Release, day: str) -> Iterator[Release]:
    """The release with what its requirements were on a day; where torch is among them, which a find-links folder may
    bring without a date, with the newest that fit it."""
    version = f"=={release.version}"
    free = [each if each.endswith(version) else Requirement(each).name for each in release.requirements]
    torch = [each for each in release.requirements if name_of(each) == "torch"]
    if torch:
        loose = tuple(each for each in free if name_of(each) != "torch")
        yield replace(release, requirements=(*loose, *torch, f"{SETUPTOOLS}<81"))
    elif day:
        for python in pythons_of(release, day):
            then = replace(release, python=python)
            try:
                pins = pins_of([*free, SETUPTOOLS], find_python(library, then)[1], day)
            except EnvironmentFailure:  # no such Python here
                continue
            if pins:
                yield replace(then, requirements=tuple(pins))
                return


def pythons_of(release: Release, day: str) -> Iterator[str]:
    """Specifiers of the Pythons on which a release of a day may run: the one of its time, then the described one."""
    settled = [minor for minor, since in SETTLED.items() if since <= day] or list(SETTLED)[:1]
    if settled[-1] != list(SETTLED)[-1] and not SpecifierSet(release.python).contains(settled[-1]):
        yield f"=={settled[-1]}.*"
    yield release.python

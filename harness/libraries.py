"""The libraries that can be audited: one folder each, described by its library.toml."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

import adapters
from harness.errors import HarnessError
from reference.variant import METRICS

NEEDS = ("candidate_scores", "scores", "train")
"""What a subject may need of a case beyond lists and judgements."""


@dataclass(frozen=True)
class SubjectInfo:
    """What a library says of one of its functions.

    function : its name in the library and in the adapter's SUBJECTS; metric : the metric that it claims to be; needs :
    what of a case it cannot do without; claim : what the documentation says, in our words; address : where it says so.
    """

    function: str
    metric: str
    needs: tuple[str, ...]
    claim: str
    address: str


@dataclass(frozen=True)
class Release:
    """A library at one version, and the environment that it runs in.

    python : versions that it runs on, as a specifier; requirements : installed with their dependencies, pinned;
    without_dependencies : installed after them, alone; note : why it is put together so; subjects : the functions that
    it has, where it has not all of the library's.
    """

    version: str
    python: str
    requirements: tuple[str, ...]
    without_dependencies: tuple[str, ...]
    note: str
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True)
class Library:
    """A third-party library.

    folder, key : where it is described and that folder's name, which names it on the command line; releases : oldest
    first, newest last; subjects : by function.
    """

    folder: Path
    key: str
    name: str
    distribution: str
    homepage: str
    licence: str
    summary: str
    releases: tuple[Release, ...]
    subjects: dict[str, SubjectInfo]

    def newest(self) -> Release:
        """The newest release."""
        return self.releases[-1]

    def subjects_of(self, release: Release) -> dict[str, SubjectInfo]:
        """The functions that a release has, by name."""
        return {name: self.subjects[name] for name in release.subjects or self.subjects}

    def release(self, version: str) -> Release:
        """The release of a version; HarnessError names those that there are."""
        for release in self.releases:
            if release.version == version:
                return release
        known = ", ".join(release.version for release in self.releases)
        raise HarnessError(f"{self.key}: no release {version!r}; {self.folder / 'library.toml'} has {known}")


def find_libraries(extra: Sequence[Path] = ()) -> dict[str, Library]:
    """Every library of the project and of the ``extra`` folders, by key, in the order of the keys.

    extra : folders that hold folders of libraries, or such folders themselves.

    Raises HarnessError for a folder that holds none, two libraries of one key, or a mistake in a library.toml.
    """
    libraries: dict[str, Library] = {}
    for root in (Path(adapters.__path__[0]), *map(Path, extra)):
        files = sorted((*root.glob("library.toml"), *root.glob("*/library.toml")))
        if not files:
            raise HarnessError(
                f"{root}: holds no library.toml; expected a library's folder or a folder of such folders"
            )
        for file in files:
            library = read_library(file.resolve().parent)
            if (other := libraries.setdefault(library.key, library)).folder != library.folder:
                raise HarnessError(
                    f"two libraries are called {library.key!r}: {other.folder} and {library.folder}; rename one folder"
                )
    return dict(sorted(libraries.items()))


def read_library(folder: Path) -> Library:
    """Read and check one library's folder; HarnessError names the file, the key and what is wrong with it."""
    file = folder / "library.toml"
    if not (folder / "adapter.py").is_file():
        raise HarnessError(
            f"{folder}: no adapter.py beside library.toml; it holds the library's SUBJECTS and version()"
        )
    if not folder.name.isidentifier():
        raise HarnessError(f"{folder}: the folder is imported as a package; name it with letters, digits and _ alone")
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise HarnessError(f"{file}: not TOML: {error}") from None
    except OSError as error:
        raise HarnessError(f"{file}: cannot be read: {error.strerror}") from None
    page = Table(file, "", table)
    page.allow("name", "distribution", "homepage", "licence", "summary", "releases", "subjects")
    subjects = {entry.last: _subject(entry) for entry in page.named_tables("subjects")}
    releases = [_release(entry, subjects) for entry in page.tables("releases")]
    versions = [Version(release.version) for release in releases]
    for earlier, later in itertools.pairwise(versions):
        if earlier >= later:
            page.wrong("releases", f"{later} stands after {earlier}; order them from the oldest to the newest")
    return Library(
        folder, folder.name, page.text("name"), page.text("distribution"), page.address("homepage"),
        page.text("licence"), page.text("summary"), tuple(releases), subjects,
    )  # fmt: skip


def _release(entry: Table, subjects: Mapping[str, SubjectInfo]) -> Release:
    entry.allow("version", "python", "requirements", "without_dependencies", "note", "subjects")
    version, python = entry.text("version"), entry.text("python")
    try:
        Version(version)
    except InvalidVersion:
        entry.wrong("version", f"{version!r} is no version; write for example 1.2.1, or 0.4.0+44bdde7 for a commit")
    try:
        SpecifierSet(python)
    except InvalidSpecifier:
        entry.wrong("python", f"{python!r} is no version specifier; write for example >=3.10,<3.13")
    requirements = {name: entry.texts(name) for name in ("requirements", "without_dependencies")}
    if not any(requirements.values()):
        entry.wrong("requirements", "nothing to install; name at least the library itself")
    for name, lines in requirements.items():
        for line in lines:
            try:
                Requirement(line)
            except InvalidRequirement:
                entry.wrong(name, f"{line!r} is no requirement; write for example numpy==1.26.4")
    for name in entry.texts("subjects"):
        if name not in subjects:
            entry.wrong("subjects", f"{name!r} is none of the [subjects] of this file: {', '.join(subjects)}")
    return Release(
        version, python, requirements["requirements"], requirements["without_dependencies"],
        entry.text("note", ""), entry.texts("subjects"),
    )  # fmt: skip


def _subject(entry: Table) -> SubjectInfo:
    entry.allow("metric", "needs", "claim", "address")
    metric, needs = entry.text("metric"), entry.texts("needs")
    if metric not in METRICS:
        entry.wrong("metric", f"{metric!r} is no metric; one of {', '.join(METRICS)} is")
    for need in needs:
        if need not in NEEDS:
            entry.wrong("needs", f"{need!r} is nothing that a case has; one of {', '.join(NEEDS)} is")
    return SubjectInfo(entry.last, metric, needs, entry.text("claim"), entry.address("address"))


@dataclass(frozen=True)
class Table:
    """A table of a TOML file that knows where it stands, so that a mistake in it can be named."""

    file: Path
    place: str
    values: Mapping[str, Any]
    last: str = ""

    def wrong(self, key: str, what: str) -> NoReturn:
        """Raise the HarnessError of a mistake at a key."""
        raise HarnessError(f"{self.file}: {self.place}{key}: {what}")

    def allow(self, *keys: str) -> None:
        """Refuse every key that is none of these."""
        for key in self.values:
            if key not in keys:
                self.wrong(key, f"unknown key; {', '.join(keys)} are known")

    def _get(self, key: str, kind: type, called: str, default: Any = None) -> Any:
        value = self.values.get(key, default)
        if value is None:
            self.wrong(key, f"missing; expected {called}")
        if not isinstance(value, kind):
            self.wrong(key, f"expected {called}, got {value!r}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A text, its line breaks turned into spaces; empty only if that is the default."""
        value = " ".join(self._get(key, str, "a text", default).split())
        if not value and default is None:
            self.wrong(key, "empty; expected a text")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; none if the key is missing."""
        values = self._get(key, list, "a list of texts", [])
        if not all(isinstance(value, str) for value in values):
            self.wrong(key, f"expected a list of texts, got {values!r}")
        return tuple(values)

    def address(self, key: str) -> str:
        """A web address."""
        value = self.text(key)
        if not value.startswith(("https://", "http://")):
            self.wrong(key, f"expected a web address, got {value!r}")
        return value

    def tables(self, key: str) -> list[Table]:
        """The tables of an array, at least one."""
        entries = self._get(key, list, f"at least one [[{key}]]")
        if not entries or not all(isinstance(entry, dict) for entry in entries):
            self.wrong(key, f"expected at least one [[{key}]]")
        return [Table(self.file, f"{key}[{index}].", entry) for index, entry in enumerate(entries)]

    def named_tables(self, key: str) -> list[Table]:
        """The tables inside a table, at least one."""
        entries = self._get(key, dict, f"at least one [{key}.NAME]")
        for name, entry in entries.items():
            if not isinstance(entry, dict):
                self.wrong(f"{key}.{name}", f"expected a table, got {entry!r}")
        if not entries:
            self.wrong(key, f"expected at least one [{key}.NAME]")
        return [Table(self.file, f"{key}.{name}.", entry, name) for name, entry in entries.items()]

"""The libraries that can be audited: one folder each, described by its library.toml."""

from __future__ import annotations

import hashlib
import itertools
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from metric_harness.libraries.toml_table import Table
from metric_harness.system.errors import HarnessError
from metric_reference.registry import METRICS
from metric_reference.variant import Variant

NEEDS = ("candidate_scores", "scores", "train", "one_relevant", "compiled")
"""What a subject may need: of a case beyond lists and judgements; ``one_relevant``, exactly one relevant item a user;
``compiled``, the compiled part of its library."""


@dataclass(frozen=True)
class SubjectInfo:
    """What a library says of one of its functions.

    function : its name in the library and in the adapter's SUBJECTS; metric : the metric that it claims to be; needs :
    what it cannot do without; claim : what the documentation says, in our words; address : where it says so; claims :
    the same as a variant, where the documentation is exact enough for one; formerly : the function of an earlier
    release that this one took the place of; diagnostic : it is asked to show something about another function, and does
    not count among the library's own.
    """

    function: str
    metric: str
    needs: tuple[str, ...]
    claim: str
    address: str
    claims: Variant | None = None
    formerly: str = ""
    diagnostic: bool = False


@dataclass(frozen=True)
class Release:
    """A library at one version, and the environment that it runs in.

    python : versions that it runs on, as a specifier; requirements : installed with their dependencies, pinned;
    without_dependencies : installed after them, alone; note : why it is put together so; subjects : the functions that
    it has, where it has not all of the library's.
    commit : of the library's repository, where the release is no distribution: its files are read from there, those
    below ``paths`` alone if any are named. adapter : the module of the folder that asks it. paper : whether the paper
    of 2021 used it. date : when it came out.
    shims : what the adapter puts right so that the release runs at all.
    """

    version: str
    python: str
    requirements: tuple[str, ...]
    without_dependencies: tuple[str, ...]
    note: str
    subjects: tuple[str, ...] = ()
    commit: str = ""
    paths: tuple[str, ...] = ()
    adapter: str = "adapter"
    paper: bool = False
    date: str = ""
    shims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Library:
    """A third-party library.

    folder, key : where it is described and that folder's name, which names it on the command line; repository : the
    address that git clones, where a release is a commit; releases : oldest first, newest last; subjects : by function.
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
    repository: str = ""

    def newest(self) -> Release:
        """The newest release."""
        return self.releases[-1]

    def of_paper(self) -> Release | None:
        """The release that the paper used, if it is described."""
        return next((release for release in self.releases if release.paper), None)

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


def own_folders() -> Path:
    """The folder of the project's own libraries: adapters/ of a checkout, else what the wheel brought."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent.parent / "adapters"
    return checkout if checkout.is_dir() and package.parent.name == "harness" else package / "_libraries"


def find_libraries(extra: Sequence[Path] = ()) -> dict[str, Library]:
    """Every library of the project and of the ``extra`` folders, by key, in the order of the keys.

    extra : folders that hold folders of libraries, or such folders themselves.

    Raises HarnessError for a folder that holds none, two libraries of one key, or a mistake in a library.toml.
    """
    libraries: dict[str, Library] = {}
    for root in (own_folders(), *map(Path, extra)):
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
    if not folder.name.isidentifier():
        raise HarnessError(f"{folder}: the folder is imported as a package; name it with letters, digits and _ alone")
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise HarnessError(f"{file}: not TOML: {error}") from None
    except OSError as error:
        raise HarnessError(f"{file}: cannot be read: {error.strerror}") from None
    page = Table(file, "", table)
    page.allow("name", "distribution", "homepage", "licence", "summary", "repository", "releases", "subjects")
    subjects = {entry.last: _subject(entry) for entry in page.named_tables("subjects")}
    releases = [_release(entry, subjects) for entry in page.tables("releases")]
    for earlier, later in itertools.pairwise(releases):
        if not _precedes(earlier, later):
            page.wrong("releases", f"{later.version} stands after {earlier.version}; order them from oldest to newest")
    if sum(release.paper for release in releases) > 1:
        page.wrong("releases", "the paper used one release of a library; mark one with paper = true")
    commits = any(release.commit for release in releases)
    return Library(
        folder, folder.name, page.text("name"), page.text("distribution", ""), page.address("homepage"),
        page.text("licence"), page.text("summary"), tuple(releases), subjects,
        page.address("repository") if commits else "",
    )  # fmt: skip


def _precedes(earlier: Release, later: Release) -> bool:
    """By date where both have one (a project may change how it counts its versions), else by version."""
    if earlier.date and later.date:
        return earlier.date < later.date
    return Version(earlier.version) < Version(later.version)


def _release(entry: Table, subjects: Mapping[str, SubjectInfo]) -> Release:
    entry.allow(
        "version", "python", "requirements", "without_dependencies", "note", "subjects", "commit", "paths",
        "adapter", "paper", "date", "shims",
    )  # fmt: skip
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
    commit, date, adapter = entry.text("commit", ""), entry.text("date", ""), entry.text("adapter", "adapter")
    if not any(requirements.values()) and not commit:
        entry.wrong("requirements", "nothing to install; name at least the library itself, or a commit")
    if commit and not re.fullmatch(r"[0-9a-f]{40}", commit):
        entry.wrong("commit", f"{commit!r} is no commit; write its 40 hexadecimal digits")
    if date and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", date):
        entry.wrong("date", f"{date!r} is no date; write for example 2021-06-30, in quotes")
    if not (entry.file.parent / f"{adapter}.py").is_file():
        raise HarnessError(f"{entry.file.parent}: no {adapter}.py beside library.toml; it holds SUBJECTS and version()")
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
        entry.text("note", ""), entry.texts("subjects"), commit, entry.texts("paths"), adapter,
        entry.flag("paper"), date, entry.texts("shims"),
    )  # fmt: skip


def _subject(entry: Table) -> SubjectInfo:
    entry.allow("metric", "needs", "claim", "claims", "address", "formerly", "diagnostic")
    metric, needs = entry.text("metric"), entry.texts("needs")
    if metric not in METRICS:
        entry.wrong("metric", f"{metric!r} is no metric; one of {', '.join(METRICS)} is")
    for need in needs:
        if need not in NEEDS:
            entry.wrong("needs", f"{need!r} is nothing that a case has; one of {', '.join(NEEDS)} is")
    printed = entry.text("claims", "")
    try:
        claims = Variant.parse(printed) if printed else None
    except ValueError as error:
        entry.wrong("claims", f"{printed!r} is no variant: {error}")
    return SubjectInfo(
        entry.last, metric, needs, entry.text("claim"), entry.address("address"), claims, entry.text("formerly", ""),
        entry.flag("diagnostic"),
    )  # fmt: skip


def folder_digest(folder: Path) -> str:
    """A digest of an adapter's code: a changed adapter is asked again."""
    return hashlib.sha256(b"|".join(path.read_bytes() for path in sorted(folder.glob("*.py")))).hexdigest()

"""The libraries that can be audited: one folder each, described by its library.toml."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from metric_harness.libraries.adapter_text import read_adapter
from metric_harness.libraries.mistake import LibraryError
from metric_harness.libraries.page_types import LibraryPage, ReleaseTable, SubjectTable
from metric_harness.libraries.plugins import brought_folders
from metric_harness.libraries.toml_page import FILE, read_page
from metric_harness.system.errors import HarnessError
from metric_reference.variant import Variant

ODD_INPUTS = "odd_inputs.py"
"""The file in a library's folder that gives it odd inputs; ``metric_adapters.odd_inputs`` describes its form."""


@dataclass(frozen=True)
class SubjectInfo:
    """One function of a library, as library.toml describes it.

    function : its name in the library and in the adapter's SUBJECTS; metric : the metric that it claims to be; needs :
    the inputs that it cannot do without; claim : what the documentation says, in our words; address : where it says so;
    claims : the same as a variant, if the documentation is exact enough; formerly : the function of an earlier release
    that this one replaces; diagnostic : it is asked only to show something about another function, and is not counted
    among the library's own; apart : what the documentation says it computes, if that is another quantity than its
    metric; quote : the documentation's words behind ``claims``; printed : the formula beside them, as a variant, if it
    says something else; never : edges that the library's own evaluator never meets, each with the reason; takes_k :
    whether it takes a cut-off, else its lists are whole or cut by the adapter; own_mean : whether it returns a mean of
    users, else that is the adapter's; edges : its own rules at edges, in words.
    """

    function: str
    metric: str
    needs: tuple[str, ...]
    claim: str
    address: str
    claims: Variant | None = None
    formerly: str = ""
    diagnostic: bool = False
    apart: str = ""
    quote: str = ""
    printed: Variant | None = None
    never: Mapping[str, str] = field(default_factory=dict)
    takes_k: bool = True
    own_mean: bool = True
    edges: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Release:
    """A library at one version, and the environment that it runs in.

    python : versions that it runs on, as a specifier; requirements : pinned, installed with their dependencies;
    without_dependencies : installed after them, alone; note : why these requirements; subjects : its functions, if it
    has only some of the library's.
    commit : of the library's repository, for a release that is no distribution; its files are read from there, only
    those below ``paths`` if any are named. adapter : the module in the library's folder that asks it. paper : whether
    the paper of 2021 used it. date : when it was released.
    shims : the adapter's compatibility patches, without which the release does not run.
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

    folder, key : the folder that describes it, and that folder's name, by which the command line knows it; repository :
    the address that git clones, if a release is a commit; releases : oldest first; subjects : by function; family :
    its field (rec, ir, rag, ltr or ml); live : whether a comparison that names no library asks it (default: only one
    of an extra folder); not_asked : why its other public metric functions are not asked, by name; evaluator : the
    library's own evaluation, with which a test compares the newest release's functions; no_evaluator : why it has none;
    not_run : why its evaluation leaves out some functions, by name.
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
    family: str = "rec"
    live: bool = True
    not_asked: Mapping[str, str] = field(default_factory=dict)
    evaluator: str = ""
    no_evaluator: str = ""
    not_run: Mapping[str, str] = field(default_factory=dict)

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
        """The release of a version; HarnessError names the known ones if there is none."""
        for release in self.releases:
            if release.version == version:
                return release
        known = ", ".join(release.version for release in self.releases)
        raise HarnessError(f"{self.key}: no release {version!r}; {self.folder / 'library.toml'} has {known}")


def own_folders() -> Path:
    """The folder of the project's own libraries: adapters/ of a checkout, else the one in the installed package."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent.parent / "adapters"
    return checkout if checkout.is_dir() and package.parent.name == "harness" else package / "_libraries"


def find_libraries(extra: Sequence[Path] = ()) -> dict[str, Library]:
    """Every library of the project and of the ``extra`` folders, by key, in the order of the keys.

    extra : libraries' folders, or folders that hold some.

    Raises HarnessError for a folder without any, two libraries of one key, or a mistake in a library.toml.
    """
    libraries, broken = _find(extra)
    for error in broken.values():
        raise error
    return libraries


def find_usable(extra: Sequence[Path] = ()) -> tuple[dict[str, Library], dict[str, LibraryError]]:
    """The usable libraries of :func:`find_libraries`, and the mistakes of those that are not; both by key.

    The source of adapters in ``extra`` folders is read too, so that one that cannot run is found before its
    environment is built. Raises HarnessError for a folder without a library, two libraries of one key, or a mistake in
    the library.toml of one of the project's own.
    """
    libraries, broken = _find(extra)
    own = own_folders().resolve()
    for key, library in list(libraries.items()):
        if library.folder.parent == own:
            continue
        files = dict.fromkeys(library.folder / f"{release.adapter}.py" for release in library.releases)
        if mistakes := [mistake for file in files for mistake in read_adapter(file).mistakes]:
            broken[key] = LibraryError(library.folder, mistakes, read_page(library.folder)[0])
            del libraries[key]
    return libraries, broken


def _find(extra: Sequence[Path]) -> tuple[dict[str, Library], dict[str, LibraryError]]:
    libraries = {folder.name: read_library(folder) for folder in library_folders(own_folders())}
    broken: dict[str, LibraryError] = {}
    folders = {library.folder.name: library.folder for library in libraries.values()}
    roots = dict.fromkeys([*map(Path, extra), *brought_folders()])
    for folder in dict.fromkeys(folder for root in roots for folder in library_folders(root)):
        if (other := folders.setdefault(folder.name, folder)) != folder:
            raise HarnessError(f"two libraries are called {folder.name!r}: {other} and {folder}; rename one folder")
        try:
            libraries[folder.name] = read_library(folder)
        except LibraryError as error:
            broken[folder.name] = error
    return dict(sorted(libraries.items())), broken


def library_folders(root: Path) -> list[Path]:
    """The folders of libraries in a folder, or that folder itself if it is one; HarnessError without any."""
    files = sorted((*root.glob(FILE), *root.glob(f"*/{FILE}")))
    if not files:
        raise HarnessError(f"{root}: holds no {FILE}; expected a library's folder or a folder of such folders")
    return [file.resolve().parent for file in files]


def read_library(folder: Path) -> Library:
    """Read and check one library's folder; LibraryError names file, line, key, what is wrong and the remedy."""
    table, mistakes = read_page(folder)
    if mistakes:
        raise LibraryError(folder, mistakes, table)
    page = cast("LibraryPage", table)  # it fits the schema
    releases = tuple(_release(entry) for entry in page["releases"])
    feeding = page.get("feeding", {})
    commits = any(release.commit for release in releases)
    return Library(
        folder=folder,
        key=folder.name,
        name=_line(page["name"]),
        distribution=_line(page.get("distribution", "")),
        homepage=page["homepage"],
        licence=_line(page["licence"]),
        summary=_line(page["summary"]),
        family=page.get("family", "rec"),
        live=page.get("live", folder.parent.resolve() != own_folders().resolve()),
        releases=releases,
        subjects={
            name: _subject(name, entry, {**page.get("never", {}), **entry.get("never", {})})
            for name, entry in page["subjects"].items()
        },
        repository=page["repository"] if commits else "",
        not_asked=_lines(page.get("not_asked", {})),
        evaluator=_line(feeding.get("evaluator", "")),
        no_evaluator=_line(feeding.get("no_evaluator", "")),
        not_run=_lines(feeding.get("not_run", {})),
    )


def _release(entry: ReleaseTable) -> Release:
    return Release(
        version=entry["version"],
        python=entry["python"],
        requirements=tuple(entry.get("requirements", ())),
        without_dependencies=tuple(entry.get("without_dependencies", ())),
        note=_line(entry.get("note", "")),
        subjects=tuple(entry.get("subjects", ())),
        commit=entry.get("commit", ""),
        paths=tuple(entry.get("paths", ())),
        adapter=entry.get("adapter", "adapter"),
        paper=entry.get("paper", False),
        date=entry.get("date", ""),
        shims=tuple(entry.get("shims", ())),
    )


def _subject(function: str, entry: SubjectTable, never: Mapping[str, str]) -> SubjectInfo:
    return SubjectInfo(
        function=function,
        metric=entry["metric"],
        needs=tuple(entry.get("needs", ())),
        claim=_line(entry["claim"]),
        address=entry["address"],
        claims=Variant.parse(entry["claims"]) if "claims" in entry else None,
        formerly=entry.get("formerly", ""),
        diagnostic=entry.get("diagnostic", False),
        apart=_line(entry.get("apart", "")),
        quote=_line(entry.get("quote", "")),
        printed=Variant.parse(entry["printed"]) if "printed" in entry else None,
        never=_lines(never),
        takes_k="k" not in entry,
        own_mean="mean" not in entry,
        edges=_lines(entry.get("edges", {})),
    )


def _line(text: str) -> str:
    """A text with its line breaks turned into spaces."""
    return " ".join(text.split())


def _lines(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts by name, with their line breaks turned into spaces."""
    return {name: _line(text) for name, text in texts.items()}


def folder_digest(folder: Path) -> str:
    """A digest of an adapter's code: a changed adapter is asked again. The file of odd inputs does not count."""
    files = sorted(path for path in folder.glob("*.py") if path.name != ODD_INPUTS and path.is_file())
    return hashlib.sha256(b"|".join(path.read_bytes() for path in files)).hexdigest()

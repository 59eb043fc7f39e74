"""The history of a library's releases: what ``history.json`` holds and the site shows."""

from __future__ import annotations

from typing import TypedDict


class Change(TypedDict):
    """A function whose answers change with a release.

    before, after : the last release with the old answers and the first with the new, of those that could be asked, each
    with its day; untried : releases between them that were not or could not be asked. variants, edges : the definition
    and each edge that changed, as [before, after]; both empty where only numbers differ. probe : the smallest that
    shows the change; k : its cut-off; values : its two answers; errors : the texts of answers that are None. packages :
    installed packages whose versions differ.
    """

    function: str
    metric: str
    before: str
    before_day: str
    after: str
    after_day: str
    untried: list[str]
    variants: list[str]
    edges: dict[str, list[str]]
    probe: str
    k: int
    values: list[float | str | None]
    errors: list[str]
    packages: dict[str, list[str]]


class History(TypedDict):
    """What is known of the releases of a library.

    day : when they were asked; releases : how many the index has from ``oldest`` to ``newest`` (version and day);
    asked : the versions that answered, with their days ("" if the index has none); functions : the first of these
    versions in which each function gives numbers; refused : by version, why it could not be asked.
    """

    schema_version: int
    library: str
    distribution: str
    day: str
    oldest: list[str]
    newest: list[str]
    releases: int
    asked: dict[str, str]
    functions: dict[str, str]
    changes: list[Change]
    refused: dict[str, str]


class Watched(TypedDict):
    """What the releases of a library since a known one changed.

    day : when the index was asked; since : the known release; newest : of the index; changes : between which of them;
    refused : by version, why it could not be asked; error : why nothing could be, else empty. files : what was written
    beside the log, a recording and issues.
    """

    day: str
    library: str
    name: str
    distribution: str
    since: str
    newest: str
    changes: list[Change]
    refused: dict[str, str]
    error: str
    files: list[str]


class WatchLog(TypedDict):
    """All that was found so far, the newest first: ``watch.json``."""

    schema_version: int
    entries: list[Watched]

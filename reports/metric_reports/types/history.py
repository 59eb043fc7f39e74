"""The history of a library's releases: what ``history.json`` holds and the site shows."""

from __future__ import annotations

from typing import TypedDict


class Change(TypedDict):
    """One function that answers otherwise from one release on.

    before, after : neighbouring releases among those that could be asked, and their days; untried : the releases
    between them that were not asked, or could not be. variants, edges : what changed of the definition, and of each
    edge, as [before, after]; both empty where the numbers alone differ. probe : the smallest one that shows it, k its
    cut-off, values its two answers, errors the texts of those that are None. packages : others whose versions differ.
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

    day : when it was asked; releases : how many the index has from ``oldest`` to ``newest``, with their days; asked :
    the versions that answered, with their days (empty where the index does not say); functions : since which of them
    each function gives numbers; refused : why others could not be asked, by version.
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

"""How far libraries agreed on a metric at the end of each year, from the dates of releases and from histories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from metric_harness.history.changes import UNKNOWN
from metric_harness.libraries.describe import Library
from metric_harness.recordings.known_functions import plain
from metric_harness.site.agreement import agreement, by_definition, counting
from metric_harness.site.functions import slug
from metric_reference.variant import Variant
from metric_reports.types.history import History
from metric_reports.types.site import SiteFunction, SiteYear

FEWEST_LIBRARIES = 4
"""A year with fewer libraries has no score, as they say little about a field."""


def by_year(
    libraries: Sequence[tuple[Library, History | None]], functions: Mapping[tuple[str, str], list[SiteFunction]]
) -> list[SiteYear]:
    """The agreement on a metric at the end of each year, from the releases whose day is known.

    libraries : each with its history; functions : those of the metric, by library and release.

    A year with fewer libraries than :data:`FEWEST_LIBRARIES` is left out.
    """
    days = [release.date for library, _ in libraries for release in library.releases]
    days += [day for _, past in libraries if past for day in past["asked"].values()]
    years: list[SiteYear] = []
    for year in sorted({int(day[:4]) for day in days if day}):
        rows = [row for library, past in libraries for row in at_end_of(year, library, past, functions)]
        agreed = agreement(rows)
        if agreed["libraries"] >= FEWEST_LIBRARIES:
            years.append({"year": year, "score": agreed["score"], "definitions": by_definition(counting(rows))})
    return years


def at_end_of(
    year: int,
    library: Library,
    past: History | None,
    functions: Mapping[tuple[str, str], list[SiteFunction]],
) -> list[SiteFunction]:
    """The functions of a library's newest release at the end of a year, from its recording or else its history."""
    version = newest_of(library, year)
    newest = library.newest().version
    if past is None or version == newest:
        return functions.get((library.key, version), []) if version else []
    return earlier(past, functions.get((library.key, newest), []), year)


def earlier(past: History, functions: Iterable[SiteFunction], year: int) -> list[SiteFunction]:
    """What functions computed at the end of a year: what they compute today, with the later changes undone.

    functions : those of the newest release. Those that the last release of that year did not have are left out.
    """
    order = list(past["asked"])
    last = max((i for i, day in enumerate(past["asked"].values()) if day and int(day[:4]) <= year), default=-1)
    rows: list[SiteFunction] = []
    for row in functions:
        since = past["functions"].get(row["function"])
        if since is None or order.index(since) > last:
            continue
        before_later_changes = (
            change["variants"][0]
            for change in past["changes"]
            if change["function"] == row["function"] and change["variants"] and order.index(change["after"]) > last
        )
        variant = next(before_later_changes, row["variant"])
        changed = row.copy()
        changed["definition"] = slug(plain(Variant.parse(variant))) if variant and variant != UNKNOWN else None
        rows.append(changed)
    return rows


def newest_of(library: Library, year: int) -> str | None:
    """The newest release of a library at the end of a year; None if that is not known.

    A release counts in its own year and until the next dated one; the newest of all counts in later years too.
    """
    dated = [release for release in library.releases if release.date]
    past = [release for release in dated if int(release.date[:4]) <= year]
    if not past:
        return None
    last = past[-1]
    known = int(last.date[:4]) == year or last is not dated[-1] or last is library.newest()
    return last.version if known else None

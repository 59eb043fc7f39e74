"""How far libraries agree on a metric: the share of pairs that compute one definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from metric_harness.libraries.describe import Library
from metric_reports.types.site import SiteAgreement, SiteFunction, SiteYear

FEWEST = 4
"""Libraries that a year's score is of; fewer say nothing about a field."""


def agreement(functions: Iterable[SiteFunction]) -> SiteAgreement:
    """The score of functions that claim one metric, one release a library.

    Of two libraries it is the share of pairs of their functions, one of each, that compute the same definition; edges
    are left aside. The score is the mean over pairs of libraries. Diagnostic functions, those that do not claim the
    metric and those without a name do not count.
    """
    by_library: dict[str, list[str]] = {}
    for row in functions:
        if row["definition"] and not row["diagnostic"] and not row["apart"]:
            by_library.setdefault(row["library"], []).append(row["definition"])
    shares = [share(*pair) for pair in itertools.combinations(by_library.values(), 2)]
    return {"libraries": len(by_library), "score": sum(shares) / len(shares) if shares else None}


def share(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of pairs of functions, one of each library, that compute the same definition."""
    return sum(a == b for a in one for b in other) / (len(one) * len(other))


def by_year(libraries: Sequence[Library], functions: Mapping[tuple[str, str], list[SiteFunction]]) -> list[SiteYear]:
    """The score at the end of each year, from the releases of which the day is known; functions : by release.

    A year with fewer libraries than :data:`FEWEST` is left out.
    """
    years = sorted({int(release.date[:4]) for one in libraries for release in one.releases if release.date})
    out: list[SiteYear] = []
    for year in years:
        newest = ((library.key, newest_of(library, year)) for library in libraries)
        rows = [row for key, version in newest if version for row in functions.get((key, version), [])]
        found = agreement(rows)
        if found["libraries"] >= FEWEST:
            names = list(dict.fromkeys(row["library"] for row in rows if row["definition"]))
            out.append({"year": year, "libraries": names, "score": found["score"]})
    return out


def newest_of(library: Library, year: int) -> str | None:
    """The newest release of a library at the end of a year; None where none is dated or the next one's day is unknown.

    A release counts in its own year, and until the next dated one; the newest of all counts on.
    """
    dated = [release for release in library.releases if release.date]
    past = [release for release in dated if int(release.date[:4]) <= year]
    if not past:
        return None
    last = past[-1]
    known = int(last.date[:4]) == year or last is not dated[-1] or last is library.newest()
    return last.version if known else None

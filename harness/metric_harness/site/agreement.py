"""How far libraries agree on a metric: the share of pairs that compute one definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from metric_reports.types.site import SiteAgreement, SiteFunction


def agreement(functions: Iterable[SiteFunction]) -> SiteAgreement:
    """The score of functions that claim one metric, one release a library.

    Of two libraries it is the share of pairs of their functions, one of each, that compute the same definition; edges
    are left aside. The score is the mean over pairs of libraries. Diagnostic functions, those that do not claim the
    metric and those without a name do not count.
    """
    by_library: dict[str, list[str]] = {}
    for row in counting(functions):
        by_library.setdefault(row["library"], []).append(row["definition"] or "")
    shares = [share(*pair) for pair in itertools.combinations(by_library.values(), 2)]
    return {"libraries": len(by_library), "score": sum(shares) / len(shares) if shares else None}


def counting(functions: Iterable[SiteFunction]) -> list[SiteFunction]:
    """The functions that count in a score."""
    return [row for row in functions if row["definition"] and not row["diagnostic"] and not row["apart"]]


def by_definition(functions: Iterable[SiteFunction]) -> dict[str, list[str]]:
    """The libraries that compute each definition, the most common definition first."""
    found: dict[str, list[str]] = {}
    for row in functions:
        libraries = found.setdefault(row["definition"] or "", [])
        if row["library"] not in libraries:
            libraries.append(row["library"])
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def share(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of pairs of functions, one of each library, that compute the same definition."""
    return sum(a == b for a in one for b in other) / (len(one) * len(other))

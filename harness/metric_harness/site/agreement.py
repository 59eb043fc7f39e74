"""How far libraries agree on a metric: the share of pairs that compute the same definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from metric_reports.types.site import SiteAgreement, SiteFunction


def agreement(functions: Iterable[SiteFunction]) -> SiteAgreement:
    """The agreement of functions that claim the same metric, of one release of each library.

    For two libraries it is the share of pairs of functions, one of each, that compute the same definition, whatever
    their edges. The score is the mean over all pairs of libraries. Left out are diagnostic functions, those that do not
    claim the metric and those without a definition.
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
    libraries: dict[str, dict[str, None]] = {}
    for row in functions:
        libraries.setdefault(row["definition"] or "", {})[row["library"]] = None
    return {name: list(keys) for name, keys in sorted(libraries.items(), key=lambda item: -len(item[1]))}


def share(first: Sequence[str], second: Sequence[str]) -> float:
    """The share of pairs of functions, one of each library, that compute the same definition."""
    return sum(a == b for a in first for b in second) / (len(first) * len(second))

"""Lookups in the index for the pages: definitions by metric, functions by library and by rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from metric_reports.types.site import Index, SiteDefinition, SiteFunction, SiteLibrary, SiteMetric, SiteRule, SiteYear
from metric_reports.view.words import listing


@dataclass(frozen=True, kw_only=True)
class Group:
    """The functions that claim one metric and compute one definition; definition : None where none is known."""

    definition: SiteDefinition | None
    functions: list[SiteFunction] = field(default_factory=list)

    @property
    def by_library(self) -> dict[str, list[SiteFunction]]:
        """The functions by the key of their library."""
        by_library: dict[str, list[SiteFunction]] = {}
        for row in self.functions:
            by_library.setdefault(row["library"], []).append(row)
        return by_library


@dataclass(frozen=True)
class Views:
    """The index and the lookups in it that pages need."""

    index: Index

    @cached_property
    def definitions(self) -> dict[str, SiteDefinition]:
        """Definitions by id."""
        return {row["id"]: row for row in self.index["definitions"]}

    @cached_property
    def libraries(self) -> dict[str, SiteLibrary]:
        """Libraries by key."""
        return {row["key"]: row for row in self.index["libraries"]}

    @cached_property
    def functions(self) -> dict[str, SiteFunction]:
        """Functions by id."""
        return {row["id"]: row for row in self.index["functions"]}

    @cached_property
    def metrics(self) -> dict[str, SiteMetric]:
        """Metrics by key."""
        return {row["key"]: row for row in self.index["metrics"]}

    @cached_property
    def rules(self) -> dict[str, SiteRule]:
        """Rules by code."""
        return {row["code"]: row for row in self.index["rules"]}

    def names(self, keys: Iterable[str]) -> str:
        """The names of libraries as a listing."""
        return listing(self.libraries[key]["name"] for key in keys)

    def libraries_of(self, year: SiteYear) -> list[str]:
        """The keys of the libraries that count in a year's score."""
        return list(dict.fromkeys(key for keys in year["definitions"].values() for key in keys))

    def claiming(self, metric: str) -> list[SiteFunction]:
        """The functions of newest releases that claim a metric and were asked, diagnostic ones left out."""
        return [
            row
            for row in self.index["functions"]
            if row["metric"] == metric and row["newest"] and row["confidence"] and not row["diagnostic"]
        ]

    def groups(self, metric: str, apart: bool = False) -> list[Group]:
        """The functions that claim a metric by what they compute, the most frequent first.

        apart : only the functions whose documentation says they are another quantity; otherwise only the others.
        """
        groups: dict[str, Group] = {}
        for row in self.claiming(metric):
            if bool(row["apart"]) == apart:
                definition = self.definitions.get(row["definition"] or "")
                groups.setdefault(row["definition"] or "", Group(definition=definition)).functions.append(row)
        return sorted(groups.values(), key=lambda group: (group.definition is None, -len(group.by_library)))

    def of_library(self, key: str) -> dict[str, list[SiteFunction]]:
        """The functions of a library by release, the newest release first."""
        by_release: dict[str, list[SiteFunction]] = {}
        for row in self.index["functions"]:
            if row["library"] == key:
                by_release.setdefault(row["release"], []).append(row)
        return by_release

    def history(self, key: str) -> tuple[list[str], list[dict[str, Any]]]:
        """The recorded releases of a library, oldest first, and for each function what it computes in them."""
        releases = [release["version"] for release in self.libraries[key]["releases"] if release["recorded"]]
        rows: dict[str, dict[str, SiteFunction]] = {}
        new_names = {row["formerly"]: row["function"] for row in self.index["functions"] if row["library"] == key}
        for release, functions in self.of_library(key).items():
            for row in functions:
                name = new_names.get(row["function"], row["function"])
                rows.setdefault(name, {}).setdefault(release, row)
        return releases, [
            {
                "function": name,
                "cells": [cells.get(release) for release in releases],
                "changed": len({row["definition"] for row in cells.values()}) > 1,
            }
            for name, cells in rows.items()
        ]

    @cached_property
    def found(self) -> dict[str, list[SiteFunction]]:
        """By rule code: the functions of newest releases that have such a finding."""
        by_code: dict[str, list[SiteFunction]] = {}
        for row in self.index["functions"]:
            if row["newest"]:
                for code in dict.fromkeys(finding["code"] for finding in row["findings"]):
                    by_code.setdefault(code, []).append(row)
        return by_code

    def computing(self, definition: SiteDefinition) -> tuple[list[SiteFunction], list[SiteFunction]]:
        """The functions that compute a definition: those of newest releases, and the others."""
        rows = [self.functions[name] for name in definition["functions"]]
        return [row for row in rows if row["newest"]], [row for row in rows if not row["newest"]]

    def census(self) -> list[tuple[str, int, list[Mapping[str, Any]]]]:
        """The counts of the census by metric: its key, the sum, and its rows, each with its definition."""
        by_metric: dict[str, list[Mapping[str, Any]]] = {}
        definitions = {definition["variant"]: definition for definition in self.index["definitions"]}
        for row in self.index["census"]["counts"]:
            definition = definitions.get(row["variant"] or "")
            by_metric.setdefault(row["metric"], []).append({**row, "definition": definition})
        return [(metric, sum(row["count"] for row in rows), rows) for metric, rows in by_metric.items()]

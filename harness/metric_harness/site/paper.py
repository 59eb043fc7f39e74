"""The paper's tables beside the recordings of its functions, from its release and from the newest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metric_harness.libraries.describe import Library
from metric_harness.paper.tables import published
from metric_reports.types.site import SiteFunction
from metric_reports.types.site_parts import SitePaper, SitePaperCell

Known = Mapping[tuple[str, str, str], SiteFunction]


def paper(libraries: Mapping[str, Library], functions: Known) -> SitePaper:
    """Each published number with the function behind it; functions : by library, release and name."""
    page = published()
    return {
        "title": page["title"],
        "address": page["address"],
        "tables": [
            {
                "name": table["name"],
                "title": table["title"],
                "columns": table["columns"],
                "libraries": [row["library"] for row in table["rows"]],
                "cells": [
                    cell(libraries[row["library"]], column, row[column], functions)
                    for row in table["rows"]
                    for column in table["columns"]
                    if column in row
                ],
            }
            for table in page["tables"]
        ],
    }


def cell(library: Library, column: str, entry: Mapping[str, Any], functions: Known) -> SitePaperCell:
    """One number. "now" is None if the paper's release is the newest, or the function is gone from it."""
    of_paper, newest = library.of_paper(), library.newest()
    later = entry.get("newest", entry["function"])
    old = functions.get((library.key, of_paper.version, entry["function"])) if of_paper else None
    new = functions.get((library.key, newest.version, later)) if later and newest is not of_paper else None
    return {
        "library": library.key,
        "column": column,
        "published": entry.get("published"),
        "text": entry.get("text"),
        "function": entry["function"],
        "then": old["id"] if old else None,
        "later": later if new else None,
        "now": new["id"] if new else None,
        "why": entry.get("why"),
    }

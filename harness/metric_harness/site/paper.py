"""The paper's tables beside what recordings say of its functions, then and now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metric_harness.libraries.describe import Library
from metric_harness.paper.tables import published
from metric_reports.types.site import SiteFunction
from metric_reports.types.site_parts import SitePaper, SitePaperCell

Known = Mapping[tuple[str, str, str], SiteFunction]


def paper(libraries: Mapping[str, Library], functions: Known) -> SitePaper:
    """Each published number with the definition behind it; functions : by library, release and name."""
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


def cell(library: Library, column: str, about: Mapping[str, Any], functions: Known) -> SitePaperCell:
    """One number; the release of the paper and the newest one may be the same, and the function may be gone."""
    then, now = library.of_paper(), library.newest()
    later = about.get("newest", about["function"])
    old = functions.get((library.key, then.version, about["function"])) if then else None
    new = functions.get((library.key, now.version, later)) if later and now is not then else None
    return {
        "library": library.key,
        "column": column,
        "published": about.get("published"),
        "text": about.get("text"),
        "function": about["function"],
        "then": old["id"] if old else None,
        "later": later if new else None,
        "now": new["id"] if new else None,
        "why": about.get("why"),
    }

"""The catalogue's rows of libraries, which the other pages are made with."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from made_pages.computed import function_rows
from metric_harness.libraries.describe import find_libraries
from metric_reference.variant import Variant


def measured() -> str:
    """Which library computes which variant, by its recordings: the catalogue's rows of libraries."""
    rows = []
    for library in find_libraries().values():
        for release in reversed(library.releases):
            functions: dict[str, list[str]] = {}
            for info, computes, *_ in function_rows(library, release):
                named = re.match("`([^`]+)`", computes)
                if named and not info.diagnostic:
                    variant = Variant.parse(named[1])
                    plain = str(replace(variant, rounded=None, rounds="mean", k=None).canonical())
                    functions.setdefault(plain, []).append(info.function)
            newest = release is library.newest()
            key = library.key if newest else f"{library.key}@{release.version}"
            title, address = f"{library.name} {release.version}", library.homepage
            rows.append({"key": key, "title": title, "address": address, "computes": functions})
    return json.dumps([row for row in rows if row["computes"]], indent=1, ensure_ascii=False)

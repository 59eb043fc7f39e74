"""A site of a few libraries for quick tests, and its links looked after."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from functools import cache
from urllib.parse import unquote

from metric_harness.site.index import gather
from metric_reports.types.site import Index
from tests.support.page import Page

FEW = ("dl_rs_evaluation", "haystack", "recbole", "recommenders", "recpack")


@cache
def small_index() -> Index:
    """The index with the recordings of five libraries; the others are listed without functions."""
    return gather(only=FEW)


def broken_links(files: Mapping[str, str]) -> Iterator[str]:
    """Every address inside the site that leads to no file of it or to no element of the page."""
    pages = {path: Page(text) for path, text in files.items() if path.endswith(".html")}
    ids = {path: {one["attrs"].get("id") for one in page.elements} - {None} for path, page in pages.items()}
    for path, page in pages.items():
        for one in page.elements:
            for address in filter(None, (one["attrs"].get("href"), one["attrs"].get("src"))):
                if address.startswith(("https://", "http://")):
                    continue
                file, _, place = address.partition("#")
                target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
                scripted = "=" in place  # what a script of the page reads
                if target not in files or (place and not scripted and unquote(place) not in ids[target]):
                    yield f"{path}: {address}"

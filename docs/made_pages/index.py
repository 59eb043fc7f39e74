"""The first page: written by hand but for the count of what is recorded."""

from __future__ import annotations

import re

from made_pages.page import DOCS
from metric_harness.libraries.describe import find_libraries
from metric_harness.site.functions import functions_of
from metric_harness.site.index import headline

COUNT = re.compile(r"(?s)(<!-- count -->).*?(<!-- end of count -->)")


def index_page() -> str:
    """The first page as it is, with the count of what is recorded."""
    head = headline([*functions_of(list(find_libraries().values()))])
    sentence = (
        f"**{head['libraries']} libraries, {head['functions']} functions, {head['ndcg']} variants of NDCG**: "
        "[what each of them computes](functions.md)."
    )
    page = (DOCS / "index.md").read_text(encoding="utf-8")
    return COUNT.sub(lambda found: f"{found[1]}\n{sentence}\n{found[2]}", page)

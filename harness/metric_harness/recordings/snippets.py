"""A few lines of Python that call a library's function, from the ``snippet.toml`` beside its adapter.

The file holds one snippet or several (``[[snippets]]``), each with ``functions``, those that it shows, and ``code``. In
the code ``{name}`` is a function's name without library part and options, ``{k}`` the cut-off, and any other name in
braces a table of the snippet with the text for each function, or for all that it does not name (``else``). With
``one_relevant`` the example has one relevant item for each user. ``lacking`` names modules that the library imports and
no metric needs, which its environment here is without.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from metric_harness.libraries.describe import Library

RELEVANT = {1: [10, 12], 2: [17, 14], 3: [11]}
ONE_RELEVANT = {1: [10], 2: [17], 3: [11]}
RECOMMENDED = {1: [11, 10, 14, 12, 13], 2: [13, 17, 11, 10, 16], 3: [10, 11, 12, 13, 15]}
"""Of the example that a snippet computes, by user."""
EXAMPLE_K = 3
"""Where a signature is for any cut-off: within the lists of the example."""


def snippet_page(library: Library, function: str) -> dict[str, Any] | None:
    """The table of the library's ``snippet.toml`` that shows a function, or None."""
    path = library.folder / "snippet.toml"
    if not path.is_file():
        return None
    page = tomllib.loads(path.read_text(encoding="utf-8"))
    return next((each for each in page.get("snippets", [page]) if function in each["functions"]), None)


def snippet(library: Library, function: str, k: int) -> str | None:
    """A script that prints what a function gives for a small example; None where there is none for it.

    The lines after those of the example are what one's own data take.
    """
    page = snippet_page(library, function)
    if page is None:
        return None
    words: dict[str, Any] = {"name": re.split(r"[\[(@]", function.rpartition(":")[2])[0], "k": k}
    tables: dict[str, dict[str, str]] = {name: table for name, table in page.items() if isinstance(table, dict)}
    filled = {name: table.get(function, table.get("else", "")).format(**words) for name, table in tables.items()}
    lines = page["code"].format(**words, **filled)
    relevant = ONE_RELEVANT if page.get("one_relevant") else RELEVANT
    listed = min(map(len, RECOMMENDED.values()))
    note = f"# {listed} items a user are an example: at k = {k} give lists that reach it\n" if k > listed else ""
    return f"{note}relevant = {relevant}\nrecommended = {RECOMMENDED}\n{lines}"

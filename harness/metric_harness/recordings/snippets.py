"""A few lines of Python that call a library's function, from the ``snippet.toml`` beside its adapter.

The file holds one snippet or several (``[[snippets]]``), each with the ``functions`` that it shows and its ``code``. In
the code, ``{name}`` is a function's name without prefix and options, ``{k}`` the cut-off, and any other name in braces
a table of the snippet with the text for each function; ``else`` is the text for functions that the table does not name.
With ``one_relevant`` the example has one relevant item for each user. ``lacking`` names modules that the library
imports, that no metric needs and that are not installed in its environment here.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from metric_harness.libraries.describe import Library

RELEVANT = {1: [10, 12], 2: [17, 14], 3: [11]}
ONE_RELEVANT = {1: [10], 2: [17], 3: [11]}
RECOMMENDED = {1: [11, 10, 14, 12, 13], 2: [13, 17, 11, 10, 16], 3: [10, 11, 12, 13, 15]}
"""The relevant and the recommended items of the example, by user."""
EXAMPLE_K = 3
"""The cut-off of the example for a signature without one; it is within the example's lists."""


def snippet_page(library: Library, function: str) -> dict[str, Any] | None:
    """The table of the library's ``snippet.toml`` that shows a function, or None."""
    path = library.folder / "snippet.toml"
    if not path.is_file():
        return None
    page = tomllib.loads(path.read_text(encoding="utf-8"))
    return next((table for table in page.get("snippets", [page]) if function in table["functions"]), None)


def snippet(library: Library, function: str, k: int) -> str | None:
    """A script that prints the value of a function for a small example; None where the library has no snippet for it.

    The first lines define the example; the lines after them work for other data too.
    """
    page = snippet_page(library, function)
    if page is None:
        return None
    values: dict[str, Any] = {"name": re.split(r"[\[(@]", function.rpartition(":")[2])[0], "k": k}
    tables: dict[str, dict[str, str]] = {name: table for name, table in page.items() if isinstance(table, dict)}
    filled = {name: table.get(function, table.get("else", "")).format(**values) for name, table in tables.items()}
    lines = page["code"].format(**values, **filled)
    relevant = ONE_RELEVANT if page.get("one_relevant") else RELEVANT
    length = min(map(len, RECOMMENDED.values()))
    note = f"# {length} items a user are an example: at k = {k} give lists that reach it\n" if k > length else ""
    return f"{note}relevant = {relevant}\nrecommended = {RECOMMENDED}\n{lines}"

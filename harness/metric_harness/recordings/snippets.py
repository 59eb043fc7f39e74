"""A few lines of Python that call a library's function, from the ``snippet.toml`` beside its adapter.

The file holds one snippet or several (``[[snippets]]``), each with the ``functions`` that it shows and its ``code``. In
the code, ``{name}`` is a function's name without prefix and options, ``{k}`` the cut-off, and any other name in braces
a table of the snippet with the text for each function; ``else`` is the text for functions that the table does not name.
With ``one_relevant`` the example has one relevant item for each user. ``lacking`` names modules that the library
imports, that no metric needs and that are not installed in its environment here. ``full_lists`` says that each list
must reach k.
"""

from __future__ import annotations

import ast
import re
import tomllib
from typing import Any

from metric_harness.libraries.describe import Library
from metric_reports.types.common import ShownCase

RELEVANT = {1: [10, 12], 2: [17, 14], 3: [11]}
ONE_RELEVANT = {1: [10], 2: [17], 3: [11]}
RECOMMENDED = {1: [11, 10, 14, 12, 13], 2: [13, 17, 11, 10, 16], 3: [10, 11, 12, 13, 15]}
"""The relevant and the recommended items of the example, by user."""
CATALOGUE = frozenset(range(20))
"""The items that the snippets of functions of a whole catalogue know."""
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
    relevant = ONE_RELEVANT if page.get("one_relevant") else RELEVANT
    length = min(map(len, RECOMMENDED.values()))
    note = f"# {length} items a user are an example: at k = {k} give lists that reach it\n" if k > length else ""
    return f"{note}relevant = {relevant}\nrecommended = {RECOMMENDED}\n{filled(page, function, k)}"


def call_lines(library: Library, function: str, case: ShownCase, graded: bool) -> list[str]:
    """Lines that call a function for a case and assign ``returned``; none where its snippet cannot show the case.

    A snippet knows lists and relevant items: no scores, items that its catalogue holds, and no gains, which matter if
    the function is ``graded``.
    """
    page, users = snippet_page(library, function), case["users"]
    items = {item for user in users for item in (*user["list"], *user["relevant"])}
    gained = graded and any(gain != 1.0 for user in users for gain in user["gains"])
    scored = any("scores" in user for user in users)
    if page is None or scored or gained or not items <= CATALOGUE or len(users) > len(RELEVANT):
        return []
    if page.get("lacking") or (page.get("full_lists") and any(len(user["list"]) < case["k"] for user in users)):
        return []
    if page.get("one_relevant") and any(len(user["relevant"]) != 1 for user in users):
        return []
    relevant = {number: user["relevant"] for number, user in enumerate(users, start=1)}
    looked_up = "recommended[" in page["code"]  # by user; otherwise one without a list is left out, as in files of runs
    rows = enumerate(users, start=1)
    recommended = {number: user["list"] for number, user in rows if user["list"] or looked_up}
    lines = filled(page, function, case["k"]).rstrip()
    last = ast.parse(lines).body[-1]
    if not (isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and len(last.value.args) == 1):
        return []
    kept = lines.splitlines()[: last.lineno - 1]
    returned = ast.get_source_segment(lines, last.value.args[0])
    return [f"relevant = {relevant}", f"recommended = {recommended}", *kept, f"returned = {returned}"]


def filled(page: dict[str, Any], function: str, k: int) -> str:
    """The code of a snippet for one of its functions."""
    values: dict[str, Any] = {"name": re.split(r"[\[(@]", function.rpartition(":")[2])[0], "k": k}
    tables: dict[str, dict[str, str]] = {name: table for name, table in page.items() if isinstance(table, dict)}
    texts = {name: table.get(function, table.get("else", "")).format(**values) for name, table in tables.items()}
    code: str = page["code"].format(**values, **texts)
    return code

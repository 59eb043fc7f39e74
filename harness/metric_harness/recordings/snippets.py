"""A few lines of Python that call a library's function, from the ``snippet.toml`` beside its adapter."""

from __future__ import annotations

import tomllib

from metric_harness.libraries.describe import Library

RELEVANT = {1: [10, 12], 2: [17, 14], 3: [11]}
RECOMMENDED = {1: [11, 10, 14, 12, 13], 2: [13, 17, 11, 10, 16], 3: [10, 11, 12, 13, 15]}
"""Of the example that a snippet computes, by user."""


def snippet(library: Library, function: str, k: int) -> str | None:
    """A script that prints what a function gives for a small example; None where there is none for it.

    The lines after the first two are those that one's own data take.
    """
    path = library.folder / "snippet.toml"
    if not path.is_file():
        return None
    page = tomllib.loads(path.read_text(encoding="utf-8"))
    if function not in page["functions"]:
        return None
    lines = page["code"].format(
        name=function.partition("[")[0],
        k=k,
        options=page.get("options", {}).get(function, ""),
        module=page.get("modules", {}).get(function, page.get("module", "")),
    )
    return f"relevant = {RELEVANT}\nrecommended = {RECOMMENDED}\n{lines}"

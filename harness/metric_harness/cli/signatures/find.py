"""``metric-harness signature find``: the libraries that compute a signature, and how to call them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from metric_harness.cli import options
from metric_harness.cli.signatures.reading import SignatureText, read
from metric_harness.system.terminal import echo, say, to_json
from metric_reference.candidates.choice import ALL
from metric_reference.signatures.methods import ranked_among

UP_TO_THE_CALLER = "A function ranks what it is given: the candidates are up to its caller."

EXAMPLES = """
[bold]Examples[/bold]

metric-harness signature find "ndcg@20|rel:>=4|mh:1.0#d4676305"

metric-harness signature find "ndcg@20|rel:>=4|mh:1.0#d4676305" --library recbole --snippet
"""

Only = Annotated[str | None, typer.Option("--library", help="Only this library.")]
Snippets = Annotated[bool, typer.Option("--snippet", help="Print a script for each function that calls it.")]


def find_command(
    signature: SignatureText, library: Only = None, snippet: Snippets = False, as_json: options.AsJson = False
) -> None:
    """List the library functions that compute a signature, from their recordings: releases, calls, edges.

    First those that agree in every edge that the signature names, then those that differ there. Where a function was
    given only relevant items, its threshold is that of whoever calls it.
    """
    from metric_harness.recordings.find import find

    parsed = read(signature)
    rows = find(parsed, library)
    note = ranked_among(parsed) if parsed.candidates != ALL else None
    if as_json:
        echo(to_json({"signature": str(parsed), "functions": rows, "note": note}))
        return
    if note is not None:
        say(f"{note}.\n{UP_TO_THE_CALLER}\n")
    if not rows:
        echo("No recorded function computes it.")
    for row in rows:
        echo("\n".join(lines(row, snippet)))


def lines(row: dict[str, Any], snippet: bool) -> list[str]:
    """The printed lines of a function."""
    printed = [f"{row['library']} {row['release']}  {row['function']}  {row['compared']}"]
    if snippet and row["snippet"]:
        printed += ["", *(f"    {line}".rstrip() for line in row["snippet"].splitlines()), ""]
    return printed

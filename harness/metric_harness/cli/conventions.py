"""``metric-harness explain conventions``: the ways of calling a function that an audit knows."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from metric_harness.cli import values
from metric_harness.system.errors import HarnessError
from metric_harness.system.terminal import echo, to_json

if TYPE_CHECKING:
    from metric_adapters.calls.table import Entry

EXAMPLES = """
[bold]Examples[/bold]

metric-harness explain conventions

metric-harness explain conventions --search csr

metric-harness explain conventions --format markdown
"""

FORMATS = ("text", "markdown", "json")
WIDTH = 110
INTRODUCTION = """# Calling conventions

An audit finds out how your function takes its data. These are the ways it knows; `--convention NAME` gives one of them.

A name is the roles of the parameters in order, and after a colon their container where it is not a plain list.
`-cut` behind a container means that lists end at k although the function takes k, `-full` that they hold every item,
`-uncut` that a cut-off which may be left out is left out.
COLUMNS stands for `user,item,rating,score` with or without a fifth name for the rank; it may be left out where the
function's source names its columns.

The examples are of two users: the lists are [3, 1] and [2, 0], items 1 and 2 are relevant. Where the function is called
for one user at a time, the call is that for the first user. k may have any usual name and be a number, a list or a
text; a function without k gets lists that end at k.

A function that returns several metrics has a result for each: a tuple's are `[0]`, `[1]`, a dict's are named by its
keys, with `{k}` for the cut-off, as in `recall@{k}`.
"""

Search = Annotated[str | None, typer.Option(help="Only those whose name, group or explanation holds this text.")]
Format = Annotated[str, typer.Option(help=f"{', '.join(FORMATS)}.")]


def conventions_command(search: Search = None, format: Format = "text") -> None:
    """List the ways of calling a metric function that `audit` knows, with an example call each."""
    from metric_adapters.calls.table import entries

    values.one_of("--format", format, FORMATS)
    matches = [entry for entry in entries() if search is None or holds(entry, search)]
    if not matches:
        raise HarnessError(f"--search {search}: no convention holds that text")
    if format == "json":
        echo(to_json([entry._asdict() for entry in matches]))
    else:
        echo(as_markdown(matches) if format == "markdown" else as_text(matches), end="")


def holds(entry: Entry, text: str) -> bool:
    """Whether the name, group or explanation of an entry holds a text, in any case."""
    return any(text.lower() in field.lower() for field in (entry.name, entry.group, entry.about))


def as_text(listed: Iterable[Entry]) -> str:
    """The entries by group: name, explanation and example call of each."""
    from metric_adapters.calls.table import names_by_group

    lines = []
    for group, members in names_by_group(listed).items():
        lines += [group, ""]
        for entry in members:
            about = textwrap.wrap(entry.about, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)
            lines += [f"  {entry.name}", *about, f"      {entry.example}", ""]
    return "\n".join(lines)


def as_markdown(listed: Iterable[Entry]) -> str:
    """The entries as a page of the documentation, a table for each group."""
    from metric_adapters.calls.table import names_by_group

    lines = [INTRODUCTION]
    for group, members in names_by_group(listed).items():
        lines += [f"## {group}", "", "| name | example | what is handed over |", "|---|---|---|"]
        lines += [f"| `{entry.name}` | `{entry.example}` | {entry.about} |" for entry in members]
        lines.append("")
    return "\n".join(lines)

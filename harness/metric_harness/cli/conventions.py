"""``metric-harness conventions``: every way of calling a metric function that an audit knows, with an example call."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from metric_harness.system.errors import HarnessError
from metric_harness.system.terminal import echo, to_json

if TYPE_CHECKING:
    from metric_adapters.conventions.catalogue import Entry

EXAMPLES = """
[bold]Examples[/bold]

metric-harness conventions

metric-harness conventions --search csr

metric-harness conventions --format markdown
"""

FORMATS = ("text", "markdown", "json")
WIDTH = 110
INTRODUCTION = """# Calling conventions

An audit finds out how your function takes its data. These are the ways it knows; `--convention NAME` gives one of them.

A name is the roles of the parameters in order, and after a colon their container where it is not a plain list.
`-cut` behind a container means that lists end at k although the function takes k, `-full` that they hold every item.
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
    from metric_adapters.conventions.catalogue import entries

    if format not in FORMATS:
        raise HarnessError(f"--format {format}: give one of {', '.join(FORMATS)}")
    wanted = [entry for entry in entries() if search is None or holds(entry, search)]
    if not wanted:
        raise HarnessError(f"--search {search}: no convention holds that text")
    if format == "json":
        echo(to_json([entry._asdict() for entry in wanted]))
    else:
        echo(as_markdown(wanted) if format == "markdown" else as_text(wanted), end="")


def holds(entry: Entry, text: str) -> bool:
    """Whether an entry holds a text."""
    return any(text.lower() in part.lower() for part in (entry.name, entry.group, entry.about))


def as_text(found: Iterable[Entry]) -> str:
    """The entries by group, three lines and more each."""
    from metric_adapters.conventions.catalogue import names_by_group

    lines = []
    for group, inside in names_by_group(found).items():
        lines += [group, ""]
        for entry in inside:
            about = textwrap.wrap(entry.about, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)
            lines += [f"  {entry.name}", *about, f"      {entry.example}", ""]
    return "\n".join(lines)


def as_markdown(found: Iterable[Entry]) -> str:
    """The page of the documentation."""
    from metric_adapters.conventions.catalogue import names_by_group

    lines = [INTRODUCTION]
    for group, inside in names_by_group(found).items():
        lines += [f"## {group}", "", "| name | example | what is handed over |", "|---|---|---|"]
        lines += [f"| `{entry.name}` | `{entry.example}` | {entry.about} |" for entry in inside]
        lines.append("")
    return "\n".join(lines)

"""What reading the user's two files found: ids that hardly match or have another form, rows that are not used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from metric_harness.system.terminal import say
from metric_reports.types.manifest import Matching, RowsUsed

Strict = Annotated[bool, typer.Option("--strict", help="Stop if hardly any users or items of the files match.")]
WORDS = {
    "user_without_truth": "{:,} rows of the recommendations are of users without truth",
    "user_without_list": "{:,} rows of the truth are of users without a list",
}


def say_matching(matching: Matching) -> None:
    """Print warnings and conversions to standard error."""
    for warning in matching["warnings"]:
        say(f"Warning: {warning}", err=True)
    for row in matching["converted"]:
        rows = f"{row['rows']:,} rows of the {row['side']}"
        say(f"The ids of {row['role']}s: {row['written']} counts as {row['form']}, and so in {rows}.", err=True)


def unused(rows_of: Mapping[str, RowsUsed]) -> str:
    """The rows that are not used and why, as a sentence; empty if all are used."""
    dropped = {reason: n for rows in rows_of.values() for reason, n in rows["dropped"].items() if n}
    told = [WORDS[reason].format(n) for reason, n in dropped.items()]
    return f"Not used: {' and '.join(told)}." if told else ""

"""``metric-harness library new``: the folder of a new library, ready to run."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from metric_harness.cli import values
from metric_harness.system.terminal import echo, say

EXAMPLES = """
[bold]Examples[/bold]

metric-harness library new mylib

metric-harness library new mylib --dir ~/libraries
"""

Name = Annotated[str, typer.Argument(help="How the library is called on the command line: letters, digits and _.")]
Dir = Annotated[
    Path,
    typer.Option(
        "--dir", callback=values.folder_to_write, help="Where the folder NAME is written; made if it is not there."
    ),
]


def new_library_command(name: Name, parent: Dir = Path()) -> None:
    """Write the folder of a new library: library.toml, adapter.py and README.md, ready to run and to be filled in.

    Exit code 0: written; 2: the name is taken or cannot name a library, or the folder exists.
    """
    from metric_harness.libraries.new import new_library

    folder = new_library(name, parent)
    quoted = shlex.quote(str(folder))
    for path in sorted(folder.iterdir()):
        echo(f"written: {path}")
    echo(f"\nIt runs as it is:\n  metric-harness library check {quoted} --environment current")
    echo(f"  metric-harness compare --adapters {quoted} --libraries {name} --environment current")
    say("Then replace what REPLACE marks.")

"""``metric-harness library conform``: whether a library's functions compute what its metrics.toml declares."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from metric_harness.cli import options, values
from metric_harness.cli.audit import Memory, Timeout, time_limits
from metric_harness.cli.exit_codes import FAILED, FINDINGS
from metric_harness.system.errors import HarnessError
from metric_harness.system.outputs import write_output
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import echo, say, to_json

EXAMPLES = """
[bold]Examples[/bold]

metric-harness library conform --declare my_pkg.metrics:ndcg_at_k --out metrics.toml

metric-harness library conform

metric-harness library conform metrics.toml --badge badges --table docs/metrics.md

metric-harness library conform haystack.toml --environment isolated --release 2.20.0
"""

Declared = Annotated[
    Path,
    typer.Argument(metavar="FILE", callback=values.read_from, help="The declaration."),
    values.UnreadWith("declare"),
]
Declare = Annotated[
    list[str] | None,
    typer.Option("--declare", metavar="TARGET", help="Write what this computes today; may be repeated."),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", callback=values.file_to_write, help="Where --declare writes; standard output if not given."),
]
Release = Annotated[str, typer.Option("--release", help="Of the library's adapter; the newest if not given.")]
BADGES = ("metrics.svg", "metrics.json")
Badge = Annotated[
    Path | None,
    typer.Option("--badge", callback=values.folder_to_write, help=f"Write {' and '.join(BADGES)} into this folder."),
    values.Writes(BADGES),
]
Programs = Annotated[
    bool, typer.Option("--programs", help="Run the programs that the declaration names (exec:PROGRAM).")
]
Table = Annotated[
    Path | None,
    typer.Option(
        "--table", callback=values.file_to_write, help="Write a Markdown table of what each function computes."
    ),
]


def conform_command(
    file: Declared = Path("metrics.toml"),
    declare: Declare = None,
    out: Out = None,
    environment: options.Environment = "current",
    release: Release = "",
    adapters: options.Adapters = None,
    badge: Badge = None,
    table: Table = None,
    force: options.Force = False,
    timeout: Timeout = None,
    memory: Memory = 4.0,
    programs: Programs = False,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Hold the functions of a library against its declaration; made for the library's own tests.

    Exit code 0: every function is within it; 1: one has left it; 2: one could not be asked.
    """
    from metric_harness.conformance import badge as badges
    from metric_harness.conformance.check import conformance, declaration_of
    from metric_harness.conformance.declaration import read_declaration
    from metric_harness.naming.options import Options

    reporter = Reporter(quiet)
    question_seconds, import_seconds = time_limits(timeout)
    audit_options = Options(
        environment=environment,
        adapters=tuple(adapters or ()),
        memory=int(memory * 2**30),
        timeout=question_seconds,
        start_timeout=import_seconds,
    )
    if declare:
        text = declaration_of(declare, audit_options, reporter)
        if out is None:
            echo(text.rstrip("\n"))
        else:
            write_output(out, text, force=force)
            echo(f"{out}: written; `metric-harness library conform {out}` holds the functions against it")
        return
    if out is not None:
        raise HarnessError("--out: it is where --declare writes; give --declare TARGET")
    result = conformance(read_declaration(file), release, audit_options, reporter, programs)
    if badge is not None:
        for name, text in zip(BADGES, (badges.svg(result), badges.endpoint(result)), strict=True):
            write_output(badge / name, text, force=force)
    if table is not None:
        write_output(table, badges.table(result), force=force)
    if as_json:
        rows = [
            {
                "function": verdict.declared.function,
                "asked": verdict.asked,
                "within": verdict.within,
                "declared": str(verdict.declared.signature),
                "found": None if verdict.computed is None else str(verdict.computed),
                "sentence": verdict.sentence,
                "mended": list(verdict.mended),
            }
            for verdict in result.verdicts
        ]
        echo(to_json({"within": result.within, "functions": rows, "undeclared": list(result.undeclared)}))
    else:
        for verdict in result.verdicts:
            word = "ok  " if verdict.within else "LEFT" if verdict.asked else "??  "
            say(f"{word}  {verdict.declared.function}: {verdict.sentence}")
            if verdict.mended:
                say(f"      its deviations are gone ({', '.join(verdict.mended)}): take them out of {file.name}")
        if result.undeclared:
            say(f"not declared: {', '.join(result.undeclared)}")
        say(badges.message(result))
    if not result.asked:
        raise typer.Exit(FAILED)
    if not result.within:
        raise typer.Exit(FINDINGS)

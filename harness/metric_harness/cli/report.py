"""``metric-harness report``: a finished record in another form, and what changed between two records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from metric_harness.cli import options, values
from metric_harness.cli.audit import explained_rules
from metric_harness.cli.command import Command
from metric_harness.cli.exit_codes import FINDINGS
from metric_harness.system.outputs import write_output
from metric_harness.system.terminal import echo, to_json
from metric_reports.record import read_record
from metric_reports.types.run import Record

DEFAULT = "write"
PAGE = "html"
FORMATS = (PAGE, "markdown", "csv", "json", "sarif", "latex")
DIFF_FORMATS = ("text", "markdown", "json")

EXAMPLES = """
[bold]Examples[/bold]

metric-harness report out/run.json --out report.html

metric-harness report out/run.json --format markdown

metric-harness report out/run.json --format latex --out table.tex

metric-harness report diff old/run.json new/run.json
"""

Format = Annotated[str, typer.Option(help=f"{', '.join(FORMATS)}.")]
DiffFormat = Annotated[str, typer.Option(help=f"{', '.join(DIFF_FORMATS)}.")]
Out = Annotated[
    Path | None,
    typer.Option(
        callback=values.file_to_write,
        help="Where to write; if not given, report.html beside the record, other forms to standard output.",
    ),
]
DiffOut = Annotated[
    Path | None, typer.Option(callback=values.file_to_write, help="Where to write; if not given, to standard output.")
]


class RecordFirst(TyperGroup):
    """``report RUN.json`` is ``report write RUN.json``; a record whose name is a command's is given as ``./diff``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the default command before arguments that name no command, except a bare ``--help``."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=RecordFirst,
    no_args_is_help=True,
    rich_markup_mode="rich",
    epilog=EXAMPLES,
    help="Write a finished record in another form (`report RUN.json`), or compare two (`report diff OLD NEW`).",
)


@app.command(DEFAULT, cls=Command, epilog=EXAMPLES)
def write(record: options.RecordFile, format: Format = PAGE, out: Out = None, force: options.Force = False) -> None:
    """Write a finished record as HTML, Markdown, CSV, JSON, SARIF or LaTeX; the word `write` may be left out."""
    values.one_of("--format", format, FORMATS)
    content = read_record(record)
    target = record.with_name("report.html") if out is None and format == PAGE else out
    deliver(rendered(content, format), target, force)


@app.command("diff", cls=Command, epilog="[bold]Example[/bold]: metric-harness report diff old/run.json new/run.json")
def diff(
    old: Annotated[Path, typer.Argument(callback=values.read_from, help="The earlier run.json.")],
    new: Annotated[Path, typer.Argument(callback=values.read_from, help="The later run.json.")],
    format: DiffFormat = "text",
    out: DiffOut = None,
    force: options.Force = False,
) -> None:
    """Say what changed between two records: functions, definitions, values, findings, the bundle.

    Exit code 0: nothing changed; 1: something did; 2: could not compare.
    """
    values.one_of("--format", format, DIFF_FORMATS)
    from metric_reports.formats.diff_text import render_markdown, render_text
    from metric_reports.view.diff import diff_records

    render = {"text": render_text, "markdown": render_markdown, "json": json_text}
    changes = diff_records(read_record(old), read_record(new))
    deliver(render[format](changes), out, force)
    if changes["changed"]:
        raise typer.Exit(FINDINGS)


def rendered(record: Record, format: str) -> str:
    """A record as one text."""
    from metric_reports.formats.csv import render_csv
    from metric_reports.formats.latex import render_latex
    from metric_reports.formats.markdown import render_markdown
    from metric_reports.formats.sarif import render_sarif
    from metric_reports.html.page import render_html

    if format == "sarif":
        return render_sarif(record, explained_rules())
    render = {
        PAGE: render_html,
        "markdown": render_markdown,
        "csv": render_csv,
        "json": json_text,
        "latex": render_latex,
    }
    return render[format](record)


def json_text(content: object) -> str:
    """JSON with a final newline."""
    return to_json(content) + "\n"


def deliver(text: str, target: Path | None, force: bool) -> None:
    """Write a text to a file and say so, or to standard output."""
    if target is None:
        echo(text.removesuffix("\n"))
        return
    write_output(target, text, force=force)
    echo(f"Report: {target}")

"""The command line of metric-harness: its commands, and what an error or a signal does to all of them.

What only one command needs and takes long to import, it imports itself.
"""

from __future__ import annotations

import signal
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from metric_harness.cli import (
    audit,
    check,
    compare,
    conventions,
    evaluate,
    explain,
    libraries,
    new_library,
    paper,
    report,
    scan,
    variants,
)
from metric_harness.cli.records import FAILED
from metric_harness.cli.signatures import cite, find, translate, verify
from metric_harness.system.errors import HarnessError
from metric_harness.version import __version__

app = typer.Typer(
    name="metric-harness",
    help="Which definition does a recommender metric really follow? Asks the libraries themselves.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def version(shown: bool) -> None:
    """Print the version and end."""
    if shown:
        typer.echo(f"metric-harness {__version__}")
        raise typer.Exit


@app.callback()
def root(
    shown: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Settle what a recommender metric means."""


app.command("compare", epilog=compare.EXAMPLES)(compare.compare_command)
app.command("audit", epilog=audit.EXAMPLES)(audit.audit_command)
app.command("scan", epilog=scan.EXAMPLES)(scan.scan_command)
app.command("evaluate", epilog=evaluate.EXAMPLES)(evaluate.evaluate_command)
app.command("paper", epilog=paper.EXAMPLES)(paper.paper_command)
app.add_typer(report.app, name="report")
app.command("libraries", epilog=libraries.EXAMPLES_OF_LIBRARIES)(libraries.libraries_command)
app.command("record", epilog=libraries.EXAMPLES_OF_RECORD)(libraries.record_command)
app.command("new-library", epilog=new_library.EXAMPLES)(new_library.new_library_command)
app.command("check", epilog=check.EXAMPLES)(check.check_command)
app.command("variants", epilog=variants.EXAMPLES)(variants.variants_command)
app.command("conventions", epilog=conventions.EXAMPLES)(conventions.conventions_command)
app.command("verify", epilog=verify.EXAMPLES)(verify.verify_command)
app.command("cite", epilog=cite.EXAMPLES)(cite.cite_command)
app.command("find", epilog=find.EXAMPLES)(find.find_command)
app.command("translate", epilog=translate.EXAMPLES)(translate.translate_command)
app.command("explain", epilog=explain.EXAMPLES)(explain.explain_command)


def main() -> None:
    """Run the command line; an error that the user can mend is one line and exit code 2."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # workers are closed on the way out, as after Ctrl-C
    try:
        app()
    except HarnessError as error:
        said = Text.assemble(("error", "bold red"), f": {error}")  # not markup: a name may hold [brackets]
        Console(stderr=True).print(said, soft_wrap=True, highlight=False)
        raise SystemExit(FAILED) from None

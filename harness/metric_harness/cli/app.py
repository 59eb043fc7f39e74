"""The command line of metric-harness: its commands, and how all of them end after an error or a signal.

``tree`` lists the commands; one is imported when it is called.
"""

from __future__ import annotations

import sys
import traceback
from contextlib import suppress
from typing import Annotated, Any, NoReturn

import typer
from rich.text import Text

from metric_harness.cli.exit_codes import FAILED
from metric_harness.cli.tree import Root
from metric_harness.cli.values import gib_or_none, seconds
from metric_harness.system import signals
from metric_harness.system.failures import line_about
from metric_harness.system.limits import LARGEST_FILE, limited_files
from metric_harness.system.terminal import Console, echo
from metric_harness.version import __version__

DEBUG = "--debug"
TIME_LIMIT = "--time-limit"
OUTPUT_UNREAD = 141
"""The exit code if the reader of the output ended first, as shells report SIGPIPE."""

app = typer.Typer(
    name="metric-harness",
    cls=Root,
    help="Which definition does a recommender metric really follow? Asks the libraries themselves.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)

UsageError: Any = typer.BadParameter.__bases__[0]
"""Typer's error for arguments that do not fit; newer releases keep it in a module of their own."""


def version(shown: bool) -> None:
    """Print the version and end."""
    if shown:
        echo(f"metric-harness {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    shown: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[
        bool, typer.Option(DEBUG, help="Print the traceback of an error; may stand anywhere in a command.")
    ] = False,
    time_limit: Annotated[
        float | None,
        typer.Option(TIME_LIMIT, callback=seconds, help="Seconds after which the command ends with exit code 2."),
    ] = None,
    largest_file: Annotated[
        float | None,
        typer.Option(
            LARGEST_FILE,
            callback=gib_or_none,
            metavar="GIB",
            help="Refuse a file of interactions, or one inside a zip, that holds more than this; 1024 by default.",
        ),
    ] = None,
) -> None:
    """Settle what a recommender metric means."""
    if time_limit is not None:
        signals.end_after(time_limit)
    if largest_file is not None:
        context.with_resource(limited_files(int(largest_file * 2**30)))


def main() -> NoReturn:
    """Run the command line and end with its exit code.

    An error that no command handles is printed as one line, with its traceback after ``--debug``, and ends with exit
    code 2; a signal ends with 130 or 143.
    """
    arguments = [word for word in sys.argv[1:] if word != DEBUG]
    code = FAILED
    try:
        ended = app(arguments, prog_name="metric-harness", standalone_mode=False)
        code = ended if isinstance(ended, int) else 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
        if isinstance(end.__context__, BrokenPipeError):
            code = OUTPUT_UNREAD
    except (KeyboardInterrupt, typer.Abort):
        pass
    except UsageError as error:
        if type(error).__name__ != "NoArgsIsHelpError":  # the help has been printed
            advice = f"`{error.ctx.command_path} --help` shows what there is" if error.ctx else "see --help"
            say_error(f"{error.format_message().rstrip('.')}; {advice}")
    except Exception as error:
        if signals.exit_code() is None:
            say_error(line_about(error))
        if DEBUG in sys.argv:
            traceback.print_exception(error)
    if signals.exit_code() == signals.TIME_IS_UP:
        say_error(f"the time limit is over; give more seconds with {TIME_LIMIT}, before the name of the command")
    raise SystemExit(signals.exit_code() or code)


def say_error(message: str) -> None:
    """Print why a command could not run."""
    line = Text.assemble(("error", "bold red"), f": {message}")  # no markup: a name may hold [brackets]
    with suppress(OSError):  # the stream is closed or full; the exit code still reports the failure
        Console(stderr=True).print(line, soft_wrap=True, highlight=False)

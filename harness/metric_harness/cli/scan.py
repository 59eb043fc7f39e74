"""``metric-harness scan``: every function of a tree that looks like a metric, audited."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from metric_harness.cli import options, values
from metric_harness.cli.audit import explained_rules
from metric_harness.cli.exit_codes import FINDINGS, INTERRUPTED
from metric_harness.naming.findings.rules import SEVERITIES
from metric_harness.naming.options import Options
from metric_harness.system.errors import HarnessError
from metric_harness.system.outputs import write_output
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import Console, echo, say, to_json
from metric_reports.files import write_atomically
from metric_reports.record import validate_scan
from metric_reports.types.audit import Audit, Subject
from metric_reports.types.scan import Function, Scan
from metric_reports.view.words import count

FORMATS = ("text", "json", "sarif", "markdown")
JOBS = min(4, os.cpu_count() or 1)
EXAMPLES = """
[bold]Examples[/bold]

metric-harness scan src/my_package

metric-harness scan . --list

metric-harness scan repo --environment repo/.venv --json scan.json --sarif scan.sarif

metric-harness scan repo --include "eval/*" --exclude "*_old.py" --with torch --jobs 2

metric-harness scan . --fail-on error --quiet
"""
NOTICE = (
    "This runs the code it finds: each file with a function that looks like a metric is imported and its functions are "
    "called. They run in a separate process with a memory limit, a time limit and an empty working folder. That is "
    "no protection against malicious code: files and the network are within reach. --list runs nothing."
)

ScannedPath = Annotated[
    Path,
    typer.Argument(
        metavar="PATH", callback=values.read_from, help="A Python file, or the folder of a package or repository."
    ),
]
List = Annotated[bool, typer.Option("--list", help="Only list what looks like a metric, and why; nothing is run.")]
Json = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", callback=values.file_to_write, help="Write the result as JSON there too."),
]
Sarif = Annotated[
    Path | None,
    typer.Option(
        "--sarif", metavar="FILE", callback=values.file_to_write, help="Write the findings as SARIF there too."
    ),
]
Format = Annotated[str, typer.Option(help=f"Of standard output: {', '.join(FORMATS)}.")]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        callback=values.folder_to_write,
        help="Folder that keeps the results; a second scan asks only what changed. The cache if not given.",
    ),
    values.Writes(("scan.json",)),
]
Timeout = Annotated[float, typer.Option(callback=values.seconds, help="Seconds a function may take for one question.")]
TotalTimeout = Annotated[
    float, typer.Option(callback=values.seconds_or_none, help="Seconds for all questions to one function.")
]
StartTimeout = Annotated[float, typer.Option(callback=values.seconds, help="Seconds that importing a file may take.")]
Memory = Annotated[float, typer.Option(callback=values.gib, help="GiB of memory a function's process may hold.")]
Environment = Annotated[
    str, typer.Option(callback=values.environment, help="current, or the path of a Python or of a virtual environment.")
]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with", metavar="REQUIREMENT", help="Run the functions in an environment with this package; may be repeated."
    ),
]
Include = Annotated[list[str] | None, typer.Option(metavar="GLOB", help="Only files whose name fits; may be repeated.")]
Exclude = Annotated[
    list[str] | None, typer.Option(metavar="GLOB", help="Not these files and folders; may be repeated.")
]
Jobs = Annotated[int, typer.Option(min=1, help="Functions that are audited at the same time.")]
FailOn = Annotated[
    str,
    typer.Option(
        help="The least severity that gives exit code 1: error (one metric name with several definitions, a definition "
        "that is not that of the name, one that does not hold at size, ...), warning or note."
    ),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Ask everything anew.")]
AllowFailed = Annotated[
    bool,
    typer.Option("--allow-failed", help="Functions and files that could not be asked or read do not give exit code 2."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before running code; in CI nothing is asked.")]


def scan_command(
    path: ScannedPath,
    list_only: List = False,
    json_file: Json = None,
    sarif_file: Sarif = None,
    format: Format = "text",
    out: Out = None,
    include: Include = None,
    exclude: Exclude = None,
    environment: Environment = "current",
    with_: With = None,
    timeout: Timeout = 10.0,
    total_timeout: TotalTimeout = 120.0,
    start_timeout: StartTimeout = 60.0,
    memory: Memory = 4.0,
    jobs: Jobs = JOBS,
    fail_on: FailOn = "error",
    fresh: Fresh = False,
    force: options.Force = False,
    allow_failed: AllowFailed = False,
    yes: Yes = False,
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
) -> None:
    """Find every function that looks like a metric, and find out what each really computes.

    Exit code 0: nothing to say; 1: findings as severe as --fail-on; 2: could not scan, or a function could not be
    asked or a file not be read (unless --allow-failed); 130: interrupted.
    """
    from metric_harness.naming.workers import resolve_interpreter
    from metric_harness.scanning.groups import failing
    from metric_harness.scanning.scan import ScanRequest, scan
    from metric_harness.scanning.store import default_folder

    values.one_of("--format", format, FORMATS)
    values.one_of("--fail-on", fail_on, SEVERITIES)
    if not path.exists():
        raise HarnessError(f"{path}: no such file or folder")
    resolve_interpreter(environment)  # an unusable Python would fail every function
    audit_options = Options(
        environment=environment,
        timeout=timeout,
        memory=int(memory * 2**30),
        with_=tuple(with_ or ()),
        total_timeout=total_timeout,
        start_timeout=start_timeout,
        bytecode=False,
    )
    reporter = Reporter(quiet, verbose=verbose)
    folder = out or default_folder(path)
    if not list_only:
        reporter.say(NOTICE)
        if not (yes or quiet or unattended()) and not typer.confirm("Go on?", default=True, err=True):
            raise typer.Exit(0)
    try:
        request = ScanRequest(
            path=path,
            out=folder,
            include=include or (),
            exclude=exclude or (),
            list_only=list_only,
            jobs=jobs,
            fresh=fresh,
        )
        record = scan(request, audit_options, reporter)
    except KeyboardInterrupt:
        say(f"Interrupted. The same command goes on from what is in {folder}.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    record = validate_scan(record)
    if not list_only and out is None:
        write_atomically(folder / "scan.json", to_json(record) + "\n")
    elif not list_only:
        write_output(folder / "scan.json", to_json(record) + "\n", force=force)
    for name, file in (("json", json_file), ("sarif", sarif_file)):
        if file is not None:
            write_output(file, rendered(record, name), force=force)
    show(record, format, verbose)
    failed = sum(row["state"] == "failed" for row in record["functions"])
    unread = len(record["files"]["unread"])
    if (failed or unread) and not allow_failed:
        raise HarnessError(
            f"{path}: {count(failed, 'function')} could not be asked and {count(unread, 'file')} could not be read; "
            "the rest was scanned; --allow-failed lets that pass"
        )
    if failing(record["functions"], fail_on):
        raise typer.Exit(FINDINGS)


def unattended() -> bool:
    """Whether nobody can confirm: in CI, or without a terminal."""
    return bool(os.environ.get("CI")) or not (sys.stdin.isatty() and sys.stderr.isatty())


def show(record: Scan, format: str, verbose: bool) -> None:
    """Write a scan to standard output."""
    from metric_reports.audit.scan_text import scan_lines

    if format != "text":
        echo(rendered(record, format), end="")
        return
    console = Console()
    for line in scan_lines(record, console.width, verbose):
        console.print(line, soft_wrap=True, highlight=False)


def rendered(record: Scan, format: str) -> str:
    """A scan as one text."""
    if format == "json":
        return to_json(record) + "\n"
    if format == "markdown":
        from metric_reports.audit.scan_text import render_scan_markdown

        return render_scan_markdown(record)
    subjects: list[Subject] = [
        {**subject, "target": target_of(row, subject)} for row in record["functions"] for subject in row["subjects"]
    ]
    from metric_reports.audit.ci import render_sarif

    audit: Audit = {
        "schema_version": record["schema_version"],
        "subjects": subjects,
        "harness": record["harness"],
    }
    return render_sarif(audit, explained_rules()) + "\n"


def target_of(function: Function, subject: Subject) -> str:
    """The target of a subject, relative to the scanned folder, so that SARIF is the same on every machine."""
    from metric_reports.audit.scan_text import name_of

    return f"{function['file']}:{name_of(function, subject)}"

"""``metric-harness audit``: which variant a function really computes, in seven formats, with exit codes for CI."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from metric_harness.cli import options, values
from metric_harness.cli.exit_codes import FINDINGS, INTERRUPTED
from metric_harness.naming.findings.rules import SEVERITIES, rules
from metric_harness.naming.options import AUTO, Options
from metric_harness.system.errors import HarnessError
from metric_harness.system.limits import require_cutoffs
from metric_harness.system.outputs import write_output
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import Console, echo, to_json
from metric_reference.variant import RANKING
from metric_reports.audit.issue import issues
from metric_reports.audit.text import audit_lines, plain
from metric_reports.record import validate_audit
from metric_reports.types.audit import Audit, Subject
from metric_reports.types.common import VERIFIED, Finding

QUESTION_SECONDS, IMPORT_SECONDS, LEAST_IMPORT_SECONDS = 10.0, 300.0, 10.0
"""Default time limits of a question and of an import, and the least that --timeout leaves an import."""
FORMATS = ("text", "json", "issue", "sarif", "github", "markdown", "html")
ALWAYS = ("EXP001", "CMP001")
"""Findings that answer what the user asked: --select cannot leave them out."""

EXAMPLES = """
[bold]Examples[/bold]

metric-harness audit recommenders:map_at_k

metric-harness audit recbole==1.2.0

metric-harness audit metrics.py:ndcg --expect "ndcg(gain=linear)"

metric-harness audit metrics.py:ndcg --repair "ndcg(gain=linear)"

metric-harness audit my_pkg.metrics:map_at_k --compare recbole:MAP

metric-harness audit metrics.py:ndcg --fail-on error --format github

metric-harness audit metrics.py:ndcg --format issue --out issue.md
"""

Text = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="A library (recbole), a version (recbole==1.2.0), one of its functions (recommenders:map_at_k), your own "
        "(metrics.py:ndcg, my_pkg.metrics:ndcg, metrics.py:Class.method, one result of several: "
        "metrics.py:evaluate[recall@5]), or exec:PROGRAM.",
    ),
]
Metric = Annotated[str | None, typer.Option(help=f"What it claims to be: {', '.join(RANKING)}.")]
Convention = Annotated[
    str | None,
    typer.Option(
        help="How your function is called, e.g. relevant,recommended:sets; found out if not given. "
        "`metric-harness explain conventions` lists all."
    ),
]
Expect = Annotated[
    str | None, typer.Option(metavar="VARIANT", help='The definition it should follow, e.g. "ndcg(gain=linear)".')
]
Compare = Annotated[
    str | None, typer.Option(metavar="TARGET", help="Hold it against another: the same, or a case where they differ.")
]
Repair = Annotated[
    str | None,
    typer.Option(
        metavar="VARIANT",
        help="Look for the smallest change of its source that makes your function this definition, and print it as a "
        'diff, e.g. "ndcg(gain=linear)"; with what it does at edges: "recall|norel:0".',
    ),
]
Apply = Annotated[bool, typer.Option("--apply", help="Write the change that --repair finds to the file.")]
Select = Annotated[
    list[str] | None, typer.Option(metavar="CODES", help="Only these findings: codes or their beginnings, by commas.")
]
Ignore = Annotated[list[str] | None, typer.Option(metavar="CODES", help="Not these findings.")]
Accept = Annotated[
    str,
    typer.Option(
        help='What the name must rest on for --expect to hold: "verified", or less: "verified in part", "probes only".'
    ),
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Every finding with its case, and how the function is called, in full.")
]
FailOn = Annotated[str, typer.Option(help="The least severity that gives exit code 1: error, warning or note.")]
Format = Annotated[str, typer.Option(help=f"{', '.join(FORMATS)}.")]
Out = Annotated[
    Path | None,
    typer.Option(
        callback=values.file_to_write, help="Write there; standard output then gets the text, with --quiet nothing."
    ),
]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="REQUIREMENT",
        help="Ask your function in an environment built with this package, e.g. numpy==1.26.4; may be repeated. "
        "auto: with those that its errors name.",
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        callback=values.seconds,
        help=f"Seconds for one question, and for the import (for that at least {LEAST_IMPORT_SECONDS:g}); "
        f"{QUESTION_SECONDS:g} and {IMPORT_SECONDS:g} if not given.",
    ),
]
Memory = Annotated[float, typer.Option(callback=values.gib, help="GiB of memory the function's process may hold.")]


def audit_command(
    target: Text,
    metric: Metric = None,
    convention: Convention = None,
    expect: Expect = None,
    accept: Accept = VERIFIED,
    compare: Compare = None,
    repair: Repair = None,
    apply: Apply = False,
    select: Select = None,
    ignore: Ignore = None,
    fail_on: FailOn = "warning",
    format: Format = "text",
    out: Out = None,
    force: options.Force = False,
    environment: options.Environment = "isolated",
    with_: With = None,
    timeout: Timeout = None,
    memory: Memory = 4.0,
    adapters: options.Adapters = None,
    dry_run: options.DryRun = False,
    verbose: Verbose = False,
    quiet: options.Quiet = False,
) -> None:
    """Find out what a function, or every metric function of a library, really computes.

    Exit code 0: nothing to say; 1: findings as severe as --fail-on, not the definition expected, two functions that
    differ, or no small change that repairs; 2: could not audit; 130: interrupted.
    """
    from metric_harness.naming.api import audit, definition

    values.one_of("--fail-on", fail_on, SEVERITIES)
    values.one_of("--format", format, FORMATS)
    selected, ignored = codes("--select", options.joined(select)), codes("--ignore", options.joined(ignore))
    if expect is not None and compare is not None:
        raise HarnessError("--expect and --compare are two questions; give one of them")
    if repair is not None and (expect is not None or compare is not None):
        raise HarnessError("--repair audits the function itself; leave --expect and --compare out")
    if repair is not None and format not in ("text", "json"):
        raise HarnessError(f"--repair prints text or json, not {format}")
    if apply and repair is None:
        raise HarnessError("--apply writes the change that --repair finds; give --repair VARIANT")
    question_seconds, import_seconds = time_limits(timeout)
    expected = None if expect is None else definition(expect)
    require_cutoffs([expected.k] if expected is not None and expected.k is not None else [], "--expect: k")
    audit_options = Options(
        metric,
        convention,
        expected,
        environment,
        memory=int(memory * 2**30),
        adapters=tuple(adapters or ()),
        accept=accept,
        with_=tuple(with_ or ()),
        timeout=question_seconds,
        start_timeout=import_seconds,
    )
    if dry_run:
        for text in filter(None, (target, compare)):
            echo("\n".join(target_lines(text, audit_options)))
        return
    reporter = Reporter(quiet)
    if repair is not None:
        repair_function(target, repair, apply, audit_options, reporter, format, out, force)
        return
    try:
        if compare is None:
            record = audit(target, audit_options, reporter).to_json()
        else:
            from metric_harness.naming.two_functions import compare_targets

            record = compare_targets(target, compare, audit_options, reporter)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    no_numbers = "same" not in record and without_numbers(record)
    record = selected_findings(record, selected, ignored)
    if out is not None or format != "text":  # data for other programs must fit the schema
        validate_audit(record)
    if out is not None:
        write_output(out, rendered(record, format, verbose) + "\n", force=force)
    show(record, format, out, quiet, verbose)
    if format == "text" and compare is None and selected is None and (verbose or len(record["subjects"]) == 1):
        for line in odd_input_lines(target, audit_options):
            echo(line)
    if no_numbers:
        raise HarnessError(f"{target}: no probe got a number, so it could not be audited")
    if failed(record, fail_on):
        raise typer.Exit(FINDINGS)


def repair_function(
    target: str,
    wanted: str,
    apply: bool,
    options: Options,
    reporter: Reporter,
    format: str,
    out: Path | None,
    force: bool,
) -> None:
    """Print the smallest change that repairs a function; exit code 1 if no small change does."""
    from metric_harness.naming.repair import read_wanted, repaired
    from metric_reports.audit.repair import repair_lines

    asked = read_wanted(wanted)
    try:
        record = repaired(target, asked, options, reporter, apply=apply)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    validate_audit(record)
    if out is not None:
        text = "\n".join(line.plain.rstrip() for line in repair_lines(record))
        write_output(out, (to_json(record) if format == "json" else text) + "\n", force=force)
    if out is None and format == "json":
        echo(to_json(record))
    elif out is None or not reporter.quiet:
        console = Console()
        for line in repair_lines(record, console.width):
            console.print(line, soft_wrap=True, highlight=False)
    if record["subjects"][0]["repair"]["outcome"] == "none":
        raise typer.Exit(FINDINGS)


def time_limits(timeout: float | None) -> tuple[float, float]:
    """The seconds of a question and of an import that --timeout stands for."""
    if timeout is None:
        return QUESTION_SECONDS, IMPORT_SECONDS
    return timeout, max(timeout, LEAST_IMPORT_SECONDS)


def target_lines(text: str, options: Options) -> list[str]:
    """What an audit of a target would need and run, a line for each. HarnessError for a text that is no target."""
    from metric_harness.libraries.describe import find_usable
    from metric_harness.libraries.dry_run import environment_line, release_lines
    from metric_harness.libraries.git_sources import parse_sources
    from metric_harness.naming.target import parse_target
    from metric_harness.naming.with_packages import release_with
    from metric_harness.naming.workers import resolve_interpreter

    known, broken = find_usable(options.adapters)
    target = parse_target(text, known, broken)
    if target.library is not None and target.release is not None:
        functions = [target.function] if target.function else None
        sources = parse_sources(options.sources, [*known, *broken])
        return release_lines(target.library, target.release, options.environment, sources, functions)
    if target.command:
        return [text, f"    would run    {' '.join(target.command)}"]
    if AUTO in options.with_:
        return [text, "    environment  built with the packages that its errors name", f"    would run    {target.own}"]
    if options.with_:
        environment = environment_line(*release_with(options.with_), "isolated")
    else:
        environment = f"{resolve_interpreter(options.environment)}, as it is"
    return [text, f"    environment  {environment}", f"    would run    {target.own}, and whatever its import runs"]


def odd_input_lines(text: str, options: Options) -> Iterator[str]:
    """The recorded answers of a library, or one function of it, to odd inputs; none for a function of the user."""
    from metric_harness.naming.target import read_target

    target = read_target(text, options.adapters)
    if target.library is None:
        return
    from metric_harness.recordings.odd_inputs import lines_of, read_odd_inputs

    page = read_odd_inputs(target.library)
    if page is None:
        return
    lines = lines_of([row for row in page["answers"] if target.function in (None, row["function"])])
    if lines:
        yield f"\nOdd inputs, as {page['release']} answered on {page['date']}:"
    for line in lines:
        yield f"  {line['about']}: {', '.join(line['functions'])}: {line['said']}"


def codes(option: str, text: str | None) -> tuple[str, ...] | None:
    """The codes, or prefixes of codes, that an option lists; HarnessError for a prefix of no code."""
    if text is None:
        return None
    prefixes = tuple(prefix.strip().upper() for prefix in text.split(",") if prefix.strip())
    unknown = [prefix for prefix in prefixes if not any(code.startswith(prefix) for code in rules())]
    if unknown or not prefixes:
        unmatched = ", ".join(unknown) or "nothing"
        raise HarnessError(
            f"{option} {text}: no code begins with {unmatched}; `metric-harness explain rules` lists them"
        )
    return prefixes


def selected_findings(record: Audit, select: tuple[str, ...] | None, ignore: tuple[str, ...] | None) -> Audit:
    """The record with the findings that --select and --ignore leave."""

    def kept(findings: list[Finding]) -> list[Finding]:
        return [
            row
            for row in findings
            if (select is None or row["code"].startswith(select) or row["code"] in ALWAYS)
            and not (ignore and row["code"].startswith(ignore))
        ]

    subjects: list[Subject] = [{**subject, "findings": kept(subject["findings"])} for subject in record["subjects"]]
    if "findings" not in record:
        return {**record, "subjects": subjects}
    return {**record, "subjects": subjects, "findings": kept(record["findings"])}


def failed(record: Audit, fail_on: str) -> bool:
    """Whether a finding is severe enough for exit code 1; in a comparison, a finding on how the two differ."""
    grave = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    lists = [record["findings"]] if "same" in record else [subject["findings"] for subject in record["subjects"]]
    return any(row["severity"] in grave for findings in lists for row in findings)


def without_numbers(record: Audit) -> bool:
    """Whether no function returned a number for any probe."""
    return all(any(row["code"] == "ERR001" for row in subject["findings"]) for subject in record["subjects"])


def show(record: Audit, format: str, out: Path | None, quiet: bool, verbose: bool = False) -> None:
    """Print a record in a format; as text if a file got the format."""
    if out is None and format != "text":
        echo(rendered(record, format, verbose))
    elif not (out is not None and quiet):
        console = Console()
        for line in audit_lines(record, console.width, verbose):
            console.print(line, soft_wrap=True, highlight=False)


def rendered(record: Audit, format: str, verbose: bool = False) -> str:
    """A record as one text."""
    if format == "text":
        return plain(record, verbose=verbose)
    if format == "json":
        return to_json(record)
    if format == "issue":
        return issues(record)
    from metric_reports.audit.audit_page import render_audit_html, render_markdown
    from metric_reports.audit.ci import render_github, render_sarif

    if format == "sarif":
        return render_sarif(record, explained_rules())
    render = {"github": render_github, "markdown": render_markdown, "html": render_audit_html}
    return render[format](record).rstrip("\n")


def explained_rules() -> dict[str, dict[str, Any]]:
    """Every rule by its code: title, severity, why, advice."""
    return {code: asdict(rule) for code, rule in rules().items()}

"""The command line of metric-harness.

What only one command needs and takes long to import, it imports itself.
"""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.text import Text

from metric_harness.cli import conventions as cli_conventions
from metric_harness.cli import options
from metric_harness.cli import scan as cli_scan
from metric_harness.cli import variants as cli_variants
from metric_harness.cli.audit import EXAMPLES as EXAMPLES_OF_AUDITS
from metric_harness.cli.audit import audit_command
from metric_harness.cli.evaluate import EXAMPLES as EXAMPLES_OF_EVALUATE
from metric_harness.cli.evaluate import evaluate_command
from metric_harness.cli.libraries import (
    EXAMPLES_OF_LIBRARIES,
    EXAMPLES_OF_RECORD,
    choose,
    libraries_command,
    record_command,
)
from metric_harness.cli.report import Form, as_json, report_app
from metric_harness.identification.rules import rule, rules
from metric_harness.libraries.describe import find_libraries
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.version import __version__
from metric_reports.record import Record, write_atomically, write_record

FINDINGS, FAILED, INTERRUPTED = 1, 2, 130

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


EXAMPLES = """
[bold]Examples[/bold]

metric-harness compare

metric-harness compare --dataset ml-1m --libraries recbole,recommenders --k 5,10,20 --out out/ml-1m

metric-harness compare --recommendations pred.csv --truth test.csv --threshold 4

metric-harness compare --models ease,popularity,itemknn,random

metric-harness compare --environment current --libraries recommenders
"""


@app.command("compare", epilog=EXAMPLES)
def compare_command(
    dataset: options.Dataset = "ml-100k",
    ratings: options.Ratings = None,
    recommendations: options.Recommendations = None,
    truth: options.Truth = None,
    libraries: options.Libraries = None,
    releases: options.Releases = "newest",
    adapters: options.Adapters = None,
    source: options.Source = None,
    k: options.K = "20",
    out: options.Out = Path("out"),
    threshold: options.Threshold = None,
    split: options.Split = None,
    test_fraction: options.TestFraction = None,
    seed: options.Seed = None,
    regularisation: options.Regularisation = 0.5,
    float32: options.Float32 = False,
    models: options.Models = None,
    depth: options.Depth = None,
    environment: options.Environment = "isolated",
    timeout: options.Timeout = 600.0,
    memory: options.Memory = 8.0,
    fresh: options.Fresh = False,
    fail_on: options.FailOn = None,
    quiet: options.Quiet = False,
) -> None:
    """Compare the metrics of real libraries on one fixed split and write a report.

    Exit code 0: done; 1: done, and --fail-on found something; 2: could not run; 130: interrupted.
    """
    from metric_harness.cli.bundles import asked_bundles
    from metric_harness.comparison.compare import Settings, compare
    from metric_harness.comparison.models import models_section
    from metric_harness.libraries.git_sources import parse_sources
    from metric_harness.models.simple import parse_models
    from metric_reports.formats.terminal import print_table
    from metric_reports.view.models import print_models

    reporter = Reporter(quiet)
    ks = options.parse_ks(k)
    deep = depth or 2 * max(ks)
    if deep < max(ks):
        raise HarnessError(f"--depth {deep} is smaller than k = {max(ks)}; give at least {max(ks)}")
    if fail_on is not None and fail_on not in SEVERITY_RANK:
        raise HarnessError(f"--fail-on {fail_on}: give one of {', '.join(SEVERITY_RANK)}")
    known = find_libraries(adapters or [])
    chosen = choose(known, libraries, releases)
    sources = parse_sources(source or [], known)
    bundle, bundles = asked_bundles(
        dataset, ratings, recommendations, truth, out / "bundle", deep, threshold, split, test_fraction, seed,
        regularisation, reporter, parse_models(models), float32,
    )  # fmt: skip
    settings = Settings(ks, environment, timeout, int(memory * 2**30), fresh, sources)
    try:
        record = compare(bundle, chosen, settings, out, command=command_line(), reporter=reporter)
    except KeyboardInterrupt:
        interrupted(out)
    if bundles:
        with reporter.task("Comparing models"):
            record["models"] = models_section(record, bundles)
    write_all(record, out)
    print_table(record, Console())
    print_models(record, Console())
    typer.echo(f"\nReport: {out / 'report.html'}")
    worst = min((SEVERITY_RANK[finding["severity"]] for finding in record["findings"]), default=len(SEVERITY_RANK))
    if fail_on is not None and worst <= SEVERITY_RANK[fail_on]:
        raise typer.Exit(FINDINGS)


SEVERITY_RANK = {"error": 0, "warning": 1, "note": 2}


def command_line() -> str:
    """The command under way, as one would type it."""
    return shlex.join(["metric-harness", *sys.argv[1:]])


def interrupted(out: Path) -> NoReturn:
    """Say how to go on, and end."""
    typer.echo(f"Interrupted. The same command goes on from what is in {out}.", err=True)
    raise typer.Exit(INTERRUPTED) from None


def write_all(record: Record, out: Path) -> None:
    """Write a finished record in its three forms."""
    from metric_reports.formats.csv import render_csv
    from metric_reports.html.page import render_html

    write_record(record, out / "run.json")
    write_atomically(out / "results.csv", render_csv(record))
    write_atomically(out / "report.html", render_html(record))


EXAMPLES_OF_PAPER = """
[bold]Examples[/bold]

metric-harness paper

metric-harness paper --dataset ml-10m --out out/paper

metric-harness paper --recommendations pred.csv --truth test.csv --source elliot=../elliot
"""


@app.command("paper", epilog=EXAMPLES_OF_PAPER)
def paper_command(
    dataset: options.Dataset = "ml-100k",
    ratings: options.Ratings = None,
    recommendations: options.Recommendations = None,
    truth: options.Truth = None,
    source: options.Source = None,
    k: Annotated[int, typer.Option(min=1, help="Cut-off; the paper's is 20.")] = 20,
    out: options.Out = Path("out/paper"),
    threshold: options.Threshold = None,
    environment: options.Environment = "isolated",
    timeout: options.Timeout = 600.0,
    memory: options.Memory = 8.0,
    fresh: options.Fresh = False,
    quiet: options.Quiet = False,
) -> None:
    """Repeat the comparison of Tamm, Damdinov & Vasilev (RecSys 2021): its tables beside what ran here.

    Asks all eleven libraries, the release that the paper used and the newest one. The authors' data are MovieLens-10M;
    on other data their numbers cannot come out, and what is compared is which libraries agree and in which order.

    Exit code 0: done; 1: done, and a cell contradicts the paper; 2: could not run; 130: interrupted.
    """
    from metric_harness.cli.bundles import asked_bundle
    from metric_harness.comparison.compare import Settings, compare
    from metric_harness.libraries.git_sources import parse_sources
    from metric_harness.paper.tables import CONTRADICTED, libraries_of_paper, paper_section
    from metric_reports.formats.paper_text import print_paper

    reporter = Reporter(quiet)
    known = find_libraries([])
    chosen = choose(known, ",".join(libraries_of_paper()), "all")
    sources = parse_sources(source or [], known)
    bundle = asked_bundle(
        dataset, ratings, recommendations, truth, out / "bundle", 2 * k, threshold, None, None, None, 0.5, reporter
    )
    settings = Settings((k,), environment, timeout, int(memory * 2**30), fresh, sources)
    try:
        record = compare(bundle, chosen, settings, out, command=command_line(), reporter=reporter)
    except KeyboardInterrupt:
        interrupted(out)
    record["paper"] = paper_section(record, bundle, chosen, k)
    write_all(record, out)
    print_paper(record["paper"], Console())
    typer.echo(f"\nReport: {out / 'report.html'}")
    cells = (cell for table in record["paper"]["tables"] for row in table["rows"] for cell in row["cells"].values())
    if any(cell["verdict"] == CONTRADICTED for cell in cells):
        raise typer.Exit(FINDINGS)


app.command("libraries", epilog=EXAMPLES_OF_LIBRARIES)(libraries_command)
app.command("record", epilog=EXAMPLES_OF_RECORD)(record_command)


@app.command("explain", epilog="[bold]Example[/bold]: metric-harness explain AP003")
def explain_command(code: options.Code = None) -> None:
    """Explain a rule code: what it means, why it matters, what to do."""
    if code is None:
        for each in rules().values():
            typer.echo(f"{each.code:8} {each.severity:8} {each.title}")
        return
    found = rule(code.upper())
    typer.echo(f"{found.code} ({found.severity}): {found.title}\n\n{found.why}\n\nWhat to do: {found.advice}")


def forms() -> dict[str, Form]:
    """The forms of a record, by format."""
    from metric_harness.audit_text.cases import case_lines
    from metric_reports.formats.csv import render_csv
    from metric_reports.formats.latex import render_latex
    from metric_reports.formats.markdown import render_markdown
    from metric_reports.formats.sarif import render_sarif
    from metric_reports.html.page import render_html

    told = {code: asdict(each) for code, each in rules().items()}
    return {
        "html": render_html, "markdown": render_markdown, "csv": render_csv, "json": as_json, "latex": render_latex,
        "sarif": lambda record: render_sarif(record, told, case_lines),
    }  # fmt: skip


def comparing() -> tuple[Callable[[Record, Record], Record], dict[str, Form]]:
    """What compares two records, and the forms of what changed."""
    from metric_reports.formats.diff_text import render_markdown, render_text
    from metric_reports.view.diff import diff_records

    return diff_records, {"text": render_text, "markdown": render_markdown, "json": as_json}


app.add_typer(report_app(forms, comparing), name="report")


def renderers() -> dict[str, Callable[..., str]]:
    """The formats of an audit, and that of a scan, that are made outside the harness."""
    from metric_reports.formats.audit_ci import render_github, render_sarif
    from metric_reports.formats.audit_page import render_audit_html, render_markdown
    from metric_reports.formats.scan import render_scan_markdown as scan

    in_ci: dict[str, Callable[..., str]] = {"sarif": render_sarif, "github": render_github}
    return {**in_ci, "markdown": render_markdown, "html": render_audit_html, "scan": scan}


app.command("scan", epilog=cli_scan.EXAMPLES)(cli_scan.scan_command(renderers))
app.command("variants", epilog=cli_variants.EXAMPLES)(cli_variants.variants_command)
app.command("conventions", epilog=cli_conventions.EXAMPLES)(cli_conventions.conventions_command)
app.command("evaluate", epilog=EXAMPLES_OF_EVALUATE)(evaluate_command)
app.command("audit", epilog=EXAMPLES_OF_AUDITS)(audit_command(renderers))


def main() -> None:
    """Run the command line; an error that the user can mend is one line and exit code 2."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # workers are closed on the way out, as after Ctrl-C
    try:
        app()
    except HarnessError as error:
        said = Text.assemble(("error", "bold red"), f": {error}")  # not markup: a name may hold [brackets]
        Console(stderr=True).print(said, soft_wrap=True, highlight=False)
        raise SystemExit(FAILED) from None

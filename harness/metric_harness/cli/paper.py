"""``metric-harness paper``: the comparison of Tamm, Damdinov & Vasilev (RecSys 2021) repeated."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from metric_harness.cli import options, values
from metric_harness.cli.exit_codes import FINDINGS
from metric_harness.cli.libraries import choose
from metric_harness.cli.records import command_line, interrupted, write_all
from metric_harness.system.locks import only_run_in
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import Console, echo

EXAMPLES = """
[bold]Examples[/bold]

metric-harness paper

metric-harness paper --dataset ml-10m --out out/paper

metric-harness paper --recommendations pred.csv --truth test.csv --source elliot=../elliot
"""


def paper_command(
    dataset: options.Dataset = "ml-100k",
    ratings: options.Ratings = None,
    recommendations: options.Recommendations = None,
    truth: options.Truth = None,
    source: options.Source = None,
    k: Annotated[int, typer.Option(callback=values.length, help="Cut-off; the paper's is 20.")] = 20,
    out: options.Out = Path("out/paper"),
    threshold: options.Threshold = None,
    environment: options.Environment = "isolated",
    timeout: options.Timeout = 600.0,
    memory: options.Memory = 8.0,
    jobs: options.Jobs = None,
    fresh: options.Fresh = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Repeat the comparison of Tamm, Damdinov & Vasilev (RecSys 2021): its tables beside what ran here.

    Asks all eleven libraries, the release that the paper used and the newest one. The authors' data are MovieLens-10M;
    on other data their numbers cannot come out, and what is compared is which libraries agree and in which order.

    Exit code 0: done; 1: done, and a cell contradicts the paper; 2: could not run; 130: interrupted.
    """
    from metric_harness.cli.bundles import BundleRequest, requested_bundles
    from metric_harness.comparison.compare import Settings, compare
    from metric_harness.libraries.describe import find_libraries
    from metric_harness.libraries.git_sources import parse_sources
    from metric_harness.paper.tables import CONTRADICTED, libraries_of_paper, paper_section
    from metric_reports.formats.paper_text import print_paper, print_short

    reporter = Reporter(quiet, verbose=verbose)
    known = find_libraries([])
    chosen = choose(known, ",".join(libraries_of_paper()), "all")
    sources = parse_sources(source or [], known)
    request = BundleRequest(
        folder=out / "bundle",
        depth=2 * k,
        dataset=dataset,
        ratings=ratings,
        recommendations=recommendations,
        truth=truth,
        threshold=threshold,
    )
    settings = Settings((k,), environment, timeout, int(memory * 2**30), fresh, sources, jobs=jobs)
    with only_run_in(out):
        bundle, _ = requested_bundles(request, reporter)
        try:
            record = compare(bundle, chosen, settings, out, command=command_line(), reporter=reporter)
        except KeyboardInterrupt:
            interrupted(out)
        record["paper"] = paper_section(record, bundle, chosen, k)
        write_all(record, out, force)
    (print_paper if verbose else print_short)(record["paper"], Console())
    echo(f"Report: {out / 'report.html'}")
    cells = (cell for table in record["paper"]["tables"] for row in table["rows"] for cell in row["cells"].values())
    if any(cell["verdict"] == CONTRADICTED for cell in cells):
        raise typer.Exit(FINDINGS)

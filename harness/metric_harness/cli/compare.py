"""``metric-harness compare``: the metrics of real libraries on one fixed split."""

from __future__ import annotations

from pathlib import Path

import typer

from metric_harness.cli import options, values
from metric_harness.cli.exit_codes import FINDINGS
from metric_harness.cli.libraries import asked_live, choose, print_unusable, set_aside
from metric_harness.cli.matching import Strict
from metric_harness.cli.records import command_line, interrupted, write_all
from metric_harness.system.errors import HarnessError
from metric_harness.system.locks import only_run_in
from metric_harness.system.pip_settings import ask_pip_early
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import Console, echo

EXAMPLES = """
[bold]Examples[/bold]

metric-harness compare

metric-harness compare --dataset ml-1m --libraries recbole,recommenders --k 5,10,20 --out out/ml-1m

metric-harness compare --recommendations pred.csv --truth test.csv --threshold 4

metric-harness compare --models ease,popularity,itemknn,random

metric-harness compare --models ease

metric-harness compare --environment current --libraries recommenders
"""


SEVERITY_RANK = {"error": 0, "warning": 1, "note": 2}


def compare_command(
    dataset: options.Dataset = "ml-100k",
    ratings: options.Ratings = None,
    recommendations: options.Recommendations = None,
    truth: options.Truth = None,
    libraries: options.Libraries = None,
    live: options.Live = None,
    releases: options.Releases = "newest",
    adapters: options.Adapters = None,
    source: options.Source = None,
    k: options.K = None,
    out: options.Out = Path("out"),
    threshold: options.Threshold = None,
    split: options.Split = None,
    test_fraction: options.TestFraction = None,
    seed: options.Seed = None,
    regularisation: options.Regularisation = 0.5,
    float32: options.Float32 = False,
    models: options.Models = None,
    depth: options.Depth = None,
    strict: Strict = False,
    environment: options.Environment = "isolated",
    timeout: options.Timeout = 600.0,
    memory: options.Memory = 8.0,
    jobs: options.Jobs = None,
    fresh: options.Fresh = False,
    force: options.Force = False,
    fail_on: options.FailOn = None,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Compare the metrics of real libraries on one fixed split and write a report.

    Exit code 0: done; 1: done, and --fail-on found something; 2: could not run; 130: interrupted.
    """
    ask_pip_early()
    from metric_harness.cli.bundles import BundleRequest, data_line, requested_bundles
    from metric_harness.comparison.compare import Settings, add_models, compare
    from metric_harness.libraries.describe import find_usable
    from metric_harness.libraries.dry_run import release_lines
    from metric_harness.libraries.git_sources import parse_sources
    from metric_harness.models.simple import parse_models
    from metric_reports.formats.screen import print_screen
    from metric_reports.formats.terminal import print_table
    from metric_reports.view.models import print_models

    reporter = Reporter(quiet, verbose=verbose)
    ks = options.parse_ks(k)
    list_length = 2 * max(ks) if depth is None else depth
    if list_length < max(ks):
        raise HarnessError(f"--depth {list_length} is smaller than k = {max(ks)}; give at least {max(ks)}")
    if fail_on is not None:
        values.one_of("--fail-on", fail_on, SEVERITY_RANK)
    known, broken = find_usable(adapters or [])
    wanted, unusable = set_aside(options.joined(libraries), broken)
    chosen, live_keys = choose(known, wanted, releases), asked_live(known, wanted, live)
    sources = parse_sources(source or [], [*known, *broken])
    print_unusable(unusable)
    own_lists = recommendations or truth  # without training data no model can be fitted
    request = BundleRequest(
        folder=out / "bundle",
        depth=list_length,
        dataset=dataset,
        ratings=ratings,
        recommendations=recommendations,
        truth=truth,
        threshold=threshold,
        method=split,
        test_fraction=test_fraction,
        seed=seed,
        regularisation=regularisation,
        float32=float32,
        strict=strict,
        models=parse_models(options.joined(models)) if models or own_lists is None else (),
    )
    if dry_run:
        plan_lines = (
            line for pair in chosen for line in release_lines(*pair, environment, sources) if pair[0].key in live_keys
        )
        echo("\n".join([data_line(request), *plan_lines, f"Results would be written to {out}"]))
        return
    settings = Settings(ks, environment, timeout, int(memory * 2**30), fresh, sources, live_keys, jobs)
    with only_run_in(out):
        bundle, bundles = requested_bundles(request, reporter)
        try:
            record = compare(
                bundle, chosen, settings, out, unusable=unusable, command=command_line(), reporter=reporter
            )
        except KeyboardInterrupt:
            interrupted(out)
        if bundles:
            with reporter.task("Comparing models"):
                add_models(record, bundles, out, fresh)
        write_all(record, out, force)
    if verbose:
        print_table(record, Console())
        print_models(record, Console())
    else:
        print_screen(record, Console())
    echo(f"Report: {out / 'report.html'}")
    worst = min((SEVERITY_RANK[finding["severity"]] for finding in record["findings"]), default=len(SEVERITY_RANK))
    if fail_on is not None and worst <= SEVERITY_RANK[fail_on]:
        raise typer.Exit(FINDINGS)

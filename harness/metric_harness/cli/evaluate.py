"""``metric-harness evaluate``: every variant on the user's files, of any size, and which library's number each is."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.text import Text

from metric_harness.cli import options, values
from metric_harness.cli.exit_codes import INTERRUPTED
from metric_harness.cli.matching import Strict, say_matching, unused
from metric_harness.cli.sampled_page import print_sampled, sampled_page
from metric_harness.cli.variant_listing import parse
from metric_harness.system.errors import HarnessError
from metric_harness.system.outputs import keep_output, write_output
from metric_harness.system.progress import Reporter
from metric_harness.system.terminal import Console, echo
from metric_reference.catalogue import CATALOGUE
from metric_reference.signatures.read import parse as parse_signature
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant
from metric_reports.versions import SCHEMA_VERSION
from metric_reports.view.table import span
from metric_reports.view.words import aligned, fitted, in_order, label

if TYPE_CHECKING:
    from metric_harness.data.database import Database
    from metric_harness.evaluation.evaluate import Evaluation
    from metric_harness.evaluation.ranked_items import RankedItems
    from metric_harness.evaluation.request import EvaluationRequest, Resources
    from metric_harness.evaluation.sampled import SampledEvaluation

EXAMPLES = """
[bold]Examples[/bold]

metric-harness evaluate --recommendations pred.parquet --truth test.parquet --k 5,10,20

metric-harness evaluate --recommendations parts/ --truth test.csv --variants "ndcg,average_precision(divide_by=k)"

metric-harness evaluate --recommendations pred.csv --truth test.csv --by-user users.parquet --json values.json

metric-harness evaluate --ranks ranks.parquet --k 10

metric-harness evaluate --scores scores.parquet --truth test.csv --train train.csv --negatives 99,100
"""
HEAD = ("metric", "value", "all variants", "definition")
MAX_LINES = 28
"""Values, or metrics, that fit on one screen."""
MOST_LIBRARIES = 4
"""Libraries shown beside a value in the terminal; --json has all."""

Recommendations = Annotated[
    Path | None,
    typer.Option(
        callback=values.read_from,
        help="Your lists: .csv or .parquet, or a folder of parquet parts; user, item, and score or rank.",
    ),
]
Truth = Annotated[
    Path | None,
    typer.Option(
        callback=values.read_from, help="Test interactions, likewise; user, item, and rating if there is one."
    ),
]
Variants = Annotated[
    list[str] | None,
    typer.Option(help="Printed forms, by commas or the option repeated; all of the catalogue if not given."),
]
ByUser = Annotated[
    Path | None, typer.Option(callback=values.file_to_write, help="Write each user's own values here (parquet).")
]
Users = Annotated[
    Literal["both", "truth", "recommended", "all"],
    typer.Option(help="Who counts: users of both files, of the truth, of the recommendations, or of any."),
]
Engine = Annotated[Literal["local", "spark"], typer.Option(help="local, or Spark (metric-harness\\[spark]).")]
Memory = Annotated[float, typer.Option(callback=values.gib, help="GiB for the buffers of the local engine.")]
Work = Annotated[
    Path | None,
    typer.Option(
        callback=values.folder_to_write,
        help="Folder for temporary files of the local engine; the cache if not given.",
    ),
]
Ranks = Annotated[
    Path | None,
    typer.Option(
        callback=values.read_from,
        help="The rank of each relevant item among all candidates instead: user, item, rank, candidates; says what "
        "metrics would be among drawn negatives. For popularity also weight_above and weight: of the items that may be "
        "drawn, those above and all.",
    ),
]
Scores = Annotated[
    Path | None,
    typer.Option(
        callback=values.read_from,
        help="The scores of all candidates instead, with --truth: user, item, score; says the same as --ranks.",
    ),
]
Train = Annotated[
    Path | None,
    typer.Option(callback=values.read_from, help="With --scores: the interactions that make an item popular."),
]
Negatives = Annotated[
    str | None,
    typer.Option(help="With --ranks or --scores: how many negatives are drawn, by commas; 99,100 if not given."),
]
Per = Annotated[
    Literal["user", "item"],
    typer.Option(
        help="With --ranks or --scores: negatives are drawn once for all relevant items of a user, or for each alone."
    ),
]
K = Annotated[list[str] | None, options.cutoffs("10")]
Json = Annotated[
    Path | None, typer.Option("--json", callback=values.file_to_write, help="Write the values here, as JSON.")
]


def evaluate_command(
    recommendations: Recommendations = None,
    truth: Truth = None,
    variants: Variants = None,
    k: K = None,
    threshold: options.Threshold = None,
    users: Users = "both",
    by_user: ByUser = None,
    engine: Engine = "local",
    memory: Memory = 2.0,
    work: Work = None,
    json_file: Json = None,
    strict: Strict = False,
    force: options.Force = False,
    ranks: Ranks = None,
    scores: Scores = None,
    train: Train = None,
    negatives: Negatives = None,
    per: Per = "user",
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
) -> None:
    """Evaluate every variant on your own lists, of any size, and say which library's number each would be.

    Ids of both files are compared in one form, by the types of their columns. Exit code 0: done; 2: could not run.
    """
    from metric_harness.evaluation.request import EvaluationRequest, Resources

    reporter = Reporter(quiet, verbose=verbose)
    if ranks is not None or scores is not None:
        for given, option in ((recommendations, "--recommendations"), (variants, "--variants"), (by_user, "--by-user")):
            if given is not None:
                raise HarnessError(f"{option}: it does not go together with --ranks or --scores")
        scored = files_of_scores(ranks, scores, truth, train, threshold)
        wanted = whole_numbers("--negatives", negatives or "99,100"), per, options.parse_ks(k, "10")
        resources = Resources(memory=int(memory * 2**30), work=work)
        found = run_sampled(engine, scored, wanted, threshold, strict, resources, reporter)
        paths = {name: str(path) for name, path in scored.items()} | {"engine": engine}
        page = sampled_page(found, paths, per, threshold if threshold is not None and threshold > 0 else None)
        write_json(json_file, page, force)
        if found.items.overlap is not None:
            say_matching(found.items.overlap.page("both"))
        print_sampled(page, Console(), verbose)
        return
    if recommendations is None or truth is None:
        raise HarnessError("give --recommendations with --truth; or --ranks; or --scores with --truth")
    if train is not None or negatives is not None:
        raise HarnessError("--train and --negatives: they need --ranks or --scores")
    requested = parse_variants(variants)
    ks = options.parse_ks(k, "10")
    try:
        request = EvaluationRequest(variants=requested, ks=ks, threshold=threshold, users=users, strict=strict)
        resources = Resources(memory=int(memory * 2**30), work=work)
        result = run(engine, recommendations, truth, request, by_user, resources, reporter)
    except KeyboardInterrupt:
        echo("Interrupted. Nothing was kept; the same command starts again.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if by_user is not None and by_user.is_file():  # Spark writes a folder, and never into one that exists
        keep_output(by_user)
    lowest = threshold if threshold is not None and threshold > 0 else None  # ratings up to 0 are never relevant
    files = {"recommendations": str(recommendations), "truth": str(truth), "engine": engine}
    page = as_page(result, requested, ks, files, {"users": users, "ties": result.ties, "threshold": lowest})
    write_json(json_file, page, force)
    say_matching(result.overlap.page(users))
    print_page(page, Console(), verbose)


def write_json(json_file: Path | None, page: dict[str, Any], force: bool) -> None:
    """Write a page, if a file is given."""
    if json_file is not None:
        text = json.dumps(page, indent=1, ensure_ascii=False, allow_nan=False)
        write_output(json_file, text + "\n", force=force)


def files_of_scores(
    ranks: Path | None, scores: Path | None, truth: Path | None, train: Path | None, threshold: float | None
) -> dict[str, Path]:
    """The files of ``--ranks`` or ``--scores`` by option."""
    if ranks is not None:
        if (scores, truth, train, threshold) != (None, None, None, None):
            raise HarnessError("--ranks: leave --scores, --truth, --train and --threshold out; its items are relevant")
        return {"ranks": ranks}
    if scores is None or truth is None:
        raise HarnessError("--scores: give --truth too")
    return {"scores": scores, "truth": truth} | ({} if train is None else {"train": train})


def run_sampled(
    engine: str,
    files: dict[str, Path],
    wanted: tuple[Sequence[int], str, Sequence[int]],
    threshold: float | None,
    strict: bool,
    resources: Resources,
    reporter: Reporter,
) -> SampledEvaluation:
    """Evaluate ranks or scores by either engine. wanted : numbers of negatives, item or user, cut-offs."""
    from metric_harness.evaluation.ranked_items import from_ranks, from_scores
    from metric_harness.evaluation.sampled import drawings_of, evaluate_sampled, measures_of

    negatives, per, ks = wanted
    drawings, measures = drawings_of(negatives, per), measures_of(ks)
    if engine == "spark":
        from metric_harness.evaluation import spark_sampled

        return spark_sampled.evaluate_paths(files, drawings, measures, threshold, strict, reporter)

    def read(database: Database) -> RankedItems:
        if "ranks" in files:
            return from_ranks(database, files["ranks"])
        return from_scores(database, files["scores"], files["truth"], files.get("train"), threshold, strict=strict)

    return evaluate_sampled(read, drawings, measures, resources=resources, reporter=reporter)


def whole_numbers(option: str, text: str) -> list[int]:
    """Distinct whole numbers from 1 on, separated by commas."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdigit() and len(part) < 10 and int(part) for part in parts):
        raise HarnessError(f"{option} {text}: give whole numbers from 1 on, separated by commas, such as 99,100")
    return list(dict.fromkeys(map(int, parts)))


def run(
    engine: str,
    recommendations: Path,
    truth: Path,
    request: EvaluationRequest,
    by_user: Path | None,
    resources: Resources,
    reporter: Reporter,
) -> Evaluation:
    """Evaluate by the local engine or by Spark, which has its own settings for memory and temporary files."""
    if engine == "spark":
        from metric_harness.evaluation.spark import evaluate_paths

        return evaluate_paths(recommendations, truth, request, by_user=by_user, reporter=reporter)
    from metric_harness.evaluation.evaluate import evaluate_files

    return evaluate_files(recommendations, truth, request, by_user=by_user, resources=resources, reporter=reporter)


def parse_variants(texts: Sequence[str] | None) -> list[Variant]:
    """The variants of ``--variants``: printed forms separated by commas outside of brackets, or the option repeated."""
    if not texts:
        return [entry.variant for entry in CATALOGUE]
    parsed = [parse(form) for text in texts for form in re.split(r",(?![^()]*\))", text) if form.strip()]
    if not parsed:
        raise HarnessError("--variants: name at least one, for example ndcg, or leave the option out")
    return parsed


def as_page(
    result: Evaluation, wanted: Sequence[Variant], ks: Sequence[int], files: dict[str, str], context: dict[str, Any]
) -> dict[str, Any]:
    """The values as JSON: by metric and cut-off, each with the library functions that compute it.

    context : the fields of a signature besides the variant: users, ties, threshold.
    """
    from metric_harness.recordings.known_functions import libraries_of
    from metric_reports.record import to_json_number

    tables: dict[tuple[str, int], dict[str, Any]] = {}
    for variant in wanted:
        for cut in ks if variant.k is None else (variant.k,):
            name = variant.metric.name
            table = tables.setdefault((name, cut), {"metric": name, "k": cut, "values": [], "not_available": []})
            printed = str(variant.at(cut))
            if printed in result.not_available:
                table["not_available"].append({"variant": printed, "reason": result.not_available[printed]})
            elif printed not in [row["variant"] for row in table["values"]]:
                value = to_json_number(result.numbers[printed])
                signature = str(Signature(variant.at(cut), **context))
                row = {"variant": printed, "value": value, "signature": signature, "libraries": libraries_of(variant)}
                table["values"].append(row)
    for table in tables.values():
        numbers = [row["value"] for row in table["values"] if isinstance(row["value"], float)]
        table["smallest"], table["largest"] = min(numbers, default=None), max(numbers, default=None)
        table["values"].sort(key=lambda row: (math.isnan(float(row["value"])), float(row["value"])))
    return {
        "schema_version": SCHEMA_VERSION,
        **files,
        "threshold": result.threshold,
        "counts": result.counts,
        **result.overlap.page(context["users"]),
        "notes": result.notes,
        "seconds": round(result.seconds, 3),
        "metrics": list(tables.values()),
    }


def print_page(page: dict[str, Any], console: Console, verbose: bool) -> None:
    """Print every value with its signature if verbose, or if they are few; else a line for each metric."""
    tables = [table for table in page["metrics"] if table["values"]]
    every = verbose or sum(1 + len(table["values"]) for table in tables) <= MAX_LINES
    if every:
        for table in tables:
            say(console, f"{table['metric']}@{table['k']}{spread_of(table)}", "bold")
            for row in table["values"]:
                say(console, "  ".join(filter(None, (number_of(row), row["variant"], shortened(row["libraries"])))))
                if verbose:
                    console.print(Text(f"    {parse_signature(row['signature']).short()}", "dim"), soft_wrap=True)
    else:
        order = in_order(table["metric"] for table in tables)
        tables.sort(key=lambda table: (order.index(table["metric"]), table["k"]))
        shown = [HEAD, *map(usual_row, tables[:MAX_LINES])]
        lines = aligned(shown)
        if max(map(len, lines)) > console.width:
            lines = aligned([(name, value, definition) for name, value, _, definition in shown])
        for line in lines:
            say(console, line, "bold" if line == lines[0] else "")
        hidden = f"{len(tables) - MAX_LINES} more metrics, " if len(tables) > MAX_LINES else ""
        say(console, f"Each is what most libraries compute. Not listed: {hidden}the other variants; --verbose, --json")
    left_out: dict[str, list[str]] = {}
    for table in page["metrics"]:
        for row in table["not_available"]:
            left_out.setdefault(row["reason"], []).append(row["variant"])
    for reason, names in left_out.items() if every else ():
        say(console, f"{len(names)} without a value, {reason}: {', '.join(names)}", "dim")
    if left_out and not every:
        told = fitted(f"{sum(map(len, left_out.values()))} without a value: ", list(left_out), console.width)
        say(console, told, "dim")
    counts = page["counts"]
    rows_read = counts["rows_recommended"] + counts["rows_judged"]
    speed = rows_read / max(page["seconds"], 1e-9)
    say(
        console,
        f"{counts['users']:,} users, {counts['rows_recommended']:,} recommendations, {counts['rows_judged']:,} "
        f"judgements, {counts['hits']:,} hits; {page['seconds']:.1f} s, {speed:,.0f} rows a second",
    )
    if rows := unused(page["rows"]):
        say(console, rows, "dim")


def say(console: Console, content: str, style: str = "") -> None:
    """Print one line; it is not folded."""
    console.print(Text(content, style), soft_wrap=True, highlight=False)


def usual_row(table: dict[str, Any]) -> tuple[str, str, str, str]:
    """What most libraries compute of a metric: its name, the value, the range of all variants and the definition."""
    usual = max(table["values"], key=lambda row: len({one["library"] for one in row["libraries"]}))
    number = len(table["values"])
    range_of_all = f"{number:2}: {span(table['smallest'], table['largest'], between='–')}" if number > 1 else ""
    definition = usual["variant"].removesuffix(f"@{table['k']}")
    return label(table["metric"], table["k"]), number_of(usual), range_of_all, definition


def number_of(row: dict[str, Any]) -> str:
    """The printed text of a value."""
    return row["value"] if isinstance(row["value"], str) else f"{row['value']:.6f}"


def spread_of(table: dict[str, Any]) -> str:
    """The number of variants of a metric, their smallest and largest value, and the ratio of the two."""
    low, high = table["smallest"], table["largest"]
    if low is None or len(table["values"]) < 2:
        return ""
    times = f", {high / low:.3g} times" if low > 0 and high > low else ""
    return f": {len(table['values'])} variants, {low:.6g} to {high:.6g}{times}"


def shortened(functions: Sequence[dict[str, str]]) -> str:
    """The first few libraries, each at its newest release, and the number of the others."""
    newest = {
        row["library"]: f"{row['library']} {row['release'].partition('+')[0]} {row['function']}" for row in functions
    }
    names = list(newest.values())
    more = f" and {len(names) - MOST_LIBRARIES} more" if len(names) > MOST_LIBRARIES else ""
    return ", ".join(names[:MOST_LIBRARIES]) + more

"""``metric-harness explain variants``: list, filter and explain what a metric can mean, or hold it against a bundle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from metric_harness.cli import options, values
from metric_harness.cli.variant_listing import chosen, parse, spread
from metric_harness.naming.findings.described import describe
from metric_harness.system.terminal import Console, echo, to_json
from metric_reference.catalogue import Entry

EXAMPLES = """
[bold]Examples[/bold]

metric-harness explain variants --metric average_precision

metric-harness explain variants --search recbole

metric-harness explain variants "ndcg(ideal=hits)@10"

metric-harness explain variants --on out/bundle --k 10,20
"""

HEAD = ("variant", "known as", "used by")
UNWRAPPED_WIDTH = 10_000
"""Width of a line without a terminal: more characters than any line has, so that nothing is wrapped."""
LEAST_COLUMN_WIDTH = 28
"""Least width of the columns beside the variants; in a narrower terminal each variant has several lines."""

Name = Annotated[str | None, typer.Argument(help="A printed form, e.g. 'ndcg(ideal=hits)@10', to explain.")]
Metric = Annotated[str | None, typer.Option(help="Only this metric.")]
Search = Annotated[str | None, typer.Option(help="Only rows that hold this text: a library, a paper, a choice.")]
Everything = Annotated[bool, typer.Option("--all", help="Every combination of choices, not only those known in use.")]
On = Annotated[
    Path | None,
    typer.Option(
        callback=values.read_from, help="A bundle (DIR/bundle of a comparison): the value of each variant there."
    ),
]


def variants_command(
    name: Name = None,
    metric: Metric = None,
    search: Search = None,
    everything: Everything = False,
    on: On = None,
    k: options.K = None,
    as_json: options.AsJson = False,
) -> None:
    """List what a metric can mean, explain one variant, or show the spread of all of them on one bundle."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=UNWRAPPED_WIDTH)
    if name is not None:
        entry = describe(parse(name), options.parse_ks(k)[0])
        echo(to_json(entry)) if as_json else explain(entry, console)
        return
    rows = chosen(metric, search, everything)
    if on is not None:
        from metric_harness.bundles.build import load_bundle  # imports pandas

        tables = spread(load_bundle(on), options.parse_ks(k), rows)
        echo(to_json(tables)) if as_json else print_spread(tables, console)
    elif as_json:
        echo(to_json([describe(row.variant, options.parse_ks(k)[0]) for row in rows]))
    else:
        print_rows(rows, console)
        console.print(f"{len(rows)} variants", highlight=False)


def print_rows(rows: Sequence[Entry], console: Console) -> None:
    """Print the variants with their titles and who uses them: a row each, or three lines in a narrow terminal.

    Without a terminal each is one line of any length: no name is cut or wrapped.
    """
    texts = [(str(row.variant), row.title, ", ".join(row.who)) for row in rows]
    widths = [max(map(len, column)) for column in zip(HEAD, *texts, strict=True)][:2]
    if not console.is_terminal:
        for name, title, users in (HEAD, *texts):
            echo(f"{name:{widths[0]}}  {title:{widths[1]}}  {users}".rstrip())
    elif widths[0] + 2 * LEAST_COLUMN_WIDTH <= console.width:
        table = Table(*HEAD, box=None, header_style="bold", padding=(0, 2, 0, 0))
        table.columns[0].no_wrap = True
        for texts_of_row in texts:
            table.add_row(*map(Text, texts_of_row))
        console.print(table)
    else:
        for name, title, users in texts:
            console.print(Text(name, "bold"), soft_wrap=True)
            for text in filter(None, (title, users and f"used by {users}")):
                console.print(Padding(Text(text), (0, 0, 0, 2)))


def explain(entry: dict[str, Any], console: Console) -> None:
    """Print what ``describe`` says of one variant."""
    console.print(
        f"[bold]{escape(entry['variant'])}[/bold]  {escape(entry['title'] or entry['about'])}", highlight=False
    )
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_row("choices", escape(", ".join(f"{name}={value}" for name, value in entry["choices"].items())))
    table.add_row("formula", escape(entry["formula"]))
    table.add_row("bounds", f"{entry['bounds'][0]} to {entry['bounds'][1]} for a user at k = {entry['bounds_at']}")
    if entry["same_as"]:
        table.add_row("same as", escape(", ".join(entry["same_as"])) + " (no input tells them apart)")
    if entry["needs"]:
        table.add_row("needs", ", ".join(entry["needs"]))
    if entry["findings"]:
        table.add_row("findings", ", ".join(entry["findings"]) + " (metric-harness explain CODE)")
    for source in entry["used_by"]:
        table.add_row("used by", escape(f"{source['title']}  {source['address']}"))
    if entry["remark"]:
        table.add_row("remark", escape(entry["remark"]))
    console.print(table, highlight=False)
    if entry["example"]:
        print_case(entry["example"], console)


def print_case(case: dict[str, Any], console: Console) -> None:
    """Print a worked example: each user's list, hits in brackets, and the values of both variants."""
    console.print(f"\nexample: k = {case['k']}, hits in brackets", highlight=False)
    for user in case["users"]:
        ranks = [f"[{item}]" if hit else str(item) for item, hit in zip(user["list"], user["hits"], strict=True)]
        gains = "" if set(user["gains"]) <= {1.0} else f"  gains {user['gains']}"
        console.print(f"  list {' '.join(ranks)}   relevant {user['relevant']}{gains}", markup=False, highlight=False)
    console.print(f"  this variant gives {case['value']:.6g}", highlight=False)
    (usual,) = case["candidates"]
    if usual["value"] != case["value"]:
        console.print(f"  {usual['variant']} gives {usual['value']:.6g}", markup=False, highlight=False)


def print_spread(tables: list[dict[str, Any]], console: Console) -> None:
    """Print the values of the variants on a bundle; variants in one row have the same value there."""
    for table in tables:
        groups = table["groups"]
        count = sum(len(group["variants"]) for group in groups)
        title = f"{table['metric']}@{table['k']}: {count} variants, {len(groups)} values"
        console.print(f"\n[bold]{title}[/bold]", highlight=False)
        rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        for group in groups:
            value = group["value"] if isinstance(group["value"], str) else f"{group['value']:.6f}"
            rows.add_row(f"  {value}", escape("\n".join(group["variants"])))
        for missing in table["not_computable"]:
            rows.add_row("  –", escape(f"{missing['variant']}  needs {', '.join(missing['needs'])}"))
        console.print(rows, highlight=False)

"""``metric-harness variants``: list, filter and explain what a metric can mean, or hold it against a bundle."""

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
from metric_harness.identification.described import describe
from metric_harness.system.terminal import Console, echo, to_json
from metric_reference.catalogue import Entry

EXAMPLES = """
[bold]Examples[/bold]

metric-harness variants --metric average_precision

metric-harness variants --search recbole

metric-harness variants "ndcg(ideal=hits)@10"

metric-harness variants --on out/bundle --k 10,20
"""

HEAD = ("variant", "known as", "used by")
UNWRAPPED = 10_000
"""Characters of a line without a terminal: more than any line has, so that nothing is wrapped."""
FEWEST = 28
"""Characters that each column beside the variants needs; in a narrower terminal a variant has lines instead."""

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
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


def variants_command(
    name: Name = None,
    metric: Metric = None,
    search: Search = None,
    everything: Everything = False,
    on: On = None,
    k: options.K = None,
    as_json: AsJson = False,
) -> None:
    """List what a metric can mean, explain one variant, or show the spread of all of them on one bundle."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=UNWRAPPED)
    if name is not None:
        found = describe(parse(name), options.parse_ks(k)[0])
        echo(to_json(found)) if as_json else explain(found, console)
        return
    rows = chosen(metric, search, everything)
    if on is not None:
        from metric_harness.bundles.build import load_bundle  # pandas, which nothing else here needs

        tables = spread(load_bundle(on), options.parse_ks(k), rows)
        echo(to_json(tables)) if as_json else print_spread(tables, console)
    elif as_json:
        echo(to_json([describe(row.variant, options.parse_ks(k)[0]) for row in rows]))
    else:
        print_rows(rows, console)
        console.print(f"{len(rows)} variants", highlight=False)


def print_rows(rows: Sequence[Entry], console: Console) -> None:
    """The variants with what they are called and who uses them: a line each, or three where the terminal is narrow.

    Without a terminal each is one line, however long: no name is cut or wrapped.
    """
    texts = [(str(row.variant), row.title, ", ".join(row.who)) for row in rows]
    wide = [max(map(len, column)) for column in zip(HEAD, *texts, strict=True)][:2]
    if not console.is_terminal:
        for name, title, who in (HEAD, *texts):
            echo(f"{name:{wide[0]}}  {title:{wide[1]}}  {who}".rstrip())
    elif wide[0] + 2 * FEWEST <= console.width:
        table = Table(*HEAD, box=None, header_style="bold", padding=(0, 2, 0, 0))
        table.columns[0].no_wrap = True
        for texts_of_row in texts:
            table.add_row(*map(Text, texts_of_row))
        console.print(table)
    else:
        for name, title, who in texts:
            console.print(Text(name, "bold"), soft_wrap=True)
            for text in filter(None, (title, who and f"used by {who}")):
                console.print(Padding(Text(text), (0, 0, 0, 2)))


def explain(found: dict[str, Any], console: Console) -> None:
    """One variant for a person."""
    console.print(
        f"[bold]{escape(found['variant'])}[/bold]  {escape(found['title'] or found['about'])}", highlight=False
    )
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_row("choices", escape(", ".join(f"{name}={value}" for name, value in found["choices"].items())))
    table.add_row("formula", escape(found["formula"]))
    table.add_row("bounds", f"{found['bounds'][0]} to {found['bounds'][1]} for a user at k = {found['bounds_at']}")
    if found["same_as"]:
        table.add_row("same as", escape(", ".join(found["same_as"])) + " (no input tells them apart)")
    if found["needs"]:
        table.add_row("needs", ", ".join(found["needs"]))
    if found["findings"]:
        table.add_row("findings", ", ".join(found["findings"]) + " (metric-harness explain CODE)")
    for source in found["used_by"]:
        table.add_row("used by", escape(f"{source['title']}  {source['address']}"))
    if found["remark"]:
        table.add_row("remark", escape(found["remark"]))
    console.print(table, highlight=False)
    if found["example"]:
        print_case(found["example"], console)


def print_case(case: dict[str, Any], console: Console) -> None:
    """A worked example: each user's list with hits in brackets, and what the variant and the usual one give."""
    console.print(f"\nexample: k = {case['k']}, hits in brackets", highlight=False)
    for user in case["users"]:
        ranks = [f"[{item}]" if hit else str(item) for item, hit in zip(user["list"], user["hits"], strict=True)]
        gains = "" if set(user["gains"]) <= {1.0} else f"  gains {user['gains']}"
        console.print(f"  list {' '.join(ranks)}   relevant {user['relevant']}{gains}", markup=False, highlight=False)
    console.print(f"  this variant gives {case['value']:.6g}", highlight=False)
    if case["standard_value"] != case["value"]:
        console.print(f"  {case['standard']} gives {case['standard_value']:.6g}", markup=False, highlight=False)


def print_spread(tables: list[dict[str, Any]], console: Console) -> None:
    """The values of the variants on a bundle; those on one line coincide there."""
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

"""``metric-harness signature translate``: between signatures and the names that other tools give to metrics."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from metric_harness.cli import options
from metric_harness.cli.signatures.reading import read
from metric_harness.system.errors import HarnessError
from metric_harness.system.terminal import echo, say, to_json
from metric_reference.candidates.choice import ALL
from metric_reference.signatures.methods import ranked_among
from metric_reference.signatures.names import names_of, signature_of_name, systems
from metric_reports.view.words import aligned

EXAMPLES = """
[bold]Examples[/bold]

metric-harness signature translate ndcg_cut.20 --from trec_eval

metric-harness signature translate "ndcg@20|rel:>=4|mh:1.0#d4676305"

metric-harness signature translate NDCG@20 --from RecBole --to ranx
"""

Name = Annotated[str, typer.Argument(help="A signature, or with --from a tool's name for a metric.")]
From = Annotated[str | None, typer.Option("--from", help=f"The tool that the name is of: {', '.join(systems())}.")]
To = Annotated[str | None, typer.Option(help="Only the names of this tool.")]


def translate_command(name: Name, origin: From = None, to: To = None, as_json: options.AsJson = False) -> None:
    """Say what a tool's name for a metric stands for, and what the other tools call the same: exact, or what differs.

    Which items are relevant, and among which they are ranked, is up to what a tool is given; a signature's threshold
    and candidates are left out of the comparison.
    """
    known = {system.lower(): system for system in systems()}
    if to is not None and to.lower() not in known:
        raise HarnessError(f"--to {to}: one of {', '.join(systems())}")
    source = None
    if origin is None:
        signature = read(name)
    else:
        try:
            signature, origin_row = signature_of_name(origin, name)
        except ValueError as error:
            raise HarnessError(str(error)) from None
        source = origin_row.source
    rows = [row for row in names_of(signature) if to is None or row.system == known[to.lower()]]
    page: dict[str, Any] = {
        "signature": str(signature),
        "short": signature.short(),
        "source": source,
        "names": [vars(row) for row in rows],
    }
    if as_json:
        echo(to_json(page))
        return
    if signature.candidates != ALL:
        say(f"{ranked_among(signature)}; no name says so.\n")
    echo(f"{page['signature']}\n{page['short']}" + (f"\nsource: {source}" if source else "") + "\n")
    names = [(row.system, row.name, row.sentence) for row in rows]
    say("\n".join(aligned(names)) if names else "No tool of the table has a name for it.")

"""``metric-harness verify``: whether a published number is what its signature says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from metric_harness.cli import values
from metric_harness.cli.records import FINDINGS
from metric_harness.cli.signatures.reading import SignatureText, read
from metric_harness.system.errors import HarnessError
from metric_harness.system.terminal import echo, to_json
from metric_reports.record import to_json_number

EXAMPLES = """
[bold]Examples[/bold]

metric-harness verify "ndcg@20|rel:>=4|mh:1.0#d4676305" --recommendations pred.csv --truth test.csv --value 0.3123

metric-harness verify "$(cat footnote.txt)" --recommendations pred.csv --truth test.csv
"""
MOST_SHOWN = 12

Recommendations = Annotated[
    Path, typer.Option(callback=values.read_from, help="The lists: user, item, and score or rank.")
]
Truth = Annotated[
    Path, typer.Option(callback=values.read_from, help="Test interactions: user, item, and rating if there is one.")
]
Value = Annotated[str | None, typer.Option(help="The published number; without it the number is printed, that is all.")]
Digits = Annotated[int | None, typer.Option(help="Digits after the point that count; those of --value if not given.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


def verify_command(
    signature: SignatureText,
    recommendations: Recommendations,
    truth: Truth,
    value: Value = None,
    digits: Digits = None,
    as_json: AsJson = False,
) -> None:
    """Recompute a number from its signature, and say whether a published value is it; if not, which others give it.

    Exit code 0: it is (or no --value was given); 1: it is not; 2: could not run.
    """
    from metric_harness.evaluation.verify import claim_of, verify
    from metric_harness.evaluation.whole_case import read_files

    asked = read(signature)
    if digits is not None and value is None:
        raise HarnessError("--digits counts those of --value; give --value too")
    claim = None if value is None else claim_of(value, digits)
    with read_files(recommendations, truth) as files:
        found = verify(files, asked, claim)
    page: dict[str, Any] = {
        "signature": str(asked),
        "short": asked.short(),
        "number": to_json_number(found.number),
        "why_not": found.why_not,
        "claimed": value,
        "digits": None if claim is None else claim.digits,
        "holds": None if claim is None else found.holds,
        "cut_off": found.cut_off,
        "others": [
            {"signature": str(one.signature), "short": one.signature.short(), "number": one.number, "how": one.how}
            for one in found.others
        ],
        "tried": found.tried,
    }
    echo(to_json(page) if as_json else "\n".join(lines(page)))
    if not found.holds:
        raise typer.Exit(FINDINGS)


def lines(page: dict[str, Any]) -> list[str]:
    """The result for a person."""
    number = page["number"]
    if page["claimed"] is None:
        return [f"{number}  {page['short']}"]
    said = f"no number: {page['why_not']}" if number is None else f"{number}"
    out = [page["signature"], f"  computed  {said}", f"  claimed   {page['claimed']}"]
    if page["holds"]:
        return [*out, f"The value is what the signature says, to {page['digits']} digits."]
    out.append(f"The value is NOT what the signature says, to {page['digits']} digits.")
    if page["cut_off"]:
        out.append("Its digits are those of the computed number cut off, not rounded.")
    if not page["others"]:
        return [*out, f"None of {page['tried']} other signatures gives it on these files."]
    out.append(f"{len(page['others'])} of {page['tried']} other signatures give it on these files:")
    for one in page["others"][:MOST_SHOWN]:
        out.append(f"  {one['number']:.{page['digits'] + 4}f}  {one['short']}  {one['how']}")
    hidden = len(page["others"]) - MOST_SHOWN
    return [*out, f"  and {hidden} more (--json has all)"] if hidden > 0 else out

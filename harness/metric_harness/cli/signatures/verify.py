"""``metric-harness signature verify``: whether a published number is what its signature says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from metric_harness.cli import options, values
from metric_harness.cli.exit_codes import FINDINGS
from metric_harness.cli.matching import Strict, say_matching
from metric_harness.cli.signatures.reading import SignatureText, read
from metric_harness.system.errors import HarnessError
from metric_harness.system.terminal import echo, say, to_json
from metric_reports.record import to_json_number

EXAMPLES = """
[bold]Examples[/bold]

metric-harness signature verify "$(cat footnote.txt)" --recommendations pred.csv --truth test.csv --value 0.3123

metric-harness signature verify "$(cat footnote.txt)" --recommendations pred.csv --truth test.csv
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


def verify_command(
    signature: SignatureText,
    recommendations: Recommendations,
    truth: Truth,
    value: Value = None,
    digits: Digits = None,
    strict: Strict = False,
    as_json: options.AsJson = False,
) -> None:
    """Recompute a number from its signature, and say whether a published value is it; if not, which others give it.

    Exit code 0: it is (or no --value was given); 1: it is not; 2: could not run.
    """
    from metric_harness.evaluation.verify import claim_of, verify
    from metric_harness.evaluation.whole_case import read_files

    parsed = read(signature)
    if digits is not None and value is None:
        raise HarnessError("--digits counts those of --value; give --value too")
    claim = None if value is None else claim_of(value, digits)
    with read_files(recommendations, truth, strict=strict) as files:
        matching = files.overlap.page(parsed.users)
        say_matching(matching)
        verification = verify(files, parsed, claim)
    page: dict[str, Any] = {
        "signature": str(parsed),
        "short": parsed.short(),
        "number": to_json_number(verification.number),
        "why_not": verification.why_not,
        "claimed": value,
        "digits": None if claim is None else claim.digits,
        "holds": None if claim is None else verification.holds,
        "cut_off": verification.cut_off,
        "others": [
            {"signature": str(row.signature), "short": row.signature.short(), "number": row.number, "how": row.how}
            for row in verification.others
        ],
        "tried": verification.tried,
        **matching,
    }
    echo(to_json(page)) if as_json else say("\n".join(lines(page)))
    if not verification.holds:
        raise typer.Exit(FINDINGS)


def lines(page: dict[str, Any]) -> list[str]:
    """The printed lines of the result."""
    number = page["number"]
    if page["claimed"] is None:
        return [f"{number}  {page['short']}"]
    computed = f"no number: {page['why_not']}" if number is None else f"{number}"
    printed = [page["signature"], f"  computed  {computed}", f"  claimed   {page['claimed']}"]
    if page["holds"]:
        return [*printed, f"The value is what the signature says, to {page['digits']} digits."]
    printed.append(f"The value is NOT what the signature says, to {page['digits']} digits.")
    if page["cut_off"]:
        printed.append("Its digits are those of the computed number cut off, not rounded.")
    if not page["others"]:
        return [*printed, f"None of {page['tried']} other signatures gives it on these files."]
    printed.append(f"{len(page['others'])} of {page['tried']} other signatures give it on these files:")
    for row in page["others"][:MOST_SHOWN]:
        printed.append(f"  {row['number']:.{page['digits'] + 4}f}  {row['short']}  {row['how']}")
    hidden = len(page["others"]) - MOST_SHOWN
    return [*printed, f"  and {hidden} more (--json has all)"] if hidden > 0 else printed

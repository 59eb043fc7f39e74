"""``metric-harness vectors``: the test vectors for implementations in any language, written or checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from metric_harness.cli import options, values
from metric_harness.cli.exit_codes import FINDINGS
from metric_harness.system.errors import HarnessError
from metric_harness.system.outputs import write_output
from metric_harness.system.terminal import echo, say
from metric_reports.files import read_document
from metric_reports.model import shortened

EXAMPLES = """
[bold]Examples[/bold]

metric-harness vectors

metric-harness vectors --out ranking-metrics-vectors.json

metric-harness vectors --check ranking-metrics-vectors.json
"""

Out = Annotated[
    Path | None,
    typer.Option("--out", callback=values.file_to_write, help="Write the file here, its numbers computed anew."),
]
Check = Annotated[
    Path | None,
    typer.Option(
        "--check", callback=values.read_from, help="Check the numbers of this file; exit code 1 if one is wrong."
    ),
]


def vectors_command(out: Out = None, check: Check = None, force: options.Force = False) -> None:
    """Write or check the test vectors: small cases with the exact value of every definition, as JSON (CC0).

    Without an option it says what the file holds.
    """
    from metric_reference.vectors.build import FILE, cases, definitions, departures, drawn_cases, made, text_of

    if out is not None and check is not None:
        raise HarnessError("--out and --check: give one of them")
    if check is not None:
        try:
            wrong = departures(read(check))
        except ValueError as error:
            raise HarnessError(f"{check}: {error}") from None
        echo("\n".join(wrong) if wrong else f"{check}: every number is right")
        if wrong:
            raise typer.Exit(FINDINGS)
        return
    if out is not None:
        write_output(out, text_of(made(cases(), drawn_cases())), force=force)
        echo(f"{out}: {len(cases())} cases, {len(definitions())} definitions")
        return
    say(f"{len(cases())} cases, {len(definitions())} definitions, {FILE.stat().st_size / 1000:.0f} KB: {FILE}")


def read(path: Path) -> dict[str, Any]:
    """A vectors file that fits its schema; HarnessError says where it does not."""
    from jsonschema import Draft202012Validator

    from metric_reference.vectors.build import FILE

    try:
        page = json.loads(read_document(path))
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise HarnessError(f"{path}: this is no JSON; `metric-harness vectors --out FILE` writes the file") from None
    schema = json.loads(FILE.with_name("vectors.schema.json").read_text(encoding="utf-8"))
    violation = next(iter(Draft202012Validator(schema).iter_errors(page)), None)
    if violation is not None:
        where, what = shortened(violation.json_path), shortened(violation.message)
        raise HarnessError(f"{path}: {where}: {what}; `metric-harness vectors --out FILE` writes a right file")
    return cast("dict[str, Any]", page)

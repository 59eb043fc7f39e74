"""``metric-harness convert``: a number of one definition as a number of another, exact or between bounds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metric_harness.cli import options, values
from metric_harness.cli.signatures.reading import read
from metric_harness.system.errors import HarnessError
from metric_harness.system.terminal import echo, to_json

if TYPE_CHECKING:
    from metric_harness.conversion.bounds import Bound, Converted
    from metric_harness.conversion.states import States

EXAMPLES = """
[bold]Examples[/bold]

metric-harness convert 0.12 --from "precision@10|mh:1.0#a65fc8a4" --to "recall@10|mh:1.0#7abf6485" --relevant-per-user 9

metric-harness convert 0.3123 --from "$(cat ours.txt)" --to "$(cat theirs.txt)" --relevant-per-user 1-10

metric-harness convert --from "$(cat ours.txt)" --to "$(cat theirs.txt)" --by-user users.csv
"""
USUAL_RELEVANT = "1-50"
MOST_SHOWN = 6

Number = Annotated[str | None, typer.Argument(metavar="VALUE", help="The mean of the first definition.")]
From = Annotated[str, typer.Option("--from", metavar="SIGNATURE", help="What the value is, with its cut-off.")]
To = Annotated[str, typer.Option("--to", metavar="SIGNATURE", help="What it is wanted as.")]
Relevant = Annotated[
    str, typer.Option(metavar="N|A-B", help="How many relevant items a user has: a number, or from A to B.")
]
ByUser = Annotated[
    Path | None,
    typer.Option(
        callback=values.read_from,
        help="The users' own values instead: .csv or .parquet with a column value and, where it is known, a column "
        "relevant: how many relevant items each has.",
    ),
]
Seconds = Annotated[
    float, typer.Option(min=0.0, help="With --by-user: how long lists that attain the bounds are searched for.")
]
Recommendations = Annotated[Path | None, typer.Option(callback=values.read_from, help="The lists, with --truth.")]
Truth = Annotated[Path | None, typer.Option(callback=values.read_from, help="Test interactions.")]


def convert_command(
    start: From,
    goal: To,
    value: Number = None,
    relevant_per_user: Relevant = USUAL_RELEVANT,
    by_user: ByUser = None,
    seconds: Seconds = 60.0,
    recommendations: Recommendations = None,
    truth: Truth = None,
    as_json: options.AsJson = False,
) -> None:
    """Convert a value between two definitions: exactly where that is possible, else as bounds.

    From a mean alone the bounds are those over all users with full lists and at least one relevant item, at any k; the
    lists that attain them are shown. The users' own values give closer bounds, attained too; for users whose lists are
    not found in the time, the output says so, and how far the bound may be off. The files give the number itself.
    """
    from metric_harness.conversion.bounds import of_mean
    from metric_harness.conversion.extremes import states_of_mean
    from metric_harness.conversion.users import of_users
    from metric_harness.evaluation.verify import claim_of, verify
    from metric_harness.evaluation.whole_case import read_files

    first, second = read(start), read(goal)
    sources = [value is not None, by_user is not None, recommendations is not None or truth is not None]
    if sum(sources) != 1:
        raise HarnessError("give one of VALUE, --by-user, and --recommendations with --truth")
    if recommendations is not None or truth is not None:
        if recommendations is None or truth is None:
            raise HarnessError("--recommendations and --truth: give both")
        with read_files(recommendations, truth) as files:
            numbers = [verify(files, signature, None).number for signature in (first, second)]
        if numbers[1] is None:
            raise HarnessError(f"{goal}: it has no value on these files")
        page: dict[str, Any] = {"from": numbers[0], "low": numbers[1], "high": numbers[1], "exact": True}
        echo(to_json(page) if as_json else f"{numbers[0]}  {first.short()}\n{numbers[1]}  {second.short()}")
        return
    assumed_counts = numbers_of(relevant_per_user)
    assumed = f"{relevant_per_user} relevant items a user"
    if by_user is not None:
        table = read_values(by_user)
        relevant_counts = None
        if len(table) > 1:
            relevant_counts, assumed = table[1].astype(int), "relevant items as in the file"
        possible_counts = assumed_counts if relevant_counts is None else sorted(set(relevant_counts.tolist()))
        states, converted = of_users(first, second, possible_counts, table[0], relevant_counts, seconds)
    else:
        claim = claim_of(str(value), None)
        rounding = 0.5 * 10.0**-claim.digits
        low, high = claim.value - rounding, claim.value + rounding
        states = states_of_mean(first, second, assumed_counts, low, high)
        converted = of_mean(states, low, high)
    page = {
        "exact": converted.line is not None or converted.exact,
        "low": converted.low.value,
        "high": converted.high.value,
        "line": converted.line,
        "nothing_known": converted.nothing_known,
        "assumed": f"full lists, {assumed}",
        "low_attained_by": mixture(states, converted.low),
        "high_attained_by": mixture(states, converted.high),
        "low_not_proven": converted.low.unproven,
        "high_not_proven": converted.high.unproven,
        "low_gap": converted.low.gap,
        "high_gap": converted.high.gap,
    }
    echo(to_json(page) if as_json else "\n".join(lines(page, converted)))


def numbers_of(text: str) -> range:
    """``10`` or ``1-50`` as numbers; HarnessError for anything else."""
    first, dash, last = text.partition("-")
    if not (first.isdigit() and (last.isdigit() or not dash)):
        raise HarnessError(f"--relevant-per-user {text}: give a number, or from A to B as in 1-50")
    low, high = int(first), int(last or first)
    if not 1 <= low <= high <= 10_000:
        raise HarnessError(f"--relevant-per-user {text}: give numbers from 1 to 10000, the smaller one first")
    return range(low, high + 1)


def read_values(path: Path) -> list[Any]:
    """The column ``value`` of a file, or its last one, and the column ``relevant`` if there is one: float64, shape
    (users,)."""
    import numpy as np
    import pandas as pd

    try:
        table = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)
        names = ["value" if "value" in table else table.columns[-1], *(["relevant"] if "relevant" in table else [])]
        columns = [table[name].to_numpy(dtype=np.float64) for name in names]
    except (OSError, ValueError, IndexError) as error:
        raise HarnessError(f"{path}: {' '.join(str(error).split())[:200]}; give a table with a column value") from None
    if not len(table):
        raise HarnessError(f"{path}: it has no rows")
    if (invalid := np.flatnonzero(~np.isfinite(columns[0]))).size:
        raise HarnessError(f"{path}: row {invalid[0] + 1} has no finite value")
    if len(columns) > 1 and (invalid := np.flatnonzero(~((columns[1] >= 1) & (columns[1] % 1 == 0)))).size:
        raise HarnessError(f"{path}: row {invalid[0] + 1}: relevant must be a whole number from 1 on")
    return columns


def mixture(states: States, bound: Bound) -> list[dict[str, Any]]:
    """The lists that attain a bound, the most frequent first."""
    shares = sorted(bound.mixture, reverse=True)[:MOST_SHOWN]
    return [{"share": round(share, 6), "list": states.words(state)} for share, state in shares]


def lines(page: dict[str, Any], converted: Converted) -> list[str]:
    """The printed lines of the result."""
    assumed = f"Assumed: {page['assumed']}."
    if converted.line is not None:
        slope, intercept = converted.line
        shift = f" + {intercept:.10g}" if intercept else ""
        low, high = page["low"], page["high"]
        span = "" if converted.exact else f" ({low:.10g} to {high:.10g}, as the digits of VALUE allow)"
        return [f"{(low + high) / 2:.10g}{span}", f"Exact: {slope:.10g} times the value{shift}. {assumed}"]
    if converted.exact:
        return [f"{page['low']:.10g}", f"Exact: only one value fits. {assumed}"]
    sentences = [f"{page['low']:.6f} to {page['high']:.6f}"]
    if page["nothing_known"]:
        sentences.append("It cannot be converted from the mean alone: these are all the values that it can have.")
    for end, name in (("low", "smallest"), ("high", "largest")):
        parts = "; ".join(f"{100 * row['share']:.4g} % of users: {row['list']}" for row in page[f"{end}_attained_by"])
        bound = converted.low if end == "low" else converted.high
        others = len(bound.mixture) - MOST_SHOWN
        parts += f"; and {others} other lists" if others > 0 else ""
        unproven = bound.unproven
        if parts:
            sentences.append(f"The {name} is attained by {parts}" if not unproven else f"Lists of the {name}: {parts}")
        if unproven:
            sentences.append(
                f"The {name} is not proven to be attained: no list passes it, but for {100 * unproven:.4g} % of users "
                f"the search was stopped (--seconds); the attained one is at most {bound.gap:.2g} away"
            )
    return [*sentences, assumed]

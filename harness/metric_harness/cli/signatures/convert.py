"""``metric-harness signature convert``: a number of one definition as a number of another, exact or between bounds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metric_harness.cli import options, values
from metric_harness.cli.matching import say_matching
from metric_harness.cli.signatures.convert_sampled import Drawn, negatives_of, of_ranks, of_value, read_metric
from metric_harness.cli.signatures.reading import read
from metric_harness.system.errors import HarnessError
from metric_harness.system.limits import MOST_RELEVANT, whole_number
from metric_harness.system.terminal import echo, say, to_json

if TYPE_CHECKING:
    from metric_harness.conversion.bounds import Converted

EXAMPLES = """
[bold]Examples[/bold]

metric-harness signature convert 0.12 --from "$(cat ours.txt)" --to "$(cat theirs.txt)" --relevant-per-user 9

metric-harness signature convert 0.3123 --from "$(cat ours.txt)" --to "$(cat theirs.txt)" --relevant-per-user 1-10

metric-harness signature convert --from "$(cat ours.txt)" --to "$(cat theirs.txt)" --by-user users.csv

metric-harness signature convert 0.67 --from hit_rate@10 --sampled 99 --of 3706 --users 6040
"""
USUAL_RELEVANT = "1-50"

Number = Annotated[str | None, typer.Argument(metavar="VALUE", help="The mean of the first definition.")]
From = Annotated[str, typer.Option("--from", metavar="SIGNATURE", help="What the value is, with its cut-off.")]
To = Annotated[
    str | None, typer.Option("--to", metavar="SIGNATURE", help="What it is wanted as. With --sampled: as --from.")
]
Relevant = Annotated[
    str, typer.Option(metavar="N|A-B", help="How many relevant items a user has: a number, or from A to B.")
]
ByUser = Annotated[
    Path | None,
    typer.Option(
        callback=values.read_from,
        help="The users' own values instead: .csv or .parquet with a column value and, where it is known, a column "
        "relevant: how many relevant items each has. With --sampled: a column rank, among the drawn candidates.",
    ),
]
Seconds = Annotated[
    float, typer.Option(min=0.0, help="With --by-user: how long lists that attain the bounds are searched for.")
]
Recommendations = Annotated[Path | None, typer.Option(callback=values.read_from, help="The lists, with --truth.")]
Truth = Annotated[Path | None, typer.Option(callback=values.read_from, help="Test interactions.")]
Sampled = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="M", help="The value is among M negatives drawn for one relevant item a user; with --of."
    ),
]
Of = Annotated[int | None, typer.Option(min=2, metavar="N", help="It is wanted among all N candidates.")]
Replacement = Annotated[bool, typer.Option("--replacement", help="A negative may be drawn twice.")]
Users = Annotated[
    int | None, typer.Option(min=1, help="With --sampled: over how many users the mean is, to allow for chance.")
]


def convert_command(
    start: From,
    goal: To = None,
    value: Number = None,
    relevant_per_user: Relevant = USUAL_RELEVANT,
    by_user: ByUser = None,
    seconds: Seconds = 60.0,
    recommendations: Recommendations = None,
    truth: Truth = None,
    sampled: Sampled = None,
    of: Of = None,
    replacement: Replacement = False,
    users: Users = None,
    as_json: options.AsJson = False,
) -> None:
    """Convert a value between two definitions: exactly where that is possible, else as bounds.

    From a mean alone the bounds are those over all users with full lists and at least one relevant item, at any k; the
    lists that attain them are shown. The users' own values give closer bounds, attained too; for users whose lists are
    not found in the time, the output says so, and how far the bound may be off. The files give the number itself.
    With --sampled and --of the value is one among drawn negatives, and the answer one among all candidates.
    """
    if sampled is None and of is None and (replacement or users is not None):
        raise HarnessError("--replacement and --users: they need --sampled and --of")
    sampled, replacement = negatives_of(start, goal, sampled, of, replacement)
    if sampled is not None or of is not None:
        if sampled is None or of is None:
            raise HarnessError("--sampled and --of: give both; a signature with cand:uniform99 says --sampled itself")
        if recommendations is not None or truth is not None or (value is None) == (by_user is None):
            raise HarnessError("--sampled: give VALUE, or --by-user with the sampled ranks")
        if by_user is not None and users is not None:
            raise HarnessError("--users: the file of --by-user says how many there are")
        if relevant_per_user not in (USUAL_RELEVANT, "1"):
            raise HarnessError(
                f"--relevant-per-user {relevant_per_user}: with --sampled each user has one relevant item"
            )
        drawn = Drawn(read_metric(start), read_metric(goal or start), sampled, of, replacement, users)
        result, sentences = of_value(str(value), drawn) if by_user is None else of_ranks(by_user, drawn)
        echo(to_json(result)) if as_json else say("\n".join(sentences))
        return
    if goal is None:
        raise HarnessError("--to: give the signature that the value is wanted as")
    from metric_harness.cli.signatures.attained import rows_of
    from metric_harness.cli.signatures.user_numbers import read_users
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
            say_matching(files.overlap.page(first.users))
            numbers = [verify(files, signature, None).number for signature in (first, second)]
        if numbers[1] is None:
            raise HarnessError(f"{goal}: it has no value on these files")
        page: dict[str, Any] = {"from": numbers[0], "low": numbers[1], "high": numbers[1], "exact": True}
        echo(to_json(page) if as_json else f"{numbers[0]}  {first.short()}\n{numbers[1]}  {second.short()}")
        return
    assumed_counts = numbers_of(relevant_per_user)
    assumed = f"{relevant_per_user} relevant items a user"
    if by_user is not None:
        columns = read_users(by_user, "value")
        relevant_counts = columns.get("relevant")
        if relevant_counts is not None:
            assumed = "relevant items as in the file"
        possible_counts = assumed_counts if relevant_counts is None else sorted(set(relevant_counts.tolist()))
        states, converted = of_users(first, second, possible_counts, columns["value"], relevant_counts, seconds)
    else:
        low, high = claim_of(str(value), None).ends
        states = states_of_mean(first, second, assumed_counts, low, high)
        converted = of_mean(states, low, high)
    page = {
        "exact": converted.line is not None or converted.exact,
        "low": converted.low.value,
        "high": converted.high.value,
        "line": converted.line,
        "nothing_known": converted.nothing_known,
        "assumed": f"full lists, {assumed}",
        "low_attained_by": rows_of(states, converted.low),
        "high_attained_by": rows_of(states, converted.high),
        "low_not_proven": converted.low.unproven,
        "high_not_proven": converted.high.unproven,
        "low_gap": converted.low.gap,
        "high_gap": converted.high.gap,
    }
    echo(to_json(page)) if as_json else say("\n".join(lines(page, converted)))


def numbers_of(text: str) -> range:
    """``10`` or ``1-50`` as numbers; HarnessError for anything else."""
    first, dash, last = text.partition("-")
    low, high = whole_number(first), whole_number(last if dash else first)
    if low is None or high is None:
        raise HarnessError(f"--relevant-per-user {text[:60]}: give a number, or from A to B as in 1-50")
    if not 1 <= low <= high <= MOST_RELEVANT:
        raise HarnessError(f"--relevant-per-user {text}: give numbers from 1 to {MOST_RELEVANT}, the smaller one first")
    return range(low, high + 1)


def lines(page: dict[str, Any], converted: Converted) -> list[str]:
    """The printed lines of the result."""
    from metric_harness.cli.signatures.attained import MAX_LISTS, words_of

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
        parts = words_of(page[f"{end}_attained_by"])
        bound = converted.low if end == "low" else converted.high
        others = len(bound.mixture) - MAX_LISTS
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

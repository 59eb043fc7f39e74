"""What ``convert --sampled`` answers: a number among drawn candidates as one among all items."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metric_harness.cli.signatures.reading import read, within_bounds
from metric_harness.system.errors import HarnessError
from metric_reference.candidates.choice import ALL
from metric_reference.candidates.scheme import Scheme
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant

Answer = tuple[dict[str, Any], list[str]]
"""The page of the result, and its lines."""


@dataclass(frozen=True)
class Drawn:
    """The question: what a number of ``start`` among drawn negatives is as one of ``goal`` among all items.

    users : over how many users the mean is; None takes it as the expectation.
    """

    start: Signature
    goal: Signature
    negatives: int
    items: int
    replacement: bool
    users: int | None

    @property
    def scheme(self) -> Scheme:
        """How the negatives are drawn."""
        return Scheme(self.negatives, replacement=self.replacement)

    def fields(self, users: int | None) -> dict[str, Any]:
        """What the page of the result repeats of the question."""
        drawing = {"negatives": self.negatives, "items": self.items, "replacement": self.replacement}
        return {**drawing, "users": users}

    def headline(self, value: str) -> str:
        """The line before the numbers."""
        start, goal = (f"{one.variant.metric.name}@{one.variant.k}" for one in (self.start, self.goal))
        return f"{start} {value} among {self.negatives} drawn negatives is {goal} among {self.items} items of"

    def assumed(self) -> str:
        """The beginning of the line that says what is assumed."""
        copies = "with" if self.replacement else "without"
        return f"Assumed: one relevant item a user; negatives drawn uniformly {copies} replacement"


def read_metric(text: str) -> Signature:
    """A metric with its cut-off as in ndcg@10, or a signature: with one relevant item a user both say the same."""
    try:
        return within_bounds(Signature(Variant.parse(text)))
    except ValueError:
        return read(text)


def negatives_of(
    start: str, goal: str | None, sampled: int | None, items: int | None, replacement: bool
) -> tuple[int | None, bool]:
    """How many negatives were drawn, and whether with replacement: as the options say, or the signature of ``--from``.

    None where both signatures have the same candidates: then the definitions alone differ. HarnessError where options
    and signature differ, where candidates are not drawn uniformly, and where the goal has candidates of its own.
    """
    candidates, wanted = read_metric(start).candidates, ALL if goal is None else read_metric(goal).candidates
    if goal is not None and wanted == candidates and sampled is None and items is None:
        return None, replacement
    if wanted != ALL:
        raise HarnessError(
            f"--to: its candidates are cand:{wanted}; signatures with the same candidates are "
            "converted, and drawn ones to all items"
        )
    if candidates == ALL:
        return sampled, replacement
    if candidates.kind != "uniform":
        reason = "drawn by popularity, whose weights ranks do not hold" if candidates.drawn else "chosen by the caller"
        raise HarnessError(f"--from: cand:{candidates} are {reason}, so nothing follows for all items")
    if sampled not in (None, candidates.negatives) or (replacement and not candidates.replacement):
        raise HarnessError(f"--sampled and --replacement: --from says cand:{candidates}; leave them out")
    return candidates.negatives, candidates.replacement


def of_value(value: str, drawn: Drawn) -> Answer:
    """The answer for a mean."""
    from metric_harness.cli.signatures.attained import rows_of, words_of
    from metric_harness.conversion.bounds import of_mean
    from metric_harness.conversion.from_sampled import ERRORS, allowed, curves_of
    from metric_harness.evaluation.verify import claim_of

    curves = curves_of(drawn.start, drawn.goal, drawn.scheme, drawn.items)
    states, claim = curves.states(), claim_of(value, None)
    low, high = claim.ends
    if drawn.users is not None:
        largest = float(curves.marks.max())
        low, high = allowed(max(low, 0.0), min(high, largest), drawn.users, largest)
    converted = of_mean(states, low, high)
    about, cut = curves.flattest(claim.value), curves.cut_off()
    page = {
        "from": claim.value,
        "about": about,
        "low": converted.low.value,
        "high": converted.high.value,
        "low_attained_by": rows_of(states, converted.low),
        "high_attained_by": rows_of(states, converted.high),
        "same_cut_off": cut,
        **drawn.fields(drawn.users),
    }
    chance = (
        "the value is the expectation over draws (--users allows for chance)"
        if drawn.users is None
        else f"chance of {ERRORS:g} standard errors for {drawn.users} users"
    )
    lines = [
        drawn.headline(value),
        f"  about {about:.6f}, if ranks are spread as evenly as the value allows" if about is not None else "",
        f"  {converted.low.value:.6f} to {converted.high.value:.6f}, whatever the ranks are",
        f"The smallest is attained by {words_of(page['low_attained_by'])}",
        f"The largest is attained by {words_of(page['high_attained_by'])}",
        f"As many ranks count as in a list cut at {cut:.4g} of all {drawn.items} items." if cut is not None else "",
        f"{drawn.assumed()}; {chance}.",
    ]
    return page, [line for line in lines if line]


def of_ranks(path: Path, drawn: Drawn) -> Answer:
    """The answer for a file with the sampled rank of each user's item."""
    from metric_harness.cli.signatures.user_numbers import read_users
    from metric_harness.conversion.from_sampled import curves_of
    from metric_harness.conversion.sampled_ranks import RISK, estimate

    ranks = read_users(path, "rank")["rank"]
    found = estimate(curves_of(drawn.start, drawn.goal, drawn.scheme, drawn.items), drawn.scheme, ranks)
    about, error = found.likeliest.value, found.likeliest.variance**0.5
    page = {
        "from": found.drawn,
        "about": about,
        "standard_error": error,
        "low": found.low,
        "high": found.high,
        "risk": RISK,
        **drawn.fields(found.users),
    }
    return page, [
        drawn.headline(f"{found.drawn:.6f}"),
        f"  about {about:.6f}, by the likeliest spread of ranks; standard error {error:.6f}",
        f"  {found.low:.6f} to {found.high:.6f}, whatever the ranks are; this fails once in {1 / RISK:.0f} draws",
        f"{drawn.assumed()}, for each of {found.users} users anew.",
    ]

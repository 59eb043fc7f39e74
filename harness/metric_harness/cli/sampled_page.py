"""What ``evaluate --ranks`` and ``evaluate --scores`` print and write: metrics among all and among drawn candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from metric_harness.system.terminal import Console
from metric_reference.candidates.choice import Candidates
from metric_reference.candidates.measures import measure
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant
from metric_reports.versions import SCHEMA_VERSION
from metric_reports.view.words import count

if TYPE_CHECKING:
    from metric_harness.evaluation.sampled import SampledEvaluation

MAX_ROWS = 30
"""Measures that fit on one screen."""


def sampled_page(found: SampledEvaluation, files: dict[str, str], per: str, threshold: float | None) -> dict[str, Any]:
    """The result as JSON: each measure among all candidates, and among drawn ones with its signature."""
    from metric_harness.evaluation.sampled import VARIANTS

    def signature(text: str, candidates: Candidates) -> str:
        name, k = measure(text)
        variant = Variant.parse(VARIANTS[name])
        cut = variant if k is None else variant.at(k)
        return str(Signature(cut, "both", ties=found.items.ties, threshold=threshold, candidates=candidates))

    return {
        "schema_version": SCHEMA_VERSION,
        **files,
        "per": per,
        "threshold": threshold,
        "counts": {
            "users": found.items.users,
            "relevant": found.items.rows,
            "smallest_pool": found.items.pools[0],
            "largest_pool": found.items.pools[1],
            "distinct": found.distinct,
        },
        "seconds": round(found.seconds, 3),
        "left_out": found.left_out,
        "metrics": [
            {
                "metric": text,
                "all": value,
                "sampled": [
                    {
                        "candidates": str(candidates),
                        "expectation": values[text].expectation,
                        "standard_deviation": values[text].deviation,
                        "signature": signature(text, candidates),
                    }
                    for candidates, values in found.sampled.items()
                ],
            }
            for text, value in found.among_all.items()
        ],
    }


def print_sampled(page: dict[str, Any], console: Console, verbose: bool) -> None:
    """Print a line for each measure, and what the numbers are."""
    drawn = [row["candidates"] for row in page["metrics"][0]["sampled"]]
    _say(console, _line("", "all", drawn), "bold")
    shown = page["metrics"] if verbose else page["metrics"][:MAX_ROWS]
    for row in shown:
        cells = [f"{one['expectation']:.4f} ±{_small(one['standard_deviation'])}" for one in row["sampled"]]
        _say(console, _line(row["metric"], f"{row['all']:.6f}", cells))
        if verbose:
            for one in row["sampled"]:
                _say(console, f"    {one['signature']}", "dim")
    if len(page["metrics"]) > len(shown):
        _say(console, f"and {len(page['metrics']) - len(shown)} more; --verbose or --json has them", "dim")
    for name, reason in page["left_out"].items():
        _say(console, f"{name}: {reason}", "dim")
    counts = page["counts"]
    pools = f"{counts['smallest_pool']:,} to {counts['largest_pool']:,}"
    if counts["smallest_pool"] == counts["largest_pool"]:
        pools = f"{counts['largest_pool']:,}"
    means = "relevant items, each ranked alone" if page["per"] == "item" else "users"
    _say(
        console,
        f"Means over {means}; a user's other relevant items are not drawn. ± is the standard deviation of one draw.",
    )
    _say(
        console,
        f"{count(counts['users'], 'user')}, {count(counts['relevant'], 'relevant item')}, {pools} items to draw from, "
        f"{counts['distinct']:,} rows computed; exact, nothing was drawn; {page['seconds']:.1f} s",
    )


def _small(deviation: float) -> str:
    """A standard deviation with four digits after the point, or with one digit where these would be 0."""
    return f"{deviation:.4f}" if deviation >= 5e-5 or deviation == 0 else f"{deviation:.0e}".replace("e-0", "e-")


def _line(name: str, value: str, cells: Sequence[str]) -> str:
    return f"{name:20} {value:9} " + " ".join(f"{cell:16}" for cell in cells).rstrip()


def _say(console: Console, content: str, style: str = "") -> None:
    console.print(Text(content, style), soft_wrap=True, highlight=False)

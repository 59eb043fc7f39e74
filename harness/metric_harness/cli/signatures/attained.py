"""The lists that attain a bound, for the page of `convert` and its lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metric_harness.conversion.bounds import Bound
from metric_harness.conversion.states import States

MAX_LISTS = 6


def rows_of(states: States, bound: Bound) -> list[dict[str, Any]]:
    """The share of users and the list of each, the largest shares first."""
    shares = sorted(bound.mixture, reverse=True)[:MAX_LISTS]
    return [{"share": round(share, 6), "list": states.words(state)} for share, state in shares]


def words_of(rows: Sequence[dict[str, Any]]) -> str:
    """``60 % of users: hits at rank 1 of 2 relevant; ...``."""
    return "; ".join(f"{100 * row['share']:.4g} % of users: {row['list']}" for row in rows)

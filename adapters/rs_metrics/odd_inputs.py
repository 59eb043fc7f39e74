"""Odd inputs of rs_metrics: lists by user that are sets, and ids that are text on one side."""

from __future__ import annotations

from metric_adapters.odd_inputs import LISTS, TRUTH, each

from .adapter import FUNCTIONS

TEXT = {user: list(map(str, items)) for user, items in TRUTH.items()}
SETS = {user: set(items) for user, items in LISTS.items()}

ODD_INPUTS = [
    *each(
        "mixed_ids",
        list(FUNCTIONS),
        lambda name: FUNCTIONS[name](TRUTH, LISTS, k=2),
        lambda name: FUNCTIONS[name](TEXT, LISTS, k=2),
    ),
    *each(
        "set_for_list",
        list(FUNCTIONS),
        lambda name: FUNCTIONS[name](TRUTH, LISTS, k=2),
        lambda name: FUNCTIONS[name](TRUTH, SETS, k=2),
    ),
]

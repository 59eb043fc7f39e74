"""Edge behaviour: what a subject does where the formula alone does not say."""

from __future__ import annotations

import dataclasses
from typing import Dict, Tuple

VALUES: Dict[str, Tuple[str, ...]] = {
    "no_relevant": ("zero", "half", "one", "nan", "poisons_mean", "skipped", "error"),
    "no_list": ("zero", "one", "nan", "poisons_mean", "skipped", "error"),
    "short_list": ("by_k", "by_list", "error"),
    "duplicates": ("counted", "once", "error"),
    "ties": ("input_order", "id_ascending", "id_descending", "optimistic", "pessimistic", "expected", "unspecified"),
    "k_beyond_items": ("ok", "error"),
}
"""The words for each behaviour. ``half``: the user counts 0.5, as an area without pairs may; ``nan``: the user's value
is NaN and left out of the mean; ``poisons_mean``: the NaN makes the mean NaN; ``skipped``: the user is silently
excluded from the mean."""


@dataclasses.dataclass(frozen=True)
class Edges:
    """One behaviour for each edge; the defaults are the standard ones of the reference.

    Raises ValueError for a word that is neither in :data:`VALUES` nor ``unclear``, which means: not determined.
    """

    no_relevant: str = "skipped"
    no_list: str = "zero"
    short_list: str = "by_k"
    duplicates: str = "counted"
    ties: str = "input_order"
    k_beyond_items: str = "ok"

    def __post_init__(self) -> None:
        for name, allowed in VALUES.items():
            if getattr(self, name) not in (*allowed, "unclear"):
                raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {getattr(self, name)!r}")

    def made(self) -> Dict[str, str]:
        """The behaviours, by name."""
        return {name: getattr(self, name) for name in VALUES}

    @property
    def users(self) -> str:
        """Who counts in the mean: truth, with_relevant, recommended or both."""
        excluded = ("skipped", "nan")
        return {
            (False, False): "truth",
            (True, False): "with_relevant",
            (False, True): "recommended",
            (True, True): "both",
        }[self.no_relevant in excluded, self.no_list in excluded]


STANDARD = Edges()
"""The reference's own behaviour: users without relevant items are left out, users without a list count 0."""

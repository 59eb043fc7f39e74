"""Every list that a user can have, up to some ten ranks: what bounds are held against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metric_harness.conversion.states import States, depth_of, values_of
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant


def signed(text: str, k: int) -> Signature:
    """The signature of a variant at a cut-off."""
    return Signature(Variant.parse(text).at(k))


def states(start: Signature, goal: Signature, relevant: Sequence[int]) -> States:
    """Every full list of users with these numbers of relevant items, and its values under both definitions."""
    depth = depth_of(start, goal)
    patterns = (np.arange(2**depth)[:, None] >> np.arange(depth)) & 1 == 1
    hits = patterns.sum(axis=1)
    kept = [(patterns[hits <= number], np.full(int((hits <= number).sum()), number)) for number in relevant]
    lists, counts = (np.concatenate(each) for each in zip(*kept, strict=True))
    return States(lists, counts, *(values_of(lists, counts, signature) for signature in (start, goal)))

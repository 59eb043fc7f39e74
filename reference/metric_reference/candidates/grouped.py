"""Means over many items: what is alike is computed once."""

from __future__ import annotations

from typing import Dict, Optional, Sequence

import numpy as np

from metric_reference.candidates.moments import CELLS, moments
from metric_reference.candidates.over_users import NO_ROWS, MeanMoments
from metric_reference.candidates.places import Places
from metric_reference.candidates.scheme import Scheme

SPARE_CELLS = 2**22
"""Keys are counted in a table of at most this many cells more than there are rows, and sorted otherwise."""


def distinct(places: Places) -> "tuple[Places, np.ndarray]":
    """The distinct rows of places, and how often each occurs: int64, shape (distinct rows,).

    Whole numbers are counted by a key of pool, ties and number above. Other sums of weights hardly repeat: they are
    returned as shares of the pool, each once; counted, in order, if nothing is tied.
    """
    parts = [places.pool, places.tied, places.above]
    if not len(places) or any(part.dtype.kind == "f" and (part % 1 != 0).any() for part in parts):
        share, tied = places.above / places.pool, places.tied / places.pool
        if tied.any() or not len(share):
            return Places(share, 1.0, tied), np.ones(len(places), np.int64)
        share = np.sort(share)
        starts = np.flatnonzero(np.concatenate(([True], share[1:] != share[:-1])))
        return Places(share[starts], 1.0), np.diff(np.append(starts, len(share)))
    parts = [part if part.dtype.kind == "i" else _whole(part) for part in parts]
    # A part that is one number for all rows is stored once (stride 0), so that nothing is done for each row.
    lows = [int(part[0] if part.strides == (0,) else part.min()) for part in parts]
    highs = [int(part[0] if part.strides == (0,) else part.max()) for part in parts]
    spans = [high - low + 1 for low, high in zip(lows, highs)]
    if spans[0] * spans[1] * spans[2] >= 2**62:  # no key has room for them
        return places, np.ones(len(places), np.int64)
    key = np.zeros(len(places), np.int64)
    for part, low, span in zip(parts, lows, spans):
        if span > 1:
            key *= span
            key += part
            key -= low
    if spans[0] * spans[1] * spans[2] <= len(places) + SPARE_CELLS:
        table = np.bincount(key)
        keys = np.flatnonzero(table)
        counts = table[keys]
    else:
        keys, counts = np.unique(key, return_counts=True)
    found = []
    for low, span in zip(reversed(lows), reversed(spans)):
        found.append(keys % span + low)
        keys = keys // span
    above, tied, pool = found
    return Places(above, pool, tied), counts


def _whole(part: np.ndarray) -> np.ndarray:
    """As int64; a number that holds for all rows stays one."""
    return np.broadcast_to(part[:1].astype(np.int64), part.shape) if part.strides == (0,) else part.astype(np.int64)


def mean_over_items(
    scheme: Scheme, places: Places, measures: Sequence[str], counts: Optional[np.ndarray] = None
) -> Dict[str, MeanMoments]:
    """Expectation and variance of the mean of each measure over all rows, by its text.

    The same as :func:`metric_reference.candidates.over_users.of_mean` of
    :func:`metric_reference.candidates.moments.moments`, in time that grows with the number of distinct rows.
    counts : how often each row occurs, where equal rows are counted already, shape (rows,). Raises ValueError as the
    latter, and without rows.
    """
    if not len(places):
        raise ValueError(NO_ROWS)
    places.check(scheme)
    rows, counts = distinct(places) if counts is None else (places, counts)
    total = float(counts.sum())
    sums = {text: np.zeros(2) for text in measures}
    for begin in range(0, len(rows), CELLS):
        part = slice(begin, begin + CELLS)
        for text, found in moments(scheme, rows.take(part), measures).items():
            # No product of vectors: threads of its library wait for each other on busy cores.
            sums[text] += (counts[part] * found.mean).sum(), (counts[part] * found.variance).sum()
    return {
        text: MeanMoments(float(mean) / total, float(variance) / total**2) for text, (mean, variance) in sums.items()
    }

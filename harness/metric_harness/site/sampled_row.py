"""What a metric is among drawn negatives, for the page of the metric: one item at one rank."""

from __future__ import annotations

import numpy as np

from metric_reference.candidates.measures import NAMES
from metric_reference.candidates.moments import moments
from metric_reference.candidates.places import of_ranks
from metric_reference.candidates.scheme import Scheme
from metric_reference.candidates.together import among_all
from metric_reports.types.site import SiteSampled
from metric_reports.view.words import label

RANK, ITEMS, NEGATIVES, CUT_OFF = 500, 10_000, 99, 10


def sampled_of(key: str) -> SiteSampled | None:
    """What a metric is among drawn negatives, for one item; None for one that does not rank a relevant item."""
    if key not in NAMES:
        return None
    text = key if key == "auc" else f"{key}@{CUT_OFF}"
    places = of_ranks(np.array([RANK]), ITEMS)
    found = moments(Scheme(NEGATIVES), places, [text])[text]
    _, values = among_all(places, np.zeros(1, np.int64), [text])
    return {
        "name": label(key, CUT_OFF),
        "rank": RANK,
        "items": ITEMS,
        "negatives": NEGATIVES,
        "all_items": float(values[text][0]),
        "expectation": float(found.mean[0]),
        "deviation": float(found.variance[0]) ** 0.5,
    }

"""The toy example of Krichene & Rendle 2020: three recommenders, five users, 10,000 items, 99 drawn negatives.

The paper's table of the drawn metrics is itself a simulation of 1000 draws, so its digits are held within 4 of its
standard errors; the table of all items is held to its digits.
"""

from __future__ import annotations

import numpy as np
import pytest

from metric_reference.candidates.moments import moments
from metric_reference.candidates.over_users import of_mean
from metric_reference.candidates.places import of_ranks
from metric_reference.candidates.scheme import Scheme

ITEMS, REPEATS = 10_000, 1000
TEXTS = ("auc", "average_precision", "ndcg", "recall@10")
RANKS = {
    "A": [100, 100, 100, 100, 100],
    "B": [40, 40, 8437, 9266, 4482],
    "C": [212, 2, 743, 5342, 1548],
}
FULL = {"A": (0.990, 0.010, 0.150, 0.0), "B": (0.555, 0.010, 0.122, 0.0), "C": (0.843, 0.101, 0.208, 0.2)}
DRAWN = {
    "A": ((0.990, 0.004), (0.630, 0.129), (0.724, 0.097), (1.000, 0.000)),
    "B": ((0.555, 0.014), (0.336, 0.073), (0.444, 0.054), (0.400, 0.000)),
    "C": ((0.843, 0.014), (0.325, 0.050), (0.460, 0.039), (0.567, 0.092)),
}


def drawn(name: str, negatives: int, text: str, replacement: bool = True) -> tuple[float, float]:
    """Expectation and variance of the mean over the five users."""
    scheme = Scheme(negatives, replacement=replacement)
    return of_mean(moments(scheme, of_ranks(np.array(RANKS[name]), ITEMS), [text])[text])


@pytest.mark.parametrize("name", RANKS)
def test_all_items_to_the_printed_digit(name):
    """All 9,999 negatives without replacement: the metric of the full ranking."""
    for text, printed in zip(TEXTS, FULL[name], strict=True):
        mean, variance = drawn(name, ITEMS - 1, text, replacement=False)
        assert (round(mean, 3), variance < 1e-12) == (printed, True), text


@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize("name", RANKS)
def test_drawn_within_the_errors_of_the_paper(name, replacement):
    for text, (printed, spread) in zip(TEXTS, DRAWN[name], strict=True):
        mean, variance = drawn(name, 99, text, replacement)
        assert abs(mean - printed) <= 4 * np.sqrt(variance / REPEATS) + 0.0005, text
        assert np.sqrt(variance) == pytest.approx(spread, abs=0.0005 + 0.12 * spread), text


@pytest.mark.parametrize(("negatives", "order"), [(20, "ACB"), (200, "ABC"), (500, "CAB"), (5000, "CBA")])
def test_the_number_of_negatives_decides_who_is_first(negatives, order):
    """By average precision; C is the best of all items."""
    found = {name: drawn(name, negatives, "average_precision")[0] for name in RANKS}
    assert "".join(sorted(found, key=found.__getitem__, reverse=True)) == order


def test_auc_is_that_of_all_items():
    for name in RANKS:
        full = 1 - (np.mean(RANKS[name]) - 1) / (ITEMS - 1)
        for negatives in (1, 99, 2000):
            assert drawn(name, negatives, "auc")[0] == pytest.approx(full, abs=1e-14)

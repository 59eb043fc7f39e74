"""The row "sampled" of a metric's page: the numbers of scipy's hypergeometric, and the page that shows them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import hypergeom

from metric_harness.site.sampled_row import ITEMS, NEGATIVES, RANK, sampled_of

WEIGHTS = {
    "hit_rate": lambda rank: 1.0 * (rank <= 10),
    "precision": lambda rank: (rank <= 10) / 10,
    "ndcg": lambda rank: (rank <= 10) / np.log2(rank + 1),
    "reciprocal_rank": lambda rank: (rank <= 10) / rank,
    "auc": lambda rank: 1 - (rank - 1) / NEGATIVES,
}


@pytest.mark.parametrize("key", WEIGHTS)
def test_the_numbers_are_those_of_the_hypergeometric(key: str) -> None:
    above = np.arange(NEGATIVES + 1)
    chance = hypergeom(ITEMS - 1, RANK - 1, NEGATIVES).pmf(above)
    values = WEIGHTS[key](above + 1.0)
    found = sampled_of(key)
    assert found is not None
    assert found["expectation"] == pytest.approx(values @ chance, abs=1e-12)
    assert found["deviation"] ** 2 == pytest.approx((values**2) @ chance - (values @ chance) ** 2, abs=1e-12)
    assert found["all_items"] == pytest.approx(1 - (RANK - 1) / (ITEMS - 1) if key == "auc" else 0.0)


def test_what_ranks_no_relevant_item_has_no_row() -> None:
    assert sampled_of("coverage") is None
    assert sampled_of("mae") is None

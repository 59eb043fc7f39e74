"""Functions that return a number for each rank: the one at rank k is named."""

import pytest

from metric_harness import audit
from metric_harness.naming.subject import BY_RANK
from tests.support.places import SUPPORT

STYLE = SUPPORT / "styles" / "curves.py"
RECALL, WHOLE = "recall(divide_by=relevant)", "average_precision(divide_by=relevant, cut=none)"
NAMED = {
    "cmc": {"": "hit_rate(value=any)"},
    "three_results": {"[0]": "hit_rate(value=any)", "[1]": "precision(divide_by=k)", "[2]": WHOLE},
    "recall_curve": {"": RECALL},
    "recalls": {"": RECALL},
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMED)
def test_the_entry_at_rank_k_is_named(name):
    found = {each.target.partition(name)[2]: each for each in audit(f"{STYLE}:{name}").subjects}
    assert {element: str(each.variant) for element, each in found.items()} == NAMED[name]
    assert [BY_RANK in each.notes for each in found.values()] == [element != "[2]" for element in found]

"""What a constant scorer gets, for each order of equal scores."""

from dataclasses import replace

import pytest

from metric_harness.naming.findings.constant_scorer import constant_scorer
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant


@pytest.mark.parametrize(
    ("variant", "ties", "said"),
    [
        ("ndcg", "input_order", "1 where the relevant item comes first in the input, 0 where it comes last"),
        ("ndcg", "id_ascending", "1 where the relevant item has the lowest id, 0 where it has the highest"),
        ("ndcg", "id_descending", "1 where the relevant item has the highest id, 0 where it has the lowest"),
        ("ndcg", "optimistic", "1, wherever the relevant item stands"),
        ("ndcg", "pessimistic", "0, wherever the relevant item stands"),
        ("hit_rate", "expected", "0.5, wherever the relevant item stands"),
        (
            "reciprocal_rank(cut=none)",
            "input_order",
            "1 where the relevant item comes first in the input, 0.1 where it",
        ),
        ("precision", "unspecified", "0 to 0.2, by an order of equal scores that follows no rule"),
        ("auc(scope=per_user)", "unclear", "0.5, wherever the relevant item stands"),
        ("auc(scope=per_user, ties=win)", "unclear", "1, wherever the relevant item stands"),
        ("ndcg", "unclear", None),
        ("coverage", "input_order", None),
    ],
)
def test_a_constant_scorer(variant, ties, said):
    got = constant_scorer(Variant.parse(variant), replace(STANDARD, ties=ties))
    assert got is None if said is None else got.startswith(said)

"""What a record says of definitions user by user, and the texts that cite its numbers."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from metric_harness.comparison.asked_cases import AskedCase
from metric_harness.comparison.citations import citations, signatures_of
from metric_harness.comparison.user_pairs import user_pairs
from metric_reference.case import case_from_lists
from metric_reference.edges import Edges
from metric_reference.signatures.signature import signature_of
from metric_reference.variant import Variant

RELEVANT = "average_precision(divide_by=relevant)"


def test_two_definitions_differ_for_the_users_with_more_relevant_items_than_k() -> None:
    # k = 3. Hits at 1 and 3 of 4 relevant: 5/9 and 5/12. One of one: 1 and 1. No list: 0 and 0.
    case = case_from_lists([[1, 2, 3], [4, 5, 6], []], [[1, 3, 7, 8], [4], [9]], n_items=12)
    asked_cases = SimpleNamespace(of=lambda needs: AskedCase(case, Path(), ""))
    subjects = [
        {"metric": "average_precision", "variant": RELEVANT},
        {"metric": "auc", "variant": "auc(scope=per_user)"},  # this case has no scores of all items
        {"metric": "ndcg", "variant": None},
    ]
    assert user_pairs(asked_cases, subjects, [3]) == [
        {
            "metric": "average_precision",
            "k": 3,
            "variants": ["average_precision(divide_by=min_k_relevant)", RELEVANT],
            "users": 3,
            "equal": 2,
            "higher": 0,
            "lower": 1,
            "mean": float(f"{(5 / 12 - 5 / 9) / 3:.6g}"),
            "largest": float(f"{5 / 12 - 5 / 9:.6g}"),
        }
    ]


def test_every_signature_is_cited_once() -> None:
    signature = signature_of(Variant.parse(RELEVANT).at(20), Edges(), users="truth", threshold=4.0)
    cell = {"signature": str(signature), "signature_short": signature.short()}
    found = citations(signatures_of([cell, cell, {"signature": None, "signature_short": None}]))
    assert list(found) == [signature.short()]
    assert "average precision over r" in found[signature.short()]["sentence"]
    assert found[signature.short()]["latex"].startswith(r"\[")
    assert "@software{metric_harness" in found[signature.short()]["bibtex"]

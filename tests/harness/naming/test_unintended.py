"""What nobody means to compute, held against figures measured in the libraries, other variants, and one's own slips."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from metric_harness import audit
from metric_reference.case import Case, case_from_lists
from metric_reference.matching import match
from metric_reference.variant import Variant
from tests.support.fixture import K, fixture_case
from tests.support.random_cases import HELD, cases, ks

pytestmark = pytest.mark.thorough

MEASURED = {
    "filtered_rank(value=precision, within=k_plus_one)": 0.55,
    "filtered_rank(value=recall, within=k_plus_one)": 0.75,
    "filtered_rank(value=ndcg)": 0.855581,
    "constant(value=zero)": 0.0,
}
"""What OpenRec's tf1 evaluators and NeuRec's hit gave for the four users."""


@pytest.mark.parametrize(("text", "figure"), MEASURED.items())
def test_four_users(text: str, figure: float) -> None:
    assert Variant.parse(text).value(fixture_case(), k=K) == pytest.approx(figure, abs=6e-7)


def of(text: str, case: Case, k: int) -> float:
    return Variant.parse(text).value(case, k=k)


@given(case=cases(), k=ks)
@HELD
def test_inverted_is_one_minus_auc(case: Case, k: int) -> None:
    assert of("inverted_auc", case, k) == pytest.approx(1 - of("auc", case, k), nan_ok=True)
    wrong, right = (
        Variant.parse(f"{name}(scope=top_k, one_sided=nan)").metric.per_user(match(case), k)
        for name in ("inverted_auc", "auc")
    )
    assert wrong == pytest.approx(1 - right, nan_ok=True)


@given(case=cases(), k=ks)
@HELD
def test_rankings_of_one_length_lose_nothing_when_cut(case: Case, k: int) -> None:
    scores = case.candidate_scores
    assert scores is not None
    scores[...] = np.where(np.isfinite(scores), scores, -1.0)  # every item is everybody's candidate
    for scope in ("per_user", "per_positive"):
        right = of(f"auc(scope={scope}, ties=win)", case, k)
        assert of(f"truncated_auc(scope={scope})", case, k) == pytest.approx(right, nan_ok=True)


@given(case=cases(repeats=False), k=ks)
@HELD
def test_no_relevant_item_does_worse_without_the_others_above_it(case: Case, k: int) -> None:
    """Against recall and NDCG of the list of all candidates in the order of their scores, which must not tie."""
    scores = case.candidate_scores
    assert scores is not None
    scores[...] = np.argsort(np.argsort(scores, axis=1), axis=1)
    listed = np.argsort(-scores, axis=1)
    judged = [case.relevant_of(user).tolist() for user in range(case.users)]
    whole = case_from_lists(listed.tolist(), judged, case.n_items, candidate_scores=scores)
    for filtered, plain in (("recall", "recall"), ("precision", "precision"), ("ndcg", "ndcg(ideal=relevant)")):
        value, least = of(f"filtered_rank(value={filtered})", whole, k), of(plain, whole, k)
        assert value >= least - 1e-12 or np.isnan(least)
    for user in range(case.users):
        assert len(judged[user]) != 1 or np.isclose(
            of("filtered_rank", one := case_from_lists(listed[[user]].tolist(), [judged[user]], case.n_items,
                                                       candidate_scores=scores[[user]]), k),
            of("recall", one, k),
        )  # fmt: skip


def never_hits(relevant: set[int], recommended: list[int], k: int) -> float:
    """Numbers are looked for among texts."""
    return float(any(str(item) in relevant for item in recommended[:k]))


def upside_down(relevant: set[int], recommended: list[int], k: int) -> float:
    """Pairs of a hit and a miss, the miss first."""
    hit = [item in relevant for item in recommended[:k]]
    pairs = [(a, b) for a, one in enumerate(hit) if one for b, other in enumerate(hit) if not other]
    return sum(a > b for a, b in pairs) / len(pairs) if pairs else 0.0


@pytest.mark.parametrize(
    ("function", "metric", "convention", "variant", "code"),
    [
        (never_hits, "hit_rate", "relevant,recommended:sets", "constant(value=zero)", "CON001"),
        (upside_down, "auc", None, "inverted_auc(scope=top_k)", "AUC006"),
    ],
)
def test_an_audit_names_the_slip(function, metric, convention, variant, code) -> None:  # type: ignore[no-untyped-def]
    (subject,) = audit(function, metric=metric, convention=convention).to_json()["subjects"]
    assert subject["variant"] == variant
    codes = [finding["code"] for finding in subject["findings"]]
    assert code in codes
    assert "NAM001" not in codes


def test_a_constant_is_no_name_where_the_way_of_calling_is_a_guess() -> None:
    (subject,) = audit(never_hits, metric="hit_rate").to_json()["subjects"]
    assert (subject["variant"], subject["evidence"]["confidence"]) == (None, "refused")
    (row,) = subject["findings"]
    assert row["code"] == "UNX001"
    assert "every answer is 0. A constant tells no definition apart" in row["message"]
    assert "--convention" in row["message"]

"""Metrics beyond accuracy: what they need, what must hold of them, and worked examples."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metric_reference.case import Case, case_from_lists
from metric_reference.edges import Edges
from metric_reference.variant import METRICS, Variant, space
from tests.support.oracles.cases import K, asked_case
from tests.support.random_cases import HELD, cases, ks

BEYOND = (
    "coverage", "popularity", "novelty", "diversity", "personalization", "unexpectedness", "serendipity",
    "entropy", "gini", "mae", "rmse", "accuracy", "cumulative_hit_rate",
)  # fmt: skip
OPTIONAL = (
    "scores", "candidate_scores", "train_indptr", "train_items",
    "item_counts", "n_train_users", "item_vectors", "predicted_ratings",
)  # fmt: skip


def value(text: str, case: Case, k: int = 3, edges: Edges | None = None) -> float:
    return Variant.parse(text).value(case, edges or Edges(), k)


def lists_alone(lists: list[list[int]], n_items: int) -> Case:
    return case_from_lists(lists, [[] for _ in lists], n_items)


def trained(counts: list[int], lists: list[list[int]], users: int = 8) -> Case:
    case = lists_alone(lists, len(counts))
    return replace(case, item_counts=np.array(counts), n_train_users=users).check()


# What they need


@pytest.mark.thorough
@pytest.mark.parametrize("name", BEYOND)
@given(case=cases(), k=ks)
@HELD
def test_a_metric_computes_from_what_it_says_it_needs(name: str, case: Case, k: int) -> None:
    full = {variant: variant.value(case, k=k) for variant in space(name)}
    for variant, number in full.items():
        counted = ("item_counts",) if variant.choices().get("length") == "trained" else ()
        unneeded: dict[str, Any] = {field: None for field in OPTIONAL if field not in (*variant.metric.needs, *counted)}
        if name != "cumulative_hit_rate":  # its scores also say which items are tied
            unneeded["scores"] = None
        assert np.isclose(variant.value(replace(case, **unneeded), k=k), number, equal_nan=True)


@pytest.mark.parametrize("name", BEYOND)
def test_what_is_missing_is_named(name: str) -> None:
    case = replace(asked_case("full"), scores=np.ones((50, 14)))
    for variant in space(name):
        for need in variant.metric.needs:
            without: dict[str, Any] = {need: None}
            said = "train_items" if need == "train_indptr" else need
            with pytest.raises(ValueError, match=rf"{name}.* needs {said}.*does not have"):
                variant.value(replace(case, **without), k=K)


def test_a_list_measured_by_its_trained_items_needs_the_counts() -> None:
    with pytest.raises(ValueError, match="needs item_counts"):
        value("popularity(length=trained)", lists_alone([[0]], 1))


# Personalization


@pytest.mark.parametrize("variant", space("personalization"), ids=str)
@given(items=st.lists(st.integers(0, 8), min_size=3, max_size=3, unique=True), users=st.integers(2, 5))
@HELD
def test_personalization_of_equal_and_of_disjoint_lists(variant: Variant, items: list[int], users: int) -> None:
    equal = lists_alone([items[user % 3 :] + items[: user % 3] for user in range(users)], 9)
    disjoint = lists_alone([[3 * user, 3 * user + 1, 3 * user + 2] for user in range(users)], 15)
    assert variant.value(equal, k=3) == pytest.approx(0, abs=1e-15)
    assert variant.value(disjoint, k=3) == 1


def test_a_padding_item_is_one_more_that_nobody_is_shown() -> None:
    case = lists_alone([[0, 1], [1, 2]], 4)
    padded = replace(case, n_items=5)
    for metric in ("coverage(of=items, divide_by=padded)", "gini(items=padded)"):
        plain = metric.replace(", divide_by=padded", "").replace("padded", "catalogue")
        assert value(metric, case) == pytest.approx(value(plain, padded), abs=1e-15)
        assert value(metric, case) != pytest.approx(value(plain, case))


def test_personalization_wants_two_lists() -> None:
    for variant in space("personalization"):
        assert math.isnan(variant.value(lists_alone([[0, 1], []], 2), k=2))


def test_personalization_by_hand() -> None:
    """Lists of 3 and of 2 items, one in common."""
    case = lists_alone([[0, 1, 2], [2, 3], []], 5)
    assert value("personalization(similarity=cosine)", case) == pytest.approx(1 - 1 / math.sqrt(6))
    assert value("personalization(similarity=overlap)", case) == pytest.approx(1 - 1 / 3)
    assert value("personalization(similarity=jaccard)", case) == pytest.approx(1 - 1 / 4)


# Concentration: Gini index, entropy, coverage


@given(users=st.integers(1, 5), length=st.integers(1, 4))
@HELD
def test_equal_exposure_of_all_items(users: int, length: int) -> None:
    n_items = users * length
    case = lists_alone([list(range(length * user, length * user + length)) for user in range(users)], n_items)
    for variant in space("gini"):
        choices = variant.choices()
        if (choices["attention"], choices["items"]) not in (("equal", "catalogue"), ("equal", "recommended")):
            continue
        if n_items > 1 or choices["divide_by"] != "n_minus_one":
            equality = variant.choices()["value"] == "equality"
            assert variant.value(case, k=length) == pytest.approx(float(equality), abs=1e-15)
    assert value("entropy", case, length) == pytest.approx(math.log(n_items), abs=1e-14)
    assert value("entropy(log=log2)", case, length) == pytest.approx(math.log2(n_items), abs=1e-14)
    if n_items > 1:
        assert value("entropy(normalise=catalogue)", case, length) == pytest.approx(1)
    assert value("coverage", case, length) == 1


def test_one_item_gets_everything() -> None:
    case = lists_alone([[2], [2], [2]], 4)
    assert value("gini", case) == pytest.approx(3 / 4)
    assert value("gini(divide_by=n_minus_one)", case) == 1
    assert value("gini(divide_by=n_minus_one, value=equality)", case) == 0
    assert value("gini(divide_by=n_plus_one)", case) == pytest.approx(3 / 5)
    assert value("gini(items=recommended)", case) == 0
    assert value("entropy", case) == value("entropy(normalise=catalogue)", case) == 0


@given(case=cases(), k=ks)
@HELD
def test_entropy_and_gini_stay_below_their_largest(case: Case, k: int) -> None:
    shown = len({item for user in range(case.users) for item in case.list_of(user, k).tolist()})
    assume(shown > 0)
    assert value("entropy", case, k) <= math.log(shown) + 1e-12
    assert value("gini", case, k) <= 1 - 1 / case.n_items + 1e-12


@given(case=cases(), k=st.integers(1, 8))
@HELD
def test_coverage_never_falls_as_lists_grow(case: Case, k: int) -> None:
    for variant in space("coverage"):
        here, longer = variant.value(case, k=k), variant.value(case, k=k + 1)
        assert longer >= here or math.isnan(here)


@given(case=cases(repeats=False), k=ks)
@HELD
def test_lists_of_one_length_make_the_entropy_list_by_list_the_entropy(case: Case, k: int) -> None:
    length = int(case.list_lengths.min())
    assume(length > 0)
    cut = replace(case, recommended=case.recommended[:, :length].copy(), scores=None)
    assert value("entropy(over=users)", cut, k) == pytest.approx(value("entropy", cut, k), abs=1e-12)


# Single lists: popularity, novelty, diversity, surprise


def test_popularity_and_novelty_by_hand() -> None:
    """Counts 4, 2, 2, 0 of 8 users; lists of a popular and an untrained item, and of nothing."""
    case = trained([4, 2, 2, 0], [[0, 3], []])
    found = {text: value(f"popularity(value={text})", case) for text in METRICS["popularity"].choices()["value"]}
    assert found == pytest.approx(
        {"count": 2, "share": 1 / 4, "interaction_share": 1 / 4, "relative": 1 / 2, "quantile": 1 / 2, "tail": 0}
    )
    assert value("popularity(value=tail)", trained([4, 2, 2, 0], [[1, 2]])) == 1 / 2
    assert value("popularity(value=quantile)", trained([4, 2, 2, 0], [[1, 2]])) == pytest.approx(1.5 / 3)
    assert value("popularity(length=k)", case, 4) == 1
    assert value("popularity(length=trained)", case) == 4
    assert value("novelty", case) == (1 + 3) / 2
    assert value("novelty(unseen=skipped)", case) == 1 / 2
    assert value("novelty(length=trained)", case) == 1
    assert value("novelty(log=largest)", case) == pytest.approx((1 / 3 + 1) / 2)
    assert value("novelty(log=ln)", case) == pytest.approx(2 * math.log(2))
    assert value("novelty(probability=interactions)", case) == (1 + 3) / 2
    assert value("novelty(length=catalogue)", case) == (1 + 3) / 4


@given(case=cases(), k=ks)
@HELD
def test_an_item_of_one_s_own_history_is_not_new(case: Case, k: int) -> None:
    assert case.train_items is not None
    assert case.train_indptr is not None
    text = "novelty(probability=own_history)"
    history = np.full((case.users, max(1, int(np.diff(case.train_indptr).max()))), -1)
    for user in range(case.users):
        seen = case.train_items[case.train_indptr[user] : case.train_indptr[user + 1]]
        history[user, : len(seen)] = seen
    again = value(text, replace(case, recommended=history, scores=None), k)
    assert again == 0 or not len(case.train_items)
    nothing = replace(case, train_indptr=np.zeros_like(case.train_indptr), train_items=case.train_items[:0])
    assert value(text, nothing, k) == 1 or not case.list_lengths.any()


@given(case=cases(repeats=False), k=ks)
@HELD
def test_diversity_of_equal_and_of_orthogonal_items(case: Case, k: int) -> None:
    alike = replace(case, item_vectors=np.ones((case.n_items, 2)))
    unlike = replace(case, item_vectors=np.eye(case.n_items))
    if (np.minimum(case.list_lengths, k) < 2).all():
        assert math.isnan(value("diversity", unlike, k))
        return
    for pair, near, far in (("cosine_distance", 0, 1), ("cosine_similarity", 1, 0), ("hamming_distance", 0, 2)):
        assert value(f"diversity(pair={pair})", alike, k) == pytest.approx(near, abs=1e-12)
        assert value(f"diversity(pair={pair})", unlike, k) == pytest.approx(far, abs=1e-12)
    assert value("diversity(pair=euclidean_distance)", unlike, k) == pytest.approx(math.sqrt(2))


@given(case=cases(repeats=False), k=ks)
@HELD
def test_serendipity_of_surprises_up_to_one_is_at_most_precision(case: Case, k: int) -> None:
    for kind in ("not_popular", "complement", "above_popularity"):
        precision = value("precision", case, k)
        assert value(f"serendipity(unexpected={kind})", case, k) <= precision + 1e-12 or math.isnan(precision)


def test_surprise_by_hand() -> None:
    """Counts 4, 2, 2, 0 of 8 users, and a list of items 1, 0, 3, of which 1 and 3 are relevant."""
    case = replace(case_from_lists([[1, 0, 3]], [[1, 3]], 4), item_counts=np.array([4, 2, 2, 0]), n_train_users=8)
    assert value("unexpectedness", case, 1) == 1
    assert value("unexpectedness", case, 2) == 0
    assert value("serendipity(unexpected=not_popular)", case, 3) == pytest.approx(1 / 3)
    assert value("serendipity(unexpected=complement)", case, 3) == pytest.approx((3 / 4 + 1) / 3)
    assert value("serendipity(unexpected=information)", case, 3) == pytest.approx((2 + 2) / 3)
    # popularity ranks 1, 2, 2 and none: 4/4 - 3/4 at rank 1, 2/4 - 0 at rank 3
    assert value("serendipity(unexpected=above_popularity)", case, 3) == pytest.approx((1 / 4 + 1 / 2) / 3)
    weights = 1 + 1 / math.log2(3) + 1 / 2
    epc = "serendipity(unexpected=complement, divide_by=list, discount=log2)"
    assert value(epc, case, 3) == pytest.approx((3 / 4 + 1 / 2) / weights)


def test_surprise_against_one_s_history() -> None:
    """Vectors at right angles but for two that are equal; the second user has no history and does not count."""
    case = case_from_lists([[0, 1], [0]], [[0, 1], [0]], 3, train=[[2], []])
    case = replace(case, item_vectors=np.array([[2.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    assert value("unexpectedness(against=history)", case, 2) == pytest.approx(1 / 2)
    assert value("serendipity(unexpected=unlike_history)", case, 2) == pytest.approx(1 / 2)

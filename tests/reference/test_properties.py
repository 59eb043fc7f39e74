"""What must hold for every variant whatever its numbers: perfect lists, invariances, identities, ties."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metric_reference.case import NOTHING, Case
from metric_reference.matching import match
from metric_reference.variant import METRICS, Variant, space
from tests.support.random_cases import HELD, cases, ks, of_users, one_relevant, one_user, perfect, pool
from tests.support.variants import CLOSE, FAMILIES, NOT_MONOTONE, RANKED, RANKED_NAMES, Choices, differing, same, values

pytestmark = pytest.mark.thorough

HITS_ARE_IDEAL = {
    ("k", "hits"),
    ("none", "hits"),
    ("k", "list_hits"),
    ("k", "list"),
    ("none", "list"),
    ("k", "same_ranks"),
    ("none", "same_ranks"),
}
PERFECT_IS_ONE: dict[str, Callable[[Choices], bool]] = {
    "hit_rate": lambda c: c["value"] == "any" or (c["value"], c["cut"]) == ("all", "none"),
    "precision": lambda c: (
        c["divide_by"] in ("min_list_relevant", "last_hit_rank")
        or (c["divide_by"] == "min_k_relevant" and c["cut"] == "k")
    ),
    "recall": lambda c: (c["cut"], c["divide_by"]) in (("k", "min_k_relevant"), ("none", "relevant")),
    "f1": lambda c: False,
    "reciprocal_rank": lambda c: c["over"] == "first",
    "rank": lambda c: c["first"] == "one",
    "average_precision": lambda c: (
        c["sum_over"] in ("hits", "trapezoid", "relevant_ranks")
        and {
            "k": c["divide_by"] in ("min_k_relevant", "hits", "min_list_relevant", "min_k_list_hits"),
            "none": c["divide_by"] in ("relevant", "hits", "min_list_relevant"),
        }[c["cut"]]
    ),
    "average_recall": lambda c: False,
    "r_precision": lambda c: (
        c["divide_by"] == "min_list_relevant"
        or (c["cut"], c["divide_by"]) in (("k", "min_k_relevant"), ("none", "relevant"))
    ),
    "rating_hit_rate": lambda c: c["divide_by"] == "users_with_rating",
    "ndcg": lambda c: (
        c["gain"] != "squared_minus_one"  # of items of gain 1 it is 0
        and (c["cut"], c["ideal"])
        in {("k", "min_k_relevant"), ("k", "relevant_ranks"), ("none", "relevant"), *HITS_ARE_IDEAL}
    ),
    "auc": lambda c: (
        c["scope"] != "spread" and c["negatives"] != "lagged" and (c["scope"] != "top_k" or c["one_sided"] != "zero")
    ),
    "rank_biased_precision": lambda c: False,
    "expected_reciprocal_rank": lambda c: False,
    "fall_out": lambda c: False,
    "mcc": lambda c: False,
    "pr_auc": lambda c: True,
    "partial_auc": lambda c: True,
}
"""Variants that every perfect list gives 1, if anything; with the others it can stay below 1 or pass it."""
BY_NUMBER = ("id_ascending", "id_descending")
"""Ties that the order of the rows decides: of the items, and of the users where their rows are stacked."""
ALL_CANDIDATES = ("stacked", "per_user", "per_positive")


@pytest.mark.parametrize("family", FAMILIES)
@given(case=cases(), k=ks, order=st.permutations(range(9)))
@HELD
def test_renaming_the_items_changes_nothing(family: str, case: Case, k: int, order: list[int]) -> None:
    """But where it counts which items are most or least popular: the item number decides between equal ones."""
    old_name = np.array([item for item in order if item < case.n_items])
    new_name = np.argsort(old_name)
    assert case.candidate_scores is not None
    assert case.item_counts is not None
    assert case.item_vectors is not None
    assert case.train_items is not None
    renamed = replace(
        case,
        recommended=np.where(case.recommended == NOTHING, NOTHING, new_name[case.recommended]),
        judged_items=new_name[case.judged_items],
        train_items=new_name[case.train_items],
        candidate_scores=case.candidate_scores[:, old_name],
        item_counts=case.item_counts[old_name],
        item_vectors=case.item_vectors[old_name],
    )
    before = values(case, k, FAMILIES[family])
    by_number = {"not_popular", "popular", "tail", *BY_NUMBER}
    free = {v: value for v, value in before.items() if not by_number & set(v.choices().values())}
    assert not differing(free, values(renamed, k, FAMILIES[family]))


@pytest.mark.parametrize("family", FAMILIES)
@given(case=cases(), k=ks, data=st.data())
@HELD
def test_the_order_of_the_users_does_not_matter(family: str, case: Case, k: int, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(case.users)))
    names = FAMILIES[family]
    before = values(case, k, names)
    free = {v: value for v, value in before.items() if v.choices().get("ties") not in BY_NUMBER}
    assert not differing(free, values(of_users(case, order), k, names))


@pytest.mark.parametrize("family", FAMILIES)
@given(case=cases(), k=ks, empty=st.integers(1, 5))
@HELD
def test_room_for_longer_lists_changes_nothing(family: str, case: Case, k: int, empty: int) -> None:
    """A longer list of another user, which is all that the width tells, must not bear on a user's own value."""
    room = ((0, 0), (0, empty))
    assert case.scores is not None
    wider = replace(
        case,
        recommended=np.pad(case.recommended, room, constant_values=NOTHING),
        scores=np.pad(case.scores, room, constant_values=np.nan),
    )
    assert not differing(values(case, k, FAMILIES[family]), values(wider, k, FAMILIES[family]))


@pytest.mark.parametrize("name", RANKED_NAMES)
def test_a_case_without_users_is_undefined(name: str) -> None:
    nobody = of_users(pool()[0], [])
    defined = [f"{v}: {value}" for v, value in values(nobody, 3, [name]).items() if not math.isnan(value)]
    assert not defined


@pytest.mark.parametrize("family", RANKED)
@given(case=cases(repeats=False), k=st.integers(1, 4), more=st.integers(1, 4))
@HELD
def test_irrelevant_items_after_k_change_nothing(family: str, case: Case, k: int, more: int) -> None:
    """Every list that reaches k goes on with items that nobody judged; the variants without a cut may change."""
    assert case.candidate_scores is not None
    room = ((0, 0), (0, more))
    before = replace(
        case,
        n_items=case.n_items + more,
        recommended=np.pad(case.recommended, room, constant_values=NOTHING),
        scores=None,
        candidate_scores=np.pad(case.candidate_scores, room, constant_values=-np.inf),
    )
    longer = before.recommended.copy()
    for user, length in enumerate(case.list_lengths):
        if length >= k:
            longer[user, length : length + more] = np.arange(case.n_items, case.n_items + more)
    names = RANKED[family]
    old, new = values(before, k, names), values(replace(before, recommended=longer), k, names)
    cut = {variant: value for variant, value in old.items() if not reads_past_the_cut(variant)}
    assert not differing(cut, new)


def reads_past_the_cut(variant: Variant) -> bool:
    """Whether more than the first k ranks bears on a value; an item in a list is a candidate as well."""
    choices = variant.choices()
    return choices.get("cut") == "none" or choices.get("over") in ("list", "candidates")


@pytest.mark.parametrize("name", RANKED_NAMES)
def test_a_hit_that_moves_up_never_costs_but_for_the_variants_named_here(name: str) -> None:
    """Swap a relevant item with the irrelevant one right above it, everywhere in the pool."""
    smaller: dict[Variant, str] = {}
    for case in pool()[:50]:
        user = one_user(case)
        hits = match(user).hits[0]
        for upper in np.flatnonzero(~hits[:-1] & hits[1:]):
            swapped = user.recommended.copy()
            swapped[0, [upper, upper + 1]] = swapped[0, [upper + 1, upper]]
            better = replace(user, recommended=swapped)
            for k in (1, 3, 6):
                before, after = match(user), match(better)
                for variant in space(name):
                    old, new = variant.of_matches(before, k=k), variant.of_matches(after, k=k)
                    if new < old - CLOSE:
                        smaller[variant] = f"{old} to {new} at k={k}: {hits.astype(int)} rank {upper + 2} moves up"
    named = NOT_MONOTONE.get(name, lambda c: False)
    for variant in space(name):
        fell = smaller.get(variant)
        assert (fell is not None) == named(variant.choices()), (
            f"{variant}: {fell or 'a better list never made it less'}"
        )


@pytest.mark.parametrize("name", RANKED_NAMES)
def test_perfect_lists_give_one_where_they_should_and_only_there(name: str) -> None:
    found = [values(perfect(case), k, [name]) for case in pool()[:40] for k in (1, 3, 7)]
    for variant in space(name):
        numbers = np.array([value[variant] for value in found])
        numbers = numbers[~np.isnan(numbers)]
        assert len(numbers) > 20
        always = bool(np.all(np.abs(numbers - 1) <= CLOSE))
        should = variant.weight != "sum" and PERFECT_IS_ONE[name](variant.choices())
        assert always == should, f"{variant}: perfect lists give {np.unique(numbers)}"


@given(case=cases(), k=ks)
@HELD
def test_identities(case: Case, k: int) -> None:
    def of(text: str) -> float:
        return Variant.parse(text).value(case, k=k)

    same(of("hit_rate(value=hits)"), k * of("precision"))
    same(of("precision(divide_by=min_k_relevant)"), of("recall(divide_by=min_k_relevant)"))
    same(of("precision(weight=micro)"), of("precision"))
    same(of("ndcg(ideal=none, discount=none)"), of("hit_rate(value=hits)"))
    same(of("ndcg(ideal=hits, discount=none)"), of("hit_rate"))
    same(of("auc(scope=per_positive, ties=half)") * 2, of("auc(scope=per_positive, ties=win)") + lose(case, k))


def lose(case: Case, k: int) -> float:
    return Variant.parse("auc(scope=per_positive, ties=lose)").value(case, k=k)


@given(case=cases(), k=ks)
@HELD
def test_for_one_user_the_scopes_of_auc_over_all_candidates_are_one(case: Case, k: int) -> None:
    user = one_user(case)
    assert user.candidate_scores is not None
    assume(np.all(user.candidate_scores[0, user.relevant_of(0)] > -np.inf) and len(user.relevant_of(0)))
    for ties in ("half", "win", "lose"):
        found = [Variant.parse(f"auc(scope={scope}, ties={ties})").value(user, k=k) for scope in ALL_CANDIDATES]
        same(found[0], found[1])
        same(found[0], found[2])


@given(case=cases(repeats=False), k=ks)
@HELD
def test_one_relevant_item_makes_metrics_coincide(case: Case, k: int) -> None:
    """Average precision is the reciprocal rank, recall the hit rate, sums over hits are the first hit."""
    matches = match(one_relevant(case))

    def of(text: str) -> float:
        return Variant.parse(text).of_matches(matches, k=k)

    for cut in ("k", "none"):
        first = of(f"reciprocal_rank(over=first, cut={cut})")
        for over in ("sum", "mean_hits", "mean_relevant"):
            same(of(f"reciprocal_rank(over={over}, cut={cut})"), first)
        for divide_by in ("min_k_relevant", "relevant", "hits", "min_list_relevant"):
            same(of(f"average_precision(divide_by={divide_by}, cut={cut})"), first)
    for text in ("hit_rate(value=hits)", "recall", "recall(divide_by=min_k_relevant)"):
        same(of(text), of("hit_rate"))


def of_binary_gain(variant: Variant) -> Variant:
    return Variant(METRICS["ndcg"](**{**variant.metric.made(), "gain": "binary"}), variant.weight).canonical()


@given(case=cases(), k=ks)
@HELD
def test_gains_of_zero_and_one_make_every_kind_of_gain_one(case: Case, k: int) -> None:
    """But a gain of 1 is 0 as g^2 - 1, and 3 as 2^(g + 1) - 1, which cancels unless there is no ideal list."""
    binary = replace(case, judged_gains=case.relevant.astype(np.float64), threshold=1.0)
    found = values(binary, k, ["ndcg"])
    alike, three, nothing = {}, {}, {}
    for variant, value in found.items():
        choices, binary_value = variant.choices(), found[of_binary_gain(variant)]
        if choices["gain"] == "squared_minus_one":
            nothing[variant] = value
        elif (choices["gain"], choices["ideal"]) == ("exponential_plus_one", "none"):
            three[variant] = 3 * binary_value
        else:
            alike[variant] = binary_value
    assert not differing(alike, found)
    assert not differing(three, found)
    assert not any(nothing[variant] > 0 for variant in nothing)


@given(case=cases(repeats=False), k=ks)
@HELD
def test_average_precision_over_all_relevant_of_a_perfect_list_is_recall(case: Case, k: int) -> None:
    best = perfect(case)
    same(
        Variant.parse("average_precision(divide_by=relevant)").value(best, k=k),
        Variant.parse("recall").value(best, k=k),
    )

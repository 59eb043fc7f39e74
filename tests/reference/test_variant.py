"""Variants print themselves, parse back, say what is wrong with a text, and merge only what no case tells apart."""

from __future__ import annotations

import itertools
from collections import defaultdict
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_reference.case import Case, case_from_lists
from metric_reference.edges import VALUES, Edges
from metric_reference.matching import match
from metric_reference.metric import Metric
from metric_reference.metrics.ranking.average_precision import AveragePrecision
from metric_reference.metrics.ranking.ndcg import Ndcg
from metric_reference.metrics.ranking.reciprocal_rank import ReciprocalRank
from metric_reference.variant import (
    METRICS,
    Variant,
    identities,
    plainest,
    prepare,
    space,
    spellings,
    standard,
    twins,
    unusual,
)  # fmt: skip
from tests.support.random_cases import HELD, cases, ks, pool
from tests.support.variants import FAMILIES, differing, same


def every_spelling(name: str) -> list[Variant]:
    """All combinations of choices and weights, merged or not, and those with a parameter at its default."""
    parametric = (Variant(metric) for metric, _ in METRICS[name].with_parameter())
    return list(dict.fromkeys([*spellings(name), *parametric]))


@pytest.mark.parametrize("name", METRICS)
def test_printing_and_parsing_round_trip(name: str) -> None:
    for variant, k in itertools.product(every_spelling(name), (None, 1, 20)):
        at = variant if k is None else variant.at(k)
        assert Variant.parse(str(at)) == at
        assert Variant.parse(str(at).replace(" ", "")) == at
        assert str(Variant.parse(str(at))) == str(at)


@pytest.mark.parametrize("name", METRICS)
def test_the_name_alone_is_the_standard_variant(name: str) -> None:
    assert Variant.parse(name) == standard(name) == space(name)[0]
    assert unusual(standard(name)) == 0
    assert Variant.parse(f"{name}@7") == standard(name).at(7)


@pytest.mark.parametrize("name", METRICS)
def test_no_two_variants_print_alike(name: str) -> None:
    printed = [str(variant) for variant in every_spelling(name)]
    assert len(set(printed)) == len(printed)


@pytest.mark.parametrize(("name", "parameter"), [("cumulative_hit_rate", "threshold"), ("rating_hit_rate", "rating")])
@given(number=st.floats(-1e6, 1e6))
@HELD
def test_a_parameter_round_trips(name: str, parameter: str, number: float) -> None:
    variant = Variant(METRICS[name](**{parameter: number}), k=3)
    assert Variant.parse(str(variant)) == variant


def test_a_parameter_that_is_no_number_says_so() -> None:
    with pytest.raises(ValueError, match="rating_hit_rate: rating must be a number, not 'five'"):
        Variant.parse("rating_hit_rate(rating=five)")


def test_print_shows_the_first_choice_and_what_is_unusual() -> None:
    variant = Variant(AveragePrecision(divide_by="relevant", cut="none"), "micro", 20)
    assert str(variant) == "average_precision(divide_by=relevant, cut=none, weight=micro)@20"
    assert str(Variant(Ndcg())) == "ndcg(gain=binary)"
    assert str(Variant(Ndcg(ideal="fixed", depth=5))) == "ndcg(gain=binary, ideal=fixed, depth=5)"
    assert str(Variant(ReciprocalRank(), "sum", 3, 5)) == "reciprocal_rank(over=first, weight=sum, rounded=5)@3"


def test_a_rounded_number() -> None:
    case = case_from_lists([[0, 1, 2], [0, 1, 2]], [[2], [1]], 3)
    assert Variant.parse("reciprocal_rank@3").value(case) == pytest.approx(5 / 12)
    assert Variant.parse("reciprocal_rank(rounded=2)@3").value(case) == 0.42
    assert Variant.parse("reciprocal_rank(over=first, weight=sum, rounded=3)@3").value(case) == 0.833
    assert Variant.parse("reciprocal_rank(rounded=2)") not in space("reciprocal_rank")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", ["is no variant", "@20"]),
        ("ndcg(gain=binary", ["'ndcg(gain=binary'", "is no variant"]),
        ("ndcg@", ["'ndcg@'", "is no variant"]),
        ("ndcg@-1", ["is no variant"]),
        ("ndcg@five", ["is no variant"]),
        ("ndgc@20", ["'ndgc' is no metric", "ndcg", "hit_rate"]),
        ("ndcg(gains=linear)", ["ndcg has no choice 'gains'", "gain", "discount", "weight"]),
        ("ndcg(linear)", ["ndcg has no choice 'linear'", "gain"]),
        ("ndcg(gain=square)", ["ndcg: gain", "'square'", "binary", "exponential_over_threshold"]),
        ("ndcg(gain=)", ["ndcg: gain", "''"]),
        ("recall(weight=macro)", ["weight", "user", "micro", "sum", "'macro'"]),
        ("recall(rounded=some)", ["rounded", "digits", "'some'"]),
        ("ndcg(base=3)", ["ndcg: base", "discount=max_log"]),
        ("ndcg(ideal=fixed, depth=2.5)", ["ndcg: depth", "whole number", "'2.5'"]),
        ("rank_biased_precision(persistence=2)", ["rank_biased_precision: persistence", "0.01..0.999", "'2'"]),
        ("recall@0", ["k must be at least 1", "0"]),
        ("recall(divide_by=relevant, divide_by=min_k_relevant)", ["divide_by", "twice"]),
    ],
)
def test_parse_says_what_is_wrong(text: str, says: list[str]) -> None:
    with pytest.raises(ValueError) as caught:
        Variant.parse(text)
    for part in says:
        assert part in str(caught.value)


def test_a_variant_without_a_cut_off_asks_for_one() -> None:
    case = pool()[0]
    with pytest.raises(ValueError, match=r"recall\(divide_by=relevant\)@20"):
        standard("recall").value(case)
    assert standard("recall").at(3).value(case) == standard("recall").value(case, k=3)
    assert standard("recall").at(3).value(case, k=1) == standard("recall").value(case, k=1)


@pytest.mark.parametrize("k", [0, -1])
def test_a_cut_off_below_one_is_an_error_wherever_it_is_given(k: int) -> None:
    with pytest.raises(ValueError, match="k must be at least 1"):
        standard("recall").at(k)
    with pytest.raises(ValueError, match="k must be at least 1"):
        standard("recall").value(pool()[0], k=k)


def test_names_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match=r"'map' is no metric.*average_precision"):
        space("map")
    with pytest.raises(ValueError, match="weight must be one of user, micro, sum, not 'pooled'"):
        Variant(Ndcg(), "pooled")
    with pytest.raises(ValueError, match=r"ndcg: ideal must be one of .*, not 'best'"):
        Ndcg(ideal="best")
    with pytest.raises(ValueError, match=r"no_list must be one of .*, not 'none'"):
        Edges(no_list="none")
    with pytest.raises(ValueError, match="duplicates must be counted or once, not 'error'"):
        match(pool()[0], "error")


def test_auc_without_scores_of_the_catalogue_says_so() -> None:
    case = case_from_lists([[0, 1]], [[1]], 3)
    for scope in ("per_user", "per_positive", "stacked", "limited"):
        with pytest.raises(ValueError, match="candidate_scores"):
            Variant.parse(f"auc(scope={scope})@2").value(case)
    assert Variant.parse("auc(scope=top_k)@2").value(case) == 0


@pytest.mark.parametrize("name", METRICS)
def test_canonical_is_idempotent_and_the_space_is_canonical(name: str) -> None:
    parametric = {metric.canonical() for metric, _ in METRICS[name].with_parameter()}
    for variant in every_spelling(name):
        once = variant.canonical()
        assert once.canonical() == once
        assert once in space(name) or once.metric in parametric
        assert variant.at(5).canonical() == once.at(5)
    assert len(set(space(name))) == len(space(name))


@pytest.mark.thorough
@pytest.mark.parametrize("family", FAMILIES)
@given(case=cases(), k=ks)
@HELD
def test_merged_variants_are_equal(family: str, case: Case, k: int) -> None:
    matches = prepare(case)
    spelled = [variant for name in FAMILIES[family] for variant in every_spelling(name)]
    merged = {variant: variant.canonical() for variant in spelled if variant.canonical() != variant}
    own = {variant: variant.of_matches(matches, k=k) for variant in merged}
    assert not differing(own, {variant: merged[variant].of_matches(matches, k=k) for variant in merged})


@given(case=cases(), k=ks)
@HELD
def test_identities_between_metrics_hold(case: Case, k: int) -> None:
    matches = prepare(case)
    for group in identities():
        first, *others = [Variant.parse(text) for text in group]
        for other in others:
            same(first.of_matches(matches, k=k), other.of_matches(matches, k=k), f"{first} and {other}")


@pytest.mark.thorough
def test_no_identity_between_metrics_is_missing() -> None:
    """What the pool cannot tell apart across metrics is in the list of identities, whole groups at a time."""
    groups = coinciding([variant for name in METRICS for variant in space(name)])
    found = {frozenset(map(str, group)) for group in groups if len({variant.metric.name for variant in group}) > 1}
    assert found == {frozenset(str(Variant.parse(text)) for text in group) for group in identities()}


@pytest.mark.thorough
@pytest.mark.parametrize("name", METRICS)
def test_twins_are_equal(name: str) -> None:
    pairs = [(variant, twin) for variant in space(name) for twin in twins(variant)]
    for matches in map(prepare, pool()[:5]):
        for variant, twin in pairs:
            assert twin != variant
            same(variant.of_matches(matches, k=3), twin.of_matches(matches, k=3), f"{variant} and {twin}")


@pytest.mark.thorough
@pytest.mark.parametrize("name", METRICS)
def test_every_two_variants_of_the_space_differ_somewhere(name: str) -> None:
    """What no case of the pool tells apart should have been merged."""
    assert not coinciding(list(space(name)))


def coinciding(variants: list[Variant]) -> list[list[Variant]]:
    """Groups of variants that are one number for every case of the pool."""
    groups: dict[bytes, list[Variant]] = defaultdict(list)
    for variant in variants:
        groups[answers(variant.metric.name)[variant]].append(variant)
    return [group for group in groups.values() if len(group) > 1]


@cache
def answers(name: str) -> dict[Variant, bytes]:
    """What each variant of a metric gives for the cases of the pool, to nine digits."""
    numbers: dict[Variant, list[float]] = defaultdict(list)
    for matches, k in itertools.product(map(prepare, pool()[:40]), (2, 5)):
        for variant in space(name):
            numbers[variant].append(variant.of_matches(matches, k=k))
    return {variant: (np.round(row, 9) + 0.0).tobytes() for variant, row in numbers.items()}


def test_plainest_puts_the_fewest_unusual_choices_first() -> None:
    shuffled = sorted(space("ndcg"), key=str, reverse=True)
    counts = [unusual(variant) for variant in plainest(shuffled)]
    assert counts == sorted(counts)
    assert plainest(shuffled)[0] == standard("ndcg")


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_describes_itself(name: str) -> None:
    for metric in METRICS[name].space():
        assert isinstance(metric, Metric)
        assert metric.name == name
        low, high = metric.bounds(5)
        assert low < high or (low == high and name == "constant")
        formula = metric.formula()
        assert formula
        assert formula.count("{") == formula.count("}")


@given(st.sampled_from(sorted(VALUES)), st.text(max_size=8))
@HELD
def test_edges_take_their_own_words_only(edge: str, word: str) -> None:
    for allowed in (*VALUES[edge], "unclear"):
        assert Edges(**{edge: allowed}).made()[edge] == allowed
    if word not in (*VALUES[edge], "unclear"):
        with pytest.raises(ValueError, match=edge):
            Edges(**{edge: word})


@pytest.mark.parametrize(
    ("no_relevant", "no_list", "users"),
    [
        ("zero", "zero", "truth"),
        ("skipped", "zero", "with_relevant"),
        ("poisons_mean", "skipped", "recommended"),
        ("nan", "skipped", "both"),
    ],
)
def test_edges_say_who_counts(no_relevant: str, no_list: str, users: str) -> None:
    assert Edges(no_relevant=no_relevant, no_list=no_list).users == users

"""What every variant says of its bounds: no value lies outside, and finite ones are reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from metric_reference.case import Case, case_from_lists
from metric_reference.matching import match
from metric_reference.variant import Variant, space
from tests.support.random_cases import HELD, cases, ks
from tests.support.variants import CLOSE, FAMILIES, RANKED_NAMES, every, same

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("family", FAMILIES)
@given(case=cases(repeats=False), k=ks)
@HELD
def test_values_lie_inside_their_bounds(family: str, case: Case, k: int) -> None:
    matches = match(case)
    smallest_gain = matches.relevant.gains.min(initial=1.0)
    for variant in every(FAMILIES[family]):
        low, high = variant.metric.bounds(k)
        if not matches.lengths.all():
            low = min(low, 0.0)  # a user without a list counts 0
        if variant.choices().get("gain") == "squared_minus_one" and smallest_gain < 1:
            continue  # the bounds are those of gains from 1 on
        found = np.array([variant.of_matches(matches, k=k)] if variant.weight != "sum" else [])
        if not variant.metric.of_whole_case():
            found = np.append(found, variant.metric.per_user(matches, k))
        found = found[~np.isnan(found)]
        assert np.all((found >= low - CLOSE) & (found <= high + CLOSE)), f"{variant}: {found} outside {low}..{high}"


SUPREMA = ("rank_biased_precision", "expected_reciprocal_rank")
"""1 is a limit that no list reaches, whatever its length or gains; so it is of an AUC whose area lags."""


@pytest.mark.parametrize("k", [1, 2, 3, 6])
@pytest.mark.parametrize("name", RANKED_NAMES)
def test_finite_bounds_are_reached(name: str, k: int) -> None:
    """By lists of one user whose first or last ranks hit, or that hit nothing of what is relevant."""
    matched = [match(case) for length in (*range(1, 10), 40) for case in (*one_list(length), missing(length))]
    for variant in space(name):
        found = np.array([variant.of_matches(matches, k=k) for matches in matched])
        found = found[~np.isnan(found)]
        low, high = variant.metric.bounds(k)
        choices = variant.choices()
        if k == 1 and choices.get("scope") == "top_k" and choices["one_sided"] == "nan":
            assert not len(found)
            continue
        # 1 over one more than the negatives, a precision at the last rank, F1 of one hit: approach 0 with the items.
        if choices.get("negatives") != "plus_one" and choices.get("no_hits") != "nan" and name != "pr_auc":
            same(found.min(), low, f"{variant}: smallest")
        of_few = choices.get("ideal") in ("same_ranks", "relevant_ranks")
        if of_few and choices["discount"] == "ln_rank" and choices["gain"] != "binary":
            assert found.max() <= high, f"{variant}: a limit, for gains that differ without end"
        elif (name in SUPREMA or choices.get("negatives") == "lagged") and high == 1:
            assert 0.8 < found.max() < 1, f"{variant}: largest {found.max()}"
        elif high < np.inf:
            same(found.max(), high, f"{variant}: largest")
        else:
            assert found.max() > 1, f"{variant}: {found}"


def one_list(length: int) -> Iterator[Case]:
    """A list in a catalogue with two items more; scores fall with the rank, and what is not listed has the lowest."""
    listed = list(range(length))
    scores = -np.arange(length + 2.0)
    for wanted in (*(listed[:hits] for hits in range(1, length + 1)), listed[-1:], [length + 1]):
        yield case_from_lists(
            [listed], [wanted], length + 2, gains=[[5.0] * len(wanted)],
            scores=[scores[:length].tolist()], candidate_scores=scores[None],
        )  # fmt: skip


def missing(length: int) -> Case:
    """A list of everything but the one relevant item."""
    scores = -np.arange(length + 1.0)
    return case_from_lists(
        [list(range(length))], [[length]], length + 1, scores=[scores[:length].tolist()], candidate_scores=scores[None]
    )


OPPOSITE, AROUND, TRAINED, ALIKE, THREE = [0, 2], [0, 1, 2, 3], [4], [4, 5, 6, 7], [1, 2, 4]


@pytest.mark.parametrize(
    ("text", "smallest", "largest"),
    [
        ("diversity(pair=cosine_distance)", ALIKE, OPPOSITE),
        ("diversity(pair=cosine_distance, divide_by=list)", ALIKE, AROUND),
        ("diversity(pair=cosine_similarity)", OPPOSITE, ALIKE),
        ("diversity(pair=cosine_similarity, divide_by=list)", AROUND, ALIKE),
        ("popularity(value=interaction_share, length=k)", OPPOSITE, TRAINED),
        ("entropy(log=ln, normalise=recommended_items)", TRAINED, THREE),
        ("entropy(log=log2, normalise=recommended_items)", TRAINED, THREE),
    ],
)
def test_bounds_beyond_accuracy_are_reached(text: str, smallest: list[int], largest: list[int]) -> None:
    variant = Variant.parse(text)
    for listed, bound in zip((smallest, largest), variant.metric.bounds(4), strict=True):
        case = replace(
            case_from_lists([listed], [[]], 8),
            item_vectors=np.array([(1, 0), (0, 1), (-1, 0), (0, -1), *[(1, 1)] * 4], dtype=np.float64),
            item_counts=np.array([0, 0, 0, 0, 9, 0, 0, 0]),
        )
        same(variant.value(case, k=4), bound, text)

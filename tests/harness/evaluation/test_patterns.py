"""Users evaluated once for each pattern: the sums and values are, to the last bit, those of every user by himself."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metric_harness.evaluation.partial_sums import Asked, additive, sums_of
from metric_harness.evaluation.patterns import MOST_RANKS, bases
from metric_reference.averaging import user_values
from metric_reference.case import Case, case_from_lists
from metric_reference.edges import STANDARD
from metric_reference.matching import Matches, match
from metric_reference.variant import METRICS, Variant, space
from tests.support.random_cases import HELD, THOROUGH, ks

SPACE = [
    variant
    for name in METRICS
    for variant in space(name)
    if additive(variant.metric) and set(variant.metric.needs) <= {"scores"}
]
AT_ONCE = 40
"""So many of them are drawn for a case."""

GAINS = {"equal": [2.0], "graded": [1.0, 2.0, 3.5, 5.0], "tiny": [1e-300, 1.0], "huge": [1.0, 1100.0], "vast": [1100.0],
         "many": [1.0 + step / 7 for step in range(40)]}  # fmt: skip


@st.composite
def alike(draw: st.DrawFn) -> Case:
    """Up to 60 users, many of them alike: few relevant items, short lists of uneven length or none, few hits."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    gains = GAINS[draw(st.sampled_from(sorted(GAINS)))]
    width, n_items = draw(st.sampled_from([1, 3, 9, MOST_RANKS + 5])), MOST_RANKS + 20
    even = draw(st.booleans())
    lists, judged = [], []
    for _ in range(draw(st.integers(1, 60))):
        lists.append(rng.permutation(n_items)[: width if even else rng.integers(0, width + 1)].tolist())
        near = rng.random() < 0.5 and lists[-1]
        judged.append(list(dict.fromkeys(rng.choice(lists[-1] if near else n_items, rng.integers(0, 5)).tolist())))
    return case_from_lists(
        lists, judged, n_items, gains=[rng.choice(gains, len(row)).tolist() for row in judged],
        scores=[sorted(rng.choice([-0.5, 0.0, 0.5], len(row)).tolist(), reverse=True) for row in lists],
        threshold=float(draw(st.sampled_from([1e-300, 1.0, 2.0]))), width=width,
    )  # fmt: skip


def plain(matches: Matches, variant: Variant, k: int) -> tuple[np.ndarray, np.ndarray]:
    return user_values(variant.metric, matches, k, STANDARD)


def exactly(values: np.ndarray) -> Fraction:
    return sum(map(Fraction, values.tolist()), Fraction())


chosen = st.integers(0, 2**32 - 1).map(
    lambda seed: [SPACE[place] for place in np.random.default_rng(seed).choice(len(SPACE), AT_ONCE, replace=False)]
)


@given(case=alike(), cuts=st.lists(ks, min_size=1, max_size=2, unique=True), variants=chosen)
@THOROUGH
def test_sums_are_those_of_every_user_by_himself(case: Case, cuts: list[int], variants: list[Variant]) -> None:
    asked: list[Asked] = [(variant, k) for k in cuts for variant in variants]
    with np.errstate(over="ignore", invalid="ignore"):
        found, own = sums_of(match(case), asked)
        matches = match(case)
        assert (found.users, found.relevant) == (case.users, int(matches.n_relevant.sum()))
        assert found.hits_at == {k: int(matches.hits[:, :k].sum()) for k in cuts}
        for (variant, k), row in zip(asked, found.rows, strict=True):
            if variant.metric.whole():
                continue
            values, counted = plain(matches, variant, k)
            kept = values[counted & ~np.isnan(values)]
            assert row.count == np.count_nonzero(counted), variant
            assert row.undefined == np.count_nonzero(np.isnan(values[counted])), variant
            if variant.weight == "micro" and variant.metric.weighs:
                parts = variant.metric.parts(matches, k)
                if np.isfinite(parts).all():
                    assert [exactly(np.array(side)) for side in (row.top, row.bottom)] == [
                        exactly(part[counted]) for part in parts
                    ], variant
            elif np.isfinite(kept).all():
                assert exactly(np.array(row.top)) == exactly(kept), variant
            else:
                assert row.top == [np.inf], variant
            if variant.weight == "user":
                np.testing.assert_array_equal(own[str(variant.at(k))], np.where(counted, values, np.nan), str(variant))


@given(case=alike(), k=ks, seed=st.integers(0, 2**32 - 1), variants=chosen)
@HELD
def test_who_shares_a_pattern_has_the_same_values(case: Case, k: int, seed: int, variants: list[Variant]) -> None:
    """With other gains and scores those by ranks still have; and who has no hit has 0 where only hits are looked at."""
    rng = np.random.default_rng(seed)
    scores = None if case.scores is None else rng.permuted(case.scores, axis=1)
    more = np.where(case.relevant, rng.choice([1.0, 1.5], len(case.judged_gains)), 1.0)
    other = match(replace(case, judged_gains=case.judged_gains * more, scores=scores))
    matches = match(case)
    for variant, basis in zip(variants, bases(variants, matches), strict=True):
        if variant.metric.whole() or basis == "all":
            continue
        values, counted = plain(matches, variant, k)
        if basis == "ranks" and len(np.unique(matches.relevant.gains)) > 1:
            np.testing.assert_array_equal(values, plain(other, variant, k)[0], str(variant))
        if basis == "hits":
            missed = (matches.n_relevant > 0) & (matches.hit_count(case.width) == 0)
            assert counted[missed].all(), variant
            assert not values[missed].any(), variant

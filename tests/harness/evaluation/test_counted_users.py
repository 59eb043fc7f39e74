"""One user of each pattern evaluated, and counted: the sums are those of every user by himself."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_harness.evaluation.counted_users import Counted, Graded, counted_users, gains_of_case
from metric_harness.evaluation.partial_sums import Asked, additive, nothing, sums_of, value_of
from metric_reference.averaging import user_values
from metric_reference.case import Case, case_from_lists
from metric_reference.edges import STANDARD
from metric_reference.matching import Matches, match
from metric_reference.variant import METRICS, Variant, space
from tests.support.random_cases import THOROUGH, ks

SPACE = [
    variant
    for name in METRICS
    for variant in space(name)
    if additive(variant.metric) and set(variant.metric.needs) <= {"scores"}
]
AT_ONCE = 40
"""This many of them are drawn for a case."""

GAINS = {"equal": [2.0], "graded": [1.0, 2.0, 3.5, 5.0], "tiny": [1e-300, 1.0],
         "many": [1.0 + step / 7 for step in range(40)]}  # fmt: skip


@st.composite
def alike(draw: st.DrawFn) -> Case:
    """Up to 60 users, many of them alike: few relevant items, short lists of uneven length or none, few hits."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    gains = GAINS[draw(st.sampled_from(sorted(GAINS)))]
    width, n_items = draw(st.sampled_from([1, 3, 9, 45])), 60
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


chosen = st.integers(0, 2**32 - 1).map(
    lambda seed: [SPACE[place] for place in np.random.default_rng(seed).choice(len(SPACE), AT_ONCE, replace=False)]
)


def counted(matches: Matches) -> pa.RecordBatch:
    """The patterns of a case and how many users have each, as the relational plan gives them."""
    found: Counter[tuple[int, tuple[float, ...], tuple[tuple[int, float, float], ...]]] = Counter()
    scores, ranks = matches.case.scores, matches.listed_hits
    for user in range(matches.users):
        low, high = matches.relevant.starts[user : user + 2]
        own = np.flatnonzero(ranks.users == user)
        hits = [(int(ranks.ranks[n]), float(ranks.gains[n])) for n in own]
        assert scores is not None
        with_scores = tuple((rank, gain, float(scores[user, rank])) for rank, gain in hits)
        found[int(matches.lengths[user]), tuple(sorted(matches.relevant.gains[low:high].tolist())), with_scores] += 1
    record = pa.struct([("rank", pa.int64()), ("gain", pa.float64()), ("score", pa.float64())])
    hit_lists = [
        [{"rank": rank, "gain": gain, "score": score} for rank, gain, score in hits] or None for _, _, hits in found
    ]
    return pa.record_batch(
        {
            "listed": pa.array([listed for listed, _, _ in found], pa.int64()),
            "gains": pa.array([list(gains) for _, gains, _ in found], pa.list_(pa.float64())),
            "hits": pa.array(hit_lists, pa.list_(record)),
            "times": pa.array(found.values(), pa.int64()),
        }
    )


@pytest.mark.thorough
@given(case=alike(), cuts=st.lists(ks, min_size=1, max_size=2, unique=True), variants=chosen)
@THOROUGH
def test_sums_are_those_of_every_user_by_himself(case: Case, cuts: list[int], variants: list[Variant]) -> None:
    asked: list[Asked] = [(variant, k) for k in cuts for variant in variants]
    with np.errstate(over="ignore", invalid="ignore"):
        matches, found = match(case), nothing(asked)
        gains = gains_of_case(np.unique(matches.relevant.gains).tolist())
        for users, _ in counted_users(counted(matches), case.threshold, gains):
            found.add(sums_of(users, asked)[0])
        assert (found.users, found.relevant) == (case.users, int(matches.n_relevant.sum()))
        assert found.hits_at == {k: int(matches.hits[:, :k].sum()) for k in cuts}
        for (variant, k), row in zip(asked, found.rows, strict=True):
            if variant.metric.of_whole_case():
                continue
            values, counts = user_values(variant.metric, matches, k, STANDARD)
            kept = values[counts & ~np.isnan(values)]
            assert row.count == np.count_nonzero(counts), variant
            assert row.undefined == np.count_nonzero(np.isnan(values[counts])), variant
            if variant.weight == "micro" and variant.metric.weighs:
                parts = variant.metric.parts(matches, k)
                if np.isfinite(parts).all():
                    for side, part in zip((row.top, row.bottom), parts, strict=True):
                        assert math.fsum(side) == pytest.approx(math.fsum(part[counts]), rel=1e-13), variant
            else:
                assert math.fsum(row.top) == pytest.approx(math.fsum(kept), rel=1e-13), variant


@pytest.mark.parametrize("text", ["recall(rounded=2, rounds=users)", "recall(rounded=1, times=100, rounds=users)"])
def test_values_of_users_are_rounded_before_they_are_summed(text: str) -> None:
    case = case_from_lists([[0, 1, 9], [0, 8, 9], [1, 2, 8]], [[0, 1, 2], [0, 1, 2], [1]], 10, scores=[[3, 2, 1]] * 3)
    asked: list[Asked] = [(Variant.parse(text), 3), (Variant.parse("recall(rounded=2)"), 3)]
    found, own = nothing(asked), {}
    for users, _ in counted_users(counted(match(case)), case.threshold, gains_of_case([1.0])):
        sums, own = sums_of(users, asked, own=True)
        found.add(sums)
    for (variant, k), row in zip(asked, found.rows, strict=True):
        assert value_of(variant, k, row, found) == pytest.approx(variant.value(case, k=k), abs=1e-15)
    assert sorted(own[str(asked[0][0].at(3))])[0] == (33.3 if "times" in text else 0.33)


@given(
    st.lists(st.floats(-1e200, 1e200), min_size=1, max_size=20),
    st.integers(0, 2**32 - 1),
)
@THOROUGH
def test_a_value_times_a_number_is_exact(values: list[float], seed: int) -> None:
    """Also where more users than 2^26 have a pattern."""
    times = np.random.default_rng(seed).integers(1, 1 << 40, len(values))
    everybody = match(case_from_lists([[0]] * len(values), [[0]] * len(values), 1))
    users = Counted(Graded(everybody.case, everybody.relevant, everybody.listed_hits), times)
    given_values = np.array(values)
    terms = users.terms(given_values, np.ones(len(values), dtype=bool))
    expected = sum((Fraction(value) * int(n) for value, n in zip(values, times, strict=True)), Fraction())
    small = (np.abs(given_values) < 1e-200) & (given_values != 0)  # halves of the least floats are no floats
    assert small.any() or sum(map(Fraction, terms.tolist()), Fraction()) == expected

"""The protocol: each method by hand, ties, counts at every step, independence of the order of rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from metric_harness.data.datasets import NAMES, read_ratings
from metric_harness.data.split import METHODS, PAPER, Protocol, default_protocol, split
from metric_harness.system.errors import HarnessError


def frame(*rows):
    return pd.DataFrame(rows, columns=["user_id", "item_id", "rating", "timestamp"]).astype({"rating": float})


def pairs(part):
    return list(zip(part["user_id"].tolist(), part["item_id"].tolist(), strict=True))


def test_global_time_by_hand():
    ratings = frame(
        (2, 10, 5, 3), (1, 10, 5, 1), (1, 20, 5, 2), (2, 20, 3, 0), (3, 10, 5, 9), (1, 30, 5, 9), (2, 30, 4.5, 4),
        (2, 40, 5, 8),
    )  # fmt: skip
    # seven positives at 1 2 3 4 8 9 9; place floor(7 * 0.6) = 4 is the one at 8: from 8 on is test
    parts = split(ratings, Protocol(4.5, "global_time", 0.4))
    assert pairs(parts.train) == [(1, 10), (1, 20), (2, 10), (2, 30)]
    # user 3 is not in training, nor is item 40; item 30 is, by user 2
    assert pairs(parts.test) == [(1, 30)]
    assert parts.test["rating"].tolist() == [5.0]
    assert parts.steps == [
        {"step": "ratings as read", "part": "all", "users": 3, "items": 4, "interactions": 8},
        {"step": "ratings of at least 4.5 kept", "part": "all", "users": 3, "items": 4, "interactions": 7},
        {"step": "split by global_time", "part": "train", "users": 2, "items": 3, "interactions": 4},
        {"step": "split by global_time", "part": "test", "users": 3, "items": 3, "interactions": 3},
        {"step": "users that training lacks removed", "part": "test", "users": 2, "items": 2, "interactions": 2},
        {"step": "items that training lacks removed", "part": "test", "users": 1, "items": 1, "interactions": 1},
    ]


def test_global_time_keeps_equal_times_together():
    rows = [(user, item, 5, 1 if user == 1 or item == 1 else 5) for user in (1, 2, 3) for item in (1, 2, 3)]
    parts = split(frame(*rows), Protocol(4.5, "global_time", 0.2))
    # the cut lies at place 7 of 9, among the four positives of one second: all four are test, though 0.2 is two
    assert pairs(parts.test) == [(2, 2), (2, 3), (3, 2), (3, 3)]


def test_user_time_by_hand():
    ratings = frame(
        *((1, item, 5, time) for item, time in ((10, 1), (20, 2), (30, 3), (40, 4), (50, 0))),
        *((2, item, 5, 7) for item in (50, 10, 30, 20, 40)),  # equal times: the highest item ids are held out
        (3, 20, 5, 1),  # a single positive stays in training
        (4, 10, 5, 1), (4, 20, 5, 2),
    )  # fmt: skip
    parts = split(ratings, Protocol(4.5, "user_time", 0.4))
    held_out = set(pairs(ratings)) - set(pairs(parts.train))
    assert held_out == {(1, 30), (1, 40), (2, 40), (2, 50), (4, 20)}
    assert set(pairs(parts.test)) == held_out - {(1, 40), (2, 40)}  # item 40 is not in training
    assert pairs(parts.test) == sorted(pairs(parts.test))


def test_leave_one_out_by_hand():
    ratings = frame((1, 10, 5, 5), (1, 20, 5, 9), (1, 30, 5, 9), (2, 10, 5, 1), (2, 30, 5, 0), (3, 20, 5, 1))
    parts = split(ratings, Protocol(4.5, "leave_one_out"))
    assert pairs(parts.test) == [(1, 30), (2, 10)]
    assert pairs(parts.train) == [(1, 10), (1, 20), (2, 30), (3, 20)]


def test_random_is_the_same_for_a_seed_and_needs_no_times():
    ratings = frame(*((user, item, 5, 0) for user in range(20) for item in range(20))).drop(columns="timestamp")
    one, same, other = (split(ratings, Protocol(4.5, "random", 0.25, seed)) for seed in (1, 1, 2))
    assert pairs(one.test) == pairs(same.test) != pairs(other.test)
    assert len(one.test) == 100
    assert len(one.train) == 300


@pytest.mark.parametrize("fraction", [0.1, 0.2, 0.3, 0.7, 0.9])
def test_fractions_are_exact_where_products_are_not(fraction):
    ratings = frame(*((user, item, 5, 10 * user + item) for user in range(10) for item in range(10)))
    expected = round(100 * fraction)  # 10 * (1 - 0.9), for one, is a little less than 1
    assert split(ratings, Protocol(4.5, "random", fraction)).steps[3]["interactions"] == expected
    both = pd.concat([ratings, ratings.assign(user_id=ratings["user_id"] + 10, item_id=9 - ratings["item_id"])])
    assert split(both, Protocol(4.5, "user_time", fraction)).steps[3]["interactions"] == 2 * expected
    distinct = both.assign(timestamp=np.random.RandomState(0).permutation(200))
    assert split(distinct, Protocol(4.5, "global_time", fraction)).steps[3]["interactions"] == 2 * expected


@pytest.mark.parametrize("method", METHODS)
@given(
    st.permutations([(user, item) for user in range(7) for item in range(7)]),
    st.lists(st.tuples(st.sampled_from([3.0, 4.0, 5.0]), st.integers(0, 5)), min_size=30, max_size=49),
    st.sampled_from([0.1, 0.2, 0.5]),
    st.randoms(use_true_random=False),
)
def test_properties_of_every_split(method, drawn, judgements, fraction, shuffle):
    rows = [(*pair, *judgement) for pair, judgement in zip(drawn, judgements, strict=False)]
    protocol = Protocol(4.0, method, fraction, seed=3)
    try:
        parts = split(frame(*rows), protocol)
    except HarnessError:
        reject()  # nothing is positive or a part is empty; tested below
    again = list(rows)
    shuffle.shuffle(again)
    other = split(frame(*again), protocol)
    pd.testing.assert_frame_equal(parts.train, other.train)  # whatever the order of the rows
    pd.testing.assert_frame_equal(parts.test, other.test)
    assert parts.steps == other.steps
    train, test = set(pairs(parts.train)), set(pairs(parts.test))
    assert train
    assert test
    assert not train & test
    assert {user for user, _ in test} <= {user for user, _ in train}
    assert {item for _, item in test} <= {item for _, item in train}
    positives = {(user, item): time for user, item, rating, time in rows if rating >= 4}
    assert train | test <= positives.keys()
    assert parts.steps[2]["interactions"] + parts.steps[3]["interactions"] == len(positives)
    held_out = positives.keys() - train
    if method == "global_time":
        assert max(positives[pair] for pair in train) < min(positives[pair] for pair in held_out)
        assert len(held_out) >= fraction * len(positives) - 1e-9
    if method in ("user_time", "leave_one_out"):
        for user in {user for user, _ in positives}:
            mine = sorted((time, item) for (owner, item), time in positives.items() if owner == user)
            count = 1 if method == "leave_one_out" else max(1, int(fraction * len(mine) + 1e-9))
            count = count if len(mine) > 1 else 0
            assert {item for owner, item in held_out if owner == user} == {i for _, i in mine[len(mine) - count :]}
    if method == "random":
        assert len(held_out) == int(fraction * len(positives) + 1e-9)


def test_text_ids():
    ratings = frame(("b", "y", 5, 1), ("a", "x", 5, 2), ("b", "x", 5, 3), ("a", "y", 5, 4))
    parts = split(ratings, Protocol(4.5, "global_time", 0.5))
    assert pairs(parts.train) == [("a", "x"), ("b", "y")]
    assert pairs(parts.test) == [("a", "y"), ("b", "x")]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"threshold": 0}, "above 0"),
        ({"threshold": float("nan")}, "above 0"),
        ({"method": "by_mood"}, r"no such method.*leave_one_out"),
        ({"test_fraction": 1.0}, "between 0 and 1"),
        ({"test_fraction": 0.0}, "between 0 and 1"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_settings_that_make_no_sense(settings, message):
    with pytest.raises(HarnessError, match=message):
        Protocol(**{"threshold": 4.5, "method": "global_time", **settings})


def test_empty_parts_say_what_to_change():
    with pytest.raises(HarnessError, match=r"at least 4\.5; the highest is 4: use a lower threshold"):
        split(frame((1, 1, 4, 1)), PAPER)
    with pytest.raises(HarnessError, match="training set is empty"):
        split(frame((1, 1, 5, 7), (1, 2, 5, 7), (2, 1, 5, 7)), PAPER)
    with pytest.raises(HarnessError, match=r"test set is empty: of 1 positives"):
        split(frame((1, 1, 5, 1), (2, 2, 5, 2)), PAPER)
    with pytest.raises(HarnessError, match=r"test set is empty: of 0 positives"):
        split(frame((1, 1, 5, 1), (2, 2, 5, 2)), Protocol(4.5, "leave_one_out"))
    with pytest.raises(HarnessError, match=r"no column timestamp.*random"):
        split(frame((1, 1, 5, 1)).drop(columns="timestamp"), PAPER)


def test_every_data_set_has_a_protocol_and_a_description():
    for name in NAMES:
        assert default_protocol(name).describe().startswith("Ratings of at least 4")
    assert default_protocol("ml-10m") == default_protocol("ml-20m") == Protocol(4.5, "global_time", 0.2)
    assert default_protocol("ml-100k") == Protocol(4.0, "user_time", 0.2)
    assert len({Protocol(4.5, method).describe() for method in METHODS}) == len(METHODS)


@pytest.mark.large
@pytest.mark.parametrize(
    ("name", "train", "test", "users"),
    [("ml-100k", 44_675, 10_561, 941), ("ml-latest-small", 39_100, 8_368, 604), ("ml-1m", 181_048, 18_742, 1_003)],
)
def test_real_data_under_its_default_protocol(movielens, name, train, test, users):
    parts = split(read_ratings(movielens(name)).frame, default_protocol(name))
    assert (len(parts.train), len(parts.test), parts.test["user_id"].nunique()) == (train, test, users)
    assert np.all(parts.test["rating"] >= default_protocol(name).threshold)

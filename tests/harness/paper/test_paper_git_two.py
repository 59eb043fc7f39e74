"""OpenRec and NeuRec, as the paper asked them and as they are: what they answer, live, for users worked out by hand."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from metric_harness.worker.process import Reply
from metric_reference.case import Case, case_from_lists
from tests.support.fixture import K, fixture_case
from tests.support.live import LIBRARIES, Live

NAN = float("nan")
Ask = Callable[[str, str, Case, int], Reply]

FOUR_USERS = {
    "openrec": {
        "tf2:Recall": 0.595238, "tf2:NDCG": 1.241560, "tf2:AUC": 0.712121, "tf1:Precision": 0.55, "tf1:Recall": 0.75,
        "tf1:NDCG": 0.855581, "tf1:AUC": 0.712121, "tf1:Precision[paper]": 0.4,
    },
    "neurec": {
        "python:hit": 0.75, "python:precision": 0.4, "python:recall": 0.595238, "python:mrr": 0.625,
        "python:map": 0.152083, "python:ndcg": 0.619406, "cpp:precision": 0.4, "cpp:recall": 0.595238,
        "cpp:mrr": 0.625, "cpp:map": 0.575, "cpp:ndcg": 0.619406,
    },
}  # fmt: skip
"""Measured by calling the libraries by hand."""

DISCOUNT = [1 / math.log2(above + 2) for above in range(7)]
BY_USER: dict[tuple[str, str], list[float]] = {
    ("openrec", "tf1:Precision"): [3 / 5, 7 / 5, 0, 1 / 5],
    ("openrec", "tf1:Recall"): [1, 1, 0, 1],
    ("openrec", "tf1:NDCG"): [(DISCOUNT[1] + DISCOUNT[3]) / sum(DISCOUNT[:3]), 7 / sum(DISCOUNT[:7]), 0, 1],
    ("openrec", "tf1:Precision[paper]"): [2 / 5, 1, 0, 1 / 5],
    ("openrec", "tf2:Recall"): [2 / 3, 5 / 7, 0, 1],
    ("openrec", "tf2:AUC"): [2 / 3, 1, 2 / 11, 1],
    ("neurec", "python:map"): [(1 / 2 + 2 / 5) / 12, 5 / 15, 0, 1 / 5],
    ("neurec", "cpp:map"): [(1 / 2 + 2 / 5) / 3, 1, 0, 1],
}
"""Worked out by hand. OpenRec's EvalManager counts the items above that are not relevant: none for any of the second
user's seven relevant ones, so that all seven count at k = 5, each at rank 0; 1, 3 and 5 for the first user's. NeuRec's
Python file divides by the sum of min(j, relevant) over j to k."""


@pytest.fixture
def ask(live: Live) -> Ask:
    """Ask a function of a library for a case."""
    return live.ask


@pytest.mark.live
@pytest.mark.parametrize(("key", "function"), [(key, name) for key, row in FOUR_USERS.items() for name in row])
def test_four_users(ask: Ask, key: str, function: str) -> None:
    reply = ask(key, function, fixture_case(), K)
    assert reply.error is None
    assert reply.value == pytest.approx(FOUR_USERS[key][function], abs=6e-7)
    assert reply.users is not None
    assert reply.values is not None
    assert reply.users.tolist() == [0, 1, 2, 3]
    assert reply.values.mean() == pytest.approx(reply.value, abs=1e-7)
    if (key, function) in BY_USER:
        assert reply.values == pytest.approx(BY_USER[key, function], abs=5e-7)


def test_every_function_has_a_figure() -> None:
    assert {key: sorted(row) for key, row in FOUR_USERS.items()} == {
        key: sorted(LIBRARIES[key].subjects) for key in FOUR_USERS
    }


EDGE_CASES = {
    "no_relevant": (case_from_lists([[0, 1, 2], [0, 1]], [[0], []], 12), 2),
    "no_list": (case_from_lists([[0, 1, 2], []], [[0], [0, 1]], 12), 2),
    "short_list": (case_from_lists([[0, 1, 2]], [[0, 11]], 12), 5),
    "duplicates": (case_from_lists([[0, 0, 1, 2, 3]], [[0, 1]], 12), 5),
    "threshold": (case_from_lists([[1, 0]], [[0, 1]], 12, gains=[[5, 3]], threshold=4), 2),
    "negative_scores": (case_from_lists([[4, 2, 7]], [[2]], 12, scores=[[0.5, 0.0, -1.5]]), 3),
    "tied": (case_from_lists([[4, 2, 7]], [[7]], 12, scores=[[0.5, 0.5, 0.5]]), 1),
    "seen": (
        case_from_lists(
            [[0, 3]], [[3]], 4, train=[[1]], scores=[[0.9, 0.8]], candidate_scores=np.array([[0.9, -np.inf, 0.1, 0.8]])
        ),
        1,
    ),
}
EDGES: list[tuple[str, str, dict[str, float]]] = [
    ("openrec", "tf2:Recall", {"no_relevant": NAN, "no_list": 0.5, "short_list": 0.5, "threshold": 1.0, "tied": 1.0}),
    ("openrec", "tf2:NDCG", {"no_relevant": 0.5, "no_list": 0.5, "short_list": 1.0, "negative_scores": 0.630930}),
    ("openrec", "tf2:AUC", {"seen": 0.5}),
    ("openrec", "tf1:AUC", {"seen": 0.5}),
    ("openrec", "tf1:Precision", {"seen": 1.0}),
    ("openrec", "tf1:NDCG", {"seen": 0.0}),
    ("openrec", "tf1:Precision[paper]", {"no_relevant": 0.25, "no_list": 0.25, "short_list": 0.2, "duplicates": 0.6}),
    ("neurec", "python:precision", {"no_relevant": 0.25, "no_list": 0.25, "short_list": 0.2, "duplicates": 0.6}),
    ("neurec", "python:recall", {"no_relevant": NAN, "no_list": 0.5, "duplicates": 1.5, "threshold": 1.0}),
    ("neurec", "python:ndcg", {"no_relevant": 0.5, "no_list": 0.5, "short_list": 0.613147}),
    ("neurec", "cpp:precision", {"no_relevant": 0.25, "no_list": 0.25, "short_list": 0.2, "threshold": 0.5}),
    ("neurec", "cpp:recall", {"no_relevant": NAN, "no_list": 0.5, "short_list": 0.5}),
    ("neurec", "cpp:ndcg", {"no_relevant": NAN, "no_list": 0.5, "short_list": 0.613147, "negative_scores": 0.630930}),
    ("neurec", "cpp:map", {"no_relevant": 0.5, "negative_scores": 0.5}),
]


@pytest.mark.live
@pytest.mark.parametrize(
    ("key", "function", "edge", "value"), [(*row[:2], *x) for row in EDGES for x in row[2].items()]
)
def test_edges(ask: Ask, key: str, function: str, edge: str, value: float) -> None:
    assert ask(key, function, *EDGE_CASES[edge]).value == pytest.approx(value, abs=5e-7, nan_ok=True)


@pytest.mark.live
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
@pytest.mark.parametrize(("key", "function"), [("openrec", "tf2:Recall"), ("neurec", "cpp:recall")])
def test_float32_makes_no_scores_equal(ask: Ask, key: str, function: str, scale: float) -> None:
    """Of a thousand items the one at rank k is relevant to one user, the next one to another."""
    ranked = np.arange(1000)[::-1].tolist()
    scores = (1 + scale * np.arange(1000)[::-1] / 1000).tolist()
    case = case_from_lists([ranked, ranked], [[ranked[19]], [ranked[20]]], 1000, scores=[scores, scores])
    reply = ask(key, function, case, 20)
    assert reply.values is not None
    assert reply.values.tolist() == [1, 0]


@pytest.mark.live
@pytest.mark.parametrize(
    ("key", "function"), [("openrec", "tf2:Recall"), ("neurec", "cpp:recall"), ("neurec", "python:recall")]
)
def test_more_users_than_a_batch(ask: Ask, key: str, function: str) -> None:
    """User u has one relevant item, at rank u mod 4 + 1 of four: half of the users have a hit up to 2."""
    users = 2500
    case = case_from_lists([[3, 1, 0, 2]] * users, [[(3, 1, 0, 2)[user % 4]] for user in range(users)], 4)
    reply = ask(key, function, case, 2)
    assert reply.value == 0.5
    assert reply.values is not None
    assert reply.values.tolist() == [float(user % 4 < 2) for user in range(users)]


@pytest.mark.live
@pytest.mark.parametrize(
    ("key", "function", "edge", "words"),
    [
        ("openrec", "tf2:Recall", "duplicates", "user 0: item 0 is recommended 2 times"),
        ("openrec", "tf2:AUC", "short_list", "needs candidate_scores"),
        ("openrec", "tf1:NDCG", "short_list", "needs candidate_scores"),
        ("neurec", "cpp:map", "duplicates", "user 0: item 0 is recommended 2 times"),
    ],
)
def test_what_a_shape_cannot_hold_is_an_error(ask: Ask, key: str, function: str, edge: str, words: str) -> None:
    reply = ask(key, function, *EDGE_CASES[edge])
    assert reply.value is None
    assert words in str(reply.error)


@pytest.mark.live
@pytest.mark.parametrize(("function", "words"), [("python:ndcg", "IndexError"), ("cpp:ndcg", "past the end")])
def test_neurec_and_a_cut_off_beyond_the_catalogue(ask: Ask, function: str, words: str) -> None:
    reply = ask("neurec", function, case_from_lists([[2, 0, 1]], [[0]], 3), 4)
    assert reply.value is None
    assert words in str(reply.error)

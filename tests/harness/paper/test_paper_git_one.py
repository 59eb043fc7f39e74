"""Elliot, DL RS Evaluation and RecSys_PyTorch, which are git commits alone: what they answer, run live.

The figures were measured on these commits apart from this project, in six digits.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from metric_harness.worker.reply import Reply
from metric_reference.case import NOTHING, Case, case_from_lists
from metric_reference.variant import BEYOND
from tests.support.fixture import K, fixture_case, graded_case
from tests.support.live import LIBRARIES, Live

Ask = Callable[[str, str, Case], Reply]

ANSWERS = {
    "elliot": {
        "HR": 0.75, "Precision": 0.4, "Recall": 0.595238, "MRR": 0.625, "MAP": 0.438333, "nDCG": 0.619406,
        "nDCGRendle2020": 0.619406, "AUC": 0.8625, "GAUC": 0.7375, "LAUC": 0.633333,
    },
    "dl_rs_evaluation": {
        "HIT_RATE": 2.0, "PRECISION": 0.4, "PRECISION_RECALL_MIN_DEN": 0.666667, "RECALL": 0.595238, "MRR": 0.625,
        "ARHR": 0.995833, "MAP": 0.575, "NDCG": 0.572021, "ROC_AUC": 0.583333,
    },
    "recsys_pytorch": {
        "Prec": 0.4, "Recall": 0.595238, "NDCG": 0.619406, "HR[leave_one_out]": 0.75, "NDCG[leave_one_out]": 0.596713,
        "cython:Prec": 0.4, "cython:Recall": 0.595238, "cython:NDCG": 0.619406, "cython:HR[leave_one_out]": 0.75,
        "cython:NDCG[leave_one_out]": 0.596713,
    },
}  # fmt: skip
WORKED_OUT = {
    ("elliot", "F1"): (4 / 8 + 10 / 12 + 0 + 2 / 6) / 4,  # 2 hits / (k + relevant items), user by user
    ("elliot", "MAR"): ((0 + 1 + 1 + 1 + 2) / 15 + (1 + 2 + 3 + 4 + 5) / 35 + 0 + 5 / 5) / 4,  # recall at 1 to 5
    ("dl_rs_evaluation", "F1"): 2 * 0.4 * (25 / 42) / (0.4 + 25 / 42),  # of mean precision and mean recall
}
"""By hand from the ranks of the fixture, where no figure was measured."""
GRADED = [
    ("elliot", "nDCG", 0.5, 0.603813),
    ("elliot", "nDCG", 1.0, 0.603637),
    ("elliot", "nDCG", 4.0, 0.597796),
    ("elliot", "nDCGRendle2020", 4.0, 0.619406),
    ("dl_rs_evaluation", "NDCG", 1.0, 0.578232),
]


LATER = {"DSC", "ExtendedF1"}
"""Elliot's two forms of F1, which the paper does not speak of; its recording holds what they are."""


@pytest.fixture
def ask(live: Live) -> Ask:
    """Ask a function of a library for a case at K."""
    return lambda key, function, case: live.ask(key, function, case, K)


def without_list(case: Case, user: int) -> Case:
    """The case with one list emptied."""
    recommended = case.recommended.copy()
    recommended[user] = NOTHING
    return replace(case, recommended=recommended, scores=None)


def test_every_function_is_asked() -> None:
    for key, answers in ANSWERS.items():
        worked_out = {function for library, function in WORKED_OUT if library == key}
        subjects = LIBRARIES[key].subjects.items()
        own = {name for name, info in subjects if not info.diagnostic and info.metric not in BEYOND}
        assert own - LATER == set(answers) | worked_out
        assert [release.paper for release in LIBRARIES[key].releases] == [True]


@pytest.mark.live
@pytest.mark.parametrize(("key", "function"), [(key, name) for key, row in ANSWERS.items() for name in row])
def test_four_users(ask: Ask, key: str, function: str) -> None:
    reply = ask(key, function, fixture_case())
    assert reply.error is None
    assert reply.value == pytest.approx(ANSWERS[key][function], abs=5e-7)
    if key == "dl_rs_evaluation" or (key, function) == ("elliot", "AUC"):
        assert reply.users is None
        return
    assert reply.users is not None
    assert reply.values is not None
    assert reply.users.tolist() == [0, 1, 2, 3]
    assert reply.values.mean() == pytest.approx(reply.value, abs=1e-7 if key == "recsys_pytorch" else 1e-12)


@pytest.mark.live
@pytest.mark.parametrize(("key", "function"), WORKED_OUT)
def test_what_no_figure_was_measured_for(ask: Ask, key: str, function: str) -> None:
    assert ask(key, function, fixture_case()).value == pytest.approx(WORKED_OUT[key, function], abs=1e-7)


@pytest.mark.live
@pytest.mark.parametrize(("key", "function", "threshold", "value"), GRADED)
def test_ratings_of_4_and_5(ask: Ask, key: str, function: str, threshold: float, value: float) -> None:
    assert ask(key, function, graded_case(threshold)).value == pytest.approx(value, abs=5e-7)


@pytest.mark.live
def test_who_counts_without_a_list(ask: Ask) -> None:
    """User 3, the one without a hit: Elliot drops a user without a list, DL RS Evaluation counts 0 but AUC 1."""
    case = without_list(fixture_case(), 2)
    reply = ask("elliot", "HR", case)
    assert (reply.value, reply.users is not None and reply.users.tolist()) == (1.0, [0, 1, 3])
    assert ask("dl_rs_evaluation", "PRECISION", case).value == pytest.approx(0.4, abs=5e-7)
    assert ask("dl_rs_evaluation", "ROC_AUC", case).value == pytest.approx(0.583333 + 0.25, abs=1e-6)
    assert ask("recsys_pytorch", "Prec", case).value == pytest.approx(0.4, abs=5e-7)


COMPILED_EDGES: dict[str, tuple[Case, dict[str, list[float]]]] = {
    "nothing relevant": (
        case_from_lists([[1, 2], [2, 0]], [[1], []], 3),
        {"cython:Prec": [1 / 5, 0], "cython:Recall": [1, np.nan], "cython:NDCG": [1, np.nan]},
    ),
    "a list shorter than k, and none": (
        case_from_lists([[0, 1, 2], []], [[0, 11], [0]], 12),
        {
            "cython:Prec": [1 / 5, 0], "cython:Recall": [1 / 2, 0], "cython:NDCG": [1 / (1 + 1 / np.log2(3)), 0],
            "cython:HR[leave_one_out]": [1, 0], "cython:NDCG[leave_one_out]": [1, 0],
        },
    ),
    "k beyond the catalogue": (
        case_from_lists([[2, 0, 1]], [[0]], 3),
        {
            "cython:Prec": [1 / 5], "cython:Recall": [1], "cython:NDCG": [1 / np.log2(3)],
            "cython:HR[leave_one_out]": [1], "cython:NDCG[leave_one_out]": [1 / np.log2(3)],
        },
    ),
    "an item listed three times": (
        case_from_lists([[1, 1, 1]], [[1]], 3),
        {"cython:Prec": [3 / 5], "cython:Recall": [3], "cython:NDCG": [1 + 1 / np.log2(3) + 1 / 2]},
    ),
    "the hits at k and below it": (
        case_from_lists([[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 5, 4]], [[4], [4]], 6),
        {
            "cython:Prec": [1 / 5, 0], "cython:Recall": [1, 0], "cython:NDCG": [1 / np.log2(6), 0],
            "cython:HR[leave_one_out]": [1, 0], "cython:NDCG[leave_one_out]": [1 / np.log2(6), 0],
        },
    ),
    "ratings of 5 and 3 with the threshold at 4": (
        case_from_lists([[1, 0]], [[0, 1]], 12, gains=[[5, 3]], threshold=4),
        {"cython:Prec": [1 / 5], "cython:Recall": [1], "cython:NDCG": [1 / np.log2(3)]},
    ),
}  # fmt: skip
"""What RecSys_PyTorch's compiled backend gives each user at K, worked out by hand."""


@pytest.mark.live
@pytest.mark.parametrize(
    ("edge", "function"), [(edge, name) for edge, (_, values) in COMPILED_EDGES.items() for name in values]
)
def test_edges_of_the_compiled_backend(ask: Ask, edge: str, function: str) -> None:
    case, values = COMPILED_EDGES[edge]
    reply = ask("recsys_pytorch", function, case)
    assert reply.error is None
    assert reply.values is not None
    assert reply.values == pytest.approx(values[function], abs=5e-7, nan_ok=True)
    assert reply.value == pytest.approx(np.mean(values[function]), abs=5e-7, nan_ok=True)


@pytest.mark.live
def test_an_item_listed_three_times(ask: Ask) -> None:
    case = case_from_lists([[1, 1, 1]], [[1]], 3)
    assert ask("elliot", "Recall", case).value == pytest.approx(3.0, abs=1e-12)
    assert ask("recsys_pytorch", "Recall", case).value == pytest.approx(3.0, abs=1e-12)
    for function in ("RECALL", "MRR"):  # all metrics come out of one run, which the first of them ends
        reply = ask("dl_rs_evaluation", function, case)
        assert reply.value is None
        assert "AssertionError" in str(reply.error)


@pytest.mark.live
def test_nothing_relevant(ask: Ask) -> None:
    case = case_from_lists([[1, 2], [2, 0]], [[1], []], 3)
    reply = ask("elliot", "Precision", case)
    assert (reply.value, reply.users is not None and reply.users.tolist()) == (pytest.approx(0.2), [0])
    assert ask("dl_rs_evaluation", "PRECISION", case).value == pytest.approx(0.5)  # over the two items of the list
    assert "ZeroDivisionError" in str(ask("recsys_pytorch", "Recall", case).error)
    assert "IndexError" in str(ask("recsys_pytorch", "HR[leave_one_out]", case).error)


@pytest.mark.live
@pytest.mark.parametrize("function", ["cython:HR[leave_one_out]", "cython:NDCG[leave_one_out]"])
def test_compiled_code_is_kept_from_reading_what_is_not_there(ask: Ask, function: str) -> None:
    reply = ask("recsys_pytorch", function, case_from_lists([[1, 2], [2, 0]], [[1], []], 3))
    assert reply.value is None
    assert "user 1 has nothing relevant: the compiled code would read past the end" in str(reply.error)


@pytest.mark.live
@pytest.mark.parametrize("backend", ["", "cython:"])
def test_leave_one_out_looks_at_the_first_target_alone(ask: Ask, backend: str) -> None:
    """The one judged second hits and the one judged first does not."""
    hit_rate, ndcg = f"{backend}HR[leave_one_out]", f"{backend}NDCG[leave_one_out]"
    case = case_from_lists([[4, 2, 0]], [[3, 2]], 6)
    for function in (hit_rate, ndcg):
        assert ask("recsys_pytorch", function, case).value == 0.0
    turned = case_from_lists([[4, 2, 0]], [[2, 3]], 6)
    assert ask("recsys_pytorch", hit_rate, turned).value == 1.0
    assert ask("recsys_pytorch", ndcg, turned).value == pytest.approx(1 / np.log2(3), abs=1e-7)


@pytest.mark.live
@pytest.mark.parametrize("function", ["AUC", "GAUC", "LAUC"])
def test_auc_without_candidates_is_an_error(ask: Ask, function: str) -> None:
    reply = ask("elliot", function, replace(fixture_case(), candidate_scores=None))
    assert reply.value is None
    assert "needs candidate_scores" in str(reply.error)


@pytest.mark.live
@pytest.mark.parametrize("function", ["AUC", "GAUC"])
def test_equal_scores_are_in_the_order_of_the_items(ask: Ask, function: str) -> None:
    """Elliot's AUCs read ranks; each of its models orders equal scores in its own way."""
    values = [
        ask("elliot", function, case_from_lists([[0, 1, 2, 3]], [[2]], 4, candidate_scores=np.array([scores]))).value
        for scores in ([0.5, 0.5, 0.5, 0.25], [0.9, 0.8, 0.7, 0.25], [0.8, 0.7, 0.9, 0.25])
    ]
    assert values[0] == values[1] != values[2] == 1.0

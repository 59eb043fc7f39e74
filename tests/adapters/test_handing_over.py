"""What each convention hands over to a function, and what may come back of it; all in this process."""

from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from types import NoneType, SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from metric_adapters.calls.entries import Entry
from metric_adapters.calls.frames import Columns
from metric_adapters.calls.mutation import unchanged
from metric_adapters.calls.results import OtherCutoffs, Reading, SeveralResults, answer, elements, read
from metric_adapters.calls.role import Fact
from metric_adapters.calls.table import CALLS, FRAME_ROLES, OF_LABELS, by_name
from metric_adapters.calls.view import View
from metric_adapters.subject import CannotShow
from metric_reference.case import case_from_lists

CASE = case_from_lists(
    [[3, 1], [2]], [[1, 4, 0], [2]], 5, gains=[[2, 5, 1], [3]], scores=[[0.9, 0.5], [0.7]], threshold=2.0,
    candidate_scores=np.array([[0.1, 0.5, -np.inf, 0.9, 0.2], [0.0, 0.1, 0.7, 0.2, 0.3]]),
)  # fmt: skip
ONE_EACH = case_from_lists(
    [[3, 1], [2, 0]], [[1], [2]], 5, scores=[[0.9, 0.5], [0.7, 0.2]], candidate_scores=np.array([[0.1] * 5, [0.2] * 5])
)
SCALARS = (int, str, NoneType)
K = 2
HANDED: dict[str, tuple] = {
    "relevant,recommended": ([1, 4], [3, 1]),
    "recommended,relevant:sets": ([3, 1], {1, 4}),
    "relevant,recommended:arrays": (np.array([1, 4]), np.array([3, 1])),
    "relevant,recommended:all": ([[1, 4], [2]], [[3, 1], [2]]),
    "recommended,relevant:all-sets": ([[3, 1], [2]], [{1, 4}, {2}]),
    "relevant,recommended:dicts": ({0: [1, 4], 1: [2]}, {0: [3, 1], 1: [2]}),
    "relevant,recommended:dict-sets": ({0: {1, 4}, 1: {2}}, {0: [3, 1], 1: [2]}),
    "grades,recommended": ({1: 2.0, 4: 5.0}, [3, 1]),
    "relevance": ([0, 1],),
    "relevance:all": ([[0, 1], [1]],),
    "relevance_graded:arrays": (np.array([0.0, 2.0]),),
    "relevance,n_relevant": ([0, 1], 2),
    "gains,relevance_graded": ([5.0, 2.0], [0.0, 2.0]),
    "relevance,relevant": ([0, 1], [1, 4]),
    "y_true,y_score": ([0, 1, 0, 0, 1], [-0.5, 0.5, -1.5, 0.9, -2.5]),
    "y_score,y_true_graded:arrays": (np.array([-0.5, 0.5, -1.5, 0.9, -2.5]), np.array([0.0, 2.0, 0.0, 0.0, 5.0])),
    "labels,scores": ([0, 1, 0, 1], [0.1, 0.5, 0.9, 0.2]),
    "labels,scores:flat": (np.array([0, 1, 0, 1, 0, 0, 1, 0, 0]), np.array([.1, .5, .9, .2, 0, .1, .7, .2, .3])),
    "relevance:matrix": (np.array([[False, True], [True, False]]),),
    "relevance_graded,gains:matrix": (np.array([[0.0, 2.0], [3.0, 0.0]]), np.array([[5.0, 2.0], [3.0, 0.0]])),
    "relevance,n_relevant:matrix": (np.array([[False, True], [True, False]]), np.array([2, 1])),
    "relevant,relevance:matrix": ([[1, 4], [2]], np.array([[False, True], [True, False]])),
    "qrels,run": ({"0": {"1": 2.0, "4": 5.0}, "1": {"2": 3.0}}, {"0": {"3": 0.9, "1": 0.5}, "1": {"2": 0.7}}),
}  # fmt: skip


@pytest.mark.parametrize("name", HANDED)
def test_what_a_convention_hands_over(name):
    given = by_name(name).arguments(View(CASE, K), 0)
    assert len(given) == len(HANDED[name])
    for one, other in zip(given, HANDED[name], strict=True):
        assert type(one) is type(other)
        np.testing.assert_equal(one, other)
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype


@pytest.mark.parametrize("convention", CALLS, ids=lambda convention: convention.name)
def test_every_convention_hands_over_new_objects_each_time(convention):
    for package in convention.packages:
        pytest.importorskip(package)
    case = ONE_EACH if convention.domain.relevant == "one" or convention.has(Fact.CANDIDATES) else CASE
    view, user = View(OF_LABELS.get(convention.domain.labels, case), 1), 1
    first, second = convention.arguments(view, user), convention.arguments(view, user)
    assert unchanged(first, second)
    assert len(first) == convention.arity
    assert all(
        one is not two for one, two in zip(first, second, strict=True) if not isinstance(one, (int, str, NoneType))
    )
    assert by_name(convention.name) == convention
    if convention.ends == "list":
        uncut = convention._replace(ends="default")
        assert by_name(uncut.name) == uncut
    assert all(role.words in convention.about for role in convention.roles)


def test_lists_end_at_k_where_the_function_takes_none_and_judgements_below_the_threshold_where_it_takes_that():
    assert by_name("relevant,recommended").arguments(View(CASE, 1, cut=1), 0) == ([1, 4], [3])
    np.testing.assert_equal(by_name("relevance:matrix").arguments(View(CASE, 4), 0)[0].shape, (2, 4))
    np.testing.assert_equal(by_name("relevance:matrix").arguments(View(CASE, 1, cut=1), 0)[0], [[False], [True]])
    assert by_name("gains,relevance_graded").arguments(View(CASE, K, everything=True), 0)[0] == [5.0, 2.0, 1.0]
    assert by_name("relevant,recommended").arguments(View(CASE, K, everything=True), 0) == ([1, 4], [3, 1])


def test_what_a_convention_cannot_show_is_said_by_it():
    twice = case_from_lists([[1, 1]], [[1]], 3)
    for name in ("y_true,y_score", "qrels,run", "y_true,y_score:matrix"):
        with pytest.raises(CannotShow, match="listed twice"):
            by_name(name).arguments(View(twice, 2), 0)
    with pytest.raises(CannotShow, match="user 0 has 2 relevant items"):
        by_name("recommended,item").arguments(View(CASE, K), 0)
    with pytest.raises(CannotShow, match="fewer than k items"):
        by_name("recommended,y_true:matrix").arguments(View(CASE, K), 0)
    with pytest.raises(CannotShow, match="scores of the whole catalogue"):
        by_name("labels,scores").arguments(View(twice, 2), 0)


def test_frames_have_the_columns_that_are_asked_for():
    pd = pytest.importorskip("pandas")
    predicted, truth = by_name("prediction_frame,truth_frame:u,i,stars,est,rank").arguments(View(CASE, K), 0)
    pd.testing.assert_frame_equal(truth, pd.DataFrame({"u": [0, 0, 1], "i": [1, 4, 2], "stars": [2.0, 5.0, 3.0]}))
    rows = {"u": [0, 0, 1], "i": [3, 1, 2], "est": [0.9, 0.5, 0.7], "rank": [1, 2, 1]}
    pd.testing.assert_frame_equal(predicted, pd.DataFrame(rows))
    empty = case_from_lists([[]], [[]], 3)
    truth, predicted = by_name("truth_frame,prediction_frame:u,i,stars,est").arguments(View(empty, K), 0)
    assert (list(truth), len(truth), list(predicted), len(predicted)) == (["u", "i", "stars"], 0, ["u", "i", "est"], 0)


def test_a_name_that_is_no_convention_is_refused():
    for name in ("relevant", "relevant,recommended:heaps", "truth_frame,prediction_frame:user,item"):
        with pytest.raises(ValueError, match=r"is no convention|give four or five columns"):
            by_name(name)
    with pytest.raises(ValueError, match="does not say its columns"):
        by_name("truth_frame,prediction_frame")
    assert by_name("truth_frame,prediction_frame", [Columns("u", "i", "r", "s")]).name == ",".join(FRAME_ROLES[0])


ONE_NUMBER = [
    *(0.5, np.float32(0.5), np.array(0.5), np.array([[0.5]]), [0.5], {"ndcg@10": 0.5}, {10: [0.5]}, Fraction(1, 2)),
    *((0.5,), ("HitRate@10: ", 0.5), (0.5, None), "HR@10: 0.5", SimpleNamespace(recall=0.5, by="user")),
]
ALONE, THREE = Reading((), 10), Reading((0, 1, 2), 10)


@pytest.mark.parametrize("result", ONE_NUMBER, ids=repr)
def test_one_number_is_read_as_it(result):
    assert read(result, ALONE)[:2] == (0.5, None)
    assert read(result, THREE)[:2] == (0.5, None)


@pytest.mark.parametrize(
    "result",
    [None, "0.5", b"0.5", [], {}, (), 0.5j, object(), "no number: here"],
    ids=lambda result: repr(result)[:20],
)
def test_what_is_no_number_is_an_error(result):
    for reading in (ALONE, THREE):
        with pytest.raises(TypeError, match="returned no number but"):
            read(result, reading)


class Both(NamedTuple):
    recall: float
    ndcg: float


@dataclass
class Metrics:
    recall: float
    ndcg: float
    model: str


SEVERAL = {
    "tuple": ((0.5, 0.25), ["[0]", "[1]"]),
    "list": ([0.5, 0.25], ["[0]", "[1]"]),
    "dict": ({"recall": 0.5, "ndcg": 0.25}, ["recall", "ndcg"]),
    "dict with k": ({"recall@10": 0.5, "ndcg_at_10": 0.25}, ["recall@{k}", "ndcg_at_{k}"]),
    "dict with other cut-offs": ({"recall@5": 0.75, "recall@10": 0.5}, ["recall@5", "recall@{k}"]),
    "numbers in names": ({"f1": 0.5, "P10": 0.25, "mrr@100": 0.5}, ["f1", "P{k}", "mrr@100"]),
    "by metric and cut-off": ({"recall": {5: 0.75, 10: 0.5}, "ndcg": {5: 0.5, 10: 0.25}}, ["recall", "ndcg"]),
    "by cut-off and metric": ({5: {"recall": 0.75}, 10: {"recall": 0.5, "ndcg": 0.25}}, ["recall", "ndcg"]),
    "text keys": ({"5": [0.75, 0.5], "10": [0.5, 0.25]}, ["[0]", "[1]"]),
    "namedtuple": (Both(0.5, 0.25), ["recall", "ndcg"]),
    "dataclass": (Metrics(0.5, 0.25, "ease"), ["recall", "ndcg"]),
    "text": ("HR@10: 0.5 NDCG@10: 0.25", ["HR@{k}", "NDCG@{k}"]),
    "array": (np.array([0.5, 0.25]), ["[0]", "[1]"]),
    "nested": ({"test": {"recall": 0.5, "ndcg": 0.25}}, ["test.recall", "test.ndcg"]),
    "no numbers among them": ({"recall": 0.5, "users": None, "ndcg": [0.25], "name": "x"}, ["recall", "ndcg"]),
}


@pytest.mark.parametrize("form", SEVERAL)
def test_several_results_are_named_and_asked_for_by_name(form):
    result, names = SEVERAL[form]
    for reading in (ALONE, THREE):
        with pytest.raises(SeveralResults, match="ask for one as NAME#RESULT") as refused:
            read(result, reading)
        assert refused.value.elements == names
        assert 0.5 in [read(result, reading, name).value for name in names]
        assert isinstance(read(result, reading, names[-1]).value, float)
        with pytest.raises(TypeError, match="no 'auc'"):
            read(result, reading, "auc")


def test_frames_of_results():
    pd = pytest.importorskip("pandas")
    row = pd.DataFrame({"recall": [0.5], "ndcg": [0.25]})
    assert list(elements(row, THREE)) == ["recall", "ndcg"]
    by_user = pd.DataFrame({"user_id": [2, 0], "recall": [0.5, 1.0], "ndcg": [0.25, 1.0]})
    assert read(by_user, THREE, "recall")[:2] == (0.75, {2: 0.5, 0: 1.0})
    by_k = pd.DataFrame({"k": [5, 10], "recall": [0.5, 1.0], "ndcg": [0.25, 0.0]})
    assert read(by_k, THREE, "recall")[:2] == (1.0, None)
    assert read(pd.Series({"recall": 0.5, "ndcg": 0.25}), THREE, "ndcg").value == 0.25
    assert read(pd.Series([0.5, 1.0], index=[2, 0]), THREE)[:2] == (0.75, {2: 0.5, 0: 1.0})


@pytest.mark.parametrize(
    ("result", "users", "values"),
    [
        ([0.5, 1.0, 0.0], [0, 1, 2], [0.5, 1.0, 0.0]),
        (np.array([[0.5], [1.0], [0.0]]), [0, 1, 2], [0.5, 1.0, 0.0]),
        ({2: 0.5, 0: 1.0}, [2, 0], [0.5, 1.0]),
        ({0: {"ndcg": 0.5}, 2: {"ndcg": np.nan}}, [0, 2], [0.5, np.nan]),
    ],
)
def test_values_by_user_have_their_plain_mean_taken(result, users, values):
    found = answer(read(result, THREE))
    np.testing.assert_equal(found.users, users)
    np.testing.assert_equal(found.values, values)
    np.testing.assert_equal(found.value, np.mean(values))


def test_several_results_by_user():
    by_query = {0: {"P_10": 0.5, "map": 1.0}, 2: {"P_10": 0.0, "map": 0.5}}
    assert read(by_query, THREE, "P_{k}")[:2] == (0.25, {0: 0.5, 2: 0.0})
    by_metric = ({0: 0.5, 1: 0.0, 2: 1.0}, {0: 1.0, 1: 1.0, 2: 1.0})
    assert read(by_metric, THREE, "[0]")[:2] == (0.5, {0: 0.5, 1: 0.0, 2: 1.0})
    assert read({"recall": np.array([0.5, 0.0, 1.0]), "n": 3}, THREE, "recall").by_user == {0: 0.5, 1: 0.0, 2: 1.0}


def test_answers_by_cut_off_are_not_taken_for_answers_by_user():
    assert read({2: 0.5}, Reading((0, 1, 2), 2))[:2] == (0.5, None)
    assert read({1: 0.25, 2: 0.5}, Reading((0, 1, 2), 5)).by_user == {1: 0.25, 2: 0.5}
    assert read({5: 0.25, 10: 0.5}, Reading((0, 1, 2), 5))[:2] == (0.25, None)
    assert list(elements({"hit5": 0.5, "hit10": 0.5}, Reading((), 5))) == ["hit{k}", "hit10"]
    written = frozenset({"hit5", "hit10"})
    assert list(elements({"hit5": 0.5, "hit10": 0.5}, Reading((), 5, written=written))) == ["hit5", "hit10"]
    with pytest.raises(OtherCutoffs, match="values at 5, 10, none of them at k = 3") as refused:
        read({5: 0.25, 10: 0.5}, Reading((0, 1, 2), 3))
    assert refused.value.cutoffs == [5, 10]


def test_numbers_of_rows_beside_named_results_are_no_results():
    assert list(elements({0: 0.2, 1: 0.4, 2: 0.9, "micro": 0.5, "macro": 0.5}, THREE)) == ["micro", "macro"]
    assert list(elements({1: 0.2, 3: 0.4, "mrr": 0.5}, Reading((), 3))) == ["1", "{k}", "mrr"]  # cut-offs


def test_an_entry_unpacks_into_an_item_and_a_score_that_have_its_keys():
    item, score = deepcopy(Entry(7, 0, 0.5))
    assert (item, score) == (7, 0.5)
    assert item.id == score["chunk_id"] == deepcopy(score)["chunk_id"] == 7
    assert deepcopy(score) == 0.5

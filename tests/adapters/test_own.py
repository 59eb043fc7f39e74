"""What each convention hands over, what may come back, and how a target is found and read; all in this process."""

import ast
import sys
import textwrap
from dataclasses import dataclass
from fractions import Fraction
from types import NoneType, SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from metric_adapters.conventions.catalogue import CONVENTIONS, FRAME_ROLES, by_name
from metric_adapters.conventions.inputs.frames import Columns
from metric_adapters.conventions.inputs.view import CannotShow, View
from metric_adapters.conventions.mutation import unchanged
from metric_adapters.conventions.reading.families import families
from metric_adapters.conventions.results import OtherCutoffs, Reading, SeveralResults, answer, elements, read
from metric_adapters.conventions.words import ROLE_WORDS
from metric_adapters.own import conventions, load, subjects
from metric_reference.case import case_from_lists
from tests.support.places import ROOT

ADAPTERS = ROOT / "adapters"
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


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda convention: convention.name)
def test_every_convention_hands_over_new_objects_each_time(convention):
    for package in convention.packages:
        pytest.importorskip(package)
    view, user = View(ONE_EACH if convention.needs else CASE, 1), 1
    first, second = convention.arguments(view, user), convention.arguments(view, user)
    assert unchanged(first, second)
    assert len(first) == convention.arity
    assert all(
        one is not two for one, two in zip(first, second, strict=True) if not isinstance(one, (int, str, NoneType))
    )
    assert by_name(convention.name) == convention
    assert all(ROLE_WORDS[role] in convention.about for role in convention.roles)


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
    "result", [None, "0.5", b"0.5", [], {}, (), 0.5j, object(), "no number: here"], ids=lambda result: repr(result)[:20]
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
    with pytest.raises(OtherCutoffs, match="values at 5, 10, none of them at k = 3") as refused:
        read({5: 0.25, 10: 0.5}, Reading((0, 1, 2), 3))
    assert refused.value.cutoffs == [5, 10]


LISTS = {
    "by user": ("[len(set(r[:k]) & set(t)) / k for r, t in zip(recommended, relevant)]", None, 2),
    "two metrics": ("[1.0, 2.0]", "[0]", None),
    "by cut-off": ("[float(j) for j in range(1, k + 1)]", None, None),
    "by metric, by user": ("{'p': [1.0 for r in recommended], 'n': 3}", "p", 2),
    "by user, by cut-off": ("[[float(j) for j in range(1, k + 1)] for r in recommended]", None, 2),
}


@pytest.mark.parametrize("form", LISTS)
def test_a_list_of_as_many_entries_as_users_and_k_is_read_as_what_it_is(own, form):
    """Two users and k = 2: only another case can say what two numbers are."""
    text, element, users = LISTS[form]
    subject = subjects(own(f"def f(relevant, recommended, k):\n    return {text}"), "relevant,recommended:all")["f"]
    found = subject.ask(CASE, K, element=element)
    assert (None if found.users is None else len(found.users)) == users
    if "cut" in form:
        assert found.value == K
    if form == "two metrics":
        with pytest.raises(SeveralResults):
            subject.ask(CASE, K)


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Writes a file and returns the target of one of its names; what the import leaves behind goes again."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)

    def write(text, name="f"):
        path = tmp_path / f"own_{len(list(tmp_path.iterdir()))}.py"
        path.write_text(textwrap.dedent(text))
        return f"{path}:{name}"

    yield write
    for name in set(sys.modules) - before:
        if name.startswith(("own_", "audited_own_")):
            del sys.modules[name]


BODY = "return float(len(set(recommended[:k]) & set(relevant)) / k)"
WAYS = {
    "k first": ("def f(k, recommended, relevant): " + BODY, "f"),
    "k by name alone": ("def f(recommended, relevant, *, k): " + BODY, "f"),
    "all by name alone": ("def f(*, relevant, recommended, k=5): " + BODY, "f"),
    "a setting between": ("def f(recommended, relevant, weights=None, topN=3): k = topN; " + BODY, "f"),
    "settings of the case": ("def f(recommended, relevant, n_items, k): assert n_items == 5; " + BODY, "f"),
    "cut-offs": ("def f(recommended, relevant, ks=(1, 5)):\n  out = {}\n  for k in ks: out[k] = "
                 + BODY.removeprefix("return ") + "\n  return out", "f"),
    "k unnamed": ("def f(recommended, relevant, zzz): k = zzz; " + BODY, "f"),
    "an odd default": ("def f(recommended, relevant, many=10): k = many; " + BODY, "f"),
    "partial": ("import functools\ndef g(scale, recommended, relevant, k): " + BODY
                + "\nf = functools.partial(g, 2)", "f"),
    "lambda": ("f = lambda recommended, relevant, k: len(set(recommended[:k]) & set(relevant)) / k", "f"),
    "method": ("class A:\n  def hit(self, recommended, relevant, k): " + BODY, "A.hit"),
    "obvious method": ("class A:\n  def __init__(self): pass\n  def __call__(self, recommended, relevant, k): " + BODY,
                       "A"),
    "only method": ("class A:\n  def precision(self, recommended, relevant, k): " + BODY, "A"),
    "static method": ("class A:\n  def __init__(self, x): pass\n  @staticmethod\n"
                      "  def hit(recommended, relevant, k): " + BODY, "A.hit"),
    "made with k": ("class A:\n  def __init__(self, k): self.k = k\n"
                    "  def hit(self, recommended, relevant): k = self.k; " + BODY, "A.hit"),
    "made with cut-offs": ("class A:\n  def __init__(self, topks=[5]): self.k = topks[0]\n"
                           "  def hit(self, recommended, relevant): k = self.k; " + BODY, "A.hit"),
    "an object": ("class A:\n  def __call__(self, recommended, relevant, k): " + BODY + "\nf = A()", "f"),
    "decorated": ("import functools\ndef d(g):\n  @functools.wraps(g)\n  def h(*a, **b): return g(*a, **b)\n"
                  "  return h\n@d\ndef f(recommended, relevant, k): " + BODY, "f"),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_k_reaches_the_function_however_it_is_taken(own, way):
    text, name = WAYS[way]
    order = "relevant,recommended" if "*, relevant" in text else "recommended,relevant"
    subject = subjects(own(text, name), order)[name]
    for k in (1, 2):
        answer = subject.ask(CASE, k)
        assert answer.values.tolist() == [{1: 0.0, 2: 0.5}[k], 1 / k]
        assert answer.value == np.mean(answer.values)


FIRST = {
    "def f(actual, predicted, k): ...": "relevant,recommended",
    "def f(predicted, actual, k): ...": "recommended,relevant",
    "def f(topk_items, gt_items): ...": "recommended,relevant",
    "def f(y_true, y_pred, k): return len(set(y_true) & set(y_pred[:k]))": "relevant,recommended",
    "def f(y_true, y_score, k): return y_true[np.argsort(y_score)[::-1][:k]]": "y_true,y_score",
    "def f(a, b, k): return len(set(a) & set(b[:k])) / len(a)": "relevant,recommended",
    "def f(a, b, k): return len(set(b) & set(a[:k])) / len(b)": "recommended,relevant",
    "def f(rec: list[int], rel: set[int], k: int): ...": "recommended,relevant:sets",
    "def f(actual: 'List[List[int]]', predicted: 'List[List[int]]', k): ...": "relevant,recommended:all",
    "def f(truth: dict, recs: dict, k): return [recs.get(u) for u in truth.keys()]": "relevant,recommended:dicts",
    "def f(ranklist, gtItem): ...": "recommended,item",
    "def f(rel, k): ...": "relevance",
    "def f(gains, k): return sum(g / math.log2(i + 2) for i, g in enumerate(gains[:k]))": "relevance_graded",
    "def f(ratings, k, threshold=3.5): ...": "relevance_graded",
    "def f(hits, n_rel, k): ...": "relevance,n_relevant",
    "def f(relevance_scores, ideal_scores, k): return math.log2(2)": "relevance_graded,gains",
    "def f(hits, n_pos): return hits.sum(axis=1) / n_pos": "relevance,n_relevant:matrix",
    "def f(qrels, run, k): ...": "qrels,run",
    "def f(run, qrel): ...": "run,qrels",
    "def f(df_true, df_pred, k): return df_true.merge(df_pred, on=['uid', 'movie_id'])": "truth_frame,prediction_frame",
    "def f(test_df, recs_df, k): return test_df.merge(recs_df)": (
        "truth_frame,prediction_frame:user_id,item_id,rating,score"
    ),
}


@pytest.mark.parametrize("text", FIRST)
def test_the_likeliest_convention_comes_first(own, text):
    if "_df" in text or "df_" in text:
        pytest.importorskip("pandas")
    target = own("import math\nimport numpy as np\n" + text)
    offered = conventions(target)
    assert offered[0]["name"] == FIRST[text]
    assert set(offered[0]) == {"name", "about", "why", "call", "needs", "cuts", "limits", "returned", "rare", "zeros"}
    assert "\n" not in offered[0]["why"]


def test_a_function_of_ranks_alone_is_told_what_it_cannot_know(own):
    offered = conventions(own("def f(relevance, k): ..."))
    assert "cannot know how many relevant items the list misses" in offered[0]["about"]
    offered = conventions(own("def f(relevance, n_relevant, k): ..."))
    assert "cannot know" not in offered[0]["about"]


def test_a_function_that_cannot_be_read_is_called_by_position(own):
    target = own("def f(*args): return len(set(args[0][: args[2]]) & set(args[1])) / args[2]")
    assert subjects(target, "recommended,relevant")["f"].ask(CASE, 2).values.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("def ndcg(r): ...\nfrom math import log", "ngcd", r"has no 'ngcd'; it has ndcg$"),
        ("x = 3", "x", "is no function but int"),
        ("class A:\n  def __init__(self, scale): ...\n  def hit(self, r): ...", "A", "A needs scale"),
        (
            "class A:\n  def a(self, r): ...\n  def b(self, r): ...",
            "A",
            "no obvious method; give A.METHOD, one of a, b$",
        ),
        ("class A:\n  def a(self, r): ...", "A.c", "has no 'c'; it has a$"),
    ],
)
def test_a_target_that_is_none_says_why(own, text, name, message):
    with pytest.raises((AttributeError, TypeError), match=message):
        load(own(text, name))


def test_a_file_or_a_name_that_is_missing_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.py: no such file"):
        load(f"{tmp_path}/none.py:f")
    with pytest.raises(ValueError, match="give path/to/file"):
        load("metrics")


def test_names_mean_what_people_mean_by_them():
    assert families("gtItem") == {"item", "truth"}
    assert "count" in families("num_relevant")
    assert "truth" not in families("predicted")
    assert families("x") == set()


@pytest.mark.parametrize(
    "path", sorted([*ADAPTERS.glob("conventions/*.py"), *ADAPTERS.glob("*.py")]), ids=lambda p: p.name
)
def test_what_runs_beside_ones_own_function_is_python_3_8(path):
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))

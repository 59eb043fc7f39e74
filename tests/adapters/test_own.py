"""How a user's own target is found, read and called; all in this process."""

import ast
import sys
import textwrap

import numpy as np
import pytest

from metric_adapters.calls.parameter_names import families
from metric_adapters.calls.results import SeveralResults
from metric_adapters.own import calls, load, subjects
from metric_harness.worker.messages import read_call
from tests.adapters.test_handing_over import CASE, K
from tests.support.places import ROOT

ADAPTERS = ROOT / "adapters"
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
    offered = calls(target)
    assert offered[0]["name"] == FIRST[text]
    assert read_call(offered[0]).name == FIRST[text]
    assert "\n" not in offered[0]["why"]


def test_a_function_of_ranks_alone_is_told_what_it_cannot_know(own):
    offered = calls(own("def f(relevance, k): ..."))
    assert "cannot know how many relevant items the list misses" in offered[0]["about"]
    offered = calls(own("def f(relevance, n_relevant, k): ..."))
    assert "cannot know" not in offered[0]["about"]


def test_a_function_that_cannot_be_read_is_called_by_position(own):
    target = own("def f(*args): return len(set(args[0][: args[2]]) & set(args[1])) / args[2]")
    assert subjects(target, "recommended,relevant")["f"].ask(CASE, 2).values.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("def ndcg(r): ...\nfrom math import log", "ngcd", r"has no 'ngcd'; it has ndcg$"),
        ("x = 3", "x", "is no function but int"),
        ("class A:\n  def __init__(self, scale): ...\n  def hit(self, r): return self.scale", "A", "A needs scale"),
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


@pytest.mark.parametrize("path", sorted((ADAPTERS / "kit" / "metric_adapters").rglob("*.py")), ids=lambda p: p.name)
def test_what_runs_beside_ones_own_function_is_python_3_8(path):
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))


def test_a_name_whose_import_was_passed_over_is_a_missing_module(tmp_path):
    text = "try:\n    import package_of_nobody as nobody\nexcept ImportError:\n    pass\n\n\n"
    text += "class Recall:\n    def __init__(self):\n        self.search = nobody.search\n\n"
    text += "    def __call__(self, relevant, recommended):\n        return self.search(relevant, recommended)\n"
    (tmp_path / "guarded.py").write_text(text)
    with pytest.raises(ModuleNotFoundError, match="'package_of_nobody'") as raised:
        load(f"{tmp_path}/guarded.py:Recall")
    assert raised.value.name == "package_of_nobody"

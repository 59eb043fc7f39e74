"""A refusal says what each way of calling came to, and prints a wrapper that runs."""

import shutil
from pathlib import Path

import pytest

from metric_harness import audit
from metric_harness.naming.refusal import LABELS, module_of, refusal_lines, wrapper_lines
from metric_harness.naming.target import parse_target
from metric_harness.system.errors import HarnessError
from metric_reference.variant import Variant
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A working folder with the file old.py."""
    shutil.copy(SUPPORT / "old_metrics.py", tmp_path / "old.py")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def wrapper_of(head, place="a.py", name=None):
    Path(place).parent.mkdir(parents=True, exist_ok=True)
    Path(place).write_text(f"{head}\n")
    called = name or head.partition("(")[0].rpartition(" ")[2]
    return [line.strip() for line in wrapper_lines(parse_target(f"{place}:{called}", {}), ())[1:]]


@pytest.mark.parametrize(
    ("head", "call"),
    [
        ("def ndcg(relevant_ids, recs, k): return 1", "ndcg(relevant, recommended, k)"),
        ("def ndcg(recs, gold: set, topk): return 1", "ndcg(recommended, set(relevant), k)"),
        ("def mrr(actual: dict, predicted: dict): return 1", "mrr({0: relevant}, {0: recommended})"),
        ("def mrr(rel, ks): return 1", "mrr([int(item in relevant) for item in recommended], [k])"),
        ("def mrr(hits, n_rel): return 1", "mrr([int(item in relevant) for item in recommended], len(relevant))"),
        ("def auc(foo, bar, k=10): return 1", "auc(..., ..., k=k)"),
        (
            "def auc(*, y_true, y_score): return 1",
            "auc(y_true=LABELS, y_score=[-rank for rank in range(len(recommended))])",
        ),
        ("def ap(df_true, df_pred, k): return 1", "ap(truth_frame, list_frame, k)"),
    ],
)
def test_the_wrapper_has_the_names_of_the_function(head, call):
    lines = wrapper_of(head)
    name = head.partition("(")[0].removeprefix("def ")
    assert f"from a import {name}" in lines
    assert lines[-1] == f"return {call.replace('LABELS', LABELS)}"
    assert ("import pandas" in lines) == ("df_" in head)


def test_the_wrapper_of_a_method():
    source = (
        "class Evaluator:\n    def evaluate(self, truth, recs, at): return 1\n"
        "    @staticmethod\n    def hit(gt, recs): return 1"
    )
    assert wrapper_of(source, name="Evaluator")[-1] == "return Evaluator().evaluate(relevant, recommended, k)"
    assert wrapper_of(source, name="Evaluator.hit")[-1] == "return Evaluator.hit(relevant[0], recommended)"


def test_the_import_is_that_of_the_package(here):
    Path("one/two").mkdir(parents=True)
    Path("one/__init__.py").touch()
    Path("one/two/__init__.py").touch()
    assert wrapper_of("def recall(a, b): return 1", "one/two/c.py")[0] == "from one.two.c import recall"
    assert module_of("pack.module") == "pack.module"


def test_a_function_without_source_has_no_wrapper():
    assert wrapper_lines(parse_target("json:dumps", {}), ()) == []
    assert refusal_lines(parse_target("exec:cat", {}), ()) == []


def test_a_refusal_tells_what_each_convention_came_to():
    (found,) = audit("old.py:reciprocal_rank").to_json()["subjects"]
    called = [note for note in found["notes"] if note.startswith("called as ")]
    assert 0 < len(called) <= 5
    assert "AttributeError: 'list' object has no attribute 'first_hit'" in called[0]
    assert "    from old import reciprocal_rank" in found["notes"]
    assert "    def reciprocal_rank_at_k(recommended, relevant, k):  # lists of ids of one user" in found["notes"]
    assert "        return reciprocal_rank(recommended, relevant)" in found["notes"]


def test_a_function_that_no_convention_fits_gets_a_wrapper_too():
    with pytest.raises(HarnessError) as refused:
        audit("old.py:average_precision")
    text = str(refused.value)
    assert "no known way of calling it fits its parameters" in text
    assert "(fill in pack, weights, colours, shapes)" in text
    assert "return average_precision(..., relevant, ..., ..., ..., k=k)" in text


def test_the_wrapper_makes_it_callable(here):
    source = "def score(box, gold, k):\n    return len(set(box['ids'][:k]) & set(gold)) / k"
    Path("boxed.py").write_text(source)
    (found,) = audit("boxed.py:score", metric="precision").to_json()["subjects"]
    start = next(place for place, note in enumerate(found["notes"]) if note.startswith("to say how"))
    code = [note[4:] for note in found["notes"][start + 1 :] if note.startswith("    ")]
    lines = "\n".join(code).replace("score(..., relevant, k)", "score({'ids': recommended}, relevant, k)")
    Path("wrapper.py").write_text(lines)
    name = found["notes"][start].rpartition(":")[2]
    (named,) = audit(f"wrapper.py:{name}", metric="precision").to_json()["subjects"]
    assert named["variant"] == str(Variant.parse("precision(divide_by=k)"))

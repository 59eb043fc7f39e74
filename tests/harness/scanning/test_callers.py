"""Functions that hand their data on to a metric, found by reading."""

import ast
import textwrap

import pytest

from metric_harness.naming.discovery.callers import callers, derived, names_of_metrics
from metric_harness.naming.discovery.candidates import candidates
from metric_harness.scanning.files import find_files
from metric_harness.scanning.scan import found_in

METRICS = "def ndcg_at_k(actual, predicted, k): return 1\ndef mrr(actual, predicted): return 1\n"


def called_in(source):
    tree = ast.parse(METRICS + textwrap.dedent(source))
    found = candidates(tree)
    return {one.name: (one.why, one.against) for one in callers(tree, names_of_metrics(found), (), found)}


@pytest.mark.parametrize(
    "source",
    [
        "def split(rows): return ndcg_at_k(rows['truth'], rows['found'], 10)",
        "def split(rows):\n out = []\n for row in rows:\n  out.append(row.pair)\n return [mrr(*pair) for pair in out]",
        "def split(rows):\n total = 0\n for row in rows: total += mrr(row.a, row.b)\n return total / len(rows)",
        "def split(rows, *, k=5):\n parts = [part for row in rows if (part := row.b)]\n return mrr(parts, parts)",
    ],
)
def test_what_hands_its_data_on_is_left_to_the_metric(source):
    ((why, against),) = called_in(source).values()
    metric = "ndcg_at_k" if "ndcg" in source else "mrr"
    assert (why, against) == ((f"calls: {metric}",), f"it hands its data on to {metric}")


def test_one_named_like_an_evaluation_is_audited():
    assert called_in("def evaluate_run(rows): return mrr(rows[0], rows[1])") == {"evaluate_run": (("calls: mrr",), "")}


def test_a_caller_of_a_caller_and_methods_are_found():
    source = """
        class Report:
            def one(self, rows): return mrr(rows[0], rows[1])
            def all(self, rows): return {name: self.one(row) for name, row in rows.items()}
        def split(rows): return mrr(rows[0], rows[1])
        def by_group(rows): return [split(row) for row in rows]
    """
    assert {name: why for name, (why, _) in called_in(source).items()} == {
        "Report.one": ("calls: mrr",),
        "Report.all": ("calls: one",),
        "split": ("calls: mrr",),
        "by_group": ("calls: split",),
    }


def test_evaluations_of_a_model_say_what_they_need():
    source = """
        class Evaluator:
            def evaluate(self, model): return self.rows_of(model)
            def rows_of(self, model): return [self.score_one(model, user) for user in self.users]
            def score_one(self, model, user): return mrr(self.truth[user], model.best(user))
    """
    assert called_in(source) == {
        "Evaluator.evaluate": (("calls: rows_of",), "it needs model"),
        "Evaluator.score_one": (("calls: mrr",), "it needs model"),
    }


@pytest.mark.parametrize(
    "source",
    [
        "def split(rows): return mrr([1], [2])",
        "class NDCG:\n def __init__(self, k=5): pass\n def compute(self, a): return a\ndef of(name, k): return NDCG(k)",
        "def split(model, rows): return mrr(model(rows), rows)",
        "def split(rows): print(mrr(rows[0], rows[1]))",
        "def split(rows) -> str: return str(mrr(rows[0], rows[1]))",
        "def main(rows): return mrr(rows[0], rows[1])",
        "def split(rows):\n values = load()\n return mrr(values, values), rows",
        "def f1(labels, predicted): return 1\ndef split(rows): return f1(rows[0], rows[1])",
        "def mrr_loss(a, b): return 1\ndef split(rows): return mrr_loss(rows[0], rows[1])",
    ],
)
def test_what_hands_nothing_on(source):
    assert not called_in(source)


def test_values_are_followed_through_loops_and_lists():
    (node,) = ast.parse(
        "def f(rows):\n a = rows[0]\n b.append(a)\n for c, d in zip(a, [1]): e: int = c\n g = 5\n return (h := e)"
    ).body
    assert derived(node, {"rows"}) == {"rows", "a", "b", "c", "d", "e", "h"}


def test_callers_in_other_files_are_found_where_they_import_the_name(tmp_path):
    (tmp_path / "metrics.py").write_text(METRICS + "def split(rows): return mrr(rows[0], rows[1])\n")
    (tmp_path / "report.py").write_text(
        "from metrics import split\ndef table(rows): return [split(row) for row in rows]\n"
    )
    (tmp_path / "other.py").write_text("def split(x): return x\ndef cut(rows): return split(rows)\n")
    found = {path.name: [one.name for one in listed] for path, listed in found_in(find_files(tmp_path)).items()}
    assert found == {"metrics.py": ["ndcg_at_k", "mrr", "split"], "report.py": ["table"], "other.py": []}

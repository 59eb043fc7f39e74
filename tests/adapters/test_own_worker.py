"""A worker with a user's own functions: hostile ones cost their own answer, targets are found, results are named."""

import json

import numpy as np
import pytest

from metric_adapters.case_files import save_case
from metric_adapters.worker import Worker as Program
from metric_harness.worker.process import StartFailure
from metric_reference.case import case_from_lists
from tests.support.places import SUPPORT

STYLES = SUPPORT / "styles"


@pytest.fixture
def healthy(tmp_path):
    save_case(case_from_lists([[0, 1, 2], [3]], [[1], [3]], 5), tmp_path / "case")
    return tmp_path / "case"


@pytest.fixture
def ask_hostile(worker_for, healthy, tmp_path):
    def ask(name, timeout=30):
        with worker_for(f"{STYLES}/hostile.py:{name}", convention="relevant,recommended") as worker:
            assert list(worker.start()["subjects"]) == [name]
            return worker.ask(name, healthy, 2, tmp_path / "out", timeout)

    return ask


def test_prints_are_no_answers(ask_hostile):
    reply = ask_hostile("precision_that_prints")
    assert (reply.kind, reply.value, reply.warnings) == ("answer", 0.5, ())
    assert reply.values.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("precision_that_exits", "exception", "SystemExit: 3"),
        ("precision_that_hangs", "timeout", "timed out after 1.5 s"),
        ("precision_that_eats", "memory", "MemoryError"),
    ],
)
def test_hostile_code_costs_its_own_answer(ask_hostile, name, kind, text):
    reply = ask_hostile(name, 1.5 if kind == "timeout" else 30)
    assert (reply.kind, reply.value) == (kind, None)
    assert text in reply.error


def test_a_changed_input_is_a_warning_and_reaches_no_other_call(ask_hostile):
    reply = ask_hostile("precision_that_mutates")
    assert (reply.kind, reply.value) == ("answer", 0.5)
    assert reply.changed_input


def test_state_is_kept_between_questions(worker_for, healthy, tmp_path):
    """So that asking twice shows a function that remembers."""
    target = f"{STYLES}/hostile.py:precision_by_global_state"
    with worker_for(target, convention="relevant,recommended") as worker:
        values = [worker.ask(target.rpartition(":")[2], healthy, 2, tmp_path / "o", 30).value for _ in range(2)]
    assert values == [1.5, 3.5]


def test_a_function_whose_file_exits_where_it_needs_it_says_so(worker_for, tmp_path):
    (tmp_path / "script.py").write_text(
        "import sys\nFILE = sys.exit('usage: script.py FILE')\ndef ndcg(r, k): return FILE\n"
    )
    with worker_for(f"{tmp_path}/script.py:ndcg") as worker:
        with pytest.raises(StartFailure, match=r"script.py:ndcg: SystemExit: usage: script.py FILE"):
            worker.start()
        with pytest.raises(StartFailure) as failed:
            worker.calls()
    assert (failed.value.cause.error_type, failed.value.passing) == ("SystemExit", False)


def test_a_module_that_is_needed_and_not_installed_is_named(worker_for, tmp_path):
    (tmp_path / "script.py").write_text("import nobody_has.this\ndef ndcg(r, k): return nobody_has.this(r)\n")
    with worker_for(f"{tmp_path}/script.py:ndcg") as worker, pytest.raises(StartFailure) as failed:
        worker.start()
    cause = failed.value.cause
    assert (cause.kind, cause.error_type, cause.missing) == ("exception", "ModuleNotFoundError", "nobody_has")
    assert failed.value.passing, "the module may be installed later"


def test_a_module_is_looked_for_in_the_current_folder_and_on_the_path(worker_for, healthy, tmp_path, monkeypatch):
    (tmp_path / "here" / "my_pkg").mkdir(parents=True)
    (tmp_path / "there").mkdir()
    (tmp_path / "here" / "my_pkg" / "__init__.py").write_text("__version__ = '3.1'\n")
    text = (
        "from helpers import share\ndef precision(actual, predicted, k):\n    return share(actual, predicted[:k], k)\n"
    )
    (tmp_path / "here" / "my_pkg" / "metrics.py").write_text(text)
    (tmp_path / "there" / "helpers.py").write_text("def share(a, p, k):\n    return len(set(a) & set(p)) / k\n")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "there"))
    for target in ("my_pkg.metrics:precision", "my_pkg/metrics.py:precision"):
        with worker_for(target) as worker:
            started = worker.start()
            assert started["version"] == ("3.1" if "/" not in target else "")
            assert started["subjects"]["precision"]["file"] == "metrics.py"
            assert worker.ask("precision", healthy, 2, tmp_path / "o", 30).value == 0.5


def test_a_convention_may_be_given(worker_for, healthy, tmp_path):
    target = f"{STYLES}/blog.py:precision_at_k"
    with worker_for(target, convention="recommended,relevant:arrays") as worker:
        assert worker.ask("precision_at_k", healthy, 2, tmp_path / "o", 30).value == 0.5
    with worker_for(target, convention="actual,predicted") as worker, pytest.raises(StartFailure) as failed:
        worker.start()
    assert "'actual,predicted' is no convention." in str(failed.value)
    assert "`metric-harness explain conventions` explains each" in str(failed.value)


@pytest.fixture
def answered(healthy, tmp_path):
    """What the worker's program answers for a target."""

    def answer(target, subject, convention=None, **more):
        program = Program("own", target, convention)
        program.answer({"op": "start"})
        request = {"op": "ask", "subject": subject, "case": str(healthy), "k": 2, "out": str(tmp_path / "out"), **more}
        return json.loads(program.answer(request))

    return answer


def test_several_results_are_an_error_with_their_names_and_each_can_be_asked_for(answered):
    target = f"{STYLES}/several.py:evaluate_user"
    for subject, convention in (("evaluate_user", "recommended,relevant"), ("recommended,relevant", None)):
        refused = answered(target, subject, convention)
        assert not refused["ok"]
        assert refused["error"]["type"] == "SeveralResults"
        assert refused["error"]["elements"] == ["hits", "NDCG@{k}"]
        found = answered(target, subject, convention, element="NDCG@{k}")
        assert found["value"] == pytest.approx((1 / np.log2(3) + 1) / 2)
        wrong = answered(target, subject, convention, element="MRR")["error"]
        assert (wrong["type"], wrong["message"]) == (
            "TypeError",
            "the function returned no 'MRR'; it returned hits, NDCG@{k}",
        )


def test_cut_offs_of_its_own_are_an_error_with_these(answered, tmp_path):
    (tmp_path / "fixed.py").write_text("def recall(relevant, recommended):\n    return {5: 0.5, 10: 0.75}\n")
    error = answered(f"{tmp_path}/fixed.py:recall", "recall")["error"]
    assert (error["type"], error["cutoffs"]) == ("OtherCutoffs", [5, 10])


def test_a_question_may_bring_the_ids_of_the_items(answered, tmp_path):
    np.save(tmp_path / "ids.npy", np.array([2**40, 3, 2**31, 7, 0]))
    (tmp_path / "largest.py").write_text(
        "def largest(relevant, recommended, k):\n    return float(max(recommended) + 0 * k * len(relevant))\n"
    )
    target = f"{tmp_path}/largest.py:largest"
    assert answered(target, "relevant,recommended")["value"] == 2.5
    assert answered(target, "relevant,recommended", ids=str(tmp_path / "ids.npy"))["value"] == (2**40 + 7) / 2

"""Functions in the styles people write are called as they want to be called, and named for what they compute."""

import importlib.util
import json
import os
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from metric_adapters.case_files import save_case
from metric_adapters.worker import Worker as Program
from metric_harness.auditing.target import metric_of_name
from metric_harness.identification.agreement import agrees
from metric_harness.identification.ask_probes import ask_probes
from metric_harness.identification.identify import identify
from metric_harness.identification.probes import all_probes
from metric_harness.libraries.staging import stage
from metric_harness.worker.launch import Launch
from metric_harness.worker.process import StartFailure, Worker
from metric_reference.case import case_from_lists
from tests.support.places import SUPPORT

STYLES = SUPPORT / "styles"
PROBES = all_probes()
CORE = {probe.name for probe in PROBES if probe.edge is None}
LIMIT = 2 << 30


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("METRIC_HARNESS_CACHE", str(tmp_path_factory.mktemp("cache")))
        return stage([])


@pytest.fixture(scope="module")
def probes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("probes")
    for probe in PROBES:
        save_case(probe.case, folder / probe.name)
    return folder


@pytest.fixture
def worker_for(staged, tmp_path):
    def make(target=None, **settings):
        python = Path(settings.pop("python", sys.executable))
        settings = {"memory": LIMIT, "target": target, **settings}
        return Worker(Launch(python=python, staged=staged, name="own", log=tmp_path / "log.txt", **settings))

    return make


def answers_of(worker, subject, probes, claimed, out):
    """The answers to the probes that the convention can show."""

    def ask(probe):
        return worker.ask(subject, probes / probe.name, probe.k, out / probe.name, 30)

    answers = ask_probes(PROBES, claimed, ask)
    return {name: answer for name, answer in answers.items() if not (answer.error or "").startswith("CannotShow")}


@pytest.fixture
def audited(worker_for, probes, tmp_path):
    """The convention, answers and identification of a target: the first convention under which it is a known variant.

    A convention that makes the function raise on a core probe is passed over.
    """

    def audit(target, **settings):
        claimed = metric_of_name(target.rpartition(":")[2])
        with worker_for(target, **settings) as worker:
            for convention in worker.conventions():
                answers = answers_of(worker, convention["name"], probes, claimed, tmp_path / "out")
                found = identify(claimed, answers)
                if found.variant is not None and not any(a.error for name, a in answers.items() if name in CORE):
                    return convention["name"], answers, found
        raise AssertionError(f"{target} is not identified")

    return audit


TWENTY = {
    "blog.py:precision_at_k": ("relevant,recommended", "precision(divide_by=k)", {"duplicates": "once"}),
    "blog.py:reciprocal_rank": ("relevance", "reciprocal_rank(over=first)", {"no_relevant": "zero"}),
    "competition.py:apk": (
        "relevant,recommended", "average_precision(divide_by=min_k_relevant)", {"duplicates": "once"},
    ),
    "competition.py:mapk": (
        "relevant,recommended:all", "average_precision(divide_by=min_k_relevant)", {"no_relevant": "zero"},
    ),
    "leave_one_out.py:getHitRatio": ("recommended,item", "hit_rate(value=any)", {"no_relevant": "unclear"}),
    "leave_one_out.py:getNDCG": ("recommended,item", "ndcg(gain=binary)", {"duplicates": "unclear"}),
    "batches.py:mean_average_precision": (
        "relevance,n_relevant:matrix", "average_precision(divide_by=relevant)", {"no_relevant": "zero"},
    ),
    "batches.py:ndcg_binary_batch": ("y_score,y_true:matrix", "ndcg(gain=binary)", {"no_relevant": "poisons_mean"}),
    "containers.py:user_recall": (
        "recommended,relevant:sets", "recall(divide_by=relevant)", {"no_relevant": "error", "duplicates": "once"},
    ),
    "containers.py:hit_rate": ("relevant,recommended:dicts", "hit_rate(value=any)", {"no_relevant": "zero"}),
    "containers.py:trec_ndcg": ("qrels,run", "ndcg(gain=exponential)", {"no_relevant": "skipped", "no_list": "zero"}),
    "frames.py:recall_at_k": ("prediction_frame,truth_frame", "recall(divide_by=relevant)", {"no_list": "zero"}),
    "frames.py:ndcg_at_k": ("truth_frame,prediction_frame", "ndcg(gain=linear)", {"no_relevant": "skipped"}),
    "objects.py:Evaluator.f1": ("recommended,relevant", "f1(over=users)", {"no_relevant": "error"}),
    "tensors.py:retrieval_reciprocal_rank": ("y_score,y_true:tensors", "reciprocal_rank(over=first)", {}),
    # five classic slips
    "blog.py:ndcg": ("relevant,recommended", "ndcg(gain=binary, discount=shifted_log2)", {}),
    "ranks.py:ndcg_at_k": ("relevance_graded", "ndcg(gain=linear, ideal=list_hits)", {}),
    "blog.py:average_precision": ("relevant,recommended", "average_precision(divide_by=k, sum_over=all_ranks)", {}),
    "blog.py:recall": ("recommended,relevant", "recall(divide_by=relevant)", {"duplicates": "counted"}),
    "ranks.py:precision_at_k": ("relevance_graded", "precision(divide_by=k)", {}),
}  # fmt: skip
"""Target: the convention, the variant, and edge behaviour that shows."""


@pytest.mark.thorough
@pytest.mark.parametrize("target", TWENTY)
def test_functions_as_people_write_them_are_identified(audited, target):
    if target.startswith("tensors.py") and importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed beside the tests, and this function takes its tensors")
    if target.startswith("frames.py"):
        pytest.importorskip("pandas")
    convention, _, found = audited(f"{STYLES / target}", memory=0 if "tensors" in target else LIMIT)
    assert (convention, str(found.variant)) == (TWENTY[target][0], TWENTY[target][1])
    assert {edge: getattr(found.edges, edge) for edge in TWENTY[target][2]} == TWENTY[target][2]
    if not target.startswith("leave_one_out"):
        assert found.alternatives == []


def test_there_are_twenty_of_them():
    assert len(TWENTY) == 20


def test_a_function_of_one_item_leaves_what_one_item_cannot_tell_apart(audited):
    _, answers, found = audited(f"{STYLES}/leave_one_out.py:getHitRatio")
    assert set(answers) == {"one_relevant"}
    assert [str(other) for other in found.alternatives] == ["hit_rate(value=hits)"]
    _, _, found = audited(f"{STYLES}/leave_one_out.py:getNDCG")
    others = [str(other) for other in found.alternatives]
    assert "ndcg(gain=binary, ideal=hits)" in others
    assert "ndcg(gain=exponential)" in others
    assert not [other for other in others if "shifted" in other or "max_log2" in other or "cut=none" in other]


def test_a_threshold_that_is_taken_and_ignored_shows(audited):
    """Of the first three items of each user one reaches the threshold of 4 and another one does not."""
    _, answers, found = audited(f"{STYLES}/ranks.py:precision_at_k")
    expected = found.expected["below_threshold"]
    assert expected == pytest.approx(1 / 3)
    assert not agrees(answers["below_threshold"].value, expected)
    assert answers["below_threshold"].value == pytest.approx(2 / 3)


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
    assert any("mutates its input" in warning for warning in reply.warnings)


def test_state_is_kept_between_questions(worker_for, healthy, tmp_path):
    """So that asking twice shows a function that remembers."""
    target = f"{STYLES}/hostile.py:precision_by_global_state"
    with worker_for(target, convention="relevant,recommended") as worker:
        values = [worker.ask(target.rpartition(":")[2], healthy, 2, tmp_path / "o", 30).value for _ in range(2)]
    assert values == [1.5, 3.5]


def test_a_file_that_exits_when_imported_says_so(worker_for, tmp_path):
    (tmp_path / "script.py").write_text("import sys\ndef ndcg(r, k): return 1.0\nsys.exit('usage: script.py FILE')\n")
    with worker_for(f"{tmp_path}/script.py:ndcg") as worker:
        with pytest.raises(StartFailure, match=r"script.py:ndcg: SystemExit: usage: script.py FILE"):
            worker.start()
        with pytest.raises(StartFailure):
            worker.conventions()


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
    assert "`metric-harness conventions` explains each" in str(failed.value)


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
        found = answered(target, f"{subject}#NDCG@{{k}}", convention)
        assert found["value"] == pytest.approx((1 / np.log2(3) + 1) / 2)
        wrong = answered(target, f"{subject}#MRR", convention)["error"]
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
        "def largest(relevant, recommended, k):\n    return float(max(recommended) + 0 * k)\n"
    )
    target = f"{tmp_path}/largest.py:largest"
    assert answered(target, "relevant,recommended")["value"] == 2.5
    assert answered(target, "relevant,recommended", ids=str(tmp_path / "ids.npy"))["value"] == (2**40 + 7) / 2


PROGRAM = """
    import json, sys
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "start":
            answer = {"ok": True, "subjects": {"ndcg": {}}}
        elif request["op"] == "ask":
            users = request["users"]
            hits = [len(set(u["list"][: request["k"]]) & set(u["relevant"])) / request["k"] for u in users]
            answer = {"ok": True, "value": sum(hits) / len(hits)}
        else:
            break
        print(json.dumps(answer), flush=True)
"""


def test_a_program_that_speaks_the_protocol_is_asked(worker_for, probes, tmp_path, monkeypatch):
    """In the folder where the command was given, and with the case in the question."""
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM))
    monkeypatch.chdir(tmp_path)
    with worker_for(command=[sys.executable, "program.py"]) as worker:
        assert list(worker.start()["subjects"]) == ["ndcg"]
        assert worker.conventions() == []
        found = identify("ndcg", answers_of(worker, "ndcg", probes, "ndcg", tmp_path / "out"))
    assert str(found.variant) in ("precision(divide_by=k)", "ndcg(gain=binary, discount=none, ideal=k)")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["no-such-program"], "no-such-program does not start: no-such-program cannot be run: No such file"),
        ([sys.executable, "-c", "raise SystemExit(7)"], "ended by itself with exit code 7"),
        ([sys.executable, "-c", "print('hello', flush=True); input(); input()"], "something else than an answer came"),
    ],
)
def test_a_program_that_does_not_speak_it_says_why(worker_for, words, text):
    with worker_for(command=words) as worker, pytest.raises(StartFailure) as failed:
        worker.start()
    assert text in str(failed.value)


def test_a_library_has_no_conventions(worker_for):
    with worker_for() as worker:
        assert worker.conventions() == []


def test_what_a_program_is_told_is_json(probes):
    from metric_adapters.case_files import load_case
    from metric_harness.worker.program import as_json

    for probe in PROBES:
        users = json.loads(json.dumps(as_json(load_case(probes / probe.name))))
        assert [user["list"] for user in users] == [probe.case.list_of(u).tolist() for u in range(probe.case.users)]
        assert all(len(user["relevant"]) == len(user["gains"]) for user in users)
    assert os.listdir(probes)

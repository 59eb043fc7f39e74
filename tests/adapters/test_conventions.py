"""Functions in the styles people write are called as they want to be called, and named for what they compute."""

import importlib.util
import json
import os
import sys
import textwrap

import pytest

from metric_adapters.case_files import save_case
from metric_harness.naming.agreement import agrees
from metric_harness.naming.identify import identify
from metric_harness.naming.metric_names import metric_of_name
from metric_harness.naming.probes.ask import ask_probes
from metric_harness.naming.probes.probe import all_probes
from metric_harness.worker.process import StartFailure
from tests.adapters.conftest import LIMIT
from tests.support.places import SUPPORT

STYLES = SUPPORT / "styles"
PROBES = all_probes()
CORE = {probe.name for probe in PROBES if probe.edge is None}


@pytest.fixture(scope="module")
def probes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("probes")
    for probe in PROBES:
        save_case(probe.case, folder / probe.name)
    return folder


def answers_of(worker, subject, probes, claimed, out):
    """The answers to the probes that the convention can show."""

    def ask(probe):
        return worker.ask(subject, probes / probe.name, probe.k, out / probe.name, 30)

    answers = ask_probes(PROBES, claimed, ask)
    return {name: answer for name, answer in answers.items() if answer.shown}


@pytest.fixture
def audited(worker_for, probes, tmp_path):
    """The convention, answers and identification of a target: the first convention under which it is a known variant.

    A convention that makes the function raise on a core probe is passed over.
    """

    def audit(target, **settings):
        claimed = metric_of_name(target.rpartition(":")[2])
        with worker_for(target, **settings) as worker:
            for call in worker.calls():
                answers = answers_of(worker, call.name, probes, claimed, tmp_path / "out")
                found = identify(claimed, answers)
                if found.variant is not None and not any(a.error for name, a in answers.items() if name in CORE):
                    return call.name, answers, found
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
    assert [str(other) for other in found.alternatives] == ["hit_rate(value=hits)", "hit_rate(value=all)"]
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
        assert worker.calls() == []
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
        assert worker.calls() == []


def test_what_a_program_is_told_is_json(probes):
    from metric_adapters.case_files import load_case
    from metric_harness.worker.program import as_json

    for probe in PROBES:
        users = json.loads(json.dumps(as_json(load_case(probes / probe.name))))
        assert [user["list"] for user in users] == [probe.case.list_of(u).tolist() for u in range(probe.case.users)]
        assert all(len(user["relevant"]) == len(user["gains"]) for user in users)
    assert os.listdir(probes)

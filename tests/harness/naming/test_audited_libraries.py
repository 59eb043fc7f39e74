"""Functions of real libraries, whole libraries, and two releases of one."""

import json

import pytest

from metric_harness import audit
from metric_harness.libraries.describe import find_libraries
from metric_harness.libraries.environments import resolve_python
from metric_reports.record import validate_audit
from tests.harness.naming.audited import codes, subject
from tests.support.places import SUPPORT

pytestmark = [pytest.mark.thorough, pytest.mark.slow, pytest.mark.usefixtures("own")]


@pytest.mark.live
def test_one_function_of_a_library():
    found = subject("recommenders:map_at_k", expect="average_precision")
    assert found["variant"] == "average_precision(divide_by=min_k_relevant)"
    assert found["expected"]["holds"]
    assert found["source"]["file"] == "recommenders/evaluation/python_evaluation.py"
    assert codes(found) == ["USR001", "DUP001"]


@pytest.mark.live
@pytest.mark.parametrize("library", ["rs_metrics", "recommenders"])
def test_a_whole_library(library):
    """Recommenders has metrics beyond accuracy with findings, whose cases have training data."""
    result = audit(library).to_json()
    validate_audit(result)
    assert len(result["subjects"]) > 4
    assert all(found["identified"] for found in result["subjects"])


@pytest.mark.live
def test_two_releases_of_a_library(run):
    ended, printed, _ = run("recbole==1.2.0:MAP", "--compare", "recbole:MAP", "-q", "--format", "json")
    both = validate_audit(json.loads(printed))
    assert [found["target"] for found in both["subjects"]] == ["recbole==1.2.0:MAP", "recbole==1.2.1:MAP"]
    assert (ended, both["same"], both["edges"]) == (0, True, {})


@pytest.mark.live
def test_ones_own_function_against_a_library(run):
    ended, printed, _ = run("metrics.py:apk", "--compare", "recommenders:map", "-q", "--format", "json")
    both = validate_audit(json.loads(printed))
    assert (ended, both["same"]) == (1, False)
    assert (both["case"]["value"], both["case"]["other"]) == (1.0, 0.5)


@pytest.mark.live
@pytest.mark.parametrize(
    ("target", "variant"),
    [
        ("lenskit:NDCG", "ndcg(gain=binary, discount=max_log2)"),
        ("lenskit:Recall", "recall(divide_by=min_k_relevant)"),
        ("torchmetrics:RetrievalMAP", "average_precision(divide_by=hits)"),
    ],
)
def test_libraries_with_unusual_definitions(target, variant):
    assert subject(target)["variant"] == variant


@pytest.mark.live
def test_functions_that_take_tensors_run_where_torch_is():
    torchmetrics = find_libraries()["torchmetrics"]
    python = str(resolve_python("isolated", torchmetrics, torchmetrics.newest()))
    found = subject(f"{SUPPORT / 'styles' / 'tensors.py'}:retrieval_reciprocal_rank", environment=python)
    assert (found["convention"], found["variant"]) == ("y_score,y_true:tensors", "reciprocal_rank(over=first)")
    found = subject("torchmetrics.functional.retrieval:retrieval_normalized_dcg", environment=python)
    assert (found["convention"], found["variant"]) == ("y_score,y_true_graded:tensors", "ndcg(gain=linear)")
    assert found["edges"]["ties"] == "expected"

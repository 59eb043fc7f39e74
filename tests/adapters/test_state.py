"""A method that reads what others set in its object is asked with that as its parameters."""

import pytest

from metric_adapters.own import load
from metric_harness import audit
from tests.support.places import SUPPORT

STYLE = SUPPORT / "styles" / "state.py"
NAMED = {
    "Evaluator.average_recall": ("recall(divide_by=relevant)", "relevant,recommended:couples"),
    "Evaluator.mrr": ("reciprocal_rank(over=first)", "relevant,recommended:couples"),
    "OfFile.mean_ndcg": ("ndcg(gain=binary)", "relevant,recommended:dicts"),
    "Cached.precision": ("precision(divide_by=k)", "recommended,relevant"),
    "WithModel.recall": ("recall(divide_by=relevant, weight=micro, rounded=2, times=100)", "relevant,scored:dicts"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMED)
def test_it_is_named(name):
    (subject,) = audit(f"{STYLE}:{name}").subjects
    assert (str(subject.variant), subject.convention) == NAMED[name]


def test_the_attributes_are_parameters_with_the_constants_of_the_constructor():
    parameters = load(f"{STYLE}:OfFile.mean_ndcg").parameters()
    assert [*parameters.all] == ["truths", "results", "cut_off", "verbose"]
    assert parameters.all["cut_off"].default == 10
    assert parameters.strong_k == "cut_off"


def test_the_method_is_called_on_an_object_that_has_nothing_else():
    mean_ndcg = load(f"{STYLE}:OfFile.mean_ndcg").make(1)
    assert mean_ndcg({"q": {3}}, {"q": [4, 3]}, cut_off=2) == pytest.approx(0.6309297535714575)
    assert mean_ndcg.about == "the object is made without its constructor and gets cut_off, truths"


def test_a_method_with_data_of_its_own_keeps_its_constructor():
    assert [*load(f"{STYLE}:Cached.precision").parameters().all] == ["recommended", "relevant", "k"]

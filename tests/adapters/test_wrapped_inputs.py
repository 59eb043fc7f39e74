"""Inputs in one tuple, lists of metrics, accumulators that want a reset, columns of one letter: named without help."""

from __future__ import annotations

import pytest

from metric_adapters.calls.columns import read_columns
from metric_adapters.calls.facts import read_source
from metric_adapters.calls.fills import fill
from metric_adapters.calls.parameter_names import K_NAME
from metric_adapters.calls.table import by_name, example
from metric_harness import audit
from tests.support.places import SUPPORT
from tests.support.styles import wrapped

FILE = SUPPORT / "styles" / "wrapped.py"
NAMED = {
    "reciprocal_rank_of_couple": ["reciprocal_rank(over=first, cut=none)"],
    "recall_of_both": ["recall(divide_by=relevant)"],
    "by_names": ["hit_rate(value=any)", "precision(divide_by=k)"],
    "MeanHit": ["hit_rate(value=any)"],
    "recall_of_frame": ["recall(divide_by=relevant)"],
    "recall_of_labels": ["recall(divide_by=relevant)"],
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMED)
def test_each_is_named(name: str):
    if name == "recall_of_frame":
        pytest.importorskip("pandas")
    assert [row["variant"] for row in audit(f"{FILE}:{name}").to_json()["subjects"]] == NAMED[name]


def test_columns_are_read_from_the_source():
    found = read_columns({}, read_source(wrapped.recall_of_frame))
    assert found is not None
    assert (found.user, found.rating, found.score) == ("u", "bought_flag", "predict")


def test_every_choice_of_a_list_is_asked_for():
    assert fill("metrics", None, "lists", 0, read_source(wrapped.by_names)) == ["HIT", "PREC"]


@pytest.mark.parametrize("name", ["ndcg_at", "recall_at_k", "hit_ks", "hr_at", "eval_at", "metrics_top_k"])
def test_names_of_cut_offs(name: str):
    assert K_NAME.fullmatch(name)


@pytest.mark.parametrize("container", ["float-tensors", "float-tensor-matrix"])
def test_labels_may_be_fractions_in_tensors(container: str):
    text = example(by_name(f"y_true,y_score:{container}"))
    assert "tensor([[0.0, 1.0" in text or "tensor([0.0, 1.0" in text

"""Plain names of definitions: every one has its own, and nothing of the code shows in it."""

from __future__ import annotations

import pytest

from metric_reference.registry import METRICS
from metric_reference.variant import space
from metric_reports.view.names import label_of, plain_name


@pytest.mark.parametrize("metric", METRICS)
def test_every_definition_has_a_name_of_its_own_without_code(metric: str) -> None:
    printed = [str(variant) for variant in space(metric)]
    names = [plain_name(one) for one in printed]
    assert len(set(names)) == len(printed), [one for one in names if names.count(one) > 1]
    assert len({label_of(one) for one in printed}) == len(printed)
    for name in names:
        assert not set("_={}") & set(name), name
        assert ": " not in name, name


@pytest.mark.parametrize(
    ("printed", "name", "label"),
    [
        ("average_precision(divide_by=min_k_relevant)", "AP over min(k, relevant)", "over min(k, relevant)"),
        (
            "ndcg(gain=binary, ideal=hits)@20",
            "NDCG, ideal made of the list's own hits",
            "ideal made of the list's own hits",
        ),
        ("ndcg(gain=binary)", "NDCG, binary gains", "binary gains"),
        ("ndcg", "NDCG, binary gains", "binary gains"),
        ("average_precision", "AP", "AP"),
        ("ndcg(gain=exponential, ideal=none)", "DCG, gains 2^rating − 1", "DCG, gains 2^rating − 1"),
        ("ndcg(gain=linear, discount=none, ideal=none)", "CG, gains are ratings", "CG, gains are ratings"),
        (
            "ndcg(gain=binary, discount=max_log, base=10)",
            "NDCG, no discount up to rank 10",
            "no discount up to rank 10",
        ),
        (
            "recall(divide_by=relevant, rounded=5)",
            "recall over all relevant, rounded to 5 digits",
            "over all relevant, rounded to 5 digits",
        ),
        ("new_metric(of=some_thing)", "new metric, of: some thing", "of: some thing"),
        ("no printed form!", "no printed form!", "no printed form!"),
    ],
)
def test_names(printed: str, name: str, label: str) -> None:
    assert plain_name(printed) == name
    assert label_of(printed) == label


def test_a_definition_of_another_metric_keeps_its_name() -> None:
    assert label_of("hit_rate(value=any)", "recall") == "hit rate, any hit counts 1"
    assert label_of("filtered_rank(value=ndcg)", "ndcg") == "ranks among the negatives, NDCG"

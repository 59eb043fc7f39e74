"""Functions for one relevant item a user: named for what their ranks give, by the metric that each part claims."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from metric_adapters.calls.returned import names_returned
from metric_harness import audit
from metric_harness.libraries.needs import one_relevant
from metric_harness.naming.precedence import one_each, restricts
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import core_of, core_probes, one_relevant_probes, probe_named
from metric_reference.variant import Variant
from tests.support.calls import offered
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough

STYLES = SUPPORT / "styles"


def test_each_has_one_relevant_item_a_user():
    assert all(one_relevant(probe.case) for probe in one_relevant_probes())
    names = {probe.name for probe in (*core_probes(), *one_relevant_probes())}
    assert set(core_of(names)) == names
    assert all(probe_named(name).name == name for name in names)


ALONE = ("hit_rate", "reciprocal_rank(over=first)", "ndcg(gain=binary)", "average_recall(sum_over=all_ranks)")


def test_they_tell_apart_what_differs_there():
    values = {tuple(round(expected(Variant.parse(t), p.name), 9) for p in one_relevant_probes()) for t in ALONE}
    assert len(values) == len(ALONE)


@pytest.mark.slow
def test_the_parts_of_a_return_are_named_in_the_source():
    audited = audit(f"{STYLES / 'each_rank.py'}:evaluate_places").to_json()["subjects"]
    assert [row["variant"] for row in audited] == [
        "hit_rate(value=any)", "ndcg(gain=binary)", "reciprocal_rank(over=first, cut=none)",
    ]  # fmt: skip


def returns(text: str, tmp_path: Path):
    from metric_adapters.own import load

    path = tmp_path / "returns_of.py"
    path.write_text(text)
    return names_returned(load(f"{path}:f").source)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("return hits / n, dcg", [["hits", "n"], ["dcg"]]),
        ("return np.array([a.mean(), b])", [["mean", "a"], ["b"]]),
        ("return one", []),
        ("def g(): return one, two\n    return three", []),
        ("if x: return 0, 0\n    return recall, ndcg", [["recall"], ["ndcg"]]),
    ],
)
def test_names_of_returns(line: str, names: list, tmp_path: Path):
    assert returns(f"def f(x, y):\n    {line}\n", tmp_path) == names


def test_one_rank_of_each_user_comes_before_several_of_one():
    assert one_each(offered("rank:flat"), offered("ranks"))
    assert restricts(offered("positions:arrays"), offered("position:all"))
    assert not restricts(offered("position:all"), offered("positions:arrays"))
    assert not one_each(offered("ranks:all"), offered("rank:flat"))


@pytest.mark.slow
def test_who_does_not_claim_gains_is_read_with_labels():
    (row,) = audit(f"{STYLES / 'each_rank.py'}:named_recall").to_json()["subjects"]
    assert row["variant"] == "recall(divide_by=relevant)"
    (row,) = audit(f"{STYLES / 'each_rank.py'}:share_found", metric="ndcg").to_json()["subjects"]
    assert row["variant"] == "ndcg(gain=linear, discount=none, ideal=relevant)"
    assert np.isfinite(row["evidence"]["values"])


WRITTEN = '''
def hit_ratio(scores, k):
    """The first score is that of the positive, the others those of its negatives."""
    return float(sum(score > scores[0] for score in scores[1:]) < k)


def recall(relevant, recommended, k):
    return len(set(recommended[:k]) & set(relevant)) / len(relevant) if relevant else 0.0
'''


def test_one_positive_and_its_negatives_depend_on_the_candidates(tmp_path: Path):
    """The note rests on the way of calling: a function of lists and relevant items has none."""
    (tmp_path / "ncf.py").write_text(WRITTEN, encoding="utf-8")
    for name, noted in (("hit_ratio", True), ("recall", False)):
        (found,) = audit(f"{tmp_path / 'ncf.py'}:{name}").to_json()["subjects"]
        assert found["identified"], name
        assert any("candidates that you hand over" in note for note in found["notes"]) is noted

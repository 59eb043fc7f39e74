"""Numbers inside a definition: planted, they are found from the answers alone; what has none is given none."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.naming.probes.parameters import families
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import all_probes
from metric_reference.registry import METRICS
from metric_reference.variant import RANKING, Variant

PLANTED = [
    "ndcg(gain=linear, discount=max_log, base=3)",
    f"ndcg(gain=linear, discount=max_log, base={math.e!r})",
    "ndcg(gain=binary, discount=max_log, base=10)",
    "ndcg(gain=exponential, discount=max_log, ideal=none, base=2.5)",
    "ndcg(gain=linear, discount=max_log, cut=none, weight=sum, base=1.7)",
    "ndcg(gain=binary, ideal=fixed, depth=10)",
    "ndcg(gain=exponential, ideal=fixed, depth=2)",
    "rank_biased_precision(cut=k, persistence=0.5)",
    "rank_biased_precision(cut=none, persistence=0.73)",
    "rank_biased_precision(cut=k, weight=sum, persistence=0.654321)",
    "expected_reciprocal_rank(largest=fixed, grade=4)",
    "expected_reciprocal_rank(largest=fixed, cut=none, grade=5)",
    "expected_reciprocal_rank(largest=fixed, grade=6.5)",
    "expected_reciprocal_rank(largest=uncapped, grade=3)",
    "partial_auc(scope=per_user, max_fpr=0.2)",
    "partial_auc(scope=stacked, max_fpr=0.37)",
]


def answers_of(variant: Variant) -> dict[str, ProbeAnswer]:
    name = variant.metric.name
    return {
        probe.name: ProbeAnswer(expected(variant, probe.name))
        for probe in all_probes()
        if not probe.metrics or name in probe.metrics
    }


@pytest.mark.parametrize("text", PLANTED)
@pytest.mark.parametrize("single", [False, True], ids=["float64", "float32"])
def test_a_planted_number_is_found(text: str, single: bool) -> None:
    variant = Variant.parse(text)
    answers = answers_of(variant)
    if single:
        answers = {p: ProbeAnswer(float(np.float32(a.value))) for p, a in answers.items()}  # type: ignore[arg-type]
    assert identify(variant.metric.name, answers).variant == variant
    assert identify(None, answers).variant == variant


def test_what_follows_no_definition_is_given_no_number() -> None:
    squared = {p: ProbeAnswer((a.value or 0.0) ** 2) for p, a in answers_of(Variant.parse("ndcg(gain=linear)")).items()}
    begun = time.perf_counter()
    assert identify("ndcg", squared).variant is None
    assert time.perf_counter() - begun < 30


def test_one_answer_alone_does_not_make_a_number() -> None:
    """Some persistence explains any single answer, so a second probe must agree."""
    answers = {"plain": ProbeAnswer(0.2123456789)}
    assert identify("rank_biased_precision", answers).variant is None


@pytest.mark.parametrize("name", RANKING)
def test_families_do_not_repeat_the_space(name: str) -> None:
    found = [Variant(family.metric, family.weight) for family in families(name)]
    assert len(set(found)) == len(found)
    assert bool(found) == any(True for _ in METRICS[name].with_parameter())

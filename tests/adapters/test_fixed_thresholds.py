"""A function that holds the smallest gain of a relevant item in its code is named with it."""

import numpy as np
import pytest

from metric_adapters.calls.facts import read_source
from metric_harness import audit
from metric_harness.naming.attempt import from_gain
from metric_harness.naming.probes.probe import core_probes
from metric_harness.naming.question import Question
from metric_reference.matching import match
from tests.support.places import SUPPORT
from tests.support.styles import fixed_thresholds

STYLE = SUPPORT / "styles" / "fixed_thresholds.py"
NAMED = {
    "recall_at_ten": ("recall(divide_by=relevant)", ["relevant from a gain of 1", "cut at 10"], "rel:>=1"),
    "reciprocal_rank_of_judged": ("reciprocal_rank(over=first)", ["relevant from a gain of 1"], "rel:>=1"),
    "precision_of_liked": ("precision(divide_by=k)", ["relevant from a gain of 4"], "rel:>=4"),
    "recall_above": ("recall(divide_by=relevant)", ["relevant from a gain of 4", "whole gains"], "rel:>=4"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMED)
def test_it_is_named(name):
    (subject,) = audit(f"{STYLE}:{name}").subjects
    row = subject.to_json()
    variant, where, part = NAMED[name]
    assert (str(subject.variant), row["where"]) == (variant, where)
    assert part in row["signature"].split("|")


def test_thresholds_are_read_from_the_source_and_its_helpers():
    assert read_source(fixed_thresholds.recall_at_ten).thresholds == (1.0,)
    assert read_source(fixed_thresholds.precision_of_liked).thresholds == (4.0,)
    assert read_source(fixed_thresholds.recall_above).thresholds == ()
    assert read_source(fixed_thresholds.recall_above).above == (3.5,)


def test_the_largest_whole_gain_below_is_asked():
    for probe in core_probes():
        moved = from_gain(Question(probe.case, probe.k), 4.0, whole=True).case
        gains, others = np.asarray(moved.judged_gains), (~moved.relevant)[1::2]
        assert (gains == np.ceil(gains)).all()
        assert (gains[1::2][others] == 3.0).all()


@pytest.mark.parametrize("threshold", [0.5, 1.0, 4.0, 7.5])
def test_the_same_items_are_relevant_from_another_gain(threshold):
    for probe in core_probes():
        moved = from_gain(Question(probe.case, probe.k), threshold).case
        assert moved.threshold == threshold
        assert np.array_equal(match(moved).n_relevant, match(probe.case).n_relevant)
        assert np.array_equal(match(moved).hit_count(probe.k), match(probe.case).hit_count(probe.k))


@pytest.mark.parametrize("threshold", [0.5, 10.0])
def test_items_below_the_gain_are_judged_too(threshold):
    for probe in core_probes():
        moved = from_gain(Question(probe.case, probe.k), threshold).case
        others = (~moved.relevant)[1::2]
        assert (np.asarray(moved.judged_gains)[1::2][others] == threshold / 2).all()

"""The core probes separate whatever can be separated, and none of them can be spared."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from metric_harness.naming.probes.probe import core_probes, edge_probes
from metric_reference.metrics.areas.auc import Auc
from metric_reference.variant import Variant, identities, space
from tests.support import probe_search
from tests.support.probe_search import exposed, missed, named, own_pairs, pool, smallest_exactly, table

AT_SIZE = "squared_minus_one"
"""Gains of g^2 - 1 are 0 in the binary probes; only the cases at size distinguish some of these variants."""
BY_LENGTH = "missing=next_listed"
"""No core probe has a list that is shorter than k and does not hit; the cases at size have."""
BY_ORDER = "ties=id_"
"""The probes of ties, below, separate the orders of tied candidates."""
CORE = range(len(core_probes()))
NAMES = [probe.name for probe in core_probes()]


@pytest.fixture(scope="module")
def found():
    whole = table(pool(300, seed=7))
    elsewhere = (AT_SIZE, BY_LENGTH, BY_ORDER)
    here = np.array([not any(word in str(variant) for word in elsewhere) for variant in probe_search.variants()])
    both = here[whole.pairs].all(axis=0)
    return whole._replace(pairs=whole.pairs[:, both], apart=whole.apart[:, both])


@pytest.mark.slow
def test_of_the_gains_that_binary_probes_do_not_show_few_pairs_are_left_to_the_cases_at_size():
    whole = table(pool(60, seed=7))
    left = missed(whole, CORE)
    left = [pair for pair in left if not any(word in text for word in (BY_LENGTH, BY_ORDER) for text in pair)]
    assert all(AT_SIZE in one and AT_SIZE in other for one, other in left)
    assert len(left) < 120


def test_the_probes_of_ties_tell_orders_of_candidates_apart():
    orders = [probe for probe in edge_probes() if probe.edge == "ties"]
    for plain in (variant for variant in space("auc") if variant.metric.ties == "half" and variant.metric.needs):
        rules = [replace(plain, metric=replace(plain.metric, ties=ties)) for ties in Auc.choices()["ties"]]
        values = {tuple(round(rule.value(probe.case, k=probe.k), 9) for probe in orders) for rule in rules}
        assert len(values) == len(rules), plain


@pytest.mark.slow
def test_the_core_probes_separate_every_pair_that_some_case_separates(found):
    assert missed(found, CORE) == []


@pytest.mark.slow
def test_what_no_case_separates_is_written_down_as_one_number_under_several_names(found):
    unseparated = {frozenset(pair) for pair in named(found.pairs[:, ~found.apart.any(axis=0)])}
    assert unseparated == {frozenset(pair) for group in identities() for pair in combinations(group, 2)}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_core_probe_earns_its_place(found, name):
    one = NAMES.index(name)
    assert own_pairs(found, CORE, one) or exposed(one, core_probes())


def test_a_missing_probe_is_noticed(found):
    without = [one for one in CORE if NAMES[one] != "late_hit"]
    assert missed(found, without) == own_pairs(found, CORE, NAMES.index("late_hit")) != []


def test_a_variant_that_no_case_separates_is_noticed(monkeypatch):
    """Precision over k is one number with either weight, which the space of choices therefore holds once."""
    twins = (Variant.parse("precision"), Variant.parse("precision(divide_by=k, weight=micro)"), Variant.parse("recall"))
    monkeypatch.setattr(probe_search, "variants", lambda: twins)
    planted = table(pool(50, seed=7))
    assert named(planted.pairs[:, ~planted.apart.any(axis=0)]) == [(str(twins[0]), str(twins[1]))]


@pytest.mark.slow
def test_the_smallest_cover_covers(found):
    chosen = smallest_exactly(found, CORE)
    assert missed(found, chosen) == []
    assert all(own_pairs(found, chosen, one) for one in chosen)

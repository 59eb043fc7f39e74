"""The core probes separate whatever can be separated, and none of them can be spared."""

from itertools import combinations

import pytest

from metric_harness.naming.probes.probe import core_probes
from metric_reference.variant import Variant, identities
from tests.support import probe_search
from tests.support.probe_search import exposed, missed, named, own_pairs, pool, smallest_exactly, table

CORE = range(len(core_probes()))
NAMES = [probe.name for probe in core_probes()]


@pytest.fixture(scope="module")
def found():
    return table(pool(300, seed=7))


@pytest.mark.thorough
def test_the_core_probes_separate_every_pair_that_some_case_separates(found):
    assert missed(found, CORE) == []


@pytest.mark.thorough
def test_what_no_case_separates_is_written_down_as_one_number_under_several_names(found):
    unseparated = {frozenset(pair) for pair in named(found.pairs[:, ~found.apart.any(axis=0)])}
    assert unseparated == {frozenset(pair) for group in identities() for pair in combinations(group, 2)}


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_the_smallest_cover_covers(found):
    chosen = smallest_exactly(found, CORE)
    assert missed(found, chosen) == []
    assert all(own_pairs(found, chosen, one) for one in chosen)

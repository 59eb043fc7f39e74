"""Identification with verification at size catches planted functions, and accuses no faithful one."""

from collections import Counter
from functools import cache

import pytest

from metric_harness.naming.agreement import agrees
from metric_harness.naming.evidence import verify
from metric_harness.naming.identify import identify
from metric_reference.variant import Variant
from metric_reports.types.common import VERIFIED
from tests.support.departures import FAITHFUL, INPUTS, MEANS, OUTPUTS, Planted
from tests.support.mutants import Asked, catalogue, ordinary_data, planted, probe_answers

pytestmark = pytest.mark.slow

GROUPS = 16
CUTOFFS = (1, 5, 10, 11, 20, 50)
PLANTED = list(planted())
FAITHFUL_ONES = [Planted(variant, kind, output=output) for variant in catalogue() for kind, output in FAITHFUL.items()]


def named(plant: Planted) -> Variant | None:
    """The variant that is given as a name: found on the probes and verified at size."""
    asked = Asked(plant)
    answers = probe_answers(asked)
    found = identify(plant.variant.metric.name, answers)
    after, evidence = verify(lambda each: asked(each.case, each.k, each.ids), found, answers)
    return after.variant if evidence.confidence == VERIFIED else None


@cache
def faithful_values(variant: Variant) -> tuple[float, ...]:
    asked = Asked(Planted(variant, "as it is"))
    case, ids = ordinary_data()
    return tuple(asked(case, k, ids).value for k in CUTOFFS)


def differs_on_ordinary_data(plant: Planted) -> bool:
    asked = Asked(plant)
    case, ids = ordinary_data()
    values = [asked(case, k, ids).value for k in CUTOFFS]
    return not all(map(agrees, values, faithful_values(plant.variant)))


@pytest.mark.parametrize("group", range(GROUPS))
def test_no_planted_function_that_differs_on_ordinary_data_is_named(group):
    wrong = [
        f"{plant.variant}: {plant.kind}"
        for plant in PLANTED[group::GROUPS]
        if named(plant) is not None and differs_on_ordinary_data(plant)
    ]
    assert wrong == []


@pytest.mark.parametrize("group", range(GROUPS))
def test_faithful_functions_are_named_and_accused_of_nothing(group):
    for plant in FAITHFUL_ONES[group::GROUPS]:
        name = named(plant)
        assert name is not None, f"{plant.variant}: {plant.kind}"
        assert name.canonical() == plant.variant.canonical(), f"{plant.variant}: {plant.kind}"


def test_there_are_at_least_300_planted_functions_that_differ_and_50_kinds():
    kinds = {*INPUTS, *OUTPUTS, *MEANS}
    assert len(kinds) >= 50
    differing = Counter(plant.kind for plant in PLANTED if differs_on_ordinary_data(plant))
    assert sum(differing.values()) >= 300
    assert len(differing) >= 40

"""Every variant of the space, planted, is named exactly and alone; every edge behaviour likewise."""

from dataclasses import replace

import numpy as np
import pytest

from metric_harness.naming.agreement import agreement
from metric_harness.naming.identify import EDGE_OPTIONS, ProbeAnswer, applies, identify
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import all_probes, edge_probes
from metric_reference.edges import STANDARD
from metric_reference.variant import RANKING, UNINTENDED, Variant, space, standard


def answers_of(variant, edges=STANDARD, without=()):
    name = variant.metric.name
    return {
        probe.name: ProbeAnswer(expected(variant, probe.name, edges))
        for probe in all_probes()
        if (not probe.metrics or name in probe.metrics) and probe.name not in without
    }


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*RANKING, *UNINTENDED])
def test_every_variant_is_named_exactly_and_alone(name):
    for variant in space(name):
        found = identify(name, answers_of(variant))
        assert (found.variant, found.alternatives) == (variant, [])


@pytest.mark.parametrize("name", [*RANKING, *UNINTENDED])
def test_float32_answers_are_named_too(name):
    for variant in space(name):
        rounded = {p: replace(a, value=float(np.float32(a.value))) for p, a in answers_of(variant).items()}
        assert identify(name, rounded).variant == variant


@pytest.mark.parametrize("edge", EDGE_OPTIONS)
@pytest.mark.parametrize("name", [*RANKING, *UNINTENDED])
def test_every_edge_behaviour_that_shows_is_named(name, edge):
    variant = standard(name)
    if not applies(variant, edge):
        assert getattr(identify(name, answers_of(variant)).edges, edge) == "unclear"
        return
    probes = [probe.name for probe in edge_probes() if probe.edge == edge]
    given = {}
    for option in EDGE_OPTIONS[edge]:
        try:
            given[option] = [expected(variant, p, replace(STANDARD, **{edge: option})) for p in probes]
        except ValueError:
            assert (name, option) == ("expected_reciprocal_rank", "expected")  # it has no closed form
    for option in given:
        found = identify(name, answers_of(variant, replace(STANDARD, **{edge: option})))
        named = getattr(found.edges, edge)
        twins = [other for other in given if np.array_equal(given[other], given[option], equal_nan=True)]
        assert found.variant == variant
        assert named in (twins if len(twins) < len(given) or len(given) == 1 else ["unclear"])


def test_an_error_on_an_edge_probe_is_its_behaviour():
    answers = answers_of(standard("recall"))
    answers["no_list"] = ProbeAnswer(None, "ValueError: empty list")
    found = identify("recall", answers)
    assert (found.variant, found.edges.no_list) == (standard("recall"), "error")


def test_a_refused_probe_leaves_the_alternatives_it_would_have_told_apart():
    answers = answers_of(standard("precision"))
    for probe in ("short_list", "graded_users"):
        answers[probe] = ProbeAnswer(None, "ValueError: short list")
    found = identify("precision", answers)
    assert found.variant == standard("precision")
    assert Variant.parse("precision(divide_by=list)") in found.alternatives
    assert found.edges.short_list == "error"


def test_a_nan_of_one_user_that_the_mean_passes_over():
    variant = Variant.parse("recall")
    answers = answers_of(variant)
    values = np.array([0.5, 0.5, np.nan])
    answers["no_relevant"] = replace(answers["no_relevant"], users=np.arange(3), values=values)
    assert identify("recall", answers).edges.no_relevant == "nan"


def test_a_misnamed_function_is_found_under_its_right_name():
    found = identify("hit_rate", answers_of(standard("precision")))
    assert found.variant == standard("precision")


def test_an_unknown_definition_is_unknown():
    squared = {p: replace(a, value=a.value**2) for p, a in answers_of(standard("precision")).items()}
    found = identify("precision", squared)
    assert found.variant is None
    assert len(found.nearest) == 3
    assert all(failed for _, failed in found.nearest)


def test_nothing_answered_names_nothing():
    refused = {probe.name: ProbeAnswer(None, "ValueError: no") for probe in all_probes()}
    assert identify("precision", refused).variant is None


@pytest.mark.parametrize(
    ("value", "predicted", "how"),
    [
        (0.5, 0.5, "same"),
        (0.5, 0.5 + 1e-13, "same"),
        (0.5, 0.5 + 1e-8, "same_in_float32"),
        (0.5, 0.5001, "different"),
        (30.0, 30.0 * (1 + 1e-7), "same_in_float32"),
        (float("nan"), float("nan"), "same"),
        (float("nan"), 0.5, "different"),
        (float("inf"), 0.5, "different"),
        (float("inf"), float("inf"), "same"),
    ],
)
def test_agreement(value, predicted, how):
    assert agreement(value, predicted) == how

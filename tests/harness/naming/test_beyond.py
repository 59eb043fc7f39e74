"""The metrics beyond accuracy, planted: every variant is named alone and holds on cases of a larger size."""

import numpy as np
import pytest

from metric_harness.libraries.needs import CAN_HAVE
from metric_harness.naming.cases.verification_cases import LIBRARY, Limits, verification_cases
from metric_harness.naming.evidence import limits_of, verify
from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.naming.probes.ask import ask_probes, probe_digest
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import beyond_probes, core_probes, library_probes
from metric_harness.naming.question import side_of
from metric_harness.naming.small_cases import smallest_difference
from metric_harness.worker.reply import Reply
from metric_reference.variant import BEYOND, RANKING, space, standard

OF_TEXTS = ("cumulative_hit_rate", "rating_hit_rate")
"""Their sums over users differ in no input; no library has them."""
NAMED = [name for name in BEYOND if name not in OF_TEXTS]


def answers_of(variant):
    name = variant.metric.name
    return {
        probe.name: ProbeAnswer(expected(variant, probe.name)) for probe in library_probes() if probe.asked_of(name)
    }


@pytest.mark.parametrize("name", NAMED)
def test_every_variant_is_named_exactly_and_alone(name):
    for variant in space(name):
        found = identify(name, answers_of(variant))
        assert (found.variant, found.alternatives) == (variant, [])


@pytest.mark.parametrize("name", [name for name in NAMED if len(space(name)) > 1])
def test_two_variants_are_told_apart_by_a_case_that_has_what_they_read(name):
    found = smallest_difference(side_of(space(name)[0]), side_of(space(name)[-1]), metric=name)
    assert found is not None
    assert not np.isclose(found.value, found.other, rtol=1e-12, equal_nan=True)


@pytest.mark.parametrize("name", NAMED)
def test_the_first_variant_holds_at_size_and_another_one_does_not(name):
    variants = [space(name)[0], space(name)[-1]]
    found = identify(name, answers_of(variants[0]))
    for variant, confidence in zip(variants, ("verified", "refused"), strict=True):
        _, evidence = verify(side_of(variant), found, answers_of(variants[0]))
        assert evidence.confidence == confidence


def test_a_metric_of_lists_is_asked_no_probe_beyond_accuracy_and_the_other_way_round():
    for probe in library_probes():
        ranking = {name for name in RANKING if probe.asked_of(name, probe.needs)}
        beyond = {name for name in BEYOND if probe.asked_of(name, probe.needs)}
        assert bool(ranking) != bool(beyond)
        assert probe.asked_of(None, probe.needs) == (probe not in beyond_probes())
        assert probe.asked_of(None) == (probe not in beyond_probes() and not probe.needs)


def test_what_a_probe_lacks_is_not_asked():
    asked = []
    answers = ask_probes(
        library_probes(), "diversity", lambda probe: asked.append(probe.name) or Reply(0.5), needs=("categories",)
    )
    assert list(answers) == asked == ["other_users", "categories"]
    found = identify("diversity", answers_of(standard("diversity")))
    assert limits_of(found, answers, LIBRARY).one_category
    assert not limits_of(found, answers_of(standard("diversity")), LIBRARY).one_category


@pytest.mark.parametrize("one_category", [False, True])
def test_the_cases_at_size_have_what_a_function_may_need(one_category):
    for asked in verification_cases(Limits(size=LIBRARY, beyond=True, one_category=one_category)):
        needs = ("train", "features", "ratings", "probabilities", "categories" if one_category else "train_vectors")
        assert all(CAN_HAVE[need](asked.case) for need in needs)
        assert asked.case.item_counts.min() > 0
        own = np.split(asked.case.train_items, asked.case.train_indptr[1:-1])
        assert not any(set(asked.case.list_of(user)) & set(row.tolist()) for user, row in enumerate(own))


def test_the_digest_of_a_probe_of_lists_does_not_depend_on_what_others_carry():
    marks = {probe.name: probe_digest(probe)[:16] for probe in core_probes()}
    assert marks["plain"] == "c51e4b96a561d798"

"""Every variant of the space, planted, is named exactly and alone; every edge behaviour likewise."""

from dataclasses import replace

import numpy as np
import pytest

from metric_harness.naming.agreement import agreement
from metric_harness.naming.identify import EDGE_OPTIONS, ProbeAnswer, applies, identify
from metric_harness.naming.probes.ask import ask_probes
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import all_probes, edge_probes, of_libraries, probe_named
from metric_harness.worker.reply import Reply
from metric_reference.edges import STANDARD, Edges
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
        if at_size(variant):
            assert variant in (found.variant, *found.alternatives)
            assert all(map(at_size, (found.variant, *found.alternatives)))
        else:
            assert (found.variant, found.alternatives) == (variant, [])


@pytest.mark.parametrize("name", [*RANKING, *UNINTENDED])
def test_float32_answers_are_named_too(name):
    for variant in space(name):
        rounded = {p: replace(a, value=float(np.float32(a.value))) for p, a in answers_of(variant).items()}
        found = identify(name, rounded)
        assert found.variant == variant or (at_size(variant) and variant in found.alternatives)


def at_size(variant):
    """Whether only the cases at size distinguish some variants like this one.

    They are 0 in every binary probe, or differ in short lists without a hit.
    """
    return any(word in str(variant) for word in ("squared_minus_one", "missing=next"))


def test_a_function_that_left_nobody_out_is_one_over_all_users():
    variant = Variant.parse("reciprocal_rank(over=first)")
    every_user_hits = ("plain", "short_list", "threshold", "graded", "full_lists", "deep")
    answers = {name: answer for name, answer in answers_of(variant).items() if name in every_user_hits}
    found = identify("reciprocal_rank", answers)
    assert found.variant == variant
    assert Variant.parse("reciprocal_rank(over=first, who=with_hit)") not in found.alternatives
    with_hit = Variant.parse("reciprocal_rank(over=first, who=with_hit)")
    assert identify("reciprocal_rank", answers_of(with_hit)).variant == with_hit


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
            assert name in ("expected_reciprocal_rank", "rank")
            assert option == "expected"  # it has no closed form
    for option in given:
        found = identify(name, answers_of(variant, replace(STANDARD, **{edge: option})))
        named = getattr(found.edges, edge)
        twins = [other for other in given if np.array_equal(given[other], given[option], equal_nan=True)]
        assert found.variant == variant
        told = (len(twins) < len(given) or len(given) == 1) and not {"skipped", "zero"} <= {*twins}
        assert named in (twins if told else ["unclear"])


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


def test_what_an_input_cannot_show_is_no_error_of_the_library():
    unshown = ProbeAnswer(None, "CannotShow: a matrix", shown=False)
    answers = {**answers_of(standard("recall")), "duplicates": unshown, "no_list": unshown, "short_list": unshown}
    found = identify("recall", answers)
    assert (found.edges.duplicates, found.edges.no_list, found.edges.short_list) == ("unclear",) * 3
    assert (found.variant, found.short_lists) == (standard("recall"), False)
    refused = {**answers, "short_list": ProbeAnswer(None, "ValueError: too short")}
    assert (identify("recall", refused).edges.short_list, identify("recall", refused).short_lists) == ("error", False)
    unspecified = {**answers, "ties_ascending": unshown, "ties_descending": unshown}
    assert identify("recall", unspecified).edges.ties == "unclear"


@pytest.mark.parametrize("edges", [Edges(ties="id_descending", no_list="skipped"), STANDARD])
def test_rounding_that_only_an_edge_shows_is_found(edges):
    exact = standard("hit_rate")
    answers = {name: replace(answer, value=round(answer.value, 5)) for name, answer in answers_of(exact, edges).items()}
    assert all(round(a.value, 3) == a.value for name, a in answers.items() if probe_named(name).edge is None)
    found = identify("hit_rate", answers)
    assert found.variant == replace(exact, rounded=5)
    assert (found.edges.ties, found.edges.no_list, found.odd) == (edges.ties, edges.no_list, ())


def test_of_variants_that_fit_the_one_that_explains_the_edges_is_named():
    answers = answers_of(Variant.parse("precision(divide_by=list)"))
    for probe in ("short_list", "graded_users"):
        answers[probe] = ProbeAnswer(None, "CannotShow", shown=False)
    found = identify("precision", answers)
    assert str(found.variant) == "precision(divide_by=list)"


def test_a_number_that_depends_on_memory_is_no_behaviour():
    answers = answers_of(standard("recall"))
    answers["no_relevant"] = replace(answers["no_relevant"], value=float("nan"), unsettled=True)
    answers["deep"] = replace(answers["deep"], value=333.7, unsettled=True)
    found = identify("recall", answers)
    assert (found.variant, found.edges.no_relevant, found.odd) == (standard("recall"), "unclear", ())


def test_a_tie_that_counts_as_an_error_is_told_from_one_that_counts_half():
    lose = Variant.parse("inverted_auc(ties=lose)")
    assert identify("inverted_auc", answers_of(lose)).variant == lose
    assert (
        str(identify("inverted_auc", answers_of(lose, without=["tied_scores"])).variant)
        == "inverted_auc(scope=per_user)"
    )


def test_a_metric_of_scores_without_a_choice_of_ties_keeps_its_name():
    answers = answers_of(standard("pr_auc"))
    answers["tied_scores"] = replace(answers["tied_scores"], value=answers["tied_scores"].value + 0.01)
    found = identify("pr_auc", answers)
    assert (found.variant, found.edges.ties) == (standard("pr_auc"), "unspecified")
    answers = answers_of(standard("auc"))
    answers["tied_scores"] = replace(answers["tied_scores"], value=0.123)
    assert identify("auc", answers).variant is None


@pytest.mark.parametrize(
    ("name", "needs"),
    [("hit_rate", ["one_relevant", "scores"]), ("reciprocal_rank", ["one_relevant", "scores"]), ("r_precision", [])],
)
def test_each_order_of_ties_has_its_own_mean(name, needs):
    probes = [p.name for p in of_libraries() if p.name.startswith("ties_of") and p.asked_of(name, needs)]
    means = {
        ties: tuple(expected(standard(name), probe, replace(STANDARD, ties=ties)) for probe in probes)
        for ties in EDGE_OPTIONS["ties"]
    }
    assert len(probes) == 2
    assert len(set(means.values())) == len(means)


def test_ties_that_are_broken_at_random_follow_no_rule():
    rng = np.random.default_rng(3)
    variant = standard("recall")

    def ask(probe):
        chosen = rng.choice(["id_ascending", "id_descending", "optimistic", "pessimistic"])
        return Reply(variant.value(probe.case, replace(STANDARD, ties=str(chosen)), probe.k))

    probes = [probe for probe in all_probes() if probe.edge in (None, "ties") and not probe.metrics]
    for _ in range(20):
        answers = ask_probes(probes, "recall", ask)
        if any(answer.error for answer in answers.values()):
            assert identify("recall", answers).edges.ties == "unspecified"
    by_rule = ask_probes(probes, "recall", lambda probe: Reply(expected(variant, probe.name, STANDARD)))
    assert not any(answer.error for answer in by_rule.values())
    assert identify("recall", by_rule).edges.ties == "input_order"

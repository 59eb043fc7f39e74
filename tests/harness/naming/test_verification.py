"""Verification at size: its cases are what they say, and a departure comes with the condition under which it shows."""

from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

from metric_harness.libraries.needs import one_relevant
from metric_harness.naming.agreement import agrees
from metric_harness.naming.cases.verification_cases import FUNCTION, LIBRARY, VECTORS, Limits, verification_cases
from metric_harness.naming.evidence import close_of_user, verify
from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.naming.library_evidence import told_apart
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import all_probes
from metric_harness.naming.question import Question, differ, side_of
from metric_harness.naming.shrink import SEEN_BY_PROBES, condition_of
from metric_harness.worker.reply import Reply
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant, prepare, space, standard
from metric_reports.types.common import IN_PART, PROBES_ONLY, REFUSED, VERIFIED
from tests.support.departures import INPUTS, MEANS, OUTPUTS, Planted
from tests.support.mutants import Asked, probe_answers, seen

EDGES = ("no_relevant", "no_list", "duplicates", "ties")
LIMITS = [
    Limits(edges=EDGES),
    Limits(size=VECTORS, edges=EDGES),
    Limits(size=LIBRARY, edges=EDGES),
    Limits(short_lists=False),
    Limits(one_relevant=True, edges=EDGES),
    Limits(most_k=10),
    Limits(all_items=True),
]
RECALL = Variant.parse("recall(divide_by=relevant)")


@pytest.mark.parametrize("limits", LIMITS, ids=lambda limits: repr(limits)[-60:])
def test_cases_are_valid_and_respect_what_a_subject_refuses(limits):
    for asked in verification_cases(limits):
        case = asked.case.check()
        counts = np.diff(case.judged_indptr)
        if "no_relevant" not in asked.edges:
            assert counts.min() >= 1
        if limits.one_relevant and not asked.edges:
            assert counts.max() == 1
        if not limits.short_lists and not asked.edges:
            assert all(k <= case.list_lengths.min() for k in asked.ks)
        if limits.most_k is not None:
            assert all(k <= limits.most_k for k in asked.ks)
        if asked.ids is not None:
            assert len(set(asked.ids.tolist())) == case.n_items
            assert (np.diff(asked.ids) > 0).all()
            assert {asked.ids[0] == 0, asked.ids.max() > 1 << 31} == {True}


def test_the_cases_for_a_function_are_as_large_as_real_data():
    cases = verification_cases(Limits(size=FUNCTION, edges=EDGES))
    assert max(asked.case.users for asked in cases) > 1000
    assert max(asked.case.n_items for asked in cases) >= 1000
    cutoffs = {k for asked in cases for k in asked.ks}
    assert {1, 2, 5, 10, 11, 20, 50, 100} <= cutoffs
    assert max(cutoffs) > 100
    relevant = np.concatenate([np.diff(asked.case.judged_indptr) for asked in cases])
    assert relevant.max() >= 60
    gains = np.concatenate([asked.case.judged_gains for asked in cases])
    assert {0.5, 1.0, 10.0} <= set(gains.tolist())
    assert any(asked.case.list_lengths.min() == 0 for asked in cases)


def test_the_cases_are_the_same_in_every_process():
    first = [(asked.key, asked.case.recommended.tobytes()) for asked in verification_cases(LIMITS[0])]
    verification_cases.cache_clear()
    again = [(asked.key, asked.case.recommended.tobytes()) for asked in verification_cases(LIMITS[0])]
    assert first == again


def test_no_case_leaves_two_variants_of_a_metric_alike_that_probes_tell_apart():
    """Where a refused probe leaves alternatives, the cases decide between them."""
    cases = [asked for asked in verification_cases(Limits()) if not asked.edges]
    for metric in ("precision", "recall", "reciprocal_rank", "hit_rate"):
        variants = [variant for variant in space(metric) if variant.weight == "user"]
        values = {}
        for variant in variants:
            key = tuple(
                round(variant.of_matches(prepare(asked.case, STANDARD), STANDARD, k), 9)
                for asked in cases
                for k in asked.ks
            )
            values.setdefault(key, []).append(str(variant))
        assert all(len(same) == 1 for same in values.values()), values


def departure_of(plant):
    asked = Asked(plant)
    answers = probe_answers(asked)
    found = identify(plant.variant.metric.name, answers)
    assert found.variant == plant.variant
    _, evidence = verify(lambda each: asked(each.case, each.k, each.ids), found, answers)
    assert evidence.confidence == REFUSED
    condition = condition_of(
        evidence.departure,
        lambda each: asked(each.case, each.k, each.ids),
        side_of(plant.variant),
    )
    return asked, evidence, condition


CONDITIONS = [
    ("k is capped at 16", INPUTS, "input", "from k = 17 on"),
    ("only 30 ranks are read", INPUTS, "input", "from k = 31 on"),
    ("truth is cut at 20 items", INPUTS, "input", "with 21 or more relevant items"),
    ("k = 11 is off", OUTPUTS, "output", "from k = 11 on"),
    ("only the first 100 users", MEANS, "mean", "with 101 or more users"),
    ("means of batches of 32", MEANS, "mean", "with 33 or more users"),
    ("ids past 2^31 are one", INPUTS, "input", "for item ids from 2,147,4"),
]


@pytest.mark.parametrize(("kind", "kinds", "place", "said"), CONDITIONS, ids=lambda value: str(value)[:30])
def test_the_condition_of_a_departure_is_found(kind, kinds, place, said):
    asked, _, condition = departure_of(Planted(RECALL, kind, **{place: kinds[kind]}))
    assert said in condition.text
    gap = condition.smallest
    assert differ(gap.value, gap.other)
    assert agrees(gap.other, RECALL.value(gap.case, STANDARD, gap.k))
    if "ids" not in kind:
        assert differ(asked(gap.case, gap.k).value, gap.other)
    if place == "input" and "users" not in said:
        assert gap.case.users == 1


def test_the_smallest_case_is_smaller_than_the_one_that_showed_it():
    _, evidence, condition = departure_of(Planted(RECALL, "k", input=INPUTS["k is capped at 16"]))
    gap, first = condition.smallest, evidence.departure.asked.case
    assert gap.case.users < first.users
    assert gap.case.recommended.size < first.recommended.size
    assert gap.k > SEEN_BY_PROBES["k"]


def answered(function):
    return {p.name: ProbeAnswer(function(p.case, p.k).value) for p in all_probes()}


def test_a_rounded_definition_is_verified_as_rounded():
    asked = Asked(Planted(RECALL, "rounded", mean=lambda values, listed, gains: round(fmean(values), 3)))
    answers = answered(asked)
    after, evidence = verify(lambda each: asked(each.case, each.k, each.ids), identify("recall", answers), answers)
    assert evidence.confidence == VERIFIED
    assert str(after.variant) == "recall(divide_by=relevant, rounded=3)"


def test_a_function_that_raises_for_users_without_a_hit_is_verified_with_that_condition():
    asked = Asked(Planted(RECALL, "as it is"))

    def answer(case, k, ids=None):
        rows, gains = seen(case, ids)
        if not all(any(item in own for item in row[:k]) for row, own in zip(rows, gains, strict=True)):
            return Reply(error="ZeroDivisionError: division by zero", kind="exception")
        return asked(case, k, ids)

    answers = {}
    for probe in all_probes():
        reply = answer(probe.case, probe.k)
        answers[probe.name] = ProbeAnswer(reply.value, reply.error)
    found = identify("recall", answers)
    _, evidence = verify(lambda each: answer(each.case, each.k, each.ids), found, answers)
    assert evidence.confidence == VERIFIED
    assert evidence.raised is not None
    assert evidence.reach.relevant[1] > 100
    condition = condition_of(
        evidence.raised, lambda each: answer(each.case, each.k, each.ids), side_of(found.variant, STANDARD)
    )
    assert condition.text.startswith("for a user without a hit up to k")


def test_what_cannot_be_asked_at_size_is_known_on_the_probes_only():
    asked = Asked(Planted(RECALL, "as it is"))
    answers = answered(asked)
    found = identify("recall", answers)
    _, evidence = verify(lambda each: Reply(error="CannotShow: no", kind="cannot_show"), found, answers)
    assert evidence.confidence == PROBES_ONLY
    _, evidence = verify(lambda each: Reply(error="timed out after 1 s", kind="timeout"), found, answers)
    assert evidence.confidence == PROBES_ONLY
    assert "timed out" in evidence.reason


def test_what_raises_at_every_question_at_size_is_refused():
    """A function of one query that a matrix of one row happens to fit raises for several."""
    asked = Asked(Planted(RECALL, "as it is"))
    answers = answered(asked)
    found = identify("recall", answers)
    _, evidence = verify(lambda each: Reply(error="ValueError: shapes", kind="exception"), found, answers)
    assert (evidence.confidence, evidence.reason) == (REFUSED, "every question at size raises an error")
    assert evidence.departure == evidence.raised


def test_an_edge_that_does_not_hold_at_size_is_no_known_behaviour_any_more():
    asked = Asked(Planted(RECALL, "as it is"))

    def answer(case, k, ids=None):
        reply = asked(case, k, ids)
        if case.users > 10 and (np.diff(case.judged_indptr) == 0).any():
            return Reply(reply.value + 0.01)
        return reply

    answers = answered(answer)
    found = identify("recall", answers)
    assert found.edges.no_relevant == "zero"
    after, evidence = verify(lambda each: answer(each.case, each.k, each.ids), found, answers)
    assert evidence.confidence == VERIFIED
    assert list(evidence.edges) == ["no_relevant"]
    assert after.edges.no_relevant == "unclear"


def test_cases_of_all_items_may_have_one_relevant_item_each():
    for asked in verification_cases(Limits(all_items=True, one_relevant=True)):
        assert one_relevant(asked.case)
        assert asked.case.list_lengths.min() == asked.case.n_items


def test_a_users_value_in_float32_may_be_a_little_further_off():
    usual = standard("ndcg")
    assert close_of_user(usual, 0.5 + 2e-6, 0.5, single=True) == "same_in_float32"
    assert close_of_user(usual, 0.5 + 2e-6, 0.5, single=False) == "different"
    assert close_of_user(usual, 0.5 + 2e-5, 0.5, single=True) == "different"
    assert close_of_user(replace(usual, rounded=5), 0.5 + 6e-6, 0.5, single=True) == "different"


def test_a_nan_of_a_user_whom_the_mean_counts_as_zero_is_no_departure():
    """The mean counts 0 for a user without relevant items, whose own value is NaN."""
    edges = replace(STANDARD, no_relevant="zero")

    def ask(question):
        matches = prepare(question.case, edges)
        values, _ = RECALL.of_users(matches, edges, question.k)
        values = np.where(matches.n_relevant == 0, np.nan, values)
        return Reply(float(np.nansum(values) / len(values)), np.arange(len(values)), values)

    answers = {}
    for probe in all_probes():
        if not probe.metrics or "recall" in probe.metrics:
            reply = ask(Question(probe.case, probe.k))
            answers[probe.name] = ProbeAnswer(reply.value, users=reply.users, values=reply.values)
    suggestion = identify("recall", answers)
    assert suggestion.edges.no_relevant == "zero"
    found, evidence = verify(ask, suggestion, answers, Limits(size=LIBRARY, edges=EDGES))
    assert (found.edges.no_relevant, evidence.edges, evidence.confidence) == ("zero", {}, VERIFIED)


def test_an_edge_handled_in_no_known_way_lowers_the_confidence():
    found = identify("recall", {p.name: ProbeAnswer(expected(RECALL, p.name)) for p in all_probes() if not p.metrics})
    evidence = {"confidence": VERIFIED, "reason": None, "edges": {}}
    assert told_apart(evidence, found, ())["confidence"] == VERIFIED
    assert told_apart(evidence, replace(found, odd=("duplicates",)), ())["confidence"] == VERIFIED
    lowered = told_apart(evidence, replace(found, odd=("no_list",)), ())
    assert (lowered["confidence"], "no list" in lowered["reason"]) == (IN_PART, True)
    assert told_apart({**evidence, "edges": {"no_list": "a case"}}, found, ())["confidence"] == IN_PART


def test_an_edge_whose_rule_the_adapter_gives_in_words_lowers_nothing():
    found = identify("recall", {p.name: ProbeAnswer(expected(RECALL, p.name)) for p in all_probes() if not p.metrics})
    evidence = {"confidence": VERIFIED, "reason": None, "edges": {"no_list": "a case"}}
    worded = {"no_relevant": "a value as for any other", "no_list": "the mean of the others"}
    odd = replace(found, odd=("no_relevant",))
    assert told_apart(evidence, odd, (), worded)["confidence"] == VERIFIED
    assert "no list" in told_apart(evidence, odd, (), {"no_relevant": ""})["reason"]


def test_gains_need_not_be_told_apart_where_labels_are_0_and_1():
    found = identify(
        "ndcg", {p.name: ProbeAnswer(expected(standard("ndcg"), p.name)) for p in all_probes() if not p.metrics}
    )
    evidence = {"confidence": VERIFIED, "reason": None, "edges": {}}
    found = replace(found, alternatives=[Variant.parse("ndcg(gain=linear)")])
    assert told_apart(evidence, found, ())["confidence"] == IN_PART
    assert told_apart(evidence, found, ("binary_labels",))["confidence"] == VERIFIED
    found = replace(found, alternatives=[Variant.parse("ndcg(gain=linear, ideal=list)")])
    assert told_apart(evidence, found, ("binary_labels",))["confidence"] == IN_PART

"""Which way of calling is chosen, and when none is: a wrong call may return plausible numbers."""

import pytest

from metric_harness.naming.api import audit
from metric_harness.naming.precedence import restricts
from tests.support.calls import offered
from tests.support.places import SUPPORT

pytestmark = pytest.mark.slow

UNCLEAR = SUPPORT / "styles" / "unclear_calls.py"


def audited(name, **settings):
    return audit(f"{UNCLEAR}:{name}", **settings).subjects


def codes(subject):
    return [row["code"] for row in subject.findings]


def test_a_constant_is_no_definition_whatever_the_way_of_calling():
    (subject,) = audited("recall_half")
    assert subject.variant is None
    assert subject.evidence.confidence == "refused"
    assert "constant" in subject.evidence.reason
    assert "every answer is 0.5" in next(row for row in subject.findings if row["code"] == "UNX001")["message"]


def test_a_constant_is_not_what_was_expected():
    (subject,) = audited("recall_half", expect="recall(divide_by=relevant)")
    assert not subject.held_against()["holds"]


@pytest.mark.parametrize("name", ["share", "precision", "f_score"])
def test_two_orders_of_arguments_that_are_two_definitions_leave_it_without_a_name(name):
    (subject,) = audited(name)
    assert subject.variant is None
    assert "AMB001" in codes(subject)
    assert len(subject.rivals) >= 1
    variants = {str(subject.identification.variant), *(str(one.variant) for one in subject.rivals)}
    assert len(variants) >= 2


def test_the_way_of_calling_that_the_user_gives_decides():
    (subject,) = audited("share", convention="recommended,relevant", metric="recall")
    assert str(subject.variant).startswith("recall(divide_by=relevant")
    assert subject.verified


def test_each_element_of_a_return_is_a_subject_and_claims_its_part_of_the_name():
    first, second = audited("precision_recall_at_k")
    assert (str(first.variant), str(second.variant)) == ("precision(divide_by=k)", "recall(divide_by=relevant)")
    assert first.verified
    assert second.verified


def test_a_cut_off_that_is_written_into_a_function_bounds_what_is_asked():
    (subject,) = audited("mrr_at_ten")
    assert str(subject.variant) == "reciprocal_rank(over=first)"
    assert subject.verified
    assert max(subject.evidence.cutoffs) == 10


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("rounded_mrr", "reciprocal_rank(over=first, rounded=4, rounds=users)"),
        ("rounded_mrr_of_all", "reciprocal_rank(over=first, rounded=5, rounds=users)"),
        ("dcg_any_base", "ndcg(gain=binary, discount=max_log, ideal=none, base=3)"),
        ("hits_summed", "hit_rate(value=any, weight=sum)"),
    ],
)
def test_what_probes_need_a_second_look_for_is_named(name, variant):
    (subject,) = audited(name)
    assert str(subject.variant) == variant
    assert subject.verified


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("relevance", "relevance_graded"),
        ("y_true,y_score:matrix", "y_true_graded,y_score:matrix"),
        ("relevance:row", "relevance:matrix"),
        ("recommended,relevant:lists-cut", "recommended,relevant"),
        ("list_scores,relevance", "scores,labels"),
        ("y_score,item:tensor-matrix", "y_score,y_true:tensor-matrix"),
    ],
)
def test_a_restriction_is_no_rival_of_what_shows_more(narrow, wide):
    assert restricts(offered(narrow), offered(wide))
    assert not restricts(offered(wide), offered(narrow))
    assert not restricts(offered(wide), offered(wide))


def test_two_orders_of_arguments_do_not_restrict_each_other():
    assert not restricts(offered("recommended,relevant"), offered("relevant,recommended"))

"""Each rule about a definition or an edge fires on what it is about and on nothing usual; what a library documents is
no accusation."""

import numpy as np
import pytest

from metric_harness.libraries.describe import SubjectInfo, find_libraries
from metric_harness.libraries.needs import distinct_scores
from metric_harness.naming.findings.finding import cell_findings, subject_findings
from metric_harness.naming.findings.rules import rules
from metric_harness.naming.identify import Identification, ProbeAnswer, identify
from metric_harness.naming.probes.predictions import expected
from metric_harness.naming.probes.probe import all_probes
from metric_reference.edges import STANDARD, Edges
from metric_reference.variant import Variant, standard

FIRES = {
    "HR001": "hit_rate(value=hits)",
    "RR001": "reciprocal_rank(over=sum)",
    "RR002": "ndcg(gain=binary, cut=none)",
    "AP001": "average_precision(divide_by=k)",
    "AP002": "average_precision(divide_by=relevant)",
    "AP003": "average_precision(divide_by=k, sum_over=all_ranks)",
    "AP004": "average_precision(divide_by=hits)",
    "AP005": "average_precision(divide_by=min_list_relevant)",
    "NDCG001": "ndcg(gain=binary, ideal=none)",
    "NDCG002": "ndcg(gain=binary, ideal=list_hits)",
    "NDCG003": "ndcg(gain=binary, ideal=relevant)",
    "NDCG004": "ndcg(gain=binary, ideal=k)",
    "NDCG005": "ndcg(gain=binary, discount=max_log2)",
    "NDCG006": "ndcg(gain=exponential)",
    "REC001": "recall(divide_by=min_k_relevant)",
    "PRE001": "precision(divide_by=list)",
    "PRE002": "precision(divide_by=min_k_relevant)",
    "AVG001": "recall(divide_by=relevant, weight=micro)",
    "AUC001": "auc(scope=stacked)",
    "AUC002": "auc(scope=per_positive)",
    "AUC003": "auc(scope=limited)",
    "AUC004": "auc(scope=per_user, ties=win)",
    "AUC008": "auc(scope=per_user, negatives=lagged)",
    "AUC005": "auc(scope=per_user, negatives=plus_one)",
    "AUC006": "inverted_auc(scope=top_k, misses=k)",
    "AUC007": "truncated_auc(scope=per_positive)",
    "FLT001": "filtered_rank(value=recall)",
    "CON001": "constant(value=zero)",
    "NAN001": Edges(no_relevant="poisons_mean"),
    "USR001": Edges(no_list="skipped"),
    "USR002": Edges(no_relevant="one"),
    "DUP001": Edges(duplicates="counted"),
    "TIE001": Edges(ties="optimistic"),
}
QUIET = Edges(duplicates="once")
USUAL = [standard(name) for name in ("hit_rate", "precision", "recall", "reciprocal_rank", "average_precision", "auc")]


def test_every_rule_with_a_condition_is_here():
    assert set(FIRES) == {code for code, rule in rules().items() if rule.when}


@pytest.mark.parametrize("code", FIRES)
def test_a_rule_fires_on_its_own_and_not_on_the_usual(code):
    about, rule = FIRES[code], rules()[code]
    if isinstance(about, Edges):
        assert all(rule.holds(usual, about) and rule.edge_met(usual, about) for usual in USUAL)
    else:
        assert rule.holds(Variant.parse(about), QUIET)
        assert rule.edge_met(Variant.parse(about), QUIET) is None
        assert rule.about_choices or code == "NAN001"
    quiet = [usual for usual in [*USUAL, Variant.parse("ndcg(gain=binary)")] if rule.holds(usual, QUIET)]
    assert quiet == []


def subject(variant: str, edges: Edges = STANDARD, **described):
    """The findings about a function that answers as a variant does, and what its library says of it."""
    really = Variant.parse(variant)
    metric = described.pop("metric", really.metric.name)
    answers = {
        probe.name: ProbeAnswer(expected(really, probe.name))
        for probe in all_probes()
        if probe.edge is None and (not probe.metrics or metric in probe.metrics)
    }
    info = SubjectInfo("f", metric, (), "as it says", "https://example.org", **described)
    found = identify(metric, answers)
    assert found.variant is not None
    who = {"library": "a", "release": "1", "function": "f", "metric": metric}
    return {row["code"]: row for row in subject_findings(who, metric, found, answers, info)}


@pytest.mark.parametrize(
    ("variant", "code"),
    [
        ("hit_rate(value=hits)", "HR001"),
        ("ndcg(gain=binary, ideal=none)", "NDCG001"),
        ("recall(divide_by=min_k_relevant)", "REC001"),
        ("reciprocal_rank(over=mean_relevant)", "RR001"),
    ],
)
def test_what_is_documented_is_a_note(variant, code):
    silent, said = subject(variant), subject(variant, claims=Variant.parse(variant))
    assert silent[code]["severity"] != "note"
    assert said[code]["severity"] == "note"
    assert said[code]["title"].endswith(", as documented")
    assert "DOC001" not in said


def test_rounding_is_no_other_definition_than_the_documented_one():
    found = subject("ndcg(gain=linear, rounded=5)", claims=Variant.parse("ndcg(gain=linear)"))
    assert "DOC001" not in found


def test_another_definition_than_the_documented_one_is_no_note_and_quotes():
    found = subject(
        "average_precision(divide_by=k)",
        claims=Variant.parse("average_precision(divide_by=relevant)"),
        quote="over the relevant items",
    )
    assert (found["AP001"]["severity"], found["DOC001"]["severity"]) == ("warning", "warning")
    assert "(over the relevant items)" in found["DOC001"]["message"]


def test_a_slip_in_a_printed_formula_is_a_note_of_its_own():
    computes, printed = "average_precision(divide_by=min_k_relevant)", "average_precision(divide_by=k)"
    said = {"claims": Variant.parse(computes), "printed": Variant.parse(printed), "quote": "never unfairly suppressed"}
    found = subject(computes, **said)
    assert (found["DOC002"]["severity"], "DOC001" in found) == ("note", False)
    assert printed in found["DOC002"]["message"]
    assert "(never unfairly suppressed)" in found["DOC002"]["message"]
    case = found["DOC002"]["case"]
    assert case["candidates"][0]["variant"] == printed
    assert case["value"] != pytest.approx(case["candidates"][0]["value"])
    assert "DOC002" not in subject(printed, **said)  # then the words are what is wrong
    assert "DOC002" not in subject(computes, **{**said, "printed": Variant.parse(computes)})


def cell(variant, value):
    return {"status": "explained", "k": 5, "value": value, "variant": variant, "predicted": value}


@pytest.mark.parametrize(
    ("variant", "value", "codes"),
    [
        ("hit_rate(value=hits)", 4.5, []),
        ("hit_rate(value=hits)", 5.5, ["RNG001"]),
        ("hit_rate(value=any)", 1.1, ["RNG001"]),
        ("ndcg(gain=binary, ideal=none)", 1.7, []),
        ("recall(divide_by=relevant)", -0.1, ["RNG001"]),
        ("recall(divide_by=relevant, times=100)", 99.0, []),
        (None, 1.5, ["RNG001"]),
    ],
)
def test_a_value_is_held_against_the_bounds_of_its_own_definition(variant, value, codes):
    who = {"library": "a", "release": "1", "function": "f", "metric": "recall"}
    assert [row["code"] for row in cell_findings(who, cell(variant, value))] == codes


def test_some_probes_have_ties_and_most_have_none():
    tied = [probe.name for probe in all_probes() if not distinct_scores(probe.case)]
    assert "tied_scores" in tied
    assert len(tied) < len(all_probes()) / 2


def test_every_described_mismatch_quotes_what_it_rests_on():
    """DOC001 needs the words that it rests on: those libraries whose recordings raise it have a quote."""
    for library, function in (
        ("recbole", "MAP"),
        ("recbole", "ItemCoverage"),
        ("recbole", "GiniIndex"),
        ("recbole", "ShannonEntropy"),
        ("replay", "Coverage"),
        ("replay", "Novelty"),
        ("elliot", "MAE"),
        ("elliot", "MSE"),
        ("elliot", "RMSE"),
        ("recommenders", "r_precision_at_k"),
        ("elliot", "MAP"),
        ("elliot", "AUC"),
    ):
        assert find_libraries()[library].subjects[function].quote


def codes(variant, shown=STANDARD, answers=None, **documented):
    """The findings on a function with this variant and these edges, as library.toml describes it."""
    metric = variant.metric.name
    found = Identification(variant, [], shown, [])
    info = SubjectInfo("f", metric, (), "", "", **documented)
    who = {"library": "l", "release": "1", "function": "f", "metric": metric}
    return [row["code"] for row in subject_findings(who, metric, found, answers or {}, info)]


def test_no_cut_off_is_missed_where_none_is_taken():
    uncut = Variant.parse("ndcg(gain=linear, ideal=relevant, cut=none)")
    assert codes(uncut, QUIET) == ["RR002", "NDCG006"]
    assert codes(uncut, QUIET, takes_k=False) == ["NDCG006"]


def test_who_is_in_the_mean_is_no_finding_where_the_mean_is_the_adapters():
    skipping = Edges(no_list="nan", no_relevant="poisons_mean", duplicates="once")
    assert codes(standard("recall"), skipping) == ["NAN001", "USR001"]
    assert codes(standard("recall"), skipping, own_mean=False) == []


def test_an_edge_with_a_rule_of_its_own_is_said_in_words():
    unspecified = Edges(ties="unspecified", duplicates="once")
    assert codes(standard("recall"), unspecified) == ["TIE001"]
    assert codes(standard("recall"), unspecified, edges={"ties": "all that tie count"}) == ["EDG002"]


def test_a_function_that_is_documented_as_another_quantity_is_that():
    dcg = Variant.parse("ndcg(gain=linear, ideal=none)")
    assert codes(dcg, QUIET, apart="DCG") == ["NDCG001", "NDCG006"]
    assert codes(dcg, QUIET, apart="DCG", claims=dcg) == []
    assert codes(dcg, QUIET, apart="DCG", claims=standard("ndcg"), quote="words") == ["NDCG001", "NDCG006", "DOC001"]


def test_the_documentation_contradicts_only_in_its_own_words():
    assert codes(standard("recall"), QUIET, claims=standard("precision")) == []
    assert codes(standard("recall"), QUIET, claims=standard("precision"), quote="its words") == ["DOC001"]


def test_a_number_from_memory_is_a_finding_of_its_own():
    unsettled = {"no_relevant": ProbeAnswer(float("nan"), unsettled=True)}
    edges = Edges(no_relevant="unclear", duplicates="once")
    assert codes(standard("recall"), edges, unsettled) == ["MEM001"]


def test_a_nan_of_a_user_that_the_mean_counts_is_noted():
    answers = {"no_relevant": ProbeAnswer(0.4, users=np.arange(3), values=np.array([0.6, 0.6, np.nan]))}
    assert codes(standard("recall"), Edges(no_relevant="zero", duplicates="once"), answers) == ["NAN002"]
    assert codes(standard("recall"), Edges(no_relevant="nan", duplicates="once"), answers) == []

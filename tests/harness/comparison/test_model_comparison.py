"""Rankings of models under variants: against scipy, against resampled cases, against cases worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metric_harness.bundles.build import build_bundle
from metric_harness.comparison.bootstrap import interval, kendall, pairs_of, resampled, signs
from metric_harness.comparison.model_scores import SEED, score
from metric_harness.comparison.models import compare_models, models_section, wanted_variants
from metric_harness.data.split import Protocol
from metric_harness.models.simple import MODELS
from metric_reference.case import case_from_lists
from metric_reference.edges import STANDARD
from metric_reference.variant import RANKING, Variant, space
from metric_reports.html.page import render_html
from metric_reports.record import from_json_number, validate
from metric_reports.view.models import models_view
from metric_reports.view.table import variants
from tests.harness.bundles.toy_bundles import make_ratings
from tests.support.page import Page
from tests.support.sample_record import sample_record

HITS, USUAL = "average_precision(divide_by=hits)", "average_precision(divide_by=min_k_relevant)"
NO_HIT = [20, 21, 22, 23, 24]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=7))
def test_tau_is_scipys(pairs):
    one, other = (np.array(part, dtype=float) / 7 for part in zip(*pairs, strict=True))
    expected = stats.kendalltau(one, other).statistic
    np.testing.assert_allclose(kendall(signs(one), signs(other)), expected, rtol=0, atol=1e-12)


def test_tau_of_many_samples_at_once():
    drawn = np.random.RandomState(1)
    one, other = drawn.rand(50, 5), drawn.rand(50, 5)
    expected = [stats.kendalltau(a, b).statistic for a, b in zip(one, other, strict=True)]
    np.testing.assert_allclose(kendall(signs(one), signs(other)), expected, atol=1e-12)


def test_sums_in_another_order_tie():
    assert signs(np.array([0.1 + 0.2, 0.3])).tolist() == [0]
    assert signs(np.array([1.0, 2.0, 1.0])).tolist() == [-1, 0, 1]
    assert pairs_of(3) == [(0, 1), (0, 2), (1, 2)]


def test_interval_of_a_mean_is_scipys_and_the_normal_one():
    values = np.random.RandomState(2).gamma(2.0, size=400)
    samples = resampled(values[:, None], np.ones((400, 1)), 4000, seed=0)[:, 0]
    ours = interval(samples, 0.95)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=4000, method="percentile", rng=np.random.default_rng(1))
    error = values.std() / 20
    np.testing.assert_allclose(ours, theirs.confidence_interval, atol=0.12 * error)
    normal = stats.norm.interval(0.95, values.mean(), error)
    np.testing.assert_allclose(ours, normal, atol=0.2 * error)
    assert samples.std() == pytest.approx(error, rel=0.05)


def test_interval_of_a_ratio_is_scipys():
    drawn = np.random.RandomState(3)
    below = drawn.randint(1, 9, 300).astype(float)
    above = below * drawn.rand(300)
    ours = interval(resampled(above[:, None], below[:, None], 4000, seed=0)[:, 0], 0.95)
    ratio = stats.bootstrap(
        (above, below), lambda a, b, axis: a.sum(axis) / b.sum(axis), paired=True, n_resamples=4000,
        method="percentile", rng=np.random.default_rng(1),
    )  # fmt: skip
    np.testing.assert_allclose(ours, ratio.confidence_interval, atol=0.12 * ratio.standard_error)


def test_nothing_to_divide_by():
    samples = resampled(np.zeros((3, 2)), np.zeros((3, 2)), 5, 0, np.array([0.0, np.nan]))
    assert not samples[:, 0].any()
    assert np.isnan(samples[:, 1]).all()
    assert np.isnan(interval(samples[:, 1], 0.95)).all()


def take(case, users):
    """The case of these users, who may come more than once."""
    starts = case.judged_indptr
    rows = [np.arange(starts[user], starts[user + 1]) for user in users]
    places = np.concatenate(rows)
    return replace(
        case, recommended=case.recommended[users], scores=case.scores[users],
        candidate_scores=case.candidate_scores[users], judged_items=case.judged_items[places],
        judged_gains=case.judged_gains[places],
        judged_indptr=np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64),
    )  # fmt: skip


@pytest.mark.thorough
def test_a_resample_is_the_value_of_the_resampled_case():
    """Micro averages, AUC by positives, R-precision over users with a hit: all as if the users stood in the case."""
    drawn = np.random.RandomState(4)
    n_items, users = 30, 12
    everything = np.round(drawn.rand(users, n_items), 6)
    lists = np.argsort(-everything, axis=1)[:, :8]
    relevant = [drawn.choice(n_items, drawn.randint(1, 7), replace=False).tolist() for _ in range(users)]
    case = case_from_lists(
        lists.tolist(), relevant, n_items, gains=[drawn.randint(1, 6, len(row)).tolist() for row in relevant],
        scores=np.take_along_axis(everything, lists, 1).tolist(), candidate_scores=everything,
    )  # fmt: skip
    wanted = [str(variant) for name in RANKING for variant in space(name)]
    scores, reasons = score(wanted, {"one": case}, 5, 4)
    pooled = ("weight=micro", "over=means")
    undefined = [one for one in wanted if "=nan" in one and not any(word in one for word in pooled)]  # no hit: no value
    assert list(reasons) == undefined
    assert len(undefined) == 8
    stream = np.random.RandomState(SEED)
    cases = [take(case, stream.randint(0, users, users, dtype=np.int64)) for _ in range(4)]
    compared = 0
    for printed, found in scores.items():
        variant = Variant.parse(printed)
        assert found.values[0] == variant.value(case, STANDARD, 5)
        if found.samples is not None:
            expected = [variant.value(other, STANDARD, 5) for other in cases]
            np.testing.assert_allclose(found.samples[:, 0], expected, rtol=1e-12, atol=1e-12, err_msg=printed)
            compared += 1
        else:
            assert variant.metric.of_whole_case()
    assert compared > 150


def one_hit_first(users=10):
    """Every user has four relevant items: one model lists one of them first, the other all four from rank 2 on."""
    relevant = [[0, 1, 2, 3]] * users
    first = case_from_lists([[0, 20, 21, 22, 23]] * users, relevant, 30)
    later = case_from_lists([[20, 0, 1, 2, 3]] * users, relevant, 30)
    return {"first": first, "later": later}


def test_two_variants_that_turn_two_models_round():
    (found,) = compare_models({"average_precision": {USUAL: [], HITS: []}}, one_hit_first(), 5, 200)
    later = (1 / 2 + 2 / 3 + 3 / 4 + 4 / 5) / 4
    usual, hits = found["variants"]
    assert [value["value"] for value in usual["values"]] == pytest.approx([1 / 4, later])
    assert [value["value"] for value in hits["values"]] == pytest.approx([1.0, later])
    assert (usual["standard"], hits["standard"]) == (True, False)
    assert (usual["order"], hits["order"]) == ([["later"], ["first"]], [["first"], ["later"]])
    (pair,) = found["pairs"]
    assert (pair["tau"], pair["low"], pair["high"]) == (-1, -1, -1)
    assert (pair["same_order"], pair["same_values"], pair["share_of_other_order"]) == (False, False, 1)
    whole = {"shares": [1, 0], "share": 1}
    assert pair["flips"] == [
        {"kind": "beats", "models": ["later", "first"], "under": USUAL, "not_under": HITS, **whole},
        {"kind": "is best", "models": ["later"], "under": USUAL, "not_under": HITS, **whole},
        {"kind": "is best", "models": ["first"], "under": HITS, "not_under": USUAL, **whole},
    ]


def test_of_opposite_conclusions_the_usual_variants_is_told_whatever_the_pair():
    wanted = {"average_precision": {USUAL: [], HITS: [], "average_precision(divide_by=relevant)": []}}
    (found,) = compare_models(wanted, one_hit_first(), 5, 50)
    beats = [flip for pair in found["pairs"] for flip in pair["flips"] if flip["kind"] == "beats"]
    assert [flip["models"] for flip in beats] == [["later", "first"]] * 2
    assert {flip["not_under"] for flip in beats} == {HITS}


def test_shares_are_those_of_the_binomial_distribution():
    """Of 15 users 9 are hit by one model alone, 6 by the other: the first is ahead if more than 7 of 15 drawn are."""
    hit, missed = [0, *NO_HIT[1:]], NO_HIT
    cases = {
        "a": case_from_lists([hit] * 9 + [missed] * 6, [[0]] * 15, 30),
        "b": case_from_lists([missed] * 9 + [hit] * 6, [[0]] * 15, 30),
    }
    (found,) = compare_models({"hit_rate": {"hit_rate(value=any)": []}}, cases, 5, 20_000)
    (gap,) = found["variants"][0]["differences"]
    assert gap["value"] == pytest.approx(3 / 15)
    assert gap["ahead"] == pytest.approx(stats.binom.sf(7, 15, 0.6), abs=0.01)
    assert gap["behind"] == pytest.approx(stats.binom.cdf(7, 15, 0.6), abs=0.01)
    ends = (2 * stats.binom.ppf([0.025, 0.975], 15, 0.6) - 15) / 15
    assert [gap["low"], gap["high"]] == pytest.approx(ends.tolist())


def test_a_difference_that_is_clear_under_one_variant_alone():
    """One model hits everybody three times, the other twice but for one user of thirty, whom it misses.

    Counting hits, no resample leaves a doubt; asking for any hit, all depends on whether that user is drawn.
    """
    relevant = [[0, 1, 2]] * 30
    cases = {
        "a": case_from_lists([[0, 1, 2, 23, 24]] * 30, relevant, 30),
        "b": case_from_lists([NO_HIT, *[[0, 1, 22, 23, 24]] * 29], relevant, 30),
    }
    (found,) = compare_models({"hit_rate": {"hit_rate(value=any)": [], "hit_rate(value=hits)": []}}, cases, 5, 4000)
    (pair,) = found["pairs"]
    assert pair["same_order"]
    assert pair["tau"] == 1
    (flip,) = pair["flips"]
    assert (flip["kind"], flip["models"]) == ("clearly beats", ["a", "b"])
    assert (flip["under"], flip["not_under"]) == ("hit_rate(value=hits)", "hit_rate(value=any)")
    drawn = 1 - (29 / 30) ** 30
    assert flip["shares"] == [1, pytest.approx(drawn, abs=0.03)]
    assert flip["share"] == pytest.approx(1 - drawn, abs=0.03)
    assert pair["share_of_other_order"] == pytest.approx(1 - drawn, abs=0.03)
    assert [row["differences"][0]["low"] > 0 for row in found["variants"]] == [False, True]


def test_what_cannot_be_computed_is_left_out_and_says_why():
    cases = one_hit_first()
    wanted = {"auc": {"auc(scope=per_user)": [], "auc(scope=top_k)": []}}
    (found,) = compare_models(wanted, cases, 5, 10)
    assert found["left_out"] == [
        {"variant": "auc(scope=per_user)", "reason": "needs candidate scores, which not every bundle has"}
    ]
    assert [row["variant"] for row in found["variants"]] == ["auc(scope=top_k)"]
    nobody = {name: replace(case, judged_gains=case.judged_gains * 0) for name, case in cases.items()}
    (found,) = compare_models({"recall": {"recall(divide_by=relevant)": []}}, nobody, 5, 10)
    assert found["left_out"] == [{"variant": "recall(divide_by=relevant)", "reason": "has no value for first, later"}]


def test_only_identified_variants_and_the_usual_one_are_compared():
    def subject(function, metric, variant):
        return {"library": "x", "release": "1", "function": function, "metric": metric, "variant": variant}

    found = wanted_variants([
        subject("map", "average_precision", HITS), subject("map2", "average_precision", HITS),
        subject("odd", "average_precision", None), subject("lost", "ndcg", None), subject("mae", "mae", "mae()"),
    ])  # fmt: skip
    assert list(found) == ["average_precision"]
    assert list(found["average_precision"]) == [USUAL, HITS]
    assert [len(who) for who in found["average_precision"].values()] == [0, 2]


def full(record):
    """A sample record whose variants are printed as a run prints them."""
    for thing in [*record["subjects"], *record["cells"]]:
        if thing["variant"] is not None:
            thing["variant"] = str(Variant.parse(thing["variant"]))
    return record


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundles")
    protocol = Protocol(3.0, "user_time")
    bundles = {n: build_bundle(make_ratings(), protocol, folder / n, depth=40, model=m()) for n, m in MODELS.items()}
    record = full(sample_record((5, 20)))
    record["models"] = models_section(record, bundles, 200)
    return record


def test_the_section_fits_the_schema_and_holds_the_values_of_the_reference(compared):
    validate(compared)
    section = compared["models"]
    ks = [one["k"] for one in section["metrics"]]
    assert set(ks) == {5, 20}
    stacked = [row for one in section["metrics"] for row in one["variants"] if row["variant"] == "auc(scope=stacked)"]
    assert [value["low"] for row in stacked for value in row["values"]] == [None] * 8
    for one in section["metrics"]:
        assert len(one["pairs"]) == len(pairs_of(len(one["variants"])))
        for row in one["variants"]:
            for value in row["values"]:
                if value["low"] is not None:
                    assert from_json_number(value["low"]) <= value["value"] <= from_json_number(value["high"])


def test_the_page_tells_each_conclusion_once(compared):
    page = Page(render_html(compared))
    assert page.problems == []
    (section,) = page.all("section", id="models")
    view = models_view(compared, variants(compared))
    told = [(claim.label, claim.text) for claim in view.claims]
    assert len(told) == len(set(told)) > 0
    flips = {
        (one["metric"], one["k"], flip["kind"], tuple(flip["models"]))
        for one in compared["models"]["metrics"] for pair in one["pairs"] for flip in pair["flips"]
    }  # fmt: skip
    assert len(told) == len(flips)
    text = " ".join(section["text"].split())
    for claim in view.claims:
        assert claim.text in text
        assert claim.under
        assert claim.against
        assert not {mark.printed for mark in claim.under} & {mark.printed for mark in claim.against}
    other = sum(not pair["same_order"] for one in compared["models"]["metrics"] for pair in one["pairs"])
    assert f"{other} of " in view.summary[0] if other else view.summary[0].startswith("No")


def test_bundles_of_two_splits_are_refused(tmp_path):
    one = build_bundle(make_ratings(), Protocol(3.0, "user_time"), tmp_path / "one", depth=5)
    two = build_bundle(make_ratings(), Protocol(4.5, "global_time"), tmp_path / "two", depth=5)
    with pytest.raises(ValueError, match="not of the same split"):
        models_section(full(sample_record()), {"ease": one, "random": two})

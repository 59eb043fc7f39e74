"""DaisyRec, RecBole, Recommenders and rs_metrics as the paper used them, beside their newest releases, run live.

The figures were measured on these releases apart from this project, in six digits.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metric_harness.comparison.releases import release_findings
from metric_harness.libraries.describe import Library, Release
from metric_harness.naming.findings.finding import subject_findings
from metric_harness.naming.identify import ProbeAnswer, identify
from metric_harness.naming.probes.ask import ask_probes
from metric_harness.naming.probes.probe import Probe, library_probes
from metric_harness.worker.reply import Reply
from metric_reference.case import NOTHING, Case, case_from_lists
from metric_reports.record import to_json_number
from tests.support.fixture import K, fixture_case, graded_case, ranked_only_case
from tests.support.live import LIBRARIES, Live

KEYS = ("daisyrec", "recbole", "recommenders", "rs_metrics")
NAN = float("nan")
Ask = Callable[..., Reply]
Identified = Callable[[str, str, bool], tuple[dict[str, Any], list[str]]]

ANSWERS = {
    "daisyrec": {
        "hr_at_k": 0.75, "precision_at_k": 0.4, "recall_at_k": 0.595238, "mrr_at_k": 0.995833, "map_at_k": 0.345,
        "ndcg_at_k": 0.656013, "ndcg_at_k[paper]": 0.619406,
    },
    "recbole": {
        "hit_": 0.75, "precision_": 0.4, "recall_": 0.595238, "mrr_": 0.625, "map_": 0.575, "ndcg_": 0.619406,
        "gauc_": 0.848485, "gauc_[paper]": 0.848485, "auc_": 0.722222,
    },
    "recommenders": {
        "precision_at_k": 0.4, "recall_at_k": 0.595238, "map_at_k": 0.503571, "ndcg_at_k": 0.619406, "auc": 0.722222,
    },
    "rs_metrics": {
        "hitrate": 0.75, "precision": 0.4, "recall": 0.595238, "mrr": 0.625, "mapr": 0.503571, "ndcg": 0.619406,
    },
}  # fmt: skip
GIVE_NO_VALUES = {"gauc_", "gauc_[paper]", "auc_"}
RANKED_ONLY = [("recbole", "gauc_", 0.809524), ("recbole", "auc_", 0.642857), ("recommenders", "auc", 0.642857)]
RELEASES = [
    ("daisyrec", "mrr_at_k", "MRR", "reciprocal_rank(over=sum)", "reciprocal_rank(over=first)"),
    ("daisyrec", "map_at_k", "MAP", "average_precision(divide_by=k)", "average_precision(divide_by=hits)"),
    ("recommenders", "map_at_k", "map_at_k", "average_precision(divide_by=relevant)",
     "average_precision(divide_by=min_k_relevant)"),
    ("daisyrec", "ndcg_at_k", "NDCG", "ndcg(gain=binary, ideal=hits)", "ndcg(gain=binary, ideal=hits)"),
    ("recbole", "gauc_", "GAUC", "auc(scope=per_positive)", "auc(scope=per_positive)"),
    ("recommenders", "recall_at_k", "recall_at_k", "recall(divide_by=relevant)", "recall(divide_by=relevant)"),
    ("rs_metrics", "mrr", "mrr", "reciprocal_rank(over=first)", "reciprocal_rank(over=first)"),
]  # fmt: skip
DOCUMENTED = [
    ("recbole", True, "ndcg_", "ndcg(gain=binary, ideal=k)", "ndcg(gain=binary)"),
    ("recommenders", False, "r_precision_at_k", "r_precision(divide_by=min_k_relevant)",
     "r_precision(divide_by=relevant, who=with_hit)"),
]  # fmt: skip


def old_or_new(key: str, paper: bool) -> tuple[Library, Release]:
    library = LIBRARIES[key]
    release = library.of_paper() if paper else library.newest()
    assert release is not None
    return library, release


@pytest.fixture
def ask(live: Live) -> Ask:
    """Ask a function of the paper's or the newest release of a library for a case."""

    def ask(key: str, function: str, case: Case, k: int = K, paper: bool = True) -> Reply:
        return live.ask(key, function, case, k, old_or_new(key, paper)[1].version)

    return ask


@pytest.fixture
def identified(live: Live) -> Identified:
    """Ask a function all probes: its row as release_findings reads it, and the messages of its DOC001."""

    def identified(key: str, function: str, paper: bool) -> tuple[dict[str, Any], list[str]]:
        library, release = old_or_new(key, paper)
        info = library.subjects[function]

        def ask(probe: Probe) -> Reply:
            return live.ask(key, function, probe.case, probe.k, release.version)

        answers: dict[str, ProbeAnswer] = ask_probes(library_probes(), info.metric, ask)
        found = identify(info.metric, answers)
        who = {"library": key, "release": release.version, "function": function, "metric": info.metric}
        rows = subject_findings(who, info.metric, found, answers, info)
        variant = None if found.variant is None else str(found.variant)
        given = [{"probe": p, "value": to_json_number(a.value), "error": a.error} for p, a in answers.items()]
        return {**who, "variant": variant, "answers": given}, [
            row["message"] for row in rows if row["code"] == "DOC001"
        ]

    return identified


def test_every_function_is_asked() -> None:
    for key, answers in ANSWERS.items():
        library, release = old_or_new(key, True)
        assert release is library.releases[0]
        broken = {"auc_at_k", "auc_at_k[mended]"} if key == "daisyrec" else set()
        assert set(library.subjects_of(release)) == set(answers) | broken


def test_what_a_function_took_the_place_of_is_one_of_an_earlier_release() -> None:
    for library in (LIBRARIES[key] for key in KEYS):
        earlier, newest = (library.subjects_of(release) for release in library.releases)
        pairs = [(info, earlier[info.formerly]) for info in newest.values() if info.formerly]
        assert all(info.metric == former.metric and former.function not in newest for info, former in pairs)
        assert len(pairs) == {"daisyrec": 6, "recbole": 8}.get(library.key, 0)


@pytest.mark.live
@pytest.mark.parametrize(("key", "function"), [(key, name) for key, row in ANSWERS.items() for name in row])
def test_four_users(ask: Ask, key: str, function: str) -> None:
    reply = ask(key, function, fixture_case())
    assert reply.error is None
    assert reply.value == pytest.approx(ANSWERS[key][function], abs=5e-7)
    if key == "recommenders" or function in GIVE_NO_VALUES:
        assert reply.users is None
        return
    assert reply.users is not None
    assert reply.values is not None
    assert reply.users.tolist() == [0, 1, 2, 3]
    assert reply.values.mean() == pytest.approx(reply.value, abs=1e-12)


@pytest.mark.live
@pytest.mark.parametrize(("key", "function", "value"), RANKED_ONLY)
def test_auc_of_the_listed_items_alone(ask: Ask, key: str, function: str, value: float) -> None:
    assert ask(key, function, ranked_only_case()).value == pytest.approx(value, abs=5e-7)


@pytest.mark.live
def test_daisyrec_auc_has_no_value(ask: Ask) -> None:
    reply = ask("daisyrec", "auc_at_k", fixture_case())
    assert reply.value is None
    assert reply.error == "NameError: name 'pred_all' is not defined"


@pytest.mark.live
@pytest.mark.parametrize(("function", "value"), [("ndcg_at_k", 0.656013), ("ndcg_at_k[paper]", 0.619406)])
def test_daisyrec_makes_ratings_binary(ask: Ask, function: str, value: float) -> None:
    assert ask("daisyrec", function, graded_case(1.0)).value == pytest.approx(value, abs=5e-7)


@pytest.mark.live
def test_daisyrec_ideal_of_the_whole_ranking_does_not_need_deep_lists(ask: Ask) -> None:
    case = fixture_case()
    cut = replace(case, recommended=case.recommended[:, :K], scores=None, candidate_scores=None)
    assert ask("daisyrec", "ndcg_at_k[paper]", cut).value == pytest.approx(0.619406, abs=5e-7)


@pytest.mark.live
def test_short_lists_and_users_without_anything(ask: Ask) -> None:
    short = case_from_lists([[0, 1, 2], [3]], [[0, 2], [3]], 12)
    assert ask("daisyrec", "precision_at_k", short).value == pytest.approx((2 / 5 + 1 / 5) / 2)
    assert ask("recbole", "precision_", short).value == pytest.approx((2 / 5 + 1 / 5) / 2)
    assert ask("recommenders", "precision_at_k", short).value == pytest.approx((2 / 5 + 1 / 5) / 2)
    assert ask("rs_metrics", "precision", short).value == pytest.approx((2 / 3 + 1) / 2)
    nothing = case_from_lists([[0, 1], [2, 3]], [[0], []], 12)
    assert str(ask("daisyrec", "recall_at_k", nothing).error).startswith("KeyError")
    for key, function in (("recbole", "recall_"), ("rs_metrics", "recall"), ("rs_metrics", "ndcg")):
        assert ask(key, function, nothing).value == pytest.approx(NAN, nan_ok=True)


@pytest.mark.live
def test_recommenders_drops_a_user_without_a_list_that_it_counts_now(ask: Ask) -> None:
    """A fifth user with relevant items and no list: 0.6194 then, 0.4955 in the newest release."""
    case = fixture_case()
    row = np.full((1, case.recommended.shape[1]), NOTHING)
    fifth = replace(
        case,
        recommended=np.vstack([case.recommended, row]),
        scores=None,
        candidate_scores=None,
        judged_indptr=np.append(case.judged_indptr, case.judged_indptr[-1] + 1),
        judged_items=np.append(case.judged_items, 0),
        judged_gains=np.append(case.judged_gains, 1.0),
    )
    assert ask("recommenders", "ndcg_at_k", fifth).value == pytest.approx(0.619406, abs=5e-7)
    assert ask("recommenders", "ndcg_at_k", fifth, paper=False).value == pytest.approx(0.4955, abs=5e-5)


def uneven_case() -> Case:
    """Relevant at ranks 1 and 5 of 6 candidates, and at rank 2 of 4."""
    scores = np.array([[6.0, 5, 4, 3, 2, 1], [4.0, 3, 2, 1, -np.inf, -np.inf]])
    return case_from_lists([[0, 1], [0, 1]], [[0, 4], [1]], 6, candidate_scores=scores)


@pytest.mark.live
def test_recbole_gauc_as_the_paper_fed_it_passes_1(ask: Ask) -> None:
    """By hand: of 8 pairs the first user wins 4 + 1, of 3 the second wins 2; the weights are 2 and 1. Cut at 4 ranks,
    the relevant item at rank 5 stands at rank 0, which wins 5 pairs more."""
    assert ask("recbole", "gauc_", uneven_case()).value == pytest.approx((2 * 5 / 8 + 2 / 3) / 3, abs=1e-12)
    assert ask("recbole", "gauc_[paper]", uneven_case()).value == pytest.approx((2 * 10 / 8 + 2 / 3) / 3, abs=1e-12)


@pytest.mark.live
def test_recbole_gauc_counts_ties_half(ask: Ask) -> None:
    tied = replace(uneven_case(), candidate_scores=np.where(np.isinf(uneven_case().candidate_scores), -np.inf, 0.5))
    assert ask("recbole", "gauc_", tied).value == pytest.approx(0.5, abs=1e-12)


@pytest.mark.live
@pytest.mark.parametrize(("key", "former", "function", "was", "computes"), RELEASES)
def test_releases(identified: Identified, key: str, former: str, function: str, was: str, computes: str) -> None:
    library = LIBRARIES[key]
    before, after = identified(key, former, True)[0], identified(key, function, False)[0]
    assert (before["variant"], after["variant"]) == (was, computes)
    found = release_findings([(library, release) for release in library.releases], [before, after])
    differ = [("REL001", library.newest().version, function)] if was != computes else []
    assert [(row["code"], row["release"], row["function"]) for row in found] == differ
    assert all(was in row["message"] and computes in row["message"] for row in found)


@pytest.mark.live
@pytest.mark.parametrize(("key", "paper", "function", "documented", "computes"), DOCUMENTED)
def test_documentation_describes_another_variant(
    identified: Identified, key: str, paper: bool, function: str, documented: str, computes: str
) -> None:
    row, messages = identified(key, function, paper)
    assert row["variant"] == computes
    quote = LIBRARIES[key].subjects[function].quote
    assert messages == [
        f"its documentation describes {documented}{f' ({quote})' if quote else ''}; it computes {computes}"
    ]


@pytest.mark.live
@pytest.mark.parametrize(
    ("key", "function", "paper"), [("recbole", "map_", True), ("recbole", "MAP", False), ("rs_metrics", "mapr", False)]
)
def test_documentation_holds(identified: Identified, key: str, function: str, paper: bool) -> None:
    assert LIBRARIES[key].subjects[function].claims is not None
    assert identified(key, function, paper)[1] == []


@pytest.mark.live
def test_the_papers_feeding_of_gauc_cuts_rankings_at_the_shortest(identified: Identified) -> None:
    assert identified("recbole", "gauc_[paper]", True)[0]["variant"] == "truncated_auc(scope=per_positive)"

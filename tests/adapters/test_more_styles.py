"""Styles of calling that take more than one look: cut-offs in the source, whole rankings, distances, galleries."""

import pytest

from metric_harness.naming.api import audit
from metric_harness.naming.precedence import restricts
from tests.support.calls import offered
from tests.support.named import names_of
from tests.support.places import SUPPORT

pytestmark = pytest.mark.slow

STYLES = SUPPORT / "styles"
RECALL = "recall(divide_by=relevant, times=100)"
PER_CENT = "hit_rate(value=any, times=100)"
HUNDREDTHS = "hit_rate(value=any, times=100)"
NAMED = {
    "own_cuts.py:hits_in_per_cent": {"": PER_CENT},
    "own_cuts.py:metrics_of_positions": {
        "Hit@5": "hit_rate(value=any)",
        "Hit@20": "hit_rate(value=any)",
        "worst": None,
    },
    "own_cuts.py:map_of_five": {"": "average_precision(divide_by=min_k_relevant)"},
    "own_cuts.py:ndcg_of_ten": {"": "ndcg(gain=linear)"},
    "own_cuts.py:number_of_queries": {"": None},
    "frames.py:ndcg_of_ranks": {"": "ndcg(gain=binary)"},
    "frames.py:ndcg_of_weights": {"": "ndcg(gain=binary)"},
    "frames.py:ndcg_of_judged": {"": "ndcg(gain=exponential)"},
    "frames.py:mrr_of_scores_aside": {"": "reciprocal_rank(over=first, cut=none)"},
    "frames.py:ndcg_of_lots": {"": "ndcg(gain=linear)"},
    "text_parts.py:precision_at_k": {"": "precision(divide_by=list)"},
    "text_parts.py:recall_at_k": {"": "recall(divide_by=relevant)"},
    "text_parts.py:recall_of_ids": {"": "recall(divide_by=relevant)"},
    "whole_rankings.py:average_precision": {"": "average_precision(divide_by=list_hits)"},
    "whole_rankings.py:ndcg": {"": "ndcg(gain=exponential, ideal=list_hits)"},
    "whole_rankings.py:precision": {"": "precision(divide_by=list, only=listed)"},
    "whole_rankings.py:precision_of_answered": {"": "precision(divide_by=list, only=listed)"},
    "whole_rankings.py:r_precision": {"": "precision(divide_by=last_hit_rank)"},
    "galleries.py:rank_and_hits": {"mrr": "reciprocal_rank(over=first, cut=none)", "hits": "hit_rate(value=any)"},
    "galleries.py:cmc_and_map": {"0": "hit_rate(value=any)", "1": "average_precision(divide_by=relevant, cut=none)"},
    "galleries.py:ap_of_demanded": {"": "average_precision(divide_by=relevant, cut=none)"},
    "galleries.py:recall_of_diagonal": {"R5": RECALL, "R10": RECALL},
    "galleries.py:ndcg_of_rows": {"": "ndcg(gain=exponential)"},
    "galleries.py:ndcg_of_pairs": {"": "ndcg(gain=linear)"},
    "galleries.py:recall_at": {"": "recall(divide_by=relevant)"},
    "galleries.py:recall_of_ten": {"": "hit_rate(value=any)"},
    "galleries.py:ap_of_one": {"": "average_precision(divide_by=relevant, cut=none)"},
    "galleries.py:precision_of_one": {"": "precision(divide_by=list)"},
    "galleries.py:map_of_hashes": {"": "average_precision(divide_by=relevant, cut=none)"},
    "one_positive.py:wins_of_all_pairs": {"": "auc(scope=per_user, ties=lose)"},
    "one_positive.py:wins_in_two_loops": {"": "auc(scope=per_user)"},
    "captions.py:images_to_texts": {
        "0": HUNDREDTHS,
        "1": "rank(missing=left_out, over=median_floor, cut=none)",
        "2": "rank(missing=left_out, cut=none)",
    },
    "captions.py:texts_to_images": {"r1": HUNDREDTHS, "medr": "rank(missing=left_out, over=median, cut=none)"},
    "captions.py:recall_of_all_captions": {"": None},
    "kept.py:Report": {
        "mrr": "reciprocal_rank(over=first, weight=sum)",
        "recall": "recall(divide_by=relevant, weight=sum)",
    },
    "kept.py:Ranks": {
        "mrr": "reciprocal_rank(over=first, weight=sum)",
        "hits": "hit_rate(value=any, weight=sum)",
    },
    "kept.py:Shares": {"hit_rate": "hit_rate(value=any)", "mrr": "reciprocal_rank(over=first)"},
    "kept.py:EachUser": {"": "recall(divide_by=relevant)"},
    "no_hits.py:ndcg_of_rows": {"": "ndcg(gain=linear)"},
    "no_hits.py:recall_or_minus_nan": {"": None},
    "sessions.py:Sessions": {
        "0": "average_precision(divide_by=relevant, cut=none)",
        "1": "reciprocal_rank(over=first, cut=none)",
        "2": "recall(divide_by=relevant)",
    },
    "smallest_best.py:rank_and_hit": {"0": "reciprocal_rank(over=first, cut=none)", "1": "hit_rate(value=any)"},
    "trapezoids.py:average_precision": {"": "average_precision(divide_by=relevant, sum_over=trapezoid)"},
    "trapezoids.py:map_of_queries": dict.fromkeys("01", "average_precision(divide_by=relevant, sum_over=trapezoid)"),
    "trapezoids.py:f1_of_shares": {"": "f1(over=users, divide_by=min_k_relevant)"},
}

NEVER_RAN = ("trapezoids.py:map_of_queries", "frames.py:ndcg_of_judged")
"""Part of their code is for what no call passes: junk items, a column that a frame need not have."""

DOUBTED = ("whole_rankings.py:precision",)
"""Its ``rankings`` hold 0 and 1, and not the items that the name speaks of."""


@pytest.mark.parametrize("target", NAMED)
def test_every_style_is_named(target):
    subjects = audit(f"{STYLES}/{target}").subjects
    for subject in subjects:
        in_part = target in (*NEVER_RAN, *DOUBTED) and subject.evidence.confidence == "verified in part"
        assert subject.variant is None or subject.verified or in_part
    assert names_of(subjects) == NAMED[target]


def test_a_cut_off_in_the_source_is_said():
    (subject,) = audit(f"{STYLES}/own_cuts.py:hits_in_per_cent").subjects
    assert "its source holds the cut-off 10: it was asked at no other" in subject.notes


def test_a_result_that_looks_past_k_is_said_to():
    mrr = audit(f"{STYLES}/galleries.py:rank_and_hits").subjects[0]
    assert any(note.startswith("it looks past the k that it takes") for note in mrr.notes)


@pytest.mark.parametrize(
    ("name", "convention", "variant"),
    [
        ("ndcg_of_array", "position:flat", "ndcg(gain=binary)"),
        ("ndcg_of_one_rank", "rank:none", "ndcg(gain=binary)"),
        ("mean_reciprocal_rank_of_queries", "rank:all-none", "reciprocal_rank(over=first)"),
    ],
)
def test_a_call_that_raises_for_ordinary_ranks_is_no_other_reading(name, convention, variant):
    (found,) = audit(f"{STYLES}/positions.py:{name}").to_json()["subjects"]
    assert (found["convention"], found["variant"]) == (convention, variant)
    assert not {"AMB001", "RAI001"} & {row["code"] for row in found["findings"]}


def test_nan_of_an_empty_list_is_not_read_as_0():
    (subject,) = audit(f"{STYLES}/no_hits.py:average_precision_of_flags").subjects
    assert str(subject.variant) == "average_precision(divide_by=hits)"
    assert (subject.identification.edges.no_list, subject.identification.edges.no_relevant) == ("poisons_mean",) * 2


@pytest.mark.parametrize("name", ["precision_at_k", "recall_at_k", "recall_of_ids"])
def test_a_function_that_compares_parts_of_ids_is_named_where_no_id_is_part_of_another(name):
    (subject,) = audit(f"{STYLES}/text_parts.py:{name}").to_json()["subjects"]
    assert subject["where"] == ([] if name == "recall_of_ids" else ["no id part of another"])


@pytest.mark.parametrize(
    ("name", "where"), [("ndcg_weighed_by_rows", ["as many rows for each user"]), ("ndcg_of_judged", [])]
)
def test_users_that_are_weighed_by_rows_are_told(name, where):
    (subject,) = audit(f"{STYLES}/frames.py:{name}").to_json()["subjects"]
    assert subject["variant"].startswith("ndcg")
    assert [each for each in subject["where"] if "rows" in each] == where


def test_lists_that_end_at_k_restrict_whole_lists_in_any_container():
    assert restricts(offered("relevant,recommended:all-cut"), offered("relevant,recommended:series"))
    assert restricts(offered("relevance:all-full"), offered("relevance"))
    assert restricts(offered("relevance:lists-cut"), offered("relevance:lists-full"))
    assert not restricts(offered("relevance"), offered("relevance:all-full"))


def test_nan_of_users_without_a_hit_is_an_error_beside_the_name():
    (subject,) = audit(f"{STYLES}/no_hits.py:ndcg_of_rows").subjects
    (found,) = [row for row in subject.findings if "without a hit" in row["message"]]
    assert (found["code"], found["severity"]) == ("NAN001", "error")
    candidates = [(row["variant"], row["value"]) for row in found["case"]["candidates"]]
    assert candidates == [("ndcg(gain=linear)", 0.0)]

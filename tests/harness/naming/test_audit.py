"""Audits of a user's own functions with real workers: what is identified, unknown definitions, hostile functions."""

import json
import math
from itertools import product

import pytest

from tests.harness.naming.audited import codes, subject
from tests.support.places import SUPPORT

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("own")]


# What is identified


@pytest.mark.parametrize(
    ("name", "variant", "expected"),
    [
        ("apk", "average_precision(divide_by=min_k_relevant)", []),
        ("ap_over_k", "average_precision(divide_by=k)", ["AP001", "DUP001"]),
        ("ndcg_off_by_one", "ndcg(gain=binary, discount=shifted_log2)", ["NDCG005", "DUP001"]),
        ("hits_counted", "hit_rate(value=hits)", ["HR001", "DUP001"]),
        ("recall", "recall(divide_by=relevant)", []),
        ("Recall", "recall(divide_by=relevant)", []),
        ("Recall.compute", "recall(divide_by=relevant)", []),
        ("recall_prints", "recall(divide_by=relevant)", []),
        ("recall_mutates", "recall(divide_by=relevant)", ["MUT001"]),
    ],
)
def test_own_functions_are_named(name, variant, expected):
    found = subject(f"metrics.py:{name}")
    assert (found["identified"], found["variant"], found["alternatives"]) == (True, variant, [])
    assert found["convention"].startswith("relevant,recommended")
    assert codes(found) == expected


def test_where_the_function_is_written():
    line = (SUPPORT / "own_metrics.py").read_text().splitlines().index("def apk(actual, predicted, k=10):") + 1
    assert subject("metrics.py:apk")["source"] == {"file": "metrics.py", "line": line}


def test_a_case_of_a_finding_shows_that_finding(own):
    """AP001 on the smallest list: what was returned, the variant, and the usual definition, worked out."""
    case = subject("metrics.py:ap_over_k")["findings"][0]["case"]
    (user,) = case["users"]
    assert (case["k"], user["list"], user["relevant"]) == (2, [0], [0])
    assert case["value"] == own.ap_over_k([0], [0], 2) == 0.5
    assert [row["value"] for row in case["candidates"]] == [0.5, 1.0]
    assert case["arithmetic"][0] == "average_precision(divide_by=k)@2: 1/1, divided by 2 = 0.5"


def test_an_edge_is_shown_beside_the_same_variant_behaving_otherwise(own):
    case = subject("metrics.py:ap_over_k")["findings"][1]["case"]
    values = [own.ap_over_k(user["relevant"], user["list"], case["k"]) for user in case["users"]]
    assert case["value"] == pytest.approx(sum(values) / len(values))
    (other,) = case["candidates"]
    assert other["variant"] == "average_precision(divide_by=k), duplicates: once"
    once = [own.ap_over_k(u["relevant"], distinct(u["list"][: case["k"]]), case["k"]) for u in case["users"]]
    assert other["value"] == pytest.approx(sum(once) / len(once))
    assert other["value"] < case["value"]


def distinct(items):
    """A list with a place that hits nothing where an item comes again."""
    return [item if item not in items[:rank] else -1 for rank, item in enumerate(items)]


# Unknown definitions


def ndcg_by_hand(hits, relevant, k):
    gain = sum(1 / math.log2(rank + 1) for rank, hit in enumerate(hits[:k], start=1) if hit)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(k, relevant) + 1))


def test_an_unknown_definition_comes_with_a_counterexample_that_holds(own):
    found = subject("metrics.py:ndcg_square_root")
    assert (found["identified"], found["variant"], found["choices"], found["edges"]) == (False, None, {}, {})
    assert codes(found) == ["UNX001"]
    near = found["nearest"][0]
    assert near["variant"] == "ndcg(gain=binary)"
    assert {"plain", "full_lists"} <= set(near["fails"])
    assert (
        "The nearest is ndcg(gain=binary): it fails on 9 of 10 probes, off by up to" in found["findings"][0]["message"]
    )
    case = near["case"]
    assert found["findings"][0]["case"] == case
    (user,) = case["users"]
    assert user["hits"] == [item in user["relevant"] for item in user["list"]]
    assert case["value"] == pytest.approx(own.ndcg_square_root(user["relevant"], user["list"], case["k"]))
    value = ndcg_by_hand(user["hits"], len(user["relevant"]), case["k"])
    assert {row["variant"]: row["value"] for row in case["candidates"]} == {"ndcg(gain=binary)": pytest.approx(value)}
    assert abs(case["value"] - value) > 1e-3
    assert case["arithmetic"] == [f"ndcg(gain=binary)@{case['k']}: 1 x 0.63093 = 0.63093"]


def test_no_smaller_list_shows_it(own):
    """Every list with fewer items and missing relevant items than the counterexample, by brute force."""
    (user,) = subject("metrics.py:ndcg_square_root")["nearest"][0]["case"]["users"]
    size = len(set(user["list"]) | set(user["relevant"]))
    for length in range(1, size):
        for hits, missing in product(product((True, False), repeat=length), range(size - length)):
            relevant = [rank for rank, hit in enumerate(hits) if hit] + list(range(length, length + missing))
            for k in range(1, length + 2) if relevant else ():
                value = own.ndcg_square_root(relevant, list(range(length)), k)
                assert value == pytest.approx(ndcg_by_hand(hits, len(relevant), k))


def test_the_other_metrics_that_no_list_can_excuse():
    found = subject("metrics.py:recall_sevenfold")
    assert codes(found) == ["UNX001", "RNG001"]
    assert "outside [0, 1]" in found["findings"][1]["message"]


# Hostile functions


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("recall_raises", "ERR001", "RuntimeError: no answer today"),
        ("recall_exits", "ERR001", "SystemExit: 3"),
        ("recall_dies", "ERR001", "exit code 3"),
        ("recall_hangs", "ERR001", "timed out after 1 s"),
        ("recall_allocates", "ERR001", "MemoryError"),
        ("recall_text", "ERR001", "'0.5'"),
        ("recall_nan", "UNX001", "it returns NaN for ordinary users, so no definition fits"),
        ("recall_random", "UNX001", "another number each time it is asked for the same case, so no definition fits"),
    ],
)
def test_hostile_functions_are_findings(name, code, said, run):
    ended, printed, _ = run(f"metrics.py:{name}", "--timeout", "1", "--memory", "2", "--format", "json", "--quiet")
    (found,) = json.loads(printed)["subjects"]
    assert (ended, found["identified"]) == (2 if code == "ERR001" else 1, False)
    finding = next(row for row in found["findings"] if row["code"] == code)
    assert said in finding["message"]
    assert found["evidence"]["confidence"] == "refused"
    assert ("RND001" in codes(found)) == (name == "recall_random")


def test_a_nan_is_shown_as_one():
    case = subject("metrics.py:recall_nan")["findings"][0]["case"]
    assert (case["value"], case["error"]) == ("nan", None)


# Slips, and what is none


SLIPS = {
    "blog.py:ndcg": ("NDCG005", 0.792481, 0.63093),  # off-by-one discount: log2(rank + 2)
    "ranks.py:ndcg_at_k": ("NDCG002", 1.0, 0.613147),  # the ideal list is made of the hits
    "blog.py:average_precision": ("AP003", 0.75, 0.5),  # no indicator: every rank's precision is summed
    "blog.py:recall": ("DUP001", 10 / 9, 8 / 9),  # a hit that is listed twice counts twice
    "ranks.py:precision_at_k": ("THR001", 1.0, 0.5),  # the threshold is a parameter that is not used
}


@pytest.mark.slow
@pytest.mark.parametrize("target", SLIPS)
def test_five_classic_slips_are_findings_with_a_case(target):
    code, returned, right = SLIPS[target]
    (row,) = [row for row in subject(str(SUPPORT / "styles" / target))["findings"] if row["code"] == code]
    assert row["case"]["value"] == pytest.approx(returned, abs=1e-6)
    assert row["case"]["candidates"][-1]["value"] == pytest.approx(right, abs=1e-6)


def test_a_threshold_that_is_heeded_is_no_finding(tmp_path):
    text = (SUPPORT / "styles" / "ranks.py").read_text(encoding="utf-8")
    heeded = (
        "def precision_at_k(ratings, k, threshold=3.5):\n    return sum(one >= threshold for one in ratings[:k]) / k\n"
    )
    (tmp_path / "heeded.py").write_text(text + "\n\n" + heeded)
    found = subject(f"{tmp_path / 'heeded.py'}:precision_at_k")
    assert (found["variant"], codes(found)) == ("precision(divide_by=k)", ["DUP001"])


def test_a_way_of_calling_that_mostly_raises_is_not_taken_for_the_right_one():
    """It ranks the whole catalogue, row by row; other arguments than its rows make it raise mostly."""
    found = subject("metrics.py:label_ranking_average_precision")
    assert (found["convention"], found["variant"]) == (
        "y_true,y_score:all-arrays",
        "average_precision(divide_by=relevant, cut=none)",
    )


def test_a_multiple_of_a_definition_is_said_to_be_one(own):
    found = subject("metrics.py:recall_percent")
    assert found["variant"] == "recall(divide_by=relevant, times=100)"
    assert found["evidence"]["confidence"] == "verified"
    assert "times" not in subject("metrics.py:ndcg_square_root")["findings"][0]["message"]

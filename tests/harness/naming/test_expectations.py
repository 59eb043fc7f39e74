"""What was expected of a function holds or not, and what a name rests on: verified, probes only, refused."""

import json

import pytest

from metric_harness import assert_computes, identify
from metric_harness.system.errors import HarnessError
from tests.harness.naming.audited import DECEIVERS, codes, subject

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("own")]


# Expectations


def test_what_was_expected_holds(run):
    ended, printed, _ = run("metrics.py:apk", "--expect", "average_precision@10", "-q")
    assert ended == 0
    assert "average_precision(divide_by=min_k_relevant)@10, and that is it" in " ".join(printed.split())


def test_what_was_expected_does_not_hold(run):
    options = ("metrics.py:ap_over_k", "--expect", "average_precision(divide_by=relevant)", "-q", "--format", "json")
    ended, printed, _ = run(*options)
    (found,) = json.loads(printed)["subjects"]
    assert (ended, codes(found)[0], found["expected"]["holds"]) == (1, "EXP001", False)
    case = found["findings"][0]["case"]
    (user,) = case["users"]
    assert [row["value"] for row in case["candidates"]] == [1.0, 0.5]
    assert (user["list"], user["relevant"], case["k"], case["value"]) == ([0], [0], 2, 0.5)
    assert run(*options, "--select", "NDCG")[0] == 1, "what was asked for counts unselected"
    assert run(*options, "--ignore", "EXP,AP001")[0] == 0


def test_an_unknown_definition_is_not_what_was_expected():
    found = subject("metrics.py:ndcg_square_root", expect="ndcg")
    assert codes(found) == ["EXP001", "UNX001"]
    assert "none of the known variants" in found["findings"][0]["message"]


# What a name rests on


SLOW = (f"{DECEIVERS}:recall_too_slow", "--timeout", "0.5", "-q")


def test_a_name_that_does_not_hold_at_size_is_not_what_was_expected(run):
    ended, printed, _ = run(f"{DECEIVERS}:recall_of_forty", "--expect", "recall", "-q", "--format", "json")
    (found,) = json.loads(printed)["subjects"]
    assert (ended, found["identified"], found["variant"]) == (1, False, None)
    assert found["suggested"] == "recall(divide_by=relevant)"
    assert found["evidence"]["confidence"] == "refused"
    assert codes(found)[:2] == ["EXP001", "VER001"]
    expected, really = found["findings"][:2]
    assert "from k = 41 on" in really["message"]
    assert "from k = 41 on" in expected["message"]
    assert not found["expected"]["holds"]
    case = really["case"]
    assert (case["k"], case["candidates"][0]["variant"]) == (41, "recall(divide_by=relevant)")
    assert case["value"] < case["candidates"][0]["value"]


@pytest.mark.slow
def test_less_than_verified_is_accepted_on_demand_alone(run):
    ended, printed, _ = run(*SLOW, "--expect", "recall")
    text = " ".join(printed.split())
    assert ended == 1
    assert "probes only 17 of 17 probes answered; " in text
    assert "timed out after 0.5 s" in text
    assert 'To accept that: --accept "probes only", in Python accept="probes only".' in text
    ended, printed, _ = run(*SLOW, "--expect", "recall", "--accept", "probes only")
    assert ended == 0
    assert "recall(divide_by=relevant), and that is it" in " ".join(printed.split())
    assert (
        "accept 'guesses': give one of verified, verified in part, probes only" in run(*SLOW, "--accept", "guesses")[2]
    )


def test_accepting_less_does_not_accept_what_is_refused(run):
    assert run(f"{DECEIVERS}:recall_of_forty", "--expect", "recall", "--accept", "probes only", "-q")[0] == 1


@pytest.mark.slow
def test_identify_gives_no_name_that_is_not_verified():
    with pytest.raises(HarnessError, match=r"agrees with recall.* on the probes, not at size. It departs from k = 41"):
        identify(f"{DECEIVERS}:recall_of_forty")
    with pytest.raises(
        HarnessError, match=r"agrees with precision.* on the probes, not at size. It departs .*item ids"
    ):
        identify(f"{DECEIVERS}:precision_of_small_ids", accept="probes only")
    with pytest.raises(HarnessError, match=r'the name is probes only: .*timed out.*accept="probes only"'):
        identify(f"{DECEIVERS}:recall_too_slow", timeout=0.5)
    slow = identify(f"{DECEIVERS}:recall_too_slow", timeout=0.5, accept="probes only")
    assert str(slow) == "recall(divide_by=relevant)"


@pytest.mark.slow
def test_assert_computes_fails_on_less_than_verified():
    with pytest.raises(AssertionError, match="from k = 41 on") as failed:
        assert_computes(f"{DECEIVERS}:recall_of_forty", "recall")
    assert "k = 41; hits in brackets" in str(failed.value)
    with pytest.raises(AssertionError, match="the name is probes only"):
        assert_computes(f"{DECEIVERS}:recall_too_slow", "recall", timeout=0.5)
    assert_computes(f"{DECEIVERS}:recall_too_slow", "recall", timeout=0.5, accept="probes only")

"""The command that converts, and what it refuses."""

import json

import pandas as pd
import pytest

from metric_harness.conversion.extremes import states_of_mean
from metric_harness.system.errors import HarnessError
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant
from tests.support.command import run


def signed(text, k):
    return Signature(Variant.parse(text).at(k))


@pytest.mark.parametrize(
    ("start", "goal", "said"),
    [
        ("ndcg(gain=linear)", "ndcg(gain=binary)", "depends on the ratings"),
        ("auc", "ndcg(gain=binary)", "depends on more than the ranks"),
        ("ndcg(gain=binary)", "recall(divide_by=relevant, only=judged)", "only:judged depends on more than the ranks"),
        ("precision(divide_by=k, weight=micro)", "ndcg(gain=binary)", "is no mean of users' values"),
    ],
)
def test_what_cannot_be_converted_is_refused(start, goal, said):
    with pytest.raises(HarnessError, match=said):
        states_of_mean(signed(start, 5), signed(goal, 5), (3,), 0.5, 0.5)


def test_more_than_can_be_asked_for_is_refused():
    ends = signed("precision(divide_by=k)", 100), signed("ndcg(gain=binary)", 100)
    with pytest.raises(HarnessError, match="--relevant-per-user 1-50"):
        states_of_mean(*ends, range(1, 10_001), 0.5, 0.5)


def test_the_command(tmp_path):
    start, goal = signed("precision(divide_by=k)", 10).short(), signed("recall(divide_by=relevant)", 10).short()
    ended = run("signature", "convert", "0.120", "--from", start, "--to", goal, "--relevant-per-user", "20")
    assert ended.stdout.startswith(
        "0.06 (0.05975 to 0.06025, as the digits of VALUE allow)\nExact: 0.5 times the value."
    )
    ended = run("signature", "convert", "0.3", "--from", start, "--to", goal, "--json")
    page = json.loads(ended.stdout)
    assert (page["exact"], page["low"] < 0.3 < page["high"]) == (False, True)
    pd.DataFrame({"user": [1, 2], "value": [0.1, 0.3]}).to_csv(tmp_path / "users.csv", index=False)
    words = ["signature", "convert", "--from", start, "--to", goal, "--by-user", tmp_path / "users.csv"]
    ended = run(*words, "--relevant-per-user", "4")
    assert ended.stdout.startswith("0.5\nExact: ")


@pytest.mark.slow
@pytest.mark.thorough
def test_the_command_says_what_is_not_proven_to_be_attained(tmp_path):
    """At k = 60, users with 2 relevant items have lists that can be gone through, users with 30 need a search."""
    ends = [signed(text, 60).short() for text in ("ndcg(gain=binary)", "average_precision(divide_by=hits)")]
    words = ["signature", "convert", "--from", ends[0], "--to", ends[1], "--by-user", tmp_path / "users.csv"]
    pd.DataFrame({"value": [1.0, 1.0, 0.0], "relevant": [2, 1, 2]}).to_csv(tmp_path / "users.csv", index=False)
    assert run(*words).stdout.splitlines() == [
        "0.6666666667",
        "Exact: only one value fits. Assumed: full lists, relevant items as in the file.",
    ]
    pd.DataFrame({"value": [1.0, 0.5], "relevant": [2, 30]}).to_csv(tmp_path / "users.csv", index=False)
    said = run(*words, "--seconds", "0").stdout
    assert "The smallest is not proven to be attained: no list passes it, but for 50 % of users the search was" in said
    page = json.loads(run(*words, "--json", "--seconds", "0").stdout)
    assert (page["low_not_proven"], page["high_not_proven"]) == (0.5, 0.5)
    assert page["low_gap"] >= page["high"] - page["low"] - 1e-9
    assert page["low_attained_by"] == [{"share": 0.5, "list": "hits at ranks 1, 2 of 2 relevant"}]


def test_a_column_of_relevant_items_is_checked(tmp_path):
    ends = [signed(text, 3).short() for text in ("precision(divide_by=k)", "recall(divide_by=relevant)")]
    pd.DataFrame({"value": [1.0, 0.0], "relevant": [4, 1.5]}).to_csv(tmp_path / "users.csv", index=False)
    ended = run("signature", "convert", "--from", ends[0], "--to", ends[1], "--by-user", tmp_path / "users.csv")
    assert ended.returncode == 2
    assert "row 2: relevant must be a whole number from 1 on" in ended.stderr


def test_the_command_computes_from_files():
    folder = "docs/examples/footnote"
    start, goal = signed("precision(divide_by=k)", 5).short(), signed("recall(divide_by=relevant)", 5).short()
    files = ["--recommendations", f"{folder}/recommendations.csv", "--truth", f"{folder}/truth.csv"]
    ended = run("signature", "convert", "--from", start, "--to", goal, *files)
    assert ended.returncode == 0, ended.stderr
    assert goal in ended.stdout.splitlines()[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give one of VALUE"),
        (["0.5", "--relevant-per-user", "x"], "--relevant-per-user x: give a number"),
        (["0.5", "--relevant-per-user", "5-1"], "the smaller one first"),
        (["7"], "no lists have this mean"),
        (["0.5", "--truth", "README.md"], "give one of VALUE"),
    ],
)
def test_mistakes_are_one_line(words, said):
    ends = [signed("precision(divide_by=k)", 3).short(), signed("recall(divide_by=relevant)", 3).short()]
    ended = run("signature", "convert", *words, "--from", ends[0], "--to", ends[1])
    assert ended.returncode == 2
    assert said in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize(("value", "converted"), [("0", "0"), ("1", "0.5"), ("0.0", "0.0125 (0 to 0.025")])
def test_whole_numbers_are_exact(value: str, converted: str) -> None:
    ends = [signed(text, 10).short() for text in ("precision(divide_by=k)", "recall(divide_by=relevant)")]
    ended = run("signature", "convert", value, "--from", ends[0], "--to", ends[1], "--relevant-per-user", "20")
    assert ended.stdout.startswith(converted), ended.stdout

"""verify: the number of a signature is that of evaluate; a planted other number is found, and what it is."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import pytest

from metric_harness.cli.evaluate import as_page
from metric_harness.evaluation.evaluate import evaluate_files
from metric_harness.evaluation.request import EvaluationRequest
from metric_harness.evaluation.verify import Claim, claim_of, verify
from metric_harness.evaluation.whole_case import NoNumber, read_files
from metric_harness.system.errors import HarnessError
from metric_reference.candidates.choice import Candidates
from metric_reference.catalogue import CATALOGUE
from metric_reference.signatures.differences import compare
from metric_reference.signatures.read import changed, parse
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant

NDCG = Signature(Variant.parse("ndcg@5"), ties="id_ascending", threshold=4.0)


@pytest.fixture(scope="module")
def tables(tmp_path_factory) -> tuple[Path, Path]:
    """Lists with ties; users without a list, without truth, and with nothing relevant."""
    folder, rng = tmp_path_factory.mktemp("tables"), random.Random(3)
    lists, truth = ["user,item,score"], ["user,item,rating"]
    for user in range(1, 41):
        if user % 9:
            lists += [f"{user},{item},{rng.randint(1, 6)}" for item in rng.sample(range(50), rng.randint(3, 12))]
        if user % 7:
            truth += [f"{user},{item},{rng.randint(1, 5)}" for item in rng.sample(range(50), rng.randint(1, 12))]
    truth += ["99,3,1", "98,4,5"]
    paths = folder / "lists.csv", folder / "truth.csv"
    for path, lines in zip(paths, (lists, truth), strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


@pytest.fixture(scope="module")
def files(tables):
    with read_files(*tables) as found:
        yield found


@pytest.mark.parametrize("users", ["both", "truth", "recommended", "all"])
@pytest.mark.parametrize("threshold", [None, 4.0])
def test_the_signature_of_every_number_of_evaluate_gives_that_number(tables, files, users, threshold) -> None:
    asked = [entry.variant for entry in CATALOGUE]
    request = EvaluationRequest(variants=asked, ks=[1, 5, 20], threshold=threshold, users=users)
    found = evaluate_files(*tables, request)
    page = as_page(found, asked, [1, 5, 20], {}, {"users": users, "ties": found.ties, "threshold": threshold})
    rows = [row for table in page["metrics"] for row in table["values"]]
    assert len(rows) > 150
    for row in rows:
        number = files.number(parse(row["signature"]))
        assert number == pytest.approx(float(row["value"]), abs=1e-12, nan_ok=True), row["signature"]


def test_a_number_is_what_its_signature_says_to_the_digits_given(files) -> None:
    number = files.number(NDCG)
    assert verify(files, NDCG, claim_of(f"{number:.4f}", None)).holds
    assert verify(files, NDCG, claim_of(f"{number:.6f}", 3)).holds
    assert not verify(files, NDCG, claim_of(f"{number + 0.002:.4f}", None)).holds


@pytest.mark.thorough
def test_planted_wrong_numbers_are_found_and_named(files) -> None:
    """Each number of a signature one change away is published under the unchanged signature."""
    own, planted = files.number(NDCG), 0
    for other in changed(NDCG):
        try:
            number = files.number(other)
        except NoNumber:
            continue
        if math.isnan(number) or abs(number - own) < 1e-9:
            continue
        planted += 1
        found = verify(files, NDCG, Claim(number, 10))
        assert not found.holds
        assert any(compare(one.signature, other).verdict == "same" for one in found.others), str(other)
    assert planted > 25


def test_a_number_cut_off_instead_of_rounded_is_told(files) -> None:
    signature, number, digits = NDCG, files.number(NDCG), 3
    while round(number, digits) == math.floor(number * 10**digits) / 10**digits:
        digits += 1
    found = verify(files, signature, Claim(math.floor(number * 10**digits) / 10**digits, digits))
    assert (found.holds, found.cut_off) == (False, True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"no_relevant": "error", "users": "truth"}, "norel"),
        ({"no_list": "unclear", "users": "truth"}, "nolist"),
        ({"ties": "unspecified"}, "ties"),
        ({"variant": Variant.parse("ndcg")}, "no cut-off"),
        ({"variant": Variant.parse("auc@5")}, "needs candidate_scores"),
        ({"variant": Variant.parse("average_precision(divide_by=hits)@5"), "ties": "expected"}, "no closed form"),
        ({"candidates": Candidates("uniform", 99)}, "lists do not show the draw"),
    ],
)
def test_what_a_signature_leaves_open_has_no_number(files, change, said) -> None:
    with pytest.raises(NoNumber, match=said):
        files.number(replace(NDCG, **change))


def test_a_search_passes_over_what_has_no_number(files) -> None:
    by_hits = replace(NDCG, variant=Variant.parse("average_precision(divide_by=hits)@5"))
    assert not verify(files, by_hits, Claim(0.99999, 5)).others


def test_candidates_that_were_given_are_those_of_the_lists(files) -> None:
    assert files.number(replace(NDCG, candidates=Candidates("given"))) == files.number(NDCG)


def test_an_item_listed_twice_counts_as_the_signature_says(tmp_path) -> None:
    lists, truth = tmp_path / "lists.csv", tmp_path / "truth.csv"
    lists.write_text("user,item,rank\n1,7,1\n1,7,2\n1,8,3\n", encoding="utf-8")
    truth.write_text("user,item\n1,7\n1,9\n", encoding="utf-8")
    precision = Signature(Variant.parse("precision@2"))
    with read_files(lists, truth) as files:
        assert files.number(replace(precision, duplicates="counted")) == 1.0
        assert files.number(replace(precision, duplicates="once")) == 0.5
        with pytest.raises(NoNumber, match="dup"):
            files.number(precision)


def test_ties_in_the_order_of_the_file(tmp_path) -> None:
    lists, truth = tmp_path / "lists.csv", tmp_path / "truth.csv"
    lists.write_text("user,item,score\n1,9,0.5\n1,7,0.5\n1,8,0.9\n", encoding="utf-8")
    truth.write_text("user,item\n1,9\n", encoding="utf-8")
    rank = Signature(Variant.parse("reciprocal_rank@3"))
    with read_files(lists, truth) as files:
        numbers = {ties: files.number(replace(rank, ties=ties)) for ties in ("input_order", "id_ascending", "expected")}
    assert numbers == {"input_order": 1 / 2, "id_ascending": 1 / 3, "expected": pytest.approx(5 / 12)}


@pytest.mark.parametrize(("text", "digits"), [("abc", None), ("nan", None), ("0.5", -1), ("0.5", 99)])
def test_a_claim_that_is_no_number_is_refused(text, digits) -> None:
    with pytest.raises(HarnessError, match=r"--value|--digits"):
        claim_of(text, digits)

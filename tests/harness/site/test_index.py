"""The facts of the site: what recordings, rules, reference and census say, gathered without a word lost."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from metric_harness.history.changes import UNKNOWN
from metric_harness.libraries.describe import find_libraries
from metric_harness.naming.findings.rules import rules
from metric_harness.recordings.known_functions import plain
from metric_harness.site.agreement import agreement
from metric_harness.site.chooser import chooser, table
from metric_harness.site.index import census, gather
from metric_harness.site.years import earlier, newest_of
from metric_reference.registry import METRICS
from metric_reference.variant import Variant
from metric_reports.types.site import SiteFunction
from tests.support.site import small_index


def function(library: str, name: str) -> SiteFunction:
    rows = small_index()["functions"]
    (found,) = (row for row in rows if (row["library"], row["function"], row["newest"]) == (library, name, True))
    return found


def test_a_function_is_what_its_recording_shows() -> None:
    row = function("recbole", "NDCG")
    assert (row["variant"], row["definition"], row["confidence"]) == (
        "ndcg(gain=binary)",
        "ndcg-gain-binary",
        "verified",
    )
    assert row["edges"]["no_relevant"] == "zero"
    assert row["signature"].startswith("ndcg@k|gain:binary|")
    assert row["as_documented"] is True
    assert row["constant_scorer"] == "1 where the relevant item comes first in the input, 0 where it comes last"


def test_what_is_found_comes_with_an_issue_to_send() -> None:
    (finding,) = (one for one in function("dl_rs_evaluation", "HIT_RATE")["findings"] if one["code"] == "HR001")
    assert finding["severity"] == "error"
    assert finding["issue"].startswith("# `HIT_RATE`: hit rate counts hits")
    assert "## Smallest case" in finding["issue"]


def test_a_dcg_does_not_stand_among_the_ndcgs() -> None:
    assert function("recpack", "DCGK")["apart"] == "DCG, not normalised"
    assert not function("recpack", "NDCGK")["apart"]


def test_every_function_has_an_id_and_a_definition_with_a_page() -> None:
    index = small_index()
    ids = [row["id"] for row in index["functions"]]
    pages = {one["id"] for one in index["definitions"]}
    assert len(ids) == len(set(ids))
    assert {row["definition"] for row in index["functions"] if row["definition"]} <= pages
    assert len(pages) == len(index["definitions"])


def test_a_definition_knows_its_names_vectors_and_functions() -> None:
    (one,) = (one for one in small_index()["definitions"] if one["id"] == "ndcg-gain-linear")
    assert ("trec_eval", "ndcg_cut.k") in {(name["system"], name["name"]) for name in one["names"]}
    assert len(one["vectors"]) > 20
    assert one["citation"]["short"].startswith("ndcg@20|gain:linear|mh:1.0#")
    assert one["example"]["case"]["value"] != one["example"]["case"]["candidates"][0]["value"]
    assert one["functions"]


def row(library: str, definition: str | None, **more: Any) -> Any:
    return {"library": library, "definition": definition, "diagnostic": False, "apart": "", **more}


def test_agreement_is_the_mean_share_over_pairs_of_libraries() -> None:
    rows = [row("a", "x"), row("b", "x"), row("b", "y"), row("c", "y")]
    assert agreement(rows) == {"libraries": 3, "score": pytest.approx((0.5 + 0.0 + 0.5) / 3)}
    ignored = [row("d", None), row("d", "x", diagnostic=True), row("e", "y", apart="DCG")]
    assert agreement([*rows, *ignored]) == agreement(rows)
    assert agreement([row("a", "x")]) == {"libraries": 1, "score": None}


def test_a_release_counts_until_one_of_unknown_day() -> None:
    recbole = find_libraries([])["recbole"]
    old, new = recbole.releases[0], recbole.releases[-1]
    unknown = replace(recbole, releases=(replace(old, date="2021-03-22"), replace(new, date="")))
    assert [newest_of(unknown, year) for year in (2020, 2021, 2022)] == [None, old.version, None]
    known = replace(recbole, releases=(replace(old, date="2021-03-22"), replace(new, date="2023-05-01")))
    assert [newest_of(known, year) for year in (2021, 2022, 2026)] == [old.version, old.version, new.version]


def test_earlier_years_undo_the_changes_of_later_ones() -> None:
    past: Any = {
        "asked": {"1.0": "2021-05-01", "1.1": "2022-12-31", "2.0": "2024-01-01", "2.1": ""},
        "functions": {"MAP": "1.0", "NEW": "2.0"},
        "changes": [
            {"function": "MAP", "variants": [UNKNOWN, "average_precision(divide_by=hits)"], "after": "1.1"},
            {"function": "MAP", "variants": [], "after": "1.1"},
            {
                "function": "MAP",
                "variants": ["average_precision(divide_by=hits)", "average_precision"],
                "after": "2.0",
            },
        ],
    }
    today = [row("a", "now", function=name, variant="average_precision") for name in ("MAP", "NEW", "UNASKED")]

    def computed(year: int) -> list[tuple[str, str | None]]:
        return [(one["function"], one["definition"]) for one in earlier(past, today, year)]

    assert computed(2020) == []
    assert computed(2021) == [("MAP", None)]
    assert computed(2022) == computed(2023) == [("MAP", "average_precision-divide_by-hits")]
    assert computed(2024) == [(name, "average_precision-divide_by-min_k_relevant") for name in ("MAP", "NEW")]


def test_haystack_left_the_other_map_in_its_year() -> None:
    found = gather(only=("haystack", "recbole", "recommenders", "rectools", "rs_metrics"))
    (years,) = (metric["years"] for metric in found["metrics"] if metric["key"] == "average_precision")
    of = {one["year"]: {key: id for id, keys in one["definitions"].items() for key in keys} for one in years}
    assert of[2025]["haystack"] == "average_precision-divide_by-hits"
    assert of[2026]["haystack"] == "average_precision-divide_by-relevant"
    assert all(0 <= (one["score"] or 0) <= 1 for one in years)


@pytest.mark.parametrize("metric", table())
def test_the_chooser_offers_every_value_of_a_choice(metric: str) -> None:
    choices = METRICS[metric].choices()
    for choice, words in table()[metric].items():
        assert set(words) == set(choices[choice])
        assert next(iter(words)) == choices[choice][0]


@pytest.mark.parametrize("metric", table())
def test_the_chooser_asks_at_most_six_questions(metric: str) -> None:
    users_and_relevance = 2
    assert 1 + len(table()[metric]) + users_and_relevance <= 6


def test_the_chooser_knows_the_page_of_each_answer() -> None:
    pages = {one["id"] for one in small_index()["definitions"]}
    (ndcg,) = (one for one in chooser(pages) if one["metric"] == "ndcg")
    assert ndcg["known"]["binary hits log2 k"] == [
        "ndcg-gain-binary-ideal-hits",
        "NDCG, ideal from the list's hits",
        "NDCG, ideal made of the list's own hits",
    ]
    assert ndcg["parts"]["ideal"] == "min(k,r)"


def test_every_rule_can_be_told_to_a_maintainer() -> None:
    thread = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+")
    for each in rules().values():
        assert each.say
        assert all(thread.fullmatch(address) and subject for address, subject in each.threads), each.code


def test_the_census_holds_counts_alone() -> None:
    page = census()
    assert sum(one["count"] for one in page["counts"]) == page["metrics"] == 190
    assert page["repositories"] <= page["functions"] <= page["metrics"]
    for one in page["counts"]:
        assert set(one) == {"metric", "variant", "about", "count"}
        assert one["variant"] is None or plain(Variant.parse(one["variant"])) == one["variant"]


@pytest.mark.slow
def test_the_first_sentence_is_that_of_the_documentation() -> None:
    from tests.support.places import ROOT

    head = gather()["headline"]
    sentence = f"{head['libraries']} libraries, {head['functions']} functions, {head['ndcg']} variants of NDCG"
    assert sentence in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")

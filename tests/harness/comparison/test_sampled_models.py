"""Models among drawn negatives: every draw by the literal twin, the reference among all items, and the report."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from scipy import stats

from metric_harness.comparison.sampled_order import (
    moments_of,
    places_of,
    same_from,
    sampled_section,
    whole_values,
    wrong_share,
)
from metric_harness.data.split import Protocol
from metric_harness.models.simple import ease, item_knn, popularity
from metric_reports.html.page import render_html
from metric_reports.record import validate
from metric_reports.view.sampled_view import sampled_view, short_answer
from tests.harness.bundles.toy_bundles import build
from tests.support.literal import sampled
from tests.support.page import Page
from tests.support.sample_record import sample_record

MODELS = {"ease": ease, "popularity": popularity, "itemknn": item_knn}
TEXTS = ["hit_rate@2", "ndcg@3", "reciprocal_rank@3"]


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    protocol = Protocol(3.0, "user_time")
    return {name: build(folder / name, protocol=protocol, model=made()) for name, made in MODELS.items()}


def items_of(case):
    """For each relevant item its user, its score and those of the pool with their weights; ties broken by number."""
    for user in range(case.users):
        rows = slice(case.judged_indptr[user], case.judged_indptr[user + 1])
        relevant = case.judged_items[rows][case.judged_gains[rows] >= case.threshold].tolist()
        order = sorted(range(case.n_items), key=lambda item: (-case.candidate_scores[user, item], item))
        place = {item: -at for at, item in enumerate(order) if case.candidate_scores[user, item] > -np.inf}
        pool = [(score, float(case.item_counts[item])) for item, score in place.items() if item not in relevant]
        yield from ((user, place[item], pool) for item in relevant)


@pytest.mark.parametrize("weights", ["uniform", "popularity"])
def test_expectation_and_variance_are_those_of_every_draw(bundles, weights) -> None:
    case = bundles["popularity"].case  # whose scores tie
    kept = case.users if weights == "uniform" else 8
    found = places_of(case)[weights]
    rows = found[1] < kept
    means, deviations = moments_of(weights, 2, [(found[0].take(rows), found[1][rows])], TEXTS)
    draw = sampled.Draw(2, weights == "popularity", "optimistic")
    for column, text in enumerate(TEXTS):
        name, _, k = text.partition("@")
        users: dict[int, list[tuple[float, float]]] = {}
        for user, score, pool in items_of(case):
            if user < kept:
                weighed = pool if weights == "popularity" else [(one, 1.0) for one, _ in pool]
                users.setdefault(user, []).append(sampled.moments(draw, [score], weighed, name, int(k)))
        expected = np.mean([np.mean([mean for mean, _ in of_user]) for of_user in users.values()])
        spread = np.sum([np.sum([each for _, each in of_user]) / len(of_user) ** 2 for of_user in users.values()])
        assert means[0, column] == pytest.approx(expected, abs=1e-12)
        assert deviations[0, column] ** 2 == pytest.approx(spread / len(users) ** 2, abs=1e-12)


def test_the_value_among_all_items_is_that_of_each_item_alone(bundles) -> None:
    case = bundles["itemknn"].case
    places, users = places_of(case)["uniform"]
    ranks = [1 + sum(other > score for other, _ in pool) for _, score, pool in items_of(case)]
    of_users: dict[int, list[float]] = {}
    for (user, _, _), rank in zip(items_of(case), ranks, strict=True):
        of_users.setdefault(user, []).append(1 / np.log2(rank + 1) if rank <= 3 else 0.0)
    expected = np.mean([np.mean(row) for row in of_users.values()])
    assert whole_values(places, users, ["ndcg@3"])[0] == pytest.approx(expected, abs=1e-12)


def test_the_section_of_three_models(bundles) -> None:
    section = sampled_section(bundles, [2, 3])
    assert section is not None
    assert section["models"] == list(MODELS)
    assert len(section["metrics"]) == 2 * 2 * 3
    for metric in section["metrics"]:
        numbers = [point["negatives"] for point in metric["points"]]
        assert max(numbers) == (10_000 if metric["weights"] == "popularity" else 10)
        for point in metric["points"]:
            for share, (one, other) in zip(point["wrong"], [(0, 1), (0, 2), (1, 2)], strict=True):
                gap = metric["all_items"][one] - metric["all_items"][other]
                lead = np.sign(gap) * (point["values"][one] - point["values"][other])
                if share is None:
                    assert abs(gap) < 1e-12
                elif (spread := np.hypot(point["deviations"][one], point["deviations"][other])) > 0:
                    assert share == pytest.approx(stats.norm.cdf(-lead / spread), abs=1e-12)


def test_without_the_scores_of_all_items_there_is_no_section(bundles) -> None:
    from dataclasses import replace

    bare = {name: replace(each, case=replace(each.case, candidate_scores=None)) for name, each in bundles.items()}
    assert sampled_section(bare, [3]) is None


def test_where_the_order_becomes_that_of_all_items() -> None:
    right, wrong = [["a"], ["b"]], [["b"], ["a"]]
    points = [{"negatives": m, "order": order} for m, order in ((5, right), (10, wrong), (99, right), (200, right))]
    assert same_from(points, right) == 99  # type: ignore[arg-type]
    assert same_from(points[:2], right) is None  # type: ignore[arg-type]
    assert wrong_share(0.0, 1.0) == 0.5
    assert (wrong_share(1.0, 0.0), wrong_share(-1.0, 0.0)) == (0.0, 1.0)


def record_of(bundles, name="EASE"):
    record = copy.deepcopy(sample_record())
    record["sampled"] = sampled_section(bundles, [3])
    titles = {key: name if key == "ease" else key for key in MODELS}
    models = [{"key": key, "name": title, "parameters": {}, "tie_rule": "x"} for key, title in titles.items()]
    basis = {"asked_on": None, "users": 40, "resamples": 10, "seed": 0, "level": 0.95}
    record["models"] = {"models": models, **basis, "metrics": []}
    return record


def test_the_report_has_it_one_click_from_the_first_screen(bundles) -> None:
    record = record_of(bundles, "<b>EASE</b>")
    validate(record)
    text = render_html(record)
    view = sampled_view(record)
    assert view is not None
    assert len(Page(text).all("section", id="sampled")) == 1
    assert '<a href="#sampled">' in text.partition("<main>")[0]
    assert (
        text.count('<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="curve-')
        == len(view.curves)
        == 6
    )
    assert "<b>EASE" not in text
    assert short_answer(record).startswith("Among 10 drawn negatives models rank ")


def test_the_answer_says_from_where_on_and_what_one_draw_risks() -> None:
    def metric(weights, orders, wrong, first):
        points = [
            {"negatives": m, "values": [0.3, 0.2], "deviations": [0.01, 0.01], "order": order, "wrong": [wrong]}
            for m, order in orders.items()
        ]
        return {
            "metric": "ndcg", "k": 10, "weights": weights, "all_items": [0.1, 0.05], "all_order": [["a"], ["b"]],
            "points": points, "same_from": first,
        }  # fmt: skip

    right, other = [["a"], ["b"]], [["b"], ["a"]]
    section = {"models": ["a", "b"], "pairs": [["a", "b"]], "users": 9, "relevant": 9, "smallest_pool": 500}
    record = {"sampled": {**section, "metrics": [metric("uniform", {99: right, 100: right}, 0.031, 99)]}}
    view = sampled_view(record)  # type: ignore[arg-type]
    assert view is not None
    assert view.answer.startswith("Yes: among 99 drawn negatives, a and b rank as among all items, by every metric.")
    assert view.answer.endswith("one draw still puts two models in the wrong order in up to 3.1 % of draws.")
    assert view.rows[0].wrong == "a and b: 3.1 %"
    record["sampled"]["metrics"].append(metric("popularity", {99: other, 500: right}, 0.9, 500))
    view = sampled_view(record)  # type: ignore[arg-type]
    assert view is not None
    assert view.answer.startswith(
        "No: among 99 drawn negatives, a and b rank otherwise than among all items by NDCG@10"
    )
    assert "the order is the same from 500 negatives on" in view.answer
    record["sampled"]["metrics"][1]["same_from"] = None
    assert "no number of negatives that was computed" in sampled_view(record).answer  # type: ignore[arg-type, union-attr]

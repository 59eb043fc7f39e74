"""The bundles of the simple models, and ``compare --models`` from end to end."""

from __future__ import annotations

import shutil
from collections import Counter
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from metric_harness.bundles.build import build_bundle, load_bundle
from metric_harness.data.split import Protocol, split
from metric_harness.models.simple import MODELS, ease, item_knn
from metric_reports.html.page import render_html
from metric_reports.record import read_record, validate
from metric_reports.view.models import models_view
from metric_reports.view.names import plain_name
from metric_reports.view.table import variants
from metric_reports.view.verdict import verdict
from metric_reports.view.words import words
from tests.harness.bundles.toy_bundles import make_ratings
from tests.reports.test_reports_hostile import HOSTILE
from tests.support.command import run
from tests.support.page import Page
from tests.support.places import SUPPORT

pytestmark = pytest.mark.thorough

PROTOCOL = Protocol(3.0, "user_time")


def test_bundles_of_models_share_the_split_and_differ_in_the_lists(tmp_path):
    ratings = make_ratings()
    built = {name: build_bundle(ratings, PROTOCOL, tmp_path / name, depth=6, model=m()) for name, m in MODELS.items()}
    plain = build_bundle(ratings, PROTOCOL, tmp_path / "plain", depth=6)
    assert plain.manifest == built["ease"].manifest
    train = split(ratings.frame, PROTOCOL).train
    counts = Counter(train["item_id"].tolist())
    for name, bundle in built.items():
        for array in ("judged_indptr", "judged_items", "judged_gains", "train_items", "item_counts"):
            np.testing.assert_array_equal(getattr(bundle.case, array), getattr(plain.case, array))
        assert bundle.manifest["model"]["name"] == MODELS[name]().title
        for user, user_id in enumerate(bundle.user_ids):
            seen = set(train.loc[train["user_id"] == user_id, "item_id"])
            mine = bundle.item_ids[bundle.case.list_of(user)].tolist()
            assert not seen & set(mine)
            if name == "popularity":
                left = [item for item in sorted(counts) if item not in seen]
                assert mine == sorted(left, key=lambda item: (-counts[item], item))[:6]
    lists = {bundle.case.recommended.tobytes() for bundle in built.values()}
    assert len(lists) == len(MODELS)


def test_another_parameter_is_another_recipe(tmp_path):
    one = build_bundle(make_ratings(), PROTOCOL, tmp_path, depth=6, model=item_knn(1))
    assert one.manifest["recipe"]["model"]["parameters"]["neighbours"] == 1
    two = build_bundle(make_ratings(), PROTOCOL, tmp_path, depth=6, model=item_knn(20))
    assert (one.case.recommended != two.case.recommended).any()
    assert load_bundle(tmp_path).manifest == two.manifest
    assert ease(3).recipe()["parameters"]["regularisation"] == 3.0


def planted(folder, *more):
    return run(
        "compare", "--environment", "current", "--adapters", str(SUPPORT / "planted"), "--libraries", "planted",
        "--out", str(folder / "out"), *more,
    )  # fmt: skip


@pytest.fixture(scope="module")
def ratings(tmp_path_factory):
    """Ratings of 60 users like those of MovieLens: popular items, whole stars, times."""
    drawn = np.random.RandomState(3)
    rows = []
    for user in range(60):
        liked = drawn.choice(50, 20, replace=False, p=np.arange(50, 0, -1) / sum(range(51)))
        rows += [(user + 1, item * 3 + 1, drawn.randint(3, 6), 1000 + place) for place, item in enumerate(liked)]
    path = tmp_path_factory.mktemp("ratings") / "small.csv"
    pd.DataFrame(rows, columns=["user_id", "item_id", "rating", "timestamp"]).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def done(ratings, tmp_path_factory):
    """The folder of a finished run and what it printed."""
    folder = tmp_path_factory.mktemp("run")
    options = ["--ratings", str(ratings), "--split", "user_time", "--threshold", "4", "--k", "3,5"]
    finished = planted(folder, *options, "--models", "ease,popularity,itemknn,random", "--verbose")
    assert finished.returncode == 0, finished.stderr
    return folder / "out", finished.stdout


def test_the_command_compares_models_on_one_split(done):
    out, _ = done
    record = read_record(out / "run.json")
    section = record["models"]
    assert [model["key"] for model in section["models"]] == list(MODELS)
    assert section["asked_on"] == "EASE"
    assert section["users"] == record["bundle"]["counts"]["users"]
    assert sorted(path.name for path in (out / "models").iterdir()) == ["itemknn", "popularity", "random"]
    named = {(one["metric"], one["k"]): {v["variant"] for v in one["variants"]} for one in section["metrics"]}
    assert named["ndcg", 3] == {"ndcg(gain=binary)", "ndcg(gain=binary, ideal=none)"}
    assert named["hit_rate", 5] == {"hit_rate(value=any)", "precision(divide_by=k)"}
    measured = {(cell["function"], cell["k"]): cell["value"] for cell in record["cells"]}
    compared = 0
    for one in section["metrics"]:
        for row in one["variants"]:
            ours = next(value["value"] for value in row["values"] if value["model"] == "ease")
            for function in {subject["function"] for subject in row["subjects"]} - {"changes_with_size"}:
                theirs = measured[function, one["k"]]  # what the function returned for EASE's lists
                if theirs is not None:
                    assert ours == pytest.approx(theirs, abs=1e-12)
                    compared += 1
    assert compared >= 8


@pytest.mark.slow
def test_the_bundles_of_models_are_reused(done, ratings, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(done[0], out)
    made = {path: path.stat().st_mtime_ns for path in out.glob("models/*/*.npy")}
    assert len(made) > 20
    options = ["--ratings", str(ratings), "--split", "user_time", "--threshold", "4", "--k", "3,5"]
    again = planted(out.parent, *options, "--models", "random,itemknn,popularity")
    assert again.returncode == 0, again.stderr
    assert {path: path.stat().st_mtime_ns for path in out.glob("models/*/*.npy")} == made
    record = read_record(out / "run.json")
    assert [model["key"] for model in record["models"]["models"]] == ["random", "itemknn", "popularity"]
    assert record["bundle"]["model"]["name"] == "EASE"


@pytest.mark.parametrize(("options", "models"), [((), ["ease", "popularity", "itemknn"]), (("--models", "ease"), None)])
def test_every_split_is_asked_whether_definitions_change_the_winner(ratings, tmp_path, options, models):
    finished = planted(tmp_path, "--ratings", str(ratings), "--split", "user_time", "--k", "3", "--verbose", *options)
    assert finished.returncode == 0, finished.stderr
    record = read_record(tmp_path / "out" / "run.json")
    if models is None:
        assert "models" not in record
        assert not (tmp_path / "out" / "models").exists()
        return
    assert [model["key"] for model in record["models"]["models"]] == models
    best = {one["metric"]: {tuple(row["order"][0]) for row in one["variants"]} for one in record["models"]["metrics"]}
    changed = [metric for metric, first in best.items() if len(first) > 1]
    (sentence,) = [said for said in verdict(record).sentences if "(EASE, Popularity or ItemKNN)" in said]
    assert ("does not decide" in sentence) == (not changed)
    assert all(words(metric) in sentence for metric in changed)
    assert sentence in " ".join(finished.stdout.split())


def test_the_terminal_says_what_came_out(done):
    _, printed = done
    assert "Does it matter? EASE, Popularity, ItemKNN and Random on the same split" in printed
    assert printed.index("Does it matter?") > printed.index("cells are explained")


def test_the_section_of_the_page(done):
    record = read_record(done[0] / "run.json")
    page = Page((done[0] / "report.html").read_text(encoding="utf-8"))
    assert page.problems == []
    (section,) = page.all("section", id="models")
    assert all(name in section["text"] for name in ("EASE", "Popularity", "ItemKNN", "Random", "resamples"))
    ids = [element["attrs"]["id"] for element in page.elements if "id" in element["attrs"]]
    assert len(ids) == len(set(ids))
    assert {a["attrs"]["href"][1:].partition("?")[0] for a in page.all("a") if a["attrs"]["href"][0] == "#"} <= set(ids)
    named = [table for table in page.all("table") if {"aria-label", "aria-labelledby"} & table["attrs"].keys()]
    assert len(page.all("table")) == len(page.all("caption")) + len(named)
    assert all(th["attrs"].get("scope") in ("row", "col", "rowgroup") for th in page.all("th"))
    assert all(box["attrs"]["tabindex"] == "0" for box in page.all("div", class_="scroll"))
    levels = [int(e["tag"][1]) for e in page.elements if e["tag"] in ("h1", "h2", "h3", "h4")]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for one in record["models"]["metrics"]:
        for row in one["variants"]:
            assert plain_name(row["variant"]) in section["text"]
    assert 'href="#models"' not in render_html({name: part for name, part in record.items() if name != "models"})


def test_hostile_texts_do_not_act(done):
    out, _ = done
    record = read_record(out / "run.json")

    def spoil(value, name=""):
        if name == "kind" or isinstance(value, (int, float)):
            return value
        if isinstance(value, dict):
            return {key: spoil(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            return [spoil(inner) for inner in value]
        return "javascript:alert(1)" if name == "address" else value and f"{value}{HOSTILE}"

    record["models"] = spoil(record["models"])
    html = render_html(validate(record))
    page = Page(html)
    assert page.problems == []
    assert "<script>alert" not in html
    assert not page.all("img")
    assert not [a for a in page.all("a") if a["attrs"]["href"].startswith("javascript")]
    assert models_view(record, variants(record)) is not None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--models", "ease,svd"], "there is no model 'svd'; known are ease, popularity, itemknn, random"),
        (["--models", "popularity"], "at least two"),
        (["--recommendations", "a.csv", "--truth", "b.csv", "--models", "ease,random"], "--models needs a split"),
    ],
)
def test_a_mistake_is_one_clear_line(options, message, tmp_path):
    mistaken = planted(tmp_path, *options)
    assert mistaken.returncode == 2
    assert message in " ".join(mistaken.stderr.split())
    assert "Traceback" not in mistaken.stderr


def test_help_names_every_model():
    shown = " ".join(run("compare", "--help").stdout.replace("│", " ").split())
    assert ", ".join(MODELS) in shown

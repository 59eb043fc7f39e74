"""``metric-harness explain variants``: lists, explanations, JSON, and the spread on a bundle."""

import io
import json

import pandas as pd
import pytest
from rich.console import Console
from typer.testing import CliRunner

from metric_harness.bundles.own_lists import bundle_from_files
from metric_harness.cli.app import app
from metric_harness.cli.variants import print_rows
from metric_reference.catalogue import CATALOGUE
from metric_reference.variant import METRICS, Variant, space
from tests.harness.cli.test_cli import run


def shown(*arguments):
    """What the command prints; in this process, which saves starting one for each question."""
    done = CliRunner().invoke(app, ["explain", "variants", *arguments], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    return done.stdout


def as_json(*arguments):
    return json.loads(shown("--json", *arguments))


def test_the_list_holds_every_row():
    assert {row["variant"] for row in as_json()} == {str(entry.variant) for entry in CATALOGUE}


def test_all_is_the_whole_space():
    assert len(as_json("--all", "--metric", "average_precision")) == len(space("average_precision"))


def test_filters():
    rows = as_json("--metric", "ndcg", "--search", "lenskit")
    assert {row["variant"] for row in rows} == {
        "ndcg(gain=binary, discount=max_log2)",
        "ndcg(gain=linear, discount=max_log2)",
    }
    assert as_json("--search", "nobody uses this") == []


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_explains_itself(name):
    text = str(Variant(METRICS[name]()))
    row = as_json(text)
    assert (row["variant"], row["metric"]) == (text, name)
    assert row["formula"]
    assert row["about"]
    assert len(row["bounds"]) == 2
    assert text in shown(text)


def test_an_example_is_worked_out():
    text = shown("average_precision(divide_by=hits)@10")
    assert all(part in text for part in ("hits in brackets", "this variant gives", "AP004"))


def test_a_pipe_gets_whole_names_a_line_each():
    lines = run("explain", "variants").stdout.splitlines()
    assert [line.split("  ")[0] for line in lines[:-1]] == ["variant", *(str(entry.variant) for entry in CATALOGUE)]
    assert not [line for line in lines if "…" in line or line != line.rstrip()]
    text = "ndcg(gain=exponential_over_threshold, discount=shifted_log2, ideal=relevant, cut=none)"
    assert run("explain", "variants", f"{text}@10").stdout.startswith(f"{text}@10  ")


@pytest.mark.parametrize("width", [60, 80, 110, 160])
def test_a_terminal_gets_whole_names_within_its_width(width):
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    print_rows(CATALOGUE, console)
    lines = console.file.getvalue().splitlines()
    names = [str(entry.variant) for entry in CATALOGUE]
    assert [line.split("  ")[0] for line in lines if line.startswith(tuple(names))] == names
    assert not [line for line in lines if len(line) > max(width, *map(len, names))]
    assert all(any(name in line for line in lines) for name in names)


def test_what_is_no_variant():
    done = run("explain", "variants", "map@10")
    assert (done.returncode, "'map' is no metric" in done.stderr) == (2, True)
    assert run("explain", "variants", "--metric", "map").returncode == 2


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lists")
    pred = pd.DataFrame({"user_id": [1, 1, 2, 2], "item_id": [10, 11, 10, 12], "score": [0.9, 0.8, 0.7, 0.6]})
    truth = pd.DataFrame({"user_id": [1, 1, 2], "item_id": [11, 13, 10]})
    pred.to_csv(folder / "pred.csv", index=False)
    truth.to_csv(folder / "test.csv", index=False)
    bundle_from_files(folder / "pred.csv", folder / "test.csv", folder / "bundle", threshold=None, depth=2)
    return folder / "bundle"


def test_the_spread_on_a_bundle(bundle):
    tables = {(t["metric"], t["k"]): t for t in as_json("--on", str(bundle), "--k", "1,2")}
    recall = tables["recall", 2]["groups"]
    values = {variant: group["value"] for group in recall for variant in group["variants"]}
    assert values["recall(divide_by=relevant)"] == pytest.approx((0.5 + 1) / 2)
    assert values["recall(divide_by=relevant, weight=micro)"] == pytest.approx(2 / 3)
    assert [group["value"] for group in recall] == sorted(group["value"] for group in recall)
    together = [sorted(group["variants"]) for group in tables["hit_rate", 2]["groups"]]
    assert together == [["hit_rate(value=any)", "hit_rate(value=hits)"]]
    assert {row["variant"] for row in tables["auc", 1]["not_computable"]} >= {"auc(scope=per_user)"}
    text = shown("--on", str(bundle), "--k", "2")
    assert "recall@2: 5 variants, 3 values" in text
    assert "needs candidate_scores" in text


def test_no_bundle_there(tmp_path):
    done = run("explain", "variants", "--on", str(tmp_path / "nothing"))
    assert (done.returncode, "nothing" in done.stderr) == (2, True)

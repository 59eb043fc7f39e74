"""The Spark engine in local mode with several partitions: the local engine's numbers, and DataFrames in and out."""

from __future__ import annotations

import math
import os
import shutil
import sys
import uuid
from collections.abc import Iterator
from dataclasses import astuple
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.stats import mannwhitneyu

from metric_harness.system.errors import HarnessError
from metric_reference.case import case_from_lists
from metric_reference.variant import Variant
from tests.harness.evaluation.made_files import KS, VARIANTS, columns, write
from tests.support.evaluated import evaluate_files

pytestmark = pytest.mark.slow
SMALL = [str(uuid.UUID(int=0xABCDEF << 100 | n)) for n in range(3)]
CAPITAL = [one.upper() for one in SMALL]

pytest.importorskip("pyspark", reason="PySpark is not installed; pip install 'metric-harness[spark]'")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("there is no Java, which Spark needs", allow_module_level=True)

PARTITIONS = 5


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]").appName("metric-harness tests")
        .config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", PARTITIONS)
        .config("spark.sql.adaptive.coalescePartitions.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )  # fmt: skip
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def frames(spark: Any, folder: Path, **how: Any) -> tuple[Any, Any, Path, Path]:
    lists, truth = write(folder, *columns(**how))
    read = [spark.read.parquet(str(path)).repartition(3) for path in (lists, truth)]
    return read[0], read[1], lists, truth


@pytest.mark.parametrize("ids", ["int", "uuid", "digits"])
@pytest.mark.parametrize(("users", "ratings", "rank"), [("both", True, False), ("all", False, True)])
def test_the_local_engines_numbers(spark: Any, ids: str, users: str, ratings: bool, rank: bool, tmp_path: Path) -> None:
    from tests.support.evaluated import evaluate_frames

    lists, truth, *paths = frames(spark, tmp_path, ids=ids, ratings=ratings, rank=rank, users=200)
    local = evaluate_files(*paths, VARIANTS, KS, users=users, work=tmp_path / "work")
    found = evaluate_frames(lists, truth, VARIANTS, KS, users=users)
    assert found.numbers.keys() == local.numbers.keys()
    for name, value in local.numbers.items():
        assert found.numbers[name] == pytest.approx(value, abs=1e-12, rel=1e-12, nan_ok=True), name
    assert found.counts == local.counts
    assert found.not_available == local.not_available
    assert found.threshold == local.threshold
    assert found.notes == [f"Spark, {PARTITIONS} partitions of users"]


def test_dataframes_in_and_out(spark: Any, tmp_path: Path) -> None:
    from metric_harness.evaluation.spark import evaluate_dataframes

    lists, truth, *paths = frames(spark, tmp_path, ids="text")
    asked = ["ndcg", "average_precision(divide_by=relevant)", "mae"]
    found = evaluate_dataframes(lists, truth, asked, [5], partitions=3)
    assert found.schema.simpleString() == "struct<metric:string,variant:string,k:int,value:double>"
    local = evaluate_files(*paths, [Variant.parse(one) for one in asked], [5], work=tmp_path / "work")
    rows = {row["variant"]: row["value"] for row in found.collect()}
    assert rows.pop("mae(over=ratings)@5") is None
    assert rows == pytest.approx(local.numbers, abs=1e-12)


def test_values_by_user(spark: Any, tmp_path: Path) -> None:
    from metric_harness.evaluation.spark import values_by_user

    lists, truth, *paths = frames(spark, tmp_path, ids="uuid")
    asked = [Variant.parse("ndcg(gain=linear)"), Variant.parse("recall")]
    target = tmp_path / "users.parquet"
    evaluate_files(*paths, asked, KS, work=tmp_path / "work", by_user=target, users="truth")
    frame = values_by_user(lists, truth, asked, KS, users="truth")
    assert frame.rdd.getNumPartitions() > 1
    table = frame.toArrow().to_pandas().sort_values("user", ignore_index=True)
    local = pq.read_table(target).to_pandas().sort_values("user", ignore_index=True)
    pd.testing.assert_frame_equal(table, local, check_dtype=False, atol=1e-12)


@pytest.mark.parametrize("how", ["score", "rank", "place"])
def test_a_list_for_each_user(spark: Any, how: str, tmp_path: Path) -> None:
    from tests.support.evaluated import evaluate_frames

    lists, truth = columns(rank=how != "score", shuffled=how != "place", users=60)
    tables = [pd.DataFrame(table).groupby("user_id").agg(list).reset_index() for table in (lists, truth)]
    tables[0] = tables[0].rename(columns={"item_id": "items", "score": "scores"})
    if how == "place":
        tables[0] = tables[0].drop(columns="rank")
    paths = [tmp_path / "recs.parquet", tmp_path / "truth.parquet"]
    for table, path in zip(tables, paths, strict=True):
        table.to_parquet(path)
    local = evaluate_files(*paths, VARIANTS, KS, work=tmp_path / "work")
    read = [spark.read.parquet(str(path)) for path in paths]
    found = evaluate_frames(*read, VARIANTS, KS)
    assert found.numbers == pytest.approx(local.numbers, abs=1e-12, nan_ok=True)
    assert found.counts == local.counts
    apart = evaluate_files(*write(tmp_path, lists, truth), VARIANTS, KS, work=tmp_path / "work")
    assert found.numbers == pytest.approx(apart.numbers, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("user", "others", "item", "items"),
    [
        (["001", "02", "x"], [1.0, 2.0, 3.0], [b"i1", b"i2", b"i3"], ["i1", "i2", "i4"]),
        (["01", "02", "10"], ["1", "2", "10"], ["007", "8", "1"], ["7", "8", "x"]),
        (CAPITAL, SMALL, ["1.0", "2.0", "x"], ["1", "2", "x"]),
        ([b"\xff", b"1", b"2"], ["ff", "31", "9"], [Decimal(f"{n}.00") for n in (7, 8, 9)], ["007", "8", "x"]),
    ],
)  # fmt: skip
def test_ids_have_the_form_of_files(spark: Any, user: Any, others: Any, item: Any, items: Any, tmp_path: Path) -> None:
    """As on files; the third user of the recommendations has an empty list."""
    from tests.support.evaluated import evaluate_frames

    lists = {"user": user, "item": [item, item[:1], []]}
    lists["item"] = pa.array(lists["item"], pa.list_(pa.array(item).type))
    paths = tmp_path / "recs.parquet", tmp_path / "truth.parquet"
    for path, table in zip(paths, (lists, {"user": others, "item": items}), strict=True):
        pq.write_table(pa.table(table), path)
    for users in ("both", "all"):
        local = evaluate_files(*paths, VARIANTS, KS, users=users, work=tmp_path / "work")
        found = evaluate_frames(*(spark.read.parquet(str(path)) for path in paths), VARIANTS, KS, users=users)
        assert found.numbers == pytest.approx(local.numbers, abs=1e-12, nan_ok=True)
        assert found.counts == local.counts
        pages = [one.overlap.page(users) for one in (local, found)]
        assert pages[0]["rows"] == pages[1]["rows"]
        assert pages[0]["ids"] == pages[1]["ids"]
        forms = [[(row["side"], row["role"], row["form"]) for row in page["converted"]] for page in pages]
        assert forms[0] == forms[1]


def test_lists_that_do_not_go_together(spark: Any) -> None:
    from metric_harness.evaluation.spark import evaluate_dataframes

    truth = spark.createDataFrame([(1, [2])], "user long, item array<long>")
    for rows, kind, message in (
        ([(1, [1, 2], [0.5])], "item array<long>, score array<double>", "user 1: its lists have different lengths"),
        ([(1, [1, 2], 0.5)], "item array<long>, score double", "of the columns item and score only one holds lists"),
        ([(1, [(2,)], [0.5])], "item array<struct<id:long>>, score array<double>", "column item holds array<struct"),
    ):
        with pytest.raises(HarnessError, match=f"^recommendations: {message}"):
            evaluate_dataframes(spark.createDataFrame(rows, f"user long, {kind}"), truth, ["ndcg"], [5])


def test_what_is_wrong_with_the_data_is_said(spark: Any, tmp_path: Path) -> None:
    from metric_harness.evaluation.spark import evaluate_dataframes

    lists, truth, *_ = frames(spark, tmp_path)
    with pytest.raises(HarnessError, match=r"truth: user .* and item .* stand in it twice"):
        evaluate_dataframes(lists, truth.union(truth.limit(1)), ["ndcg"], [5])
    with pytest.raises(HarnessError, match=r"no column for the score or the rank"):
        evaluate_dataframes(lists.drop("score"), truth, ["ndcg"], [5])
    with pytest.raises(HarnessError, match=r"the score is empty, NaN or infinite"):
        evaluate_dataframes(lists.replace(0.5, float("nan"), "score"), truth, ["ndcg"], [5])


@pytest.mark.parametrize("partitions", [1, 7])
def test_stacked_auc_by_a_distributed_sort(spark: Any, partitions: int) -> None:
    """Against scipy's Mann-Whitney U, which counts tied pairs half."""
    from metric_harness.evaluation.spark_sort import stacked_auc

    rng = np.random.default_rng(11)
    scores, labels = np.round(rng.normal(size=4000), 2), rng.integers(0, 2, 4000)
    frame = spark.createDataFrame(pd.DataFrame({"score": scores, "label": labels}).to_dict("records")).repartition(4)
    above, beside = scores[labels == 1], scores[labels == 0]
    expected = mannwhitneyu(above, beside).statistic / (len(above) * len(beside))
    assert stacked_auc(frame, partitions=partitions) == pytest.approx(expected, abs=1e-14)
    lost = stacked_auc(frame, "lose", partitions)
    assert stacked_auc(frame, "win", partitions) + lost == pytest.approx(2 * expected, abs=1e-14)
    assert lost < expected


def test_stacked_auc_beside_lists(spark: Any, tmp_path: Path) -> None:
    """-infinity is no candidate; the number is the reference's; a missing score is refused."""
    from metric_harness.evaluation.spark import evaluate_dataframes

    rng = np.random.default_rng(12)
    candidates = rng.choice([-math.inf, 0.0, 0.25, 0.5, 1.0], (30, 8))
    liked = [rng.permutation(8)[:3].tolist() for _ in range(30)]
    case = case_from_lists([[0]] * 30, liked, 8, candidate_scores=candidates)
    expected = Variant.parse("auc(scope=stacked)").value(case, k=1)
    labels = np.zeros((30, 8))
    for user, items in enumerate(liked):
        labels[user, items] = 1
    flat = [(float(s), float(one)) for s, one in zip(candidates.ravel(), labels.ravel(), strict=True)]
    frame = spark.createDataFrame(flat, "score double, label double")
    lists, truth, *_ = frames(spark, tmp_path)
    found = evaluate_dataframes(lists, truth, ["auc(scope=stacked)", "ndcg"], [5], candidates=frame).collect()
    assert {row["variant"]: row["value"] for row in found}["auc(scope=stacked)@5"] == pytest.approx(expected, abs=1e-14)
    missing = frame.union(spark.createDataFrame([(None, 1.0)], frame.schema))
    with pytest.raises(HarnessError, match=r"a score or label is missing or NaN"):
        evaluate_dataframes(lists, truth, ["auc(scope=stacked)"], [5], candidates=missing)


def test_the_command(spark: Any, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from metric_harness.cli.app import app

    _, _, lists, truth = frames(spark, tmp_path)
    words = ["evaluate", "--recommendations", str(lists), "--truth", str(truth), "--engine", "spark", "--quiet",
             "--variants", "ndcg,coverage", "--by-user", str(tmp_path / "users")]  # fmt: skip
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "ndcg(gain=binary)@10" in done.output
    assert pq.read_table(tmp_path / "users").column_names == ["user", "relevant", "listed", "ndcg(gain=binary)@10"]


@pytest.mark.parametrize("per", ["user", "item"])
@pytest.mark.parametrize("kind", ["ranks", "scores", "one item a user"])
def test_drawn_negatives_as_on_files(spark: Any, kind: str, per: str, tmp_path: Path) -> None:
    from metric_harness.evaluation import spark_sampled
    from metric_harness.evaluation.ranked_items import from_ranks, from_scores
    from metric_harness.evaluation.sampled import drawings_of, evaluate_sampled, measures_of

    rng, users, items = np.random.default_rng(8), 40, 15
    pairs = pd.DataFrame({"user": np.repeat(np.arange(users), items), "item": np.tile(np.arange(items), users)})
    scores = pairs.assign(score=rng.integers(0, 9, len(pairs)) / 2)
    relevant = pairs.iloc[:: items if kind == "one item a user" else 4]
    truth = relevant.assign(rating=rng.integers(3, 6, len(relevant)))
    train = pd.DataFrame({"user": "x", "item": rng.integers(0, items + 3, 200)}).assign(user=np.arange(200))
    ranked = scores.assign(rank=scores.groupby("user").score.rank(method="first", ascending=False), candidates=items)
    ranks = relevant.merge(ranked).assign(weight_above=lambda table: (table["rank"] - 1) * 1.5, weight=items * 2.5)
    files = {}
    for name, table in (("scores", scores), ("truth", truth), ("train", train), ("ranks", ranks.drop(columns="score"))):
        if (name == "ranks") == (kind != "scores"):
            files[name] = tmp_path / f"{name}.parquet"
            table.sample(frac=1, random_state=1).to_parquet(files[name])

    def read(database: Any) -> Any:
        if "ranks" in files:
            return from_ranks(database, files["ranks"])
        return from_scores(database, files["scores"], files["truth"], files["train"], 4.0)

    drawings, measures = drawings_of([3, 99], per), measures_of([2, 5])
    local = evaluate_sampled(read, drawings, measures)
    found = spark_sampled.evaluate_paths(files, drawings, measures, 4.0)
    assert found.among_all == pytest.approx(local.among_all, abs=1e-12)
    assert found.left_out == local.left_out
    assert found.items == local.items
    assert list(found.sampled) == list(local.sampled)
    assert len(found.sampled) == 3
    for drawing, values in local.sampled.items():
        for text in measures:
            assert astuple(found.sampled[drawing][text]) == pytest.approx(astuple(values[text]), abs=1e-12), text


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([(1, 1, 0, 9)], "user 1, item 1: rank: the rank must be a whole number from 1 to the candidates"),
        ([(1, 1, 1, 9), (1, 2, 2, 8)], "user 1 has different numbers of candidates"),
        ([(1, 1, 1, 9), (1, 1, 2, 9)], "user 1 and item 1 stand in it twice"),
        ([(1, 1, 1, 2), (1, 2, 2, 2)], "user 1 has no candidate beside the relevant items"),
    ],
)
def test_wrong_ranks_are_named(spark: Any, rows: Any, said: str) -> None:
    from metric_harness.evaluation import spark_sampled
    from metric_harness.evaluation.sampled import drawings_of

    frame = spark.createDataFrame(rows, "user long, item long, rank long, candidates long")
    with pytest.raises(HarnessError, match=said):
        spark_sampled.evaluate_frames(lambda made: spark_sampled.from_ranks(made, frame), drawings_of([1], "user"), [])

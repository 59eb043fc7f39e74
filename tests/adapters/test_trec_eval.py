"""``evaluate`` beside trec_eval, as pytrec_eval has it: 1,000 random runs and published lists, to the last digit."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from metric_harness.evaluation.evaluate import Evaluation, EvaluationRequest, evaluate_files
from metric_reference.signatures.names import Named, table
from metric_reference.variant import Variant
from tests.support.live import LIBRARIES, made_ready

pytestmark = [pytest.mark.slow, pytest.mark.live]
K, RUNS = 10, 1000
NAMED = [row for row in table() if row.system == "trec_eval"]
SCRIPT = """
import json, sys
import pytrec_eval
page = json.load(open(sys.argv[1]))
found = pytrec_eval.RelevanceEvaluator(page["qrels"], set(page["measures"])).evaluate(page["run"])
means = {name: sum(row[name] for row in found.values()) / len(found) for name in page["measures"]}
shown = {query: {name: f"{value:.4f}" for name, value in row.items()} for query, row in found.items()}
json.dump({"queries": shown, "means": {name: f"{value:.4f}" for name, value in means.items()}}, sys.stdout)
"""


def measure(name: str) -> str:
    return name.replace(".{k}", f"_{K}")


def of(row: Named) -> Variant:
    """The variant of a name, at any cut-off."""
    return replace(row.signature.variant, k=None)


def by_query(rows: pd.DataFrame, column: str) -> dict[str, dict[str, float]]:
    groups = rows.groupby("user_id")
    return {str(user): dict(zip(own["item_id"], own[column].tolist(), strict=True)) for user, own in groups}


def trec_eval(lists: pd.DataFrame, truth: pd.DataFrame, folder: Path) -> dict:
    """What trec_eval prints for each query and on average, every measure that has a name in the table."""
    page = {
        "measures": [measure(row.name) for row in NAMED],
        "qrels": by_query(truth, "rating"),
        "run": by_query(lists, "score"),
    }
    (folder / "page.json").write_text(json.dumps(page))
    library = LIBRARIES["pytrec_eval"]
    python = made_ready(library, library.newest()).python
    ended = subprocess.run([python, "-c", SCRIPT, folder / "page.json"], capture_output=True, text=True, check=True)
    return json.loads(ended.stdout)


def ours(lists: pd.DataFrame, truth: pd.DataFrame, folder: Path) -> tuple[Evaluation, pd.DataFrame]:
    """The same from ``evaluate``: lists in trec_eval's order, scores falling as float32, equal ones by item falling."""
    ordered = lists.assign(score=lists["score"].astype(np.float32))
    ordered = ordered.sort_values(["user_id", "score", "item_id"], ascending=[True, False, False])
    ordered["rank"] = ordered.groupby("user_id").cumcount() + 1
    ordered[["user_id", "item_id", "rank"]].to_parquet(folder / "lists.parquet")
    truth.to_parquet(folder / "truth.parquet")
    asked = EvaluationRequest(variants=tuple(dict.fromkeys(of(row) for row in NAMED)), ks=(K,))
    found = evaluate_files(folder / "lists.parquet", folder / "truth.parquet", asked, by_user=folder / "users.parquet")
    return found, pd.read_parquet(folder / "users.parquet")


def at_random() -> tuple[pd.DataFrame, pd.DataFrame]:
    """1,000 runs of one query: up to 50 items, scores with ties, up to 30 judged items with grades 0 to 3."""
    rng = np.random.default_rng(6)
    items = np.array([f"doc-{number}" for number in rng.permutation(400)])
    lists, truth = [], []
    for query in range(RUNS):
        listed = rng.permutation(items)[: rng.integers(1, 51)]
        lists += [
            (query, item, score) for item, score in zip(listed, rng.integers(0, 40, len(listed)) / 4, strict=True)
        ]
        judged = np.unique(
            np.concatenate((rng.permutation(items)[: rng.integers(1, 20)], rng.permutation(listed)[:10]))
        )
        grades = rng.integers(0, 4, len(judged))
        grades[rng.integers(0, len(judged))] = 1
        truth += [(query, item, int(grade)) for item, grade in zip(judged, grades, strict=True)]
    return (
        pd.DataFrame(lists, columns=["user_id", "item_id", "score"]),
        pd.DataFrame(truth, columns=["user_id", "item_id", "rating"]),
    )


def hold(lists: pd.DataFrame, truth: pd.DataFrame, folder: Path) -> None:
    printed = trec_eval(lists, truth, folder)
    found, users = ours(lists, truth, folder)
    for row in NAMED:
        name = str(of(row).at(K))
        assert f"{found.numbers[name]:.4f}" == printed["means"][measure(row.name)], name
        for user, value in zip(users["user"], users[name], strict=True):
            assert f"{value:.4f}" == printed["queries"][str(user)][measure(row.name)], (user, name)


def test_random_runs(tmp_path):
    hold(*at_random(), tmp_path)


def test_the_published_lists(movielens, tmp_path):
    lists = pd.read_csv(movielens("paper-sample", "pred.csv"), dtype={"item_id": str})
    truth = pd.read_csv(movielens("paper-sample", "test.csv"), dtype={"item_id": str})[["user_id", "item_id"]]
    truth = truth[truth["user_id"].isin(lists["user_id"])].drop_duplicates().assign(rating=1)
    hold(lists, truth, tmp_path)

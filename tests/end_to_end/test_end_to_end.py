"""The main job on real data with the real libraries, through the command line."""

import json
import subprocess
import sys

import pandas as pd
import pytest

from metric_reports.record import read_record
from tests.harness.recordings.test_recordings import UNKNOWN

pytestmark = [pytest.mark.live, pytest.mark.slow]

LIBRARIES = {
    "beta_rec", "daisyrec", "lenskit", "recbole", "recommenders", "recpack", "replay", "rs_metrics", "torchmetrics",
}  # fmt: skip
"""Those of the package index, but for OpenRec, whose tf1 evaluators take minutes a cell on larger data."""
VARIANTS = {
    ("daisyrec", "MAP"): "average_precision(divide_by=hits)",
    ("daisyrec", "NDCG"): "ndcg(gain=binary, ideal=hits)",
    ("lenskit", "AveragePrecision"): "average_precision(divide_by=min_list_relevant)",
    ("lenskit", "NDCG"): "ndcg(gain=binary, discount=max_log2)",
    ("lenskit", "Recall"): "recall(divide_by=min_k_relevant)",
    ("recbole", "MAP"): "average_precision(divide_by=min_k_relevant)",
    ("recbole", "GAUC"): "auc(scope=per_positive)",
    ("recommenders", "map"): "average_precision(divide_by=relevant)",
    ("recommenders", "map_at_k"): "average_precision(divide_by=min_k_relevant)",
    ("recommenders", "ndcg_at_k[exp]"): "ndcg(gain=exponential)",
    ("recpack", "HitK"): "hit_rate(value=hits)",
    ("recpack", "CalibratedRecallK"): "recall(divide_by=min_k_relevant)",
    ("rs_metrics", "mapr"): "average_precision(divide_by=relevant)",
    ("recommenders", "r_precision_at_k"): "r_precision(divide_by=relevant, who=with_hit)",
    ("torchmetrics", "RetrievalMAP"): "average_precision(divide_by=hits)",
    ("torchmetrics", "RetrievalAUROC"): "auc(scope=per_user)",
    ("torchmetrics", "RetrievalAUROC[top_k]"): "auc(scope=top_k, one_sided=zero)",
}
LACKING = ("leave-one-out", "compiled", "which this bundle does not have")
"""Words of the reasons for which a cell has no number on MovieLens-100K; it has no features of items, for one."""
CODES = {
    ("dl_rs_evaluation", "HIT_RATE"): {"HR001"},
    ("rs_metrics", "mapr"): {"AP002"},
    ("daisyrec", "MAP"): {"AP004"},
    ("daisyrec", "NDCG"): {"NDCG002"},
    ("daisyrec", "AUC"): {"NAN001"},
    ("lenskit", "AveragePrecision"): {"AP005"},
    ("lenskit", "NDCG"): {"NDCG005"},
    ("lenskit", "Recall"): {"REC001"},
    ("torchmetrics", "RetrievalMAP"): {"AP004"},
}


def run(out, *options):
    command = [sys.executable, "-m", "metric_harness", "compare", "--out", str(out), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return read_record(out / "run.json")


def hold(record, out):
    """What must hold of any comparison of all libraries: every cell is predicted, or says why there is none."""
    ran = {library["name"] for library in record["libraries"] if library["status"] == "ran"}
    assert ran >= LIBRARIES
    table = pd.read_csv(out / "results.csv")
    assert len(table) == len(record["cells"]) >= 53
    for cell in record["cells"]:
        if (cell["library"], cell["function"]) in UNKNOWN:
            continue
        assert cell["status"] in ("explained", "not_available"), cell
        lacks = cell["predicted"] is None and any(words in cell["error"] for words in LACKING)
        assert cell["library"] in ran or cell["predicted"] is not None or lacks, cell
        assert cell["status"] == "not_available" or cell["agreement"] in ("same", "same_in_float32")
        if cell["difference"] not in (None, "nan"):
            assert abs(cell["difference"]) <= 1e-6
        if cell["users"]:
            assert cell["users"]["equal"] == cell["users"]["answered"]
    named = {(s["library"], s["function"]): s["variant"] for s in record["subjects"]}
    assert named | VARIANTS == named
    html = (out / "report.html").read_text(encoding="utf-8")
    assert all(function in html for _, function in named)


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return tmp_path_factory.mktemp("ml-100k")


@pytest.fixture(scope="module")
def record(out):
    """The default command: MovieLens-100K, all libraries."""
    return run(out)


def test_every_cell_on_ml_100k_is_explained(record, out):
    hold(record, out)
    ran = {library["name"] for library in record["libraries"] if library["status"] == "ran"}
    assert "openrec" in ran
    asked = [c for c in record["cells"] if c["library"] in ran and (c["library"], c["function"]) not in UNKNOWN]
    waiting = [c for c in asked if c["status"] != "explained"]
    assert not [c for c in waiting if not any(words in c["error"] for words in LACKING)]
    assert record["bundle"]["counts"]["users"] > 500


def test_the_known_divergences_are_found(record):
    found = {}
    for finding in record["findings"]:
        found.setdefault((finding["library"], finding["function"]), set()).add(finding["code"])
    for subject, codes in CODES.items():
        assert codes <= found[subject]


def test_users_without_lists_and_without_relevant_items(record):
    edges = {(s["library"], s["function"]): s["edges"] for s in record["subjects"]}
    assert edges["recommenders", "precision_at_k"]["no_list"] == "skipped"
    assert edges["recommenders", "ndcg_at_k"]["no_list"] == "zero"
    assert edges["rs_metrics", "precision"]["no_list"] == "poisons_mean"
    assert edges["recbole", "Recall"]["no_relevant"] == "poisons_mean"
    assert edges["recpack", "RecallK"]["no_relevant"] == "skipped"


def test_the_same_run_again_gives_the_same_record(record, out):
    again = run(out)
    for part in ("bundle", "subjects", "cells", "findings", "probes"):
        assert json.dumps(again[part], sort_keys=True) == json.dumps(record[part], sort_keys=True)

"""The adapters: what each library answers for hand-made cases, the shapes they share, and the Python they run on."""

import ast
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from metric_adapters.case_files import save_case
from metric_adapters.shapes import candidate_pairs, dense_ranks, frame, hit_matrix, lists_by_user, recommended_pairs
from metric_harness.libraries.describe import Library, Release
from metric_harness.libraries.staging import stage
from metric_harness.worker.process import Reply, Worker
from metric_reference.case import Case, case_from_lists
from metric_reference.variant import BEYOND, RANKING, standard
from tests.support.live import LIBRARIES, Live, made_ready
from tests.support.places import ROOT

NAN = float("nan")
Ask = Callable[[str, str, Case, int], Reply]


@pytest.fixture
def ask(live: Live) -> Ask:
    """Ask a function of a library's newest release for a case."""
    return live.ask


def four_users() -> Case:
    """Four users, 12 items, lists of 10, read at k = 5: more relevant items than k, no hit up to k, one relevant item.

    The score of rank r is 1/r, that of the two items outside a list is 0.
    """
    ranks = [[2, 5, 8], [1, 2, 3, 4, 5, 6, 7], [10], [1]]
    lists = [[(3 * user + rank) % 12 for rank in range(10)] for user in range(4)]
    relevant = [[lists[user][rank - 1] for rank in row] for user, row in enumerate(ranks)]
    scores = 1.0 / np.arange(1, 11)
    candidate = np.zeros((4, 12))
    for user, row in enumerate(lists):
        candidate[user, row] = scores
    return case_from_lists(lists, relevant, 12, scores=[scores.tolist()] * 4, candidate_scores=candidate)


FOUR_USERS = {
    "lenskit": {
        "Hit": 0.75, "Precision": 0.4, "Recall": 0.666667, "RecipRank": 0.625, "AveragePrecision": 0.575,
        "NDCG": 0.635948, "NDCG[gain]": 0.635948,
    },
    "recbole": {
        "Hit": 0.75, "Precision": 0.4, "Recall": 0.595238, "MRR": 0.625, "MAP": 0.575, "NDCG": 0.619406,
        "GAUC": 0.848485, "AUC": 0.722222,
    },
    "recommenders": {
        "precision_at_k": 0.4, "recall_at_k": 0.595238, "r_precision_at_k": 0.682540, "map": 0.503571,
        "map_at_k": 0.575, "ndcg_at_k": 0.619406, "ndcg_at_k[raw]": 0.619406, "ndcg_at_k[exp]": 0.619406,
        "auc": 0.722222,
    },
    "rs_metrics": {
        "hitrate": 0.75, "precision": 0.4, "recall": 0.595238, "mrr": 0.625, "mapr": 0.503571, "ndcg": 0.619406,
    },
    "daisyrec": {
        "HR": 0.75, "Precision": 0.4, "Recall": 0.595238, "MRR": 0.625, "MAP": 0.6125, "NDCG": 0.656013, "AUC": NAN,
    },
    "recpack": {
        "HitK": 2.0, "PrecisionK": 0.4, "RecallK": 0.595238, "CalibratedRecallK": 0.666667, "ReciprocalRankK": 0.625,
        "NDCGK": 0.619406, "DCGK": 1.241560,
    },
    "torchmetrics": {
        "RetrievalHitRate": 0.75, "RetrievalPrecision": 0.4, "RetrievalRecall": 0.595238,
        "RetrievalRPrecision": 0.583333, "RetrievalMRR": 0.625, "RetrievalMAP": 0.6125,
        "RetrievalNormalizedDCG": 0.619406, "RetrievalAUROC": 0.712121, "RetrievalAUROC[top_k]": 0.333333,
    },
}  # fmt: skip
IN_FLOAT32 = {"torchmetrics"}
BY_USER = {
    ("lenskit", "Recall"): [2 / 3, 1, 0, 1],
    ("recbole", "Recall"): [2 / 3, 5 / 7, 0, 1],
    ("rs_metrics", "recall"): [2 / 3, 5 / 7, 0, 1],
    ("daisyrec", "Recall"): [2 / 3, 5 / 7, 0, 1],
    ("daisyrec", "AUC"): [1 / 3, NAN, NAN, 1],
    ("recpack", "HitK"): [2, 5, 0, 1],
    ("recpack", "RecallK"): [2 / 3, 5 / 7, 0, 1],
    ("torchmetrics", "RetrievalRecall"): [2 / 3, 5 / 7, 0, 1],
    ("torchmetrics", "RetrievalRPrecision"): [1 / 3, 1, 0, 1],
    ("torchmetrics", "RetrievalAUROC[top_k]"): [1 / 3, 0, 0, 1],
}
GIVE_NO_VALUES = {
    ("recbole", "GAUC"),
    ("recbole", "AUC"),
    *(("recommenders", name) for name in FOUR_USERS["recommenders"]),
}


@pytest.mark.live
@pytest.mark.parametrize(("key", "function"), [(key, name) for key, row in FOUR_USERS.items() for name in row])
def test_four_users(ask: Ask, key: str, function: str) -> None:
    reply = ask(key, function, four_users(), 5)
    assert reply.error is None
    assert reply.value == pytest.approx(FOUR_USERS[key][function], abs=5e-7, nan_ok=True)
    if (key, function) in GIVE_NO_VALUES:
        assert reply.users is None
        return
    assert reply.users is not None
    assert reply.values is not None
    assert reply.users.tolist() == [0, 1, 2, 3]
    close = 1e-7 if key in IN_FLOAT32 else 1e-12
    assert reply.values.mean() == pytest.approx(reply.value, abs=close, nan_ok=True)
    if (key, function) in BY_USER:
        assert reply.values == pytest.approx(BY_USER[key, function], abs=close, nan_ok=True)


@pytest.mark.live
@pytest.mark.parametrize(
    ("key", "version"), [(key, one.version) for key in LIBRARIES for one in LIBRARIES[key].releases]
)
def test_adapter_offers_what_its_page_says(key: str, version: str, tmp_path: Path) -> None:
    library = LIBRARIES[key]
    release = library.release(version)
    asked = made_ready(library, release)
    with Worker(asked.launch(stage([library]), key, tmp_path / "log")) as worker:
        started = worker.start()
    assert started["version"] == version
    there = [name for name, info in library.subjects_of(release).items() if not asked.reason_against(info.needs)]
    assert sorted(started["subjects"]) == sorted(there)
    if key in FOUR_USERS and release is library.newest():
        of_lists = {name for name in there if library.subjects[name].metric not in BEYOND}
        assert set(FOUR_USERS[key]) <= of_lists
    for source in filter(None, started["subjects"].values()):  # a compiled function has none
        assert source["file"].endswith(".py")
        assert source["line"] > 1


EDGE_CASES = {
    "no_relevant": (case_from_lists([[0, 1, 2], [0, 1]], [[0], []], 12), 2),
    "no_list": (case_from_lists([[0, 1, 2], []], [[0], [0, 1]], 12), 2),
    "short_list": (case_from_lists([[0, 1, 2]], [[0, 11]], 12), 5),
    "duplicates": (case_from_lists([[0, 0, 1, 2, 3]], [[0, 1]], 12), 5),
    "graded": (case_from_lists([[1, 0]], [[0, 1]], 12, gains=[[3, 1]]), 2),
    "threshold": (case_from_lists([[1, 0]], [[0, 1]], 12, gains=[[5, 3]], threshold=4), 2),
    "negative_scores": (case_from_lists([[4, 2, 7]], [[2]], 12, scores=[[0.5, 0.0, -1.5]]), 3),
    "no_hit": (case_from_lists([[5, 6]], [[1, 2, 3]], 12), 5),
    "hit_past_r": (case_from_lists([[5, 6, 1]], [[1]], 12), 3),
    "long_list": (case_from_lists([range(40)], [[9]], 40, candidate_scores=np.arange(40.0)[None, ::-1]), 40),
}
EDGES: list[tuple[str, str, dict[str, float]]] = [
    ("lenskit", "Precision", {"no_relevant": 0.25, "no_list": 0.25, "short_list": 1 / 3, "duplicates": 0.6}),
    ("lenskit", "Recall", {"no_relevant": 0.5, "no_list": 0.5, "duplicates": 1.5, "threshold": 1.0}),
    ("lenskit", "AveragePrecision", {"no_list": 0.5, "short_list": 0.5, "duplicates": 1.5}),
    ("lenskit", "NDCG", {"no_relevant": 0.5, "no_list": 0.5, "short_list": 0.5, "graded": 1.0}),
    ("lenskit", "RecipRank", {"negative_scores": 0.5}),
    ("recbole", "Precision", {"no_relevant": 0.25, "no_list": 0.25, "short_list": 0.2, "duplicates": 0.6}),
    ("recbole", "Recall", {"no_relevant": NAN, "no_list": 0.5, "duplicates": 1.5}),
    ("recbole", "NDCG", {"no_relevant": 0.5, "no_list": 0.5, "short_list": 0.613147, "graded": 1.0}),
    ("recommenders", "precision_at_k", {"no_relevant": 0.5, "no_list": 0.5, "short_list": 0.2, "duplicates": 0.6}),
    ("recommenders", "recall_at_k", {"no_list": 1.0, "duplicates": 1.5, "threshold": 1.0}),
    ("recommenders", "ndcg_at_k", {"no_relevant": 1.0, "no_list": 0.5, "short_list": 0.613147, "graded": 1.0}),
    ("recommenders", "ndcg_at_k[raw]", {"graded": 0.796708}),
    ("recommenders", "ndcg_at_k[exp]", {"graded": 0.709810}),
    ("rs_metrics", "precision", {"no_relevant": 0.25, "no_list": NAN, "short_list": 1 / 3, "duplicates": 0.6}),
    ("rs_metrics", "recall", {"no_relevant": NAN, "no_list": 0.5, "duplicates": 1.0, "threshold": 1.0}),
    ("rs_metrics", "ndcg", {"no_relevant": NAN, "no_list": 0.5, "short_list": 0.613147}),
    ("daisyrec", "Precision", {"no_relevant": 0.25, "no_list": NAN, "short_list": 1 / 3, "duplicates": 0.6}),
    ("daisyrec", "Recall", {"no_relevant": NAN, "no_list": 0.5, "duplicates": 1.5, "threshold": 1.0}),
    ("daisyrec", "NDCG", {"no_relevant": 0.5, "no_list": 0.5, "short_list": 1.0}),
    ("recpack", "PrecisionK", {"no_relevant": 0.5, "no_list": 0.25, "short_list": 0.2, "threshold": 0.5}),
    ("recpack", "NDCGK", {"no_relevant": 1.0, "no_list": 0.5, "short_list": 0.613147, "graded": 1.0}),
    ("recpack", "ReciprocalRankK", {"negative_scores": 0.5}),
    ("recommenders", "r_precision_at_k", {"no_list": 1.0, "short_list": 0.5, "no_hit": 0.0, "hit_past_r": NAN}),
    ("torchmetrics", "RetrievalPrecision", {"no_relevant": 0.25, "no_list": 0.25, "short_list": 0.2}),
    ("torchmetrics", "RetrievalRecall", {"no_relevant": 0.5, "no_list": 0.5, "duplicates": 1.0, "threshold": 1.0}),
    ("torchmetrics", "RetrievalNormalizedDCG", {"no_list": 0.5, "short_list": 0.613147, "graded": 0.796708}),
    ("torchmetrics", "RetrievalMAP", {"short_list": 1.0, "negative_scores": 0.5}),
    ("torchmetrics", "RetrievalAUROC[top_k]", {"no_list": 0.5, "short_list": 1.0, "long_list": 30 / 39}),
    ("torchmetrics", "RetrievalAUROC", {"long_list": 30 / 39}),
    *(("torchmetrics", name, {"no_hit": 0.0, "long_list": 1.0}) for name in ("RetrievalHitRate", "RetrievalRecall")),
    *(("torchmetrics", f"Retrieval{name}", {"no_hit": 0.0}) for name in ("RPrecision", "NormalizedDCG", "MRR")),
]


@pytest.mark.live
@pytest.mark.parametrize(
    ("key", "function", "edge", "value"), [(*row[:2], *x) for row in EDGES for x in row[2].items()]
)
def test_edges(ask: Ask, key: str, function: str, edge: str, value: float) -> None:
    assert ask(key, function, *EDGE_CASES[edge]).value == pytest.approx(value, abs=5e-7, nan_ok=True)


@pytest.mark.live
def test_a_dropped_user_has_no_value(ask: Ask) -> None:
    reply = ask("recpack", "PrecisionK", *EDGE_CASES["no_relevant"])
    assert reply.users is not None
    assert reply.users.tolist() == [0]


@pytest.mark.live
@pytest.mark.parametrize(
    ("key", "function", "edge", "words"),
    [
        ("recpack", "NDCGK", "duplicates", "user 0: item 0 is recommended 2 times"),
        ("lenskit", "AveragePrecision", "no_relevant", "ZeroDivisionError"),
        ("recbole", "AUC", "graded", "needs candidate_scores"),
        ("recbole", "GAUC", "graded", "needs candidate_scores"),
        ("recommenders", "auc", "graded", "needs candidate_scores"),
        ("torchmetrics", "RetrievalAUROC", "graded", "needs candidate_scores"),
    ],
)
def test_what_a_shape_cannot_hold_is_an_error(ask: Ask, key: str, function: str, edge: str, words: str) -> None:
    reply = ask(key, function, *EDGE_CASES[edge])
    assert reply.value is None
    assert words in str(reply.error)


OLD_NUMPY = """
import sys
sys.path[:0] = {roots!r}
import importlib, json, numpy, pkgutil, metric_reference
import metric_adapters.subject, metric_adapters.worker
from metric_adapters import shapes
from metric_adapters.case_files import Path, load_case
for module in pkgutil.walk_packages(metric_reference.__path__, "metric_reference."):
    importlib.import_module(module.name)
from metric_reference.variant import standard
case = load_case(Path({case!r}))
shapes.dense_ranks(case), shapes.hit_matrix(case, 5), shapes.candidate_pairs(case)
print(json.dumps([numpy.__version__, [standard(name).value(case, k=5) for name in {metrics!r}]]))
"""


@pytest.mark.live
def test_staged_packages_run_on_old_numpy(tmp_path: Path) -> None:
    """A library may pin numpy 1.23: the packages that are staged beside it must import and compute there."""
    release = Release("1.23.5", ">=3.11,<3.12", ("numpy==1.23.5",), (), "")
    old = Library(tmp_path, "numpy", "numpy", "numpy", "https://numpy.org", "BSD-3-Clause", "", (release,), {})
    python, case = made_ready(old, release).python, four_users()
    save_case(case, tmp_path / "case")
    asked = {info.metric for library in LIBRARIES.values() for info in library.subjects.values()}
    metrics = sorted(asked.intersection(RANKING))
    roots = [str(ROOT / "adapters" / "kit"), str(ROOT / "reference")]
    code = OLD_NUMPY.format(roots=roots, case=str(tmp_path / "case"), metrics=metrics)
    ran = subprocess.run([python, "-I", "-W", "error", "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    version, values = json.loads(ran.stdout)
    assert version == "1.23.5"
    assert values == pytest.approx([standard(name).value(case, k=5) for name in metrics], abs=1e-12)


def test_hit_matrix_pads_with_misses() -> None:
    case = case_from_lists([[3, 1, 2], [], [0]], [[1, 2], [0], []], 4, width=3)
    assert hit_matrix(case, 2).tolist() == [[False, True], [False, False], [False, False]]
    assert hit_matrix(case, 5).tolist() == [[False, True, True, False, False], [False] * 5, [False] * 5]


def test_padding_stays_inside() -> None:
    case = case_from_lists([[3, 1], [], [0]], [[1], [0], [0]], 4)
    users, items, scores = recommended_pairs(case)
    assert (users.tolist(), items.tolist(), scores.tolist()) == ([0, 0, 2], [3, 1, 0], [2.0, 1.0, 2.0])
    assert lists_by_user(case, 1) == {0: [3], 1: [], 2: [0]}
    assert frame(("user", "item"), users, items).to_dict("list") == {"user": [0, 0, 2], "item": [3, 1, 0]}


def test_dense_ranks_are_positive_and_keep_order_and_ties() -> None:
    case = case_from_lists([[3, 1, 2, 0], [], [5, 4]], [[1], [1], [1]], 6, scores=[[0.5, 0, 0, -2], [], [-1, -3]])
    users, items, ranks = dense_ranks(case)
    got = {(int(u), int(i)): r for u, i, r in zip(users, items, ranks, strict=True)}
    assert got == {(0, 3): 3, (0, 1): 2, (0, 2): 2, (0, 0): 1, (2, 5): 2, (2, 4): 1}


def test_candidate_pairs_leave_out_what_is_no_candidate() -> None:
    case = case_from_lists([[0], [1]], [[0], [1, 2]], 3, candidate_scores=np.array([[2, -np.inf, 1], [0, 5, -np.inf]]))
    columns = [column.tolist() for column in candidate_pairs(case)]
    assert columns == [[0, 0, 1, 1], [0, 2, 0, 1], [2, 1, 0, 5], [1, 0, 0, 1]]


@pytest.mark.parametrize("name", ["worker.py", "subject.py", "case_files.py"])
def test_what_runs_beside_a_library_is_python_3_8(name):
    ast.parse(
        (ROOT / "adapters" / "kit" / "metric_adapters" / name).read_text(encoding="utf-8"), feature_version=(3, 8)
    )

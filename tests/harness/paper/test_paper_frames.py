"""RePlay and Beta-RecSys, fed with frames: each release gives live the figures that were measured with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from metric_harness.worker.process import Reply, StartFailure
from metric_reference.case import Case, case_from_lists
from metric_reference.variant import BEYOND
from tests.support.fixture import K, fixture_case, ranked_only_case
from tests.support.live import LIBRARIES, Live, worker_of

REPLAY_2021, REPLAY, BETA = ("replay", "0.4.0+44bdde7"), ("replay", "0.22.0"), ("beta_rec", "0.3.2")
Key = tuple[str, str]
Ask = Callable[[Key, str, Case, int], Reply]

MEASURED: dict[Key, dict[str, float]] = {
    release: {
        "HitRate": 0.75, "Precision": 0.4, "Recall": 0.595238, "MRR": 0.625, "MAP": 0.575, "NDCG": 0.619406,
        "RocAuc": 0.583333,
    }
    for release in (REPLAY_2021, REPLAY)
} | {
    BETA: {
        "precision_at_k": 0.4, "recall_at_k": 0.595238, "map_at_k": 0.503571, "ndcg_at_k": 0.619406, "auc": 0.722222,
        "seq:precision": 0.4, "seq:recall": 0.595238, "seq:mrr": 0.625, "seq:ndcg": 0.656013,
    }
}  # fmt: skip
"""The fixture of four users at k = 5, as measured outside this project."""
THRICE = case_from_lists([[1, 1, 1]], [[1]], 12)
EDGES: list[tuple[Key, str, Case, int, float]] = [
    (REPLAY, "MAP", THRICE, 5, 3.0),
    (REPLAY, "NDCG", THRICE, 5, 2.13093),
    (REPLAY_2021, "MAP", THRICE, 5, 1.0),
    (REPLAY_2021, "NDCG", THRICE, 5, 1.0),
    (BETA, "precision_at_k", THRICE, 5, 0.6),
    (REPLAY, "Precision", case_from_lists([[0, 1, 2]], [[0, 11]], 12), 5, 1 / 5),
    (REPLAY_2021, "Precision", case_from_lists([[0, 1, 2]], [[0, 11]], 12), 5, 1 / 3),
    *((release, "Recall", case_from_lists([[0], []], [[0], [1]], 12), 5, 0.5) for release in (REPLAY, REPLAY_2021)),
    (BETA, "recall_at_k", case_from_lists([[0], []], [[0], [1]], 12), 5, 1.0),
    (BETA, "seq:mrr", case_from_lists([[0], []], [[0], [1]], 12), 5, 0.5),
    (BETA, "recall_at_k", case_from_lists([[0]], [[0]], 12, gains=[[0.5]], threshold=0.5), 5, 1.0),
    (REPLAY, "MRR", case_from_lists([[3, 5, 4]], [[3]], 12, scores=[[1.0, 1.0, 1.0]]), 3, 1 / 3),
    *((release, "RocAuc", fixture_case(), 12, 0.642857) for release in (REPLAY, REPLAY_2021)),
    (BETA, "auc", ranked_only_case(), 5, 0.642857),
]
"""An item listed three times, short lists, users without a list, gains below 1, equal scores, the ten listed items."""


def called(part: object) -> str | None:
    """What a test is called after: its release and its function."""
    return " ".join(part) if isinstance(part, tuple) else part if isinstance(part, str) else None


@pytest.fixture
def ask(live: Live) -> Ask:
    """Ask a function of a release for a case."""
    return lambda key, function, case, k: live.ask(key[0], function, case, k, key[1])


def test_every_function_has_a_figure() -> None:
    assert sorted(MEASURED) == sorted(
        (key, r.version) for key in ("replay", "beta_rec") for r in LIBRARIES[key].releases
    )
    for (key, version), figures in MEASURED.items():
        asked = LIBRARIES[key].subjects_of(LIBRARIES[key].release(version))
        assert sorted(figures) == sorted(name for name, info in asked.items() if info.metric not in BEYOND)


def test_the_releases_of_the_paper() -> None:
    papers = {(key, LIBRARIES[key].of_paper()) for key in ("replay", "beta_rec")}
    assert {(key, release.version) for key, release in papers if release} == {REPLAY_2021, BETA}


@pytest.mark.live
@pytest.mark.parametrize(
    ("key", "function"), [(key, name) for key, row in MEASURED.items() for name in row], ids=called
)
def test_four_users(ask: Ask, key: Key, function: str) -> None:
    reply = ask(key, function, fixture_case(), K)
    assert reply.error is None
    assert reply.value == pytest.approx(MEASURED[key][function], abs=1e-6)
    if key == BETA and not function.startswith("seq:"):
        assert reply.users is None
        return
    assert reply.users is not None
    assert reply.values is not None
    assert reply.users.tolist() == [0, 1, 2, 3]
    assert np.mean(reply.values) == pytest.approx(reply.value, abs=1e-12)


@pytest.mark.live
@pytest.mark.parametrize(("key", "function", "case", "k", "value"), EDGES, ids=called)
def test_edges(ask: Ask, key: Key, function: str, case: Case, k: int, value: float) -> None:
    assert ask(key, function, case, k).value == pytest.approx(value, abs=1e-5)


@pytest.mark.live
@pytest.mark.parametrize("key", [REPLAY_2021, REPLAY], ids=called)
def test_a_user_without_relevant_items_is_unknown(ask: Ask, key: Key) -> None:
    reply = ask(key, "Precision", case_from_lists([[0, 1], [2, 3]], [[], [2]], 12), 2)
    assert reply.value == 0.5
    assert reply.users is not None
    assert reply.users.tolist() == [1]


@pytest.mark.live
def test_without_java_the_release_of_2021_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = worker_of(LIBRARIES["replay"], LIBRARIES["replay"].release(REPLAY_2021[1]), tmp_path / "log")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with worker, pytest.raises(StartFailure, match="ImportError: needs Java"):
        worker.start()

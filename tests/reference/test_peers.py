"""Peers as oracles: where another library has the same definition, the reference gives the same number to each user."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from metric_adapters.case_files import save_case
from metric_reference.case import Case
from metric_reference.matching import Matches, match
from metric_reference.variant import Variant
from tests.support.peers.asking import Answer, ask

USERS, ITEMS, LISTED = 1000, 500, 20
CLOSE = {"pytrec_eval": 1e-9, "ranx": 1e-9, "sklearn": 1e-9, "torchmetrics": 1e-6}
"""Largest difference for any user. TorchMetrics computes in float32 whatever it is given."""
LESS_CLOSE = {("torchmetrics", "retrieval_normalized_dcg"): 1e-5}
"""Its NDCG of 500 candidates takes each discount as the difference of two float32 sums."""
KS = (1, 5, 10, 20)

AT_EACH_CUT = {
    "pytrec_eval": {
        "success_{k}": "hit_rate",
        "P_{k}": "precision",
        "recall_{k}": "recall",
        "map_cut_{k}": "average_precision(divide_by=relevant)",
        "ndcg_cut_{k}": "ndcg(gain=linear)",
    },
    "ranx": {
        "hits@{k}": "hit_rate(value=hits)",
        "hit_rate@{k}": "hit_rate",
        "precision@{k}": "precision",
        "recall@{k}": "recall",
        "f1@{k}": "f1",
        "mrr@{k}": "reciprocal_rank",
        "map@{k}": "average_precision(divide_by=relevant)",
        "ndcg@{k}": "ndcg(gain=linear)",
        "ndcg_burges@{k}": "ndcg(gain=exponential)",
    },
    "sklearn": {
        "ndcg_score@{k}": "ndcg(gain=linear)",
        "dcg_score@{k}": "ndcg(gain=linear, ideal=none)",
    },
    "torchmetrics": {
        "retrieval_hit_rate@{k}": "hit_rate",
        "retrieval_precision@{k}": "precision",
        "retrieval_recall@{k}": "recall",
        "retrieval_reciprocal_rank@{k}": "reciprocal_rank",
        "retrieval_average_precision@{k}": "average_precision(divide_by=hits)",
        "retrieval_normalized_dcg@{k}": "ndcg(gain=linear)",
        "retrieval_auroc@{k}": "auc(scope=top_k, one_sided=zero)",
    },
}
"""Measure of the peer and variant of the reference, at each cut-off of KS."""

OF_THE_LIST = {
    "pytrec_eval": {
        "recip_rank": "reciprocal_rank(cut=none)@20",
        "map": "average_precision(divide_by=relevant, cut=none)@20",
        "ndcg": "ndcg(gain=linear, ideal=relevant, cut=none)@20",
        "Rprec": "r_precision(divide_by=relevant, cut=none)@20",
    },
    "ranx": {
        "mrr": "reciprocal_rank(cut=none)@20",
        "map": "average_precision(divide_by=relevant, cut=none)@20",
    },
}
"""The same for measures of the whole list."""

OF_ALL_CANDIDATES = {
    "sklearn": {
        "ndcg_score": "ndcg(gain=linear, ideal=relevant, cut=none)@20",
        "label_ranking_average_precision_score": "average_precision(divide_by=relevant, cut=none)@20",
        "average_precision_score": "average_precision(divide_by=relevant, cut=none)@20",
        "roc_auc_score": "auc(scope=per_user)@20",
        "roc_auc_score, stacked": "auc(scope=stacked)@20",
    },
    "torchmetrics": {
        "retrieval_r_precision": "r_precision(divide_by=relevant, cut=none)@20",
        "retrieval_average_precision": "average_precision(divide_by=relevant, cut=none)@20",
        "retrieval_reciprocal_rank": "reciprocal_rank(cut=none)@20",
        "retrieval_normalized_dcg": "ndcg(gain=linear, ideal=relevant, cut=none)@20",
        "retrieval_auroc": "auc(scope=per_user)@20",
    },
}
"""The same for measures of a list of all candidates."""


def questions(peer: str) -> dict[str, tuple[bool, str]]:
    """By measure: whether it looks at a list of all candidates, and the variant."""
    cut = {
        measure.format(k=k): f"{variant}@{k}" for measure, variant in AT_EACH_CUT[peer].items() for k in KS
    } | OF_THE_LIST.get(peer, {})
    whole = OF_ALL_CANDIDATES.get(peer, {})
    return {name: (False, text) for name, text in cut.items()} | {name: (True, text) for name, text in whole.items()}


@cache
def thousand_users() -> Case:
    """1 to 40 relevant items a user, gains 1 to 5; all scores of a user differ, in float32 as well.

    Scores lie in (0, 1): TorchMetrics puts others through a sigmoid before AUROC, which makes large ones equal.
    """
    rng = np.random.default_rng(20210927)
    counts = rng.integers(1, 41, USERS)
    items = np.concatenate([rng.permutation(ITEMS)[:count] for count in counts])
    indptr = np.concatenate([[0], np.cumsum(counts)])
    liking = rng.normal(size=(USERS, ITEMS))
    liking[np.repeat(np.arange(USERS), counts), items] += rng.normal(1.0, 1.0, len(items))
    order = np.argsort(-liking, axis=1)
    scores = np.empty((USERS, ITEMS))
    np.put_along_axis(scores, order, np.broadcast_to(np.arange(ITEMS, 0, -1) / 512, order.shape), axis=1)
    gains = rng.integers(1, 6, len(items)).astype(np.float64)
    listed = np.ascontiguousarray(order[:, :LISTED])
    return Case(
        listed, indptr, items, gains, ITEMS,
        scores=np.take_along_axis(scores, listed, axis=1), candidate_scores=scores,
    ).check()  # fmt: skip


@cache
def matched(all_candidates: bool) -> Matches:
    case = thousand_users()
    if all_candidates:
        case = replace(case, recommended=np.argsort(-case.candidate_scores, axis=1), scores=None)
    return match(case)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    """What each peer has been asked already."""
    return {}


@pytest.fixture
def answer(peer: str, answers: dict[str, Answer], tmp_path: Path) -> Answer:
    if peer not in answers:
        save_case(thousand_users(), tmp_path / "case")
        answers[peer] = ask(peer, tmp_path / "case", list(questions(peer)), tmp_path / "out")
    return answers[peer]


@pytest.mark.slow
@pytest.mark.live
@pytest.mark.parametrize(("peer", "measure"), [(peer, measure) for peer in CLOSE for measure in questions(peer)])
def test_the_reference_gives_what_the_peer_gives(peer: str, measure: str, answer: Answer) -> None:
    all_candidates, text = questions(peer)[measure]
    variant = Variant.parse(text)
    ours = variant.metric.per_user(matched(all_candidates), variant.k)
    theirs = answer.values[measure]
    assert theirs.shape == ours.shape == ((1,) if variant.metric.of_whole_case() else (USERS,))
    worst = int(np.argmax(np.abs(ours - theirs)))
    close = LESS_CLOSE.get((peer, measure), CLOSE[peer])
    assert abs(ours[worst] - theirs[worst]) <= close, f"user {worst}: {ours[worst]!r}, {peer} {theirs[worst]!r}"


def test_the_thousand_users_tell_variants_apart() -> None:
    """Peers that agree on users without hits, or with all of them, would agree on nothing."""
    matches = matched(False)
    counts = matches.hit_count(LISTED)
    assert np.mean(counts > 0) > 0.8
    assert np.mean(matches.n_relevant > LISTED) > 0.3
    assert np.mean(counts == np.minimum(LISTED, matches.n_relevant)) < 0.1
    scores = thousand_users().candidate_scores.astype(np.float32)
    assert all(len(np.unique(row)) == ITEMS for row in scores)

"""The fixed split: ratings, protocol and model frozen into a bundle, rebuilt only when its recipe changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from harness.bundle_store import Bundle, Content, load_bundle, reuse_or_build
from harness.datasets import QUIET, Ratings
from harness.ease import rank
from harness.errors import HarnessError
from harness.models import Model, ease
from harness.own_lists import bundle_from_files
from harness.progress import Reporter
from harness.splits import Protocol, Split, split
from reference.case import Case

__all__ = ["Bundle", "build_bundle", "bundle_from_files", "load_bundle"]

FULL_SCORES_LIMIT = 2 << 30


def build_bundle(
    ratings: Ratings,
    protocol: Protocol,
    folder: Path,
    *,
    depth: int,
    regularisation: float = 0.5,
    model: Model | None = None,
    full_scores: bool = True,
    full_scores_limit: int = FULL_SCORES_LIMIT,
    reporter: Reporter = QUIET,
) -> Bundle:
    """Split the ratings, fit a model on the training positives and freeze the lists of every test user.

    The case's items are the items of the training set in the order of their ids, its users the users of the test set
    in the order of theirs; judged are the test positives with their rating as gain.

    depth : length of the lists. model : EASE with this ``regularisation`` if not given.
    full_scores : keep the scores of all items (AUC over the catalogue needs them), unless they take more than
    ``full_scores_limit`` bytes; the manifest's notes then say so.

    A bundle in ``folder`` made by the same recipe is reused, one made by another is replaced. HarnessError if one of
    its files has changed, and for what :func:`harness.splits.split` and the model reject.
    """
    if depth < 1:
        raise HarnessError(f"depth {depth}: lists must hold at least 1 item")
    model = model or ease(regularisation)
    recipe = {
        "kind": "split",
        "dataset": {"name": ratings.name, "sha256": ratings.sha256},
        "protocol": protocol.as_dict(),
        "model": model.recipe(),
        "depth": depth,
        "full_scores": full_scores,
        "full_scores_limit": full_scores_limit,
    }

    def build() -> Content:
        with reporter.task("Building the bundle", 3) as advance:
            advance(0, "splitting")
            parts = split(ratings.frame, protocol)
            advance(1, f"fitting {model.title}")
            wanted = full_scores_limit if full_scores else 0
            case, user_ids, item_ids, size = _case(parts, protocol, depth, model, wanted, advance)
        about = {
            "dataset": {
                "name": ratings.name, "source": ratings.source, "sha256": ratings.sha256, "licence": ratings.licence,
            },
            "protocol": {**protocol.as_dict(), "description": protocol.describe()},
            "steps": parts.steps,
            "model": {**model.recipe(), **({"address": model.address} if model.address else {})},
            "depth": depth,
            "notes": _notes(case, depth, full_scores, size, full_scores_limit),
        }  # fmt: skip
        return Content(case, user_ids, item_ids, about)

    return reuse_or_build(folder, recipe, build, reporter)


def _case(
    parts: Split, protocol: Protocol, depth: int, model: Model, scores_limit: int, advance: Any
) -> tuple[Case, np.ndarray, np.ndarray, int]:
    """The case, the ids of its users and items, and how many bytes the scores of all items take."""
    train_user, train_user_ids = pd.factorize(parts.train["user_id"], sort=True)
    train_item, item_ids = pd.factorize(parts.train["item_id"], sort=True)
    test_user, user_ids = pd.factorize(parts.test["user_id"], sort=True)
    matrix = sp.csr_array(
        (np.ones(len(train_user)), (train_user, train_item)), shape=(len(train_user_ids), len(item_ids))
    )
    score = model.fit(matrix)
    advance(1, "ranking")
    rows = pd.Index(train_user_ids).get_indexer(pd.Index(user_ids))
    size = len(user_ids) * len(item_ids) * 8
    recommended, scores, candidate_scores = rank(matrix, score, rows, depth, full_scores=size <= scores_limit)
    seen = matrix[rows]
    seen.sort_indices()
    case = Case(
        recommended=recommended,
        judged_indptr=np.concatenate([[0], np.cumsum(np.bincount(test_user))]).astype(np.int64),
        judged_items=pd.Index(item_ids).get_indexer(pd.Index(parts.test["item_id"])).astype(np.int64),
        judged_gains=parts.test["rating"].to_numpy().astype(np.float64),
        n_items=len(item_ids),
        scores=scores,
        candidate_scores=candidate_scores,
        train_indptr=seen.indptr.astype(np.int64),
        train_items=seen.indices.astype(np.int64),
        threshold=protocol.threshold,
        item_counts=np.bincount(train_item, minlength=len(item_ids)).astype(np.int64),
        n_train_users=len(train_user_ids),
    )
    return case, np.asarray(user_ids), np.asarray(item_ids), size


def _notes(case: Case, depth: int, full_scores: bool, size: int, limit: int) -> list[str]:
    notes = []
    if full_scores and case.candidate_scores is None:
        notes.append(
            f"The scores of all items take {size / 2**30:.2f} GiB, over the limit of {limit / 2**30:.2f} GiB: they are "
            "left out, so AUC over the catalogue cannot be asked."
        )
    short = int(np.count_nonzero(case.list_lengths < depth))
    if short:
        notes.append(f"{short} users have fewer than {depth} candidates, so their lists are shorter.")
    return notes

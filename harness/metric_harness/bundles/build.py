"""The fixed split: ratings, protocol and model frozen into a bundle, rebuilt only when its recipe changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from metric_harness.bundles.own_lists import bundle_from_files
from metric_harness.bundles.store import Bundle, Content, load_bundle, reuse_or_build
from metric_harness.bundles.user_sample import FOLDER, SEED, Sample, case_of, draw_users
from metric_harness.data.datasets import QUIET, Ratings
from metric_harness.data.numbered import starts
from metric_harness.data.split import Protocol, Split, split
from metric_harness.models.ease import rank
from metric_harness.models.simple import Model, ease
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.case import Case
from metric_reports.types.manifest import About

__all__ = ["Bundle", "build_bundle", "bundle_from_files", "load_bundle"]

FULL_SCORES_LIMIT = 96 << 20
"""Bytes of scores of all items with which every library stays within 8 GiB: those that join two frames with a row for
each score take sixty times as much (Recommenders, Beta-RecSys: 472 bytes for each score)."""


def build_bundle(
    ratings: Ratings,
    protocol: Protocol,
    folder: Path,
    *,
    depth: int,
    model: Model | None = None,
    full_scores: bool = True,
    full_scores_limit: int = FULL_SCORES_LIMIT,
    reporter: Reporter = QUIET,
) -> Bundle:
    """Split the ratings, fit a model on the training positives and freeze the lists of every test user.

    The case's items are those of the training set, its users those of the test set, both in the order of their ids; the
    test positives are judged, with their rating as gain.

    depth : length of the lists. model : EASE with default parameters if None.
    full_scores : keep the scores of all items, which AUC over the catalogue needs. If they take more than
    ``full_scores_limit`` bytes, they are kept for a seeded sample of users, the bundle's ``sample``, and the
    manifest's notes say so.

    A bundle in ``folder`` is reused if it was made by the same recipe, else replaced. HarnessError if one of its files
    has changed, and for what :func:`metric_harness.data.split.split` and the model reject.
    """
    if depth < 1:
        raise HarnessError(f"depth {depth}: lists must hold at least 1 item")
    model = model or ease()
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
        with reporter.task(f"Building the bundle of {model.title}", 3) as advance:
            advance(0, "splitting")
            splits = split(ratings.frame, protocol)
            advance(1, f"fitting {model.title}")
            limit = full_scores_limit if full_scores else 0
            case, user_ids, item_ids, sample = _case(splits, protocol, depth, model, limit, advance)
        about: About = {
            "dataset": {
                "name": ratings.name,
                "source": ratings.source,
                "sha256": ratings.sha256,
                "licence": ratings.licence,
            },
            "protocol": {**protocol.as_dict(), "description": protocol.describe()},
            "steps": splits.steps,
            "model": model.described(),
            "depth": depth,
            "notes": _notes(case, depth, sample, full_scores_limit),
        }
        return Content(case, user_ids, item_ids, about, sample)

    return reuse_or_build(folder, recipe, build, reporter)


def _case(
    splits: Split, protocol: Protocol, depth: int, model: Model, scores_limit: int, advance: Any
) -> tuple[Case, np.ndarray, np.ndarray, Sample | None]:
    """The case, the ids of its users and items, and the sample of users if there is one."""
    train_user, train_user_ids = pd.factorize(splits.train["user_id"], sort=True)
    train_item, item_ids = pd.factorize(splits.train["item_id"], sort=True)
    test_user, user_ids = pd.factorize(splits.test["user_id"], sort=True)
    matrix = sp.csr_array(
        (np.ones(len(train_user)), (train_user, train_item)), shape=(len(train_user_ids), len(item_ids))
    )
    score = model.fit(matrix)
    advance(1, "ranking")
    rows = pd.Index(train_user_ids).get_indexer(pd.Index(user_ids))
    affordable = scores_limit // (8 * len(item_ids))
    sampled = draw_users(len(user_ids), max(1, affordable)) if scores_limit > 0 and affordable < len(user_ids) else None
    scored = affordable >= len(user_ids) if sampled is None else sampled
    recommended, scores, candidate_scores = rank(matrix, score, rows, depth, scored, decimals=model.decimals)
    seen = matrix[rows]
    seen.sort_indices()
    case = Case(
        recommended=recommended,
        judged_indptr=starts(np.bincount(test_user)),
        judged_items=pd.Index(item_ids).get_indexer(pd.Index(splits.test["item_id"])).astype(np.int64),
        judged_gains=splits.test["rating"].to_numpy().astype(np.float64),
        n_items=len(item_ids),
        scores=scores,
        candidate_scores=candidate_scores if sampled is None else None,
        train_indptr=seen.indptr.astype(np.int64),
        train_items=seen.indices.astype(np.int64),
        threshold=protocol.threshold,
        item_counts=np.bincount(train_item, minlength=len(item_ids)).astype(np.int64),
        n_train_users=len(train_user_ids),
    )
    sample = None if sampled is None else Sample(case_of(case, sampled, candidate_scores), sampled)
    return case, np.asarray(user_ids), np.asarray(item_ids), sample


def _notes(case: Case, depth: int, sample: Sample | None, limit: int) -> list[str]:
    """Notes on scores that are kept for a sample of users alone, and on lists that are too short."""
    notes = []
    if sample is not None:
        size = case.users * case.n_items * 8
        notes.append(
            f"The scores of all items take {size / 2**30:.2f} GiB, over the limit of {limit / 2**30:.2f} GiB: they are "
            f"kept for {len(sample.users)} of the {case.users} users, drawn with seed {SEED} (folder {FOLDER}). What "
            "needs them, such as AUC over the catalogue, is asked about these users, by every library the same."
        )
    if short := int(np.count_nonzero(case.list_lengths < depth)):
        notes.append(f"{short} users have fewer than {depth} candidates, so their lists are shorter.")
    return notes

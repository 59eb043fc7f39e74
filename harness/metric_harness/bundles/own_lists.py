"""A bundle of a user's own recommendation lists and test interactions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from metric_harness.bundles.store import Bundle, Content, reuse_or_build
from metric_harness.data.database import Database, open_database
from metric_harness.data.datasets import OWN_LICENCE, QUIET
from metric_harness.data.files import files_of, sha256_of
from metric_harness.data.interactions import (
    Interactions,
    nobody,
    nothing_relevant,
    open_files,
    require_lists,
    threshold_of,
)
from metric_harness.data.numbered import number_ids, numbered_rows, places, starts, users_kept
from metric_harness.data.overlap import require_matching
from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.case import NOTHING, Case
from metric_reports.types.manifest import About, OwnFile, Part, Step

Users = Literal["both", "truth", "recommended", "all"]
SCORE_ORDER = "score descending, then item id ascending"
RANK_ORDER = "rank ascending"
ID_RULE = 2
"""Counted up when ids are compared in another form, so that no bundle of before is used again."""
INEXACT = (
    "Some scores of a list differ by less than float64 holds: they order the lists, but no function is given scores."
)


def bundle_from_files(
    recommendations: Path,
    truth: Path,
    folder: Path,
    *,
    threshold: float | None = None,
    depth: int | None = None,
    users: Users = "both",
    strict: bool = False,
    reporter: Reporter = QUIET,
) -> Bundle:
    """A bundle of lists and test interactions from files (.csv, .tsv, .inter or .parquet, or folders of parquet parts).

    recommendations : columns user, item, and score or rank (or both, if they agree). Lists are ordered by rank, else
        by score descending with equal scores by item id ascending. In parquet a row may also hold the list of a user:
        then item, and score or rank if there is one, are lists.
    truth : columns user, item, and rating if there is one; without it every row has gain 1.
    threshold : smallest rating that is relevant; if None, the smallest positive one, so that every row with a positive
        rating is relevant.
    depth : length at which lists are cut; None: none is cut.
    users : who is in the case: users of ``both`` files (default), of the ``truth``, the ``recommended``, or ``all``.
    strict : HarnessError if hardly any ids of the two files match.

    Ids of both files are compared in one form (:class:`metric_harness.data.sql_types.IdForm`). The case's items are the
    items of either file in the order of their ids. There are no scores of all items.

    Scores that differ, but not as float64, order the lists and are left out of the case; the manifest's notes say so.

    HarnessError names file, line, column and remedy, also for a repeated pair of user and item or of user and rank, a
    NaN score, ranks and scores that disagree, and no relevant item.
    """
    if users not in get_args(Users):
        raise HarnessError(f"users {users!r}: use one of {', '.join(get_args(Users))}")
    if depth is not None and depth < 1:
        raise HarnessError(f"depth {depth}: lists must hold at least 1 item")
    named: dict[str, OwnFile] = {
        role: {"name": path.name, "sha256": sha256_of(files_of(path))}
        for role, path in (("recommendations", recommendations), ("truth", truth))
    }
    recipe = {"kind": "lists", "files": named, "threshold": threshold, "depth": depth, "users": users, "ids": ID_RULE}

    def build() -> Content:
        with (
            reporter.task("Reading the lists and the test interactions"),
            open_database(cache_dir("reading")) as database,
        ):
            tables = open_files(database, recommendations, truth)
            require_lists(database, tables)
            return _content(database, tables, named, threshold, depth, users)

    bundle = reuse_or_build(folder, recipe, build, reporter)
    require_matching(bundle.manifest["lists"]["matching"]["warnings"], strict)  # also if it was built without
    return bundle


def _content(
    database: Database,
    tables: Interactions,
    named: dict[str, OwnFile],
    threshold: float | None,
    depth: int | None,
    users: Users,
) -> Content:
    """The case of two opened tables, and what the manifest says of it."""
    all_users, items = (number_ids(database, role) for role in ("user", "item"))
    has_list, has_truth = all_users["listed"], all_users["judged"]
    lists, truth = _lists(database, tables), numbered_rows(database, "truth", "gain", "i.number")
    kept = users_kept(users, has_list, has_truth)
    if not kept.any():
        raise nobody(database, tables)
    number_of_user = np.cumsum(kept) - 1  # for users that are kept

    rows = np.flatnonzero(kept[lists["user"]])
    user, item = number_of_user[lists["user"][rows]], lists["item"][rows]
    sizes = np.bincount(user, minlength=int(kept.sum()))
    rank = places(sizes)
    width = int(max(1, min(depth or sizes.max(), sizes.max())))
    within_depth = rank < width
    recommended = np.full((len(sizes), width), NOTHING, dtype=np.int64)
    recommended[user[within_depth], rank[within_depth]] = item[within_depth]
    scores = None
    if "score" in lists:
        scores = np.full(recommended.shape, np.nan)
        scores[user[within_depth], rank[within_depth]] = lists["score"][rows[within_depth]]

    smallest_relevant = threshold_of(database, tables, threshold)
    judged = np.flatnonzero(kept[truth["user"]])
    owners = number_of_user[truth["user"][judged]]
    case = Case(
        recommended=recommended,
        judged_indptr=starts(np.bincount(owners, minlength=len(sizes))),
        judged_items=truth["item"][judged],
        judged_gains=truth["gain"][judged],
        n_items=len(items["item"]),
        scores=scores,
        threshold=smallest_relevant,
    )
    if not case.relevant.any():
        raise nothing_relevant(tables.truth.label, users, smallest_relevant)
    interactions: Sequence[tuple[Part, np.ndarray, np.ndarray]] = (
        ("recommendations", lists["user"], lists["item"]),
        ("truth", truth["user"], truth["item"]),
    )
    steps = [_step("as read", part, u, i) for part, u, i in interactions]
    steps += [_step(f"users kept: {users}", part, u[kept[u]], i[kept[u]]) for part, u, i in interactions]
    steps.append(_step(f"lists cut at {width}", "recommendations", user[within_depth], item[within_depth]))
    with_relevant = np.unique(case.judged_users[case.relevant])
    list_only, truth_only = (int(np.count_nonzero(only)) for only in (has_list & ~has_truth, has_truth & ~has_list))
    about: About = {
        "dataset": {
            "name": " with ".join(file["name"] for file in named.values()),
            "source": "the user's own lists and test interactions",
            "files": named,
            "licence": OWN_LICENCE,
        },
        "lists": {
            "order": RANK_ORDER if tables.by_rank else SCORE_ORDER,
            "users": users,
            "threshold": smallest_relevant,
            "threshold_rule": _threshold_rule(tables, threshold),
            "matching": tables.overlap.page(users),
        },
        "protocol": None,
        "model": None,
        "steps": steps,
        "depth": width,
        "notes": [_note(users, list_only, truth_only), *([INEXACT] if tables.has_scores and scores is None else [])],
    }
    counts = {
        "users_with_list_only": list_only,
        "users_with_truth_only": truth_only,
        "users_without_relevant": case.users - len(with_relevant),
    }
    return Content(case, all_users["user"][kept], items["item"], about, counts=counts)


def _lists(database: Database, tables: Interactions) -> dict[str, np.ndarray]:
    """The rows of the lists, best first; without scores if some that differ are equal as float64."""
    ties = (
        "SELECT 1 FROM (SELECT DISTINCT user, score FROM recs) GROUP BY user, CAST(score AS DOUBLE) "
        "HAVING count(*) > 1 LIMIT 1"
    )
    exact = tables.has_scores and database.first(ties) is None
    order = "t.rank" if tables.by_rank else "t.score DESC, i.number"
    return numbered_rows(database, "recs", "score" if exact else None, order)


def _threshold_rule(tables: Interactions, threshold: float | None) -> str:
    """Where the threshold comes from, for the manifest."""
    if threshold is not None:
        return "as given"
    rated = "rating" in tables.truth.roles
    what = "every row with a positive rating" if rated else "no rating column: every row, with gain 1,"
    return f"{what} is relevant"


def _note(users: Users, list_only: int, truth_only: int) -> str:
    """How many users are in one file only, and whether they are kept."""
    lists_kept = "kept" if users in ("recommended", "all") else "left out"
    truth_kept = "kept" if users in ("truth", "all") else "left out"
    return (
        f"{list_only} users with a list but no test interactions are {lists_kept}; "
        f"{truth_only} users with test interactions but no list are {truth_kept}."
    )


def _step(step: str, part: Part, users: np.ndarray, items: np.ndarray) -> Step:
    return {
        "step": step,
        "part": part,
        "users": len(np.unique(users)),
        "items": len(np.unique(items)),
        "interactions": len(users),
    }

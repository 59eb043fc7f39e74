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
    open_interactions,
    require_lists,
    threshold_of,
)
from metric_harness.data.numbered import number_ids, numbered_rows, places, starts
from metric_harness.data.sources import open_source
from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.case import NOTHING, Case
from metric_reports.types.manifest import About, OwnFile, Part, Step

Users = Literal["both", "truth", "recommended", "all"]
SCORE_ORDER = "score descending, then item id ascending"
RANK_ORDER = "rank ascending"
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
    reporter: Reporter = QUIET,
) -> Bundle:
    """A bundle of lists and test interactions from files (.csv, .tsv, .inter or .parquet, or folders of parquet parts).

    recommendations : columns user, item, and score or rank (or both, if they agree). Lists are ordered by rank, else
        by score descending with equal scores by item id ascending. In parquet a row may also hold the list of a user:
        then item, and score or rank if there is one, are lists.
    truth : columns user, item, and rating if there is one; without it every row has gain 1.
    threshold : smallest rating that is relevant; if None, the smallest positive one, so that every row with a positive
        rating is relevant.
    depth : lists are cut there; if None, they are kept whole.
    users : who is in the case: users of both files (default), of ``truth``, of ``recommended``, or of ``all``.

    Ids are whole numbers or any text; if one file has numbers and the other text, both are taken as text. The case's
    items are the items of both files in the order of their ids. There are no scores of all items.

    Scores that float64 cannot tell apart order the lists, but are not in the case; the manifest's notes say so.

    HarnessError names file, line, column and remedy, also for a pair of user and item or of user and rank that stands
    twice, a NaN score, ranks and scores that disagree, no relevant item.
    """
    if users not in get_args(Users):
        raise HarnessError(f"users {users!r}: use one of {', '.join(get_args(Users))}")
    if depth is not None and depth < 1:
        raise HarnessError(f"depth {depth}: lists must hold at least 1 item")
    named: dict[str, OwnFile] = {
        role: {"name": path.name, "sha256": sha256_of(files_of(path))}
        for role, path in (("recommendations", recommendations), ("truth", truth))
    }
    recipe = {"kind": "lists", "files": named, "threshold": threshold, "depth": depth, "users": users}

    def build() -> Content:
        with (
            reporter.task("Reading the lists and the test interactions"),
            open_database(cache_dir("reading")) as database,
        ):
            lists = open_source(recommendations, ("user", "item"), ("score", "rank"), database.folder / "recs")
            judged = open_source(truth, ("user", "item"), ("rating",), database.folder / "truth")
            tables = open_interactions(database, lists, judged)
            for name in ("recs", "truth"):
                database.view(name, f'SELECT * FROM "checked {name}"')
            require_lists(database, tables)
            return _content(database, tables, named, threshold, depth, users)

    return reuse_or_build(folder, recipe, build, reporter)


def _content(
    database: Database,
    tables: Interactions,
    named: dict[str, OwnFile],
    threshold: float | None,
    depth: int | None,
    users: Users,
) -> Content:
    everybody, items = (number_ids(database, role) for role in ("user", "item"))
    has_list, has_truth = everybody["listed"], everybody["judged"]
    lists, truth = _lists(database, tables), numbered_rows(database, "truth", "gain", "i.number")
    kept = {"both": has_list & has_truth, "truth": has_truth, "recommended": has_list, "all": has_list | has_truth}[
        users
    ]
    if not kept.any():
        raise nobody(database, tables)
    number = np.cumsum(kept) - 1  # of a user that is kept

    rows = np.flatnonzero(kept[lists["user"]])
    user, item = number[lists["user"][rows]], lists["item"][rows]
    sizes = np.bincount(user, minlength=int(kept.sum()))
    rank = places(sizes)
    width = int(min(depth or sizes.max(), max(1, sizes.max())))
    inside = rank < width
    recommended = np.full((len(sizes), width), NOTHING, dtype=np.int64)
    recommended[user[inside], rank[inside]] = item[inside]
    scores = None
    if "score" in lists:
        scores = np.full(recommended.shape, np.nan)
        scores[user[inside], rank[inside]] = lists["score"][rows[inside]]

    limit = threshold_of(database, tables, threshold)
    judged = np.flatnonzero(kept[truth["user"]])
    owners = number[truth["user"][judged]]
    case = Case(
        recommended=recommended,
        judged_indptr=starts(np.bincount(owners, minlength=len(sizes))),
        judged_items=truth["item"][judged],
        judged_gains=truth["gain"][judged],
        n_items=len(items["item"]),
        scores=scores,
        threshold=limit,
    )
    if not case.relevant.any():
        raise nothing_relevant(tables.truth.label, users, limit)
    everything: Sequence[tuple[Part, np.ndarray, np.ndarray]] = (
        ("recommendations", lists["user"], lists["item"]),
        ("truth", truth["user"], truth["item"]),
    )
    steps = [_step("as read", part, u, i) for part, u, i in everything]
    steps += [_step(f"users kept: {users}", part, u[kept[u]], i[kept[u]]) for part, u, i in everything]
    steps.append(_step(f"lists cut at {width}", "recommendations", user[inside], item[inside]))
    with_relevant = np.unique(case.judged_users[case.relevant])
    about: About = {
        "dataset": {
            "name": " with ".join(one["name"] for one in named.values()),
            "source": "the user's own lists and test interactions",
            "files": named,
            "licence": OWN_LICENCE,
        },
        "lists": {
            "order": RANK_ORDER if tables.by_rank else SCORE_ORDER,
            "users": users,
            "threshold": limit,
            "threshold_rule": _rule(tables, threshold),
        },
        "protocol": None,
        "model": None,
        "steps": steps,
        "depth": width,
        "notes": [_who(users, has_list, has_truth), *([INEXACT] if tables.has_scores and scores is None else [])],
    }
    counts = {
        "users_with_list_only": int(np.count_nonzero(has_list & ~has_truth)),
        "users_with_truth_only": int(np.count_nonzero(has_truth & ~has_list)),
        "users_without_relevant": case.users - len(with_relevant),
    }
    return Content(case, everybody["user"][kept], items["item"], about, counts=counts)


def _lists(database: Database, tables: Interactions) -> dict[str, np.ndarray]:
    """The rows of the lists, best first; without scores where float64 would tie some that differ."""
    tied = (
        "SELECT 1 FROM (SELECT DISTINCT user, score FROM recs) GROUP BY user, CAST(score AS DOUBLE) "
        "HAVING count(*) > 1 LIMIT 1"
    )
    exact = tables.has_scores and database.first(tied) is None
    order = "t.rank" if tables.by_rank else "t.score DESC, i.number"
    return numbered_rows(database, "recs", "score" if exact else None, order)


def _rule(tables: Interactions, threshold: float | None) -> str:
    if threshold is not None:
        return "as given"
    rated = "rating" in tables.truth.roles
    what = "every row with a positive rating" if rated else "no rating column: every row, with gain 1,"
    return f"{what} is relevant"


def _who(users: Users, has_list: np.ndarray, has_truth: np.ndarray) -> str:
    """What became of the users that stand in one file only."""
    lists, truth = int(np.count_nonzero(has_list & ~has_truth)), int(np.count_nonzero(has_truth & ~has_list))
    left = {"both": (True, True), "truth": (True, False), "recommended": (False, True), "all": (False, False)}[users]
    fates = ["left out" if out else "kept" for out in left]
    return (
        f"{lists} users with a list but no test interactions are {fates[0]}; "
        f"{truth} users with test interactions but no list are {fates[1]}."
    )


def _step(step: str, part: Part, users: np.ndarray, items: np.ndarray) -> Step:
    return {
        "step": step,
        "part": part,
        "users": len(np.unique(users)),
        "items": len(np.unique(items)),
        "interactions": len(users),
    }

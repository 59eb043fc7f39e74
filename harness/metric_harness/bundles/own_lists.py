"""A bundle of a user's own recommendation lists and test interactions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from metric_harness.bundles.store import Bundle, Content, reuse_or_build
from metric_harness.data.datasets import OWN_LICENCE, QUIET
from metric_harness.data.tables import Ids, Table, find_table, read_table
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.case import NOTHING, Case
from metric_reports.types.manifest import About, OwnFile, Part, Step

Users = Literal["both", "truth", "recommended", "all"]
SCORE_ORDER = "score descending, then item id ascending"
RANK_ORDER = "rank ascending"


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
    """A bundle of lists and test interactions from files (.csv, .tsv, .inter or .parquet with named columns).

    recommendations : columns user, item, and score or rank (or both, if they agree). Lists are ordered by rank, else
        by score descending with equal scores by item id ascending.
    truth : columns user, item, and rating if there is one; without it every row has gain 1.
    threshold : smallest rating that is relevant; if None, the smallest positive one, so that every row with a positive
        rating is relevant.
    depth : lists are cut there; if None, they are kept whole.
    users : who is in the case: users of both files (default), of ``truth``, of ``recommended``, or of ``all``.

    Ids are whole numbers or any text; if one file has numbers and the other text, both are taken as text. The case's
    items are the items of both files in the order of their ids. There are no scores of all items.

    HarnessError names file, line, column and remedy: see ``read_table``; also for a pair of user
    and item or of user and rank that stands twice, a NaN score, ranks and scores that disagree, no relevant item.
    """
    if users not in get_args(Users):
        raise HarnessError(f"users {users!r}: use one of {', '.join(get_args(Users))}")
    if depth is not None and depth < 1:
        raise HarnessError(f"depth {depth}: lists must hold at least 1 item")
    files = {"recommendations": find_table(_file(recommendations)), "truth": find_table(_file(truth))}
    named: dict[str, OwnFile] = {
        role: {"name": path.name, "sha256": files[role].sha256()}
        for role, path in (("recommendations", recommendations), ("truth", truth))
    }
    recipe = {"kind": "lists", "files": named, "threshold": threshold, "depth": depth, "users": users}

    def build() -> Content:
        with reporter.task("Reading the lists and the test interactions"):
            lists = read_table(files["recommendations"], ("user", "item"), ("score", "rank"))
            judged = read_table(files["truth"], ("user", "item"), ("rating",))
            return _content(_check_lists(lists), _check_truth(judged), named, threshold, depth, users)

    return reuse_or_build(folder, recipe, build, reporter)


def _file(path: Path) -> Path:
    if path.is_dir() or path.suffix.lower() == ".zip":
        raise HarnessError(f"{path}: name a file with columns (.csv, .tsv, .inter or .parquet), not a folder or zip")
    return path


def _check_lists(table: Table) -> Table:
    """The lists with scores and ranks checked."""
    table.require_distinct("user", "item")
    for role in table.numbers:
        table.require_finite(role)
    if "rank" in table.numbers:
        table.require_distinct("user", "rank")
    elif "score" not in table.numbers:
        raise HarnessError(
            f"{table.file.label}: no column for the score or the rank, so the order of the lists is unknown; add one"
        )
    if len(table.numbers) == 2:
        user = table.ids["user"].codes
        order = _order(table, user, table.ids["item"].codes)
        score = table.numbers["score"][order]
        rises = np.flatnonzero((np.diff(score) > 0) & (np.diff(user[order]) == 0))
        if len(rises):
            table.fail(
                int(order[rises[0] + 1]),
                "score",
                "the score is higher than at the rank before, so rank and score disagree; keep one of the two columns",
            )
    return table


def _check_truth(table: Table) -> Table:
    table.require_distinct("user", "item")
    if "rating" in table.numbers:
        table.require_finite("rating")
    return table


def _order(table: Table, user: np.ndarray, item: np.ndarray) -> np.ndarray:
    """Rows by user, then from the best to the worst; ``user`` and ``item`` hold the number of each row's ids."""
    if "rank" in table.numbers:
        return np.lexsort((table.numbers["rank"], user))
    return np.lexsort((item, -table.numbers["score"], user))


def _content(
    lists: Table, truth: Table, named: dict[str, OwnFile], threshold: float | None, depth: int | None, users: Users
) -> Content:
    user_ids, list_user, truth_user = _align(lists.ids["user"], truth.ids["user"])
    item_ids, list_item, truth_item = _align(lists.ids["item"], truth.ids["item"])
    has_list, has_truth = (np.bincount(codes, minlength=len(user_ids)) > 0 for codes in (list_user, truth_user))
    kept = {"both": has_list & has_truth, "truth": has_truth, "recommended": has_list, "all": has_list | has_truth}[
        users
    ]
    if not kept.any():
        raise HarnessError(
            f"no user stands in both {lists.file.label} (such as {lists.ids['user'].distinct[0]}) and "
            f"{truth.file.label} (such as {truth.ids['user'].distinct[0]}); are these the same users?"
        )
    number = np.cumsum(kept) - 1  # of a user that is kept

    rows = _order(lists, list_user, list_item)
    rows = rows[kept[list_user[rows]]]
    user = number[list_user[rows]]
    sizes = np.bincount(user, minlength=int(kept.sum()))
    rank = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    width = int(min(depth or sizes.max(), max(1, sizes.max())))
    inside = rank < width
    recommended = np.full((len(sizes), width), NOTHING, dtype=np.int64)
    recommended[user[inside], rank[inside]] = list_item[rows[inside]]
    scores = None
    if "score" in lists.numbers:
        scores = np.full(recommended.shape, np.nan)
        scores[user[inside], rank[inside]] = lists.numbers["score"][rows[inside]]

    gains = truth.numbers.get("rating", np.ones(truth.rows))
    limit, rule = _threshold(truth, gains, threshold)
    judged = np.lexsort((truth_item, truth_user))
    judged = judged[kept[truth_user[judged]]]
    case = Case(
        recommended=recommended,
        judged_indptr=np.concatenate(
            [[0], np.cumsum(np.bincount(number[truth_user[judged]], minlength=len(sizes)))]
        ).astype(np.int64),
        judged_items=truth_item[judged].astype(np.int64),
        judged_gains=gains[judged].astype(np.float64),
        n_items=len(item_ids),
        scores=scores,
        threshold=limit,
    )
    if not case.relevant.any():
        raise HarnessError(
            f"{truth.file.label}: none of the users kept ({users}) has an item with a rating of at least {limit:g}; "
            "use a lower threshold or other users"
        )
    everything: Sequence[tuple[Part, np.ndarray, np.ndarray]] = (
        ("recommendations", list_user, list_item),
        ("truth", truth_user, truth_item),
    )
    steps = [_step("as read", part, u, i) for part, u, i in everything]
    steps += [_step(f"users kept: {users}", part, u[kept[u]], i[kept[u]]) for part, u, i in everything]
    steps.append(_step(f"lists cut at {width}", "recommendations", user[inside], list_item[rows[inside]]))
    with_relevant = np.unique(case.judged_users[case.relevant])
    about: About = {
        "dataset": {
            "name": " with ".join(one["name"] for one in named.values()),
            "source": "the user's own lists and test interactions",
            "files": named,
            "licence": OWN_LICENCE,
        },
        "lists": {
            "order": RANK_ORDER if "rank" in lists.numbers else SCORE_ORDER,
            "users": users,
            "threshold": limit,
            "threshold_rule": rule,
        },
        "protocol": None,
        "model": None,
        "steps": steps,
        "depth": width,
        "notes": [_who(users, has_list, has_truth)],
    }
    counts = {
        "users_with_list_only": int(np.count_nonzero(has_list & ~has_truth)),
        "users_with_truth_only": int(np.count_nonzero(has_truth & ~has_list)),
        "users_without_relevant": case.users - len(with_relevant),
    }
    return Content(case, user_ids[kept], item_ids, about, counts=counts)


def _threshold(truth: Table, gains: np.ndarray, threshold: float | None) -> tuple[float, str]:
    if threshold is not None:
        return float(threshold), "as given"
    positive = gains[gains > 0]
    if not len(positive):
        raise HarnessError(
            f"{truth.file.label}: no rating is above 0, so no item is relevant; ratings must be positive"
        )
    what = (
        "every row with a positive rating" if "rating" in truth.numbers else "no rating column: every row, with gain 1,"
    )
    return float(positive.min()), f"{what} is relevant"


def _who(users: Users, has_list: np.ndarray, has_truth: np.ndarray) -> str:
    """What became of the users that stand in one file only."""
    lists, truth = int(np.count_nonzero(has_list & ~has_truth)), int(np.count_nonzero(has_truth & ~has_list))
    left = {"both": (True, True), "truth": (True, False), "recommended": (False, True), "all": (False, False)}[users]
    fates = ["left out" if out else "kept" for out in left]
    return (
        f"{lists} users with a list but no test interactions are {fates[0]}; "
        f"{truth} users with test interactions but no list are {fates[1]}."
    )


def _align(first: Ids, second: Ids) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The ids of both columns, sorted, and the place in them of each row of either."""
    one, two = first.distinct, second.distinct
    if one.dtype.kind != two.dtype.kind:
        one, two = one.astype(str), two.astype(str)
    together = np.union1d(one, two)
    return together, np.searchsorted(together, one)[first.codes], np.searchsorted(together, two)[second.codes]


def _step(step: str, part: Part, users: np.ndarray, items: np.ndarray) -> Step:
    return {
        "step": step,
        "part": part,
        "users": len(np.unique(users)),
        "items": len(np.unique(items)),
        "interactions": len(users),
    }

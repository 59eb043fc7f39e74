"""Many variants on recommendations and test interactions of any size, from files, in bounded memory.

The numbers are those of ``evaluate`` on one case of all users, whatever the number of pieces.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import filelock
import numpy as np
import pyarrow.parquet as pq

from metric_harness.data.datasets import QUIET
from metric_harness.evaluation.exposure_sums import together, value_of_exposure, why_not
from metric_harness.evaluation.partial_sums import Asked, additive, value_of
from metric_harness.evaluation.stream_clustered import Outcome, evaluate_clustered
from metric_harness.evaluation.stream_ids import Collision, OtherKind, is_whole, kind_of
from metric_harness.evaluation.stream_load import NotClustered, fits
from metric_harness.evaluation.stream_plan import Plan, user_schema
from metric_harness.evaluation.stream_read import Source, open_source, read_piece, stamp
from metric_harness.evaluation.stream_spill import evaluate_spilled
from metric_harness.evaluation.stream_work import Work, open_work, writing
from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_harness.version import __version__
from metric_reference.variant import Variant

USERS = ("both", "truth", "recommended", "all")
MEMORY = 2 << 30
LEAST_MEMORY = 64 << 20
SAMPLE = 1 << 16
GIVEN = ("scores",)
"""What files may have of what a variant may need."""


@dataclass
class Evaluation:
    """What came out.

    numbers : by printed form with cut-off; not_available : why a variant has no value, by printed form; counts : users,
    items, rows; notes : what was done on the way; seconds, rows : the time it took, and the rows read in it.
    """

    numbers: dict[str, float]
    not_available: dict[str, str]
    counts: dict[str, int]
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    rows: int = 0
    threshold: float | None = None


def evaluate_files(
    recommendations: Path, truth: Path, variants: Sequence[Variant], ks: Sequence[int], *,
    threshold: float | None = None, users: str = "both", by_user: Path | None = None, memory: int = MEMORY,
    work: Path | None = None, partitions: int | None = None, reporter: Reporter = QUIET,
) -> Evaluation:  # fmt: skip
    """Evaluate variants on files.

    recommendations : a .csv, .tsv, .inter or .parquet file, or a folder of parquet parts, with columns user, item, and
        score or rank; lists are ordered by rank, else by score descending with equal scores by item id ascending.
    truth : the same with user, item, and rating if there is one.
    variants, ks : those without a cut-off of their own are computed at each of ``ks``.
    threshold : smallest rating that is relevant; if None, the smallest positive one.
    users : who is in the case: those of ``both`` files, of the ``truth``, ``recommended``, or ``all``.
    by_user : a parquet file to write each user's own values to. memory : bytes to stay within, but for the distinct
        items, which are always held. work : the folder for finished pieces; the same call goes on from them.
    partitions : deal the users out to so many partitions (a power of two), instead of what the memory asks for.

    HarnessError names the file, row or part and the remedy.
    """
    if users not in USERS:
        raise HarnessError(f"users {users!r}: use one of {', '.join(USERS)}")
    if memory < LEAST_MEMORY:
        raise HarnessError(f"--memory: {memory / 2**20:.0f} MiB is too little; give at least {LEAST_MEMORY >> 20} MiB")
    begun = time.perf_counter()
    asked = asked_of(variants, ks)
    recipe = [
        __version__, stamp(recommendations), stamp(truth), [f"{v}@{k}" for v, k in asked], threshold, users,
        by_user is not None, memory, partitions,
    ]  # fmt: skip
    digest = hashlib.sha256(json.dumps(recipe).encode()).hexdigest()[:20]
    root = work or cache_dir("evaluate")
    folder = open_work(root, digest)
    try:
        with filelock.FileLock(root / f"{digest}.lock", timeout=0):
            found = _evaluate(
                folder, recommendations, truth, asked, threshold, users, by_user, memory, partitions, reporter
            )
    except filelock.Timeout:
        raise HarnessError(f"{folder.folder}: another run works on the same files there; wait for it") from None
    folder.clear()
    (root / f"{digest}.lock").unlink(missing_ok=True)
    found.seconds = time.perf_counter() - begun
    return found


def asked_of(variants: Sequence[Variant], ks: Sequence[int]) -> list[Asked]:
    """Each variant with each of its cut-offs, once."""
    pairs = ((variant, k) for variant in variants for k in (ks if variant.k is None else (variant.k,)))
    return list(dict.fromkeys((replace(variant, k=None), k) for variant, k in pairs))


def _evaluate(
    folder: Work, recommendations: Path, truth: Path, asked: list[Asked], threshold: float | None, users: str,
    by_user: Path | None, memory: int, partitions: int | None, reporter: Reporter,
) -> Evaluation:  # fmt: skip
    lists = open_source(recommendations, ("user", "item"), ("score", "rank"), folder, "recommendations")
    judged = open_source(truth, ("user", "item"), ("rating",), folder, "truth")
    if not {"rank", "score"} & set(lists.columns):
        raise HarnessError(
            f"{lists.label}: no column for the score or the rank, so the order of the lists is unknown; add one"
        )
    sums, exposed, missing = sort_out(asked, {"scores"} if "score" in lists.columns else set())
    state = folder.get("ids.json") or {"kinds": _kinds(lists, judged), "seed": 0, "scattered": False}
    plan = Plan(
        lists, judged, state["kinds"], state["seed"], tuple(sums), tuple(dict.fromkeys(k for _, k in exposed)), users,
        threshold, by_user is not None, memory, folder, reporter,
    )  # fmt: skip
    while True:
        here = folder.sub(f"{state['kinds']['user']}-{state['kinds']['item']}-{state['seed']}")
        plan = replace(plan, kinds=state["kinds"], seed=state["seed"], work=here)
        clustered = not state["scattered"] and partitions is None and fits(plan)
        try:
            outcome = evaluate_clustered(plan) if clustered else evaluate_spilled(plan, partitions)
            found = finish(outcome, asked, exposed, missing, plan)
            break
        except OtherKind as other:
            state["kinds"] = {**state["kinds"], str(other): "text"}
        except Collision:
            state["seed"] += 1
        except NotClustered:
            reporter.say("The rows of a user do not stand together; they are brought together on disk first.")
            state["scattered"] = True
        here.clear()
        folder.put("ids.json", state)
    if by_user is not None:
        _write_users(plan, by_user)
    found.notes.append("one pass, the truth in memory" if clustered else "users were dealt out over partitions on disk")
    return found


def _kinds(lists: Source, judged: Source) -> dict[str, str]:
    """What the first rows show: whole numbers where both tables have them. If later rows do not, it is tried again."""
    kinds = {}
    for role in ("user", "item"):
        whole = True
        for source in (lists, judged):
            if not is_whole(source.types[role]):
                _, table = next(read_piece(source, source.pieces[0], (role,), SAMPLE))
                whole = whole and kind_of(table.column(role).drop_null()) == "whole"
        kinds[role] = "whole" if whole else "text"
    return kinds


def sort_out(asked: Sequence[Asked], has: set[str]) -> tuple[list[Asked], list[Asked], dict[str, str]]:
    """Which variants sums over users give, which item counts give, and why the others have no value."""
    sums, exposed, missing = [], [], {}
    for variant, k in asked:
        lacking = [need for need in variant.metric.needs if need not in has]
        if lacking:
            missing[str(variant.at(k))] = f"needs {', '.join(lacking)}, which the files do not have"
        elif additive(variant.metric):
            sums.append((variant, k))
        elif (reason := why_not(variant.metric)) is not None:
            missing[str(variant.at(k))] = reason
        else:
            exposed.append((variant, k))
    return sums, exposed, missing


def finish(
    outcome: Outcome, asked: Sequence[Asked], exposed: Sequence[Asked], missing: dict[str, str], plan: Plan
) -> Evaluation:
    """From the sums to the numbers, in the order in which they were asked for."""
    sums, numbers = outcome.sums, {}
    if not sums.users:
        raise HarnessError(
            f"no user stands in both {plan.recommendations.label} and {plan.truth.label}; are these the same users?"
        )
    if not sums.relevant:
        raise HarnessError(
            f"{plan.truth.label}: none of the users kept ({plan.users}) has a relevant item; "
            "use a lower threshold or other users"
        )
    for (variant, k), row in zip(plan.sums, sums.rows, strict=True):
        numbers[str(variant.at(k))] = value_of(variant, k, row, sums)
    n_items = len(all_items(outcome)) if exposed else 0
    if exposed:
        exposure = together(outcome.exposures, plan.exposed)
        for variant, k in exposed:
            counts = exposure.counts[plan.exposed.index(k)]
            value = value_of_exposure(variant.metric, k, counts, n_items, sums.users, sums.with_list)
            numbers[str(variant.at(k))] = variant.round(value)
    names = [str(variant.at(k)) for variant, k in asked]
    counts = {
        "users": sums.users, "users_with_relevant": sums.with_relevant, "users_with_list": sums.with_list,
        "lists": outcome.lists, "relevant": sums.relevant, "hits": sums.hits,
        "rows_recommended": plan.recommendations.rows, "rows_judged": plan.truth.rows,
    }  # fmt: skip
    if exposed:
        counts["items"] = n_items
    rows = plan.recommendations.rows + plan.truth.rows
    values = {name: numbers[name] for name in names if name in numbers}
    return Evaluation(values, missing, counts, rows=rows, threshold=outcome.threshold)


def all_items(outcome: Outcome) -> np.ndarray:
    """The keys of all items; raises :class:`Collision` where one stands for two of them."""
    keys, checks = np.concatenate([np.empty((2, 0), np.int64), *outcome.items], axis=1)
    order = np.lexsort((checks, keys))
    keys, checks = keys[order], checks[order]
    first = np.concatenate([np.ones(min(1, len(keys)), dtype=bool), keys[1:] != keys[:-1]])
    if np.any(~first[1:] & (checks[1:] != checks[:-1])):
        raise Collision
    return keys[first]


def _write_users(plan: Plan, target: Path) -> None:
    """The users' own values of all pieces as one file."""
    with writing(target) as part, pq.ParquetWriter(part, user_schema(plan)) as writer:
        for path in sorted(plan.work.folder.rglob("*.users.parquet")):
            with pq.ParquetFile(path) as held:
                for batch in held.iter_batches():
                    writer.write_batch(batch)

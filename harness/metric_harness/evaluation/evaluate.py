"""Many variants on recommendations and test interactions of any size, from files.

The numbers equal those of the reference on one case of all users. DuckDB joins, ranks and groups; the reference's
kernels evaluate one user of each pattern.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from metric_harness.data.database import OutOfMemory, open_database
from metric_harness.data.datasets import QUIET
from metric_harness.data.interactions import nobody, nothing_relevant, open_files, threshold_of
from metric_harness.data.overlap import Overlap
from metric_harness.evaluation import local
from metric_harness.evaluation.exposure_sums import value_of_exposure, why_not
from metric_harness.evaluation.partial_sums import Asked, Sums, additive, value_of
from metric_harness.evaluation.relational_plan import STEPS, Request
from metric_harness.evaluation.request import EvaluationRequest, Resources
from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_harness.system.limits import require_cutoffs
from metric_harness.system.progress import Reporter
from metric_reference.narrowed import EVERYTHING

USERS = ("both", "truth", "recommended", "all")
LEAST_MEMORY = 128 << 20
MOST_PARTS = 1024


@dataclass
class Evaluation:
    """The result.

    numbers : by printed form with cut-off; not_available : why a variant has no value, by printed form; counts : users,
    items, rows; notes : how it was computed; seconds : the time it took; rows : how many were read; ties : the order of
    items of equal score, in the words of the reference's edges; overlap : how the ids match, and the rows used.
    """

    numbers: dict[str, float]
    not_available: dict[str, str]
    counts: dict[str, int]
    overlap: Overlap
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    rows: int = 0
    threshold: float | None = None
    ties: str = "id_ascending"


@dataclass(frozen=True, eq=False)
class EngineResult:
    """What an engine, DuckDB or Spark, computes.

    sums : for the variants that are computed from sums over users; exposures : by cut-off, how often each item is
    recommended; lists : their number; overlap : of recommendations and truth; labels : their names.
    """

    sums: Sums
    exposures: dict[int, np.ndarray]
    lists: int
    overlap: Overlap
    labels: tuple[str, str]
    request: Request


def evaluate_files(
    recommendations: Path,
    truth: Path,
    asked_for: EvaluationRequest,
    *,
    by_user: Path | None = None,
    resources: Resources | None = None,
    reporter: Reporter = QUIET,
) -> Evaluation:
    """Evaluate variants on files.

    recommendations : a .csv, .tsv, .inter or .parquet file, or a folder of parquet parts, with columns user, item, and
        score or rank; lists are ordered by rank, else by score descending with equal scores by item id ascending. In
        parquet a row may also hold the list of a user: then item, and score or rank if there is one, are lists.
    truth : the same with user, item, and rating if there is one.
    by_user : a parquet file to write each user's own values to.

    HarnessError names the file, row or part and the remedy.
    """
    require_users(asked_for.users)
    resources = resources or Resources()
    memory = resources.memory
    if memory < LEAST_MEMORY:
        raise HarnessError(f"--memory: {memory / 2**20:.0f} MiB is too little; give at least {LEAST_MEMORY >> 20} MiB")
    started = time.perf_counter()
    asked = asked_of(asked_for)
    with open_database(resources.work or cache_dir("evaluate"), memory) as database:
        with reporter.task("Reading the recommendations and the truth"):
            tables = open_files(database, recommendations, truth, strict=asked_for.strict)
        sums, exposed, missing = sort_out(asked, {"scores"} if tables.has_scores else set())
        limit = threshold_of(database, tables, asked_for.threshold)
        request = Request(limit, asked_for.users, tables.by_rank, needs_scores(sums), cuts_of(exposed))
        run = local.Run(database, tables, request, by_user is not None)
        parts = _relations(run, reporter, resources.parts or local.parts_for(tables, memory))
        with reporter.task("Evaluating the variants"):
            result = EngineResult(
                sums=run.sums(sums),
                exposures=run.exposures(),
                lists=run.lists(),
                overlap=tables.overlap,
                labels=(tables.recommendations.label, tables.truth.label),
                request=request,
            )
            if not result.sums.users:
                raise nobody(database, tables)
            evaluation = finish(result, asked, sums, exposed, missing)
        if by_user is not None:
            with reporter.task(f"Writing {by_user}"):
                run.write_users(sums, by_user)
    evaluation.notes.append(f"DuckDB, {parts} part{'s' * (parts > 1)} of the users")
    evaluation.seconds = time.perf_counter() - started
    return evaluation


def _relations(run: local.Run, reporter: Reporter, parts: int) -> int:
    """Run the plan, again with more and smaller parts if it runs out of memory. Returns the number of parts."""
    title = f"Evaluating {run.tables.recommendations.label}"
    while True:
        try:
            with reporter.task(title, parts * (len(STEPS) + 1 + bool(run.request.cuts))) as advance:
                run.relations(parts, local.Steps(reporter, advance))
            return parts
        except OutOfMemory:
            if parts >= MOST_PARTS:
                raise
            parts *= 4
            reporter.say(f"The memory is too little for that; the users are dealt into {parts} parts.")


def require_users(users: str) -> None:
    """HarnessError for an unknown value of the option ``users``."""
    if users not in USERS:
        raise HarnessError(f"users {users!r}: use one of {', '.join(USERS)}")


def needs_scores(asked: Sequence[Asked]) -> bool:
    """Whether a variant reads the scores of lists."""
    return any("scores" in variant.metric.needs for variant, _ in asked)


def cuts_of(exposed: Sequence[Asked]) -> tuple[int, ...]:
    """The distinct cut-offs of variants."""
    return tuple(dict.fromkeys(k for _, k in exposed))


def asked_of(request: EvaluationRequest) -> list[Asked]:
    """Each variant with each of its cut-offs, once; HarnessError for a cut-off that no list reaches."""
    pairs = [(variant, k) for variant in request.variants for k in (request.ks if variant.k is None else (variant.k,))]
    require_cutoffs(k for _, k in pairs)
    return list(dict.fromkeys((replace(variant, k=None), k) for variant, k in pairs))


def sort_out(asked: Sequence[Asked], available: set[str]) -> tuple[list[Asked], list[Asked], dict[str, str]]:
    """The variants to compute from sums over users, those from item counts, and why the others have no value."""
    sums, exposed, missing = [], [], {}
    for variant, k in asked:
        lacking = [need for need in variant.metric.needs if need not in available]
        if variant.only != EVERYTHING:
            missing[str(variant.at(k))] = "not available at this size: it needs each list, not the ranks of its hits"
        elif lacking:
            missing[str(variant.at(k))] = f"needs {', '.join(lacking)}, which the files do not have"
        elif additive(variant.metric):
            sums.append((variant, k))
        elif (reason := why_not(variant.metric)) is not None:
            missing[str(variant.at(k))] = reason
        else:
            exposed.append((variant, k))
    return sums, exposed, missing


def finish(
    result: EngineResult,
    asked: Sequence[Asked],
    summed: Sequence[Asked],
    exposed: Sequence[Asked],
    missing: dict[str, str],
) -> Evaluation:
    """The values of all variants that have one, in the order in which they were asked for."""
    sums, numbers, request = result.sums, {}, result.request
    recommendations, truth = result.labels
    if not sums.users:
        raise HarnessError(f"no user stands in both {recommendations} and {truth}; are these the same users?")
    if not sums.relevant:
        raise nothing_relevant(truth, request.users, request.threshold)
    for (variant, k), row in zip(summed, sums.rows, strict=True):
        numbers[str(variant.at(k))] = value_of(variant, k, row, sums)
    for variant, k in exposed:
        items = result.overlap.items.all
        value = value_of_exposure(variant.metric, k, result.exposures[k], items, sums.users, sums.with_list)
        numbers[str(variant.at(k))] = variant.round(value)
    names = [str(variant.at(k)) for variant, k in asked]
    counts = {
        "users": sums.users,
        "users_with_relevant": sums.with_relevant,
        "users_with_list": sums.with_list,
        "lists": result.lists,
        "relevant": sums.relevant,
        "hits": sums.hits,
        "rows_recommended": result.overlap.rows[0],
        "rows_judged": result.overlap.rows[1],
    }
    if exposed:
        counts["items"] = result.overlap.items.all
    values = {name: numbers[name] for name in names if name in numbers}
    ties = "input_order" if request.by_rank else "id_ascending"
    rows = sum(result.overlap.rows)
    return Evaluation(values, missing, counts, result.overlap, rows=rows, threshold=request.threshold, ties=ties)

"""Metrics among drawn negatives inside Spark: the queries of DuckDB, and the same kernels on what they count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from metric_harness.data.datasets import QUIET
from metric_harness.data.interactions import finite_threshold, repeated
from metric_harness.data.overlap import Overlap, overlap_of, require_matching
from metric_harness.evaluation import ranked_items as items
from metric_harness.evaluation import relational_plan as plan
from metric_harness.evaluation.sampled import Kernel, SampledEvaluation, Sums, evaluated
from metric_harness.evaluation.spark import read, session
from metric_harness.evaluation.spark_frames import (
    Relations,
    Tables,
    id_forms,
    open_tables,
    require_values,
    rows_of,
    smallest_gain,
    typed,
)
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.candidates.choice import Candidates

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def evaluate_paths(
    files: dict[str, Path],
    drawings: Sequence[Candidates],
    measures: Sequence[str],
    threshold: float | None = None,
    strict: bool = False,
    reporter: Reporter = QUIET,
) -> SampledEvaluation:
    """As :func:`metric_harness.evaluation.sampled.evaluate_sampled`, in the current Spark session or a new one.

    files : ``ranks``; or ``scores``, ``truth`` and, if there is one, ``train``.
    """
    spark = session()
    frames = {name: read(spark, path) for name, path in files.items()}

    def places(relations: Relations) -> items.RankedItems:
        if "ranks" in frames:
            return from_ranks(relations, frames["ranks"])
        return from_scores(relations, frames["scores"], frames["truth"], frames.get("train"), threshold, strict)

    return evaluate_frames(places, drawings, measures, reporter)


def evaluate_frames(
    read_into: Callable[[Relations], items.RankedItems],
    drawings: Sequence[Candidates],
    measures: Sequence[str],
    reporter: Reporter = QUIET,
) -> SampledEvaluation:
    """Evaluate what :func:`from_ranks` or :func:`from_scores` makes of DataFrames."""
    relations = Relations({})

    def sums_of(query: str, kernel: Kernel) -> Iterable[Sums]:
        rows = relations.sql(query).mapInArrow(_summed(kernel), "sums string").collect()
        return [Sums.from_text(row["sums"], kernel) for row in rows]

    return evaluated(lambda: read_into(relations), sums_of, plan.SPARK, drawings, measures, reporter)


def _summed(kernel: Kernel) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function from batches of patterns to their sums, as one text."""

    def sums(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        total = Sums.nothing(kernel)
        for batch in batches:
            total.add(kernel(batch))
        yield pa.record_batch([pa.array([total.to_text()])], names=["sums"])

    return sums


def from_ranks(relations: Relations, frame: DataFrame) -> items.RankedItems:
    """The relation ``places`` from columns user, item, rank and candidates, as from a file."""
    rows, _ = rows_of("ranks", frame, items.WEIGHTS, ("user", "item", "rank", "candidates"))
    weighted = set(items.WEIGHTS) <= set(rows.columns)
    if not weighted and set(items.WEIGHTS) & set(rows.columns):
        raise HarnessError("ranks: weight_above and weight go together; add the other one")
    forms = {role: id_forms([rows], role, ("ranks",)) for role in ("user", "item")}
    kinds = {role: kind for role, (kind, _, _) in forms.items()}
    table = typed(rows, kinds, {role: of_frames[0] for role, (_, of_frames, _) in forms.items()})
    require_values("ranks", table)
    relations.frames["ranks"] = table.persist()
    for role, wrong, what in items.RANK_CHECKS + (items.WEIGHT_CHECKS if weighted else ()):
        relations.refuse(
            f"SELECT user, item FROM ranks WHERE {wrong} ORDER BY 1, 2", "ranks: user {}, item {}: " + f"{role}: {what}"
        )
    alone = relations.sql("SELECT count(*) = count(DISTINCT user) FROM ranks").collect()[0][0]
    if not alone:
        for by in ("item", "rank"):
            relations.refuse(repeated("ranks", by), "ranks: user {} and " + by + " {} stand in it twice; keep one row")
        relations.refuse(items.UNEVEN, "ranks: " + items.UNEVEN_USER)
    relations.frames["places"] = relations.sql(items.of_ranks(alone, weighted)).persist()
    return _counted(relations, "ranks", alone, weighted, "input_order")


def from_scores(
    relations: Relations,
    scores: DataFrame,
    truth: DataFrame,
    train: DataFrame | None,
    threshold: float | None,
    strict: bool = False,
) -> items.RankedItems:
    """The relation ``places`` from the scores of all candidates, as from files."""
    tables = open_tables(scores, truth, numbers=("score",))
    relations.frames.update(all_scores=tables.recs.persist(), truth=tables.truth.persist())
    relations.refuse(repeated("all_scores"), "scores: user {} and item {} stand in it twice; keep one row")
    relations.refuse(repeated("truth"), "truth: user {} and item {} stand in it twice; keep one row")
    overlap = _overlap(tables, strict)
    limit = smallest_gain(tables.truth) if threshold is None else finite_threshold(threshold)
    relations.frames["relevant"] = relations.sql(items.RELEVANT.format(limit)).persist()
    relations.refuse(items.NO_SCORE, "scores: " + items.NO_SCORE_OF)
    as_text = False
    if train is not None:
        rows, _ = rows_of("train", train, ())
        kind, forms, _ = id_forms([rows], "item", ("train",))
        relations.frames["train"] = typed(rows.select("item"), {"item": kind}, {"item": forms[0]})
        require_values("train", relations.frames["train"])
        relations.frames["popularity"] = relations.sql(items.POPULARITY).persist()
        as_text = kind != tables.kinds["item"]
    relations.frames["places"] = relations.sql(items.of_scores(train is not None, as_text)).persist()
    return _counted(relations, "scores", False, train is not None, "id_ascending", overlap)


def _overlap(tables: Tables, strict: bool) -> Overlap:
    """How the ids of scores and truth match; HarnessError if hardly any do and ``strict`` says so."""
    recs, judged = tables.empty
    sides = Relations({"recs": tables.recs, "truth": tables.truth, "empty_recs": recs, "empty_truth": judged})
    found = overlap_of(lambda query: sides.sql(query).collect(), tables.conversions)
    require_matching(found.warnings, strict)
    return found


def _counted(
    relations: Relations, label: str, alone: bool, weighted: bool, ties: str, overlap: Overlap | None = None
) -> items.RankedItems:
    """The relation ``places`` in numbers."""
    return items.counted(lambda query: relations.sql(query).collect(), label, alone, weighted, ties, overlap)

"""Two files as one case of the reference with all users of either, from which any signature can be computed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from metric_harness.data.database import Database, open_database
from metric_harness.data.interactions import (
    Interactions,
    open_files,
    repeated,
    require_distinct,
    require_ranks,
    threshold_of,
)
from metric_harness.data.numbered import number_ids, numbered_rows, places, starts, users_kept
from metric_harness.data.overlap import Overlap
from metric_harness.system.caches import cache_dir
from metric_harness.system.errors import HarnessError
from metric_reference.averaging import edge_users
from metric_reference.case import NOTHING, Case
from metric_reference.edges import Edges
from metric_reference.expected_ties import NoClosedForm
from metric_reference.matching import Matches
from metric_reference.signatures.signature import Signature
from metric_reference.ties import has_ties
from metric_reference.variant import prepare

MOST_CELLS = 1 << 28
"""Users times ranks of the largest case in memory."""


class NoNumber(HarnessError):
    """A signature gives no number for these files: they contain what it refuses or leaves open."""


@dataclass(frozen=True, eq=False)
class Files:
    """Recommendations and truth in memory.

    case : all users of either file; lists in the order of ranks, or of scores and then of rows in the file.
    in_recommendations, in_truth : bool arrays, shape (users,): which users each file has. smallest : the smallest gain
    above 0. repeats : whether a list names an item twice. overlap : how the ids of both files match.
    """

    case: Case
    in_recommendations: np.ndarray
    in_truth: np.ndarray
    smallest: float
    repeats: bool
    overlap: Overlap
    _matched: dict[tuple[object, ...], Matches] = field(default_factory=dict, repr=False)

    def number(self, signature: Signature) -> float:
        """The value of a signature for these files. NoNumber if they contain what it refuses or leaves open."""
        metric, k = signature.variant.metric, signature.variant.k
        if k is None:
            raise NoNumber(f"{signature.head}: the signature has no cut-off; write it behind the metric, such as @20")
        if signature.candidates.drawn:
            raise NoNumber(
                f"{signature.head}: its candidates are drawn (cand:{signature.candidates}), and lists do not show the "
                "draw; `metric-harness evaluate --ranks` gives the expectation and the standard deviation"
            )
        lacking = [need for need in metric.needs if getattr(self.case, need) is None]
        if lacking:
            raise NoNumber(f"{signature.head} needs {', '.join(lacking)}, which these files do not have")
        edges = signature.edges
        if self.repeats and metric.lists and signature.duplicates in ("error", "unclear"):
            raise NoNumber("a list names an item twice, which the signature refuses or leaves open (dup)")
        matches = self.matches(signature, edges)
        if signature.ties in ("unspecified", "unclear") and metric.lists and has_ties(matches.case):
            raise NoNumber("items of a list have equal scores, whose order the signature leaves open (ties)")
        for edge, affected in edge_users(metric, matches).items():
            if affected.any() and getattr(edges, edge) in ("error", "unclear"):
                code = {"no_relevant": "norel", "no_list": "nolist"}[edge]
                count = int(np.count_nonzero(affected))
                raise NoNumber(f"{count} users are what the signature refuses or leaves open ({code})")
        try:
            return signature.variant.of_matches(matches, edges)
        except NoClosedForm as error:
            raise NoNumber(str(error)) from None

    def matches(self, signature: Signature, edges: Edges) -> Matches:
        """The users that a signature covers, matched under its tie and duplicate rules."""
        key = (signature.users, signature.threshold, signature.duplicates == "once", signature.ties)
        if key not in self._matched:
            self._matched[key] = prepare(self._case(signature), edges)
        return self._matched[key]

    def _case(self, signature: Signature) -> Case:
        kept = users_kept(signature.users, self.in_recommendations, self.in_truth)
        if not kept.any():
            raise NoNumber("no user stands in both files; are these the same users?")
        case, threshold = self.case, self.smallest if signature.threshold is None else signature.threshold
        counts = np.diff(case.judged_indptr)
        rows = np.repeat(kept, counts)
        return replace(
            case,
            recommended=case.recommended[kept],
            scores=None if case.scores is None else case.scores[kept],
            judged_indptr=starts(counts[kept]),
            judged_items=case.judged_items[rows],
            judged_gains=case.judged_gains[rows],
            threshold=threshold,
        )


@contextmanager
def read_files(recommendations: Path, truth: Path, *, strict: bool = False) -> Iterator[Files]:
    """Both files in memory. HarnessError names the first invalid row, and is raised if ``strict`` and few ids match."""
    with open_database(cache_dir("evaluate")) as database:
        yield _in_memory(database, open_files(database, recommendations, truth, strict=strict))


def _in_memory(database: Database, tables: Interactions) -> Files:
    """Two opened tables as arrays."""
    require_distinct(database, "truth", tables.truth)
    require_ranks(database, tables)
    smallest = threshold_of(database, tables, None)
    all_users, items = number_ids(database, "user"), len(number_ids(database, "item")["item"])
    users = len(all_users["user"])
    best = "t.rank" if tables.by_rank else "t.score DESC"
    recs = numbered_rows(database, "all recs", "score" if tables.has_scores else None, f"{best}, file, place, i.number")
    truth = numbered_rows(database, "truth", "gain", "i.number")
    sizes = np.bincount(recs["user"], minlength=users)
    width = max(1, int(sizes.max(initial=0)))
    if users * width > MOST_CELLS:
        raise HarnessError(f"{users:,} users times the longest list of {width:,} do not fit in memory; cut the lists")
    rank = places(sizes)
    recommended = np.full((users, width), NOTHING, dtype=np.int64)
    recommended[recs["user"], rank] = recs["item"]
    scores = None
    if tables.has_scores:
        scores = np.full((users, width), np.nan)
        scores[recs["user"], rank] = recs["score"]
    judgements = np.bincount(truth["user"], minlength=users)
    case = Case(
        recommended=recommended,
        judged_indptr=starts(judgements),
        judged_items=truth["item"],
        judged_gains=truth["gain"],
        n_items=items,
        scores=scores,
        threshold=smallest,
    )
    repeats = database.first(repeated("recs")) is not None
    return Files(case.check(), all_users["listed"], all_users["judged"], smallest, repeats, tables.overlap)

"""How the ids of recommendations and truth match, and which rows of each file are used: the counts that add up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from metric_harness.system.errors import HarnessError
from metric_reports.types.manifest import Matching

LEAST_USERS = 0.5
"""The share of the users of the smaller file that the other file should have, too."""
LEAST_ITEMS = 0.1
"""The same of items: the items of lists and of the truth are many, and differ."""
SHOWN = 2
SIDES = ("recommendations", "truth")

USERS = (
    "SELECT count(recs) AS listed, count(truth) AS judged, count(CASE WHEN recs IS NOT NULL AND truth IS NOT NULL "
    "THEN 1 END) AS shared, sum(recs) AS recs, sum(truth) AS truth, sum(CASE WHEN truth IS NULL THEN recs END) AS "
    "no_truth, sum(CASE WHEN recs IS NULL THEN truth END) AS no_list FROM (SELECT l.n AS recs, j.n AS truth FROM "
    "(SELECT user, count(*) AS n FROM recs GROUP BY user UNION ALL SELECT user, 0 FROM empty_recs) AS l FULL JOIN "
    "(SELECT user, count(*) AS n FROM truth GROUP BY user UNION ALL SELECT user, 0 FROM empty_truth) AS j "
    "ON l.user = j.user) AS users"
)
ITEMS = (
    "SELECT count(l.item), count(j.item), count(CASE WHEN l.item IS NOT NULL AND j.item IS NOT NULL THEN 1 END) FROM "
    "(SELECT DISTINCT item FROM recs) AS l FULL JOIN (SELECT DISTINCT item FROM truth) AS j ON l.item = j.item"
)
ALONE = "SELECT DISTINCT {role} FROM {side} WHERE {role} NOT IN (SELECT {role} FROM {other}) ORDER BY 1 LIMIT {shown}"


@dataclass(frozen=True)
class Conversion:
    """Ids of a table that are compared in another form than they are written in.

    role : user or item; rows : how many; written, form : one of them.
    """

    role: str
    side: str
    rows: int
    written: str
    form: str


@dataclass(frozen=True)
class Shared:
    """The distinct ids of a role in the recommendations, in the truth, and in both."""

    recommendations: int
    truth: int
    both: int

    @property
    def all(self) -> int:
        """The distinct ids of both files together."""
        return self.recommendations + self.truth - self.both

    def few(self, share: float) -> bool:
        """Whether both files share less than a part of the ids of the smaller one."""
        return self.both < share * min(self.recommendations, self.truth)


@dataclass(frozen=True)
class Overlap:
    """The ids and the rows of two files.

    rows : read, of recommendations and of truth; alone : rows of users that the other file lacks; conversions : of ids;
    warnings : where hardly any ids match.
    """

    users: Shared
    items: Shared
    rows: tuple[int, int]
    alone: tuple[int, int]
    conversions: tuple[Conversion, ...]
    warnings: tuple[str, ...]

    def page(self, users: str) -> Matching:
        """As JSON; ``users``: who is in the case."""
        dropped = [
            {"user_without_truth": self.alone[0] if users in ("both", "truth") else 0},
            {"user_without_list": self.alone[1] if users in ("both", "recommended") else 0},
        ]
        return {
            "rows": {
                side: {"read": rows, "used": rows - sum(reasons.values()), "dropped": reasons}
                for side, rows, reasons in zip(SIDES, self.rows, dropped, strict=True)
            },
            "ids": {
                f"{role}s": {"recommendations": ids.recommendations, "truth": ids.truth, "both": ids.both}
                for role, ids in (("user", self.users), ("item", self.items))
            },
            "converted": [
                {"side": one.side, "role": one.role, "written": one.written, "form": one.form, "rows": one.rows}
                for one in self.conversions
            ],
            "warnings": list(self.warnings),
        }


def require_matching(warnings: Sequence[str], strict: bool) -> None:
    """HarnessError for the first warning if ``strict``."""
    if strict and warnings:
        raise HarnessError(f"--strict: {warnings[0]}")


def overlap_of(rows: Callable[[str], Sequence[Sequence[Any]]], conversions: tuple[Conversion, ...]) -> Overlap:
    """The overlap of the relations ``recs`` and ``truth``; ``rows`` runs a query in DuckDB or Spark."""
    listed, judged, shared, *counts = (int(count or 0) for count in rows(USERS)[0])
    found = {"user": Shared(listed, judged, shared), "item": Shared(*map(int, rows(ITEMS)[0]))}
    warnings = []
    for (role, ids), share in zip(found.items(), (LEAST_USERS, LEAST_ITEMS), strict=True):
        if ids.few(share):
            examples = [
                " and ".join(repr(row[0]) for row in rows(ALONE.format(role=role, side=side, other=other, shown=SHOWN)))
                for side, other in (("recs", "truth"), ("truth", "recs"))
            ]
            warnings.append(
                f"only {ids.both:,} {role}s are in both files: the recommendations have {ids.recommendations:,}, "
                f"such as {examples[0]}, the truth has {ids.truth:,}, such as {examples[1]}; are these the same ids?"
            )
    return Overlap(
        found["user"], found["item"], (counts[0], counts[1]), (counts[2], counts[3]), conversions, tuple(warnings)
    )

"""The relational plan of an evaluation as SQL, the same for DuckDB and Spark: joins, counts and groups, no metric.

It starts from ``recs`` (user, item, score or rank or both), ``truth`` (user, item, gain), and the users who have an
empty list (``empty_recs``) or nothing judged (``empty_truth``). Its result is
``patterns``: all that metrics use of a user (length of the list, relevant gains, ranks and gains of the hits), and how
many users share it. The reference's kernels evaluate one user of each pattern.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

STEPS = ("judged", "listed", "ranked", "hit_lists", "users", "patterns")
"""The relations of the plan, each made from ``recs``, ``truth`` and the relations before it."""


@dataclass(frozen=True)
class Dialect:
    """The functions that have another name in each engine.

    sort : sorts a list; collect : rows to a list; unnest : a list to rows; record, field : a record and one of its
    fields, as format strings.
    """

    sort: str
    collect: str
    unnest: str
    record: str
    field: str

    def sorted_list(self, value: str, where: str = "true") -> str:
        """SQL: the sorted list of the values in a group."""
        return f"{self.sort}({self.collect}({value}) FILTER (WHERE {where}))"

    def record_of(self, names: Sequence[str]) -> str:
        """SQL: a record of some columns."""
        return self.record.format(", ".join(self.field.format(name=name) for name in names))


DUCKDB = Dialect("list_sort", "list", "unnest", "struct_pack({})", "{name} := {name}")
SPARK = Dialect("sort_array", "collect_list", "explode", "named_struct({})", "'{name}', {name}")


@dataclass(frozen=True)
class Request:
    """The settings that the plan depends on.

    threshold : smallest gain that is relevant; users : who is in the case; by_rank : lists are ordered by rank, else
    by score; with_scores : whether metrics read the scores of hits; cuts : the ranks up to which recommended items are
    counted.
    """

    threshold: float
    users: str
    by_rank: bool
    with_scores: bool
    cuts: tuple[int, ...] = ()

    @property
    def order(self) -> str:
        """SQL: the order of a list."""
        return "recs.rank" if self.by_rank else "recs.score DESC, recs.item"


JOINS = {"both": "JOIN", "truth": "RIGHT JOIN", "recommended": "LEFT JOIN", "all": "FULL JOIN"}
"""How users with a list and users in the truth are joined, by the option ``users``."""


def steps(request: Request, dialect: Dialect) -> Iterator[tuple[str, str]]:
    """The name and the SQL of each relation, in the order in which they are made."""
    relevant = f"gain > 0 AND gain >= {request.threshold!r}"
    gains = dialect.sorted_list("gain", relevant)
    hits = dialect.sorted_list(dialect.record_of(("rank", "gain", *(["score"] if request.with_scores else []))))
    score = ", CAST(score AS DOUBLE) AS score" if request.with_scores else ""
    yield (
        "judged",
        f"SELECT user, {gains} AS gains FROM truth GROUP BY user UNION ALL SELECT user, NULL FROM empty_truth",
    )
    yield (
        "listed",
        "SELECT user, count(*) AS listed FROM recs GROUP BY user UNION ALL SELECT user, 0 FROM empty_recs",
    )
    yield (
        "ranked",
        (
            "SELECT r.*, t.gain FROM "
            f"(SELECT user, item{score}, row_number() OVER (PARTITION BY user ORDER BY {request.order}) - 1 AS rank "
            f"FROM recs) AS r LEFT JOIN (SELECT user, item, gain FROM truth WHERE {relevant}) AS t "
            "ON r.user = t.user AND r.item = t.item "
            f"WHERE t.gain IS NOT NULL OR r.rank < {max(request.cuts, default=0)}"
        ),
    )
    yield "hit_lists", f"SELECT user, {hits} AS hits FROM ranked WHERE gain IS NOT NULL GROUP BY user"
    yield (
        "users",
        (
            "SELECT coalesce(l.user, j.user) AS user, coalesce(l.listed, 0) AS listed, j.gains, x.hits "
            f"FROM listed l {JOINS[request.users]} judged j ON l.user = j.user LEFT JOIN hit_lists x ON l.user = x.user"
        ),
    )
    yield "patterns", "SELECT listed, gains, hits, count(*) AS times FROM users GROUP BY listed, gains, hits"


def distinct_gains(patterns: str, dialect: Dialect, limit: int) -> str:
    """SQL: up to ``limit`` distinct gains of relevant items."""
    gains = f"SELECT {dialect.unnest}(gains) AS gain FROM {patterns}"
    return f"SELECT DISTINCT gain FROM ({gains}) AS all_gains LIMIT {limit}"


LISTS = "SELECT count(CASE WHEN listed > 0 THEN 1 END) AS lists FROM listed"


def exposure(request: Request) -> str:
    """SQL: how often each item is in the first k ranks, one column for each of the request's cuts."""
    counts = ", ".join(f"count(CASE WHEN rank < {k} THEN 1 END) AS at_{k}" for k in request.cuts)
    in_case = " AND user IN (SELECT user FROM judged)" if request.users in ("both", "truth") else ""
    return f"SELECT item, {counts} FROM ranked WHERE rank < {max(request.cuts)}{in_case} GROUP BY item"

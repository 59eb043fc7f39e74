"""The relational plan of an evaluation as SQL, the same for DuckDB and Spark: joins, counts and groups, no metric.

It starts from ``recs`` (user, item, score or rank or both) and ``truth`` (user, item, gain). Its result is
``patterns``: all that metrics use of a user (length of the list, relevant gains, ranks and gains of the hits), and how
many users share it. The reference's kernels evaluate one user of each pattern.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

STEPS = ("judged", "listed", "hits", "ranks", "hit_lists", "users", "patterns")
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
    by score; with_scores : whether metrics read the scores of hits.
    """

    threshold: float
    users: str
    by_rank: bool
    with_scores: bool

    @property
    def key(self) -> str:
        """The column that orders lists."""
        return "rank" if self.by_rank else "score"

    def better(self, left: str, right: str) -> str:
        """SQL: whether the row ``left`` is above the row ``right`` in a list."""
        if self.by_rank:
            return f"{left}.rank < {right}.rank"
        return f"{left}.score > {right}.score OR ({left}.score = {right}.score AND {left}.item < {right}.item)"

    @property
    def order(self) -> str:
        """SQL: the order of a list."""
        return "rank" if self.by_rank else "score DESC, item"


JOINS = {"both": "JOIN", "truth": "RIGHT JOIN", "recommended": "LEFT JOIN", "all": "FULL JOIN"}
"""How users with a list and users in the truth are joined, by the option ``users``."""


def steps(request: Request, dialect: Dialect) -> Iterator[tuple[str, str]]:
    """The name and the SQL of each relation, in the order in which they are made."""
    relevant = f"gain > 0 AND gain >= {request.threshold!r}"
    gains = dialect.sorted_list("gain", relevant)
    hits = dialect.sorted_list(dialect.record_of(("rank", "gain", *(["score"] if request.with_scores else []))))
    score = ", max(CAST(h.score AS DOUBLE)) AS score" if request.with_scores else ""
    columns = "h.score" if not request.by_rank else "h.rank" + (", h.score" if request.with_scores else "")
    yield "judged", f"SELECT user, {gains} AS gains FROM truth GROUP BY user"
    yield "listed", "SELECT user, count(*) AS listed FROM recs GROUP BY user"
    yield (
        "hits",
        (
            f"SELECT h.user, h.item, {columns}, t.gain FROM recs h "
            f"JOIN (SELECT user, item, gain FROM truth WHERE {relevant}) t ON h.user = t.user AND h.item = t.item"
        ),
    )
    yield (
        "ranks",
        (
            f"SELECT h.user, h.item, max(h.gain) AS gain{score}, "
            f"count(CASE WHEN {request.better('r', 'h')} THEN 1 END) AS rank "
            "FROM recs r JOIN hits h ON r.user = h.user GROUP BY h.user, h.item"
        ),
    )
    yield "hit_lists", f"SELECT user, {hits} AS hits FROM ranks GROUP BY user"
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


ITEMS = "SELECT count(*) FROM (SELECT DISTINCT item FROM recs UNION SELECT DISTINCT item FROM truth) AS items"


def lists_in_case(request: Request) -> str:
    """SQL: the recommendations of the users who are in the case."""
    if request.users in ("both", "truth"):
        return "(SELECT r.* FROM recs r SEMI JOIN judged j ON r.user = j.user)"
    return "recs"


def exposure(request: Request, ks: Sequence[int]) -> str:
    """SQL: how often each item is in the first k ranks, one column for each k."""
    counts = ", ".join(f"count(CASE WHEN place <= {k} THEN 1 END) AS at_{k}" for k in ks)
    ranked = (
        f"SELECT item, row_number() OVER (PARTITION BY user ORDER BY {request.order}) AS place "
        f"FROM {lists_in_case(request)} AS lists"
    )
    return f"SELECT {counts} FROM ({ranked}) AS ranked WHERE place <= {max(ks)} GROUP BY item"

"""Random layouts of two files, ids of any type, faults: what brute force in plain Python gives, or refused.

Each goes through ``evaluate``, through the reader of ``signature verify`` and through the bundle of ``compare``.
"""

from __future__ import annotations

import csv
import math
import re
import uuid
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metric_harness.bundles.own_lists import bundle_from_files
from metric_harness.evaluation.whole_case import read_files
from metric_harness.system.errors import HarnessError
from metric_reference.case import case_from_lists
from metric_reference.edges import STANDARD
from metric_reference.evaluate import evaluate
from metric_reference.signatures.signature import Signature
from metric_reference.variant import Variant
from tests.reference.test_literal import made
from tests.support import literal
from tests.support.evaluated import evaluate_files
from tests.support.literal.user import users_of

PLAIN, SLOW, ALL, IN_BATCH = 40, 400, 1000, 20
"""Layouts in the plain run, those before the slow ones end, and all: a layout takes a quarter of a second."""
VARIANTS = [Variant.parse(one) for one in ("hit_rate", "recall", "reciprocal_rank", "ndcg(gain=linear)", "precision")]


class Form(NamedTuple):
    """How an id is written: the kind of its column, whether a text file can hold it, its type and the value of n."""

    kind: str
    in_text: bool
    type: pa.DataType
    of: Callable[[int], Any]


def made_uuid(n: int) -> uuid.UUID:
    return uuid.UUID(int=0xABCDEF << 100 | (n + 1) * 2**70 + 17)


FORMS = {
    "int64": Form("number", True, pa.int64(), lambda n: n),
    "int8": Form("number", True, pa.int8(), lambda n: n),
    "uint64": Form("number", True, pa.uint64(), lambda n: n),
    "float64": Form("number", True, pa.float64(), float),
    "float32": Form("number", True, pa.float32(), float),
    "decimal": Form("number", True, pa.decimal128(10, 2), lambda n: Decimal(n).quantize(Decimal("1.00"))),
    "text": Form("text", True, pa.string(), str),
    "dictionary": Form("text", True, pa.dictionary(pa.int32(), pa.string()), str),
    "point": Form("text", True, pa.string(), lambda n: f"{n}.0"),
    "zeros": Form("text", True, pa.large_string(), lambda n: f"{n:03d}"),
    "negative": Form("text", True, pa.string(), lambda n: f"-{n}"),
    "huge": Form("text", True, pa.string(), lambda n: f"{2**70 + n}"),
    "word": Form("text", True, pa.string(), lambda n: f"é{n}"),
    "one word": Form("text", True, pa.string(), lambda n: f"{n}.0" if n else "x"),
    "small uuid": Form("text", True, pa.string(), lambda n: str(made_uuid(n))),
    "capital uuid": Form("text", True, pa.string(), lambda n: str(made_uuid(n)).upper()),
    "uuid": Form("uuid", False, pa.binary(16), lambda n: made_uuid(n).bytes),
    "bytes": Form("bytes", False, pa.binary(), lambda n: str(n).encode()),
    "bytes of words": Form("bytes", False, pa.large_binary(), lambda n: f"é{n}".encode()),
    "bytes, no text": Form("bytes", False, pa.binary(), lambda n: bytes([200 + n])),
    "half": Form("refused", False, pa.float64(), lambda n: n + 0.5),
    "rounded": Form("refused", False, pa.float64(), lambda n: float(2**53 + 2 * n)),
    "rounded float32": Form("refused", False, pa.float32(), lambda n: float(2**24 + 2 * n)),
    "decimal256": Form("refused", False, pa.decimal256(50, 0), Decimal),
    "bool": Form("refused", False, pa.bool_(), bool),
}
FAMILIES = [
    ["int64", "int8", "uint64", "float64", "float32", "decimal", "text", "dictionary", "point", "zeros", "bytes"],
    ["text", "point", "zeros", "dictionary", "negative", "huge", "one word"],
    ["small uuid", "capital uuid", "uuid"],
    ["word", "bytes of words"],
    ["bytes, no text", "bytes", "uuid"],
    list(FORMS),
]


class Table(NamedTuple):
    """A file: rows of (user, item, number) in the file's form; a nested one has rows of (user, items, numbers).

    cut : where its second part begins.
    """

    form: dict[str, list[str]]
    rows: list[tuple[Any, ...]]
    shape: str
    number: str | None
    cut: int


class Layout:
    """Two random files and the options."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = np.random.default_rng(seed)
        family = {
            role: FAMILIES[rng.choice(len(FAMILIES), p=[0.45, 0.22, 0.12, 0.1, 0.07, 0.04])]
            for role in ("user", "item")
        }
        users, items = int(rng.integers(1, 10)), int(rng.integers(3, 12))
        scores = [[0.1, 0.2, 0.3], [-1.5, 0.0, 2.0], [1, 2, 3]][rng.integers(3)]
        rows, judged = [], []
        for user in range(users):
            listed = rng.permutation(items)[: rng.integers(0, 7)].tolist()
            ranks, values = (rng.permutation(9)[: len(listed)] + 1).tolist(), rng.choice(scores, len(listed)).tolist()
            rows += [(user, item, rank, value) for item, rank, value in zip(listed, ranks, values, strict=True)]
            liked = rng.permutation(items)[: rng.integers(0, 5)].tolist()
            judged += [(user + int(seed % 3 == 0), item, float(rng.choice([0.0, 1.0, 2.5, 5.0]))) for item in liked]
        number = str(rng.choice(["score", "rank", "place"], p=[0.5, 0.3, 0.2]))
        at = 2 if number == "rank" else 3
        self.lists = self.table(family, [(r[0], r[1], r[at]) for r in rows], number, users)
        rating = "rating" if rng.random() < 0.7 else None
        self.truth = self.table(family, judged, rating, users + 1)
        self.users = str(rng.choice(["both", "truth", "recommended", "all"]))
        self.threshold = None if rng.random() < 0.5 else float(rng.choice([0.5, 2.5]))
        self.k, self.parts, self.strict = int(rng.integers(1, 7)), int(rng.choice([1, 1, 3])), bool(rng.random() < 0.2)

    def table(self, family: dict[str, list[str]], rows: list[tuple[Any, ...]], number: str | None, users: int) -> Table:
        """One file. Faults: a row twice, a missing id or number, a user in two rows, empty lists, no list."""
        rng = self.rng
        shape = "nested" if number == "place" else str(rng.choice(["csv", "tsv", "parquet", "parts", "nested"]))
        usable = {
            role: [n for n in names if FORMS[n].in_text or shape not in ("csv", "tsv")]
            for role, names in family.items()
        }
        form = {
            role: rng.choice(names or ["text"], 2 if shape == "parts" else 1).tolist() for role, names in usable.items()
        }
        rows = [rows[i] for i in rng.permutation(len(rows))]
        half = len(rows) // 2

        def written(role: str, n: int, row: int) -> Any:
            return FORMS[form[role][-1 if row >= half else 0]].of(n)

        rows = [(written("user", u, i), written("item", v, i), x) for i, (u, v, x) in enumerate(rows)]
        fault = str(rng.choice(["none", "twice", "no user", "no item", "no number"], p=[0.94, 0.02, 0.01, 0.02, 0.01]))
        if rows and fault != "none":
            u, v, x = rows[-1]
            changed = {"twice": (u, v, x), "no user": (None, v, x), "no item": (u, None, x), "no number": (u, v, None)}
            rows.append(changed[fault])
        if shape == "nested":
            rows = self.nested(rows, [FORMS[form["user"][0]].of(n) for n in range(users)])
        return Table(form, rows, shape, number, half)

    def nested(self, rows: list[tuple[Any, ...]], everybody: list[Any]) -> list[tuple[Any, ...]]:
        """Rows of a user, the items and the numbers."""
        own: dict[Any, list[Any]] = {}
        for user, item, number in rows:
            key = (user, self.rng.integers(2)) if self.rng.random() < 0.03 else user
            own.setdefault(key, []).append((item, number))
        grouped = [
            (u[0] if isinstance(u, tuple) else u, [v for v, _ in pairs], [x for _, x in pairs])
            for u, pairs in own.items()
        ]
        seen = {user for user, _, _ in grouped}
        grouped += [(user, [], []) for user in everybody if user not in seen and self.rng.random() < 0.5]
        if self.rng.random() < 0.03:
            grouped.append((everybody[0], None, None))
        return grouped

    def write(self, folder: Path) -> list[Path]:
        """Both files."""
        return [write(folder / name, table) for name, table in (("lists", self.lists), ("truth", self.truth))]


def write(path: Path, table: Table) -> Path:
    names = ["user", "item", *([table.number] if table.number not in (None, "place") else [])]
    if table.shape in ("csv", "tsv"):
        path = path.with_suffix(f".{table.shape}")
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter="," if table.shape == "csv" else "\t")
            writer.writerows(
                [names, *(["" if value is None else value for value in row[: len(names)]] for row in table.rows)]
            )
        return path
    pieces = [table.rows[: table.cut], table.rows[table.cut :]] if table.shape == "parts" else [table.rows]
    path.mkdir()
    for at, rows in enumerate(pieces):
        columns = {}
        for column, name in enumerate(names):
            kind = pa.int64() if name == "rank" else pa.float64()
            kind = FORMS[table.form[name][at]].type if name in table.form else kind
            plain = kind.value_type if pa.types.is_dictionary(kind) else kind
            if table.shape == "nested" and name != "user":
                kind = plain = pa.list_(plain)
            columns[name] = pa.array([row[column] for row in rows], plain).cast(kind)
        pq.write_table(pa.table(columns), path / f"{at}.parquet")
    return path


class Refused(Exception):
    """Brute force has no value. early : what every reader refuses."""

    def __init__(self, early: bool) -> None:
        self.early = early


class Read(NamedTuple):
    """A file in one form: rows of user, item, number; users of empty lists."""

    rows: list[tuple[Any, Any, Any]]
    empty: list[Any]


def flat(table: Table) -> tuple[list[tuple[Any, ...]], list[Any]]:
    """The rows of interactions, and the users of empty lists."""
    if table.shape != "nested":
        return table.rows, []
    if any(row[1] is None for row in table.rows):
        raise Refused(True)
    full = [row for row in table.rows if row[1]]
    if table.number == "place" and len({row[0] for row in full}) < len(full):
        raise Refused(True)
    rows = [
        (user, item, at if table.number == "place" else numbers[at])
        for user, items, numbers in full
        for at, item in enumerate(items)
    ]
    return rows, [row[0] for row in table.rows if not row[1]]


def form_of(role: str, tables: list[Table], values: list[list[Any]]) -> Callable[[Any], Any]:
    """The function from a written id to its form, as docs/files.md says, from the types of all columns of a role."""
    written = [
        FORMS[name].kind if table.shape not in ("csv", "tsv") else "text"
        for table in tables
        for name in table.form[role]
    ]
    as_text = [table.shape in ("csv", "tsv") for table in tables]
    flat_values = [str(v) if text else v for text, own in zip(as_text, values, strict=True) for v in own]
    if "refused" in written:
        raise Refused(True)
    numbers = "number" in written
    utf8 = all(is_utf8(value) for value in flat_values if isinstance(value, bytes) and not is_uuid(value))

    def text_of(value: Any) -> str:
        if isinstance(value, bytes):
            if is_uuid(value):
                return str(uuid.UUID(bytes=value))
            if not utf8:
                return value.hex()
            value = value.decode()
        if not isinstance(value, str):
            return str(int(value))
        if numbers and re.fullmatch(r"-?[0-9]+(\.0+)?", value):
            return str(int(value.partition(".")[0]))
        if re.fullmatch(r"(0|-?[1-9][0-9]*)\.0+", value):
            return value.partition(".")[0]
        return value.lower() if re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", value) else value

    if not numbers:
        sides = [[str(v) if text else v for v in own] for text, own in zip(as_text, values, strict=True)]
        numbers = drops_zeros([set(map(text_of, own)) for own in sides])
    texts = {text_of(value) for value in flat_values}
    whole = all(re.fullmatch("0|-?[1-9][0-9]*", text) and -(2**63) <= int(text) < 2**63 for text in texts)
    return lambda value: int(text_of(value)) if whole else text_of(value)


def drops_zeros(sides: list[set[str]]) -> bool:
    """Whether ids of both files match without leading zeros alone; refused where a file has one in two ways."""

    def number(text: str) -> str:
        return str(int(text)) if re.fullmatch("-?[0-9]{1,37}", text) else text

    padded = {number(text) for own in sides for text in own if re.fullmatch("-?0[0-9]+", text)}
    ways = {n: [{text for text in own if number(text) == n} for own in sides] for n in padded}
    helps = any(one and other and one != other for one, other in ways.values())
    if helps and any(len(own) > 1 for both in ways.values() for own in both):
        raise Refused(True)
    return helps


def is_uuid(value: bytes) -> bool:
    return len(value) == 16


def is_utf8(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


def read(layout: Layout) -> tuple[Read, Read]:
    """Both files, ids in one form."""
    tables = [layout.lists, layout.truth]
    flats = [flat(table) for table in tables]
    if any(
        None in (row if table.number else row[:2])
        for table, (rows, _) in zip(tables, flats, strict=True)
        for row in rows
    ):
        raise Refused(True)
    if not all(rows for rows, _ in flats):
        raise Refused(True)
    users = form_of("user", tables, [[row[0] for row in rows] + empty for rows, empty in flats])
    items = form_of("item", tables, [[row[1] for row in rows] for rows, _ in flats])
    as_text = [table.shape in ("csv", "tsv") for table in tables]

    def of(make: Callable[[Any], Any], value: Any, text: bool) -> Any:
        return make(str(value) if text else value)

    found = [
        Read(
            [(of(users, u, text), of(items, v, text), x) for u, v, x in rows],
            [user for user in dict.fromkeys(map(users, empty)) if user not in {users(row[0]) for row in rows}],
        )
        for (rows, empty), text in zip(flats, as_text, strict=True)
    ]
    return found[0], found[1]


def expected(layout: Layout, lists: Read, truth: Read) -> dict[str, float]:
    """The values by plain lists."""
    by_rank = layout.lists.number != "score"
    pairs = [Counter(row[:2] for row in lists.rows), Counter(row[:2] for row in truth.rows)]
    pairs += [Counter((row[0], row[2]) for row in lists.rows)] if by_rank else []
    if any(count > 1 for one in pairs for count in one.values()):
        raise Refused(False)
    gains = [float(row[2]) if layout.truth.number else 1.0 for row in truth.rows]
    positive = [gain for gain in gains if gain > 0]
    limit = layout.threshold if layout.threshold is not None else min(positive, default=math.inf)
    number = {item: at for at, item in enumerate(sorted({row[1] for row in (*lists.rows, *truth.rows)}))}
    listed = {row[0] for row in lists.rows} | set(lists.empty)
    judged = {row[0] for row in truth.rows} | set(truth.empty)
    kept = {"both": listed & judged, "truth": judged, "recommended": listed, "all": listed | judged}[layout.users]
    ranked, liked, worth = [], [], []
    for user in sorted(kept):
        own = [row for row in lists.rows if row[0] == user]
        own.sort(key=lambda row: row[2] if by_rank else (-row[2], number[row[1]]))
        ranked.append([number[row[1]] for row in own])
        marks = [(number[row[1]], gain) for row, gain in zip(truth.rows, gains, strict=True) if row[0] == user]
        liked.append([item for item, _ in marks])
        worth.append([gain for _, gain in marks])
    if not kept:
        raise Refused(False)
    case = case_from_lists(ranked, liked, len(number), gains=worth, threshold=limit)
    if not case.relevant.any():
        raise Refused(False)
    users = users_of(case, STANDARD.made())
    return {
        str(v.at(layout.k)): literal.value(v.metric.name, made(v), v.weight, users, layout.k, STANDARD.made())
        for v in VARIANTS
    }


def matching(layout: Layout, lists: Read, truth: Read) -> dict[str, Any]:
    """Rows read and used, and ids in each file and in both."""
    listed = {row[0] for row in lists.rows} | set(lists.empty)
    judged = {row[0] for row in truth.rows} | set(truth.empty)
    items = [{row[1] for row in one.rows} for one in (lists, truth)]
    lost = [sum(row[0] not in judged for row in lists.rows), sum(row[0] not in listed for row in truth.rows)]
    lost = [lost[0] * (layout.users in ("both", "truth")), lost[1] * (layout.users in ("both", "recommended"))]
    names = ("user_without_truth", "user_without_list")
    ids = {
        role: {"recommendations": len(a), "truth": len(b), "both": len(a & b)}
        for role, (a, b) in {"users": (listed, judged), "items": items}.items()
    }
    few = [
        ids[role]["both"] < share * min(ids[role]["recommendations"], ids[role]["truth"])
        for role, share in (("users", 0.5), ("items", 0.1))
    ]
    return {
        "rows": {
            side: {"read": len(one.rows), "used": len(one.rows) - n, "dropped": {name: n}}
            for side, one, n, name in zip(("recommendations", "truth"), (lists, truth), lost, names, strict=True)
        },
        "ids": ids,
        "few": sum(few),
    }


def check(seed: int, folder: Path) -> str:
    """One layout: ``equal`` or ``refused``."""
    layout = Layout(seed)
    folder.mkdir()
    paths = layout.write(folder)
    given: dict[str, Any] = {"threshold": layout.threshold, "users": layout.users}
    own = {**given, "work": folder / "work", "parts": layout.parts}
    try:
        lists, truth = read(layout)
        found = matching(layout, lists, truth)
        strict = layout.strict and found["few"]
        values = expected(layout, lists, truth)
    except Refused as refused:
        with pytest.raises(HarnessError):
            evaluate_files(*paths, VARIANTS, [layout.k], **own)
        with pytest.raises(HarnessError):
            bundle_from_files(*paths, folder / "bundle", **given)
        if refused.early:
            with pytest.raises(HarnessError), read_files(*paths):
                pass
        return "refused"
    result = evaluate_files(*paths, VARIANTS, [layout.k], **own)
    page = result.overlap.page(layout.users)
    assert result.numbers == pytest.approx(values, rel=1e-12, abs=1e-12, nan_ok=True), seed
    assert (page["rows"], page["ids"], len(page["warnings"])) == (found["rows"], found["ids"], found["few"]), seed
    for side in page["rows"].values():
        assert side["read"] == side["used"] + sum(side["dropped"].values())
    bundle = bundle_from_files(*paths, folder / "bundle", **given)
    assert evaluate(bundle.case, VARIANTS, [layout.k]) == pytest.approx(values, rel=1e-12, abs=1e-12, nan_ok=True), seed
    assert bundle.manifest["lists"]["matching"] == page
    ties = "id_ascending" if layout.lists.number == "score" else "input_order"
    with read_files(*paths) as files:
        assert files.overlap.page(layout.users) == page
        for variant in VARIANTS:
            signature = Signature(variant.at(layout.k), users=layout.users, threshold=layout.threshold, ties=ties)
            assert files.number(signature) == pytest.approx(values[str(variant.at(layout.k))], rel=1e-12), (
                seed,
                variant,
            )
    if strict:
        for refuse in (
            lambda: evaluate_files(*paths, VARIANTS, [layout.k], **own, strict=True),
            lambda: bundle_from_files(*paths, folder / "bundle", **given, strict=True),
            lambda: read_files(*paths, strict=True).__enter__(),
        ):
            with pytest.raises(HarnessError, match=r"^--strict: only"):
                refuse()
    return "equal"


def marks_from(first: int) -> list[pytest.MarkDecorator]:
    """Of a batch, by its first layout."""
    if first < PLAIN:
        return []
    return [pytest.mark.slow if first < SLOW else pytest.mark.large]


@pytest.mark.parametrize("batch", [
    pytest.param(range(first, first + IN_BATCH), marks=marks_from(first), id=str(first))
    for first in range(0, ALL, IN_BATCH)
])  # fmt: skip
def test_layouts(batch: range, tmp_path: Path) -> None:
    outcomes = Counter(check(seed, tmp_path / str(seed)) for seed in batch)
    assert min(outcomes["equal"], outcomes["refused"]) > 0

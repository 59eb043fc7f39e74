"""``evaluate`` on 300 random data sets with every option, against plain Python lists and the literal twin."""

from __future__ import annotations

import csv
import math
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metric_harness.system.errors import HarnessError
from metric_reference.case import case_from_lists
from metric_reference.catalogue import CATALOGUE
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant
from tests.reference.test_literal import made
from tests.support import literal
from tests.support.evaluated import evaluate_files
from tests.support.literal.user import users_of

pytestmark = pytest.mark.slow

BATCHES, SETS_IN_BATCH = 30, 10
IDS: dict[str, Callable[[int], Any]] = {
    "small": lambda n: n,
    "largest": lambda n: 2**63 - 1 - n,
    "least": lambda n: -(2**63) + n,
    "text": lambda n: f"é{'x' * (n % 9)}{n}",
    "zeros": lambda n: f"0{n}",
    "uuid": lambda n: str(uuid.UUID(int=(n + 1) * 2**70 + 17)),
    "bytes": lambda n: uuid.UUID(int=(n + 1) * 2**70 + 17),
}
SCORES: dict[str, list[Any]] = {
    "tied": [0.1, 0.2, 0.3],
    "signed": [-1.5, -0.0, 0.0, 2.0],
    "beyond 2^53": [2**53, 2**53 + 1, 2**53 + 2, -(2**53) - 1],
}
ABLE = [
    entry.variant
    for entry in CATALOGUE
    if set(entry.variant.metric.needs) <= {"scores"} and entry.variant.metric.name not in literal.TOGETHER
]


class Data:
    """Random rows: of user, item and score or rank, and of user, item and rating. Users and items are numbers here."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.rng = rng
        self.ids = {role: str(rng.choice(sorted(IDS))) for role in ("user", "item")}
        n_users, n_items = int(rng.integers(1, 9)), int(rng.integers(3, 15))
        scores = SCORES[str(rng.choice(sorted(SCORES)))]
        self.by_rank = bool(rng.random() < 0.3)
        self.rows: list[tuple[int, int, Any]] = []
        self.judged: list[tuple[int, int, float]] = []
        for user in range(n_users):
            listed = rng.permutation(n_items)[: rng.integers(0, 9)].tolist()
            order = [3 * rank + 1 for rank in range(len(listed))] if self.by_rank else None
            values = order or [scores[i] for i in rng.integers(0, len(scores), len(listed))]
            self.rows += zip([user] * len(listed), listed, values, strict=False)
            liked = rng.permutation(n_items)[: rng.integers(0, 6)].tolist()
            self.judged += [(user + 1, item, float(rng.choice([0.0, 1.0, 2.5, 5.0]))) for item in liked]
        self.rows = self.rows or [(0, 0, 1)]
        self.judged = self.judged or [(0, 0, 5.0)]
        self.ratings = bool(rng.random() < 0.7)
        self.rows = [self.rows[i] for i in rng.permutation(len(self.rows))]
        self.judged = [self.judged[i] for i in rng.permutation(len(self.judged))]
        self.users = str(rng.choice(["both", "truth", "recommended", "all"]))
        self.threshold = None if rng.random() < 0.5 else float(rng.choice([0.5, 2.0, 2.5]))

    def tables(self) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
        """The columns of both files."""
        name = {role: IDS[kind] for role, kind in self.ids.items()}
        last = "rank" if self.by_rank else "score"
        lists = {"user": [name["user"](r[0]) for r in self.rows], "item": [name["item"](r[1]) for r in self.rows],
                 last: [r[2] for r in self.rows]}  # fmt: skip
        truth = {"user": [name["user"](r[0]) for r in self.judged], "item": [name["item"](r[1]) for r in self.judged]}
        return lists, truth | ({"rating": [r[2] for r in self.judged]} if self.ratings else {})

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Both files, each as text, as a parquet file or as a folder of parts."""
        written = []
        for name, columns in zip(("lists", "truth"), self.tables(), strict=True):
            how = str(self.rng.choice(["csv", "parquet", "parts"]))
            if how == "csv":
                with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
                    csv.writer(file).writerows([list(columns), *zip(*columns.values(), strict=True)])
                written.append(folder / f"{name}.csv")
                continue
            table = pa.table({role: arrow(values) for role, values in columns.items()})
            cut = int(self.rng.integers(0, table.num_rows + 1)) if how == "parts" else table.num_rows
            (folder / name / "day=1").mkdir(parents=True)
            pq.write_table(table.slice(0, cut), folder / name / "day=1" / "a.parquet")
            if how == "parts":
                pq.write_table(table.slice(cut), folder / name / "b.parquet")
            written.append(folder / name)
        return written[0], written[1]

    def expected(self, k: int) -> dict[str, float] | None:
        """The values by plain lists; None where nobody has a relevant item."""
        order = {role: sorted({row[at] for row in (*self.rows, *self.judged)}, key=IDS[self.ids[role]])
                 for at, role in enumerate(("user", "item"))}  # fmt: skip
        number = {item: place for place, item in enumerate(order["item"])}
        gains = [row[2] if self.ratings else 1.0 for row in self.judged]
        limit = self.threshold if self.threshold is not None else min((g for g in gains if g > 0), default=math.inf)
        lists, judged, scores, worth = [], [], [], []
        for user in order["user"]:
            own = sorted(
                (row for row in self.rows if row[0] == user),
                key=lambda row: row[2] if self.by_rank else (-row[2], number[row[1]]),
            )
            marks = [(row[1], gain) for row, gain in zip(self.judged, gains, strict=True) if row[0] == user]
            if not {"both": own and marks, "truth": marks, "recommended": own, "all": True}[self.users]:
                continue
            lists.append([number[row[1]] for row in own])
            scores.append([float(row[2]) for row in own])
            judged.append([number[item] for item, _ in marks])
            worth.append([gain for _, gain in marks])
        case = case_from_lists(
            lists, judged, len(number), gains=worth, scores=None if self.by_rank else scores, threshold=limit
        )
        if not case.relevant.any():
            return None
        users = users_of(case, STANDARD.made())
        return {
            str(variant.at(k)): literal.value(
                variant.metric.name, made(variant), variant.weight, users, k, STANDARD.made()
            )
            for variant in self.variants()
        }

    def variants(self) -> list[Variant]:
        """The variants that the files allow."""
        return [v for v in ABLE if not (self.by_rank and "scores" in v.metric.needs)]


def arrow(values: list[Any]) -> pa.Array:
    if isinstance(values[0], uuid.UUID):
        return pa.array([value.bytes for value in values], pa.binary(16))
    return pa.array(values)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_data_sets(batch: int, tmp_path: Path) -> None:
    compared = 0
    for seed in range(batch * SETS_IN_BATCH, (batch + 1) * SETS_IN_BATCH):
        data, folder = Data(seed), tmp_path / str(seed)
        folder.mkdir()
        lists, truth = data.write(folder)
        k = int(data.rng.integers(1, 8))
        parts = int(data.rng.choice([1, 1, 3]))
        given = {"threshold": data.threshold, "users": data.users, "work": folder / "work", "parts": parts}
        expected = data.expected(k)
        if expected is None:
            with pytest.raises(HarnessError, match=r"no rating is above 0|no user stands in both|has an item with"):
                evaluate_files(lists, truth, data.variants(), [k], **given)
            continue
        found = evaluate_files(lists, truth, data.variants(), [k], **given)
        for name, value in found.numbers.items():
            assert value == pytest.approx(expected[name], rel=1e-12, abs=1e-12, nan_ok=True), (seed, name)
            compared += 1
    assert compared > 100

"""Files of recommendations and truth, made at random, and the numbers of the reference for them as one case."""

from __future__ import annotations

import math
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from metric_harness.bundles.own_lists import bundle_from_files
from metric_harness.evaluation.evaluate import Evaluation
from metric_reference.catalogue import CATALOGUE
from metric_reference.evaluate import evaluate

VARIANTS = [entry.variant for entry in CATALOGUE]
KS = (3, 10)
IDS = {
    "int": lambda number, what: number - 3,
    "text": lambda number, what: f"{what}é{'x' * (number % 20)}{number}",
    "uuid": lambda number, what: str(uuid.UUID(int=(number + 1) * 2**71 + 12345)),
    "digits": lambda number, what: f"{number}.0" if number % 3 == 0 else str(number),
}


def columns(
    ids: str = "int", users: int = 90, items: int = 40, *, seed: int = 1, ratings: bool = True, rank: bool = False,
    shuffled: bool = False, longest: int = 13,
) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:  # fmt: skip
    """Columns of recommendations and truth: lists of 0 to 12 with tied scores, some users in one of the two only."""
    rng = np.random.default_rng(seed)
    rows, judged = [], []
    for user in range(users):
        listed = rng.permutation(items)[: rng.integers(0, longest)]
        scores = -np.sort(-rng.choice([0.1, 0.2, 0.3, 0.4, 0.5], len(listed)))
        if not rank and not shuffled:  # equal scores stand by item id, as the order of lists wants
            names = np.array([IDS[ids](int(item), "i") for item in listed])
            listed = listed[np.lexsort((names, -scores))]
        rows += [(user, item, score, place + 1) for place, (item, score) in enumerate(zip(listed, scores, strict=True))]
        judged += [(user + 4, item, rng.integers(0, 6)) for item in rng.permutation(items)[: rng.integers(0, 9)]]
    if shuffled:
        rows, judged = ([part[at] for at in rng.permutation(len(part))] for part in (rows, judged))
    name = IDS[ids]
    lists = {"user_id": [name(int(r[0]), "u") for r in rows], "item_id": [name(int(r[1]), "i") for r in rows]}
    lists |= {"rank": [int(r[3]) for r in rows]} if rank else {"score": [float(r[2]) for r in rows]}
    truth = {"user_id": [name(int(r[0]), "u") for r in judged], "item_id": [name(int(r[1]), "i") for r in judged]}
    return lists, truth | ({"rating": [float(r[2]) for r in judged]} if ratings else {})


def write(folder: Path, lists: dict[str, list[Any]], truth: dict[str, list[Any]]) -> tuple[Path, Path]:
    """Both as parquet with small row groups."""
    pq.write_table(pa.table(lists), folder / "lists.parquet", row_group_size=70)
    pq.write_table(pa.table(truth), folder / "truth.parquet", row_group_size=50)
    return folder / "lists.parquet", folder / "truth.parquet"


def files(folder: Path, **how: Any) -> tuple[Path, Path]:
    return write(folder, *columns(**how))


def in_memory(lists: Path, truth: Path, folder: Path, **how: Any) -> dict[str, float]:
    """What the reference gives for all of it as one case."""
    case = bundle_from_files(lists, truth, folder, **how).case
    able = [v for v in VARIANTS if all(getattr(case, need) is not None for need in v.metric.needs)]
    return evaluate(case, able, KS)


def same(found: Evaluation, expected: dict[str, float]) -> None:
    compared = 0
    for name, value in expected.items():
        if name in found.not_available:
            assert found.not_available[name].startswith("not available at this size"), name
            continue
        got = found.numbers[name]
        both_undefined = math.isnan(got) and math.isnan(value)
        assert both_undefined or abs(got - value) <= 1e-12 * max(1.0, abs(value)), (name, got, value)
        compared += 1
    assert compared > 100

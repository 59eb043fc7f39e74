"""What the scripts of this folder read and write, in the environment of their library; standard library alone.

A script is started as ``SCRIPT DATA SOURCE COMPILED``, the latter two ``-`` where there is none.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

DATA, SOURCE, COMPILED = (*sys.argv[1:], "-", "-", "-")[:3]  # a process of a library has none
del sys.argv[1:]  # some libraries read it
PRINTED = sys.stdout
sys.stdout = sys.stderr  # what the library prints is no part of the answer


def read() -> SimpleNamespace:
    """The data set: ``users``, ``items``, ``k``, and by user ``train``, ``test``, ``ratings`` and ``scores``.

    ``train`` and ``test`` are item numbers, ``ratings`` (1 to 5) go with ``test``, ``train_ratings`` with ``train``,
    ``scores`` (distinct, between 0 and 1) with all items; ``vectors`` has a row for each item.
    """
    return SimpleNamespace(**json.loads(Path(DATA).read_text(encoding="utf-8")))


def columns(rows: list[list[Any]], *beside: list[list[Any]]) -> list[list[Any]]:
    """Rows by user as columns: the users, the entries, and those of rows of the same shape."""
    users = [user for user, row in enumerate(rows) for _ in row]
    return [users, *([entry for row in each for entry in row] for each in (rows, *beside))]


def named(names: tuple[str, ...], rows: list[list[Any]], *beside: list[list[Any]]) -> dict[str, list[Any]]:
    """The columns of :func:`columns` by name, as a data frame is made of them."""
    return dict(zip(names, columns(rows, *beside), strict=True))


def candidates(data: SimpleNamespace) -> list[list[float | None]]:
    """The scores of all items by user, None where an item is in his training data."""
    return [
        [None if item in seen else score for item, score in enumerate(row)]
        for seen, row in zip(data.train, data.scores, strict=True)
    ]


def ranked(data: SimpleNamespace, k: int | None = None) -> list[list[int]]:
    """The candidates by user, the highest score first, cut at ``k`` if given."""
    ordered = []
    for row in candidates(data):
        scored = {item: score for item, score in enumerate(row) if score is not None}
        ordered.append(sorted(scored, key=lambda item: -scored[item])[:k])
    return ordered


def on_path(folder: str = SOURCE) -> None:
    """Let the library's source, or its compiled part, be imported from."""
    sys.path.insert(1, folder)


def report(values: dict[str, Any], **shown: Any) -> None:
    """Print what the library's own evaluation reported, by function, and what it was fed with.

    shown : ``lists`` (ranked items by user) and ``relevant`` always; ``gains`` with the latter; ``candidates`` (scores
    of all items by user, None for one that is no candidate); ``train``; ``predicted`` with ``relevant``.
    """
    print(json.dumps({"values": {name: float(value) for name, value in values.items()}, **shown}), file=PRINTED)

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


def read_untrained() -> SimpleNamespace:
    """The data set without its training data, for a library that knows none: every item is everybody's candidate."""
    data = read()
    data.train = [[] for _ in data.train]
    return data


def labels(data: SimpleNamespace, graded: bool = False) -> list[list[int]]:
    """A row for each user, an entry for each item: 1 for a test item, or its rating where ``graded``; else 0."""
    gains = [dict(zip(items, ratings, strict=True)) for items, ratings in zip(data.test, data.ratings, strict=True)]
    return [[row.get(item, 0) if graded else int(item in row) for item in range(data.items)] for row in gains]


def texts(data: SimpleNamespace) -> list[list[str]]:
    """The test items of each user as ids, for a library that compares texts; see ``text``."""
    return [[text(item) for item in items] for items in data.test]


def text(item: int) -> str:
    """An item's number as an id."""
    return f"d{item:02d}"


def write_qrels(file: str, data: SimpleNamespace, graded: bool = False) -> None:
    """TREC's file of judgements: the test items with level 1, or with their rating."""
    rows = zip(*columns(data.test, data.ratings), strict=True)
    lines = [f"{user} 0 {text(item)} {rating if graded else 1}\n" for user, item, rating in rows]
    Path(file).write_text("".join(lines), encoding="utf-8")


def write_run(file: str, data: SimpleNamespace, k: int | None = None) -> None:
    """TREC's file of results: the ranking of each user, cut at ``k`` if given."""
    lines = [
        f"{user} Q0 {text(item)} {rank} {data.scores[user][item]!r} given\n"
        for user, items in enumerate(ranked(data, k))
        for rank, item in enumerate(items, start=1)
    ]
    Path(file).write_text("".join(lines), encoding="utf-8")


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
    """Print what the library's own evaluation reported, by function, and what it was fed with; once for each feeding.

    shown : ``lists`` (ranked items by user) and ``relevant`` always; ``gains`` with the latter; ``candidates`` (scores
    of all items by user, None for one that is no candidate); ``train``; ``predicted`` with ``relevant``.
    """
    print(json.dumps({"values": {name: float(value) for name, value in values.items()}, **shown}), file=PRINTED)


def sampled(
    scores: Any, items: Any, excluded: list[list[int]], weights: Any, values: dict[str, list[Any]], m: int
) -> None:
    """Print where each user's only test item stands among the items that may be drawn, and what was reported.

    scores : array, shape (users, items). items : of each user. excluded : the items that are not drawn beside the
    user's own. weights : of all items, for popularity. values : by mode, for each seed hit rate, NDCG and reciprocal
    rank at 10. ``collapsed`` is a simulation of m draws with replacement whose repeated items count once.
    """
    import numpy as np

    from metric_reference.candidates.places import of_scores

    rng, times = np.random.default_rng(11), 60
    shown: dict[str, list[list[float]]] = {"even": [], "weighted": []}
    ranks: dict[str, list[Any]] = {"even": [], "weighted": []}
    for row, item, barred in zip(scores, items, excluded, strict=True):
        for name, weight in (("even", np.ones(len(row))), ("weighted", np.asarray(weights, float))):
            place = of_scores(row, [item], barred, None if name == "even" else weight)
            shown[name].append([float(part[0]) for part in (place.above, place.pool, place.tied)])
            chance = weight.copy()
            chance[[*barred, item]] = 0.0
            drawn = np.sort(rng.choice(len(row), (times, m), p=chance / chance.sum()), axis=1)
            first = np.concatenate((np.ones((times, 1), bool), drawn[:, 1:] != drawn[:, :-1]), axis=1)
            ranks[name].append(1 + (first & (row[drawn] > row[item])).sum(axis=1))
    collapsed = {}
    for name, of_users in ranks.items():
        rank = np.array(of_users).T
        parts = [(rank <= 10) * weight for weight in (np.ones(rank.shape), 1 / np.log2(rank + 1), 1 / rank)]
        collapsed[name] = np.stack([part.mean(axis=1) for part in parts], axis=1).tolist()
    print(json.dumps({"values": values, **shown, "collapsed": collapsed}), file=PRINTED)


def last_item_of_each() -> tuple[list[tuple[int, int]], list[tuple[int, int]], int, int]:
    """MovieLens-100K (u.data) with the last item of each user held out: train, test, and how many users and items.

    Pairs of user and item, numbered from 0; equal times by item.
    """
    lines = [tuple(map(int, line.split("\t"))) for line in Path(DATA).read_text(encoding="utf-8").splitlines()]
    rows = sorted((user - 1, time, item - 1) for user, item, _, time in lines)
    pairs = [(user, item) for user, _, item in rows]
    last = [at + 1 == len(pairs) or pairs[at + 1][0] != user for at, (user, _) in enumerate(pairs)]
    train, test = ([pair for pair, held in zip(pairs, last, strict=True) if held == wanted] for wanted in (False, True))
    return train, test, 1 + max(user for user, _ in pairs), 1 + max(item for _, item in pairs)


def ease_of(train: list[tuple[int, int]], users: int, items: int) -> Any:
    """The scores of EASE (lambda 100), shape (users, items), for a library whose own models do not run."""
    import numpy as np

    seen = np.zeros((users, items))
    seen[tuple(np.array(train).T)] = 1.0
    inverse = np.linalg.inv(seen.T @ seen + 100.0 * np.eye(items))
    weights = -inverse / np.diag(inverse)
    np.fill_diagonal(weights, 0.0)
    return seen @ weights

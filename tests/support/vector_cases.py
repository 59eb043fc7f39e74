"""The cases of the vectors for metrics beyond accuracy: with a catalogue, training interactions and item vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

Page = dict[str, Any]
FILMS = [
    [1, 7, [1, 0, 0]],
    [2, 5, [1, 1, 0]],
    [3, 5, [0, 1, 0]],
    [4, 3, [0, 1, 1]],
    [5, 2, [0, 0, 1]],
    [6, 1, [1, 1, 1]],
    [7, 1, [1, 0, 1]],
    [8, 4, [1, 0, 1]],
    [9, 2, [0, 1, 0]],
]
"""A catalogue of nine items in three categories."""
SOME_UNTRAINED = [[item, 0 if item in (3, 6, 9) else count, vector] for item, count, vector in FILMS]
EDGE_USERS = [
    {"list": [4, 2, 9, 1], "relevant": [[2, 1], [9, 1]], "train": [2, 8]},
    {"list": [5, 6, 3], "relevant": [], "train": [1, 2]},
    {"list": [], "relevant": [[3, 1]], "train": [1]},
    {"list": [7, 8, 2], "relevant": [[7, 1], [2, 1], [5, 1]], "train": [5, 8, 1]},
]
"""Users with all, without relevant items, without a list."""


def of_films(name: str, about: str, k: int, users: list[Page], items: Any = FILMS, **others: Any) -> Page:
    return {
        "name": f"items-{name}",
        "about": about,
        "k": k,
        "threshold": 1,
        **others,
        "items": items,
        "train_users": 8,
        "users": users,
    }


def at_random() -> Page:
    """40 items, a few of them in most lists; popularity falls steeply, vectors have four entries."""
    rng = np.random.default_rng(20211)
    weight = 1 / np.arange(1, 41) ** 0.8
    items = [
        [100 + int(item), int(25 * weight[item] ** 1.5), rng.integers(0, 2, 4).tolist()] for item in rng.permutation(40)
    ]
    users = []
    for length in (15, 12, 10, 9, 15, 11):
        listed = (100 + rng.choice(40, length, replace=False, p=weight / weight.sum())).tolist()
        relevant = sorted({*rng.choice(listed, 4).tolist(), *rng.integers(100, 140, 3).tolist()})
        trained = [item for item, count, _ in items if count > 0]
        users.append(
            {
                "list": listed,
                "relevant": [[item, int(rng.integers(1, 6))] for item in relevant],
                "train": sorted(rng.choice(trained, int(rng.integers(2, 6)), replace=False).tolist()),
            }
        )
    return {
        "name": "items-random",
        "about": "40 items, lists of 9 to 15 with some items in most of them, graded",
        "k": 10,
        "threshold": 2,
        "items": [
            [item, count + sum(item in user["train"] for user in users), vector]
            for item, count, vector in sorted(items)
        ],
        "train_users": 30,
        "users": users,
    }


BEYOND_CASES: tuple[Page, ...] = (
    of_films(
        "three-lists",
        "nine items in three categories; lists longer than k have some items in common",
        4,
        [
            {"list": [2, 5, 8, 1, 9, 6], "relevant": [[5, 1], [1, 1], [9, 1]], "train": [3, 4]},
            {"list": [1, 2, 4, 7, 3], "relevant": [[2, 1], [4, 1]], "train": [1, 5, 6]},
            {"list": [6, 1, 2, 3, 5], "relevant": [[6, 1], [2, 1], [8, 1], [4, 1]], "train": [2, 7, 8, 9]},
        ],
    ),
    of_films(
        "untrained",
        "three items without training interactions; one list has no other, one user has nothing in training",
        3,
        [
            {"list": [3, 1, 6, 2], "relevant": [[3, 1], [6, 1], [1, 1]], "train": [2, 4]},
            {"list": [9, 3, 6], "relevant": [[9, 1], [5, 1]], "train": []},
            {"list": [8, 9, 4, 3], "relevant": [[8, 1], [4, 1], [3, 1]], "train": [8]},
        ],
        SOME_UNTRAINED,
    ),
    of_films(
        "short-lists",
        "lists of 5, 2, 1 and 0 items where k is 4; one user has nothing relevant",
        4,
        [
            {"list": [1, 3, 5, 7, 9], "relevant": [[3, 1], [7, 1]], "train": [2, 4]},
            {"list": [3, 1], "relevant": [[1, 1], [2, 1]], "train": [3, 9]},
            {"list": [4], "relevant": [], "train": [5]},
            {"list": [], "relevant": [[6, 1]], "train": [1, 2]},
        ],
    ),
    of_films(
        "past-the-catalogue",
        "k is larger than the catalogue; items repeat between lists, not in them",
        12,
        [
            {"list": [1, 2, 3, 4, 5, 6, 7, 8], "relevant": [[2, 1], [6, 1], [9, 1]], "train": [9]},
            {"list": [8, 1, 6], "relevant": [[8, 1]], "train": [2, 3, 4, 5]},
        ],
    ),
    of_films(
        "shown-alike",
        "every item of the catalogue is recommended once; no two lists have an item in common",
        3,
        [
            {"list": [1, 4, 7], "relevant": [[4, 1], [7, 1]], "train": [2]},
            {"list": [2, 5, 8], "relevant": [[2, 1]], "train": [1, 9]},
            {"list": [3, 6, 9], "relevant": [[9, 1], [1, 1]], "train": [4, 6]},
        ],
    ),
    of_films(
        "same-lists",
        "two equal lists but for their order and what is past k",
        4,
        [
            {"list": [1, 8, 2, 5, 3], "relevant": [[8, 1], [2, 1]], "train": [4]},
            {"list": [2, 5, 1, 8, 9], "relevant": [[1, 1], [5, 1]], "train": [6, 7]},
        ],
    ),
    {
        "name": "items-one-user",
        "about": "one user in the training data and one list: no pair of lists, and a share of users of 1",
        "k": 3,
        "threshold": 1,
        "items": [[1, 1, [2, 1]], [2, 1, [1, 2]], [3, 0, [0, 1]], [4, 0, [1, 0]]],
        "train_users": 1,
        "users": [{"list": [3, 1, 4], "relevant": [[3, 1], [4, 1]], "train": [1, 2]}],
    },
    {
        "name": "items-equally-popular",
        "about": "23 trained items, most of them equally popular: by id, which is not the order of their digits",
        "k": 4,
        "threshold": 1,
        "items": [
            *([item, 3, [item % 2, item % 3]] for item in (2, 3, 9, 10, 11, 20, 30, 100)),
            *([item, 1, [item % 3, item % 2]] for item in (1, 4, 12, 101, 1000)),
            *([item, 2, [1, item % 5]] for item in (5, 6, 7, 8, 13, 21, 40, 50, 60)),
            [70, 5, [1, 1]],
            [80, 0, [0, 1]],
        ],
        "train_users": 6,
        "users": [
            {"list": [10, 2, 70, 1, 9], "relevant": [[10, 1], [2, 1], [1, 1]], "train": [3, 5]},
            {"list": [3, 100, 12, 4, 101], "relevant": [[100, 1], [12, 1], [4, 1]], "train": [9, 20, 70]},
            {"list": [80, 9, 1000, 4], "relevant": [[9, 1], [80, 1]], "train": [10, 11]},
        ],
    },
    {
        "name": "items-vectors",
        "about": "vectors with entries below 0 and fractions, two equal ones and one of zeros; a list of one item",
        "k": 5,
        "threshold": 1,
        "items": [
            [1, 4, [0.5, -1, 2]],
            [2, 3, [-0.5, 1, -2]],
            [3, 2, [0, 0, 0]],
            [4, 2, [3, 0.25, 0]],
            [5, 1, [3, 0.25, 0]],
            [6, 1, [-1, -1, 0.5]],
        ],
        "train_users": 5,
        "users": [
            {"list": [1, 2, 3, 4, 5], "relevant": [[2, 1], [3, 1], [5, 1]], "train": [6]},
            {"list": [6, 4, 3], "relevant": [[6, 1]], "train": [1, 2, 3]},
            {"list": [2], "relevant": [[2, 1], [4, 1]], "train": [3]},
        ],
    },
    {
        "name": "items-text-ids",
        "about": "ids are texts and stand in the order of their characters' code points: capitals first",
        "k": 2,
        "threshold": 1,
        "items": [["b", 2, [1, 0]], ["B", 2, [0, 1]], ["a", 2, [1, 1]], ["C", 1, [0, 1]], ["c", 0, [1, 0]]],
        "train_users": 3,
        "users": [
            {"list": ["b", "a", "B"], "relevant": [["a", 1], ["b", 1]], "train": ["B"]},
            {"list": ["B", "C", "c"], "relevant": [["C", 1], ["B", 1]], "train": ["a", "b"]},
        ],
    },
    *(
        of_films(
            f"duplicates-{word}",
            f"an item stands twice in a list: {what}; it is shown twice, whatever counts",
            4,
            [
                {"list": [8, 8, 3, 5, 1], "relevant": [[8, 1], [5, 1]], "train": [2, 4]},
                {"list": [3, 6, 3, 2], "relevant": [[3, 1], [6, 1], [1, 1]], "train": [3]},
            ],
            under={"dup": word},
        )
        for word, what in (("counted", "as a hit it counts twice"), ("once", "as a hit it counts at its first rank"))
    ),
    of_films(
        "no-relevant-0",
        "the second user has nothing relevant: counts 0 where relevance bears on the value, as an empty list does",
        3,
        EDGE_USERS,
        SOME_UNTRAINED,
        under={"norel": "0"},
    ),
    of_films(
        "no-list-skip",
        "the third user has an empty list: not in the mean, as the second one, who has nothing relevant",
        3,
        EDGE_USERS,
        under={"nolist": "skip"},
    ),
    of_films(
        "ties",
        "ranks 1 to 3 have one score: by id, largest first, before the list is cut",
        2,
        [
            {"list": [7, 2, 9, 4], "scores": [0.5, 0.5, 0.5, 0.25], "relevant": [[9, 1], [2, 1]], "train": [1, 3]},
            {"list": [1, 2, 9], "scores": [0.75, 0.25, 0.25], "relevant": [[1, 1], [2, 1]], "train": [5, 6]},
        ],
        under={"ties": "id_descending"},
    ),
    at_random(),
)

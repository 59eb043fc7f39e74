"""The large case: a recipe that any language can follow, instead of data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, Iterator, List

import numpy as np

from metric_reference.case import Case, case_from_lists

USERS, ITEMS, DEPTH, MOST_RELEVANT, MOST_TRAINED, ENTRIES = 500, 1000, 60, 50, 20, 6
MULTIPLIER, MODULUS, SEED = 48271, 2147483647, 20211

RECIPE: Dict[str, Any] = {
    "name": "large",
    "k": 50,
    "threshold": 1,
    "words": (
        f"Let x be {SEED}. A draw sets x to x * {MULTIPLIER} mod {MODULUS} and gives x. For each of {USERS} users in "
        f"turn: the list has {DEPTH} different items; each is a draw mod {ITEMS}, and a draw that gives an item of the "
        f"list again is passed over. The user has 1 + (a draw mod {MOST_RELEVANT}) relevant items, different ones: "
        f"each is a draw mod {ITEMS}, passed over if it is relevant already; after each that is kept, its gain is 1 + "
        "(a draw mod 5). The id of item i is 3000000000 + 7 * i. After all users, for each item in turn, its vector: "
        f"{ENTRIES} entries, each a draw mod 2. Then for each user in turn the training items: 1 + (a draw mod "
        f"{MOST_TRAINED}) different ones; each is a draw mod {ITEMS}, times another draw mod {ITEMS}, over {ITEMS}, "
        "rounded down; passed over if the user has it already. These are all training interactions there are. `values` "
        "has the mean over the users at k for each definition."
    ),
}
FIRST_ID, STEP = 3_000_000_000, 7


def draws() -> Iterator[int]:
    """The numbers of the recipe, from Park and Miller's minimal standard generator."""
    x = SEED
    while True:
        x = x * MULTIPLIER % MODULUS
        yield x


def recipe_case() -> Case:
    """The case of the recipe; items are in the order of their ids, so numbers replace ids."""
    drawn = draws()
    lists, relevant, gains = [], [], []
    for _ in range(USERS):
        row: Dict[int, None] = {}
        while len(row) < DEPTH:
            row[next(drawn) % ITEMS] = None
        gain_of: Dict[int, float] = {}
        count = 1 + next(drawn) % MOST_RELEVANT
        while len(gain_of) < count:
            item = next(drawn) % ITEMS
            if item not in gain_of:
                gain_of[item] = 1.0 + next(drawn) % 5
        lists.append(list(row))
        relevant.append(list(gain_of))
        gains.append(list(gain_of.values()))
    vectors = [[next(drawn) % 2 for _ in range(ENTRIES)] for _ in range(ITEMS)]
    train = [_trained(drawn) for _ in range(USERS)]
    case = case_from_lists(lists, relevant, ITEMS, gains=gains, train=train)
    assert case.train_items is not None
    return replace(
        case,
        item_counts=np.bincount(case.train_items, minlength=ITEMS),
        item_vectors=np.array(vectors, dtype=np.float64),
        n_train_users=USERS,
    )


def _trained(drawn: Iterator[int]) -> List[int]:
    """The training items of a user; items with small numbers are popular."""
    items: Dict[int, None] = {}
    count = 1 + next(drawn) % MOST_TRAINED
    while len(items) < count:
        items[(next(drawn) % ITEMS) * (next(drawn) % ITEMS) // ITEMS] = None
    return list(items)

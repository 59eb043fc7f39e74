"""Chooses the cases of the vectors: those that people write by hand, then as few as show every planted departure.

The cases for metrics beyond accuracy come last, all by hand.

    python -m tests.support.vector_search

writes reference/metric_reference/vectors/vectors.json anew. Run it when a definition joins the catalogue; the numbers
alone are made again by ``metric-harness vectors``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

from metric_harness.naming.probes.probe import all_probes
from metric_reference.case import Case
from metric_reference.evaluate import evaluate
from metric_reference.vectors.build import FILE, TOLERANCE, as_case, drawn_cases, edges_of, ids_of, made, text_of
from metric_reference.vectors.recipe import RECIPE, recipe_case
from tests.support.mutants import Asked, planted
from tests.support.vector_cases import BEYOND_CASES

Page = dict[str, Any]
HAND_MADE: tuple[Page, ...] = (
    {
        "name": "text-ids",
        "about": "ids are texts; one item differs from another by case alone",
        "k": 3,
        "threshold": 1,
        "users": [{"list": ["b", "a", "A", "c"], "relevant": [["A", 1], ["c", 1], ["d", 1]]}],
    },
    {
        "name": "ids-alike",
        "about": "ids that are 5 modulo 256, 1000, 2^16, 2^31 or 2^32",
        "k": 6,
        "threshold": 1,
        "users": [
            {
                "list": [261, 1005, 65541, 2147483653, 4294967301, 5, 9],
                "relevant": [[5, 1], [65541, 1], [8589934597, 1]],
            }
        ],
    },
    {
        "name": "id-0",
        "about": "item 0 is relevant and first",
        "k": 2,
        "threshold": 1,
        "users": [{"list": [0, 1, 2], "relevant": [[0, 1], [2, 1]]}],
    },
    *(
        {
            "name": f"no-relevant-{word}",
            "about": f"the second user has nothing relevant: {what}",
            "k": 3,
            "threshold": 1,
            "under": {"norel": word},
            "users": [
                {"list": [4, 2, 9, 1], "relevant": [[2, 1], [1, 1], [7, 1]]},
                {"list": [3, 5, 6], "relevant": []},
            ],
        }
        for word, what in (("skip", "not in the mean"), ("0", "counts 0"), ("1", "counts 1"))
    ),
    *(
        {
            "name": f"no-list-{word}",
            "about": f"the second user has an empty list: {what}",
            "k": 3,
            "threshold": 1,
            "under": {"nolist": word},
            "users": [
                {"list": [4, 2, 9, 1], "relevant": [[2, 1], [1, 1], [7, 1]]},
                {"list": [], "relevant": [[3, 1]]},
            ],
        }
        for word, what in (("0", "counts 0"), ("skip", "not in the mean"))
    ),
    *(
        {
            "name": f"duplicates-{word}",
            "about": f"a relevant item stands at ranks 1 and 2: {what}",
            "k": 4,
            "threshold": 1,
            "under": {"dup": word},
            "users": [{"list": [8, 8, 3, 5, 1], "relevant": [[8, 1], [5, 1]]}],
        }
        for word, what in (("counted", "it counts twice"), ("once", "it counts at its first rank"))
    ),
    *(
        {
            "name": f"ties-{word}",
            "about": f"ranks 1 to 3 have one score: {what}",
            "k": 2,
            "threshold": 1,
            "under": {"ties": word},
            "users": [{"list": [7, 2, 9, 4], "scores": [0.5, 0.5, 0.5, 0.25], "relevant": [[9, 1], [2, 1]]}],
        }
        for word, what in (
            ("input", "as they stand"),
            ("id_ascending", "by id"),
            ("id_descending", "by id, largest first"),
        )
    ),
    {
        "name": "candidates",
        "about": "all candidates have a score that is a probability; two of them are equal, one relevant item has none",
        "k": 3,
        "threshold": 1,
        "users": [
            {
                "list": [3, 1, 4, 2],
                "scores": [0.875, 0.75, 0.625, 0.5],
                "relevant": [[1, 1], [2, 1], [7, 1]],
                "candidates": [[1, 0.75], [2, 0.5], [3, 0.875], [4, 0.625], [5, 0.5], [6, 0.25]],
            },
            {
                "list": [5, 6, 1],
                "scores": [0.75, 0.5, 0.375],
                "relevant": [[5, 1], [1, 1]],
                "candidates": [[1, 0.375], [4, 0.125], [5, 0.75], [6, 0.5], [7, 0.375]],
            },
        ],
    },
    {
        "name": "candidates-graded",
        "about": "users with 1 and with 4 relevant items among 12 candidates, gains 3 to 5, scores below 0 too",
        "k": 5,
        "threshold": 4,
        "users": [
            {
                "list": [12, 5, 9, 1, 3, 8],
                "scores": [2.5, 2, 1.5, 1, 0.5, -0.5],
                "relevant": [[5, 5], [9, 3]],
                "candidates": [[12, 2.5], [5, 2], [9, 1.5], [1, 1], [3, 0.5], [8, -0.5], [2, -1], [4, -1.5], [6, -2]],
            },
            {
                "list": [2, 4, 6, 8, 10, 12],
                "scores": [3, 2.5, 2, 0.5, -0.5, -1],
                "relevant": [[8, 4], [4, 5], [12, 4], [11, 5]],
                "candidates": [
                    *([2, 3], [4, 2.5], [6, 2], [8, 0.5], [10, -0.5], [12, -1]),
                    *([1, -1.25], [3, -1.5], [5, -2], [7, -2.5], [9, -3], [11, -3.5]),
                ],
            },
        ],
    },
    {
        "name": "predicted-ratings",
        "about": "each judgement has a predicted rating; one is below the threshold",
        "k": 2,
        "threshold": 4,
        "users": [
            {"list": [1, 2, 3], "relevant": [[1, 5, 4.5], [2, 4, 4], [5, 2, 3]]},
            {"list": [2, 4, 1], "relevant": [[4, 4.5, 3], [1, 1, 2.25]]},
        ],
    },
)
LENGTHS, RELEVANT = (3, 6, 12, 20, 33, 45), (1, 3, 6, 10, 14, 22, 30, 42)
CUTOFFS = (1, 2, 3, 5, 7, 10, 11, 12, 16, 20, 25, 50)
CANDIDATES = 200
PLANTS = tuple(planted())


def of_probes() -> Iterator[Page]:
    """The core probes as cases of the file."""
    for probe in all_probes():
        if probe.edge is None and not probe.metrics and " " not in probe.name:
            yield {
                "name": probe.name.replace("_", "-"),
                "about": probe.about,
                "k": probe.k,
                "threshold": plain(probe.case.threshold),
                "users": users_of(probe.case, np.arange(probe.case.n_items)),
            }


def users_of(case: Case, ids: np.ndarray) -> list[Page]:
    """The users of a case with the ids that its items have outside."""
    out = []
    for user in range(case.users):
        part = slice(int(case.judged_indptr[user]), int(case.judged_indptr[user + 1]))
        pairs = zip(ids[case.judged_items[part]].tolist(), case.judged_gains[part].tolist(), strict=True)
        out.append(
            {"list": ids[case.list_of(user)].tolist(), "relevant": [[item, plain(gain)] for item, gain in pairs]}
        )
    return out


def plain(number: float) -> float | int:
    """A whole number without its point."""
    return int(number) if number == int(number) else number


def at_random(rng: np.random.Generator, number: int) -> Page:
    """A case of one or two users; every second one with ids past 2^31, every third one graded."""
    items = 120
    ids = np.sort(rng.choice(2**33, items, replace=False)) if number % 2 else np.arange(items)
    gains = np.arange(1, 11) / 2 if number % 3 == 0 else np.ones(1)
    users = []
    for _ in range(1 + number % 2):
        length, relevant = int(rng.choice(LENGTHS)), int(rng.choice(RELEVANT))
        listed = rng.permutation(items)[:length]
        inside = rng.permutation(listed)[: int(rng.integers(1, min(length, relevant) + 1))]
        outside = rng.permutation(np.setdiff1d(np.arange(items), listed))[: relevant - len(inside)]
        own = rng.permutation(np.concatenate((inside, outside)))
        users.append(
            {
                "list": ids[listed].tolist(),
                "relevant": [[item, plain(float(rng.choice(gains)))] for item in ids[own].tolist()],
            }
        )
    k = int(rng.choice(CUTOFFS))
    sizes = " and ".join(f"a list of {len(user['list'])} with {len(user['relevant'])} relevant items" for user in users)
    kind = "graded, " if number % 3 == 0 else ""
    wide = ", ids past 2^31" if number % 2 else ""
    return {
        "name": f"random-{number}",
        "about": f"{kind}{sizes}{wide}",
        "k": k,
        "threshold": plain(float(gains[0])),
        "users": users,
    }


def killed(page: Page, among: Iterable[int]) -> set[int]:
    """Which planted functions, by number, give another number than the file for a case."""
    edges, case = edges_of(page.get("under", {})), as_case(page)
    ids = np.array(ids_of(page))
    right = evaluate(case, {PLANTS[number].variant: None for number in among}, [page["k"]], edges)
    return {
        number
        for number in among
        if abs(Asked(PLANTS[number])(case, page["k"], ids).value - right[str(PLANTS[number].variant.at(page["k"]))])
        > TOLERANCE
    }


@cache
def killed_by_recipe() -> frozenset[int]:
    """The planted functions, by number, that the recipe shows."""
    case = recipe_case()
    ids = 3_000_000_000 + 7 * np.arange(case.n_items)
    right = evaluate(case, {plant.variant: None for plant in PLANTS}, [RECIPE["k"]])
    return frozenset(
        number
        for number, plant in enumerate(PLANTS)
        if abs(Asked(plant)(case, RECIPE["k"], ids).value - right[str(plant.variant.at(RECIPE["k"]))]) > TOLERANCE
    )


def chosen() -> list[Page]:
    """The cases: by hand, of the probes, and of random ones as few as show every departure that any of them shows."""
    rng, pages = np.random.default_rng(20211), [*of_probes(), *HAND_MADE]
    left = set(range(len(PLANTS)))
    for page in pages:
        if "under" not in page and not isinstance(page["users"][0]["list"][0], str):
            left -= killed(page, left)
    candidates = [at_random(rng, number) for number in range(CANDIDATES)]
    found = [killed(page, left) for page in candidates]
    while best := max(found, key=len):
        pages.append(candidates[found.index(best)])
        left -= best
        found = [one - best for one in found]
    print(f"{len(pages)} cases; of {len(PLANTS)} planted functions these leave {len(left)}")
    print(f"and without the recipe's {len(left - killed_by_recipe())}:")
    print("\n".join(sorted({PLANTS[number].kind for number in left - killed_by_recipe()})))
    return [*pages, *BEYOND_CASES]


if __name__ == "__main__":
    FILE.write_text(text_of(made(chosen(), drawn_cases())), encoding="utf-8")
    print(f"{FILE}: {FILE.stat().st_size / 1000:.0f} KB")

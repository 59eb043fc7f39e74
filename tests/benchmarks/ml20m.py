"""Ratings of exactly the shape of MovieLens-20M, made from a seed: ``python -m tests.benchmarks.ml20m --out FOLDER``.

They are ours, so no terms of use apply, and stand in the layout of GroupLens (``FOLDER/ratings.csv``): numbers of
users, items and ratings, how often each rating is given and the years are those of the real set; who likes what is
made up. Each item belongs to a group and each user has two groups, from which most of the user's items come and whose
items the user rates higher: what is popular is popular with everyone, and yet an item says something about another.
"""

from __future__ import annotations

import argparse
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

SEED = 20_210_927
STARS = np.arange(1, 11) / 2
GIVEN = np.array([239_125, 680_732, 279_252, 1_430_997, 883_398, 4_291_193, 2_200_156, 5_561_926, 1_534_824, 2_898_660])
"""How often each of ``STARS`` is given in MovieLens-20M."""
FIRST, LAST = 789_652_009, 1_427_784_002
"""9 January 1995 and 31 March 2015, in seconds."""
LARGEST_ID = 131_262
FEWEST, MOST = 20, 9_254 / 26_744
"""Ratings of a user: at least so many, and at most this share of the items."""
GROUPS, OWN, SECOND = 40, 0.6, 0.3
"""Groups of items, and the shares of a user's draws from the first and the second group; the rest are from all."""
STAYS, VISIT, YEARS = 0.25, 3_600.0, 1.5
"""Share of users who come back, mean seconds of a single visit, mean years from the first to the last of several."""
USERS_AT_ONCE, DENSE = 10_000, 1_000
"""Users drawn together, and the number of ratings from which on a user is drawn by a race of all items."""


@dataclass(frozen=True)
class Shape:
    """So many users, items that are rated at least once, and ratings; at least 20 ratings a user."""

    users: int = 138_493
    items: int = 26_744
    ratings: int = 20_000_263


@dataclass(frozen=True, eq=False)
class Made:
    """Ratings by user and, within a user, by item: four arrays of one length. ``rating`` counts half stars."""

    user: np.ndarray
    item: np.ndarray
    rating: np.ndarray
    timestamp: np.ndarray


@dataclass(frozen=True, eq=False)
class World:
    """What the draws are from: each item's weight and group, and the items group by group with weights cumulated."""

    weight: np.ndarray
    group: np.ndarray
    by_group: np.ndarray
    cumulated: np.ndarray
    starts: np.ndarray


def make(shape: Shape, seed: int = SEED) -> Made:
    """The ratings of a seed. ValueError if so many cannot be given by so many users to so many items."""
    most = max(FEWEST + 1, int(shape.items * MOST))
    if not shape.users * FEWEST <= shape.ratings <= shape.users * most * 0.5:
        raise ValueError(f"{shape}: a user gives {FEWEST} to {most} ratings, on average below half of that")
    rng = np.random.default_rng(seed)
    world = make_world(rng, shape.items)
    counts = counts_of(rng.lognormal(0.0, 1.378, shape.users), shape.ratings, most)
    tastes = np.stack([rng.choice(GROUPS, shape.users, p=shares(world)) for _ in range(2)], axis=1)
    item = np.concatenate(
        [
            draw(np.random.default_rng([seed, low]), world, counts[low : low + USERS_AT_ONCE],
                 tastes[low : low + USERS_AT_ONCE])
            for low in range(0, shape.users, USERS_AT_ONCE)
        ]
    )  # fmt: skip
    give_each_item_one(rng, item, shape.items)
    user = np.repeat(np.arange(shape.users, dtype=np.int32), counts)
    item = (np.sort(user * np.int64(shape.items) + item) % shape.items).astype(np.int32)
    return Made(user, item, stars(rng, world, tastes, user, item), times(rng, user, counts))


def make_world(rng: np.random.Generator, items: int) -> World:
    """Weights fall from the first item to the last one by a factor of 67,000, the most of them in the tail."""
    weight = rng.permutation(np.exp(-11.1 * np.sqrt(np.arange(items) / items)))
    size = 1.0 / (np.arange(GROUPS) + 5.0)
    group = rng.choice(GROUPS, items, p=size / size.sum())
    group[rng.permutation(items)[:GROUPS]] = np.arange(GROUPS)[:items]  # none is empty
    by_group = np.concatenate([np.argsort(group, kind="stable"), np.arange(items)])  # and a last group of all
    starts = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=GROUPS)), [2 * items]])
    return World(weight, group, by_group, np.cumsum(weight[by_group]), starts)


def shares(world: World) -> np.ndarray:
    """How likely a group is a user's: by the weight of its items."""
    weight = np.bincount(world.group, world.weight, minlength=GROUPS)
    return weight / weight.sum()


def counts_of(spread: np.ndarray, total: int, most: int) -> np.ndarray:
    """Ratings of each user, int64: ``FEWEST`` and more, by ``spread``, at most ``most``, in all ``total``."""
    low, high = 0.0, float(most) / spread.min()
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if np.minimum(FEWEST + middle * spread, most).sum() > total else (middle, high)
    exact = np.minimum(FEWEST + low * spread, most)
    counts = np.floor(exact).astype(np.int64)
    rest = total - int(counts.sum())
    counts[np.argsort(counts - exact, kind="stable")[:rest]] += 1
    return counts


def draw(rng: np.random.Generator, world: World, counts: np.ndarray, tastes: np.ndarray) -> np.ndarray:
    """Different items for each user, user by user: drawn one after the other by weight, those drawn before left out."""
    items = len(world.weight)
    tries = 2 * counts + 20
    owner = np.repeat(np.arange(len(counts)), tries)
    source = rng.choice(3, len(owner), p=[OWN, SECOND, 1 - OWN - SECOND])
    group = np.where(source < 2, tastes[owner, np.minimum(source, 1)], GROUPS)
    before = np.where(world.starts[group] > 0, world.cumulated[world.starts[group] - 1], 0.0)
    inside = before + rng.random(len(owner)) * (world.cumulated[world.starts[group + 1] - 1] - before)
    place = np.minimum(np.searchsorted(world.cumulated, inside, "right"), world.starts[group + 1] - 1)
    pair = owner * np.int64(items) + world.by_group[place]
    first = np.sort(np.unique(pair, return_index=True)[1])  # the first draw of each item, in the order of the draws
    place_of = np.arange(len(first)) - np.searchsorted(owner[first], np.arange(len(counts)))[owner[first]]
    pair = pair[first[place_of < counts[owner[first]]]]
    found = np.bincount(pair // items, minlength=len(counts))
    short = np.flatnonzero((found < counts) | (counts >= DENSE))
    parts = [pair[~np.isin(pair // items, short)]]
    for user in short:  # the same draw as a race: an item's time is exponential with its weight as its rate
        rate = world.weight * (1 - OWN - SECOND) / world.weight.sum()
        for taste, share in zip(tastes[user], (OWN, SECOND), strict=True):
            mine = world.group == taste
            rate[mine] += share * world.weight[mine] / world.weight[mine].sum()
        finish = rng.exponential(size=items) / rate
        parts.append(user * np.int64(items) + np.argpartition(finish, counts[user] - 1)[: counts[user]])
    return (np.sort(np.concatenate(parts)) % items).astype(np.int32)


def give_each_item_one(rng: np.random.Generator, item: np.ndarray, items: int) -> None:
    """Put items that nobody has drawn in the place of draws of frequent ones."""
    counts = np.bincount(item, minlength=items)
    missing = np.flatnonzero(counts == 0)
    often = np.flatnonzero(counts[item] > np.quantile(counts, 0.9))
    item[rng.choice(often, len(missing), replace=False)] = missing


def stars(rng: np.random.Generator, world: World, tastes: np.ndarray, user: np.ndarray, item: np.ndarray) -> np.ndarray:
    """Half stars, int8: by the item's quality, the user's kindness and tastes and noise, in the shares of ``GIVEN``."""
    quality = 0.6 * rng.standard_normal(len(world.weight)) + 0.12 * np.log(world.weight)
    liking = rng.standard_normal(len(user), dtype=np.float32)
    liking += (quality[item] + 0.4 * rng.standard_normal(len(tastes))[user]).astype(np.float32)
    for taste, much in ((0, 0.8), (1, 0.5)):
        liking += np.float32(much) * (world.group[item] == tastes[user, taste])
    upto = np.round(np.cumsum(GIVEN) / GIVEN.sum() * len(user)).astype(np.int64)
    given = np.empty(len(user), dtype=np.int8)
    given[np.argsort(liking, kind="stable")] = np.repeat(np.arange(1, 11, dtype=np.int8), np.diff(upto, prepend=0))
    return given


def times(rng: np.random.Generator, user: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Seconds, int64, between ``FIRST`` and ``LAST``: most users come once, some come back over years."""
    people = len(counts)
    begun = rng.uniform(FIRST, LAST, people)
    stay = np.where(
        rng.random(people) < STAYS, rng.exponential(YEARS * 31_557_600, people), rng.exponential(VISIT, people)
    )
    stay = np.minimum(stay, LAST - begun)
    when = (begun[user] + stay[user] * rng.random(len(user))).astype(np.int64)
    when[np.argmin(when)], when[np.argmax(when)] = FIRST, LAST
    return when


def write(made: Made, folder: Path, seed: int = SEED) -> None:
    """``ratings.csv``, ``movies.csv`` and ``README.txt`` as in the zip of GroupLens; ratings last, and only whole."""
    folder.mkdir(parents=True, exist_ok=True)
    items = int(made.item.max()) + 1
    ids = np.sort(np.random.default_rng([seed, 1]).choice(max(LARGEST_ID, items), items, replace=False) + 1)
    (folder / "README.txt").write_text(
        "Ratings made from a seed by metric-harness (tests/benchmarks/ml20m.py): the shape of MovieLens-20M, nobody's\n"
        "opinions. Not the data set of GroupLens.\n",
        encoding="utf-8",
    )
    movies = "".join(f"{each},Item {each} (2000),(no genres listed)\n" for each in ids)
    (folder / "movies.csv").write_text("movieId,title,genres\n" + movies, encoding="utf-8")
    words = pa.array([f"{each:.1f}" for each in STARS])
    part = folder / "ratings.csv.part"
    options = pyarrow.csv.WriteOptions(quoting_style="none", batch_size=1 << 16)
    header = pa.schema([("userId", pa.int32()), ("movieId", pa.int64()), ("rating", pa.string()),
                        ("timestamp", pa.int64())])  # fmt: skip
    with pyarrow.csv.CSVWriter(part, header, write_options=options) as file:
        for low in range(0, len(made.user), 1 << 20):
            rows = slice(low, low + (1 << 20))
            columns = [
                pa.array(made.user[rows] + 1), pa.array(ids[made.item[rows]]),
                words.take(pa.array(made.rating[rows] - 1)), pa.array(made.timestamp[rows]),
            ]  # fmt: skip
            file.write_table(pa.table(columns, schema=header))
    part.replace(folder / "ratings.csv")


def pack(folder: Path) -> Path:
    """``FOLDER.zip`` with the folder's files, as GroupLens packs them."""
    target = folder.with_name(f"{folder.name}.zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name in ("README.txt", "movies.csv", "ratings.csv"):
            archive.write(folder / name, f"{folder.name}/{name}")
    return target


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.benchmarks.ml20m", description=__doc__)
    whole = Shape()
    options.add_argument("--out", type=Path, required=True, help="folder for the files, for example /data/ml-20m")
    options.add_argument("--seed", type=int, default=SEED)
    for name in ("users", "items", "ratings"):
        options.add_argument(f"--{name}", type=int, default=getattr(whole, name))
    options.add_argument("--zip", action="store_true", help="pack them as well")
    given = options.parse_args()
    write(make(Shape(given.users, given.items, given.ratings), given.seed), given.out, given.seed)
    print(given.out / "ratings.csv")
    if given.zip:
        print(pack(given.out))


if __name__ == "__main__":
    main()

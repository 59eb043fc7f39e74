"""The test vectors beyond accuracy: planted mistakes are shown, the recipe's training data, what has no definition."""

import itertools
import json
import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
import pytest

from metric_reference.catalogue import CATALOGUE
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant
from metric_reference.vectors.build import FILE, as_case, definitions, edges_of, numbers
from metric_reference.vectors.means import BEYOND_ACCURACY
from metric_reference.vectors.recipe import RECIPE, recipe_case
from tests.support.literal import value
from tests.support.literal.beyond import shown
from tests.support.literal.user import User, users_of

PAGE = json.loads(FILE.read_text(encoding="utf-8"))
Asked = tuple[list[User], int, dict[str, Any]]


class Planted(NamedTuple):
    """A mistake: what it is, the definitions that it is made in (how their names begin), and what it makes of them."""

    what: str
    made_in: tuple[str, ...]
    change: Callable[[list[User], int, dict[str, Any]], Asked] | None = None
    instead: Callable[[list[User], int], float] | None = None


def of_users(change: Callable[[User], User]) -> Callable[[list[User], int, dict[str, Any]], Asked]:
    return lambda users, k, choices: ([change(user) for user in users], k, choices)


def with_choice(**others: str) -> Callable[[list[User], int, dict[str, Any]], Asked]:
    return lambda users, k, choices: (users, k, {name: others.get(name, own) for name, own in choices.items()})


def once(user: User) -> User:
    """Without what is listed again."""
    places = [place for place, item in enumerate(user.listed) if item not in user.listed[:place]]
    return user._replace(listed=[user.listed[at] for at in places], gains=[user.gains[at] for at in places])


def counted_in_lists(users: list[User], k: int, choices: dict[str, Any]) -> Asked:
    return [user._replace(counts=shown(users, k), train_users=len(users)) for user in users], k, choices


def mirrored(user: User) -> User:
    """Items numbered from the other end: what is equal stands in the other order."""
    last = len(user.counts) - 1
    return user._replace(
        listed=[last - item for item in user.listed],
        train=[last - item for item in user.train],
        counts=user.counts[::-1],
        vectors=user.vectors[::-1],
    )


def without_the_unknown(user: User) -> User:
    """An item without training interactions is not in the catalogue."""
    kept = {item: place for place, item in enumerate(item for item, count in enumerate(user.counts) if count)}
    places = [place for place, item in enumerate(user.listed) if item in kept]
    return user._replace(
        listed=[kept[user.listed[at]] for at in places],
        gains=[user.gains[at] for at in places],
        counts=[count for count in user.counts if count],
        vectors=[user.vectors[item] for item in kept],
        train=[kept[item] for item in user.train if item in kept],
    )


def unsorted_gini(users: list[User], k: int) -> float:
    times = shown(users, k)
    n = len(times)
    return sum((2 * rank - n - 1) * count for rank, count in enumerate(times, 1)) / (n * sum(times))


def entropy_of_counts(users: list[User], k: int) -> float:
    """Forgets to divide by the number of recommendations inside the logarithm."""
    times = [count for count in shown(users, k) if count]
    return -math.fsum(count / sum(times) * math.log2(count) for count in times)


def ordered_pairs(users: list[User], k: int) -> float:
    """Every list beside itself as well."""
    lists = [set(user.listed[:k]) for user in users if user.listed]
    every = list(itertools.product(lists, repeat=2))
    return 1 - math.fsum(len(a & b) / math.sqrt(len(a) * len(b)) for a, b in every) / len(every) if every else math.nan


def with_user_zeros(name: str, choices: dict[str, str]) -> Callable[[list[User], int], float]:
    """A user for whom the value is undefined counts 0."""

    def mean(users: list[User], k: int) -> float:
        found = [value(name, choices, "user", [user], k, STANDARD.made()) for user in users]
        return math.fsum(0.0 if math.isnan(one) else one for one in found) / len(found)

    return mean


def first_entries(user: User) -> User:
    return user._replace(vectors=[[*vector[:-1], 0.0] for vector in user.vectors])


def ones_alone(user: User) -> User:
    return user._replace(vectors=[[float(entry > 0) for entry in vector] for vector in user.vectors])


OF_LISTS = (
    "coverage(of=items",
    "popularity",
    "novelty",
    "diversity",
    "category_diversity",
    "personalization",
    "unexpectedness",
    "serendipity",
    "hit_popularity",
    "entropy",
    "gini",
    "herfindahl",
)
OF_COUNTS = (
    "popularity",
    "novelty(probability=users",
    "novelty(probability=interactions",
    "hit_popularity",
    "unexpectedness(against=popular",
    "serendipity(unexpected=not_popular",
    "serendipity(unexpected=complement",
    "serendipity(unexpected=information",
    "serendipity(unexpected=above_popularity",
    "coverage(of=items, divide_by=trained",
    "coverage(of=trained_items",
)
OF_VECTORS = ("diversity", "category_diversity", "unexpectedness(against=history", "serendipity(unexpected=unlike")
PLANTS = (
    Planted("k is not cut", OF_LISTS, lambda users, k, choices: (users, k + 1000, choices)),
    Planted("k is one more", OF_LISTS, lambda users, k, choices: (users, k + 1, choices)),
    Planted(
        "the last item of a list is lost",
        OF_LISTS,
        of_users(lambda user: user._replace(listed=user.listed[:-1], gains=user.gains[:-1])),
    ),
    Planted(
        "only the first user is looked at",
        (*OF_LISTS[:5], *OF_LISTS[6:], "coverage(of=users, divide_by=none"),
        lambda users, k, choices: (users[:1], k, choices),
    ),
    Planted(
        "an item listed twice is one", ("popularity", "diversity", "entropy", "gini", "herfindahl"), of_users(once)
    ),
    Planted("counts are those of the lists, not of the training data", OF_COUNTS, counted_in_lists),
    Planted(
        "items are numbered from the other end",
        ("popularity(value=tail", "unexpectedness(against=popular", "serendipity(unexpected=not_popular"),
        of_users(mirrored),
    ),
    Planted(
        "the catalogue is the items with training interactions",
        (
            "coverage(of=items)",
            "coverage(of=items, divide_by=padded",
            "coverage(of=items, divide_by=none",
            "novelty(probability=users)",
            "novelty(probability=interactions",
            "popularity(value=count)",
            "serendipity(unexpected=above",
            "gini(items=catalogue",
            "gini(items=padded",
            "entropy",
        ),
        of_users(without_the_unknown),
    ),
    Planted("the catalogue has one item more", ("coverage(of=items)",), with_choice(divide_by="padded")),
    Planted(
        "the catalogue is the trained items, recommended or not",
        ("coverage(of=items)",),
        with_choice(divide_by="trained"),
    ),
    Planted("untrained items are covered too", ("coverage(of=trained_items",), with_choice(of="items")),
    Planted(
        "users without a list are served too",
        ("coverage(of=users",),
        of_users(lambda user: user._replace(listed=user.listed or [0], gains=user.gains or [0.0])),
    ),
    Planted(
        "as many training users as lists",
        ("popularity(value=share", "novelty(probability=users", "serendipity(unexpected=complement"),
        lambda users, k, choices: ([user._replace(train_users=len(users)) for user in users], k, choices),
    ),
    Planted(
        "natural logarithms",
        (
            "novelty(probability=users)",
            "novelty(probability=users, length",
            "novelty(probability=interactions",
            "entropy(log=log2",
        ),
        with_choice(log="ln"),
    ),
    Planted("logarithms to base 2", ("entropy(log=ln",), with_choice(log="log2")),
    Planted(
        "untrained items add nothing",
        ("novelty(probability=users)", "novelty(probability=users, length=k", "novelty(probability=users, log=largest"),
        with_choice(unseen="skipped"),
    ),
    Planted("untrained items count as seen once", ("novelty(probability=interactions",), with_choice(unseen="one")),
    Planted(
        "training interactions of another user",
        ("novelty(probability=own_history", "unexpectedness(against=hist", "serendipity(unexpected=unlike"),
        lambda users, k, choices: ([user._replace(train=users[0].train) for user in users], k, choices),
    ),
    Planted(
        "a user without training items has every item",
        ("novelty(probability=own_history",),
        of_users(lambda user: user._replace(train=user.train or list(range(len(user.counts))))),
    ),
    Planted(
        "lists are divided by k",
        (
            "popularity(value=count)",
            "popularity(value=share",
            "popularity(value=quantile",
            "novelty(probability=users)",
            "serendipity",
        ),
        with_choice(divide_by="k", length="k"),
    ),
    Planted(
        "k is the list's length",
        ("novelty(probability=users, length=k", "unexpectedness(against=popular", "category_diversity(divide_by=k"),
        with_choice(divide_by="list", length="list"),
    ),
    Planted("items are not sorted", ("gini(items=catalogue)",), instead=unsorted_gini),
    Planted(
        "items that nobody is shown are left out",
        ("gini(items=catalogue", "gini(items=padded"),
        with_choice(items="recommended"),
    ),
    Planted("over n", ("gini(items=recommended", "gini(items=catalogue, divide_by"), with_choice(divide_by="n")),
    Planted("ranks weigh alike", ("gini(items=catalogue, attention",), with_choice(attention="equal")),
    Planted("counts are no shares", ("entropy(log=log2)",), instead=entropy_of_counts),
    Planted("entropy over the catalogue", ("entropy(log=ln",), with_choice(normalise="catalogue")),
    Planted("one mean over all", ("entropy(log=log2, over=users",), with_choice(over="recommendations")),
    Planted("the index itself", ("herfindahl(value=diversity",), with_choice(value="concentration")),
    Planted("a list beside itself", ("personalization(similarity=cosine",), instead=ordered_pairs),
    Planted("over the union", ("personalization",), with_choice(similarity="jaccard")),
    Planted("similarity, not distance", ("diversity(pair=cosine_distance",), with_choice(pair="cosine_similarity")),
    Planted("pairs with the last item count half", ("diversity",), with_choice(last="half")),
    Planted(
        "a list of one item counts",
        ("diversity(pair=cosine_distance)", "diversity(pair=cosine_similarity)"),
        with_choice(divide_by="pairs_or_one"),
    ),
    Planted("the last entry of vectors is lost", OF_VECTORS, of_users(first_entries)),
    Planted(
        "entries below 0 are 0",
        ("diversity(pair=cosine", "category_diversity", "unexpectedness(against=history"),
        of_users(ones_alone),
    ),
    Planted("the categories of misses too", ("category_diversity(divide_by=categories",), with_choice(of="listed")),
    Planted(
        "misses too",
        ("serendipity", "hit_popularity"),
        of_users(lambda user: user._replace(gains=[1.0] * len(user.gains))),
    ),
    Planted("over the hits", ("serendipity", "hit_popularity"), with_choice(divide_by="hits")),
    Planted(
        "no discount",
        ("serendipity(unexpected=complement", "serendipity(unexpected=information"),
        with_choice(discount="none"),
    ),
    Planted(
        "an undefined user counts 0",
        ("popularity(value=count, length=trained",),
        instead=with_user_zeros("popularity", {"value": "count", "length": "trained"}),
    ),
    Planted(
        "a list of one item has distance 0",
        ("diversity(pair=cosine_distance)",),
        instead=with_user_zeros("diversity", {"pair": "cosine_distance", "divide_by": "pairs", "last": "full"}),
    ),
)
MADE = [
    pytest.param(plant, index, id=f"{plant.what}: {variant}")
    for plant in PLANTS
    for index, variant in enumerate(definitions())
    if variant.metric.name in BEYOND_ACCURACY and str(variant).startswith(plant.made_in)
]
CASES = [
    (page, users_of(as_case(page), edges_of(page.get("under", {})).made()))
    for page in PAGE["cases"]
    if "items" in page or "under" not in page
]


def answer(variant: Variant, plant: Planted | None, users: list[User], k: int, edges: dict[str, str]) -> float:
    """What the literal twin says, or what a planted mistake makes of it; NaN where that ends in an error."""
    choices = {one.name: getattr(variant.metric, one.name) for one in fields(variant.metric)}
    if plant is not None and plant.instead is not None:
        return plant.instead(users, k)
    if plant is not None and plant.change is not None:
        users, k, choices = plant.change(users, k, choices)
    return value(variant.metric.name, choices, variant.weight, users, k, edges)


@pytest.mark.parametrize(("plant", "index"), MADE)
def test_a_planted_mistake_is_shown_by_a_case(plant, index):
    variant = definitions()[index]
    for page, users in CASES:
        pair = page["values"][index]
        edges = edges_of(page.get("under", {})).made()
        if pair is not None and not abs(answer(variant, plant, users, page["k"], edges) - pair[1]) <= PAGE["tolerance"]:
            return
    pytest.fail(f"no case shows that {plant.what}")


@pytest.mark.slow
def test_the_recipe_agrees_with_the_literal_twin_beyond_accuracy():
    edges = STANDARD.made()
    users = users_of(recipe_case(), edges)
    for variant, right in zip(definitions(), PAGE["recipe"]["values"], strict=True):
        if variant.metric.name in BEYOND_ACCURACY:
            assert math.isclose(answer(variant, None, users, RECIPE["k"], edges), right, rel_tol=1e-11), variant


def test_every_mistake_is_made_in_some_definition_and_in_each_definition_one():
    assert [plant.what for plant in PLANTS if not any(made.values[0] is plant for made in MADE)] == []
    tried = {made.values[1] for made in MADE}
    beyond = {index for index, variant in enumerate(definitions()) if variant.metric.name in BEYOND_ACCURACY}
    assert [str(definitions()[index]) for index in beyond - tried] == []


def test_all_of_the_catalogue_but_the_constant_is_in_the_file():
    names = {row["name"] for row in PAGE["definitions"]}
    missing = {str(entry.variant) for entry in CATALOGUE} - names
    assert missing == {"constant(value=zero)"}
    assert f"`{missing.pop()}`" in (FILE.parents[3] / "docs" / "vectors.md").read_text(encoding="utf-8")


def test_training_data_of_the_cases_agrees_with_itself():
    """An item has at least the interactions of the case's users, and at most one of each training user."""
    for page in PAGE["cases"]:
        for item, count, vector in page.get("items", []):
            own = sum(item in user["train"] for user in page["users"])
            assert own <= count <= page["train_users"], (page["name"], item)
            assert len(vector) == len(page["items"][0][2])


def test_an_id_outside_the_catalogue_is_named():
    page = {**next(page for page in PAGE["cases"] if "items" in page)}
    page["users"] = [{**page["users"][0], "list": [99]}]
    with pytest.raises(ValueError, match=f"case {page['name']}: 1 ids are not among the items"):
        numbers(page)


def test_the_recipe_has_the_training_data_of_its_words():
    """Followed a second time, from the words."""
    x = 20211

    def draw():
        nonlocal x
        x = x * 48271 % 2147483647
        return x

    def several(count, one):
        found = []
        while len(found) < count:
            item = one()
            if item not in found:
                found.append(item)
        return found

    for _ in range(500):
        several(60, lambda: draw() % 1000)
        relevant = []
        count = 1 + draw() % 50
        while len(relevant) < count:
            item = draw() % 1000
            if item not in relevant:
                relevant.append(item)
                draw()
    vectors = [[draw() % 2 for _ in range(6)] for _ in range(1000)]
    case = recipe_case()
    assert case.item_vectors.tolist() == vectors
    for user in range(500):
        count = 1 + draw() % 20
        own = several(count, lambda: draw() % 1000 * (draw() % 1000) // 1000)
        assert case.train_items[case.train_indptr[user] : case.train_indptr[user + 1]].tolist() == own
    assert np.array_equal(case.item_counts, np.bincount(case.train_items, minlength=1000))

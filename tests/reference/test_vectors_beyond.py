"""The test vectors beyond accuracy: planted mistakes are shown, the recipe's training data, what has no definition."""

import json
import math
from dataclasses import fields

import numpy as np
import pytest

from metric_reference.catalogue import CATALOGUE
from metric_reference.edges import STANDARD
from metric_reference.variant import Variant
from metric_reference.vectors.build import FILE, as_case, definitions, edges_of, numbers
from metric_reference.vectors.means import BEYOND_ACCURACY
from metric_reference.vectors.recipe import RECIPE, recipe_case
from tests.reference.mistakes_beyond import PLANTS, Planted
from tests.support.literal import value
from tests.support.literal.user import User, users_of

PAGE = json.loads(FILE.read_text(encoding="utf-8"))
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

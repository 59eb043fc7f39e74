"""The test vectors: exact values, the literal twin, the schema, planted functions, and a file with a wrong number."""

import copy
import json
import math
import re
from dataclasses import fields
from decimal import Decimal, getcontext

import jsonschema
import numpy as np
import pytest

from metric_reference.vectors.build import (
    FILE,
    as_case,
    cases,
    definitions,
    departures,
    drawn_cases,
    edges_of,
    made,
    text_of,
)
from metric_reference.vectors.recipe import RECIPE, recipe_case
from tests.support.literal import sampled, value
from tests.support.literal.user import users_of
from tests.support.mutants import Asked, planted
from tests.support.vector_search import killed, killed_by_recipe

PAGE = json.loads(FILE.read_text(encoding="utf-8"))


def log(base: int, number: int) -> Decimal:
    return Decimal(number).ln() / Decimal(base).ln()


WEIGHTS = {
    "log2": lambda rank: 1 / log(2, rank + 1),
    "max_log2": lambda rank: 1 / max(log(2, rank), Decimal(1)),
    "max_log10": lambda rank: 1 / max(log(10, rank), Decimal(1)),
    "shifted_log2": lambda rank: 1 / log(2, rank + 2),
}


def summed(word: str, text: str) -> Decimal:
    """The sum that a word such as log2(1,3-5) stands for."""
    runs = [run.partition("-") for run in text.split(",")]
    ranks = [rank for first, _, last in runs for rank in range(int(first), int(last or first) + 1)]
    return sum(map(WEIGHTS[word], ranks), Decimal(0))


def evaluated(text: str) -> float:
    """The value of an exact form, with 40 digits."""
    getcontext().prec = 40
    found = re.sub(r"(\w+)\(([\d,-]+)\)", lambda m: f"({summed(m[1], m[2])})" if m[1] in WEIGHTS else m[0], text)
    numbers = re.sub(r"(?<![\w.])\d+(\.\d+)?", lambda m: f"D('{m[0]}')", found.replace("^", "**"))
    return float(eval(numbers, {"__builtins__": {}}, {"D": Decimal, "sqrt": Decimal.sqrt, "ln": Decimal.ln}))


def test_the_file_fits_its_schema_and_its_limits():
    schema = json.loads(FILE.with_name("vectors.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(PAGE, schema, jsonschema.Draft202012Validator)
    assert len(PAGE["cases"]) <= 60
    assert FILE.stat().st_size <= 300_000
    assert len({case["name"] for case in PAGE["cases"]}) == len(PAGE["cases"])


def test_the_file_is_what_the_code_makes():
    """The recipe holds means over 500 users, whose last bit depends on how a processor sums and takes logarithms."""
    page = json.loads(text_of(made(cases(), drawn_cases())))
    ours, theirs = page["recipe"]["values"], PAGE["recipe"]["values"]
    assert [number is None for number in ours] == [number is None for number in theirs]
    pairs = [pair for pair in zip(ours, theirs, strict=True) if None not in pair]
    assert all(math.isclose(*pair, rel_tol=1e-14) for pair in pairs)
    assert text_of({**page, "recipe": PAGE["recipe"]}) == FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", PAGE["cases"], ids=lambda case: case["name"])
def test_floats_are_the_nearest_to_the_exact_values(case):
    assert len(case["values"]) == len(PAGE["definitions"])
    for text, number in filter(None, case["values"]):
        assert evaluated(text) == number, text


@pytest.mark.parametrize("page", PAGE["cases"], ids=lambda case: case["name"])
def test_floats_are_those_of_the_literal_twin(page):
    edges, k = edges_of(page.get("under", {})).made(), page["k"]
    case = as_case(page)
    users = users_of(case, edges)
    for variant, pair in zip(definitions(), page["values"], strict=True):
        if pair is None:
            continue
        choices = {name: getattr(variant.metric, name) for name in (f.name for f in fields(variant.metric))}
        right = value(variant.metric.name, choices, variant.weight, users, k, edges)
        assert math.isclose(right, pair[1], rel_tol=1e-13, abs_tol=1e-15), str(variant)


@pytest.mark.parametrize("page", PAGE["drawn"], ids=lambda page: page["name"])
def test_moments_of_draws_are_exact_and_those_of_the_literal_twin(page):
    draw = sampled.Draw(int(re.sub(r"\D", "", page["candidates"])), page["replacement"], page["ties"])
    relevant = page["relevant"] if page["per"] == "user" else page["relevant"][:1]
    assert {"hit_rate@2", "ndcg", "auc"} <= set(page["values"])
    for name, pairs in page["values"].items():
        metric, _, k = name.partition("@")
        twin = sampled.moments(draw, relevant, page["pool"], metric, int(k) if k else None)
        for (text, number), right in zip(pairs, twin, strict=True):
            assert evaluated(text) == number, name
            assert math.isclose(number, right, rel_tol=0, abs_tol=1e-13), name


def test_the_draws_differ_in_every_choice():
    """So a function that leaves out replacement, weights, ties or the items of a user together shows it."""
    seen = {tuple(map(tuple, page["values"]["hit_rate@2"])): page["name"] for page in PAGE["drawn"]}
    assert len(seen) >= 9
    for choice in ("replacement", "per", "ties"):
        assert len({page[choice] for page in PAGE["drawn"]}) > 1


def test_a_wrong_moment_is_named():
    page = copy.deepcopy(PAGE)
    page["drawn"][0]["values"]["auc"][1][1] += 1e-6
    del page["drawn"][1]["values"]["ndcg"]
    first, second = departures(page)
    assert first.startswith(f"case {page['drawn'][0]['name']}: variance of auc is 25/448 = ")
    assert second.startswith(f"case {page['drawn'][1]['name']}: values are those of hit_rate@2, ")


def test_a_scheme_whose_closed_form_is_off_is_named(monkeypatch):
    monkeypatch.setattr("metric_reference.vectors.drawn._closed", lambda *_: {"hit_rate@2": (0.5, 0.25)})
    with pytest.raises(ValueError, match=r"^case uniform: hit_rate@2 is 0\.5, but exactly 5/7$"):
        made([], drawn_cases()[:1])


@pytest.mark.slow
def test_cases_or_recipe_show_every_planted_function_that_differs_on_ordinary_data():
    from tests.harness.naming.test_mutants import differs_on_ordinary_data

    plants = list(planted())
    left = set(range(len(plants)))
    for page in cases():
        if "under" not in page and not isinstance(page["users"][0]["list"][0], str):
            left -= killed(page, left)
    assert len(left) < len(plants) / 2
    unseen = [plants[number] for number in left - killed_by_recipe()]
    assert [f"{one.variant}: {one.kind}" for one in unseen if differs_on_ordinary_data(one)] == []


def test_a_case_whose_two_ways_of_computing_differ_is_named(monkeypatch):
    monkeypatch.setattr("metric_reference.vectors.build.exact_mean", lambda *_: "1/7")
    with pytest.raises(ValueError, match=r"^case .*: hit_rate\(value=any\) is .*, but exactly 1/7$"):
        made(cases()[:1], [])


def test_the_recipe_is_what_its_words_say():
    """Followed a second time, from the words."""
    x, drawn = 20211, []
    for _ in range(60):
        x = x * 48271 % 2147483647
        drawn.append(x % 1000)
    first = list(dict.fromkeys(drawn))
    assert recipe_case().list_of(0)[: len(first)].tolist() == first
    assert "48271" in RECIPE["words"]
    variant = definitions()[0]
    asked = Asked(next(one for one in planted() if one.variant == variant)._replace(input=None, output=None, mean=None))
    assert math.isclose(asked(recipe_case(), RECIPE["k"]).value, PAGE["recipe"]["values"][0], rel_tol=1e-12)
    assert np.isfinite([number for number in PAGE["recipe"]["values"] if number is not None]).all()


def test_every_definition_has_a_number_in_some_case():
    for index, row in enumerate(PAGE["definitions"]):
        assert any(case["values"][index] is not None for case in PAGE["cases"]), row["name"]


def test_a_number_where_none_is_right_is_named():
    page = copy.deepcopy(PAGE)
    missing = page["cases"][0]["values"].index(None)
    page["cases"][0]["values"][missing] = ["0", 0.0]
    assert departures(page) == [
        f"case {page['cases'][0]['name']}: {page['definitions'][missing]['name']} is None, not 0"
    ]


def test_a_wrong_number_is_named_with_its_case():
    page = copy.deepcopy(PAGE)
    page["cases"][3]["values"][2] = ["1/7", 1 / 7]
    page["recipe"]["values"][4] += 1e-6
    page["cases"][-1]["values"][-1][1] += 1e-6
    page["recipe"]["values"][-1] += 1e-6
    wrong = departures(page)
    name, definition = page["cases"][3]["name"], page["definitions"][2]["name"]
    last_name, last = page["cases"][-1]["name"], page["definitions"][-1]["name"]
    expected = (
        *[f"case {name}: {definition} is "] * 2,
        f"case {last_name}: {last} is ",
        f"recipe: {page['definitions'][4]['name']} is ",
        f"recipe: {last} is ",
    )
    assert len(wrong) == len(expected)
    assert [line for line, start in zip(wrong, expected, strict=True) if not line.startswith(start)] == []
    assert departures(PAGE) == []

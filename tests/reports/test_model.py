"""One model of a record: a value fits its type as it fits the JSON Schema that is made from the type."""

from __future__ import annotations

import copy
import json
import re
from random import Random
from types import UnionType
from typing import Annotated, Any, Literal, NotRequired, TypedDict, Union, get_args, get_origin, is_typeddict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec import Meta

from metric_harness.libraries import page_types
from metric_harness.libraries.schema import library_schema
from metric_reports.model import fields_of, fits, json_schema, misfit
from metric_reports.record import MODELS, lines_of, schema
from metric_reports.types.run import Record
from tests.support.contracts import Walk
from tests.support.sample_audit import a_comparison, an_audit
from tests.support.sample_record import sample_record

VALIDATORS = {name: Draft202012Validator(schema(name)) for name in MODELS}
RUN = sample_record()
for part in ("libraries", "subjects", "cells", "findings", "probes"):
    RUN[part] = RUN[part][-3:]
SAMPLES = [("run", RUN), ("audit", an_audit()), ("audit", a_comparison())]
SAMPLES.append(("manifest", RUN["bundle"]))
SEEDS = st.integers(0, 2**32)
often = settings(max_examples=50, deadline=None)
WORDS = ("", "a", "nan", "verified", "AP001", "0" * 64, "case.json")
ODD = (None, True, False, 0, -1, 1.5, "", "nan", "x", [], [1], {}, {"a": 1})


def a_value(model: Any, random: Random, meta: Meta = Meta()) -> Any:  # noqa: B008
    """A value of a type, made by chance."""
    if get_origin(model) is Annotated:
        return a_value(get_args(model)[0], random, model.__metadata__[0])
    options = [part for part in get_args(model) if get_origin(model) in (Union, UnionType)] or [model]
    option = random.choice(options)
    origin, args = get_origin(option), get_args(option)
    if option is not model:
        return a_value(option, random)
    if is_typeddict(option):
        fields = fields_of(option).items()
        return {name: a_value(inner, random) for name, (inner, needed) in fields if needed or random.random() < 0.5}
    if origin is list:
        size = random.randint(meta.min_length or 0, max(meta.min_length or 0, min(meta.max_length or 2, 2)))
        return [a_value(args[0], random) for _ in range(size)]
    if origin is dict:
        return {a_value(args[0], random): a_value(args[1], random) for _ in range(random.randint(0, 2))}
    if origin is Literal:
        return random.choice(args)
    low = meta.ge if meta.ge is not None else -9
    return {
        type(None): lambda: None,
        bool: lambda: random.random() < 0.5,
        int: lambda: random.randint(low, 9),
        float: lambda: random.choice([0.25, 0.5]) if meta.lt or meta.le else random.uniform(max(low, 1), 9),
        str: lambda: random.choice([word for word in WORDS if re.search(meta.pattern or "", word)]),
        Any: lambda: random.choice(ODD),
    }[option]()


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a value, with each of its keys."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


@pytest.mark.parametrize("name", MODELS)
def test_the_schema_is_a_schema_and_allows_no_other_keys(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    for part in [schema(name), *schema(name)["$defs"].values()]:
        assert part["type"] == "object"
        assert part["additionalProperties"] is False


@pytest.mark.parametrize("name", MODELS)
@often
@given(seed=SEEDS)
def test_what_the_type_allows_the_schema_allows(name: str, seed: int) -> None:
    value = a_value(MODELS[name][0], Random(seed))
    assert misfit(value, MODELS[name][0]) is None
    assert next(VALIDATORS[name].iter_errors(value), None) is None


@often
@given(seed=SEEDS)
def test_a_record_is_read_as_it_was_written(seed: int) -> None:
    record = a_value(Record, Random(seed))
    assert json.loads(lines_of(record)) == record


@pytest.mark.parametrize(("name", "sample"), SAMPLES, ids=["run", "audit", "comparison", "manifest"])
@often
@given(seed=SEEDS)
def test_type_and_schema_refuse_the_same(name: str, sample: Any, seed: int) -> None:
    value, random = copy.deepcopy(sample), Random(seed)
    container, key = random.choice(places(value))
    change = random.choice(["remove", "replace", "add"])
    if change == "add" and isinstance(container, dict):
        container[random.choice(WORDS)] = random.choice(ODD)
    elif change == "remove":
        del container[key]
    else:
        container[key] = random.choice(ODD)
    assert fits(value, MODELS[name][0]) == VALIDATORS[name].is_valid(value)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("cells", 3, "k"), "5", "$.cells[3].k: Expected `int`, got `str`: '5'"),
        (("cells", 3, "kk"), 5, "$.cells[3]: Object contains unknown field `kk`"),
        (("cells", 3, "value"), "high", "$.cells[3].value: 'high' is none of nan, inf, -inf"),
        (("subjects", 0, "choices", "cut"), 1, "$.subjects[0].choices.cut: Expected `str`, got `int`: 1"),
        (("findings", 0, "case", "k"), None, "$.findings[0].case.k: Expected `int`, got `null`"),
        (("bundle", "dataset", "sha256"), "x", "$.bundle.dataset.sha256: Expected `str` matching regex"),
        (("citations",), {"a b": {"sentence": "", "latex": ""}}, "$.citations.a b: Object missing"),
    ],
)  # fmt: skip
def test_a_misfit_names_the_path_and_what_is_wrong(path: tuple[Any, ...], value: Any, said: str) -> None:
    record = sample_record()
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    assert (misfit(record, Record) or "").startswith(said)


class Base(TypedDict):
    """What others extend."""

    a: int
    """The first,
    in two lines."""


class Whole(Base):
    """A whole."""

    b: NotRequired[Annotated[str, Meta(max_length=2)] | None]
    """The second."""
    c: dict[str, list[Base]]


def test_a_schema_has_the_docstrings_and_constraints() -> None:
    found = json_schema(Whole, "A title")
    assert (found["title"], found["description"], found["required"]) == ("A title", "A whole.", ["a", "c"])
    assert found["properties"]["a"] == {"type": "integer", "description": "The first, in two lines."}
    assert found["properties"]["b"]["description"] == "The second."
    assert {"type": "string", "maxLength": 2} in found["properties"]["b"]["anyOf"]
    assert found["$defs"]["Base"]["additionalProperties"] is False
    assert misfit({"a": 1, "b": "abc", "c": {}}, Whole) == "$.b: Expected `str` of length <= 2: 'abc'"
    assert misfit({"a": 1, "c": {"x": [{"a": 1}, {"a": 1.5}]}}, Whole) == "$.c.x[1].a: Expected `int`, got `float`: 1.5"


def test_the_type_of_a_library_page_says_what_its_schema_says() -> None:
    walk = Walk({"library": library_schema()}, "library")
    assert list(walk.gaps(page_types.LibraryPage, library_schema(), "library")) == []

"""One model of a record: a value fits its type as it fits the JSON Schema that is made from the type."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Annotated, Any, NotRequired, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec import Meta

from metric_harness.libraries import page_types
from metric_harness.libraries.schema import library_schema
from metric_reports.model import fits, json_schema, misfit
from metric_reports.record import MODELS, lines_of, schema
from metric_reports.types.run import Record
from tests.reports.made_values import ODD, WORDS, a_value
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

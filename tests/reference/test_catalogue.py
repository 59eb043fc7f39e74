"""The catalogue: every row is a variant of the space, named once, with sources that can be looked up."""

import json
from importlib.resources import files

import pytest

from metric_reference.catalogue import CATALOGUE, by_variant
from metric_reference.sources import MEASURED, SOURCES
from metric_reference.variant import METRICS, Variant, twins
from tests.support.places import ROOT


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: str(entry.variant))
def test_each_row_is_a_canonical_variant_with_sources(entry):
    assert entry.variant == entry.variant.canonical()
    named = Variant.parse(str(entry.variant))
    assert named == entry.variant
    assert entry.title
    assert entry.who
    assert len(set(entry.who)) == len(entry.who)
    assert {source.kind for source in entry.sources} <= {"library", "paper", "text", "issue"}
    for source in entry.sources:
        assert source.address.startswith("https://") or (ROOT / source.address).is_file()


def test_no_variant_stands_twice():
    assert len(by_variant()) == len(CATALOGUE)


def test_every_metric_and_every_source_is_in_the_catalogue():
    assert {entry.variant.metric.name for entry in CATALOGUE} == set(METRICS)
    assert {key for entry in CATALOGUE for key in entry.who} == set(SOURCES)


def test_twins_of_a_variant():
    assert [str(v) for v in twins(Variant.parse("ndcg"))] == [
        "ndcg(gain=binary, discount=ln)",
        "ndcg(gain=binary, discount=log10)",
    ]
    names = {str(v) for v in twins(Variant.parse("recall(divide_by=min_k_relevant)"))}
    assert names == {"precision(divide_by=min_k_relevant)", "ndcg(gain=binary, discount=none)"}
    names = [str(v) for v in twins(Variant.parse("ndcg(discount=ln, ideal=none)"))]
    assert names == ["ndcg(gain=binary, discount=ln, ideal=none, weight=micro)"]


def test_what_a_recording_says_is_not_typed_as_well():
    """A library is typed where no recorded function computes the variant: what is not asked, or asked otherwise."""
    measured = {(library["key"], name) for library in MEASURED for name in library["computes"]}
    rows = json.loads(files("metric_reference").joinpath("catalogue.json").read_text(encoding="utf-8"))
    typed = {(key, row["variant"]) for row in rows for key in row["who"].split()}
    assert not typed & measured
    assert len({key for key, _ in measured}) > 50


def test_a_measured_library_is_shown_with_the_functions_that_compute_a_variant():
    titles = [source.title for source in by_variant()["average_precision(divide_by=hits)"].sources]
    assert "DaisyRec 2.3.0: MAP" in titles

"""Functions with one edit each are refused, or the edited lines reported as never run; the others keep their names."""

import pytest

from metric_harness import audit
from tests.support.source_mutants import faithful, mutants, written

MUTANTS, FAITHFUL = list(mutants()), list(faithful())
CONDITIONS = {"ids from 0", "no two scores equal"}
"""Conditions of a name that keep out what some mutants change."""
SAMPLE = 29
"""Every 29th is asked with the slow tests; all of them with -m large, which takes half an hour."""


def clean(mutant, folder):
    """Whether the audit verifies the function for all ids and finds no error."""
    (subject,) = audit(written(mutant, folder)).to_json()["subjects"]
    errors = [row["code"] for row in subject["findings"] if row["severity"] == "error"]
    verified = subject["variant"] is not None and subject["evidence"]["confidence"] == "verified"
    return verified and not errors and not CONDITIONS & set(subject["where"])


def test_there_are_700_mutants_of_90_kinds():
    assert len(MUTANTS) >= 700
    assert len({mutant.why for mutant in MUTANTS}) >= 90


@pytest.mark.slow
def test_a_sample_of_the_mutants_is_not_named(tmp_path):
    sample = list(enumerate(MUTANTS))[::SAMPLE]
    assert [f"{mutant.name}: {mutant.why}" for i, mutant in sample if clean(mutant, tmp_path / str(i))] == []


@pytest.mark.slow
def test_a_sample_of_faithful_functions_is_named(tmp_path):
    assert all(clean(function, tmp_path / str(i)) for i, function in enumerate(FAITHFUL[::9]))


@pytest.mark.large
@pytest.mark.parametrize("group", range(12))
def test_no_mutant_is_named(group, tmp_path):
    own = list(enumerate(MUTANTS))[group::12]
    assert [f"{mutant.name}: {mutant.why}" for i, mutant in own if clean(mutant, tmp_path / str(i))] == []


@pytest.mark.large
def test_every_faithful_function_is_named(tmp_path):
    assert all(clean(function, tmp_path / str(i)) for i, function in enumerate(FAITHFUL))

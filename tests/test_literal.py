"""The reference against its literal twin, over every variant of every metric that it knows."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.case import Case
from reference.edges import STANDARD, Edges
from reference.matching import Matches
from reference.variant import METRICS, Variant, prepare, space
from tests import literal
from tests.random_cases import HELD, cases, ks

TOLERANCE = 1e-12
behaviours = st.sampled_from(("zero", "one", "nan", "poisons_mean", "skipped"))
tie_rules = st.sampled_from(("input_order", "id_ascending", "id_descending", "optimistic", "pessimistic"))
edge_rules = st.builds(
    Edges,
    no_relevant=behaviours,
    no_list=behaviours,
    duplicates=st.sampled_from(("counted", "once")),
    ties=tie_rules,
)


def test_the_twin_knows_every_metric() -> None:
    missing = [name for name in METRICS if name not in literal.KNOWN]
    assert not missing, f"tests/literal.py lacks {', '.join(missing)}: write each from its formula"


@pytest.mark.parametrize("name", METRICS)
@given(case=cases(), k=ks)
@HELD
def test_every_variant_equals_its_twin(name: str, case: Case, k: int) -> None:
    compare(name, case, k, STANDARD)


@pytest.mark.parametrize("name", METRICS)
@given(case=cases(), k=ks, edges=edge_rules)
@HELD
def test_every_variant_equals_its_twin_at_every_edge(name: str, case: Case, k: int, edges: Edges) -> None:
    compare(name, case, k, edges)


@pytest.mark.parametrize("name", METRICS)
@given(case=cases(), k=ks)
@HELD
def test_the_value_of_each_user_equals_the_twin_s(name: str, case: Case, k: int) -> None:
    """Without any edge behaviour: what the formula gives, NaN where it is undefined."""
    matches = prepare(case)
    users = literal.users_of(case, STANDARD.made())
    wrong = []
    for variant in space(name):
        if variant.metric.whole():
            continue
        values = variant.metric.per_user(matches, k)
        counted = variant.metric.counted(matches, k)
        for number, user in enumerate(users):
            if not user.relevant and name not in literal.NO_RELEVANCE:
                continue  # the edge behaviour says what they are worth
            share = literal.PER_USER[name](user, k, **made(variant))
            if (share is not None) != counted[number]:
                wrong.append(f"{variant}: user {number} counts {counted[number]} here, {share is not None} in the twin")
            elif share is not None and not equal(values[number], share.value):
                wrong.append(f"{variant}: user {number} {values[number]!r}, the twin {share.value!r}")
    assert not wrong, explain(case, k, STANDARD, wrong)


def compare(name: str, case: Case, k: int, edges: Edges) -> None:
    matches = prepare(case, edges)
    wrong = []
    for variant in space(name):
        here, twin = both(variant, case, matches, k, edges)
        if not equal(here, twin):
            wrong.append(f"{variant}: {here!r}, the twin {twin!r}")
    assert not wrong, explain(case, k, edges, wrong)


def both(variant: Variant, case: Case, matches: Matches, k: int, edges: Edges) -> tuple[float, float]:
    here = variant.of_matches(matches, edges, k)
    return here, literal.value(variant.metric.name, made(variant), variant.weight, case, k, edges.made())


def made(variant: Variant) -> dict[str, Any]:
    return {field.name: getattr(variant.metric, field.name) for field in fields(variant.metric)}


def equal(here: float, twin: float) -> bool:
    return (math.isnan(here) and math.isnan(twin)) or abs(here - twin) <= TOLERANCE * max(1.0, abs(twin))


def explain(case: Case, k: int, edges: Edges, wrong: list[str]) -> str:
    unusual = {name: rule for name, rule in edges.made().items() if rule != getattr(STANDARD, name)}
    head = [f"{len(wrong)} differ at k={k}, edges {unusual or 'standard'}, threshold {case.threshold}"]
    for number, user in enumerate(literal.users_of(case, edges.made())):
        head.append(f"  user {number}: list {user.listed} relevant {user.relevant} candidates {user.candidates}")
    return "\n".join([*head, f"  width {case.width}, {case.n_items} items", *wrong[:12]])

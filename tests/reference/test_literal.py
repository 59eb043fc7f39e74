"""The reference against its literal twin, over every variant of every metric that it knows."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_reference.case import Case
from metric_reference.edges import STANDARD, Edges
from metric_reference.matching import Matches
from metric_reference.narrowed import ONLY
from metric_reference.variant import METRICS, RANKING, Variant, prepare
from tests.support import literal
from tests.support.literal.user import User, part_of, users_of
from tests.support.random_cases import THOROUGH, cases, ks
from tests.support.variants import CLOSE, FAMILIES, every

pytestmark = pytest.mark.slow

behaviours = st.sampled_from(("zero", "one", "nan", "poisons_mean", "skipped"))
edge_rules = st.builds(
    Edges,
    no_relevant=behaviours,
    no_list=behaviours,
    duplicates=st.sampled_from(("counted", "once")),
    ties=st.sampled_from(("input_order", "id_ascending", "id_descending", "optimistic", "pessimistic")),
)


def test_the_twin_knows_every_metric() -> None:
    missing = [name for name in METRICS if name not in literal.KNOWN]
    assert not missing, f"tests/support/literal lacks {', '.join(missing)}: write each from its formula"


@pytest.mark.parametrize("family", FAMILIES)
@given(case=cases(), k=ks)
@THOROUGH
def test_every_variant_equals_its_twin(family: str, case: Case, k: int) -> None:
    """The number of the case and, where the formula alone decides, of each user: NaN where it is undefined."""
    matches, users = prepare(case), users_of(case, STANDARD.made())
    variants = list(every(FAMILIES[family]))
    wrong = [line for variant in variants for line in differences(variant, matches, users, k, STANDARD)]
    for variant in variants:
        if not variant.metric.of_whole_case():
            wrong += by_user(variant, matches, users, k)
    assert not wrong, explain(matches.case, users, k, STANDARD, wrong)


@pytest.mark.parametrize("family", FAMILIES)
@given(case=cases(), k=ks, edges=edge_rules)
@THOROUGH
def test_every_variant_equals_its_twin_at_every_edge(family: str, case: Case, k: int, edges: Edges) -> None:
    matches, users = prepare(case, edges), users_of(case, edges.made())
    variants = list(every(FAMILIES[family]))
    wrong = [line for variant in variants for line in differences(variant, matches, users, k, edges)]
    assert not wrong, explain(matches.case, users, k, edges, wrong)


@pytest.mark.parametrize("only", ONLY[1:])
@given(case=cases(), k=ks, edges=edge_rules, kind=st.sampled_from(RANKING))
@THOROUGH
def test_a_part_of_a_case_is_read_as_the_twin_reads_it(only: str, case: Case, k: int, edges: Edges, kind: str) -> None:
    matches, whole = prepare(case, edges), users_of(case, edges.made())
    users = [part_of(user, only, k) for user in whole]
    kinds = [replace(v, only=only) for v in every([kind]) if v.metric.lists and not v.metric.of_whole_case()]
    if only == "with_hit" and any(user.relevant for user in whole) and not any(user.relevant for user in users):
        assert {variant.of_matches(matches, edges, k) for variant in kinds} <= {0.0}, "nobody has a hit"
        return
    wrong = [line for variant in kinds for line in differences(variant, matches, users, k, edges)]
    assert not wrong, explain(matches.case, users, k, edges, wrong)


def differences(variant: Variant, matches: Matches, users: list[User], k: int, edges: Edges) -> list[str]:
    here = variant.of_matches(matches, edges, k)
    twin = literal.value(variant.metric.name, made(variant), variant.weight, users, k, edges.made())
    return [] if equal(here, twin) else [f"{variant}: {here!r}, the twin {twin!r}"]


def by_user(variant: Variant, matches: Matches, users: list[User], k: int) -> list[str]:
    metric, wrong = variant.metric, []
    if variant.weight != "user" or metric.of_whole_case():
        return []  # the same values, averaged differently, or none
    values = metric.per_user(matches, k)
    counted = metric.counted(matches, k) & (metric.relevance | ~np.isnan(values))
    shares = literal.shares_of(metric.name, made(variant), users, k)
    for number, (user, share) in enumerate(zip(users, shares, strict=True)):
        if not user.relevant and metric.name not in literal.NO_RELEVANCE:
            continue  # the edge behaviour says what they are worth
        if (share is not None) != counted[number]:
            wrong.append(f"{variant}: user {number} counts {counted[number]}, in the twin {share is not None}")
        elif share is not None and not equal(values[number], share.value):
            wrong.append(f"{variant}: user {number} has {values[number]!r}, in the twin {share.value!r}")
    return wrong


def made(variant: Variant) -> dict[str, Any]:
    return {field.name: getattr(variant.metric, field.name) for field in fields(variant.metric)}


def equal(here: float, twin: float) -> bool:
    return (math.isnan(here) and math.isnan(twin)) or abs(here - twin) <= CLOSE * max(1.0, abs(twin))


def explain(case: Case, users: list[User], k: int, edges: Edges, wrong: list[str]) -> str:
    unusual = {name: rule for name, rule in edges.made().items() if rule != getattr(STANDARD, name)}
    lines = [f"{len(wrong)} differ at k={k}, edges {unusual or 'standard'}, threshold {case.threshold}"]
    for number, user in enumerate(users):
        lines.append(f"  user {number}: list {user.listed} relevant {user.relevant} candidates {user.candidates}")
    return "\n".join([*lines, f"  width {case.width}, {case.n_items} items", *wrong[:30]])

"""Where a function is asked that takes no equal scores, or labels of 0 and 1 alone: in a case made of the bundle's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from metric_adapters.case_files import load_case
from metric_harness.comparison.asked_cases import AskedCases, in_order_of_items
from metric_harness.libraries.needs import binary_labels, distinct_scores
from metric_harness.worker.case_folders import CaseFolders
from metric_reference.variant import Variant
from tests.harness.comparison.test_side_by_side import lists
from tests.support.random_cases import random_case

NEEDS = ("candidate_scores", "distinct_scores")


def test_equal_scores_are_put_in_the_order_of_the_items() -> None:
    rng = np.random.default_rng(5)
    scores = rng.choice([-np.inf, 0.0, 0.5, 1.0], (9, 40))
    case = replace(random_case(rng, 9, n_items=40), candidate_scores=scores)
    made = in_order_of_items(case)
    assert distinct_scores(made)
    assert made.candidate_scores is not None
    for given, found in zip(scores, made.candidate_scores, strict=True):
        assert np.array_equal(found == -np.inf, given == -np.inf)
        expected = sorted(np.flatnonzero(given > -np.inf), key=lambda item: (-given[item], item))
        assert np.argsort(-found, kind="stable")[: len(expected)].tolist() == expected
    for text in ("auc(scope=per_user, ties=win)", "auc(scope=per_user, ties=lose)"):
        assert Variant.parse(text).value(made, k=5) == Variant.parse("auc(scope=per_user)").value(made, k=5)


def test_only_what_needs_distinct_scores_is_asked_there(tmp_path: Path) -> None:
    bundle = lists(tmp_path / "lists", 3)
    scores = np.random.default_rng(5).choice([0.0, 0.5, 1.0], (bundle.case.users, bundle.case.n_items))
    tied = replace(bundle, case=replace(bundle.case, candidate_scores=scores))
    asked_cases = AskedCases(tied, CaseFolders(tmp_path / "cases"))
    assert asked_cases.of(("candidate_scores",)) is asked_cases.whole
    ordered = asked_cases.of(NEEDS)
    assert asked_cases.of(NEEDS) is ordered is not asked_cases.whole
    assert distinct_scores(load_case(ordered.folder))
    assert ordered.digest != asked_cases.whole.digest
    distinct = replace(bundle, case=in_order_of_items(tied.case))
    asked_cases = AskedCases(distinct, CaseFolders(tmp_path / "cases"))
    assert asked_cases.of(NEEDS) is asked_cases.whole


def test_labels_of_0_and_1_are_those_of_the_relevant_items(tmp_path: Path) -> None:
    bundle = lists(tmp_path / "lists", 3)
    gains = np.random.default_rng(5).integers(1, 6, len(bundle.case.judged_gains)).astype(np.float64)
    graded = replace(bundle.case, judged_gains=gains, threshold=3.0)
    asked_cases = AskedCases(replace(bundle, case=graded), CaseFolders(tmp_path / "cases"))
    made = asked_cases.of(("binary_labels",))
    assert asked_cases.of(("binary_labels",)) is made is not asked_cases.whole
    stored = load_case(made.folder)
    assert binary_labels(stored)
    assert not binary_labels(graded)
    for text in ("precision(divide_by=k)", "ndcg(gain=binary)"):
        assert Variant.parse(text).value(stored, k=5) == Variant.parse(text).value(graded, k=5)
    asked_cases = AskedCases(replace(bundle, case=stored), CaseFolders(tmp_path / "cases"))
    assert asked_cases.of(("binary_labels",)) is asked_cases.whole

"""Cases of users and items that share labels, and what a function is handed of them."""

from __future__ import annotations

import numpy as np
import pytest

from metric_adapters.calls import labelled
from metric_adapters.calls.view import View
from metric_adapters.subject import CannotShow
from metric_harness.naming.cases.random_cases import labelled_case
from metric_harness.naming.cases.verification_cases import Limits, labelled_cases
from metric_harness.naming.probes.probe import labelled_probes, probe_named

LABELS = np.array([0, 0, 1, 2, 1, 0])


def made(kind: str, labels: np.ndarray = LABELS) -> View:
    return View(labelled_case(np.random.default_rng(7), labels, kind), 3)


def test_in_a_set_nobody_is_its_own_item():
    view = made("set")
    for user, label in enumerate(LABELS):
        others = np.flatnonzero((label == LABELS) & (np.arange(len(LABELS)) != user))
        assert sorted(view.case.relevant_of(user)) == others.tolist()
        assert sorted(view.case.list_of(user)) == np.delete(np.arange(len(LABELS)), user).tolist()
    scores = np.where(np.isfinite(view.case.candidate_scores), view.case.candidate_scores, 0.0)
    assert (scores == scores.T).all()


@pytest.mark.parametrize("size", [2, 7, 40, 130])
def test_features_put_the_members_of_a_set_in_the_order_of_the_lists(size):
    view = made("set", np.arange(size) % 3)
    features = labelled.set_features(view, False)
    np.testing.assert_allclose(np.linalg.norm(features, axis=1), 1.0)
    products = (features.astype(np.float32) @ features.astype(np.float32).T).astype(np.float64)
    np.fill_diagonal(products, -np.inf)
    for user in range(size):
        assert np.argsort(-products[user], kind="stable")[: size - 1].tolist() == view.case.list_of(user).tolist()
        assert labelled.set_order(view, False)[user].tolist() == [user, *view.case.list_of(user).tolist()]


def test_in_pairs_the_item_of_a_users_own_number_is_relevant():
    view = made("pairs")
    for user, label in enumerate(LABELS):
        assert sorted(view.case.relevant_of(user)) == np.flatnonzero(label == LABELS).tolist()
    labels = labelled.pair_labels(view, False)
    assert ((labels[:, None] == labels) == (LABELS[:, None] == LABELS)).all()


def test_a_case_of_the_other_kind_cannot_be_shown():
    for builder, kind in ((labelled.set_labels, "pairs"), (labelled.pair_labels, "set"), (labelled.set_order, "pairs")):
        with pytest.raises(CannotShow):
            builder(made(kind), False)


@pytest.mark.parametrize("kind", ["set", "pairs"])
def test_probes_and_cases_have_others_to_look_for(kind):
    for probe in labelled_probes(kind):
        assert probe_named(probe.name) == probe
        assert (np.diff(probe.case.judged_indptr) > 0).all() == (probe.edge is None)
    for edges in ((), ("no_relevant",)):
        for drawn in ("", "drawn_"):
            for asked in labelled_cases(3, Limits(labels=kind, edges=edges), drawn):
                assert (np.diff(asked.case.judged_indptr) > 0).all() == (not asked.edges), asked.name

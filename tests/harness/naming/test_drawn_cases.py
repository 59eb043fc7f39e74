"""Drawn cases: functions that depart between the cases of every run, and the same functions without the fault."""

import numpy as np
import pytest

from metric_harness import audit
from metric_harness.naming.cases.drawn_cases import FOLDS, drawn_cases, folding_ids, negative_ids
from metric_harness.naming.cases.verification_cases import VECTORS, Limits
from metric_harness.naming.target import read_target
from metric_reports.record import validate_audit
from tests.support.places import SUPPORT

BETWEEN = SUPPORT / "styles" / "between.py"
NAMES = [line.split()[1].partition("(")[0] for line in BETWEEN.read_text().splitlines() if line.startswith("def ")]
HELPERS = {"of_sets", "of_pairs", "hits_kept"}
FAITHFUL = [name for name in NAMES if name.startswith("faithful")]
IN_PART, RAISING = "recall_without_sign", "recall_of_signed_users"
FAULTY = [name for name in NAMES if name not in (*FAITHFUL, *HELPERS, IN_PART, RAISING)]
LIMITS = [
    Limits(),
    Limits(short_lists=False),
    Limits(one_relevant=True),
    Limits(most_k=10),
    Limits(all_items=True, size=VECTORS),
    Limits(candidates=20, all_items=True, size=VECTORS),
]


def subject(name):
    record = audit(f"{BETWEEN}:{name}").to_json()
    validate_audit(record)
    (found,) = record["subjects"]
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("name", FAULTY)
def test_a_departure_between_the_cases_of_every_run_leaves_no_name(name):
    found = subject(name)
    assert found["variant"] is None
    assert {row["code"] for row in found["findings"]} & {"VER001", "DOM001", "RND001"}


@pytest.mark.thorough
@pytest.mark.parametrize("name", FAITHFUL)
def test_a_function_without_the_fault_is_verified(name):
    found = subject(name)
    assert found["evidence"]["confidence"] == "verified"
    assert found["evidence"]["reach"]["seed"] == read_target(f"{BETWEEN}:{name}").seed()


@pytest.mark.thorough
def test_a_departure_for_ids_below_zero_leaves_the_name_in_part():
    evidence = subject(IN_PART)["evidence"]
    assert evidence["confidence"] == "verified in part"
    assert evidence["reason"] == "with item ids below 0 it returns another number"


@pytest.mark.thorough
def test_an_error_between_the_cases_of_every_run_is_a_condition_of_the_name():
    (found,) = [row for row in subject(RAISING)["findings"] if row["code"] == "RAI001"]
    assert "32768" in found["message"]


@pytest.mark.parametrize("limits", LIMITS, ids=lambda limits: repr(limits)[-50:])
def test_drawn_cases_keep_the_limits_of_a_function(limits):
    for asked in drawn_cases(7, limits, slow=True):
        case = asked.case.check()
        assert asked.ks
        assert min(asked.ks) >= 1
        assert limits.most_k is None or max(asked.ks) == limits.most_k
        if limits.one_relevant:
            assert (np.diff(case.judged_indptr) == 1).all()
        if not limits.short_lists:
            assert max(asked.ks) <= case.list_lengths.min()
        if limits.all_items:
            assert (case.list_lengths == case.n_items).all()
        assert limits.candidates in (None, case.n_items)


def test_the_cases_follow_the_seed_and_the_seed_follows_the_function():
    def arrays(seed):
        return [asked.case.recommended for asked in drawn_cases(seed, Limits(), slow=True)]

    assert all(map(np.array_equal, arrays(1), arrays(1)))
    assert not all(map(np.array_equal, arrays(1), arrays(2)))
    seeds = {read_target(f"{BETWEEN}:{name}").seed() for name in NAMES}
    assert len(seeds) > len(NAMES) // 2


def test_negative_ids_have_the_magnitudes_of_the_others():
    asked = negative_ids(next(drawn_cases(7, Limits(), slow=True)))
    assert len(set(asked.ids.tolist())) == asked.case.n_items
    assert not {-1, 0} & set(asked.ids.tolist())
    assert len(set(np.abs(asked.ids).tolist())) <= asked.case.n_items // 2 + 1


def test_ids_fold_onto_each_other():
    ids = folding_ids(np.random.default_rng(3), 2000)
    assert (np.diff(ids) > 0).all()
    assert ids[0] >= 0
    for fold in FOLDS:
        assert len(np.unique(ids % fold)) < len(ids), fold
    assert len(np.unique(ids.astype(np.float64))) < len(ids)

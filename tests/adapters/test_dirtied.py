"""A number that depends on what was in memory before is recognised; a random number is not taken for one."""

from __future__ import annotations

import platform

import numpy as np
import pytest

from metric_adapters.dirtied import USERS, depends_on_memory, repeated
from metric_adapters.shapes import relevant_counts
from metric_adapters.subject import Answer
from metric_reference.case import case_from_lists

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc fills memory on demand")

CASE = case_from_lists([[2, 5], [4], [1, 2]], [[5, 8], [4], []], 12, scores=[[2.0, 1.0], [2.0], [2.0, 1.0]])


def recall(case, k, divided):
    hits = [len(np.intersect1d(case.list_of(user, k), case.relevant_of(user))) for user in range(case.users)]
    return Answer(float(np.mean(divided(np.array(hits, dtype=np.float64), relevant_counts(case)))))


def unwritten(hits, relevant):
    shares = np.empty(len(hits))
    np.divide(hits, relevant, out=shares, where=relevant > 0)
    return shares


def of_chance(hits, relevant):
    return np.random.default_rng().random(len(hits)) * 7


def undefined(hits, relevant):
    with np.errstate(invalid="ignore"):
        return hits / relevant


def written(hits, relevant):
    return hits / np.maximum(relevant, 1)


@pytest.mark.parametrize(
    ("divided", "depends"), [(unwritten, True), (of_chance, False), (undefined, False), (written, False)]
)
def test_only_what_reads_memory_depends_on_it(divided, depends):
    def ask(case, k):
        return recall(case, k, divided)

    assert depends_on_memory(ask, CASE, 2, Answer(float("nan"))) is depends


def test_an_ordinary_answer_to_an_ordinary_case_is_not_asked_again():
    case = case_from_lists([[2, 5]], [[5]], 12)
    assert not depends_on_memory(lambda *_: pytest.fail("asked"), case, 2, Answer(0.5))


def test_repeating_users_changes_no_mean():
    many = repeated(CASE).check()
    assert many.users >= USERS
    assert many.users % CASE.users == 0
    assert recall(many, 2, written).value == pytest.approx(recall(CASE, 2, written).value)

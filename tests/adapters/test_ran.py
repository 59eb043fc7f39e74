"""Which branches of a function ran: tests, handlers, loops, and what the caller fixes."""

import sys

import pytest

from metric_adapters.ran import Ran

SOURCE = """
NOTHING, ALL, HUGE = float("nan"), float("inf"), 10**400


def bounded(share):
    return 0.0 if share in (NOTHING, ALL, HUGE) or share > ALL or share < HUGE ** 0 + 6 else share


def ratio(hits, size, mode="plain", scale=None):
    if mode == "squared":
        size = size * size
    if scale is not None:
        hits = hits * scale
    if size < 1:
        raise ValueError("size")
    for hit in range(100, 100 + hits):
        if hit == 150:
            return -1.0
    try:
        share = hits / (size - 3)
    except ZeroDivisionError:
        share = 0.0
    return helped(share) if share > 2 else share


def helped(share):
    return [part for part in (share, 2 * share) if part < 10][0]
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "measured_shares.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    import measured_shares

    yield measured_shares
    sys.modules.pop("measured_shares")


def missed(function, *calls):
    ran = Ran(function)
    for arguments in calls:
        ran.new_question()
        with ran:
            function(*arguments)
    report = ran.report()
    return report["of"] - report["ran"], [(first, last) for _, first, last in report["missed"]]


def test_a_branch_that_never_ran_is_named(module):
    left, places = missed(module.ratio, (1, 5), (1, 5), (0, 4))  # from 3.12 on the first call is not seen
    assert (18, 18) in places  # the loop never returned
    assert (21, 22) in places  # the handler
    assert (23, 23) in places
    assert left == len(places) == 3


def test_all_ran(module):
    assert missed(module.ratio, (1, 5), (60, 9), (1, 3), (12, 6), (3, 4)) == (1, [(27, 27)])
    assert missed(module.ratio, (1, 5), (60, 9), (1, 3), (12, 6), (18, 6)) == (0, [])


def test_errors_and_options_of_the_caller_are_no_branches(module):
    of = Ran(module.ratio)
    with of:
        module.ratio(1, 5)
    assert not {10, 11, 13, 15} & {first for _, first, _ in of.report()["missed"]}


def test_the_constants_of_all_tests_are_reported(module):
    ran = Ran(module.ratio)
    with ran:
        module.ratio(1, 5)
    assert ran.report()["constants"] == [1, 150, 2]


def test_numbers_that_no_case_can_hold_are_left_out(module):
    ran = Ran(module.bounded)
    with ran:
        module.bounded(1)
    assert set(ran.report()["constants"]) == {0, 6}


def test_a_trace_function_that_was_set_before_is_set_again(module):
    def earlier(frame, event, argument):
        return None

    before = sys.gettrace()
    sys.settrace(earlier)
    try:
        with Ran(module.ratio):
            module.ratio(1, 5)
        assert sys.gettrace() is earlier
    finally:
        sys.settrace(before)


def test_what_is_not_python_is_not_measured():
    ran = Ran(len)
    with ran:
        len([1])
    assert (ran.report()["of"], ran.report()["missed"]) == (0, [])

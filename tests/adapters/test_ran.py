"""Which branches of a function ran: tests, handlers, loops, and what the caller fixes."""

import importlib
import sys

import pytest

from metric_adapters.ran import Ran, counted

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


def precision(listed, relevant, k):
    if k <= 0 or not listed:
        return 0.0
    if k:
        listed = listed[:k]
    return sum(item in relevant for item in listed) / k
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


def test_a_cut_off_below_one_is_no_branch_beside_another_test(module):
    assert missed(module.precision, ([4, 5], [5], 2), ([4, 5], [5], 2), ([], [5], 2)) == (0, [])
    assert missed(module.precision, ([4, 5], [5], 2), ([5], [5], 2)) == (1, [(32, 32)])


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


PACKAGE = {
    "__init__.py": "",
    "loading.py": "def loaded(rows):\n    if rows > 9:\n        return 9\n    return rows\n",
    "metrics/__init__.py": "",
    "metrics/base.py": "class Base:\n    def __init__(self, k):\n        self.k = 3 if k == 4 else k\n",
    "metrics/recall.py": """
from library_of_shares.loading import loaded
from library_of_shares.metrics.base import Base


class Recall(Base):
    def value(self, hits, size):
        return halved(hits) if size > 2 * self.k else hits / loaded(size)


def halved(hits):
    return hits / 2
""",
}


@pytest.fixture
def library(tmp_path, monkeypatch):
    for name, text in PACKAGE.items():
        (tmp_path / "library_of_shares" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "library_of_shares" / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("library_of_shares.metrics.recall")
    for name in [name for name in sys.modules if name.startswith("library_of_shares")]:
        del sys.modules[name]


def test_of_a_library_only_what_the_function_leads_to_is_counted(library):
    loaded = importlib.import_module("library_of_shares.loading").loaded

    def ask(case, k):
        loaded(2 * case)  # the adapter's own call
        return library.Recall(k).value(case, 6)

    ran = Ran(library.Recall, of_library=True)
    asked = counted(ask, ran)
    assert [asked(1, 5), asked(1, 5)] == [1 / 6, 1 / 6]  # from 3.12 on the first call is not seen
    report = ran.report()
    assert {place[0].rpartition("/")[2] for place in report["missed"]} == {"recall.py", "loading.py"}
    assert [asked(2, 2), asked(2, 2)] == [1, 1]
    report = ran.report()
    assert [(place[0].rpartition("/")[2], place[1]) for place in report["missed"]] == [("loading.py", 3)]
    assert report["of"] - report["ran"] == 1


def test_what_calls_compiled_code_is_not_counted(library):
    library.halved.py_func = library.halved  # as numba keeps the function that it compiled
    ran = Ran(library.Recall, of_library=True)
    counted(lambda case, k: library.Recall(k).value(case, 6), ran)(1, 5)
    assert ran.report()["of"] == 0

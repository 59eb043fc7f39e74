"""The Python API audits the object that it is given, or says why it cannot."""

import functools
import importlib
import subprocess
import sys

import pytest

from metric_harness import assert_computes, audit
from metric_harness.naming.api import target_of
from metric_harness.system.errors import HarnessError


def recall(recommended, relevant, k):
    return len(set(recommended[:k]) & set(relevant)) / len(relevant) if relevant else 0.0


def halved(function):
    @functools.wraps(function)
    def half(*arguments):
        return function(*arguments) / 2

    return half


@halved
def wrapped_where_it_is_made(recommended, relevant, k):
    return 2 * recall(recommended, relevant, k)


class Judge:
    def __init__(self, weight=1):
        self.weight = weight

    def recall(self, recommended, relevant, k):
        return self.weight * recall(recommended, relevant, k)

    @classmethod
    def recall_of_class(cls, recommended, relevant, k):
        return recall(recommended, relevant, k)


class Stateless:
    def recall(self, recommended, relevant, k):
        return recall(recommended, relevant, k)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (recall, "recall"),
        (wrapped_where_it_is_made, "wrapped_where_it_is_made"),
        (Judge.recall, "Judge.recall"),
        (Judge.recall_of_class, "Judge.recall_of_class"),
        (Stateless().recall, "Stateless.recall"),
    ],
)
def test_the_object_with_its_name_in_the_file_is_audited(given, name):
    assert target_of(given).endswith(f"test_given_objects.py:{name}")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (halved(recall), "has another object named recall"),
        (Judge(2).recall, "its object has a state"),
        (functools.partial(recall, k=3), "at module level"),
        (lambda recommended, relevant, k: 0.0, "at module level"),
    ],
)
def test_another_object_is_refused(given, why):
    with pytest.raises(HarnessError, match=why):
        audit(given)


FILE = """
import math
HALF = 2
def size(items):
    return len(items)
def recall(recommended, relevant, k):
    return size(set(recommended[:k]) & set(relevant)) * HALF / 2 / len(relevant)
"""


@pytest.mark.parametrize("name", [None, "len", "HALF", "size"])
def test_a_global_that_was_set_after_the_import_is_refused(tmp_path, monkeypatch, name):
    """A built-in name put over, a number, a function of the file; without one the function can be audited."""
    file = tmp_path / f"patched_{name}.py"
    file.write_text(FILE)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module(file.stem)
    if name is None:
        assert target_of(module.recall) == f"{file}:recall"
        return
    setattr(module, name, 3 if name == "HALF" else lambda items: 1)
    with pytest.raises(HarnessError, match=f"{name} of {file.name} is not as its file makes it"):
        target_of(module.recall)


def test_a_definition_is_needed():
    with pytest.raises(TypeError, match="needs a definition"):
        assert_computes(recall, None)


@pytest.mark.thorough
def test_a_script_without_a_main_guard_audits_its_function_once(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from metric_harness import audit\n\n\ndef recall(recommended, relevant, k):\n"
        "    return len(set(recommended[:k]) & set(relevant)) / len(relevant) if relevant else 0.0\n\n\n"
        "print(audit(recall).subjects[0].variant)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.returncode) == ("recall(divide_by=relevant)\n", 0), done.stderr

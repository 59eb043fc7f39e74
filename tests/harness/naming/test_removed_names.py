"""Names that numpy or Python removed are recognised, and --with runs the function where they still exist."""

import shutil
import sys

import numpy as np
import pytest

from metric_harness import audit
from metric_harness.cli import app as cli
from metric_harness.naming.options import Options
from metric_harness.naming.removed_names import advice, removed_in
from metric_harness.naming.with_packages import fitting_python, named
from metric_harness.system.errors import HarnessError
from metric_reports.record import validate_audit
from tests.support.places import SUPPORT

pytestmark = pytest.mark.slow

OLD = pytest.mark.skipif(hasattr(np, "asfarray"), reason="this numpy has the old names")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A working folder with the file old.py."""
    shutil.copy(SUPPORT / "old_metrics.py", tmp_path / "old.py")
    monkeypatch.chdir(tmp_path)


def only(target, **settings):
    record = audit(target, **settings).to_json()
    validate_audit(record)
    (subject,) = record["subjects"]
    return subject


@pytest.mark.parametrize(
    ("error", "name", "written_for", "install"),
    [
        ("AttributeError: module 'numpy' has no attribute 'asfarray'", "np.asfarray", "numpy < 2", "numpy==1.26.4"),
        ("AttributeError: `np.Inf` was removed in the NumPy 2.0 release.", "np.Inf", "numpy < 2", "numpy==1.26.4"),
        (
            "AttributeError: module 'numpy' has no attribute 'float'.\nIt was",
            "np.float",
            "numpy < 1.24",
            "numpy==1.23.5",
        ),
        ("AttributeError: module 'numpy' has no attribute 'in1d'", "np.in1d", "numpy < 2.4", "numpy==2.3.5"),
        ("ImportError: cannot import name 'interp' from 'scipy' (x)", "scipy.interp", "scipy < 1.12", "scipy==1.11.4"),
        ("ImportError: cannot import name 'product' from 'numpy' (x.py)", "np.product", "numpy < 2", "numpy==1.26.4"),
        ("NameError: name 'xrange' is not defined", "xrange", "Python 2", ""),
        ("NameError: name 'unicode' is not defined. Did you mean: 'x'?", "unicode", "Python 2", ""),
        ("AttributeError: 'dict' object has no attribute 'iteritems'", "dict.iteritems", "Python 2", ""),
        ("AttributeError: 'defaultdict' object has no attribute 'has_key'", "dict.has_key", "Python 2", ""),
        (
            "ImportError: cannot import name 'Iterable' from 'collections' (x)",
            "collections.Iterable",
            "Python < 3.10",
            "",
        ),
        ("AttributeError: module 'collections' has no attribute 'Mapping'", "collections.Mapping", "Python < 3.10", ""),
        ("AttributeError: module 'time' has no attribute 'clock'", "time.clock", "Python < 3.8", ""),
        ("ImportError: cannot import name 'gcd' from 'fractions' (x)", "fractions.gcd", "Python < 3.9", ""),
        ("AttributeError: module 'inspect' has no attribute 'getargspec'", "inspect.getargspec", "Python < 3.11", ""),
        ("ModuleNotFoundError: No module named 'imp'", "imp", "Python < 3.12", ""),
        (
            "ModuleNotFoundError: No module named 'sklearn.metrics.base'",
            "sklearn.metrics.base",
            "scikit-learn < 0.24",
            "",
        ),
        ("ModuleNotFoundError: No module named 'cPickle'", "cPickle", "Python 2", ""),
        ("SyntaxError: Missing parentheses in call to 'print'. Did you", "the print statement", "Python 2", ""),
    ],
)
def test_a_removed_name_is_recognised(error, name, written_for, install):
    found = removed_in(error)
    assert (found.name, found.written_for, found.install) == (name, written_for, install)
    assert f"written for {written_for}: {name} was removed in" in advice(found, "a.py:f")


@pytest.mark.parametrize(
    "error",
    [
        None,
        "AttributeError: module 'numpy' has no attribute 'nothing_of_it'",
        "NameError: name 'item' is not defined",
        "AttributeError: 'list' object has no attribute 'iteritems_of'",
        "ModuleNotFoundError: No module named 'torch'",
        "KeyError: 'xrange'",
    ],
)
def test_other_errors_are_left_alone(error):
    assert removed_in(error) is None


def test_the_command_can_be_pasted():
    found = removed_in("module 'numpy' has no attribute 'asfarray'")
    text = advice(found, "my metrics.py:ndcg", ("torch==2.2",))
    assert text.endswith("metric-harness audit 'my metrics.py:ndcg' --with torch==2.2 --with numpy==1.26.4")
    assert "--with" not in advice(found, "a.py:f", ("numpy==1.26.4",))


@OLD
def test_an_audit_says_what_a_function_was_written_for_and_puts_the_name_back():
    found = only("old.py:ndcg_at_k")
    first = found["findings"][0]
    assert (found["variant"], found["evidence"]["confidence"]) == ("ndcg(gain=linear, ideal=list_hits)", "verified")
    assert (first["code"], first["severity"]) == ("OLD001", "warning")
    assert "written for numpy < 2: np.asfarray was removed in numpy 2.0" in first["message"]
    assert first["message"].endswith(
        "metric-harness audit old.py:ndcg_at_k --with numpy==1.26.4. It was asked here with the removed name put back."
    )
    assert not any("called as" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("function", "variant", "words"),
    [
        ("precision_at_k", "precision(divide_by=k)", "Python 2: xrange was removed in Python 3; write range"),
        ("hit_rate_at_k", "hit_rate(value=any)", "pandas < 2: pandas.append was removed in pandas 2.0"),
        ("average_precision_of_flags", "average_precision(divide_by=hits)", "numpy < 1.18: a count with a fraction"),
        ("recall_of_scores", "recall(divide_by=relevant)", "scipy < 1.14: scipy.sparse.A was removed in scipy 1.14"),
    ],
)
def test_a_removed_name_is_put_back_and_said(function, variant, words):
    found = only(f"old.py:{function}")
    assert (found["variant"], found["evidence"]["confidence"]) == (variant, "verified")
    (old,) = [row["message"] for row in found["findings"] if row["code"] == "OLD001"]
    assert f"written for {words}" in old
    assert old.endswith("It was asked here with the removed name put back.")


def test_a_removed_name_at_the_start(tmp_path):
    (tmp_path / "start.py").write_text(
        "from fractions import gcd\n\n\ndef recall(actual, predicted):\n    return gcd(1, 2)"
    )
    with pytest.raises(HarnessError, match=r"It is written for Python < 3\.9: fractions\.gcd .* write math\.gcd"):
        audit("start.py:recall")


@pytest.mark.live
def test_with_an_older_numpy_the_function_is_named_and_verified(monkeypatch, capsys):
    found = only("old.py:ndcg_at_k", with_=("numpy==1.26.4",))
    assert found["variant"] == "ndcg(gain=linear, ideal=list_hits)"
    assert found["evidence"]["confidence"] == "verified"
    assert all(row["code"] != "OLD001" for row in found["findings"])
    arguments = ["metric-harness", "audit", "old.py:recall_at_k", "--with", "numpy==1.26.4", "-q", "--expect", "recall"]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0, capsys.readouterr()


@pytest.mark.live
def test_arguments_by_position_are_handed_to_scikit_learn_by_name():
    found = only("old.py:ndcg_of_rows", with_=("scikit-learn",))
    assert (found["variant"], found["evidence"]["confidence"]) == ("ndcg(gain=linear)", "verified")
    (old,) = [row["message"] for row in found["findings"] if row["code"] == "OLD001"]
    assert "written for scikit-learn < 1: an argument by position" in old


@pytest.mark.live
def test_with_auto_adds_what_the_errors_name(tmp_path, capsys):
    (tmp_path / "needy.py").write_text(
        "import dotenv\n\n\ndef precision_at_k(recommended, relevant, k):\n"
        "    return len(set(recommended[:k]) & set(relevant)) / int(dotenv.__name__ and k)\n"
    )
    with pytest.raises(
        HarnessError, match=r"No module named 'dotenv'. The function needs it: --with python-dotenv, or --with"
    ):
        audit("needy.py:precision_at_k", environment="isolated")
    found = only("needy.py:precision_at_k", with_=("auto",))
    assert (found["variant"], found["evidence"]["confidence"]) == ("precision(divide_by=k)", "verified")


@pytest.mark.parametrize("requirement", ["", "numpy==", "two words", "-r file"])
def test_what_is_no_requirement(requirement):
    with pytest.raises(HarnessError, match="--with"):
        named(requirement)


@pytest.mark.parametrize(
    ("requirements", "fitting"),
    [
        (["numpy==1.23.5"], ">=3.9,<3.12"),
        (["torch", "numpy<1.25"], ">=3.9,<3.12"),
        (["numpy==1.26.4"], f"=={sys.version_info.major}.{sys.version_info.minor}.*"),
        (["torch"], f"=={sys.version_info.major}.{sys.version_info.minor}.*"),
    ],
)
def test_the_python_that_an_old_numpy_needs(requirements, fitting):
    assert fitting_python(requirements) == fitting


def test_where_with_makes_no_sense():
    with pytest.raises(HarnessError, match="functions in Python files"):
        audit("recbole:MAP", with_=("numpy==1.26.4",))
    with pytest.raises(HarnessError, match="give one of them"):
        Options(with_=("numpy",), environment="/somewhere")
    with pytest.raises(HarnessError, match="given twice"):
        audit("old.py:ndcg_at_k", with_=("numpy==1.26.4", "NumPy<2"))

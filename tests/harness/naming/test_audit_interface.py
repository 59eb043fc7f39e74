"""The Python interface: audit, identify and assert_computes, and what importing them loads."""

import re
import subprocess
import sys

import pytest

from metric_harness import assert_computes, audit, identify
from metric_harness.naming.options import Options
from metric_harness.system.errors import HarnessError
from tests.harness.naming.audited import DECEIVERS

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("own")]


@pytest.mark.slow
def test_settings_replace_the_fields_of_options(own):
    options = Options(metric="recall", accept="probes only")
    assert str(identify(f"{DECEIVERS}:recall_too_slow", options, timeout=0.5)).startswith("recall")
    assert str(identify("metrics.py:apk", None)).startswith("average_precision")
    said = audit("metrics.py:apk", options, expect="ndcg").subjects[0]
    assert (said.metric, str(said.expected)) == ("recall", "ndcg(gain=binary)")
    with pytest.raises(TypeError, match="metrics"):
        audit("metrics.py:apk", options, metrics="ndcg")


def test_a_dry_run_needs_no_sound_library_folders(run, tmp_path):
    broken = tmp_path / "more" / "broken"
    broken.mkdir(parents=True)
    (broken / "library.toml").write_text("name = ")
    options = ["--dry-run", "--adapters", str(broken.parent)]
    code, output, _ = run("recommenders:map_at_k", *options)
    assert (code, "map_at_k" in output) == (0, True)
    code, _, message = run("broken", *options)
    assert (code, "library.toml" in message) == (2, True)


def test_identify_and_audit_take_functions_and_texts(own):
    assert str(identify("metrics.py:apk")) == "average_precision(divide_by=min_k_relevant)"
    assert identify("metrics.py:ndcg_square_root") is None
    result = audit(own.Recall)
    assert result.subjects[0].target == "metrics.py:Recall"
    assert str(result.subjects[0].variant) == "recall(divide_by=relevant)"
    assert "recall(divide_by=relevant)" in str(result)
    assert "recall(divide_by=relevant)" in result._repr_html_()
    with pytest.raises(HarnessError, match="module level"):
        audit(lambda relevant, recommended, k: 1.0)


def test_the_names_of_the_package_are_functions_whatever_was_imported_before():
    code = (
        "import sys, metric_harness\n"
        "assert not {'numpy', 'metric_harness.naming.api'} & set(sys.modules), 'import metric_harness is not light'\n"
        "import metric_harness.cli.app, metric_harness.naming.testing, metric_harness.naming.api\n"
        "from metric_harness import assert_computes, audit, identify\n"
        "assert all(callable(one) for one in (assert_computes, audit, identify))\n"
        "assert {'assert_computes', 'audit', 'identify'} < set(metric_harness.__all__) <= set(dir(metric_harness))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_help_and_an_audit_import_nothing_that_takes_long():
    heavy = "{'pandas', 'scipy', 'pyarrow', 'pooch', 'jinja2'}"
    code = (
        "import sys\n"
        "import metric_harness.cli.app, metric_harness.naming.api, metric_harness.naming.two_functions\n"
        f"assert not {heavy} & set(sys.modules), {heavy} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_result_prints_as_the_command_does(own):
    result = audit(own.recall)
    assert repr(result) == str(result)
    first, computes, signature, verified, *_ = repr(result).splitlines()
    assert (first, computes.split()) == ("metrics.py:recall", ["computes", "recall(divide_by=relevant)"])
    assert signature.startswith("  signature     recall@k|")
    rests_on = r"17 of 17 probes answered; \d+ questions at size \(2,063 users, k = 1 to 1100\)"
    assert re.match(rf"  verified      {rests_on}: all", verified)


def test_assert_computes(own):
    assert_computes(own.apk, "average_precision@10")
    assert_computes("metrics.py:recall", "recall(divide_by=relevant)", timeout=5)
    with pytest.raises(AssertionError) as failed:
        assert_computes(own.ap_over_k, "average_precision(divide_by=relevant)")
    assert "expected average_precision(divide_by=relevant); it computes average_precision(divide_by=k)" in str(
        failed.value
    )
    assert "returned                               0.5" in str(failed.value)


@pytest.mark.slow
def test_assert_computes_in_a_test_run(tmp_path):
    (tmp_path / "test_metrics.py").write_text(
        "from metric_harness import assert_computes\n"
        "from metrics import apk, ndcg_off_by_one\n"
        "def test_sound(): assert_computes(apk, 'average_precision')\n"
        "def test_slip(): assert_computes(ndcg_off_by_one, 'ndcg@10')\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_metrics.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "expected ndcg(gain=binary)@10; it computes ndcg(gain=binary, discount=shifted_log2)" in done.stdout
    assert "ndcg(gain=binary)@2:" in done.stdout
    assert "in assert_computes" not in done.stdout

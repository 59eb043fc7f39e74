"""A recording stands in for a release that cannot run; a stale or broken one does not."""

import json

import pytest

from metric_harness.comparison.compare import Settings, compare
from metric_harness.recordings.read import path_of, read_recording
from metric_harness.recordings.record import record_release
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reports.record import validate
from tests.harness.libraries.git_toy import TOY, settings

pytestmark = pytest.mark.thorough


def test_a_recording_stands_in_for_a_release_that_cannot_run(toy, repository, bundle, tmp_path):
    live = compare(bundle, [(toy, toy.newest())], settings(repository), tmp_path / "live")
    path = record_release(toy, toy.newest(), "current", {"toy": repository[0]}, 2 << 30, Reporter())
    assert path == path_of(toy, toy.newest())
    assert path.stat().st_size < 40_000
    subjects = json.loads(path.read_text())["subjects"]
    branches = subjects["map"]["evidence"]["branches"]
    last = len(TOY.splitlines())  # no case is without a relevant item for all users
    assert (branches["ran"], branches["of"], [row["first"] for row in branches["missed"]]) == (10, 11, [last])
    assert subjects["compiled"]["evidence"]["branches"] is None
    (tmp_path / "cache").rename(tmp_path / "gone")
    record = validate(
        compare(bundle, [(toy, toy.newest())], Settings(ks=(5,), environment="current"), tmp_path / "out")
    )
    [row] = record["libraries"]
    assert (row["status"], row["recorded"]) == ("not_available", read_recording(toy, toy.newest()).date)
    for there, here in zip(live["cells"], record["cells"], strict=True):
        assert here["status"] == "not_available"
        assert here["value"] is None
        assert here["variant"] == there["variant"]
        assert here["predicted"] == pytest.approx(there["value"], abs=1e-12)
        assert "predicted from the recording of" in here["error"]
        assert "cannot be fetched" in here["error"]
    assert {f["code"] for f in live["findings"]} == {f["code"] for f in record["findings"]}


def test_a_stale_recording_is_named_and_not_used(toy, repository, bundle, tmp_path):
    path = record_release(toy, toy.newest(), "current", {"toy": repository[0]}, 2 << 30, Reporter())
    page = json.loads(path.read_text())
    page["probes"][0]["mark"] = "0" * 16
    path.write_text(json.dumps(page))
    (tmp_path / "cache").rename(tmp_path / "gone")
    record = compare(bundle, [(toy, toy.newest())], Settings(ks=(5,), environment="current"), tmp_path / "out")
    [row] = record["libraries"]
    assert row["recorded"] is None
    assert f"its recording is stale (changed since: {page['probes'][0]['probe']})" in row["reason"]
    assert {cell["predicted"] for cell in record["cells"]} == {None}


def test_a_broken_recording_is_named(toy):
    path = path_of(toy, toy.newest())
    path.parent.mkdir()
    path.write_text("{}")
    with pytest.raises(HarnessError, match=r"2\.0\.json: no recording .*metric-harness library record"):
        read_recording(toy, toy.newest())

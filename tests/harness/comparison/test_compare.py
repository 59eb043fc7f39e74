"""The comparison end to end on small data: real workers, known definitions, misbehaving subjects, interrupted runs."""

import io
import json
import os
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

from metric_harness.bundles.own_lists import bundle_from_files
from metric_harness.cli.libraries import choose
from metric_harness.comparison.compare import Settings, compare
from metric_harness.libraries.describe import find_libraries
from metric_harness.system.errors import HarnessError
from metric_reports.formats.csv import COLUMNS, render_csv
from metric_reports.record import read_record, validate, write_record
from tests.support.places import SUPPORT


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    """Lists and truth of 20 users as CSV files."""
    folder = tmp_path_factory.mktemp("lists")
    rows = [(u, (7 * u + 3 * r) % 40, 10 - r) for u in range(20) for r in range(8)]
    pd.DataFrame(rows, columns=["user_id", "item_id", "score"]).to_csv(folder / "pred.csv", index=False)
    truth = [(u, (7 * u + 3 * r + r // 5) % 40, 5.0) for u in range(20) for r in range(1, 9, 2 + u % 3)]
    pd.DataFrame(truth, columns=["user_id", "item_id", "rating"]).to_csv(folder / "test.csv", index=False)
    return folder


@pytest.fixture(scope="module")
def bundle(lists, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundle")
    return bundle_from_files(lists / "pred.csv", lists / "test.csv", folder / "bundle", threshold=None, depth=8)


def libraries(folder, *names):
    found = find_libraries([SUPPORT / folder])
    return [(found[name], found[name].newest()) for name in names]


@pytest.fixture(scope="module")
def record(bundle, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    settings = Settings(ks=(3, 5), environment="current")
    return compare(bundle, libraries("planted", "planted"), settings, out, command="metric-harness compare")


def subject(record, function):
    return next(s for s in record["subjects"] if s["function"] == function)


def cells(record, function):
    return [c for c in record["cells"] if c["function"] == function]


def codes(record, function):
    return {f["code"] for f in record["findings"] if f["function"] == function}


def test_the_record_fits_its_schema(record, tmp_path):
    write_record(record, tmp_path / "run.json")
    assert read_record(tmp_path / "run.json") == json.loads(json.dumps(record))


def test_a_known_definition_is_explained(record):
    assert subject(record, "usual_map")["variant"] == "average_precision(divide_by=min_k_relevant)"
    assert [cell["status"] for cell in cells(record, "usual_map")] == ["explained", "explained"]
    assert [cell["k"] for cell in cells(record, "usual_map")] == [3, 5]
    assert all(cell["difference"] == 0 for cell in cells(record, "usual_map"))


def test_dcg_under_the_name_of_ndcg(record):
    assert subject(record, "dcg_called_ndcg")["variant"] == "ndcg(gain=binary, ideal=none)"
    assert "NDCG001" in codes(record, "dcg_called_ndcg")


def test_a_misnamed_function(record):
    assert subject(record, "precision_called_hit_rate")["variant"] == "precision(divide_by=k)"
    assert "NAM001" in codes(record, "precision_called_hit_rate")


def test_an_unknown_definition_is_unexplained_and_shown_on_a_small_case(record):
    row = subject(record, "unknown")
    assert (row["identified"], row["variant"]) == (False, None)
    assert row["nearest"]
    (finding,) = [f for f in record["findings"] if f["function"] == "unknown" and f["code"] == "UNX001"]
    assert finding["case"]["value"] == pytest.approx(finding["case"]["candidates"][0]["value"] ** 2)
    assert {cell["status"] for cell in cells(record, "unknown")} == {"unexplained"}


def test_a_definition_that_does_not_hold_at_size_is_refused(record):
    refused = subject(record, "changes_with_size")
    assert (refused["identified"], refused["variant"]) == (False, None)
    assert refused["evidence"]["confidence"] == "refused"
    assert refused["evidence"]["condition"]
    for cell in cells(record, "changes_with_size"):
        assert (cell["variant"], cell["status"]) == (None, "unexplained")
        assert "VER001" in cell["findings"]
    found = next(f for f in record["findings"] if (f["code"], f["function"]) == ("VER001", "changes_with_size"))
    assert "agrees with precision(divide_by=k) on the probes, not at size" in found["message"]
    assert found["case"]["candidates"][0]["variant"] == "precision(divide_by=k)"


def test_what_is_verified_says_so(record):
    verified = subject(record, "refuses_short_lists")["evidence"]
    assert verified["confidence"] == "verified"
    assert verified["users"] > 100
    assert verified["recorded"] is None


def test_a_refusal_on_a_probe_is_an_edge_behaviour(record):
    assert subject(record, "refuses_short_lists")["edges"]["short_list"] == "error"
    assert {cell["status"] for cell in cells(record, "refuses_short_lists")} == {"explained"}


def test_what_the_bundle_lacks_is_not_available(record):
    for cell in cells(record, "needs_scores"):
        assert cell["status"] == "not_available"
        assert "scores of all candidates" in cell["error"]


def test_a_crash_costs_its_own_cells_alone(record):
    for cell in cells(record, "crashes"):
        assert cell["status"] == "error"
        assert "SIGABRT" in cell["error"]
    assert "ERR001" in codes(record, "crashes")


def test_a_subject_that_the_adapter_does_not_offer(record):
    assert all(
        "adapter.py: SUBJECTS has no 'not_offered'; add it" in cell["error"] for cell in cells(record, "not_offered")
    )


def test_every_cell_is_explained_or_says_why(record):
    for cell in record["cells"]:
        assert cell["status"] == "explained" or cell["findings"] or cell["error"]


def test_results_have_a_row_for_each_cell(record):
    table = pd.read_csv(io.StringIO(render_csv(record)))
    assert list(table.columns) == list(COLUMNS)
    assert len(table) == len(record["cells"])
    row = table[(table.function == "usual_map") & (table.k == 3)].iloc[0]
    assert row["value"] == cells(record, "usual_map")[0]["value"]


@pytest.mark.slow
def test_misbehaving_subjects_cost_their_own_cells_alone(bundle, tmp_path):
    fakes = libraries("fakes", "misbehaving", "unimportable", "dies_on_import")
    record = validate(
        compare(bundle, fakes, Settings(ks=(5,), environment="current", timeout=2, memory=2 << 30), tmp_path)
    )
    assert [library["status"] for library in record["libraries"]] == ["ran", "not_available", "not_available"]
    healthy = [cell for cell in cells(record, "healthy") if cell["library"] == "misbehaving"]
    assert [cell["value"] for cell in healthy] == [1.0]
    assert {cell["status"] for cell in cells(record, "raises")} == {"error"}
    for cell in record["cells"]:
        if cell["library"] != "misbehaving":
            assert (cell["status"], bool(cell["error"])) == ("not_available", True)


def test_a_library_that_is_not_asked_is_shown_from_its_recording(bundle, lists, tmp_path):
    chosen = choose(find_libraries(), "rs_metrics")
    record = validate(compare(bundle, chosen, Settings(ks=(5,), live=frozenset()), tmp_path))
    assert record["libraries"][0]["recorded"]
    assert not (tmp_path / "logs").exists()
    shown = [cell for cell in record["cells"] if cell["predicted"] is not None]
    assert len(shown) > 4
    assert all("--live asks it" in cell["error"] for cell in shown)
    listed = pd.read_csv(lists / "pred.csv").groupby("user_id").head(5)
    hits = listed.merge(pd.read_csv(lists / "test.csv"), on=["user_id", "item_id"])
    assert [cell["predicted"] for cell in cells(record, "precision")] == [pytest.approx(len(hits) / len(listed))]


@pytest.mark.thorough
def test_asking_again_asks_nothing_anew(bundle, tmp_path):
    settings = Settings(ks=(5,), environment="current")
    planted = libraries("planted", "planted")
    first = compare(bundle, planted, settings, tmp_path)
    kept = (tmp_path / "answers" / "answers.jsonl").read_text().splitlines()
    second = compare(bundle, planted, settings, tmp_path)
    assert (tmp_path / "answers" / "answers.jsonl").read_text().splitlines() == kept
    assert second["cells"] == first["cells"]


@pytest.mark.slow
def test_an_answer_cut_off_by_a_kill_is_asked_again(bundle, tmp_path):
    settings = Settings(ks=(5,), environment="current")
    planted = libraries("planted", "planted")
    first = compare(bundle, planted, settings, tmp_path)
    file = tmp_path / "answers" / "answers.jsonl"
    text = file.read_text()
    file.write_text(text[: len(text) // 2])
    second = compare(bundle, planted, settings, tmp_path)
    assert [c["value"] for c in second["cells"]] == [c["value"] for c in first["cells"]]
    assert len(file.read_text().splitlines()) == len(text.splitlines())


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_stopped(lists, tmp_path):
    """The whole command, killed with no chance to tidy up, then run again."""
    command = [
        *(sys.executable, "-m", "metric_harness", "compare"),
        *("--environment", "current", "--libraries", "planted,misbehaving"),
        "--adapters", str(SUPPORT / "planted"), "--adapters", str(SUPPORT / "fakes"), "--k", "5", "--timeout", "5",
        "--recommendations", str(lists / "pred.csv"), "--truth", str(lists / "test.csv"), "--out", str(tmp_path),
    ]  # fmt: skip
    answers = tmp_path / "answers" / "answers.jsonl"
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    deadline = time.monotonic() + 60
    while not (answers.exists() and len(answers.read_bytes().splitlines()) > 20):
        assert process.poll() is None, process.stderr.read().decode()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = answers.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    assert not (tmp_path / "run.json").exists()
    command[command.index("planted,misbehaving")] = "planted"
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert answers.read_bytes().startswith(kept)
    assert (tmp_path / "report.html").exists()
    assert read_record(tmp_path / "run.json")["settings"]["libraries"] == ["planted"]


@pytest.mark.slow
def test_an_interrupted_run_says_how_to_go_on(lists, tmp_path):
    command = [
        sys.executable, "-m", "metric_harness", "compare", "--environment", "current", "--libraries", "misbehaving",
        "--adapters", str(SUPPORT / "fakes"), "--k", "5", "--recommendations", str(lists / "pred.csv"),
        "--truth", str(lists / "test.csv"), "--out", str(tmp_path),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "answers" / "answers.jsonl").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 143
    assert "goes on from" in said
    assert "Traceback" not in said


def test_an_environment_that_is_not_there(bundle, tmp_path):
    with pytest.raises(HarnessError, match="no/such/python"):
        compare(bundle, libraries("planted", "planted"), Settings(environment="no/such/python"), tmp_path)

"""A scan of a whole tree: what it finds, what it asks again, and how it goes on after a stop."""

import copy
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from metric_harness.naming.options import Options
from metric_harness.scanning.scan import ScanRequest, scan
from metric_harness.system.progress import Reporter
from metric_reports.audit.scan_text import render_scan_markdown, scan_lines
from metric_reports.record import validate_scan
from tests.support.places import SUPPORT

QUICK = Options(start_timeout=5, total_timeout=60, bytecode=False)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory):
    """The record of the whole shop, asked by two processes, and the folder with its results."""
    folder = tmp_path_factory.mktemp("scan")
    tree = Path(shutil.copytree(SUPPORT / "scanned" / "shop", folder / "shop"))
    return scan(ScanRequest(path=tree, out=folder / "out", jobs=2), QUICK), tree, folder / "out"


class Lines(Reporter):
    """A reporter that keeps what it says."""

    def __init__(self):
        super().__init__(quiet=True, verbose=True)
        self.said = []

    def say(self, text):
        self.said.append(text)


def by_name(record):
    return {f"{one['file']}:{one['name']}": one for one in record["functions"]}


@pytest.mark.slow
def test_a_tree(scanned):
    record, _, _ = scanned
    validate_scan(record)
    rows = by_name(record)
    variants = {name: [one["variant"] for one in row["subjects"]] for name, row in rows.items() if row["subjects"]}
    assert variants == {
        "eval/ranking.py:ndcg_at_k": ["ndcg(gain=binary)"],
        "eval/ranking.py:recall_at_k": ["recall(divide_by=relevant)"],
        "eval/ranking.py:mrr": ["reciprocal_rank(over=first)"],
        "eval/ranking.py:Precision": ["precision(divide_by=k)"],
        "eval/ranking.py:Board.hit_rate": ["hit_rate(value=any)"],
        "offline.py:recall_at_k": ["recall(divide_by=min_k_relevant)"],
        "offline.py:evaluate": ["precision(divide_by=k)", "hit_rate(value=any)"],
    }
    aside = {name: row["reason"] for name, row in rows.items() if row["state"] == "left out"}
    assert aside["eval/ranking.py:Board.ndcg"] == "its class needs model"
    assert aside["training/train.py:precision_at_k"] == "it needs model"
    assert "training/train.py:map_items" not in rows


@pytest.mark.slow
def test_a_file_that_does_not_import_costs_itself_alone(scanned):
    rows = by_name(scanned[0])
    reasons = {name: row["reason"] for name, row in rows.items() if row["state"] == "failed"}
    assert (
        reasons["broken/hangs.py:recall"]
        == reasons["broken/hangs.py:mrr"]
        == "its file takes longer than 5 s to import"
    )
    text = (
        "ModuleNotFoundError: No module named 'a_package_that_nobody_has'. The function needs it: "
        "--with a-package-that-nobody-has, or --with auto"
    )
    assert reasons["broken/missing.py:average_precision"] == reasons["broken/missing.py:auc"] == text
    assert len(reasons) == 4
    assert {name: row["missing"] for name, row in rows.items() if row.get("missing")} == {
        "broken/missing.py:average_precision": "a_package_that_nobody_has",
        "broken/missing.py:auc": "a_package_that_nobody_has",
    }


@pytest.mark.slow
def test_a_result_that_may_change_without_a_file_is_not_kept(scanned, tmp_path):
    texts = [file.read_text().partition("\n")[2] for file in (scanned[2] / "results").iterdir()]  # below the digest
    kept = [json.loads(text) for text in texts]
    assert {row["reason"] for row in kept if row["state"] == "failed"} == {
        "its file takes longer than 5 s to import"
    }, "a missing module may be installed later"


@pytest.mark.slow
def test_a_removed_name_at_the_import_says_what_to_try(tmp_path):
    (tmp_path / "old.py").write_text(
        "from numpy.testing.decorators import slow\n@slow\ndef recall(actual, predicted, k): return 1.0"
    )
    record = validate_scan(scan(ScanRequest(path=tmp_path, out=tmp_path / "out"), QUICK))
    assert record["functions"][0]["try_with"] == "numpy==1.23.5"
    text = "\n".join(line.plain for line in scan_lines(record))
    assert "1 function may run in an older environment: scan again --with numpy==1.23.5." in text


@pytest.mark.slow
def test_who_differs_from_whom(scanned):
    record = scanned[0]
    groups = {row["metric"]: row for row in record["metrics"]}
    assert [name for name, row in groups.items() if row["differ"]] == ["recall"]
    assert {row["variant"]: [one["function"] for one in row["functions"]] for row in groups["recall"]["variants"]} == {
        "recall(divide_by=min_k_relevant)": ["offline.py:4 recall_at_k"],
        "recall(divide_by=relevant)": ["eval/ranking.py:14 recall_at_k"],
    }
    assert len(groups["precision"]["variants"][0]["functions"]) == 2
    (found,) = by_name(record)["offline.py:recall_at_k"]["subjects"][0]["findings"][:1]
    assert found["code"] == "DIF001"
    assert "eval/ranking.py:14 recall_at_k computes recall(divide_by=relevant)" in found["message"]


@pytest.mark.slow
def test_the_conditions_of_a_name_are_said(scanned):
    record = copy.deepcopy(scanned[0])
    (subject,) = by_name(record)["offline.py:recall_at_k"]["subjects"]
    subject["where"] = ["cut at 10"]
    text = "\n".join(line.plain for line in scan_lines(record))
    assert "recall(divide_by=min_k_relevant), cut at 10  DIF001" in text
    assert r"recall(divide\_by=min\_k\_relevant), cut at 10 " in render_scan_markdown(record)


@pytest.mark.slow
def test_the_text_says_it_in_one_table(scanned):
    text = "\n".join(line.plain.rstrip() for line in scan_lines(scanned[0]))
    assert "eval/ranking.py:8" in text
    assert "recall: 2 definitions in 2 functions" in text
    assert re.search(r"^offline.py:10 +evaluate\[precision\] +verified +precision\(divide_by=k\)$", text, re.MULTILINE)
    assert "2 functions could not be imported without a_package_that_nobody_has" in text
    assert "Not read: 1 x hidden folders; 1 x folders and files of tests." in text
    assert text.splitlines()[-1].startswith(
        "12 results: 8 verified, 0 on the probes only, 0 refused, 4 failed; 1 metric"
    )


@pytest.mark.slow
def test_nothing_is_written_into_the_tree(scanned):
    assert not list(scanned[1].rglob("__pycache__"))


@pytest.mark.slow
def test_a_second_scan_asks_only_what_changed(scanned, tmp_path):
    record, tree, out = scanned
    only = {"include": ["eval/*", "offline.py"]}
    begun = time.monotonic()
    again = scan(ScanRequest(path=tree, out=out, **only), QUICK)
    assert time.monotonic() - begun < 2
    assert [one for one in record["functions"] if one["file"] == "offline.py"] == [
        one for one in again["functions"] if one["file"] == "offline.py"
    ]
    common = tree / "eval" / "common.py"  # what a metric imports decides what it computes
    before = common.read_text()
    common.write_text(before.replace("start=1", "start=2"))
    try:
        changed = by_name(scan(ScanRequest(path=tree, out=out, jobs=2, **only), QUICK))
    finally:
        common.write_text(before)
    assert changed["eval/ranking.py:ndcg_at_k"]["subjects"][0]["variant"] != "ndcg(gain=binary)"
    assert changed["offline.py:recall_at_k"]["seconds"] == by_name(record)["offline.py:recall_at_k"]["seconds"]


@pytest.mark.slow
def test_a_function_that_never_ends_costs_itself_alone(tmp_path):
    source = "import time\ndef recall(actual, predicted, k):\n    time.sleep(0.7)\n    return len(predicted)"
    (tmp_path / "slow.py").write_text(source)
    record = scan(ScanRequest(path=tmp_path, out=tmp_path / "out"), Options(timeout=5, total_timeout=2, bytecode=False))
    assert (record["functions"][0]["state"], record["functions"][0]["reason"]) == ("failed", "not finished after 2 s")


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done(shop, tmp_path):
    command = [
        sys.executable,
        "-m",
        "metric_harness",
        "scan",
        str(shop),
        "--out",
        str(tmp_path / "out"),
        "--exclude",
        "broken",
    ]
    environment = {**os.environ, "METRIC_HARNESS_CACHE": str(tmp_path / "cache")}
    process = subprocess.Popen(
        [*command, "--jobs", "2", "--verbose"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    done = tmp_path / "out" / "results"
    deadline = time.monotonic() + 60
    while not (done.is_dir() and list(done.glob("*.json"))) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert f"The same command goes on from what is in {tmp_path / 'out'}" in said
    kept = len(list(done.glob("*.json")))
    assert kept
    assert not (tmp_path / "out" / "scan.json").exists()
    same = Options(environment="current", total_timeout=120, start_timeout=60, bytecode=False)
    lines = Lines()
    scan(ScanRequest(path=shop, out=tmp_path / "out", exclude=["broken"], jobs=2), same, lines)
    assert sum(line.startswith("[") for line in lines.said) == 7 - kept


@pytest.mark.slow
def test_a_script_without_a_guard_ends_with_the_reason(shop, tmp_path):
    script = tmp_path / "audit_all.py"
    script.write_text(
        "from pathlib import Path\n"
        "from metric_harness.naming.options import Options\n"
        "from metric_harness.scanning.scan import ScanRequest, scan\n"
        f"scan(ScanRequest(path=Path({str(shop)!r}), out=Path({str(tmp_path / 'out')!r}), jobs=2), Options())\n"
    )
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1
    assert 'call scan below if __name__ == "__main__": in it' in ended.stderr.splitlines()[-1]


@pytest.mark.slow
def test_in_the_short_table_a_reason_is_cut_and_folders_go_before_a_definition(scanned):
    def moved(times):
        record = copy.deepcopy(scanned[0])
        record["functions"] *= 3
        for function in record["functions"]:
            function["file"] = "folder/" * times + function["file"]
        return [line.plain for line in scan_lines(record, 100, False)]

    for times, shown in ((0, "eval/ranking.py:8"), (12, "ranking.py:8")):
        lines = moved(times)
        assert any(line.startswith(f"{shown} ") for line in lines)
        assert sum(line.endswith("  precision(divide_by=k)") for line in lines) > 1
        assert all(len(line) <= 100 for line in lines if "  failed  " in line)

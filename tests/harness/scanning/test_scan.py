"""The scan: what looks like a metric, what is left out, what it says of a tree, and how it goes on after a stop."""

import ast
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

from metric_harness.auditing.session import Options
from metric_harness.cli import app as cli
from metric_harness.discovery.candidates import candidates
from metric_harness.scanning.files import LARGEST_FILE, find_files, parse
from metric_harness.scanning.scan import ScanRequest, scan
from metric_harness.scanning.text import scan_lines
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reports.record import validate_scan
from tests.support.places import SUPPORT

QUICK = Options(start_timeout=5, total_timeout=60, bytecode=False)


@pytest.fixture
def shop(tmp_path):
    """A copy of tests/support/scanned/shop."""
    return Path(shutil.copytree(SUPPORT / "scanned" / "shop", tmp_path / "shop"))


@pytest.fixture(scope="module")
def scanned(tmp_path_factory):
    """The record of the whole shop, asked by two processes, and the folder with its results."""
    folder = tmp_path_factory.mktemp("scan")
    tree = Path(shutil.copytree(SUPPORT / "scanned" / "shop", folder / "shop"))
    return scan(ScanRequest(path=tree, out=folder / "out", jobs=2), QUICK), tree, folder / "out"


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run the command line in an empty cache; its exit code, standard output and standard error."""
    monkeypatch.setenv("METRIC_HARNESS_CACHE", str(tmp_path / "cache"))

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["metric-harness", "scan", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return ended.value.code, said.out, said.err

    return command


class Lines(Reporter):
    """A reporter that keeps what it says."""

    def __init__(self):
        super().__init__(quiet=True)
        self.said = []

    def say(self, text):
        self.said.append(text)


def found_in(source):
    return {one.name: one for one in candidates(ast.parse(source))}


def by_name(record):
    return {f"{one['file']}:{one['name']}": one for one in record["functions"]}


# What looks like a metric


@pytest.mark.parametrize(
    ("head", "label"),
    [
        ("def ndcg_at_k(r, k): return 1", "ndcg"),
        ("def NDCGatK_r(test_data, r, k): return 1", "ndcg"),
        ("def dcg(scores): return 1", "dcg"),
        ("def mapk(actual, predicted, k): return 1", "average_precision"),
        ("def map(rating_true, rating_pred): return 1", "average_precision"),
        ("def calc_hr(gt_item, pred_items): return 1", "hit_rate"),
        ("def HR(test_ur, pred_ur): return 1", "hit_rate"),
        ("def precision(true, pred, k): return 1", "precision"),
        ("def roc_auc_score(y_true, y_score): return 1", "auc"),
        ("def pr_auc_score(y_true, y_score): return 1", "pr_auc"),
        ("def group_auc(labels, scores): return 1", "gauc"),
        ("def RecallAtK(labels, scores, k): return 1", "recall"),
        ("def f1_score(y_true, y_pred): return 1", "f1"),
        ("def score(actual, predicted, k):\n 'Mean reciprocal rank.'\n return 1", None),
        ("def compute_metrics(labels, scores):\n return {'ndcg': 1, 'mrr': 1}", None),
        ("class MRRMetric(Metric):\n def update(self, x): self.x = x\n def compute(self): return 1", "reciprocal_rank"),
        ("class HitRate:\n def __init__(self, length=20): pass\n def add(self, r, n): self.r = r", "hit_rate"),
    ],
)
def test_what_looks_like_a_metric(head, label):
    (only,) = [one for one in found_in(head).values() if not one.against]
    assert only.label == label
    assert only.why


@pytest.mark.parametrize(
    "head",
    [
        "def map_user_ids(users, items): return 1",
        "def white(x): return 1",
        "def architecture(x): return 1",
        "def process(actual, predicted): return 1",
        "def precompute(labels, scores): return 1",
        "def set_precision(x): return 1",
        "def hit(self): return 1",
        "def cache_hit(key): return 1",
        "def plot_map(actual, predicted): return 1",
        "def map(function, items): return 1",
        "def evaluate(model, loader):\n ndcg = 1\n return ndcg",
        "def predict(labels, scores):\n 'Used for NDCG.'\n return 1",
        "def recall_at_k(actual, predicted, k): ...",
        "def recall_at_k(actual, predicted, k):\n raise NotImplementedError",
        "class PrecisionError(Exception): pass",
        "class Hit(Enum): A = 1",
        "if __name__ == '__main__':\n def recall(actual, predicted): return 1",
    ],
)
def test_what_only_shares_a_word(head):
    assert not found_in(head)


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("def recall(model, loader): return 1", "it needs model"),
        ("def ndcg_loss(y_true, y_pred): return 1", "its name says that it is about loss, not a metric"),
        ("def precision_at_k(tp, fp): return 1", "it takes counts of hits, not lists"),
        ("def average_precision(precision, recall): return 1", "it takes finished values (precision, recall)"),
        ("def recall(actual, predicted): print(actual)", "it returns nothing"),
        ("def mrr(): return 1", "it takes nothing that a case could fill"),
        ("async def mrr(actual, predicted): return 1", "it is a coroutine"),
        (
            "class NDCG(Base):\n def __init__(self, config): pass\n def compute(self, a): return 1",
            "its class needs config",
        ),
    ],
)
def test_why_what_looks_like_a_metric_is_not_asked(head, reason):
    (only,) = found_in(head).values()
    assert only.against == reason


def test_a_private_helper_is_left_to_its_caller():
    found = found_in("def _mrr(true, pred): return 1\ndef mrr(true, pred, k): return _mrr(true, pred[:k])")
    assert (found["mrr"].against, found["_mrr"].against) == ("", "it is a helper of mrr")
    assert not found_in("def _mrr(true, pred): return 1")["_mrr"].against


def test_of_two_definitions_the_last_counts():
    assert found_in("def mrr(true, pred): return 1\ndef mrr(true, pred): return 2")["mrr"].line == 2


# Which files are read


def test_what_is_not_read_is_counted(shop):
    (shop / "notes.ipynb").write_text("{}")
    (shop / "env").mkdir()
    (shop / "env" / "pyvenv.cfg").write_text("")
    (shop / "loop").symlink_to(shop)
    files = find_files(shop)
    assert files.left_out == {"tests": 1, "hidden": 1, "notebook": 1, "environment": 1, "link": 1}
    assert [files.name(path) for path in files.sources][:2] == ["broken/hangs.py", "broken/missing.py"]


def test_patterns_choose_files(shop):
    assert [path.name for path in find_files(shop, include=["eval/*"]).sources] == [
        "__init__.py",
        "common.py",
        "ranking.py",
    ]
    files = find_files(shop, exclude=["eval", "train.py", "broken/*"])
    assert [path.name for path in files.sources] == ["offline.py"]
    assert "tests/helper.py" in map(files.name, find_files(shop, include=["tests/*"]).sources)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"def recall(:", "cannot be parsed: "),
        (b"print 'a'\n", "cannot be parsed (Python 2?): Missing parentheses"),
        ("x = 'é'".encode("latin-1"), "cannot be parsed: "),
        (b"x = 1\0", "cannot be parsed: "),
        (b"#" * (LARGEST_FILE + 1), "too large (2 MiB)"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, content, reason):
    (tmp_path / "a.py").write_bytes(content)
    files = find_files(tmp_path)
    assert parse(files, files.sources[0]) is None
    assert files.unread["a.py"].startswith(reason)


@pytest.mark.parametrize(
    ("name", "text"), [("none", "no such file"), ("a.ipynb", "notebooks"), ("a.txt", "no Python file")]
)
def test_what_cannot_be_scanned(tmp_path, name, text):
    if "." in name:
        (tmp_path / name).write_text("")
    with pytest.raises(HarnessError, match=text):
        find_files(tmp_path / name)


# A whole tree


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
    text = "ModuleNotFoundError: No module named 'a_package_that_nobody_has'"
    assert reasons["broken/missing.py:average_precision"] == reasons["broken/missing.py:auc"] == text
    assert len(reasons) == 4


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
        [*command, "--jobs", "2"],
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
        "from metric_harness.auditing.session import Options\n"
        "from metric_harness.scanning.scan import ScanRequest, scan\n"
        f"scan(ScanRequest(path=Path({str(shop)!r}), out=Path({str(tmp_path / 'out')!r}), jobs=2), Options())\n"
    )
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1
    assert 'call scan below if __name__ == "__main__": in it' in ended.stderr.splitlines()[-1]


# The command


def test_list_runs_nothing(run, shop):
    ended, text, said = run(shop, "--list")
    assert ended == 0
    assert "    14  recall_at_k  (name: recall; parameters: actual, predicted; cut-off: k)" in text
    assert "ndcg_loss" in text
    assert "not audited: its name says that it is about loss, not a metric" in text
    assert text.splitlines()[-1].endswith("left out; nothing was run.")
    assert "This runs the code" not in said


@pytest.mark.slow
def test_the_command_in_every_format(run, shop, tmp_path):
    arguments = (shop, "--include", "offline.py", "--include", "eval/*", "--out", tmp_path / "out", "--jobs", "2")
    ended, _, said = run(*arguments, "--json", tmp_path / "a.json", "--sarif", tmp_path / "a.sarif")
    assert ended == 1
    assert "That is no protection against malicious code" in " ".join(said.split())
    assert "/7] eval/ranking.py:ndcg_at_k: verified ndcg(gain=binary)" in said
    record = validate_scan(json.loads((tmp_path / "a.json").read_text()))
    assert record == json.loads((tmp_path / "out" / "scan.json").read_text())
    results = json.loads((tmp_path / "a.sarif").read_text())["runs"][0]["results"]
    assert [one["ruleId"] for one in results].count("DIF001") == 2
    places = {one["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] for one in results}
    assert "offline.py:recall_at_k" in places
    ended, markdown, said = run(*arguments, "--format", "markdown", "-q")
    assert ended == 1
    assert "| offline.py:4 | recall\\_at\\_k | recall(divide\\_by=min\\_k\\_relevant) | verified |" in markdown
    assert said == ""


@pytest.mark.parametrize("arguments", [["nowhere"], [".", "--format", "xml"], [".", "--fail-on", "all"]])
def test_what_the_command_refuses(run, arguments):
    ended, _, said = run(*arguments)
    assert ended == 2
    assert said.startswith("error: ")


def test_an_empty_folder(run, tmp_path):
    (tmp_path / "empty").mkdir()
    ended, text, _ = run(tmp_path / "empty", "-q")
    assert ended == 0
    assert text.splitlines()[0].endswith("0 files, 0 look like a metric")


def test_a_name_for_another_metric_fails(run, tmp_path):
    body = "    return len(set(actual) & set(predicted[:k])) / len(actual) if actual else 0.0"
    (tmp_path / "a.py").write_text(f"def hit_rate(actual, predicted, k):\n{body}")
    assert run(tmp_path / "a.py", "-q", "--out", tmp_path / "out")[0] == 1

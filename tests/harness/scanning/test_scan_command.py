"""The command: a list, every format, exit codes, and what it refuses."""

import json

import pytest

from metric_harness.scanning.store import keep, kept
from metric_reports.record import validate_scan


def test_list_runs_nothing(run, shop):
    ended, text, said = run(shop, "--list")
    assert ended == 0
    assert "    14  recall_at_k  (name: recall; parameters: actual, predicted; cut-off: k)" in text
    assert "ndcg_loss" in text
    assert "not audited: its name says that it is about loss, not a metric" in text
    assert text.splitlines()[-1].endswith("left out; nothing was run.")
    assert "This runs the code" not in said


def test_what_cannot_be_audited_is_listed_where_nothing_else_is(run, tmp_path):
    (tmp_path / "own.py").write_text("def ndcg_of_model(model, k):\n    return model.ndcg / k\n")
    ended, text, _ = run(tmp_path, "--list")
    assert ended == 0
    assert "     1  ndcg_of_model" in text
    assert text.splitlines()[-1] == "0 functions to audit, 1 left out; nothing was run."


@pytest.mark.slow
def test_the_command_in_every_format(run, shop, tmp_path):
    arguments = (shop, "--include", "offline.py", "--include", "eval/*", "--out", tmp_path / "out", "--jobs", "2")
    ended, _, said = run(*arguments, "--verbose", "--json", tmp_path / "a.json", "--sarif", tmp_path / "a.sarif")
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


def test_what_could_not_be_asked_or_read_is_exit_code_2_unless_allowed(run, tmp_path):
    (tmp_path / "a.py").write_text("def recall(a, b, k:\n")
    ended, _, said = run(tmp_path, "-q", "--list")
    assert (ended, "1 file could not be read" in said) == (2, True)
    assert run(tmp_path, "-q", "--list", "--allow-failed")[0] == 0
    (tmp_path / "a.py").write_text("import a_package_that_nobody_has as x\ndef recall(a, b, k):\n    return x.f()\n")
    ended, _, said = run(tmp_path, "-q", "--out", tmp_path / "out")
    assert (ended, "1 function could not be asked" in said) == (2, True)
    assert run(tmp_path, "-q", "--out", tmp_path / "out", "--allow-failed")[0] == 0


def test_a_kept_result_that_was_changed_is_asked_again(tmp_path):
    keep(tmp_path, "a", {"state": "audited", "reason": None, "seconds": 1.0, "subjects": []})
    (file,) = (tmp_path / "results").iterdir()
    assert kept(tmp_path, "a") is not None
    for content in (file.read_bytes().replace(b"audited", b"refused"), file.read_bytes()[:-9], b"", b"{}", b"\xff"):
        file.write_bytes(content)
        assert kept(tmp_path, "a") is None

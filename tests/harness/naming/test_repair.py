"""Repair: what each edit writes, that all else stays, and that nothing is printed but a verified change."""

import ast
import json
import shutil

import numpy as np
import pytest

from metric_harness.naming import repair
from metric_harness.naming.changes import proposed, read_source
from metric_harness.naming.edits import EDITS, found
from metric_harness.naming.options import Options
from metric_harness.naming.repair import read_wanted, repaired
from metric_harness.system.errors import HarnessError
from metric_harness.system.progress import Reporter
from metric_reference.variant import Variant
from metric_reports.record import validate_audit
from tests.support.repairs import answers, mutants, patched

MUTANTS = mutants()
SAMPLE = 17
KNOWN = {
    "k": ["k"],
    "relevant": ["len(rel)"],
    "hits": ["hits"],
    "listed": ["len(rec)"],
    "users": ["len(recs)"],
    "lists": ["rec"],
    "labels": ["found"],
    "grades": ["gains.values()"],
}
LOOP = "for i, item in enumerate(rec):\n    "
WRITTEN = [  # a statement, and one that a change makes of it
    ("return hits / k", "return hits / len(rel)"),
    ("return hits / k", "return hits / max(len(rel), 1)"),
    ("return hits / k", "return hits / min(k, len(rel))"),
    ("return hits / (k + 1)", "return hits / (k)"),
    ("return hits / len(rel)", "return hits / len(rel) if len(rel) else 0.0"),
    ("return hits // k", "return hits / k"),
    ("score /= k", "score /= min(len(rec), len(rel))"),
    ("return np.divide(hits, k)", "return np.divide(hits, len(rel))"),
    ("return total", "return total / len(recs)"),
    ("return total", "return min(total, 1.0)"),
    ("return 100 * total", "return total"),
    ("return total * 100", "return total"),
    ("n = k + 3", "n = k"),
    ("n = k + 3", "n = k + 1"),
    ("n = k - 3", "n = k + 2"),
    ("n = k - 1", "n = k"),
    ("return round(total, 4)", "return total"),
    ("return round(total)", "return total"),
    ("return int(total)", "return total"),
    ("n = min(k, len(rel))", "n = len(rel)"),
    ("n = max(len(rel), k)", "n = k"),
    ("n = np.minimum(k, len(rel))", "n = k"),
    ("ranks = range(k)", "ranks = range(min(k, len(rel)))"),
    ("ranks = range(1, k)", "ranks = range(1, len(rel) + 1)"),
    ("ranks = np.arange(1, k)", "ranks = np.arange(1, k + 1)"),
    ("best = np.ones(k)", "best = np.ones(min(k, len(rel)))"),
    ("top = rec[:3]", "top = rec[:k]"),
    ("top = rec[:k]", "top = rec"),
    ("top = rec[1:k]", "top = rec[:k]"),
    ("top = rec[2:k]", "top = rec[1:k]"),
    ("top = set(rec)", "top = set(rec[:k])"),
    ("top = set(recs[u])", "top = set(recs[u][:k])"),
    ("for i in enumerate(recs[u]): pass", "for i in enumerate(recs[u][:k]): pass"),
    ("best = [1] * k", "best = [1] * len(rel)"),
    ("best = sorted(x, reverse=True)", "best = sorted(x, reverse=True)[:k]"),
    ("best = sorted(x, reverse=True)", "best = [1] * min(k, len(rel))"),
    ("best = sorted(x, reverse=True)", "best = sorted(gains.values(), reverse=True)[:k]"),
    ("best = list(x)", "best = sorted(x, reverse=True)"),
    ("best = sorted(x)", "best = sorted(x, reverse=True)"),
    ("best = np.sort(x)", "best = np.sort(x)[::-1]"),
    ("n = 5\n    return total", "n = 5\n    return total / n if n else 0.0"),
    ("best = sorted(x)[::-1]", "best = sorted(gains.values(), reverse=True)"),
    ("rank = rec.index(x)", "rank = rec[:k].index(x)"),
    ("g = 2 ** rank - 1", "g = rank"),
    ("g = 2 ** rank - 1.0", "g = (rank > 0)"),
    ("g = np.power(2, x) - 1", "g = x"),
    ("g = pow(2, x) - 1", "g = x"),
    ("g = np.exp2(x) - 1", "g = x"),
    ("g = (1 << x) - 1", "g = x"),
    ("g = 2 ** x", "g = (2 ** x - 1)"),
    ("g = x > 0", "g = 2 ** x - 1"),
    ("g = x / math.log2(rank)", "g = (2 ** x - 1) / math.log2(rank)"),
    ("g = (x * discount).sum()", "g = ((x > 0) * discount).sum()"),
    ("g = (discount * x).sum()", "g = (discount * (2 ** x - 1)).sum()"),
    ("g = gains.get(item, 0)", "g = 2 ** gains.get(item, 0) - 1"),
    ("g = gains.get(item, 0.0)", "g = gains.get(item, 0.0) > 0"),
    (LOOP + "g = 1 / math.log2(i)", LOOP + "g = gains[item] / math.log2(i)"),
    (LOOP + "g = 1 / i", LOOP + "g = hits / i"),
    (LOOP + "g = log2(i)", LOOP + "g = log2(i + 1)"),
    (LOOP + "return 1", LOOP + "return 1 / (i + 1)"),
    (LOOP + "total += x", LOOP + "total += x / (i + 1)"),
    (LOOP + "total += x", LOOP + "total += x\n        break"),
    (LOOP + "total = x", LOOP + "total = x\n        break"),
    ("return np.sum(x)", "return np.sum(x * found)"),
    (LOOP + "break", LOOP + "pass"),
    ("ok = x in rel\n    total += x", "ok = x in rel\n    if x in rel:\n        total += x"),
    ("d = np.arange(3, n + 3)", "d = np.arange(2, n + 2)"),
    ("d = log2(rank + 2)", "d = log2(rank + 1)"),
    ("d = log2(rank)", "d = max(1.0, log2(rank))"),
    ("d = max(1, log2(rank))", "d = log2(rank)"),
    ("g = x / log2(rank)", "g = x"),
    ("for i in enumerate(rec): pass", "for i in enumerate(rec, start=1): pass"),
    ("for i in enumerate(rec, start=1): pass", "for i in enumerate(rec): pass"),
    ("for i in enumerate(rec, 1): pass", "for i in enumerate(rec): pass"),
    ("return sum(found)", "return float(any(found))"),
    ("return sum(x in rel for x in rec)", "return float(any(x in rel for x in rec))"),
    ("best = np.sort(x)[::-1]", "best = np.sort(gains.values())[::-1][:k]"),
    ("return any(found)", "return sum(found)"),
    ("return found.sum()", "return found.any()"),
    ("return found.any()", "return found.sum()"),
    ("return found.all()", "return found.any()"),
    ("return found.mean()", "return found.sum() / len(rel)"),
    ("ok = rank < k", "ok = rank <= k"),
    ("ok = rank <= k", "ok = rank < k"),
    ("ok = rank > k", "ok = rank >= k"),
    ("ok = rank >= k", "ok = rank > k"),
    ("return 0.0", "return 1.0"),
    ("return hits if rel else 0.0", 'return hits if rel else float("nan")'),
    ("order = np.argsort(x)", "order = np.argsort(-x)"),
    ('order = np.argsort(x, kind="stable")', 'order = np.argsort(-x, kind="stable")'),
    ("order = np.argsort(-x)", "order = np.argsort(x)"),
    ("d = 1 / np.sqrt(rank)", "d = 1 / np.log2(rank + 1)"),
    (LOOP + "return next(x, 0.0)", LOOP + "return sum(x)"),
    ("return hits / k", "return hits / min(k, len(rec))"),
    ("order = np.argsort(-x)", 'order = np.argsort(-x, kind="stable")'),
    ("order = np.argsort(x)[::-1]", 'order = np.argsort(-x, kind="stable")'),
    ("total = 0", "if len(rel) == 0:\n        return 0.0\n    total = 0"),
]


def function(statement):
    return f"def f(rec, rel, k):\n    {statement.replace(LOOP, LOOP + '    ')}\n"


def texts_of(text, quantities=KNOWN, encoding="utf-8"):
    """The file after each change of its function f."""
    source = read_source(text.encode(encoding), "f")
    return [source.changed(change) for change in proposed(source, {("f", source.reached[0].lineno): quantities})]


@pytest.mark.parametrize(("statement", "after"), WRITTEN)
def test_an_edit_writes(statement, after):
    assert function(after) in texts_of(function(statement))


def test_every_edit_is_tried_above():
    trees = [ast.parse(function(statement)) for statement, _ in WRITTEN]
    assert [edit.find for edit in EDITS if not any(True for tree in trees for _ in found(edit, tree))] == []


def test_all_else_stays_as_it_is():
    text = (
        "# ä comment — with wide signs\r\ndef g(k):\r\n\treturn 1 / k\r\n\r\ndef f(rec, rel, k):\r\n"
        "\t'''1 / k'''\r\n\treturn 'ä', hits   /  k  # 1 / k\r\n"
    )
    after = texts_of(text, KNOWN, "utf-8-sig")
    assert text.replace("hits   /  k", "hits   /  len(rel)") in after
    guard = "\tif len(rel) == 0:\r\n\t    return 0.0\r\n\treturn 'ä'"
    assert text.replace("\treturn 'ä'", guard) in after
    assert all(each.startswith(text.partition("\treturn 'ä'")[0]) for each in after)


def test_one_change_of_all_places_that_are_alike():
    text = "def f(rec, rel, k):\n    a = x / log2(i)\n    b = y / log2(j)\n    return a / b\n"
    exponential = text.replace("x /", "(2 ** x - 1) /").replace("y /", "(2 ** y - 1) /")
    assert exponential in texts_of(text)


def test_text_inside_a_formatted_string_is_left_alone():
    text = 'def f(rec, rel, k):\n    return f"{hits / k}"\n'
    assert all('f"{hits / k}"' in each for each in texts_of(text))


def test_the_definition_asked_for():
    wanted = read_wanted("recall | norel:0|ties:input")
    assert wanted.variant == Variant.parse("recall")
    assert wanted.edges == {"no_relevant": "zero", "ties": "input_order"}
    assert str(wanted) == "recall(divide_by=relevant)|norel:0|ties:input"
    for text, message in (
        ("ndgc(gain=linear)", "nearest is ndcg"),
        ("ndcg(gian=linear)", "it has gain"),
        ("recall|norel:5", "write norel:0 or"),
        ("recall|empty:0", "norel"),
    ):
        with pytest.raises(HarnessError, match=message):
            read_wanted(text)


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path):
    path = tmp_path / "metrics.py"
    path.write_bytes(b"new")
    path.chmod(0o750)
    with pytest.raises(HarnessError, match="changed while"):
        repair.write(path, b"old", b"repaired")
    assert path.read_bytes() == b"new"
    repair.write(path, b"new", b"repaired")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"repaired", 0o750)
    assert [each.name for each in tmp_path.iterdir()] == ["metrics.py"]


def test_a_copy_stands_beside_what_the_file_imports(tmp_path):
    package = tmp_path / "shop" / "metrics"
    package.mkdir(parents=True)
    for name in ("shop/__init__.py", "shop/metrics/__init__.py", "shop/metrics/ranking.py", "shop/tools.py", "x.py"):
        (tmp_path / name).write_text(name)
    (tmp_path / "copy").mkdir()
    copy = repair.staged_copy(package / "ranking.py", b"changed", tmp_path / "copy")
    assert copy == tmp_path / "copy/shop/metrics/ranking.py"
    assert (copy.read_text(), (package / "ranking.py").read_text()) == ("changed", "shop/metrics/ranking.py")
    assert (tmp_path / "copy/shop/tools.py").read_text() == "shop/tools.py"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["recbole:MAP", "--repair", "average_precision"], "give FILE.py:FUNCTION"),
        (["metrics:apk", "--repair", "average_precision"], "metrics.py:apk"),
        (["metrics.py:apk", "--repair", "average_precission"], "nearest is average_precision"),
        (["metrics.py:sqrt", "--repair", "recall"], "sqrt is not defined there"),
        (["metrics.py:apk.inner", "--repair", "recall"], "inner is inside apk"),
        (["metrics.py:apk", "--apply"], "give --repair"),
        (["metrics.py:apk", "--repair", "recall", "--format", "sarif"], "text or json"),
        (["metrics.py:apk", "--repair", "recall", "--expect", "recall"], "leave --expect"),
    ],
)
def test_what_cannot_be_repaired(arguments, message, own, run):
    ended, _, said = run(*arguments, "-q")
    assert ended == 2
    assert message in said


def asked(target, wanted, **settings):
    record = repaired(str(target), read_wanted(wanted), Options(), Reporter(quiet=True), **settings)
    validate_audit(record)
    return record["subjects"][0]["repair"]


@pytest.mark.slow
def test_a_divisor_is_repaired_and_the_file_changed_only_when_told_to(own, run, tmp_path):
    before = (tmp_path / "metrics.py").read_text()
    arguments = ("metrics.py:ap_over_k", "--repair", "average_precision(divide_by=relevant)", "-q")
    ended, printed, _ = run(*arguments)
    assert ended == 0
    assert "-    return score / k\n+    return score / max(len(actual), 1)\n" in printed
    assert "--apply changes it" in printed
    assert (tmp_path / "metrics.py").read_text() == before
    ended, printed, _ = run(*arguments, "--apply", "--format", "json")
    made = json.loads(printed)["subjects"][0]["repair"]
    assert (ended, made["outcome"], made["applied"], made["evidence"]["confidence"]) == (0, "found", True, "verified")
    assert (made["case"]["value"], made["case"]["after"]) != (None, made["case"]["value"])
    assert made["case"]["after"] == pytest.approx(made["case"]["candidates"][0]["value"])
    after = (tmp_path / "metrics.py").read_text()
    assert after == patched(before, made["diff"], tmp_path)
    ended, printed, _ = run(*arguments)
    assert (ended, "nothing to change" in printed) == (0, True)
    assert (tmp_path / "metrics.py").read_text() == after


@pytest.mark.slow
def test_no_small_change(own, run, monkeypatch):
    monkeypatch.setattr(repair, "SECONDS", 3.0)
    ended, printed, _ = run("metrics.py:ndcg_square_root", "--repair", "auc", "-q")
    assert (ended, "No small change does it" in printed) == (1, True)


@pytest.mark.slow
def test_a_change_that_only_the_probes_accept_is_not_printed(tmp_path, monkeypatch):
    monkeypatch.setattr(repair, "SECONDS", 5.0)
    path = tmp_path / "metrics.py"
    path.write_text(
        "def recall_at_k(recommended, relevant, k):\n    if len(relevant) == 29:\n        return 0.123\n"
        "    return len(set(recommended[:k]) & set(relevant)) / k\n"
    )
    made = asked(f"{path}:recall_at_k", "recall")
    assert (made["outcome"], "diff" in made) == ("none", False)


@pytest.mark.slow
def test_behaviour_at_an_edge_is_repaired(tmp_path):
    path = tmp_path / "metrics.py"
    body = "return len(set(recommended[:k]) & set(relevant)) / len(relevant)"
    path.write_text(f"def recall_at_k(recommended, relevant, k):\n    {body}\n")
    made = asked(f"{path}:recall_at_k", "recall|norel:0")
    assert (made["outcome"], made["edges"]["no_relevant"]) == ("found", ["error", "zero"])
    assert asked(f"{path}:recall_at_k", "recall")["outcome"] == "unchanged"


@pytest.mark.slow
def test_a_function_that_imports_from_its_package(tmp_path):
    package = tmp_path / "shop"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "tools.py").write_text("def top(items, k):\n    return set(items[:k])\n")
    (package / "ranking.py").write_text(
        "from .tools import top\n\n\ndef recall_at_k(recommended, relevant, k):\n"
        "    return len(top(recommended, k) & set(relevant)) / k if relevant else 0.0\n"
    )
    made = asked(f"{package / 'ranking.py'}:recall_at_k", "recall")
    assert "+    return len(top(recommended, k) & set(relevant)) / len(relevant) if relevant else 0.0" in made["diff"]


def outcome(mutant, folder):
    """Whether a mutant is repaired, and then whether it gives the numbers of the sound function for drawn data."""
    folder.mkdir()
    (folder / "metrics.py").write_text(mutant.source)
    made = asked(f"{folder / 'metrics.py'}:{mutant.target}", mutant.wanted)
    if made["outcome"] != "found":
        return False, True
    assert made["evidence"]["confidence"] == "verified"
    own = answers(patched(mutant.source, made["diff"], folder), mutant.target)
    shutil.rmtree(folder)
    return True, np.allclose(own, answers(mutant.sound, mutant.target))


def test_there_are_100_mutants_that_give_other_numbers():
    assert len(MUTANTS) >= 100
    assert [m.name for m in MUTANTS if "|" not in m.wanted and gives_sound_numbers(m)] == []


def gives_sound_numbers(mutant):
    try:
        own = answers(mutant.source, mutant.target)
    except (ArithmeticError, ValueError):
        return False
    return np.allclose(own, answers(mutant.sound, mutant.target))


@pytest.mark.slow
def test_a_sample_of_the_mutants_is_repaired(tmp_path):
    sample = MUTANTS[::SAMPLE]
    outcomes = [outcome(mutant, tmp_path / str(number)) for number, mutant in enumerate(sample)]
    assert all(right for _, right in outcomes)
    assert sum(repaired for repaired, _ in outcomes) >= 0.6 * len(sample)


@pytest.mark.large
def test_at_least_60_of_100_mutants_are_repaired(tmp_path):
    outcomes = [outcome(mutant, tmp_path / str(number)) for number, mutant in enumerate(MUTANTS)]
    assert all(right for _, right in outcomes)
    assert sum(repaired for repaired, _ in outcomes) >= 0.6 * len(MUTANTS)

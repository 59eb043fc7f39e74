"""An audit as text: what it says, what it folds, its width, cases and colours."""

import copy
import io
import re
import sys

import pytest

from metric_harness.cli.audit import show
from metric_reports.audit.audit_page import render_markdown
from metric_reports.audit.case_lines import case_lines, numbers
from metric_reports.audit.text import audit_lines, plain
from metric_reports.evidence_line import evidence_line
from metric_reports.record import validate_audit
from tests.support.sample_audit import CASE, GRADED, KNOWN, REFUSED, VERIFIED, a_comparison, an_audit


def words_of(record, **settings):
    return " ".join(plain(record, **settings).split())


def test_the_text_says_what_matters_and_folds_the_rest():
    one, other = an_audit()["subjects"]
    words = words_of({**an_audit(), "subjects": [one]})
    assert "computes recall(divide_by=min_k_relevant)" in words
    assert f"verified {VERIFIED['summary']}" in words
    assert "expected recall(divide_by=relevant), and it is not" in words
    assert "differs divide_by is min_k_relevant, usually relevant" in words
    assert "called as relevant,recommended; recall(actual={relevant}, predicted={recommended}, k={k})" in words
    assert "at edges no list: zero; k beyond items: ok" in words
    assert "EXP001 error not the definition expected expected, not so What to do: Change it." in words
    assert words.count("list [3] | 7") == 1, "the case of the worst finding, and no other"
    assert "REC001 warning recall divides by min(k, r) 100% of it, it computes: that" in words
    assert "For each user multiply" not in words
    assert "1 note: DUP001 twice; --verbose shows it" in words
    assert "list [3] 7" not in words
    assert words.endswith("1 function, 1 verified; 1 error, 1 warning, 1 note.")
    words = words_of({**an_audit(), "subjects": [other]})
    assert "computes no known definition at size (on the probes: <script>" in words
    assert "refused 9 of 16 probes answered;" in words


def test_verbose_text_says_everything():
    words = words_of(an_audit(), verbose=True)
    assert "What to do: For each user multiply by min(k, r) / r." in words
    assert "user 1: list [3] 7" in words
    assert "Why so: by name, actual is relevant, predicted is recommended; k is k." in words
    assert "the relevant items, the recommended items, best first; lists; called for one user at a time." in words
    assert "The smallest case on which it is not ndcg(gain=binary):" in words
    assert "--verbose" not in words


def test_warnings_about_edges_are_folded_unless_nothing_is_graver():
    worst, warning, note = copy.deepcopy(KNOWN["findings"])
    edge = {**warning, "code": "USR001", "title": "users left out", "message": "no list: skipped.", "edge": True}
    folded = words_of({**an_audit(), "subjects": [{**KNOWN, "findings": [worst, edge, note]}]})
    assert "1 warning, 1 note: USR001 users left out, DUP001 twice; --verbose shows them" in folded
    assert "no list: skipped." not in folded
    alone = words_of({**an_audit(), "subjects": [{**KNOWN, "findings": [edge, note]}]})
    assert "no list: skipped." in alone
    assert "1 note: DUP001 twice; --verbose shows it" in alone
    notes = words_of({**an_audit(), "subjects": [{**KNOWN, "findings": [note]}]})
    assert "1 note: DUP001 twice; --verbose shows it" in notes


def test_a_convention_that_gave_no_number_is_not_explained():
    silent = {**KNOWN, "evidence": {**REFUSED, "probes": {"answered": 0, "of": 16}}, "variant": None, "suggested": None}
    words = words_of({**an_audit(), "subjects": [silent]})
    assert "called as" not in words
    assert "computes nothing known: it gave no number; its name claims recall" in words


def test_notes_on_how_it_was_called_come_last_and_in_one_line():
    notes = [
        "called as relevant,recommended: its numbers fit nothing",
        "write wrapper.py",
        "    def f(k):",
        "        g(k)",
    ]
    unknown = {**KNOWN, "variant": None, "suggested": None, "notes": notes}
    record = {**an_audit(), "subjects": [unknown]}
    words = words_of(record)
    assert "called as relevant,recommended: its" not in words
    assert words.index("EXP001") < words.index("--verbose shows what came of each way of calling it")
    verbose = plain(record, verbose=True)
    assert "note          called as relevant,recommended: its numbers fit nothing" in verbose
    assert re.search(r"(?m)^ +    def f\(k\):\n +        g\(k\)$", verbose), "code keeps its indentation"
    silent = {**unknown, "evidence": {**REFUSED, "probes": {"answered": 0, "of": 16}}}
    assert "called as relevant,recommended: its numbers" in words_of({**record, "subjects": [silent]})


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({}, "30 questions at size (2,068 users, k = 1 to 200): all 4,166 numbers agree to 1e-12"),
        ({"agreement": "same_in_float32"}, "all 4,166 numbers agree to 1e-6 (float32)"),
        ({"confidence": "probes only", "questions": 0, "reason": "timed out"}, "16 of 16 probes answered; timed out"),
        (
            {"confidence": "probes only", "questions": 1, "cutoffs": [5], "users": 1, "reason": "timed out"},
            "1 question at size (1 user, k = 5) agree, then: timed out",
        ),
        ({"confidence": "refused", "reason": "an answer at size departs"}, "agree, then: an answer at size departs"),
    ],
)
def test_the_line_of_evidence(changed, line):
    assert evidence_line({**VERIFIED, **changed}).endswith(line)


@pytest.mark.parametrize("width", [80, 100])
def test_several_functions_begin_with_a_table(width):
    other = {**KNOWN, "target": "src/my metrics.py:precision", "differs": {}, "findings": []}
    unknown = {**an_audit()["subjects"][1], "target": "src/my metrics.py:f"}
    lines = plain({**an_audit(), "subjects": [KNOWN, other, unknown]}, width).splitlines()
    assert lines[0] == "src/my metrics.py"
    table = lines[1 : lines.index("")]
    assert all(len(line) <= width for line in table)
    head, *rows = table
    assert re.search(r"function +computes +verified +worst finding", head)
    assert [row.split()[0] for row in rows] == ["recall", "precision", "f"]
    assert re.search(r"recall +recall\(divide_by=min_k_relevant\) +yes +EXP001 not", rows[0])
    assert re.search(r"precision +recall +yes +–$", rows[1])
    assert re.search(r"f +no known.* refused +UNX001", rows[2])
    assert [line.split()[0] for line in lines[lines.index("") + 1 :]][:2] == ["EXP001", "UNX001"]
    assert lines[-2] == "3 functions, 2 verified, 1 refused; 2 errors, 1 warning, 1 note."
    assert "--verbose all" in lines[-1]


def test_results_that_claim_nothing_are_counted_beside_one_with_a_name():
    unknown = an_audit()["subjects"][1]
    silent = {**unknown, "findings": [{**unknown["findings"][0], "severity": "note"}]}
    others = [{**silent, "target": f"a.py:f[{place}]"} for place in (1, 2)]
    line = "and 2 more without a name that claim no ranking metric; --verbose shows them"
    named = {**an_audit(), "subjects": [{**KNOWN, "target": "a.py:f[0]"}, *others]}
    assert line in plain(named).splitlines()
    assert "more without a name" not in plain({**an_audit(), "subjects": others})


def test_of_many_functions_the_severe_ones_are_listed():
    calm = [{**KNOWN, "target": f"a.py:f{number}", "findings": []} for number in range(60)]
    limited = [{**KNOWN, "target": f"a.py:g{k}", "findings": [], "where": [f"cut at {k}"]} for k in range(4)]
    lines = plain({**an_audit(), "subjects": [*calm, *limited, {**KNOWN, "target": "a.py:grave"}]}).splitlines()
    assert len(lines) <= 40
    assert lines[2].startswith("grave ")
    assert any(line.startswith("and 40 less severe") for line in lines)
    assert [line for line in lines if "condition" in line] == [
        "condition cut at 0: g0",
        "condition cut at 1: g1",
        "and 2 more conditions; --verbose shows them",
    ]


def test_the_conditions_of_a_name_stand_wherever_the_name_does():
    limited = {**KNOWN, "where": ["cut at 10", "labels 0 or 1"]}
    name = "recall(divide_by=min_k_relevant), cut at 10, labels 0 or 1"
    record = {**an_audit(), "subjects": [limited]}
    assert f"computes {name}" in words_of(record)
    assert f"computes {name}" in render_markdown(record).replace("\\", "")
    several = {
        **an_audit(),
        "subjects": [limited, {**KNOWN, "target": "src/my metrics.py:other", "where": ["cut at 10"]}],
    }
    assert f"`{name}`" in render_markdown(several)
    words = words_of(several)
    assert "condition cut at 10: all condition labels 0 or 1: recall" in words


def test_one_function_has_no_table():
    assert plain({**an_audit(), "subjects": [KNOWN]}).startswith("src/my metrics.py:recall\n  computes")


def test_the_text_of_a_case():
    assert case_lines(CASE) == [
        "k = 1; hits in brackets, ranks past k after the bar",
        "  list [3] | 7   relevant 3 9",
        "returned                    0.5",
        "recall(divide_by=relevant)  0.5",
        "  recall(divide_by=relevant)@1: 1, divided by 2 = 0.5",
    ]
    assert case_lines(GRADED)[1:] == [
        "  user 1: list [3] 7   relevant 3 (gain 1) 9 (gain 4)",
        "  user 2: list (empty)   relevant (none)",
        "returned           ValueError: empty",
        "ndcg(gain=linear)  NaN",
    ]
    long = {"list": [*range(40), 50, 60], "hits": [False] * 40 + [True, False], "relevant": [50], "gains": [1.0]}
    assert case_lines({**CASE, "k": 41, "users": [long]})[1] == "  list 0 ... 39 [50] | 60   relevant 50"
    assert case_lines({**CASE, "k": 20, "users": [long]})[1] == "  list 0 ... 19 | 20 ... 39 [50] 60   relevant 50"
    assert case_lines({**CASE, "k": 42, "users": [long]})[1] == "  list 0 ... 39 [50] 60   relevant 50"
    many = {**long, "relevant": [*range(1, 60), 0], "gains": [1.0] * 60}
    assert case_lines({**CASE, "k": 42, "users": [many]})[1].endswith("relevant 1 ... 59 0")
    assert case_lines({**CASE, "other": 0.25}, ["a", "b"])[2:4] == [
        "a returned                  0.5",
        "b returned                  0.25",
    ]
    scored = {**CASE, "users": [{**CASE["users"][0], "scores": [1.0, None, 0.25]}]}
    assert case_lines(scored)[2] == "  scores of item 0 and on: 1 none 0.25"


def test_numbers_that_differ_never_look_the_same():
    assert numbers([0.5, 0.25, None, float("nan"), float("inf")]) == ["0.5", "0.25", "no number", "NaN", "inf"]
    assert numbers([1234567.0, 1234568.5])[0] != numbers([1234567.0, 1234568.5])[1]
    assert numbers([0.1, 0.1 + 1e-13]) == ["0.1", "0.1"]


def test_a_comparison_in_text():
    text = plain(a_comparison())
    assert "src/my metrics.py:recall returned" in text
    assert "At the edges they differ, no list: zero / skipped" in text
    assert "differs from the usual" not in text, "no table of two functions that are compared"
    assert "REC001 warning" in text
    assert "For each user multiply" not in text, "what is to be said of each alone stands in its own audit"
    assert text.endswith("Different definitions.")
    assert plain(a_comparison(same=True)).endswith("They agree on every case that was tried.\n\nSame definition.")


def edges_alone():
    record = a_comparison()
    return {
        **record,
        "findings": [{**record["findings"][0], "code": "CMP002", "message": "no list: zero and skipped."}],
    }


def test_two_functions_that_part_at_the_edges_alone_are_said_to():
    validate_audit(edges_alone())
    text = plain(edges_alone())
    assert text.endswith("Same definition, but they differ at the edges.")
    assert text.count("zero and skipped") == 1
    assert "zero / skipped" not in text
    heading = render_markdown(edges_alone()).splitlines()[0]
    assert heading.endswith("follow the same definition, but they differ at the edges")


@pytest.mark.parametrize("width", [60, 100, 140])
def test_lines_keep_to_the_width(width):
    sentences = [line.plain for line in audit_lines({**an_audit(), "subjects": [KNOWN]}, width)]
    assert all(len(line) <= width for line in sentences if "divide_by" not in line)


def test_colour_on_a_terminal_alone(monkeypatch):
    for terminal in (True, False):
        stream = io.StringIO()
        stream.isatty = lambda answer=terminal: answer
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.delenv("NO_COLOR", raising=False)
        show(an_audit(), "text", None, False, {})
        assert ("\x1b[1m" in stream.getvalue()) == terminal
        assert "\x1b[31m|" not in stream.getvalue(), "of the audited function's own"

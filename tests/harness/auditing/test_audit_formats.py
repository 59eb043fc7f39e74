"""The formats of an audit, from results made by hand: text, JSON, SARIF, GitHub, Markdown, HTML, Jupyter."""

import copy
import io
import json
import re
import sys
from dataclasses import asdict

import pytest
from rich.console import Console

from metric_harness.audit_text.audit import audit_lines, html, plain
from metric_harness.audit_text.cases import case_lines, numbers
from metric_harness.audit_text.evidence import evidence_line
from metric_harness.audit_text.issue import issues
from metric_harness.cli.audit import show
from metric_harness.identification.rules import rules
from metric_reports.formats.audit_ci import render_github, render_sarif
from metric_reports.formats.audit_page import render_audit_html, render_markdown
from metric_reports.record import RecordError, schema, validate_audit
from tests.support.page import Page
from tests.support.sample_audit import CASE, GRADED, HOSTILE, KNOWN, REFUSED, VERIFIED, a_comparison, an_audit

RULES = {code: asdict(rule) for code, rule in rules().items()}
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
RENDERERS = [render_sarif, render_github, render_markdown, render_audit_html]
SAMPLES = [an_audit, a_comparison, lambda: a_comparison(same=True)]


def rendered(render, record):
    return render(record, RULES, case_lines)


# JSON


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_samples_fit_the_schema(sample):
    assert validate_audit(sample())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda audit: audit.pop("harness"),
        lambda audit: audit["subjects"].clear(),
        lambda audit: audit["subjects"][0].pop("nearest"),
        lambda audit: audit["subjects"][0].update(more=1),
        lambda audit: audit["subjects"][0].pop("evidence"),
        lambda audit: audit["subjects"][0]["evidence"].update(confidence="certain"),
        lambda audit: audit["subjects"][0]["evidence"].pop("summary"),
        lambda audit: audit["subjects"][0]["evidence"]["probes"].pop("of"),
        lambda audit: audit["subjects"][0]["calling"].update(call=3),
        lambda audit: audit["subjects"][0]["differs"].update(divide_by=["k"]),
        lambda audit: audit["subjects"][0]["findings"][0].update(severity="fatal"),
        lambda audit: audit["subjects"][0]["findings"][0].pop("case"),
        lambda audit: audit["subjects"][0]["findings"][0]["case"].update(value="high"),
        lambda audit: audit["subjects"][0]["findings"][0]["case"]["users"][0].update(hits=[1]),
        lambda audit: audit.update(same=True),
        lambda audit: audit.update(same=False, edges={}, findings=[], case=CASE),
    ],
)
def test_the_schema_refuses(spoil):
    audit = an_audit()
    spoil(audit)
    with pytest.raises(RecordError, match=r"^audit: \$"):
        validate_audit(audit)


def test_every_field_of_the_schema_is_documented():
    def undocumented(node, place="$"):
        for name, inner in node.get("properties", {}).items():
            if "description" not in inner and "$ref" not in inner and name not in ("users", "hits"):
                yield f"{place}.{name}"
            yield from undocumented(inner, f"{place}.{name}")
        for key in ("items", "anyOf", "allOf"):
            inside = node.get(key, [])
            for inner in inside if isinstance(inside, list) else [inside]:
                yield from undocumented(inner, place)

    whole = schema("audit")
    assert not list(undocumented(whole))
    assert not [place for name, part in whole["$defs"].items() for place in undocumented(part, name)]


# Text


def words_of(record, **settings):
    return " ".join(plain(record, **settings).split())


def test_the_text_says_what_matters_and_folds_the_rest():
    words = words_of(an_audit())
    assert "computes recall(divide_by=min_k_relevant)" in words
    assert f"verified {VERIFIED['summary']}" in words
    assert "expected recall(divide_by=relevant), and it is not" in words
    assert "differs divide_by is min_k_relevant, usually relevant" in words
    assert "called as relevant,recommended; recall(actual={relevant}, predicted={recommended}, k={k})" in words
    assert "at edges no list: zero; k beyond items: ok" in words
    assert "EXP001 error not the definition expected expected, not so What to do: Change it." in words
    assert words.count("list [3] | 7") == 2, "the case of the worst finding of each function, and no other"
    assert "REC001 warning recall divides by min(k, r) 100% of it, it computes: that" in words
    assert "For each user multiply" not in words
    assert "1 note: DUP001 twice; --verbose shows it" in words
    assert "list [3] 7" not in words
    assert "computes no known definition at size (on the probes: <script>" in words
    assert "refused 9 of 16 probes answered;" in words
    assert words.endswith("2 functions, 1 verified, 1 refused; 2 errors, 1 warning, 1 note.")


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
    edge = {**warning, "code": "USR001", "title": "users left out", "message": "no list: skipped."}
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
    assert "computes unknown: it gave no number; its name claims recall" in words


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
        ({"confidence": "refused", "reason": "it agrees on the probes, not at size"}, "agree, then: one departs"),
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
    head, *rows = (line for line in table if not line.startswith(" "))
    assert re.search(r"function +computes .*usual +verified +worst finding", head)
    assert [row.split()[0] for row in rows] == ["recall", "precision", "f"]
    assert re.search(r"recall +recall +divide_by=min_k.* yes +EXP001 not", rows[0])
    assert re.search(r"precision +recall +– +yes +–$", rows[1])
    assert re.search(r"f +no known.* refused +UNX001", rows[2])


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
    heading = rendered(render_markdown, edges_alone()).splitlines()[0]
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


# Every format


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize(
    "render",
    [
        *RENDERERS,
        lambda record, *_: plain(record),
        lambda record, *_: plain(record, verbose=True),
        lambda record, *_: html(record),
        lambda record, *_: issues(record),
    ],
)
def test_nothing_hostile_gets_through(render, sample):
    text = rendered(render, sample())
    assert not STEERING.search(text)
    assert "two functions differ" in text or "recall" in text


@pytest.mark.parametrize("render", RENDERERS)
def test_the_record_is_left_as_it_was(render):
    record = an_audit()
    before = copy.deepcopy(record)
    rendered(render, record)
    assert record == before


# SARIF


def test_sarif():
    sarif = json.loads(rendered(render_sarif, an_audit()))
    assert (sarif["version"], len(sarif["runs"])) == ("2.1.0", 1)
    run = sarif["runs"][0]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("metric-harness", "0.1.0")
    assert [rule["id"] for rule in driver["rules"]] == list(RULES)
    assert all(rule["help"]["text"].startswith(RULES[rule["id"]]["why"]) for rule in driver["rules"])
    assert [result["ruleId"] for result in run["results"]] == ["EXP001", "REC001", "DUP001", "UNX001"]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note", "error"]
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "src/my%20metrics.py"}, "region": {"startLine": 12}}
    assert "list [3] | 7" in run["results"][0]["message"]["text"]
    uri = run["results"][3]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9%/._~-]+", uri), "a target without a file, as an address"
    about = run["results"][0]["properties"]
    assert (about["metric"], about["variant"]) == ("recall", "recall(divide_by=min_k_relevant)")
    assert about["evidence"] == VERIFIED
    assert [one["evidence"]["confidence"] for one in run["properties"]["subjects"]] == ["verified", "refused"]
    prints = [result["partialFingerprints"]["metricHarness/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)


def test_sarif_of_an_absolute_file_and_of_a_comparison():
    record = a_comparison()
    record["subjects"][0]["source"]["file"] = "/somewhere/else.py"
    results = json.loads(rendered(render_sarif, record))["runs"][0]["results"]
    assert results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "file:///somewhere/else.py"
    assert results[-1]["ruleId"] == "CMP001"
    assert "src/my metrics.py:recall returned" in results[-1]["message"]["text"]


# GitHub


def test_github_commands():
    lines = rendered(render_github, an_audit()).splitlines()
    assert len(lines) == 5
    assert lines[1].startswith(
        "::warning file=src/my metrics.py,line=12,title=REC001 recall divides by min(k%2C r)::"
        "src/my metrics.py:recall: 100%25 of it,%0Ait computes: that%0AWhat to do: "
    )
    assert lines[0].startswith("::error file=")
    assert lines[2].startswith("::notice file=")
    assert lines[3].startswith("::error title=UNX001 ")
    assert "%3A%3Aerror%3A%3A" in lines[3].split("::")[1], "a title cannot end the command"
    assert "%250A" in lines[3], "a percent sign of the text's own"
    assert lines[4].startswith(
        "::notice title=metric-harness::src/my metrics.py:recall computes recall(divide_by=min_k_relevant) "
        "(verified: 16 of 16 probes answered;"
    )
    assert "none of the known definitions (refused: 9 of 16 probes answered;" in lines[4]
    assert len(rendered(render_github, a_comparison()).splitlines()) == 6


# Markdown


def test_markdown():
    text = rendered(render_markdown, an_audit())
    lines = text.splitlines()
    assert lines[0] == "### 2 functions, 1 verified, 1 refused"
    assert (
        "| `src/my metrics.py:recall` | `recall(divide_by=min_k_relevant)` | `divide_by=min_k_relevant` | yes | "
        "EXP001 not the definition expected |" in lines
    )
    for line in (line for line in lines if line.startswith("|")):
        assert len(re.findall(r"(?<!\\)\|", line)) in (5, 6), line
    assert text.count("<details>") == text.count("</details>") == 3
    assert len(text) < 65536


def test_markdown_of_one_function_says_what_its_name_rests_on():
    lines = rendered(render_markdown, {**an_audit(), "subjects": [KNOWN]}).splitlines()
    assert lines[0].startswith("### src/my metrics.py:recall computes recall")
    assert lines[2].startswith("verified: 16 of 16 probes answered; 30 questions at size")


def test_markdown_shows_hostile_text_as_text():
    """What stands neither in code nor in a fence is escaped."""
    text = rendered(render_markdown, an_audit())
    outside = re.sub(r"<summary><code>[^<>]*</code></summary>", "", text)  # where HTML is escaped and nothing else
    outside = re.sub(r"(?s)(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)", "", outside)
    assert "alert" in outside
    for part in ("<script", "](b)", "[a]", "@someone"):
        assert not re.search(r"(?<!\\)" + re.escape(part), outside), part


def test_markdown_says_a_finding_once_for_all_functions():
    record = {**an_audit(), "subjects": [{**KNOWN, "target": f"lib:f{number}"} for number in range(9)]}
    text = rendered(render_markdown, record)
    assert text.count("100% of it") == 1
    assert text.count("<details>") == 2
    assert all(f"`lib:f{number}`" in text for number in range(9))
    assert "and 1 more" in text


def test_markdown_stays_short_enough_for_a_comment():
    subjects = [copy.deepcopy(KNOWN) for _ in range(300)]
    for number, subject in enumerate(subjects):
        subject["findings"][0]["message"] = f"number {number}"
        subject["findings"][0]["case"]["arithmetic"] *= 20
    text = rendered(render_markdown, {**an_audit(), "subjects": subjects})
    assert len(text) < 65536
    assert all(f"more {what} are left out" in text for what in ("functions", "findings", "cases"))


def test_markdown_of_a_comparison():
    text = rendered(render_markdown, a_comparison(same=True))
    assert "follow the same definition" in text.splitlines()[0]
    assert "The smallest list on which they differ" in rendered(render_markdown, a_comparison())


# HTML


@pytest.mark.parametrize("sample", SAMPLES)
def test_html_is_one_sound_page(sample):
    text = rendered(render_audit_html, sample())
    page = Page(text)
    assert not page.problems
    assert not page.all("script")
    assert not [e for e in page.elements if e["attrs"].get("src") or e["attrs"].get("href", "#")[0] != "#"]
    ids = [e["attrs"]["id"] for e in page.elements if "id" in e["attrs"]]
    assert len(ids) == len(set(ids))
    links = {e["attrs"]["href"][1:] for e in page.all("a")}
    assert links <= set(ids)
    labels = {e["attrs"]["aria-labelledby"] for e in page.elements if "aria-labelledby" in e["attrs"]}
    assert labels <= set(ids)
    assert "default-src 'none'" in text


def test_html_says_everything():
    page = Page(rendered(render_audit_html, an_audit()))
    assert page.text("h1") == ["2 functions, 1 verified, 1 refused."]
    assert any(VERIFIED["summary"] in text for text in page.text("p"))
    assert page.text("span", class_="verified") == ["yes", "verified"]
    assert page.text("span", class_="refused") == ["refused", "refused"]
    assert [text for text in page.text("summary") if "DUP001" in text] == ["1 more: DUP001 twice"]
    assert "recall(actual={relevant}, predicted={recommended}, k={k})" in page.text("code")
    assert "100% of it, it computes: that" in page.text("p")
    assert any("recall(divide_by=relevant)@1" in text for text in page.text("pre"))
    assert any("alert(1)" in text for text in page.text("h4")), "hostile text is shown, as text"
    assert len(page.all("figure")) == 4
    assert "user 2" in page.text("p", class_="who")


def test_html_of_a_comparison():
    page = Page(rendered(render_audit_html, a_comparison()))
    cells = [text for text in page.text("th") if "my metrics" in text]
    assert len(cells) == 2, "in the table of functions and in the case"
    assert page.text("li", class_="error") == ["3 errors"], "that they differ is one"
    assert any("a user with an empty list: zero / skipped" in text for text in page.text("li"))


def test_jupyter_shows_one_escaped_element():
    text = html(an_audit())
    page = Page(text)
    assert not page.problems
    assert not page.all("script")
    assert text.startswith("<pre")
    assert "font-weight: bold" in text
    assert HOSTILE[:8] not in text
    console = Console(file=io.StringIO(), width=100)
    console.print(plain(an_audit()), markup=False)
    assert page.text("pre")[0] == " ".join(plain(an_audit()).split())

"""An audit as JSON, SARIF and GitHub commands, from results made by hand, and what holds for every format."""

import copy
import json
import re

import pytest

from metric_reports.audit.audit_page import render_audit_html, render_markdown
from metric_reports.audit.ci import render_github
from metric_reports.audit.issue import issues
from metric_reports.audit.text import html, plain
from metric_reports.record import RecordError, schema, validate_audit
from tests.reports.rendering import RULES, SAMPLES, sarif
from tests.support.sample_audit import CASE, VERIFIED, a_comparison, an_audit

STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
RENDERERS = [sarif, render_github, render_markdown, render_audit_html]


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


# Every format


NEW = ("short_signature", "formula", "constant_scorer", "imports", "expression", "edge", "try_with")


def as_before(value):
    """A record as it was before it held what the texts say."""
    if isinstance(value, list):
        return [as_before(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    older = {name: as_before(inner) for name, inner in value.items() if name not in NEW}
    return {name: inner for name, inner in older.items() if not ("k" in value and name == "call")}


@pytest.mark.parametrize("render", [*RENDERERS, plain, html, issues])
@pytest.mark.parametrize("sample", SAMPLES)
def test_an_older_record_is_rendered_without_the_parts_that_it_lacks(render, sample):
    text = render(validate_audit(as_before(sample())))
    assert "recall" in text
    assert not re.search(r"a constant scorer|Expected, `|import recall|None", text)


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize(
    "render",
    [
        *RENDERERS,
        plain,
        lambda record: plain(record, verbose=True),
        html,
        issues,
    ],
)
def test_nothing_hostile_gets_through(render, sample):
    text = render(sample())
    assert not STEERING.search(text)
    assert "two functions differ" in text or "recall" in text


@pytest.mark.parametrize("render", RENDERERS)
def test_the_record_is_left_as_it_was(render):
    record = an_audit()
    before = copy.deepcopy(record)
    render(record)
    assert record == before


# SARIF


def test_sarif():
    written = json.loads(sarif(an_audit()))
    assert (written["version"], len(written["runs"])) == ("2.1.0", 1)
    run = written["runs"][0]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("metric-harness", "1.0.0")
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
    results = json.loads(sarif(record))["runs"][0]["results"]
    assert results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "file:///somewhere/else.py"
    assert results[-1]["ruleId"] == "CMP001"
    assert "src/my metrics.py:recall returned" in results[-1]["message"]["text"]


# GitHub


def test_github_commands():
    lines = render_github(an_audit()).splitlines()
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
    assert "no known definition at size (on the probes: <script>" in lines[4]
    assert "(refused: 9 of 16 probes answered;" in lines[4]
    assert len(render_github(a_comparison()).splitlines()) == 6

"""A repair as text: each outcome, and texts of a file that would write to the terminal."""

import pytest

from metric_reports.audit.repair import repair_lines
from metric_reports.record import validate_audit
from tests.support.sample_audit import CASE, HOSTILE, VERIFIED, an_audit

DIFF = "--- metrics.py\n+++ metrics.py\n@@ -1 +1 @@\n-a = 1  # \x1b[31m\n+a = 2  # \x1b[31m\n"
FOUND = {
    "asked": "recall(divide_by=relevant)",
    "outcome": "found",
    "about": ["the divisor"],
    "diff": DIFF,
    "edges": {"no_list": ["zero", "skipped"]},
    "case": {**CASE, "value": 0.25, "after": 0.5},
    "evidence": VERIFIED,
    "tried": 7,
    "seconds": 2.5,
}


def text_of(repair):
    record = an_audit()
    record["subjects"] = [{**record["subjects"][0], "repair": repair}]
    validate_audit(record)
    return "\n".join(line.plain for line in repair_lines(record))


def test_a_change_is_a_diff_with_the_numbers_before_and_after():
    text = text_of(FOUND)
    assert "\n-a = 1  # \ufffd[31m\n+a = 2  # \ufffd[31m\n" in text
    assert "at edges      no list: zero before, skipped then" in text
    for label, value in (("before", "0.25"), ("after", "0.5"), ("recall(divide_by=relevant)", "0.5")):
        assert f"\n  {label:26}  {value}\n" in text
    assert text.endswith("--apply changes it.")
    assert text_of({**FOUND, "applied": True}).endswith("The file is changed.")
    assert "before" not in text_of({**FOUND, "case": None, "edges": {}})


@pytest.mark.parametrize(
    ("outcome", "said"),
    [("unchanged", "verified as that already"), ("none", "No small change does it: 7 changes tried in 2 s")],
)
def test_no_change(outcome, said):
    text = text_of({"asked": HOSTILE, "outcome": outcome, "tried": 7, "seconds": 2.4})
    assert said in text
    assert "\x1b" not in text

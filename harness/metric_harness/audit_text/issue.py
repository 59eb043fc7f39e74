"""An audit as an issue for the maintainers of the function: ready to read, with a script that needs nothing of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metric_harness.audit_text.cases import case_lines, numbers, safe
from metric_harness.audit_text.issue_script import plain_name, safe_lines, script, value_of
from metric_harness.naming.question import differ
from metric_reference.variant import Variant
from metric_reports.record import from_json_number
from metric_reports.types.audit import Audit

BETWEEN = "\n\n---\n\n"
OF_THE_AUDIT = ("EXP001", "UNX001", "VER001")
"""Findings whose advice is for the auditor, not for users of the function."""
NONE = "There is nothing to report: no error or warning comes with a case."


def issues(record: Audit) -> str:
    """An issue in Markdown for each function that has an error or a warning with a case, with a rule between them."""
    version = record["harness"]["version"]
    pairs = ((subject, gravest(subject)) for subject in record["subjects"])
    return BETWEEN.join(issue(subject, worst, version) for subject, worst in pairs if worst is not None) or NONE


def gravest(subject: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The gravest error or warning that has a case with a candidate to compare with."""
    grave = (row for row in subject["findings"] if row["severity"] != "note" and row["case"] is not None)
    return next((row for row in grave if row["case"]["candidates"]), None)


def issue(subject: Mapping[str, Any], finding: Mapping[str, Any], version: str) -> str:
    """The issue about one finding: both values, the case, both formulas, a script, and what can be done."""
    case = finding["case"]
    expected = expected_candidate(finding)
    value, label = value_of(expected), safe(expected["variant"])
    variant = parsed(label)
    name = plain_name(subject["target"])
    value_returned = from_json_number(case["value"])
    values = numbers([value_returned, value])
    returned = f"fails with `{ticked(case['error'])}`" if value_returned is None else f"returns **{values[0]}**"
    return "\n".join(
        [
            f"# {title(name, subject, finding, label)}",
            "",
            f"For the small case below `{ticked(name)}` {returned}, and {ticked(label, True)} gives **{values[1]}**.",
            "",
            f"{sentence(finding['message'])}",
            "",
            "## Smallest case",
            "",
            "```text",
            safe_lines(case_lines(case)),
            "```",
            "",
            "## Formulas",
            "",
            *formulas(name, subject, variant, label),
            "## How to reproduce",
            "",
            "```python",
            script(subject, case, ticked(label), variant if label == str(variant) else None, value),
            "```",
            "",
            "## What could be done",
            "",
            f"Either the function returns {values[1]} here, as {ticked(label, True)} does, or the documentation names "
            "the definition that it follows, so that its numbers are not compared with those of another one.",
            *([] if finding["code"] in OF_THE_AUDIT else ["", f"Until then, for users: {sentence(finding['advice'])}"]),
            "",
            "Thank you for maintaining this code.",
            "",
            f"<sub>{finding['code']}, found with metric-harness {safe(version)}. Evidence: "
            f"{safe(subject['evidence']['confidence'])}; {ticked(subject['evidence']['summary'])}.</sub>",
        ]
    )


def title(name: str, subject: Mapping[str, Any], finding: Mapping[str, Any], expected: str) -> str:
    """The title of an issue."""
    if finding["code"] == "EXP001" and subject["variant"]:
        return f"`{ticked(name)}` computes {subject['variant']}, not {expected}"
    return f"`{ticked(name)}`: {ticked(finding['title'])}"


def expected_candidate(finding: Mapping[str, Any]) -> Mapping[str, Any]:
    """The definition that the function is compared with: the expected, else the standard one, if its value differs."""
    case = finding["case"]
    order = case["candidates"] if finding["code"] == "EXP001" else case["candidates"][::-1]
    returned = from_json_number(case["value"])
    return next((row for row in order if differ(returned, value_of(row))), order[0])


def parsed(text: str) -> Variant | None:
    """The variant of a printed form, which may be followed by an edge behaviour; None for any other text."""
    printed = text if text.endswith(")") else text.partition("), ")[0] + ")"
    try:
        return Variant.parse(printed)
    except ValueError:
        return None


def formulas(name: str, subject: Mapping[str, Any], expected: Variant | None, text: str) -> list[str]:
    """The formula of the expected variant and, if it differs, that of the function's variant."""
    computed = parsed(subject["variant"]) if subject["variant"] else None
    lines: list[str] = []
    if expected is not None:
        lines += [f"Expected, {ticked(text, True)}:", "", *math_block(expected), ""]
    if computed is not None and computed != expected:
        lines += [f"Computed by `{ticked(name)}`, `{computed}`:", "", *math_block(computed), ""]
    if computed is None:
        lines += [f"`{ticked(name)}` follows none of the definitions that are known to be in use.", ""]
    return lines


def math_block(variant: Variant) -> list[str]:
    """A formula as GitHub and GitLab render it."""
    return ["```math", variant.metric.formula(), "```"]


def ticked(text: str, quoted: bool = False) -> str:
    """A text that cannot end its code span nor start markup; ``quoted``: in backticks."""
    line = " ".join(safe(text).replace("`", "'").replace("<", "‹").replace(">", "›").split())
    return f"`{line}`" if quoted else line


def sentence(text: str) -> str:
    """A text of the audit as a sentence without markup, with a capital and a full stop."""
    line = ticked(text)
    line = line[:1].upper() + line[1:]
    return line if line.endswith((".", "!", "?")) else f"{line}."

"""An audit as an issue for the maintainers of the function: ready to read, with a script that needs nothing of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metric_harness.audit_text.cases import case_lines, numbers, safe
from metric_harness.audit_text.issue_script import plain_name, safe_lines, script, value_of
from metric_harness.identification.small_cases import differ
from metric_reference.variant import Variant
from metric_reports.record import from_json_number
from metric_reports.types.audit import Audit

BETWEEN = "\n\n---\n\n"
OF_THE_AUDIT = ("EXP001", "UNX001", "VER001")
"""Findings whose advice is for the person who audits."""
NONE = "There is nothing to report: no error or warning comes with a case."


def issues(record: Audit) -> str:
    """An issue in Markdown for each function that has an error or a warning with a case, a rule between two issues."""
    version = record["harness"]["version"]
    written = [issue(one, found, version) for one in record["subjects"] if (found := gravest(one)) is not None]
    return BETWEEN.join(written) or NONE


def gravest(subject: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The gravest error or warning that comes with a case and a value to hold it against."""
    grave = (one for one in subject["findings"] if one["severity"] != "note" and one["case"] is not None)
    return next((one for one in grave if one["case"]["candidates"]), None)


def issue(subject: Mapping[str, Any], finding: Mapping[str, Any], version: str) -> str:
    """The issue about one finding: both values, the case, both formulas, a script, and what can be done."""
    case = finding["case"]
    wanted = candidate(finding)
    value, text = value_of(wanted), safe(wanted["variant"])
    variant = parsed(text)
    name = plain_name(subject["target"])
    given = from_json_number(case["value"])
    told = numbers([given, value])
    returned = f"fails with `{ticked(case['error'])}`" if given is None else f"returns **{told[0]}**"
    return "\n".join(
        [
            f"# {title(name, subject, finding, text)}",
            "",
            f"For the small case below `{ticked(name)}` {returned}, and {ticked(text, True)} gives **{told[1]}**.",
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
            *formulas(name, subject, variant, text),
            "## How to reproduce",
            "",
            "```python",
            script(subject, case, ticked(text), variant if text == str(variant) else None, value),
            "```",
            "",
            "## What could be done",
            "",
            f"Either the function returns {told[1]} here, as {ticked(text, True)} does, or the documentation names the "
            "definition that it follows, so that its numbers are not compared with those of another one.",
            *([] if finding["code"] in OF_THE_AUDIT else ["", f"Until then, for users: {sentence(finding['advice'])}"]),
            "",
            "Thank you for maintaining this code.",
            "",
            f"<sub>{finding['code']}, found with metric-harness {safe(version)}. Evidence: "
            f"{safe(subject['evidence']['confidence'])}; {ticked(subject['evidence']['summary'])}.</sub>",
        ]
    )


def title(name: str, subject: Mapping[str, Any], finding: Mapping[str, Any], wanted: str) -> str:
    """One line for the list of issues."""
    if finding["code"] == "EXP001" and subject["variant"]:
        return f"`{ticked(name)}` computes {subject['variant']}, not {wanted}"
    return f"`{ticked(name)}`: {ticked(finding['title'])}"


def candidate(finding: Mapping[str, Any]) -> Mapping[str, Any]:
    """The definition that the function is held against: the one expected, else the usual one, if they differ there."""
    case = finding["case"]
    order = case["candidates"] if finding["code"] == "EXP001" else case["candidates"][::-1]
    given = from_json_number(case["value"])
    apart = (one for one in order if differ(given, value_of(one)))
    return next(apart, order[0])


def parsed(text: str) -> Variant | None:
    """The variant of a printed form, which an edge behaviour may follow; None for any other text."""
    printed = text if text.endswith(")") else text.partition("), ")[0] + ")"
    try:
        return Variant.parse(printed)
    except ValueError:
        return None


def formulas(name: str, subject: Mapping[str, Any], wanted: Variant | None, text: str) -> list[str]:
    """The formula of what is expected and, where it is another one, of what the function computes."""
    own = parsed(subject["variant"]) if subject["variant"] else None
    lines: list[str] = []
    if wanted is not None:
        lines += [f"Expected, {ticked(text, True)}:", "", *math(wanted), ""]
    if own is not None and own != wanted:
        lines += [f"Computed by `{ticked(name)}`, `{own}`:", "", *math(own), ""]
    if own is None:
        lines += [f"`{ticked(name)}` follows none of the definitions that are known to be in use.", ""]
    return lines


def math(variant: Variant) -> list[str]:
    """A formula as GitHub and GitLab draw it."""
    return ["```math", variant.metric.formula(), "```"]


def ticked(text: str, quoted: bool = False) -> str:
    """A text that cannot end the code it stands in, nor start markup; ``quoted``: in backticks."""
    line = " ".join(safe(text).replace("`", "'").replace("<", "‹").replace(">", "›").split())
    return f"`{line}`" if quoted else line


def sentence(text: str) -> str:
    """A text of the audit as a sentence: a capital at its beginning, a full stop at its end, no markup."""
    line = ticked(text)
    line = line[:1].upper() + line[1:]
    return line if line.endswith((".", "!", "?")) else f"{line}."

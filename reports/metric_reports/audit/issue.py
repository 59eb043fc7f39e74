"""An audit as an issue for the maintainers of the function: ready to read, with a script that needs nothing of ours."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from metric_reports.audit.case_lines import case_lines, differ, numbers, safe
from metric_reports.record import from_json_number
from metric_reports.types.audit import Audit
from metric_reports.types.common import Candidate

BETWEEN = "\n\n---\n\n"
OF_THE_AUDIT = ("EXP001", "UNX001", "VER001")
"""Findings whose advice is for the auditor, not for users of the function."""
IMPORTS = {"np.": "import numpy as np", "torch.": "import torch", "log2(": "from math import log2"}
"""What a script imports, by what is in its lines."""
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
    case, expected, name = finding["case"], expected_candidate(finding), plain_name(subject["target"])
    label, returned = ticked(expected["variant"], quoted=True), from_json_number(case["value"])
    values = numbers([returned, from_json_number(expected["value"])])
    result = (
        f"fails with `{ticked(case['error'])}`" if returned is None and case["error"] else f"returns **{values[0]}**"
    )
    return "\n".join(
        [
            f"# {title(name, subject, finding, expected)}",
            "",
            f"For the small case below `{ticked(name)}` {result}, and {label} gives **{values[1]}**.",
            "",
            f"{sentence(finding['message'])}",
            "",
            "## Smallest case",
            "",
            *block("text", case_lines(case)),
            "",
            "## Formulas",
            "",
            *formulas(name, subject, expected),
            "## How to reproduce",
            "",
            *block("python", script(subject, case, expected)),
            "",
            "## What could be done",
            "",
            f"Either the function returns {values[1]} here, as {label} does, or the documentation names "
            "the definition that it follows, so that its numbers are not compared with those of another one.",
            *([] if finding["code"] in OF_THE_AUDIT else ["", f"Until then, for users: {sentence(finding['advice'])}"]),
            "",
            "Thank you for maintaining this code.",
            "",
            f"<sub>{finding['code']}, found with metric-harness {safe(version)}. Evidence: "
            f"{safe(subject['evidence']['confidence'])}; {ticked(subject['evidence']['summary'])}.</sub>",
        ]
    )


def title(name: str, subject: Mapping[str, Any], finding: Mapping[str, Any], expected: Candidate) -> str:
    """The title of an issue."""
    if finding["code"] == "EXP001" and subject["variant"]:
        return f"`{ticked(name)}` computes {ticked(subject['variant'])}, not {safe(expected['variant'])}"
    return f"`{ticked(name)}`: {ticked(finding['title'])}"


def expected_candidate(finding: Mapping[str, Any]) -> Candidate:
    """The definition that the function is compared with: the expected, else the standard one, if its value differs."""
    case = finding["case"]
    order: list[Candidate] = case["candidates"] if finding["code"] == "EXP001" else case["candidates"][::-1]
    returned = from_json_number(case["value"])
    return next((row for row in order if differ(returned, from_json_number(row["value"]))), order[0])


def formulas(name: str, subject: Mapping[str, Any], expected: Candidate) -> list[str]:
    """The formula of the expected variant and, if it differs, that of the function's variant, as far as known."""
    computed, label = subject["variant"], expected["variant"]
    lines: list[str] = []
    if formula := expected.get("formula"):
        lines += [f"Expected, {ticked(label, True)}:", "", *block("math", [formula]), ""]
    if computed is None:
        lines += [f"`{ticked(name)}` follows none of the definitions that are known to be in use.", ""]
    elif subject.get("formula") and label != computed and not label.startswith(f"{computed}, "):  # at an edge
        lines += [f"Computed by `{ticked(name)}`, `{ticked(computed)}`:", "", *block("math", [subject["formula"]]), ""]
    return lines


def script(subject: Mapping[str, Any], case: Mapping[str, Any], expected: Candidate) -> list[str]:
    """A Python script that prints what the function returns for the case and what is expected.

    A call that is not in the record is left to the reader, who gets the lists and the relevant items.
    """
    call, value = case.get("call"), spelled(expected)
    name = plain_name(subject["target"])
    called = call or [*data(case), f"returned = ...  # call {name} with these lists and k"]
    imports = [line for mark, line in IMPORTS.items() if any(mark in text for text in (value, *called))]
    imports += subject.get("imports", []) if call else []
    return [
        *([*imports, ""] if imports else []),
        *called,
        f"expected = {value}  # {ticked(expected['variant'])}",
        "",
        'print("returned", returned)',
        'print("expected", expected)',
    ]


def data(case: Mapping[str, Any]) -> list[str]:
    """The lists and relevant items of a case as assignments."""
    graded = any(gain != 1.0 for user in case["users"] for gain in user["gains"])
    relevant = [
        dict(zip(user["relevant"], user["gains"], strict=True)) if graded else user["relevant"]
        for user in case["users"]
    ]
    about = "the relevant items of each user" + (" with their gains" if graded else "")
    return [
        f"k = {case['k']}",
        f"recommended = {[user['list'] for user in case['users']]}  # the list of each user, best first",
        f"relevant = {relevant}  # {about}",
    ]


def spelled(candidate: Candidate) -> str:
    """The value of a candidate in Python: as arithmetic, or the number itself where the record has none."""
    value = from_json_number(candidate["value"])
    if value is None or not math.isfinite(value):
        return f'float("{value}")'
    return candidate.get("expression") or repr(value)


def plain_name(target: str) -> str:
    """The name of a function without the file, library or program that holds it."""
    return safe(target.rpartition(":")[2])


def block(language: str, lines: Sequence[str]) -> list[str]:
    """A fenced block of lines without control characters; a backtick in them cannot end it."""
    return [f"```{language}", *(safe(line).replace("```", "'''") for line in lines), "```"]


def ticked(text: str, quoted: bool = False) -> str:
    """A text that cannot end its code span nor start markup; ``quoted``: in backticks."""
    line = " ".join(safe(text).replace("`", "'").replace("<", "‹").replace(">", "›").split())
    return f"`{line}`" if quoted else line


def sentence(text: str) -> str:
    """A text of the audit as a sentence without markup, with a capital and a full stop."""
    line = ticked(text)
    line = line[:1].upper() + line[1:]
    return line if line.endswith((".", "!", "?")) else f"{line}."

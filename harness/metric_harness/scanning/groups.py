"""Which functions of a scan claim the same metric, and which of them differ from each other."""

from __future__ import annotations

from collections.abc import Sequence

from metric_harness.discovery.names import claim_of
from metric_harness.identification.findings import remark
from metric_harness.identification.rules import SEVERITIES
from metric_reports.types.audit import Finding, Subject
from metric_reports.types.scan import Function, Group, Member

ACCUSED = ("VER001",)
"""Findings that count although the function got no name."""


def element_of(subject: Subject) -> str | None:
    """The element of a return of several metrics that a subject is: ``ndcg`` of ``file.py:evaluate[ndcg]``."""
    name, bracket, element = subject["target"].rpartition(":")[2].partition("[")
    return element.replace("]", "") if bracket and name else None


def group_of(function: Function, subject: Subject) -> str | None:
    """The name under which a subject's numbers are compared: what its name claims, else the metric that it computes."""
    element = element_of(subject)
    claim = claim_of(element) if element else None
    if claim is not None:
        return claim.label
    if function["label"] and not element:
        return str(function["label"])
    return subject["metric"] or (subject["variant"] or "").partition("(")[0] or None


def shown_name(function: Function, subject: Subject) -> str:
    """``file.py:12 name``, with the element in brackets."""
    element = element_of(subject)
    return f"{function['file']}:{function['line']} {function['name']}{f'[{element}]' if element else ''}"


def metric_groups(functions: Sequence[Function]) -> list[Group]:
    """For each metric that is claimed, the definitions that were found and the functions that compute each."""
    groups: dict[str, dict[str, list[Member]]] = {}
    for function in functions:
        for subject in function["subjects"]:
            group = group_of(function, subject)
            confidence = subject["evidence"]["confidence"]
            if group and subject["variant"] and confidence != "refused":
                row: Member = {
                    "function": shown_name(function, subject),
                    "confidence": confidence,
                    "edges": subject["edges"],
                }
                groups.setdefault(group, {}).setdefault(subject["variant"], []).append(row)
    return [
        {
            "metric": group,
            "differ": len(variants) > 1,
            "variants": [{"variant": variant, "functions": rows} for variant, rows in sorted(variants.items())],
        }
        for group, variants in sorted(groups.items())
    ]


def with_differences(functions: Sequence[Function]) -> list[Function]:
    """The functions, each with a finding DIF001 where another of the same claim computes another definition."""
    groups = {row["metric"]: row for row in metric_groups(functions) if row["differ"]}
    out: list[Function] = []
    for function in functions:
        subjects: list[Subject] = []
        for subject in function["subjects"]:
            group = groups.get(group_of(function, subject) or "")
            rows = [one for one in subject["findings"] if one["code"] != "DIF001"]
            if group and subject["variant"]:
                others = [one for one in group["variants"] if one["variant"] != subject["variant"]]
                said = "; ".join(f"{one['functions'][0]['function']} computes {one['variant']}" for one in others)
                message = (
                    f"it computes {subject['variant']} under the name {group['metric'].replace('_', ' ')}; {said}."
                )
                rows = [remark("DIF001", message), *rows]
            subjects.append({**subject, "findings": rows})
        out.append({**function, "subjects": subjects})
    return out


def counted_findings(functions: Sequence[Function]) -> list[tuple[Function, Subject, Finding]]:
    """The findings that decide the exit code: function, subject, finding.

    A function without a name was perhaps called in a wrong way, so of its findings only VER001 counts.
    A name that is verified and is another metric than the function's own is an error here.
    """
    out = []
    for function in functions:
        for subject in function["subjects"]:
            for row in subject["findings"]:
                if subject["variant"] is None and row["code"] not in ACCUSED:
                    continue
                verified = subject["evidence"]["confidence"] == "verified"
                graver = row["code"] == "NAM001" and verified
                out.append((function, subject, {**row, "severity": "error"} if graver else row))
    return out


def failing(functions: Sequence[Function], fail_on: str) -> bool:
    """Whether a finding is as severe as ``fail_on``."""
    grave = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return any(row["severity"] in grave for _, _, row in counted_findings(functions))

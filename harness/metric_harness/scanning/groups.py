"""Which functions of a scan claim the same metric, and which of them differ from each other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from metric_harness.naming.findings.finding import remark
from metric_harness.naming.findings.rules import SEVERITIES
from metric_harness.naming.metric_names import claim_of
from metric_reference.variant import Variant
from metric_reports.audit.scan_text import element_of, name_of
from metric_reports.types.audit import Subject
from metric_reports.types.common import Finding
from metric_reports.types.scan import Function, Group, Member

K = "{k}"
"""The cut-off in a call."""
DEEPEST_OWN = 100
"""A function that cuts at a number of its own is asked to that at most; one that cuts nowhere is asked past this."""
COUNTED_UNNAMED = ("VER001", "DOM001")
"""Findings that count even if no variant was found for the function."""


def group_of(function: Function, subject: Subject) -> str | None:
    """The metric under which a subject is compared: the one that its name claims, else the one that it computes."""
    element = element_of(subject)
    claim = claim_of(element) if element else None
    if claim is not None:
        return claim.label
    if function["label"] and not element:
        return str(function["label"])
    return subject["metric"] or (subject["variant"] or "").partition("(")[0] or None


def shown_name(function: Function, subject: Subject) -> str:
    """``file.py:12 name``, with the element in brackets."""
    return f"{function['file']}:{function['line']} {name_of(function, subject)}"


def takes_whole_lists(subject: Subject) -> bool:
    """Whether a function is known to take no k, and not to cut at one of its own."""
    call = None if subject["calling"] is None else subject["calling"]["call"]
    deepest = max(subject["evidence"]["cutoffs"], default=0)
    return call is not None and K not in call and deepest > DEEPEST_OWN


def compared_as(subject: Subject, variants: Collection[str]) -> str:
    """The variant of a subject among those of its group.

    A function that takes no k, and is handed whole lists, computes what one that has a k and ignores it does.
    """
    text = str(subject["variant"])
    variant = Variant.parse(text)
    if not takes_whole_lists(subject) or variant.metric.made().get("cut") != "k":
        return text
    whole = str(replace(variant, metric=replace(variant.metric, cut="none")))  # type: ignore[call-arg]
    return whole if whole in variants else text


def metric_groups(functions: Sequence[Function]) -> list[Group]:
    """For each metric that names claim, the definitions found and the functions that compute each."""
    named: dict[str, list[tuple[Function, Subject]]] = {}
    for function in functions:
        for subject in function["subjects"]:
            if subject["variant"] and (group := group_of(function, subject)):
                named.setdefault(group, []).append((function, subject))
    groups: dict[str, dict[str, list[Member]]] = {}
    for group, members in named.items():
        variants = {str(subject["variant"]) for _, subject in members}
        for function, subject in members:
            confidence = subject["evidence"]["confidence"]
            if confidence == "refused":
                continue
            row: Member = {
                "function": shown_name(function, subject),
                "confidence": confidence,
                "edges": subject["edges"],
            }
            groups.setdefault(group, {}).setdefault(compared_as(subject, variants), []).append(row)
    return [
        {
            "metric": group,
            "differ": len(variants) > 1,
            "variants": [{"variant": variant, "functions": rows} for variant, rows in sorted(variants.items())],
        }
        for group, variants in sorted(groups.items())
    ]


def with_differences(functions: Sequence[Function]) -> list[Function]:
    """The functions, with a finding DIF001 where another that claims the same metric computes another definition."""
    groups = {row["metric"]: row for row in metric_groups(functions) if row["differ"]}
    compared: list[Function] = []
    for function in functions:
        subjects: list[Subject] = []
        for subject in function["subjects"]:
            group = groups.get(group_of(function, subject) or "")
            findings = [finding for finding in subject["findings"] if finding["code"] != "DIF001"]
            if group and subject["variant"]:
                own = compared_as(subject, [row["variant"] for row in group["variants"]])
                rivals = [row for row in group["variants"] if row["variant"] != own]
                others = "; ".join(f"{row['functions'][0]['function']} computes {row['variant']}" for row in rivals)
                name = group["metric"].replace("_", " ")
                message = f"it computes {subject['variant']} under the name {name}; {others}."
                findings = [remark("DIF001", message), *findings]
            subjects.append({**subject, "findings": findings})
        compared.append({**function, "subjects": subjects})
    return compared


def counted_findings(functions: Sequence[Function]) -> list[tuple[Function, Subject, Finding]]:
    """The findings that decide the exit code, with their function and subject.

    Without a variant, only VER001 counts, as the function was perhaps called wrongly. A verified variant of another
    metric than the function's name claims is an error.
    """
    counted = []
    for function in functions:
        for subject in function["subjects"]:
            verified = subject["evidence"]["confidence"] == "verified"
            for finding in subject["findings"]:
                if subject["variant"] is None and finding["code"] not in COUNTED_UNNAMED:
                    continue
                if finding["code"] == "NAM001" and verified:
                    finding = {**finding, "severity": "error"}
                counted.append((function, subject, finding))
    return counted


def failing(functions: Sequence[Function], fail_on: str) -> bool:
    """Whether a finding is as severe as ``fail_on``."""
    severe = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return any(finding["severity"] in severe for _, _, finding in counted_findings(functions))
